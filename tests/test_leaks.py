"""No list, refusal, byte or line tells a player what the rules hide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests import leaks, worlds
from trapline import core
from trapline.games import GAMES, make_game
from trapline.games.hidden_path import HiddenPath
from trapline.games.secret_paths import SecretPaths
from trapline.games.trap_runner import TrapRunner
from trapline.referee import Match
from trapline.testing import LeakFound, assert_no_leak
from trapline.worlds.matches import shown_to

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.boards import Track
    from trapline.core import Form, Game, Question, Seat

SMALL = [(name, options) for name, variants in worlds.SMALL.items() for options in variants]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), SMALL)
def test_every_moment_of_every_small_match(name: str, options: dict[str, object]) -> None:
    game = make_game(name, options)
    report = assert_no_leak(game, leaks.knows, budget=10_000)
    assert report.complete
    assert report.positions > 100
    if game.hides:
        assert report.pairs > 100  # moments that a viewer could not tell apart were compared


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in GAMES if name != "numeric-maze"])
def test_full_games_in_worlds_that_differ_only_in_what_is_hidden(name: str) -> None:
    """Change what the rules hide from a viewer, and see that nothing the viewer gets changes."""
    assert assert_no_leak(make_game(name), leaks.knows, budget=400).pairs > 50


# --- the search can fail ----------------------------------------------------------------


class ShowsAllTraps(HiddenPath):
    def board(self, state: Any, seat: Seat | None, over: bool) -> Track:
        return super().board(state, seat, True)


class OffersOnlySafeSteps(HiddenPath):
    def question(self, state: Any, seat: Seat) -> Question | None:
        question = super().question(state, seat)
        if question is None or question.asks == core.SECRET:
            return question
        theirs, here = state.traps[2 - seat], state.positions[seat - 1]
        safe = tuple(step for step in question.answers if not theirs >> here + step.value & 1)
        return msgspec.structs.replace(question, answers=safe or question.answers)


class WarnsInRefusals(HiddenPath):
    def why_not(self, state: Any, seat: Seat, record: Form) -> str:
        return f"{super().why_not(state, seat, record)} ({state.traps[2 - seat]})"


class TellsTheGoalRow(SecretPaths):
    def why_not(self, state: Any, seat: Seat, record: Form) -> str:
        return f"Not that one; think of cell {state.goals[2 - seat]}."


class ShowsFreshTraps(TrapRunner):
    def board(self, state: Any, seat: Seat | None, over: bool) -> Track:
        return super().board(state, seat, over or state.turn > 2)


class ShowsOpenTurns(TrapRunner):
    def board(self, state: Any, seat: Seat | None, over: bool) -> Track:
        return super().board(state, state.mover if state.step else seat, over)


LEAKING: list[tuple[Callable[[Any], Game[Any]], dict[str, object]]] = [
    (ShowsAllTraps, {"length": 3, "traps": 1, "max_step": 2}),
    (OffersOnlySafeSteps, {"length": 3, "traps": 1, "max_step": 2}),
    (WarnsInRefusals, {"length": 3, "traps": 1, "max_step": 2}),
    (TellsTheGoalRow, {"size": 3, "turn_limit": 3}),
    (ShowsFreshTraps, {"length": 4, "max_step": 2}),
    (ShowsOpenTurns, {"length": 4, "max_step": 2}),
]


@pytest.mark.parametrize(("leaking", "options"), LEAKING)
def test_a_leaking_game_is_caught(leaking: type[Game[Any]], options: dict[str, object]) -> None:
    game = leaking(make_game(leaking.name, options).options)
    with pytest.raises(LeakFound):
        assert_no_leak(game, leaks.knows)


def test_a_referee_that_tells_everybody_of_trap_attempts_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(core.TrapTried, "private", False)
    with pytest.raises(LeakFound):
        assert_no_leak(make_game("trap-runner", {"length": 4, "max_step": 2}), leaks.knows)


FREE_SQUARE: list[tuple[Seat, tuple[Form, ...]]] = [(1, (3,)), (2, (2,)), (1, (2,))]


@pytest.mark.parametrize("decisions", [("t", "n"), ("n", "t")])
def test_to_the_opponent_a_trap_set_or_declined_is_the_same(decisions: tuple[str, str]) -> None:
    received = []
    for decision in decisions:
        match = _after(FREE_SQUARE)
        middle = shown_to(match, 2)
        match.play(1, decision)
        received.append((middle, shown_to(match, 2), shown_to(match, None)))
    assert received[0] == received[1]


def test_to_the_opponent_an_attempt_that_fails_is_the_same_as_none() -> None:
    """Player 2 leaves square 3, where Player 1 has a hidden trap."""
    received = []
    for decision in ("t", "n"):
        match = _after([(1, (3,)), (2, (3,)), (1, (2, "t")), (2, (2, decision))])
        events = match.view(2).events
        assert (core.TrapTried(2, 3, succeeded=False) in events) == (decision == "t")
        received.append((shown_to(match, 1), shown_to(match, None)))
    assert received[0] == received[1]


def _after(turns: list[tuple[Seat, tuple[Form, ...]]]) -> Match:
    match = Match(make_game("trap-runner"), 1)
    for seat, turn in turns:
        match.play(seat, *turn)
    return match


def test_a_failed_attempt_is_told_to_the_one_who_tried_and_to_nobody_else() -> None:
    turns: list[tuple[Seat, tuple[Form, ...]]] = [(1, (3,)), (2, (3,)), (1, (2, "t"))]
    match = _after(turns)
    before = shown_to(match, 1)
    match.play(2, 2, "t")
    assert core.TrapTried(2, 3, succeeded=False) in match.view(2).events
    heard = match.view(1).events[len(before["View"].events) :]
    assert heard == (core.Moved(2, 3, 5),)
    assert match.view(None).events[-1] == core.Moved(2, 3, 5)
