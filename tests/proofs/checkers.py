"""Both checkers, as the tests run them, and the small certificates that they are tried with."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trapline.games import make_game

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent.parent
PROOFS = ROOT / "proofs"
SOURCE = (PROOFS / "check.py").read_text("utf-8")
SHIPPED = sorted(PROOFS.glob("*.cert"))
NODE = shutil.which("node")

Bounds = tuple[Fraction, Fraction]


@cache
def checker(source: str = SOURCE) -> ModuleType:
    """The Python checker, or what it would be with other source."""
    spec = importlib.util.spec_from_loader("checker", loader=None)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    exec(compile(source, "check.py", "exec"), module.__dict__)  # noqa: S102 (our own program)
    return module


def verdict(text: str, module: ModuleType | None = None) -> Bounds | None:
    """The bounds that are proven; None for what is refused, in whatever way main would say it."""
    try:
        low, high = (module or checker()).check(text)
    except Exception:  # noqa: BLE001 (as the program itself does)
        return None
    return low, high


BATCH = """
import { check } from "./check.mjs";
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin }))
  console.log(check(JSON.parse(line)).sentence);
"""


def in_javascript(texts: list[str]) -> list[Bounds | None]:
    """The same by the JavaScript checker, in one run of Node."""
    assert NODE is not None
    done = subprocess.run(
        [NODE, "--input-type=module", "-e", BATCH],
        input="".join(json.dumps(text) + "\n" for text in texts),
        capture_output=True, text=True, check=True, cwd=PROOFS,
    )  # fmt: skip
    sentences = done.stdout.splitlines()
    assert len(sentences) == len(texts)
    return [read_sentence(sentence) for sentence in sentences]


def read_sentence(sentence: str) -> Bounds | None:
    if not sentence.startswith("proven: value between "):
        assert sentence.startswith("Not proven: ")
        assert sentence.endswith(".")
        return None
    low, high = sentence.removeprefix("proven: value between ").split(" and ")
    return Fraction(low), Fraction(high)


@cache
def small() -> tuple[dict[str, Any], ...]:
    """Certificates of small games: `python -m bench.proofs --small` makes them."""
    lines = (ROOT / "tests" / "proofs" / "small.jsonl").read_text("utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


def key(game: str, options: dict[str, Any]) -> str:
    """One text for each game, however its options are written."""
    found = make_game(game, options).options
    return f"{game} {sorted((name, getattr(found, name)) for name in found.__struct_fields__)}"


@cache
def truths() -> dict[str, Bounds]:
    """What the small games, and the rulebooks, are worth."""
    known = [*small(), *(json.loads(path.read_text("utf-8")) for path in SHIPPED)]
    return {
        key(one["game"], one["options"]): (Fraction(one["bounds"][0]), Fraction(one["bounds"][1]))
        for one in known
    }


def encloses(proven: Bounds, truth: Bounds) -> bool:
    """Whether what is proven is no more than the truth, which itself may be known in bounds."""
    return proven[0] <= truth[1] and truth[0] <= proven[1]
