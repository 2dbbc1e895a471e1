"""A batch of lanes beside the referee's rules: the same actions must lead to the same match.

`Rules` is what the lanes are compared with: matches played by `Game.legal` and `Game.apply`,
with the order of actions that `trapline.adapters.table` lays down. Rules are pure functions,
so lanes that have come to the same state are looked at once; this is what makes a hundred
thousand matches affordable.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from trapline.adapters.table import Table
from trapline.adapters.vector import REASONS, VectorGame
from trapline.core import NO_TRAP, SEATS, Seat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.adapters.encoding import Encoding

HIDDEN = (-1, -1)
"""Positions that are not compared: before the first move, and in the middle of a turn."""


class Course(NamedTuple):
    """One match, as plain as can be."""

    first: Seat
    chosen: tuple[tuple[int, ...], tuple[int, ...]]
    state: Any
    due: bool
    """A trap answer is still to come, though the rules have nothing to ask."""


class Expected(NamedTuple):
    to_act: int
    mask: int
    """An index of `Rules.masks`."""
    positions: tuple[int, int]
    winner: int
    reason: int
    turn: int


class Rules:
    """How a match begins, what an action makes of it, and what a lane should then show."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.game = encoding.game
        self.masks: list[Any] = []
        self.secret = cache(encoding.secret)
        self.mask = cache(self._mask)
        self.hiding = cache(self._hiding)

    def begin(self, first: Seat) -> Course:
        state = None if self.game.secret else self.game.start(first, {})
        return Course(first, ((), ()), state, False)

    def after(self, course: Course, action: int) -> Course:
        first, chosen, before, due = course
        asks, value = self.encoding.choices[action]
        if asks == "secret":
            return self._hide(course, value)
        if due:
            return Course(first, chosen, before, False)
        state = self.game.apply(before, value)
        whole = state.turn > before.turn and asks == "move"
        return Course(
            first, chosen, state, self.game.hides_turns and whole and state.outcome is None
        )

    def _hide(self, course: Course, value: Any) -> Course:
        one, two = course.chosen
        if self.secret(1, one) is None:
            return course._replace(chosen=((*one, value), two))
        two = (*two, value)
        secrets = {1: self.secret(1, one), 2: self.secret(2, two)}
        if secrets[2] is None:
            return course._replace(chosen=(one, two))
        return Course(course.first, ((), ()), self.game.start(course.first, secrets), False)  # type: ignore[arg-type]

    def expected(self, course: Course) -> Expected:
        state = course.state
        if state is None:
            seat = 1 if self.secret(1, course.chosen[0]) is None else 2
            return Expected(seat, self.hiding(course.chosen[seat - 1]), HIDDEN, 0, 0, 0)
        places = self.game.positions(state)
        if state.outcome is not None:
            winner, reason = state.outcome.winner or 0, REASONS.index(state.outcome.reason)
            return Expected(0, self.mask("move", ()), places, winner, reason, state.turn)
        if course.due:
            forced = self.mask("trap", (NO_TRAP,))
            return Expected(3 - state.mover, forced, HIDDEN, 0, 0, state.turn - 1)
        legal = self.game.legal(state)
        if legal[0] == NO_TRAP:
            return Expected(state.mover, self.mask("trap", legal), HIDDEN, 0, 0, state.turn)
        return Expected(state.mover, self.mask("move", legal), places, 0, 0, state.turn)

    def _hiding(self, chosen: tuple[int, ...]) -> int:
        if self.game.secret == "cell":
            return self.mask("secret", tuple(range(1, self.encoding.actions))[: self.game.size])  # type: ignore[attr-defined]
        return self.mask("secret", tuple(self.game.next_traps(chosen)))

    def _mask(self, asks: Any, values: tuple[Any, ...]) -> int:
        mask = np.zeros(self.encoding.actions, np.bool_)
        mask[[self.encoding.action((asks, value)) for value in values]] = True
        self.masks.append(mask)
        return len(self.masks) - 1


