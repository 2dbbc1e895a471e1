"""Golden playthroughs: whole games as a reader would see them, one file each.

Each file holds the command, what was typed, and what came back; digests and match ids, which
differ from run to run, are masked. `python -m tests.test_playthroughs` writes them anew.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from trapline.games import GAMES

FOLDER = Path(__file__).parent / "playthroughs"
TYPED = "--- typed ---\n"
SHOWN = "--- shown ---\n"


def show(command: str, typed: str, home: Path) -> str:
    arguments = shlex.split(command)
    assert arguments[0] == "trapline"
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        input=typed, capture_output=True, text=True, check=False,
        env={**os.environ, "TRAPLINE_HOME": str(home), "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert done.stderr == ""
    return mask(done.stdout)


def mask(text: str) -> str:
    text = re.sub(r"\b[0-9a-f]{32}\b", "#" * 32, text)
    return re.sub(r"\b\d{6}-\d{6}-[0-9a-f]{6}\b", "MATCH", text)


def read(path: Path) -> tuple[str, str, str]:
    command, _, rest = path.read_text("utf-8").partition("\n" + TYPED)
    typed, _, shown = rest.partition(SHOWN)
    return command, typed, shown


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_the_game_goes_as_written(path: Path, home: Path) -> None:
    command, typed, shown = read(path)
    assert show(command, typed, home) == shown


def test_every_game_has_one() -> None:
    assert {path.stem.rpartition(".")[0] or path.stem for path in FOLDER.glob("*.txt")} >= set(
        GAMES
    )


def rewrite() -> None:
    for path in sorted(FOLDER.glob("*.txt")):
        command, typed, _ = read(path)
        with tempfile.TemporaryDirectory() as home:
            shown = show(command, typed, Path(home))
        path.write_text(f"{command}\n{TYPED}{typed}{SHOWN}{shown}", "utf-8")


if __name__ == "__main__":
    rewrite()
