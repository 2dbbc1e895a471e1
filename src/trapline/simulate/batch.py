"""Thousands of matches of one game, stepped at once.

The lanes of a `VectorGame` are independent matches under the same options. Actions, masks and
observations are those of `trapline.simulate.encoding`, and who acts when is as in
`trapline.adapters.numbered`: so what learns here can play there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from trapline.core import Game, IllegalMove, InvalidMove, Seat, TraplineError, brief
from trapline.games import make_game
from trapline.simulate.encoding import Encoding
from trapline.simulate.forms import Form
from trapline.simulate.lanes import CompiledLanes
from trapline.simulate.lowering import NotCompilable
from trapline.simulate.plain import PlainLanes

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from trapline.core import First
    from trapline.simulate.forms import Dtype


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
        game: str | Game[Any],
        batch: int,
        *,
        seed: int = 0,
        first: First | None = None,
        auto_reset: bool = True,
        dtype: Dtype = "float32",
        threads: int = 1,
        compiled: bool = True,
        **options: object,
    ) -> None:
        """`dtype` is the form of what is observed; see `trapline.simulate.forms`.

        `threads` share the lanes between them, and change nothing else. `compiled=False` steps
        the lanes in plain Python, for whoever wants to look inside.
        """
        if type(batch) is not int or batch < 1:
            raise TraplineError(f"batch must be a whole number of at least 1, not {brief(batch)}.")
        if type(threads) is not int or threads < 1:
            raise TraplineError(
                f"threads must be a whole number of at least 1, not {brief(threads)}."
            )
        if first not in (1, 2, "toss", None):
            raise TraplineError(f'first must be 1, 2 or "toss", not {brief(first)}.')
        self.encoding = Encoding(make_game(game, options) if isinstance(game, str) else game)
        self.batch = batch
        self.auto_reset = auto_reset
        self.actions = self.encoding.actions
        self.features = self.encoding.size
        self.form = Form(self.encoding, dtype)
        self._all = np.ones(batch, np.bool_)
        self._threads = threads
        self.why_plain = "" if compiled else "Plain Python was asked for."
        """Why the lanes are not compiled, in a sentence; empty if they are."""
        self._lanes = self._make_lanes(first or self.encoding.game.default_first)
        self.compiled = not self.why_plain
        self.mask = _read_only(self._lanes.mask)
        """Which actions are legal for the seat to act; none when a match is over."""
        self.to_act = _read_only(self._lanes.to_act)
        """1 or 2, or 0 when a match is over."""
        self.first = _read_only(self._lanes.first)
        self.turn = _read_only(self._lanes.turn)
        self.winner = _read_only(self._lanes.winner)
        """1 or 2; 0 for a draw and while a match goes on."""
        self.reason = _read_only(self._lanes.reason)
        """Why a match is over, as an index of `reasons`."""
        self.reset(seed)

    def _make_lanes(self, first: First) -> CompiledLanes | PlainLanes:
        if not self.why_plain:
            try:
                return CompiledLanes(self.encoding, first, self.batch, self.form, self._threads)
            except NotCompilable as why:
                title = self.encoding.game.title
                self.why_plain = f"{title} is stepped in plain Python: {why}."
        return PlainLanes(self.encoding, first, self.batch, self.form)

    @property
    def reasons(self) -> tuple[str | None, ...]:
        """What the numbers in `reason` stand for; None while a match goes on."""
        return tuple(self._lanes.reasons)

    @property
    def positions(self) -> NDArray[np.int64]:
        """Where both players stand, or what else the game calls positions."""
        return _read_only(self._lanes.positions())

    def state(self, lane: int) -> Any:
        """The state of one lane, as the referee would hold it. It tells everything."""
        return self._lanes.state(lane)

    def reset(self, seed: int | None = None, where: NDArray[np.bool_] | None = None) -> None:
        """Begin anew, in every lane or `where` it is True. A seed also renews the chances."""
        if seed is not None:
            seeds = np.random.SeedSequence(seed).generate_state(self.batch, np.uint64)
            self._lanes.reseed(seeds)
        self._lanes.begin(self._where(where))

    def _where(self, where: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
        if where is None:
            return self._all
        which = np.asarray(where)
        if which.shape != (self.batch,) or which.dtype != np.bool_:
            raise TraplineError(f"where must hold {self.batch} truth values, one for each lane.")
        return which

    def step(
        self,
        actions: ArrayLike,
        *,
        where: NDArray[np.bool_] | None = None,
        out: NDArray[Any] | None = None,
        validate: bool = True,
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """One action in every lane, or `where` it is True; each seat's reward, and what is over.

        With `auto_reset` a lane that is done shows the beginning of its next match already;
        otherwise it stays as it ended, and whatever action it is given is ignored. Lanes that are
        not stepped stay as they are. Into `out` goes what `observe` would give afterwards, in the
        same pass. An illegal action changes nothing anywhere. `validate=False` is for actions that
        are known to be legal: others may then do anything.
        """
        given = np.asarray(actions)
        if given.shape != (self.batch,) or given.dtype.kind not in "iu":
            raise InvalidMove(
                f"step takes {self.batch} whole numbers, one action for each lane, "
                f"not an array of {given.dtype} with shape {given.shape}."
            )
        given = given.astype(np.int64, copy=False)
        which = self._where(where)
        if out is not None:
            self._must_fit(out)
        if validate:
            self._must_be_legal(given, which)
        rewards = np.empty((self.batch, 2), np.float32)
        done = np.empty(self.batch, np.bool_)
        self._lanes.step(given, which, self.auto_reset, rewards, done, out)
        return rewards, done

    def _must_be_legal(self, actions: NDArray[np.int64], where: NDArray[np.bool_]) -> None:
        lane = self._lanes.first_illegal(actions, where)
        if lane >= 0:
            raise IllegalMove(self.why_illegal(lane, int(actions[lane])))

    def why_illegal(self, lane: int, action: int) -> str:
        """A sentence about an action that is not legal in a lane."""
        names = self.encoding.names
        legal = ", ".join(f"{a} ({names[a]})" for a in np.flatnonzero(self.mask[lane]))
        return f"{brief(action)} is no legal action in lane {lane}; these are: {legal}."

    def observe(self, seat: Seat | None = None, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """What a seat sees of every lane; None is the seat to act (Player 1 after the end)."""
        if seat not in (1, 2, None):
            raise TraplineError(f"seat must be 1, 2 or None, not {brief(seat)}.")
        if out is None:
            out = self.form.empty(self.batch)
        else:
            self._must_fit(out)
        self._lanes.observe(seat, out)
        return out

    def _must_fit(self, out: NDArray[Any]) -> None:
        shape = (self.batch, self.form.width)
        fits = out.shape == shape and out.dtype == self.form.dtype
        if not fits or not out.flags.c_contiguous or not out.flags.writeable:
            raise TraplineError(
                f"out must be an array of {self.form.dtype} with shape {shape}, in one piece."
            )

    def unpacked(self, observations: NDArray[np.uint64]) -> NDArray[np.uint8]:
        """Observations as bits, a byte for each feature again."""
        return self.form.unpacked(observations)

    def random_actions(self, where: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """For each lane one of its legal actions, each equally likely; 0 after the end.

        Where `where` is False it is 0 as well, and nothing is drawn.
        """
        actions = np.empty(self.batch, np.int64)
        self._lanes.choose(self._where(where), actions)
        return actions

    def play_random(self, turns: int) -> Tally:
        """Play `turns` complete turns in every lane at random, one match after the other."""
        if type(turns) is not int or turns < 0:
            raise TraplineError(f"turns must be a whole number from 0, not {brief(turns)}.")
        results = np.zeros(3, np.int64)
        self._lanes.play(turns, results)
        draws, wins_1, wins_2 = (int(count) for count in results)
        return Tally(turns * self.batch, draws, wins_1, wins_2)


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view
