"""Lanes stepped by the rules as they are: for games that cannot be compiled. Slow but right.

The same seed gives the same matches as compiled lanes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from trapline.core import SEATS, SECRET, View, asked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from trapline.core import First, Game, Question, Seat
    from trapline.core import Form as RecordForm
    from trapline.simulate.encoding import Encoding
    from trapline.simulate.forms import Form

WORD = (1 << 64) - 1


class Lane:
    """One match."""

    def __init__(self, encoding: Encoding, first: First, seed: int) -> None:
        self.encoding = encoding
        self.who_begins = first
        self.seed = seed
        self.begin()

    def begin(self) -> None:
        self.first: Any = self.who_begins
        if self.who_begins == "toss":
            self.first = 1 + self.draw(2)
        self.secrets: dict[Seat, RecordForm] = {}
        self.ask(self.encoding.game.start(self.first))

    def draw(self, count: int) -> int:
        """A number below `count`, from the lane's own SplitMix64 sequence (Steele et al., 2014)."""
        z = self.seed = (self.seed + 0x9E3779B97F4A7C15) & WORD
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
        z ^= z >> 31
        return (z >> 32) * count >> 32

    def ask(self, state: Any) -> None:
        """Let chance answer, and find who is to act: of two who are asked at once, Player 1."""
        game: Game[Any] = self.encoding.game
        while state.outcome is None and game.draws and (drawn := game.chance(state)) is not None:
            point = self.draw(sum(drawn.weights))
            sums = np.cumsum(drawn.weights)
            state = game.dealt(state, drawn.answers[int((sums <= point).sum())].value)
        self.state = state
        self.chosen = 0
        waiting: tuple[Any, ...] = asked(game, state)
        self.seat: Any = 0
        self.question: Question | None = None
        if waiting:
            self.seat = waiting[0]
            self.question = game.question(state, waiting[0])

    def legal(self) -> list[int]:
        return self.encoding.legal(self.question, self.chosen)

    def choose(self) -> int:
        """A random action, counted as compiled lanes count them."""
        question = self.question
        if question is None:
            return 0
        parts = question.next_parts(self.chosen) if question.choose else tuple(question.values())
        return self.encoding.numbered(question)[parts[self.draw(len(parts))]]

    def act(self, action: int) -> None:
        question = self.question
        if question is None:
            return
        self.chosen, whole = self.encoding.take(question, self.chosen, action)
        if not whole:
            return
        if question.asks == SECRET:
            self.secrets[self.seat] = question.record(self.chosen)
        self.ask(self.encoding.game.apply(self.state, self.seat, self.chosen))

    def observe(self, seat: Seat | None, form: Form) -> NDArray[Any]:
        me: Seat = seat or self.seat or 1
        view = look(self.encoding.game, self.state, self.first, self.secrets, me)
        seen = self.encoding.observe(view, self.chosen if me == self.seat else 0)
        return form.written(seen, view.turn)


def look(
    game: Game[Any], state: Any, first: Seat, secrets: Mapping[Seat, RecordForm], seat: Seat
) -> View:
    """What the referee would show a seat, without the events."""
    over = state.outcome is not None
    questions = (None, None) if over else (game.question(state, 1), game.question(state, 2))
    hiding = any(question is not None and question.asks == SECRET for question in questions)
    ready = (1 in secrets, 2 in secrets)
    if not over and not hiding and state.mover == 0:
        ready = (questions[0] is None, questions[1] is None)
    return View(
        game=game.name,
        options={},
        seat=seat,
        first=first,
        tossed=False,
        turn=state.turn,
        to_move=None if over or hiding or state.mover == 0 else state.mover,
        question=questions[seat - 1],
        secret=secrets.get(seat),
        ready=ready,
        board=game.board(state, seat, over),
        events=(),
        draw_offer=None,
        may_claim=None,
        outcome=state.outcome,
        secrets=None,
    )


