"""What the arrays show a seat follows from what that seat may know.

Random lanes of small games are sorted by what a seat may know of them, which `tests.leaks`
works out by the naive referee. Lanes with the same knowledge must have equal rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.leaks import seen
from tests.worlds import SMALL
from trapline.adapters.vector import VectorGame
from trapline.core import SEATS, SECRET, Seat
from trapline.games import GAMES
from trapline.games.trap_runner.leaving import NO_TRAP

if TYPE_CHECKING:
    from collections.abc import Callable

Look = "Callable[[VectorGame, Seat], Any]"


class Diary:
    """What was done in one lane."""

    def __init__(self, games: VectorGame, lane: int) -> None:
        self.games, self.lane = games, lane
        self.secrets: dict[Seat, Any] = {}
        self.chosen = 0
        self.turns: list[tuple[Any, ...]] = []
        self.pending: tuple[Any, ...] = ()
        self.before = games.state(lane)

    def write(self, seat: Seat, action: int) -> None:
        """Note an action that the lane has just taken."""
        encoding = self.games.encoding
        question = encoding.game.question(self.before, seat)
        assert question is not None
        self.chosen, complete = encoding.take(question, self.chosen, action)
        if not complete:
            return
        form, self.chosen, before = question.record(self.chosen), 0, self.before
        self.before = self.games.state(self.lane)
        if question.asks == SECRET:
            self.secrets[seat] = form
            return
        turn = (*self.pending, form) if form != NO_TRAP else self.pending
        whole = self.before.turn > before.turn
        self.turns += [turn] if whole else []
        self.pending = () if whole else turn

    def known(self, viewer: Seat) -> Any:
        first: Any = int(self.games.first[self.lane])
        known = seen(
            self.games.encoding.game, first, self.secrets, self.turns, self.pending, viewer
        )
        return known, self.chosen if self.games.to_act[self.lane] == viewer else 0


def compare_all(games: VectorGame, look: Callable[[VectorGame, Seat], Any]) -> int:
    """Play every lane to its end; returns how many rows had a twin, and were equal to it."""
    diaries = [Diary(games, lane) for lane in range(games.batch)]
    rows: dict[Any, bytes] = {}
    twins = 0
    while (games.to_act > 0).any():
        for seat in SEATS:
            shown = look(games, seat)
            for lane in np.flatnonzero(games.to_act):
                known = seat, diaries[lane].known(seat)
                row = shown[lane].tobytes()
                twins += known in rows
                assert rows.setdefault(known, row) == row, f"seat {seat} can tell {known} apart"
        movers = games.to_act.copy()
        actions = games.random_actions()
        games.step(actions)
        for lane in np.flatnonzero(movers):
            diaries[lane].write(int(movers[lane]), int(actions[lane]))  # type: ignore[arg-type]
    return twins


def shown(games: VectorGame, seat: Seat) -> Any:
    """All that reaches a seat: its observation, whose turn it is, and its mask if it is its own."""
    mine = games.to_act == seat
    own_mask = games.mask * mine[:, None]
    return np.hstack([games.observe(seat), games.to_act[:, None], own_mask]).astype(np.float32)


CASES = [(name, options) for name in GAMES for options in SMALL[name]]


@pytest.mark.parametrize(("name", "options"), CASES)
def test_lanes_a_seat_cannot_tell_apart_look_the_same(name: str, options: Any) -> None:
    games = VectorGame(name, 250, seed=5, auto_reset=False, **options)
    assert compare_all(games, shown) > 500


@pytest.mark.parametrize("name", ["hidden-path", "trap-builder", "trap-runner", "secret-paths"])
def test_a_leak_would_be_found(name: str) -> None:
    """The comparison fails when a row holds anything of what the other seat hides."""

    def leaking(games: VectorGame, seat: Seat) -> Any:
        states = [games.state(lane) for lane in range(games.batch)]
        name = "goals" if hasattr(states[0], "goals") else "traps"
        hidden = [[getattr(state, name)[2 - seat]] for state in states]
        return np.hstack([shown(games, seat), hidden]).astype(np.float32)

    games = VectorGame(name, 250, seed=5, auto_reset=False, **SMALL[name][0])  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="can tell"):
        compare_all(games, leaking)
