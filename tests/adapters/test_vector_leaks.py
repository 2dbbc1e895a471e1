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
from trapline.core import SEATS, Seat
from trapline.games import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable

Look = "Callable[[VectorGame, Seat], Any]"


class Diary:
    """What was done in one lane."""

    def __init__(self, games: VectorGame, lane: int) -> None:
        self.games, self.lane = games, lane
        self.chosen: dict[Seat, tuple[int, ...]] = {1: (), 2: ()}
        self.turns: list[tuple[Any, ...]] = []
        self.pending: tuple[Any, ...] = ()

    def write(self, seat: Seat, action: int) -> None:
        """Note an action that the lane has just taken."""
        asks, value = self.games.encoding.choices[action]
        if asks == "secret":
            self.chosen[seat] += (value,)  # type: ignore[operator]
            return
        turn = (*self.pending, value) if value != "n" else self.pending
        complete = asks == "trap" or self.games.to_act[self.lane] != seat
        self.turns += [turn] if complete else []
        self.pending = () if complete else turn

    def known(self, viewer: Seat) -> Any:
        encoding = self.games.encoding
        secrets: dict[Seat, Any] = {}
        if encoding.game.secret is not None:
            secrets = {seat: encoding.secret(seat, self.chosen[seat]) for seat in SEATS}
            if None in secrets.values():
                ready = tuple(secret is not None for secret in secrets.values())
                return "hiding", self.games.first[self.lane], self.chosen[viewer], ready
        first = int(self.games.first[self.lane])
        return seen(encoding.game, first, secrets, self.turns, self.pending, viewer)  # type: ignore[arg-type]


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
        lanes = games._lanes
        hidden = lanes["marks"][:, :, 2 - seat] & 1, lanes["goal"][:, [2 - seat]]
        return np.hstack([shown(games, seat), *hidden]).astype(np.float32)

    games = VectorGame(name, 250, seed=5, auto_reset=False, **SMALL[name][0])  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="can tell"):
        compare_all(games, leaking)
