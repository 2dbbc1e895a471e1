"""The perfect opponent sees only its View, and never gets less than the value."""

from __future__ import annotations

import subprocess
import sys
from random import Random
from typing import Any

import pytest
from tests.solve import plain

from trapline.core import Seat, other
from trapline.games import make_game
from trapline.players import PLAYERS, perfect
from trapline.referee import Match
from trapline.solve import solved

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("trap-builder", {}),
    ("trap-builder", {"length": 8, "walls": False}),
    ("trap-runner", {}),
    ("secret-paths", {"turn_limit": 30}),
    ("numeric-maze", {}),
    ("hidden-path", {"length": 4, "traps": 1}),
    ("hidden-path", {"length": 4, "traps": 2}),
]


@pytest.fixture(autouse=True, scope="module")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRAPLINE_HOME", str(tmp_path_factory.mktemp("home")))
        yield


def play(match: Match, seat: Seat, rival: str, seed: int) -> float:
    rng, rival_rng = Random(seed), Random(seed + 1)
    while match.outcome is None:
        asked: Seat = seat if match.view(seat).asks else other(seat)
        view = match.view(asked)
        if asked == seat:
            match.play(asked, perfect.choose(view, rng))
        else:
            match.play(asked, PLAYERS[rival].choose(view, rival_rng))
    return match.outcome.result(seat)


@pytest.mark.slow
@pytest.mark.parametrize("rival", ["random", "casual", "perfect"])
@pytest.mark.parametrize(("name", "options"), GAMES)
def test_never_worse_than_the_value(name: str, options: dict[str, Any], rival: str) -> None:
    """From both seats, whoever moves first; four standard errors allowed where luck plays in."""
    game = make_game(name, options)
    value = solved(game).value
    count = 60
    for seat, first in ((1, 1), (2, 1), (1, 2), (2, 2)):
        results = [
            play(Match(game, first), seat, rival, seed)  # type: ignore[arg-type]
            for seed in range(count)
        ]
        wanted = value if seat == first else -value
        mean = sum(results) / count
        spread = (sum((r - mean) ** 2 for r in results) / count / count) ** 0.5
        assert mean >= wanted - 4 * spread - 1e-3


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize(("name", "options"), [g for g in GAMES if plain.secrets(make_game(*g), 1)])
def test_worlds_that_differ_only_in_the_hidden_secret_get_the_same_choice(
    name: str, options: dict[str, Any], first: Seat
) -> None:
    game = make_game(name, options)
    rng = Random(7)
    compared = 0
    for seed in range(60):
        seat: Seat = 1 if seed % 2 else 2
        mine = perfect.choose(Match(game, first).view(seat), rng)
        worlds = []
        for _ in range(2):
            match = Match(game, first)
            match.play(seat, mine)
            match.play(other(seat), rng.choice(plain.secrets(game, other(seat), first)))
            worlds.append(match)
        compared += _compare(worlds, seat, rng, seed)
    assert compared >= 20


def _compare(worlds: list[Match], seat: Seat, rng: Random, seed: int) -> int:
    """Play the same moves in both worlds for as long as they look the same."""
    compared = 0
    while all(match.outcome is None for match in worlds):
        views = [match.view(seat) for match in worlds]
        if views[0] != views[1]:
            break
        if views[0].asks:
            choices = [perfect.choose(view, Random(seed)) for view in views]
            assert choices[0] == choices[1]
            compared += 1
            move: Any = choices[0]
        else:
            move = rng.choice(worlds[0].view(other(seat)).legal)
        mover = worlds[0].to_move
        assert mover is not None
        for match in worlds:
            match.play(mover, move)
    return compared


def test_other_opponents_do_not_load_numpy() -> None:
    code = (
        "import sys, trapline.players, trapline.terminal.sitting, trapline.cli.commands;"
        "sys.exit('numpy' in sys.modules or 'numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_beliefs_and_values_are_what_the_mover_may_know() -> None:
    game = make_game("trap-builder", {"length": 8, "walls": False})
    policy = solved(game).policy
    match = Match(game, 1)
    match.play(1, (2, 4, 6))
    match.play(2, (3, 5, 7))
    before = policy.look(match.view(1))
    assert sum(before.beliefs.values()) == pytest.approx(1)
    assert set(before.values) == set(match.view(1).legal)
    assert all(-1 - 1e-9 <= value <= 1 + 1e-9 for value in before.values.values())
    match.play(1, 2)
    match.play(2, 1)
    after = policy.look(match.view(1))
    assert sum(after.beliefs.values()) == pytest.approx(1)
    assert not any(2 in secret for secret in after.beliefs)  # type: ignore[operator]
