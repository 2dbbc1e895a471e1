"""What an operator sets: a value that cannot be meant is refused in one sentence."""

from __future__ import annotations

import gc
import os
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from trapline.core import OptionsError
from trapline.server import serving
from trapline.server.settings import Settings, read_settings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("variable", "value", "part"),
    [
        ("PORT", "eighty", "TRAPLINE_PORT must be a whole number, not 'eighty'."),
        ("PORT", "70000", "from 0 to 65535"),
        ("HOST", "", "host must not be empty"),
        ("PACE", "nan", "pace must be a number from 0 to"),
        ("PACE", "inf", "pace must be a number from 0 to"),
        ("PACE", "-1", "pace must be a number from 0 to"),
        ("EXPIRE_DAYS", "1e9", "expire_days must be a number from 0 to"),
        ("COMMANDS_PER_SECOND", "nan", "must be above 0"),
        ("WATCHERS", "0", "at least 1"),
        ("THINKERS", "1000", "More than 64"),
        ("PUBLIC_URL", "games.example", "public_url must be an address such as"),
        ("PUBLIC_URL", "http://[", "public_url must be an address such as"),
    ],
)
def test_what_cannot_be_meant_is_refused(variable: str, value: str, part: str) -> None:
    with pytest.raises(OptionsError) as refused:
        read_settings({f"TRAPLINE_{variable}": value})
    assert part in str(refused.value)


def test_what_can_be_meant_is_taken() -> None:
    given = {"TRAPLINE_PUBLIC_URL": "https://games.example/", "TRAPLINE_PACE": "0"}
    settings = read_settings(given, host="::1")
    read_settings({}, public_url="http://[::1]:8000")
    assert (settings.public_url, settings.pace) == ("https://games.example/", 0)
    assert settings.host == "::1"


def test_a_database_that_cannot_be_opened_is_named_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    database = f"sqlite:{tmp_path}/file/matches.db"
    run = subprocess.run(
        [sys.executable, "-m", "trapline", "serve", "--port", "0", "--database", database],
        env={**os.environ, "TRAPLINE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert run.returncode == 2
    assert run.stdout == ""
    assert "Traceback" not in run.stderr
    assert run.stderr.count("\n") == 1
    assert str(tmp_path / "file") in run.stderr


def test_a_server_lets_its_writer_have_its_turn_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python's own five milliseconds, several times for each commit, would make moves late."""
    seen: list[tuple[float, int]] = []

    class Looking(serving.Server):
        def run(self, sockets: Any = None) -> None:
            seen.append((sys.getswitchinterval(), gc.get_threshold()[0]))

    monkeypatch.setattr(serving, "Server", Looking)
    before, often = sys.getswitchinterval(), gc.get_threshold()
    try:
        with socket.socket() as listener:
            serving.run(Settings(database=f"sqlite:{tmp_path}/m.db"), listener, lambda: None)
    finally:
        sys.setswitchinterval(before)
        gc.set_threshold(*often)
        gc.unfreeze()
    ((switching, objects),) = seen
    assert switching <= 0.001
    assert objects >= 10_000, "rooms live long, and are not looked through all the time"
