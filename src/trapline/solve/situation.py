"""What a View tells, in the terms of a model: the first mover is seat 1, and history is moves.

Every game is the same for both seats, up to a reflection of the board where they run or
look in opposite directions. So one solution serves whoever moves first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trapline.core import Grid, Moved, Returned, Track, Triggered, other

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trapline.core import Event, Game, Seat, Secret, View
    from trapline.solve.model import Branch, GameModel

Turn = tuple[Moved | Triggered | Returned, ...]


class Reflection:
    """Between the seats of a match and those of a solution, in which seat 1 moves first."""

    def __init__(self, game: Game[Any, Any], first: Seat) -> None:
        board = game.board(game.start(1, {}), None, over=False)
        self.swaps = first == 2
        self.sorts = game.secret != "cell"
        self.rows = board.size + 1 if self.swaps and isinstance(board, Grid) else None
        opposed = isinstance(board, Track) and board.goals[0] != board.goals[1]
        self.track = board.length if self.swaps and opposed and isinstance(board, Track) else None

    def seat(self, seat: Seat) -> Seat:
        return other(seat) if self.swaps else seat

    def place(self, place: Any) -> Any:
        if self.rows is not None:
            return self.rows - place[0], place[1]
        return place if self.track is None else self.track - place

    def move(self, move: Any) -> Any:
        """Steps are steps in either direction; a cell is reflected."""
        return self.place(move) if isinstance(move, tuple) else move

    def secret(self, secret: Secret) -> Secret:
        if self.sorts:
            return tuple(sorted(self.place(square) for square in secret))
        cell: Secret = self.place(secret)
        return cell

    def event(self, event: Event) -> Event:
        changes: dict[str, Any] = {"by": self.seat(event.by)}
        if isinstance(event, Moved):
            changes |= {"start": self.place(event.start), "to": self.place(event.to)}
        elif isinstance(event, Triggered):
            changes["at"] = self.place(event.at)
        return msgspec.structs.replace(event, **changes)


def turns(view: View, reflection: Reflection) -> list[Turn]:
    """What everybody saw, turn by turn, as a solution's seats would have seen it."""
    result: list[list[Any]] = []
    for event in view.events:
        if isinstance(event, Moved):
            result.append([])
        if isinstance(event, (Moved, Triggered, Returned)):
            result[-1].append(reflection.event(event))
    return [tuple(events) for events in result]


class Step(NamedTuple):
    """One turn of a history in a model: which action, which of its possible branches."""

    action: int
    branch: int
    state: Any
    masks: tuple[int, int]


def follow(model: GameModel, history: Sequence[Turn]) -> Iterator[Step]:
    """Find each turn of a history among the branches of a model."""
    state = model.root
    masks = tuple((1 << len(held)) - 1 for held in model.holdings)
    for seen in history:
        step = next(_matches(model, state, (masks[0], masks[1]), seen))
        state, masks = step.state, step.masks
        yield step


def _matches(model: GameModel, state: Any, masks: tuple[int, int], seen: Turn) -> Iterator[Step]:
    for index, action in enumerate(model.actions(state)):
        possible = 0
        for branch in model.branches(state, action):
            kept = masks[0] & branch.masks[0], masks[1] & branch.masks[1]
            if not all(kept):
                continue
            if branch.state is not None and _looks_like(model, state, action, branch, seen):
                yield Step(index, possible, branch.state, kept)
            possible += 1


def _looks_like(model: GameModel, state: Any, action: Any, branch: Branch, seen: Turn) -> bool:
    after: Any = branch.state
    return tuple(model.game.events(state, action, after)) == seen
