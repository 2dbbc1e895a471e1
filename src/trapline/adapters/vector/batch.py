"""Thousands of matches of one game, stepped at once.

The lanes of a `VectorGame` are independent matches under the same options. Actions, masks and
observations are those of `trapline.adapters.encoding`, and who acts when is as in
`trapline.adapters.table`: so what learns here can play there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from trapline.adapters.encoding import Encoding
from trapline.adapters.vector import kernels, layout, observing
from trapline.core import IllegalMove, InvalidMove, Reason, Seat, TraplineError, brief
from trapline.games import make_game

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from trapline.core import First

REASONS: tuple[Reason | None, ...] = (
    None,
    Reason.GOAL,
    Reason.TRAP,
    Reason.TURN_LIMIT,
    Reason.WALLED_OFF,
)
"""What the numbers in `VectorGame.reason` stand for; None while a match goes on."""


class Tally(NamedTuple):
    """What random play came to."""

    turns: int
    draws: int
    wins_1: int
    wins_2: int


class VectorGame:
    """`batch` matches of a game. With `auto_reset` a match that ends makes room for the next."""

    def __init__(
        self,
        game: str,
        batch: int,
        *,
        seed: int = 0,
        first: First | None = None,
        auto_reset: bool = True,
        **options: object,
    ) -> None:
        if type(batch) is not int or batch < 1:
            raise TraplineError(f"batch must be a whole number of at least 1, not {brief(batch)}.")
        if first not in (1, 2, "toss", None):
            raise TraplineError(f'first must be 1, 2 or "toss", not {brief(first)}.')
        self.encoding = Encoding(make_game(game, options))
        self.batch = batch
        self.auto_reset = auto_reset
        self.actions = self.encoding.actions
        self.features = self.encoding.size
        self._rules = layout.make_rules(self.encoding, first or self.encoding.game.default_first)
        self._parts = observing.parts_of(self.encoding)
        self._lanes = np.zeros(batch, layout.LANE)
        self._mask = np.zeros((batch, self.actions), np.bool_)
        self.mask = _read_only(self._mask)
        """Which actions are legal for the seat to act; none when a match is over."""
        self.to_act = _read_only(self._lanes["to_act"])
        """1 or 2, or 0 when a match is over."""
        self.first = _read_only(self._lanes["first"])
        self.turn = _read_only(self._lanes["turn"])
        self.positions = _read_only(self._lanes["at"])
        """Where both players stand, or the Seeker's row and column."""
        self.winner = _read_only(self._lanes["winner"])
        """1 or 2; 0 for a draw and while a match goes on."""
        self.reason = _read_only(self._lanes["reason"])
        """Why a match is over, as an index of `REASONS`."""
        self.reset(seed)

    def reset(self, seed: int | None = None, where: NDArray[np.bool_] | None = None) -> None:
        """Begin anew, in every lane or `where` it is True. A seed also renews the chances."""
        if seed is not None:
            self._lanes["chance"] = np.random.SeedSequence(seed).generate_state(
                self.batch, np.uint64
            )
        which = np.ones(self.batch, np.bool_) if where is None else np.asarray(where)
        if which.shape != (self.batch,) or which.dtype != np.bool_:
            raise TraplineError(f"where must hold {self.batch} truth values, one for each lane.")
        kernels.begin_all(self._rules, self._lanes, which, self._mask)

    def step(
        self, actions: ArrayLike, *, validate: bool = True
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """One action in every lane; returns each seat's reward, and which matches are over.

        With `auto_reset` a lane that is done shows the beginning of its next match already;
        otherwise it stays as it ended, and whatever action it is given is ignored. An illegal
        action changes nothing anywhere. `validate=False` is for actions that are known to be
        legal: others may then do anything.
        """
        given = np.asarray(actions)
        if given.shape != (self.batch,) or given.dtype.kind not in "iu":
            raise InvalidMove(
                f"step takes {self.batch} whole numbers, one action for each lane, "
                f"not an array of {given.dtype} with shape {given.shape}."
            )
        given = given.astype(np.int64, copy=False)
        if validate:
            self._must_be_legal(given)
        rewards = np.zeros((self.batch, 2), np.float32)
        done = self._lanes["asks"] == kernels.OVER
        kernels.step_all(
            self._rules, self._lanes, given, self.auto_reset, self._mask, rewards, done
        )
        return rewards, done

    def _must_be_legal(self, actions: NDArray[np.int64]) -> None:
        lane = kernels.first_illegal(self._lanes, self._mask, actions)
        if lane >= 0:
            names = self.encoding.names
            legal = ", ".join(f"{a} ({names[a]})" for a in np.flatnonzero(self._mask[lane]))
            raise IllegalMove(
                f"{brief(int(actions[lane]))} is no legal action in lane {lane}; "
                f"these are: {legal}."
            )

    def observe(
        self, seat: Seat | None = None, out: NDArray[np.float32] | None = None
    ) -> NDArray[np.float32]:
        """What a seat sees of every lane; None is the seat to act (Player 1 after the end)."""
        if seat not in (1, 2, None):
            raise TraplineError(f"seat must be 1, 2 or None, not {brief(seat)}.")
        shape = (self.batch, self.features)
        if out is None:
            out = np.empty(shape, np.float32)
        elif out.shape != shape or out.dtype != np.float32:
            raise TraplineError(f"out must be an array of float32 with shape {shape}.")
        observing.observe_all(self._rules, self._lanes, seat or 0, self._parts, out)
        return out

    def random_actions(self) -> NDArray[np.int64]:
        """For each lane one of its legal actions, each equally likely; 0 after the end."""
        actions = np.zeros(self.batch, np.int64)
        kernels.choose_all(self._rules, self._lanes, actions)
        return actions

    def play_random(self, turns: int) -> Tally:
        """Play `turns` complete turns in every lane at random, one match after the other."""
        if type(turns) is not int or turns < 0:
            raise TraplineError(f"turns must be a whole number from 0, not {brief(turns)}.")
        results = np.zeros(3, np.int64)
        kernels.play_all(self._rules, self._lanes, turns, self._mask, results)
        draws, wins_1, wins_2 = (int(count) for count in results)
        return Tally(turns * self.batch, draws, wins_1, wins_2)


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view
