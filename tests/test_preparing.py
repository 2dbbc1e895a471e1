"""Solutions that are worked out while people play, and a bar that can be believed."""

from __future__ import annotations

import contextlib
import os
import pty
import signal
import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING

import pytest

from trapline.games import make_game
from trapline.players import PLAYERS, perfect
from trapline.preparing import Preparation, beforehand, is_kept
from trapline.referee import Match
from trapline.solve import storage
from trapline.solve.pace import Pace

if TYPE_CHECKING:
    from pathlib import Path

LARGE = {"length": 30}
UNKNOWN = {"length": 7, "traps": 2, "walls": False}
"""Trap Builder of a size that is not shipped."""


# --- the bar ------------------------------------------------------------------------------


@pytest.mark.parametrize("steepness", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("total", [5.0, 60.0, 400.0])
def test_the_bar_is_in_proportion_to_the_time(steepness: float, total: float) -> None:
    """A gap that falls as a power of the time, told now and then."""
    pace, shares = Pace(1e-4), []
    begun = 0.1 * total
    for number in range(1, 100):
        now = total * number / 100
        if now >= begun:
            pace.note(now, 1e-4 * (total / now) ** steepness)
        shares.append(pace.told(now).share)
    assert shares == sorted(shares)
    late = range(30, 99)
    assert max(abs(shares[i] - (i + 1) / 100) for i in late) < 0.1


def test_a_bar_never_goes_back_and_never_says_done() -> None:
    rng = Random(1)
    for _ in range(50):
        pace, now, last = Pace(1e-4, limit=600), 0.0, 0.0
        for _ in range(60):
            now += rng.expovariate(0.2)
            if rng.random() < 0.5:
                pace.note(now, 10 ** -rng.uniform(0, 6))
            told = pace.told(now)
            assert last <= told.share <= 0.99
            assert told.left >= 0.0
            assert told.left == pytest.approx(now * (1 - told.share) / told.share)
            last = told.share


# --- the search beside the match ------------------------------------------------------------


def test_what_is_shipped_is_at_hand(home: Path) -> None:
    found = Preparation(make_game("hidden-path"), 1)
    assert found.ready
    assert beforehand(make_game("hidden-path")) == ""


def test_an_unknown_variant_is_solved_beside_and_kept(home: Path) -> None:
    game = make_game("trap-builder", UNKNOWN)
    assert "work this variant out first" in beforehand(game)
    found = Preparation(game, 1)
    shares = []
    while not found.wait(0.2):
        assert not found.too_large
        shares.append(found.told().share)
        assert "This variant is being worked out" in found.sentence() or not found.open
    assert shares == sorted(shares)
    assert is_kept(game, 1)
    assert perfect.solution_of(game) is not None


def test_what_is_too_large_is_said_beforehand(home: Path) -> None:
    game = make_game("hidden-path", LARGE)
    found = Preparation(game, 1)
    while found.open:
        found.wait(0.2)
    assert not found.ready
    assert "too large to be solved" in found.sentence()
    again = Preparation(game, 1)  # what was found out once is known
    assert not again.open
    assert beforehand(game) == again.sentence() == found.sentence()


def test_a_search_that_is_stopped_leaves_nothing_behind(home: Path) -> None:
    game = make_game("trap-builder", {"length": 9, "traps": 3, "walls": False})
    found = Preparation(game, 1)
    found.stop()
    assert not is_kept(game, 1)
    assert list(home.rglob(storage.name(game))) == []


# --- at the table -------------------------------------------------------------------------


def run(*arguments: str, given: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "trapline", "play", *arguments],
        input=given, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_who_answers_for_perfect_is_named(home: Path) -> None:
    known = Preparation(make_game("hidden-path", LARGE), 1)
    while known.open:
        known.wait(0.2)
    done = run(
        "hidden-path",
        "--set",
        "length=30",
        "--vs",
        "perfect",
        "--first",
        "2",
        given="1 2 3\nhint\n",
    )
    assert "too large to be solved under these options: sharp plays" in done.stdout
    assert "sharp answers for perfect" in done.stdout
    assert done.stdout.count("sharp answers for perfect") == 1
    assert done.stderr == ""
    assert "the coach has nothing to say" in done.stdout


def rest_of(terminal: int) -> bytes:
    """All that is still said, until nobody holds the other end any more."""
    said = b""
    with contextlib.suppress(OSError):
        while part := os.read(terminal, 65536):
            said += part
    return said


def test_ctrl_c_while_perfect_thinks_stops_it_and_keeps_nothing(home: Path) -> None:
    """At a real terminal: the first page is there, the search is under way, and Ctrl-C comes."""
    game = make_game("trap-builder", {"length": 12, "walls": False})
    child, terminal = pty.fork()
    if child == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # shells have background jobs ignore it
        command = [sys.executable, "-m", "trapline", "play", "trap-builder", "--vs", "perfect"]
        command += ["--plain", "--first", "2", "--set", "length=12", "--set", "walls=false"]
        os.execve(sys.executable, command, {**os.environ, "TERM": "dumb"})  # noqa: S606 (ours)
    said = b""
    while b"thinks the game through" not in said:
        said += os.read(terminal, 65536)
    os.kill(child, signal.SIGINT)
    said += rest_of(terminal)
    _, status = os.waitpid(child, 0)
    # Where the interrupt meets code made from a string, as dataclasses are, Python ends by the
    # signal itself, although we caught it; a shell tells both as 130.
    assert os.waitstatus_to_exitcode(status) in (130, -signal.SIGINT)
    assert b"The game is kept" in said
    assert b"Traceback" not in said
    assert not is_kept(game, 1)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_counts_also_where_python_drops_it() -> None:
    """An interrupt that is raised in a finaliser, as happens while modules are loaded, is lost."""
    from trapline.terminal.thinking import Thinking

    class Dropped:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    class Loading:
        def wait(self) -> None:
            Dropped()

    thinking = Thinking(Match(make_game("trap-builder"), 1))
    vars(thinking)["_solution"] = Loading()
    with pytest.raises(KeyboardInterrupt):
        thinking.begin()


def test_sharp_answers_until_it_is_solved(home: Path) -> None:
    """The first answer of an unknown variant is a named level's own, at that level's own chance."""
    from trapline.terminal.thinking import Thinking

    match = Match(make_game("trap-builder", {"length": 12, "walls": False}), 2, seed=3)
    thinking = Thinking(match)
    try:
        choose, told = thinking.chooser("perfect", PLAYERS["perfect"])
        assert choose is PLAYERS["sharp"].choose
        assert "sharp answers for perfect" in told[0]
        assert "being worked out" in told[0]
        assert thinking.advise(match.view(2)).sentence.startswith(
            "This variant is being worked out"
        )
        same, nothing = thinking.chooser("casual", PLAYERS["casual"])
        assert (same, nothing) == (PLAYERS["casual"].choose, [])
    finally:
        thinking.stop()