def play_beside_rules(games: VectorGame, courses: list[Course] | None = None) -> int:
    """Random play to the end of every lane, compared at every action; returns the actions.

    `courses` says where each lane stands, if its match has not just begun.
    """
    rules = Rules(games.encoding)
    at = np.arange(games.batch) if courses else games.first.astype(np.int64) - 1
    courses = courses or [rules.begin(seat) for seat in SEATS]
    lanes = np.arange(games.batch)
    actions = 0
    while True:
        expected = [rules.expected(course) for course in courses]
        compare(games, rules, lanes, expected, at)
        lanes, at = lanes[games.to_act[lanes] > 0], at[games.to_act[lanes] > 0]
        if not len(lanes):
            return actions
        chosen = games.random_actions()
        rewards, done = games.step(chosen)
        compare_results(games, lanes, rewards, done)
        courses, at = advance(rules, courses, at, chosen[lanes])
        actions += len(lanes)


def advance(rules: Rules, courses: list[Course], at: Any, chosen: Any) -> tuple[list[Course], Any]:
    """The distinct courses after the lanes' actions, and at which of them each lane is now."""
    count = rules.encoding.actions
    pairs, which = np.unique(at * count + chosen, return_inverse=True)
    numbers: dict[Course, int] = {}
    found = [
        numbers.setdefault(rules.after(courses[pair // count], pair % count), len(numbers))
        for pair in pairs.tolist()
    ]
    return list(numbers), np.array(found)[which]


def compare(games: VectorGame, rules: Rules, lanes: Any, expected: list[Expected], at: Any) -> None:
    columns = [np.array(column) for column in zip(*expected, strict=True)]
    to_act, mask, positions, winner, reason, turn = (column[at] for column in columns)
    same("to_act", lanes, games.to_act[lanes], to_act)
    same("mask", lanes, games.mask[lanes], np.array(rules.masks)[mask])
    seen = positions[:, 0] >= 0
    same("positions", lanes[seen], games.positions[lanes[seen]], positions[seen])
    same("winner", lanes, games.winner[lanes], winner)
    same("reason", lanes, games.reason[lanes], reason)
    same("turn", lanes, games.turn[lanes], turn)


def compare_results(games: VectorGame, lanes: Any, rewards: Any, done: Any) -> None:
    same("done", lanes, done[lanes], games.to_act[lanes] == 0)
    for seat in SEATS:
        won, lost = games.winner == seat, games.winner == 3 - seat
        same("rewards", lanes, rewards[lanes, seat - 1], (won * 1 - lost * 1)[lanes])


def same(what: str, lanes: Any, found: Any, wanted: Any) -> None:
    if not np.array_equal(found, wanted):
        wrong = np.flatnonzero((found != wanted).reshape(len(lanes), -1).any(axis=1))[0]
        raise AssertionError(f"{what} of lane {lanes[wrong]}: {found[wrong]} not {wanted[wrong]}")


def play_beside_tables(games: VectorGame) -> Iterator[tuple[int, Table]]:
    """Random play beside the referee itself; at every action, every lane that has not ended.

    Observations and masks of both seats are compared before each lane is given out.
    """
    tables = [Table(games.encoding, first) for first in games.first.tolist()]
    running = list(enumerate(tables))
    while running:
        seen = {seat: games.observe(seat) for seat in SEATS}
        for lane, table in running:
            compare_with_table(games, lane, table, seen)
            yield lane, table
        running = [(lane, table) for lane, table in running if table.actor is not None]
        chosen = games.random_actions()
        games.step(chosen)
        for lane, table in running:
            table.act(int(chosen[lane]))


def compare_with_table(games: VectorGame, lane: int, table: Table, seen: Any) -> None:
    assert games.to_act[lane] == (table.actor or 0)
    if table.actor is not None:
        assert np.array_equal(games.mask[lane], table.mask(table.actor))
    for seat in SEATS:
        wanted, found = table.observe(seat), seen[seat][lane]
        if not np.array_equal(wanted, found):
            wrong = np.flatnonzero(wanted != found)
            layout = games.encoding.layout.items()
            parts = [name for name, part in layout for w in wrong if part.start <= w < part.stop]
            raise AssertionError(
                f"lane {lane}, seat {seat}: {parts} after {table.information_state(seat)}"
            )
