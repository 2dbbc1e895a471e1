"""Lanes stepped by the compiled rules of a game."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numba.core.errors import NumbaError

from trapline.core import SECRET, drawn, won
from trapline.simulate.compiled import compile_game
from trapline.simulate.lowering import NotCompilable
from trapline.simulate.plain import look
from trapline.simulate.tables import MOST_FLAGS, make_tables, number_questions

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from trapline.core import First, Question, Seat
    from trapline.core import Form as RecordForm
    from trapline.simulate.encoding import Encoding
    from trapline.simulate.forms import Form

    Where = NDArray[np.bool_]

T = TypeVar("T")


class Part(NamedTuple):
    """Lanes side by side, which one thread steps."""

    lanes: slice
    held: tuple[Any, NDArray[np.int64], NDArray[np.uint64], NDArray[np.int64]]
    """What nearly every loop takes first: the rules, the lanes, their seeds and questions."""
    mask: NDArray[np.bool_]
    words: NDArray[np.uint64]
    """Where the bits of rows are put together: those of a block, and of the one before."""


class CompiledLanes:
    def __init__(
        self, encoding: Encoding, first: First, batch: int, form: Form, threads: int
    ) -> None:
        self.encoding = encoding
        self.form = form
        compiled = compile_game(encoding.game)
        self.module, self.reasons = compiled.module, compiled.reasons
        start = encoding.game.start(1)
        if encoding.layout["result"].stop >= MOST_FLAGS:
            raise NotCompilable("there are too many kinds of questions")
        turn = self.module.HEAD + start.__struct_fields__.index("turn")
        self.tables = make_tables(encoding, first, turn)
        self.rows = np.zeros((batch, compiled.width), np.int64)
        """One lane each; its first columns are named in `kernels`."""
        self.seeds = np.zeros(batch, np.uint64)
        self.asks = np.zeros(batch, np.int64)
        """The question of each lane, which its row holds too."""
        self.mask = np.zeros((batch, encoding.actions), np.bool_)
        rules = (*self.tables.packed(), *compiled.game)
        self._whole = self._part(rules, slice(None))
        self._parts = [self._part(rules, lanes) for lanes in _shares(batch, threads)]
        self._pool = ThreadPoolExecutor(threads - 1) if len(self._parts) > 1 else None
        column = self.module
        self.to_act, self.first = self.rows[:, column.TO_ACT], self.rows[:, column.FIRST]
        self.winner, self.reason = self.rows[:, column.WINNER], self.rows[:, column.REASON]
        self._state_type = type(start)
        self._shapes = [getattr(start, name) for name in start.__struct_fields__]
        self.turn = self.rows[:, turn]
        self._questions: list[Question | None] = [None, *number_questions(encoding.game)]
        self._observes = not compiled.why_no_board
        self._try(self._part(rules, slice(0, 0)))

    def _part(self, rules: Any, lanes: slice) -> Part:
        words = np.empty((2 * self.module.BLOCK, self.form.words), np.uint64)
        held = rules, self.rows[lanes], self.seeds[lanes], self.asks[lanes]
        return Part(lanes, held, self.mask[lanes], words)

    def _try(self, part: Part) -> None:
        """Compile what every batch needs, or say why it cannot be."""
        none = np.zeros(0, np.bool_)
        try:
            self.module.begin_all(*part.held, none, part.mask)
            actions, rewards = np.zeros(0, np.int64), np.zeros((0, 2), np.float32)
            self.module.step_all(*part.held, actions, none, True, part.mask, rewards, none)
        except NumbaError as error:
            raise NotCompilable(_first_sentence(error)) from None

    def _everywhere(self, work: Callable[..., T], *arrays: NDArray[Any]) -> list[T]:
        """Work on all lanes; if there are threads, each on a part of them and of the arrays, and
        whoever calls is one of them."""
        if self._pool is None:
            return [work(part, *arrays) for part in self._parts]

        def share(part: Part) -> T:
            return work(part, *(array[part.lanes] for array in arrays))

        first, *rest = self._parts
        others = [self._pool.submit(share, part) for part in rest]
        try:
            return [share(first), *(other.result() for other in others)]
        finally:
            wait(others)

    def reseed(self, seeds: NDArray[Any]) -> None:
        self.seeds[:] = seeds

    def begin(self, which: Where) -> None:
        def work(part: Part, which: Where) -> None:
            self.module.begin_all(*part.held, which, part.mask)

        self._everywhere(work, which)

    def first_illegal(self, actions: NDArray[np.int64], where: Where) -> int:
        return int(self.module.first_illegal(self.rows, self.mask, actions, where))

    def step(
        self,
        actions: NDArray[np.int64],
        where: Where,
        again: bool,
        rewards: NDArray[np.float32],
        done: NDArray[np.bool_],
        out: NDArray[Any] | None,
    ) -> None:
        given = actions, where, rewards, done
        if out is not None and self._observes:
            try:
                self._everywhere(self._step_and_observe(again), *given, out)
            except NumbaError:
                self._observes = False  # found before anything was stepped
            else:
                return
        self._everywhere(self._step(again), *given)
        if out is not None:
            self.observe(None, out)

    def _step(self, again: bool) -> Callable[..., None]:
        def work(part: Part, actions: Any, where: Where, rewards: Any, done: Any) -> None:
            self.module.step_all(*part.held, actions, where, again, part.mask, rewards, done)

        return work

    def _step_and_observe(self, again: bool) -> Callable[..., None]:
        def work(part: Part, actions: Any, where: Where, rewards: Any, done: Any, out: Any) -> None:
            given = actions, where, again, part.mask, rewards, done
            self.module.step_and_observe_all(*part.held, *given, part.words, out)

        return work

    def choose(self, where: Where, actions: NDArray[np.int64]) -> None:
        """By whoever calls: that takes less time than to wake others."""
        self.module.choose_all(*self._whole.held, where, actions)

    def play(self, turns: int, tally: NDArray[np.int64]) -> None:
        def work(part: Part) -> NDArray[np.int64]:
            results = np.zeros_like(tally)
            self.module.play_all(*part.held, turns, part.mask, results)
            return results

        tally += np.sum(self._everywhere(work), axis=0)

    def observe(self, seat: Seat | None, out: NDArray[Any]) -> None:
        def work(part: Part, out: NDArray[Any]) -> None:
            rules, lanes, _, _ = part.held
            self.module.observe_all(rules, lanes, seat or 0, part.words, out)

        try:
            if self._observes:
                self._everywhere(work, out)
                return
        except NumbaError:
            self._observes = False
        for i in range(len(out)):
            out[i] = self._observed(i, seat)

    def _observed(self, i: int, seat: Seat | None) -> NDArray[Any]:
        """What a seat sees of one lane, by the board that the referee would show it."""
        row, column = self.rows[i].tolist(), self.module
        to_act = row[column.TO_ACT]
        me: Any = seat or to_act or 1
        secrets: dict[Any, RecordForm] = {}
        for who in (1, 2):
            question = self._questions[row[column.SECRET_ASKS + who - 1]]
            if question is not None and question.asks == SECRET:
                secrets[who] = question.record(row[column.SECRET + who - 1])
        view = look(self.encoding.game, self.state(i), row[column.FIRST], secrets, me)
        seen = self.encoding.observe(view, row[column.CHOSEN] if to_act == me else 0)
        return self.form.written(seen, view.turn)

    def positions(self) -> NDArray[np.int64]:
        count = len(self.encoding.game.positions(self.state(0)))
        out = np.zeros((len(self.rows), count), np.int64)
        if count:
            self._everywhere(self._write_positions, out)
        return out

    def _write_positions(self, part: Part, out: NDArray[np.int64]) -> None:
        rules, lanes, _, _ = part.held
        self.module.positions_all(rules, lanes, out)

    def state(self, i: int) -> Any:
        """The state of one lane, as the referee would hold it."""
        numbers = iter(self.rows[i, self.module.HEAD :].tolist())
        fields = [_like(sample, numbers) for sample in self._shapes]
        where = self._state_type.__struct_fields__.index("outcome")
        fields[where] = self._outcome(fields[where])
        return self._state_type(*fields)

    def _outcome(self, code: int) -> Any:
        if code == 0:
            return None
        reason = self.reasons[code >> 2 & 0xFFFF] or ""
        return won(code & 3, reason, code >> 18) if code & 3 else drawn(reason)


def _shares(batch: int, threads: int) -> list[slice]:
    """Lanes side by side, as evenly as can be, a part for each thread."""
    edges = [batch * thread // threads for thread in range(threads + 1)]
    parts = [slice(first, last) for first, last in pairwise(edges) if first < last]
    return [slice(None)] if len(parts) == 1 else parts


def _like(sample: Any, numbers: Any) -> Any:
    """The next numbers, in the shape of a sample."""
    if isinstance(sample, tuple):
        return tuple(_like(part, numbers) for part in sample)
    return next(numbers)


def _first_sentence(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines()]
    told = [line for line in lines if line and not line.startswith("Failed in nopython")]
    return f"Numba says: {told[0] if told else type(error).__name__}".rstrip(".")
