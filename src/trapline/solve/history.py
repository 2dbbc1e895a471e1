"""Where in a model a View is: found by what everybody has heard."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.core import SEATS, SECRET, other
from trapline.solve.mirror import Mirror, of_the_game
from trapline.solve.model import MOST_PARTS, NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trapline.core import AnyEvent, Form, Question, Seat, View
    from trapline.solve.model import GameModel

Masks = tuple[int, int]


class Step(NamedTuple):
    """One answer of a history in a model: which action, and which of its possible branches."""

    before: Any
    action: int
    branch: int
    after: Any
    masks: Masks
    """Which holdings of each seat are still possible."""
    turns: int


def follow(model: GameModel, mirror: Mirror, view: View) -> list[Step]:
    """The answers that everybody has heard of, as they are found in a model.

    A match is looked at turn after turn, so the search goes on from what this history and the one
    before have in common.
    """
    (known, swapped), begun = model.followed
    if swapped != mirror.swaps or view.events[: len(known)] != known:
        known, begun = (), ()
    rest = range(len(known), len(view.events))
    where = [number for number in rest if of_the_game(view.events[number])]
    events = [mirror.event(view.events[number]) for number in where]
    path, heard, straight = list(begun), [0], True
    open_steps = [_fitting(model, *end_of(model, path), events, 0)]
    while heard[-1] < len(events):
        found = next(open_steps[-1], None)
        if found is None and begun and len(open_steps) == 1:  # what is known was something else
            model.followed = NOTHING
            return follow(model, mirror, view)
        if found is None:  # what fitted so far led nowhere
            straight = False
            open_steps.pop()
            heard.pop()
            path.pop()
            continue
        step, so_far = found
        path.append(step)
        heard.append(so_far)
        open_steps.append(_fitting(model, step.after, step.masks, events, so_far))
    if straight:
        certain = _certain(model, path[len(begun) :], heard, len(events))
        end = ([*where, len(view.events)])[heard[certain]]
        model.followed = (view.events[:end], mirror.swaps), tuple(path[: len(begun) + certain])
    return path


def _certain(model: GameModel, path: list[Step], heard: list[int], end: int) -> int:
    """How many of these steps a longer history has too: those of which nothing could be told that
    has not been heard."""
    for number, step in enumerate(path):
        actions = model.actions(step.before)
        told = max(len(b.events) for a in actions for b in model.branches(step.before, a))
        if heard[number] + told > end:
            return number
    return len(path)


def end_of(model: GameModel, path: Sequence[Step]) -> tuple[Any, Masks]:
    """The public state that steps lead to, and the holdings that are possible there."""
    if path:
        return path[-1].after, path[-1].masks
    return model.root, everything(model)


def everything(model: GameModel) -> Masks:
    """All holdings of both seats."""
    one, two = model.holdings
    return (1 << len(one)) - 1, (1 << len(two)) - 1


def _fitting(
    model: GameModel, state: Any, masks: Masks, events: Sequence[AnyEvent], heard: int
) -> Iterator[tuple[Step, int]]:
    """Each branch whose events come next, the ones with most events first."""
    found = []
    for index, action in enumerate(model.actions(state)):
        possible = 0
        for branch in model.branches(state, action):
            kept = masks[0] & branch.masks[0], masks[1] & branch.masks[1]
            if not all(kept):
                continue
            told = branch.events
            if branch.state is not None and tuple(events[heard : heard + len(told)]) == told:
                step = Step(state, index, possible, branch.state, kept, branch.turns)
                found.append((step, heard + len(told)))
            possible += 1
    return iter(sorted(found, key=lambda pair: -pair[1]))


class Place:
    """A View in the terms of a model."""

    def __init__(self, model: GameModel, view: View) -> None:
        assert view.seat is not None
        assert view.question is not None
        self.model, self.view = model, view
        self.question: Question = view.question
        self.mirror = Mirror(model.game, view.first)
        self.role: Seat = self.mirror.seat(view.seat)

    @cached_property
    def steps(self) -> list[Step]:
        if self.question.asks == SECRET:
            return []
        heard = follow(self.model, self.mirror, self.view)
        return self._with_what_nobody_tells(heard)

    @property
    def state(self) -> Any:
        return end_of(self.model, self.steps)[0]

    @property
    def masks(self) -> Masks:
        return end_of(self.model, self.steps)[1]

    def _with_what_nobody_tells(self, steps: list[Step]) -> list[Step]:
        """The steps, and those after them that the viewer's board alone shows: a turn's earlier
        answers, or answers that could not have been others."""
        paths = [steps]
        for path in paths:  # which grows while it is gone through
            further = [
                step for step, told in _fitting(self.model, *end_of(self.model, path), (), 0)
            ]
            if path is steps and not further:
                return steps
            if self._fits(path):
                return path
            if len(path) < len(steps) + MOST_PARTS:
                paths += [[*path, step] for step in further]
        return steps

    def _fits(self, steps: list[Step]) -> bool:
        """Whether play along these steps shows the viewer what the View shows."""
        model, (_, masks) = self.model, end_of(self.model, steps)
        seats = [(model.mover(s.before), model.actions(s.before)[s.action]) for s in steps]
        state = model.game.start(model.first)
        for seat in SEATS if model.hides else ():
            mask = masks[seat - 1]
            lowest = (mask & -mask).bit_length() - 1
            number = self.holding if seat == self.role else lowest
            state = model.game.apply(state, seat, model.holdings[seat - 1][number])
        for seat, action in seats:
            state = model.game.apply(state, seat, action)
        board = self.view.board.mirrored() if self.mirror.swaps else self.view.board
        asked = model.game.question(state, self.role)
        same = asked is not None and asked.asks == self.question.asks
        return same and bool(model.game.board(state, self.role, over=False) == board)

    @cached_property
    def holding(self) -> int:
        """The number of the viewer's own secret; 0 where there is none."""
        if not self.model.hides:
            return 0
        own = self._hiding(self.role)
        assert own is not None
        assert self.view.seat is not None
        value = own.value(self.view.secret)
        return self._numbers(self.view.seat)[value]

    def _hiding(self, role: Seat) -> Question | None:
        """What the seat with this role was asked in the match, before the first turn."""
        start = self.model.game.start(self.view.first)
        found: Question | None = self.model.game.question(start, self.mirror.seat(role))
        return found

    def _numbers(self, seat: Seat) -> dict[int, int]:
        """For each secret of a seat of the match, its number in the model."""
        role = self.mirror.seat(seat)
        asked, solved = self._hiding(role), self.model.hiding[role - 1]
        assert asked is not None
        assert solved is not None
        numbers = {value: i for i, value in enumerate(self.model.holdings[role - 1])}
        return {v: numbers[self.mirror.value(v, asked, solved)] for v in asked.values()}

    def secrets(self, by_number: Any, role: Seat) -> dict[Form, float]:
        """Something for each secret of a role, by number, as the match's records have them."""
        asked = self._hiding(role)
        if not self.model.hides or asked is None:
            return {}
        numbers = self._numbers(self.mirror.seat(role))
        return {
            asked.record(value): float(by_number[number])
            for value, number in numbers.items()
            if not isinstance(by_number, dict) or number in by_number
        }

    def answers(self, by_action: dict[int, float]) -> dict[Form, float]:
        """Something for each action, as answers of the match."""
        solved = self.model.question(self.state)
        return {
            self.question.record(value): float(
                by_action[self.mirror.value(value, self.question, solved)]
            )
            for value in self.question.values()
        }

    @property
    def rival(self) -> Seat:
        return other(self.role)
