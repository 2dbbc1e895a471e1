"""Solutions that come with the games: they hold, they are small, and nobody waits for them."""

from __future__ import annotations

import os
import pickle
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from bench.solutions import LARGEST, hard_games, shipped_games

from trapline.games import RULEBOOKS, changed_options, make_game, options_text
from trapline.games.hidden_path.solving.race.journeys import TooManyJourneys
from trapline.players import perfect
from trapline.solve import load, methods, solve, solved, storage
from trapline.solve.sentences import is_open

if TYPE_CHECKING:
    from pathlib import Path

    from trapline.core import Game

SHIPPED, HARD = list(shipped_games()), list(hard_games())


def _named(game: Game[Any]) -> str:
    return f"{game.name} {options_text(game)}".strip()


NAMES = [_named(game) for game in SHIPPED]

FIRST_HINTS = """
import sys
from trapline.coach import hint
from trapline.games import make_game
from trapline.players import PLAYERS
from trapline.referee import Match
from random import Random
for name, options in {games!r}:
    match = Match(make_game(name, options), 1)
    seat = match.asked[0]
    hint(match.view(seat))
    match.play(seat, PLAYERS["perfect"].choose(match.view(seat), Random(1)))
print([name for name in ("numba", "scipy") if name in sys.modules])
"""


@pytest.mark.parametrize("game", SHIPPED, ids=NAMES)
def test_every_rulebook_and_preset_ships_a_solution_that_holds(game: Game[Any]) -> None:
    found = storage.read(storage.shipped(game), game, 1, methods)
    assert found is not None
    assert (found.facts.game, found.facts.options) == (game.name, changed_options(game))


@pytest.mark.slow
@pytest.mark.parametrize("game", HARD, ids=_named)
def test_what_was_long_searched_for_holds(game: Game[Any]) -> None:
    """If its bounds are open, a search goes on from there, and is content after that."""
    kept = load(game)
    assert kept is not None
    assert kept.final
    found = solved(game, time_limit=0.5)
    assert (found.facts == kept.facts) is not is_open(kept.bounds)
    assert kept.bounds[0] <= found.bounds[0] < found.bounds[1] <= kept.bounds[1]
    assert solved(game, time_limit=0.5).facts == found.facts


@pytest.mark.parametrize("kind", RULEBOOKS, ids=lambda kind: kind.name)
def test_a_preset_says_what_is_proven_of_it(kind: type[Game[Any]]) -> None:
    names = [preset.name for preset in kind.presets]
    assert names[0] == "rulebook"
    assert 4 <= len(names) == len(set(names)) <= 5
    for preset in kind.presets:
        game = make_game(kind, preset.options)
        assert preset.options == changed_options(game)
        found = load(game)
        assert found is not None
        assert preset.value == pytest.approx(found.value, abs=1e-6)
        assert preset.bounds == pytest.approx(found.bounds, abs=2e-6)
        assert preset.verdict.endswith(".")
        if preset.name == "fair":
            assert max(map(abs, found.bounds)) <= 0.05
        for told in re.findall(r"([\d.]+)% for the first", preset.verdict):
            assert float(told) == pytest.approx(50 * (1 + found.value), abs=0.06)


def test_all_of_them_together_are_small() -> None:
    files = {storage.shipped(game) for game in (*SHIPPED, *HARD)}
    assert sum(file.stat().st_size for file in files) <= LARGEST
    folders = {file.parent for file in files}
    assert {file for folder in folders for file in folder.iterdir()} == files


@pytest.mark.slow
@pytest.mark.parametrize("game", SHIPPED, ids=NAMES)
def test_what_is_shipped_is_what_solving_finds(game: Game[Any]) -> None:
    kept = load(game)
    assert kept is not None
    found = solve(game, target=0.005, time_limit=600)
    if kept.forced:
        assert (kept.value, kept.bounds) == (found.value, found.bounds)
        assert kept.facts.turns == found.facts.turns
    else:
        doubt = max(1e-6, kept.exploitability + found.exploitability)
        assert kept.value == pytest.approx(found.value, abs=doubt)


def test_no_compiler_runs_before_a_first_hint_and_a_first_perfect_answer(tmp_path: Path) -> None:
    """Compiling takes seconds on a fresh install; loading what is shipped needs NumPy alone."""
    games = [(game.name, changed_options(game)) for game in SHIPPED]
    done = subprocess.run(
        [sys.executable, "-c", FIRST_HINTS.format(games=games)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "TRAPLINE_HOME": str(tmp_path)},
    )
    assert done.stdout.strip() == "[]"
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("damage", ["gone", "cut", "empty", "noise"])
def test_a_broken_shipped_file_only_costs_time(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = make_game("numeric-maze")
    data = storage.shipped(game).read_bytes()
    broken = tmp_path / "broken.solution"
    if damage != "gone":
        noise = b"\n" + bytes(range(256))
        broken.write_bytes({"cut": data[:-20], "empty": b"", "noise": noise}[damage])
    monkeypatch.setattr(storage, "shipped", lambda *_: broken)
    assert load(game) is None
    assert solved(game).value == 1.0


def test_a_game_from_outside_may_ship_solutions_too(tmp_path: Path) -> None:
    source = (examples_folder() / "nim.py").read_text()
    (tmp_path / "heaps.py").write_text(source.replace('name = "nim"', 'name = "heaps"'))
    game = make_game(str(tmp_path / "heaps.py"))
    assert load(game) is None
    storage.save(solve(game), storage.shipped(game))
    assert storage.shipped(game).parent == tmp_path / "solutions"
    found = load(game)
    assert found is not None
    assert found.value == solve(game).value


def examples_folder() -> Path:
    from tests.outside import examples

    return examples.FILES[0].parent


# --- what cannot be solved, and what is stopped -------------------------------------------


def test_too_many_journeys_can_be_told_to_another_process() -> None:
    error = pickle.loads(pickle.dumps(TooManyJourneys()))  # noqa: S301 - our own
    assert isinstance(error, TooManyJourneys)
    assert "too many journeys" in str(error)


def test_an_interrupt_never_leaves_a_weaker_player(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search ends on Ctrl-C with what it has; the player stops instead."""

    def cut_short(*_: object, **__: object) -> str:
        try:
            signal.raise_signal(signal.SIGINT)  # at once: the whole process might be told later
        except KeyboardInterrupt:
            return "a rough solution"
        return "never interrupted"

    monkeypatch.setattr("trapline.solve.solved", cut_short)
    usual = signal.default_int_handler
    before = signal.signal(signal.SIGINT, usual)  # a process in the background may ignore it
    try:
        with pytest.raises(KeyboardInterrupt):
            perfect.prepare(make_game("hidden-path", {"length": 7}))
        assert signal.getsignal(signal.SIGINT) is usual
    finally:
        signal.signal(signal.SIGINT, before)