class PlainLanes:
    def __init__(self, encoding: Encoding, first: First, batch: int, form: Form) -> None:
        self.encoding = encoding
        self.form = form
        self.reasons: list[str | None] = [None]
        self.mask = np.zeros((batch, encoding.actions), np.bool_)
        self.to_act = np.zeros(batch, np.int64)
        self.first = np.zeros(batch, np.int64)
        self.turn = np.zeros(batch, np.int64)
        self.winner = np.zeros(batch, np.int64)
        self.reason = np.zeros(batch, np.int64)
        self._lanes = [Lane(encoding, first, 0) for _ in range(batch)]

    @property
    def seeds(self) -> NDArray[np.uint64]:
        return np.array([lane.seed for lane in self._lanes], np.uint64)

    def reseed(self, seeds: NDArray[Any]) -> None:
        for lane, seed in zip(self._lanes, seeds.tolist(), strict=True):
            lane.seed = seed

    def state(self, i: int) -> Any:
        return self._lanes[i].state

    def begin(self, which: NDArray[np.bool_]) -> None:
        for i in np.flatnonzero(which).tolist():
            self._lanes[i].begin()
            self._show(i)

    def _show(self, i: int) -> None:
        lane = self._lanes[i]
        outcome = lane.state.outcome
        self.to_act[i], self.first[i], self.turn[i] = lane.seat, lane.first, lane.state.turn
        self.winner[i] = self.reason[i] = 0
        if outcome is not None:
            if outcome.reason not in self.reasons:
                self.reasons.append(outcome.reason)
            self.winner[i] = outcome.winner or 0
            self.reason[i] = self.reasons.index(outcome.reason)
        self.mask[i] = False
        self.mask[i, lane.legal()] = True

    def first_illegal(self, actions: NDArray[np.int64], where: NDArray[np.bool_]) -> int:
        known = (actions >= 0) & (actions < self.encoding.actions)
        allowed = self.mask[np.arange(len(actions)), np.where(known, actions, 0)] & known
        wrong = np.flatnonzero(~allowed & (self.to_act > 0) & where)
        return int(wrong[0]) if len(wrong) else -1

    def step(
        self,
        actions: NDArray[np.int64],
        where: NDArray[np.bool_],
        again: bool,
        rewards: NDArray[np.float32],
        done: NDArray[np.bool_],
        out: NDArray[Any] | None,
    ) -> None:
        rewards[:] = 0
        for i, (lane, action) in enumerate(zip(self._lanes, actions.tolist(), strict=True)):
            done[i] = lane.question is None
            if done[i] or not where[i]:
                continue
            lane.act(action)
            done[i] = lane.question is None
            outcome = lane.state.outcome
            if outcome is not None:
                rewards[i] = [outcome.result(seat) for seat in SEATS]
            if done[i] and again:
                lane.begin()
            self._show(i)
        if out is not None:
            self.observe(None, out)

    def choose(self, where: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        actions[:] = 0
        for i in np.flatnonzero(where).tolist():
            actions[i] = self._lanes[i].choose()

    def play(self, turns: int, tally: NDArray[np.int64]) -> None:
        for i, lane in enumerate(self._lanes):
            played = 0
            if lane.question is None:
                lane.begin()
            while played < turns:
                before = lane.state.turn
                lane.act(lane.choose())
                played += lane.state.turn - before
                if lane.question is None:
                    outcome = lane.state.outcome
                    tally[(outcome.winner or 0) if outcome else 0] += 1
                    lane.begin()
            self._show(i)

    def observe(self, seat: Seat | None, out: NDArray[Any]) -> None:
        for i, lane in enumerate(self._lanes):
            out[i] = lane.observe(seat, self.form)

    def positions(self) -> NDArray[np.int64]:
        found = [self.encoding.game.positions(lane.state) for lane in self._lanes]
        return np.array(found, np.int64).reshape(len(found), -1)
