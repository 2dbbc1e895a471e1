"""A batch of lanes beside the referee's rules: the same actions must lead to the same match.

`Rules` is what the lanes are compared with: matches played by `Game.question` and `Game.apply`
as they are, with the order of actions that `trapline.adapters.numbered` lays down. Rules are pure
functions, so lanes that have come to the same state are looked at once; this is what makes
thousands of matches affordable.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from trapline.adapters.numbered import NumberedMatch
from trapline.core import SEATS, asked
from trapline.simulate.tables import number_questions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.adapters.vector import VectorGame
    from trapline.core import Seat
    from trapline.simulate.encoding import Encoding


class Course(NamedTuple):
    """One match, as plain as can be."""

    state: Any
    chosen: int = 0
    """The part of a set that is chosen already."""


class Expected(NamedTuple):
    to_act: int
    mask: int
    """An index of `Rules.masks`."""
    positions: tuple[int, ...]
    winner: int
    reason: int
    turn: int


class Rules:
    """How a match begins, what an action makes of it, and what a lane should then show."""

    def __init__(self, games: VectorGame) -> None:
        self.encoding: Encoding = games.encoding
        self.game = self.encoding.game
        self.games = games
        self.masks: list[Any] = []
        self.mask = cache(self._mask)

    def after(self, course: Course, action: int) -> Course:
        seat, question = self.question(course.state)
        chosen, complete = self.encoding.take(question, course.chosen, action)
        if not complete:
            return Course(course.state, chosen)
        return Course(self.game.apply(course.state, seat, chosen))

    def question(self, state: Any) -> tuple[Any, Any]:
        seat: Any = asked(self.game, state)[0]
        return seat, self.game.question(state, seat)

    def expected(self, course: Course) -> Expected:
        state = course.state
        places = self.game.positions(state)
        if state.outcome is not None:
            winner, reason = (
                state.outcome.winner or 0,
                self.games.reasons.index(state.outcome.reason),
            )
            return Expected(0, self.mask(None, 0), places, winner, reason, state.turn)
        seat, question = self.question(state)
        return Expected(seat, self.mask(question, course.chosen), places, 0, 0, state.turn)

    def _mask(self, question: Any, chosen: int) -> int:
        mask = np.zeros(self.encoding.actions, np.bool_)
        mask[self.encoding.legal(question, chosen)] = True
        self.masks.append(mask)
        return len(self.masks) - 1


def play_beside_rules(games: VectorGame, courses: list[Course] | None = None) -> int:
    """Random play to the end of every lane, compared at every action; returns the actions.

    `courses` says where each lane stands, if its match has not just begun.
    """
    rules = Rules(games)
    at = np.arange(games.batch) if courses else games.first - 1
    courses = courses or [Course(rules.game.start(seat)) for seat in SEATS]
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
    same("positions", lanes, games.positions[lanes], positions)
    same("winner", lanes, games.winner[lanes], winner)
    same("reason", lanes, games.reason[lanes], reason)
    same("turn", lanes, games.turn[lanes], turn)


def compare_results(games: VectorGame, lanes: Any, rewards: Any, done: Any) -> None:
    same("done", lanes, done[lanes], games.to_act[lanes] == 0)
    for seat in SEATS:
        won, lost = games.winner == seat, games.winner == 3 - seat
        same("rewards", lanes, np.sign(rewards[lanes, seat - 1]), (won * 1 - lost * 1)[lanes])


def same(what: str, lanes: Any, found: Any, wanted: Any) -> None:
    if not np.array_equal(found, wanted):
        wrong = np.flatnonzero((found != wanted).reshape(len(lanes), -1).any(axis=1))[0]
        raise AssertionError(f"{what} of lane {lanes[wrong]}: {found[wrong]} not {wanted[wrong]}")


def put(games: VectorGame, lane: int, state: Any) -> Course:
    """Let a compiled lane go on from a state made by hand."""
    lanes: Any = games._lanes
    column, row, game = lanes.module, lanes.rows[lane], games.encoding.game
    seat: Any = asked(game, state)[0]
    question = game.question(state, seat)
    assert question is not None
    row[: column.HEAD] = 0
    row[column.FIRST], row[column.TO_ACT], row[column.LAST] = 1, seat, -1
    row[column.ASKS] = lanes.asks[lane] = number_questions(game)[question]
    row[column.HEAD :] = flat([getattr(state, name) or 0 for name in state.__struct_fields__])
    games._lanes.mask[lane] = games.encoding.mask(games.encoding.legal(question))
    return Course(state)


def flat(value: Any) -> list[int]:
    if isinstance(value, (list, tuple)):
        return [number for part in value for number in flat(part)]
    return [value]


def play_beside_referee(games: VectorGame) -> Iterator[tuple[int, NumberedMatch]]:
    """Random play beside the referee itself; at every action, every lane that has not ended.

    Observations and masks of both seats are compared before each lane is given out.
    """
    firsts: list[Any] = games.first.tolist()
    running = [(lane, NumberedMatch(games.encoding, first)) for lane, first in enumerate(firsts)]
    while running:
        seen = {seat: games.observe(seat) for seat in SEATS}
        for lane, match in running:
            compare_with_referee(games, lane, match, seen)
            yield lane, match
        running = [(lane, match) for lane, match in running if match.actor is not None]
        chosen = games.random_actions()
        games.step(chosen)
        for lane, match in running:
            match.act(int(chosen[lane]))


def compare_with_referee(games: VectorGame, lane: int, match: NumberedMatch, seen: Any) -> None:
    assert games.to_act[lane] == (match.actor or 0)
    if match.actor:
        assert np.array_equal(games.mask[lane], match.mask(match.actor))
    for seat in SEATS:
        compare_seen(games, lane, seat, seen[seat][lane], match.observe(seat))


def compare_seen(games: VectorGame, lane: int, seat: Seat, found: Any, wanted: Any) -> None:
    if not np.array_equal(wanted, found):
        wrong = np.flatnonzero(wanted != found)
        layout = games.encoding.layout.items()
        parts = [name for name, part in layout for w in wrong if part.start <= w < part.stop]
        raise AssertionError(f"lane {lane}, seat {seat}: {parts} in {games.state(lane)}")
