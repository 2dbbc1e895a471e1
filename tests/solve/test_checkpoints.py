"""A search that is killed goes on where it was, and what is damaged or full costs only time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from trapline.games import make_game
from trapline.games.hidden_path.solving.duel import training
from trapline.games.hidden_path.solving.duel.method import DuelMethod
from trapline.games.hidden_path.solving.race.training import bound_hidden_path
from trapline.solve import cfr, checkpoints, equilibrium, sequences, solved, storage
from trapline.solve.best_response import uniform
from trapline.solve.checkpoints import ENDING, NOWHERE, Checkpoint, Checkpoints
from trapline.solve.interface import Certificate, Request
from trapline.solve.public import public_tree
from trapline.solve.whole_tree import WholeTree

SEARCH = """
import sys
from trapline.games import make_game
from trapline.solve import checkpoints, solved
checkpoints.SELDOM = 0.0
checkpoints.SHARE = 1e9
solved(make_game("trap-builder", {"length": 7, "walls": False}), target=1e-300)
"""


def path(**options: Any) -> Any:
    return make_game("hidden-path", {"length": 5, "traps": 2, **options})


class Stopped(Exception):
    """Somebody pulls the plug."""


def stop_after(iterations: int) -> Any:
    def progress(done: int, _proven: Certificate) -> None:
        if done >= iterations:
            raise Stopped

    return progress


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file after every iteration."""
    monkeypatch.setattr(checkpoints, "SELDOM", 0.0)
    monkeypatch.setattr(checkpoints, "SHARE", 1e9)


# --- a real kill ------------------------------------------------------------------------


def test_a_search_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    home = tmp_path / "home"
    running = subprocess.Popen(
        [sys.executable, "-c", SEARCH], env={**os.environ, "TRAPLINE_HOME": str(home)}
    )
    try:
        while not any(home.rglob(f"*{ENDING}")):
            assert running.poll() is None, "the search ended before it wrote anything"
            time.sleep(0.01)
        os.kill(running.pid, signal.SIGKILL)
    finally:
        running.kill()
        running.wait()
    (file,) = home.rglob(f"*{ENDING}")  # the old one or the new one, and never a part
    game = make_game("trap-builder", {"length": 7, "walls": False})
    _, built = public_tree(game, 1)
    learner, spare = cfr.Learner(built, "pdcfr+"), uniform(built)
    arrays = [*learner.arrays(), *spare.mixes, spare.table]
    kept = Checkpoint(file).take_up(arrays)
    assert kept is not None
    seen: list[int] = []
    found = cfr.solve(
        built,
        target=1e-3,
        progress=lambda iterations, _proven: seen.append(iterations),
        checkpoint=Checkpoint(file),
    )
    assert seen[0] == kept["iteration"] + 1
    assert found.certificate.exploitability <= 1e-3


# --- the same numbers as without a break ------------------------------------------------


def learners(which: str) -> Any:
    if which == "duel":
        method = DuelMethod(path())
        return lambda: training.Learner(method._tree())
    _, built = public_tree(make_game("trap-builder", {"length": 6, "walls": False}), 1)
    return lambda: cfr.Learner(built, "pdcfr+")


@pytest.mark.slow
@pytest.mark.parametrize("which", ["duel", "public tree"])
def test_what_is_taken_up_learns_the_same_to_the_last_digit(which: str, tmp_path: Path) -> None:
    begin = learners(which)
    unbroken, broken, again = begin(), begin(), begin()
    for _ in range(30):
        unbroken.iterate()
    for _ in range(20):
        broken.iterate()
    file = Checkpoint(tmp_path / "a.progress")
    file.keep(broken.arrays(), broken.schedule.numbers)
    kept = file.take_up(again.arrays())
    assert kept is not None
    again.go_on_from(kept)
    for _ in range(10):
        again.iterate()
    pairs = zip(unbroken.arrays(), again.arrays(), strict=True)
    assert all(np.array_equal(one, other) for one, other in pairs)
    assert unbroken.schedule.numbers == again.schedule.numbers


@pytest.mark.usefixtures("always")
def test_regret_on_sequences_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    form = WholeTree(make_game("examples/games/kuhn.py"), 1).form()
    file = Checkpoint(tmp_path / "a.progress")
    with pytest.raises(Stopped):
        sequences.by_regret(form, target=0.0, progress=stop_after(10), checkpoint=file)
    seen: list[int] = []

    def watch(iterations: int, _proven: Certificate) -> None:
        seen.append(iterations)

    found = sequences.by_regret(form, target=1e-4, progress=watch, checkpoint=file)
    assert (
        seen[0] > sequences.FIRST_CHECK
    )  # what was kept is from before the iterations that were ended
    assert sequences.certify(form, found).exploitability <= 1e-4
    request = Request(1e-4, checkpoints=Checkpoints(tmp_path / "b.solution"))
    assert equilibrium.find(form, request)


@pytest.mark.usefixtures("always")
def test_a_duel_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    request = Request(0.0, checkpoints=Checkpoints(tmp_path / "a.solution"))
    with pytest.raises(Stopped):
        DuelMethod(path()).solve(request._replace(progress=stop_after(40)))
    seen: list[tuple[int, Certificate]] = []

    def watch(iterations: int, proven: Certificate) -> None:
        seen.append((iterations, proven))

    found = DuelMethod(path()).solve(request._replace(target=1e-4, progress=watch))
    assert seen[0][0] > 40
    assert found.exploitability <= 1e-4
    lower, upper = found.bounds
    assert lower - 1e-9 <= 0.5 <= upper + 1e-9


@pytest.mark.usefixtures("always")
def test_a_race_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    game = path(length=8, traps=1, goal_traps=False)
    file = Checkpoint(tmp_path / "a.progress")

    def stop(done: int, _lower: float, _upper: float) -> None:
        if done >= 100:
            raise Stopped

    with pytest.raises(Stopped):
        bound_hidden_path(game, progress=stop, checkpoint=file)
    whole = bound_hidden_path(game, iterations=200)
    broken = bound_hidden_path(game, iterations=200, checkpoint=file)
    assert broken.iterations == whole.iterations == 200
    assert (broken.lower, broken.upper) == pytest.approx((whole.lower, whole.upper), abs=1e-9)


# --- what may go wrong with files -------------------------------------------------------


def numbers() -> list[Any]:
    return [np.arange(5.0), np.zeros((0, 3)), np.arange(6.0).reshape(2, 3).T]


def blank() -> list[Any]:
    return [np.zeros_like(array) for array in numbers()]


@pytest.mark.parametrize("place", [0, 70, 200, -1])
def test_a_damaged_file_is_said_and_ignored(
    place: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    checkpoint, found = Checkpoint(tmp_path / "a.progress"), blank()
    checkpoint.keep(numbers(), {"iteration": 3})
    assert checkpoint.take_up(found) == {"iteration": 3}
    assert all(np.array_equal(a, b) for a, b in zip(found, numbers(), strict=True))
    assert checkpoint.file is not None
    data = bytearray(checkpoint.file.read_bytes())
    data[place] ^= 1
    checkpoint.file.write_bytes(data)
    found = blank()
    assert checkpoint.take_up(found) is None
    assert not any(array.any() for array in found)
    assert "cannot be used" in caplog.text


def test_a_file_of_another_search_or_cut_short_is_ignored(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    checkpoint = Checkpoint(tmp_path / "a.progress")
    checkpoint.keep(numbers(), {})
    assert checkpoint.file is not None
    assert checkpoint.take_up(blank()[:2]) is None
    assert "another search" in caplog.text
    checkpoint.file.write_bytes(checkpoint.file.read_bytes()[:-3])
    assert checkpoint.take_up(blank()) is None
    assert "too short" in caplog.text


def test_a_full_disk_is_said_once_and_the_search_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """/dev/full is a disk on which no byte has room."""
    checkpoint = Checkpoint(tmp_path / "a.progress")
    checkpoint.keep(numbers(), {"iteration": 1})

    def on_a_full_disk(_path: Path, write: Any) -> None:
        with Path("/dev/full").open("wb", buffering=0) as file:
            write(file)

    monkeypatch.setattr(checkpoints, "replace_file_by", on_a_full_disk)
    for _ in range(2):
        checkpoint.keep(numbers(), {"iteration": 2})
    assert caplog.text.count("cannot be kept") == 1
    assert checkpoint.take_up(blank()) == {"iteration": 1}  # what was there is still there


def test_without_a_file_nothing_is_kept() -> None:
    NOWHERE.keep(numbers(), {})
    assert NOWHERE.take_up(blank()) is None


@pytest.mark.usefixtures("always")
def test_what_is_solved_leaves_no_search_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRAPLINE_HOME", str(tmp_path))
    game = make_game("trap-builder", {"length": 6, "walls": False})
    left = storage.path(game).with_name(f"{storage.path(game).stem}-tree{ENDING}")
    with pytest.raises(Stopped):
        solved(game, target=1e-12, progress=stop_after(20), fresh=True)
    assert left.exists()
    solved(game, target=1e-3, fresh=True)
    assert not left.exists()
