"""What it costs to do without something: as well as anybody can play who never does it.

Such a player's plans are bound by more equations than others', so the same linear program finds the
best of them, and a best response says what it keeps against somebody who knows of the restraint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trapline.fairness import replies, trials
from trapline.fairness.figures import Pair
from trapline.fairness.trees import seats_of, tree_of, worth_to
from trapline.referee import Match
from trapline.solve import linear
from trapline.solve.history import everything

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Seat
    from trapline.solve import Solution
    from trapline.solve.model import GameModel, Masks
    from trapline.solve.tree import Tree

    Held = tuple[GameModel, Tree]

MOST_ENTRIES = 90_000
"""A linear program over a table of this size takes some seconds."""
NEVER_LOOKS = "never looks at what the other does"


def restraints(solution: Solution) -> dict[str, Pair | None]:
    """The cost of each restraint that makes sense in a game; None where it is not worked out."""
    found = {name: _hiding_less(solution, name) for name in solution.game.restraints()}
    if solution.exact and not solution.looks:
        return found | {NEVER_LOOKS: Pair(0.0, 0.0)}
    held = _held(solution, to_the_end=True)
    if held is None:
        return found | {NEVER_LOOKS: None}
    bonds = [blindly(*held, seat) for seat in seats_of(solution)]
    if None in bonds:
        return found
    same = [linear.Bonds((), tuple(pairs or ())) for pairs in bonds]
    return found | {NEVER_LOOKS: _cost(solution, held, same)}


def _hiding_less(solution: Solution, name: str) -> Pair | None:
    held = _held(solution, to_the_end=False)
    if held is None:
        return _at_least(solution, name)
    never = [_never(held[0], seat, name) for seat in seats_of(solution)]
    return _cost(solution, held, [linear.Bonds(secrets, ()) for secrets in never])


def _at_least(solution: Solution, name: str) -> Pair | None:
    """What even a player loses who knows the other, who plays the solution: no more can be kept
    against anybody who knows of the restraint."""
    if not solution.exact:
        return None
    game, seats = solution.game, seats_of(solution)
    allowed = game.restraints()[name]
    found = []
    for seat in seats:
        view, worth = Match(game, seats[0], deals=False).view(seat), worth_to(solution, seat)
        assert view.question is not None  # something is hidden: the restraint is about that
        kept = {
            form: result
            for form, result in solution.policy.look(view).values.items()
            if allowed(view.question.value(form))
        }
        hides = max(kept, key=lambda form: kept[form])
        score = trials.meet_solution(solution, seat, seats[0], hides)
        lost = round(max(0.0, (worth - kept[hides]) / 2), 6)
        found.append((lost, trials.lost_by(score, worth, first=seat == seats[0])))
    return msgspec.structs.replace(replies.paired(found), at_least=True)


def _held(solution: Solution, *, to_the_end: bool) -> Held | None:
    held = tree_of(solution, to_the_end=to_the_end)
    return held if held is not None and held[1].entries <= MOST_ENTRIES else None


def _cost(solution: Solution, held: Held, bonds: list[linear.Bonds]) -> Pair | None:
    pairs = list(zip(seats_of(solution), bonds, strict=True))
    try:
        kept = [(seat, linear.bound(held[1], seat, bond)) for seat, bond in pairs]
    except linear.NotSolved:
        return None
    return replies.paired([replies.cost(solution, *held, seat, plan) for seat, plan in kept])


def _never(model: GameModel, seat: Seat, name: str) -> tuple[int, ...]:
    """The holdings that a restraint of the game's leaves out."""
    allowed = model.game.restraints()[name]
    return tuple(i for i, value in enumerate(model.holdings[seat - 1]) if not allowed(value))


class _At(NamedTuple):
    node: int
    actions: tuple[int, ...]
    story: tuple[object, ...]
    """What a seat has answered, and what everybody heard of it: all that happened but for the
    other's doings."""


def blindly(model: GameModel, tree: Tree, seat: Seat) -> list[tuple[int, int]] | None:
    """Entries that are the same to somebody who does not look at the other; None where the other's
    doings decide what may be answered, so that everybody has to look."""
    begun: dict[object, tuple[tuple[int, ...], int, int]] = {}
    pairs = []
    for at in _decisions(model, tree, seat):
        live = tree.live(at.node, seat).tolist()
        for column, holding in enumerate(live):
            entry, width = int(tree.nodes.entry[at.node]) + column, len(live)
            actions, same, step = begun.setdefault((at.story, holding), (at.actions, entry, width))
            if actions != at.actions:
                return None
            if same != entry:
                pairs += [(same + step * a, entry + width * a) for a in range(len(actions))]
    return pairs


def _decisions(model: GameModel, tree: Tree, seat: Seat) -> Iterator[_At]:
    """A seat's decisions, the tree walked along with the rules it was made by."""
    places: dict[int, tuple[Any, Masks, tuple[object, ...]]] = {
        0: (model.root, everything(model), ())
    }
    for node in range(tree.size):
        state, (one, two), story = places.pop(node)
        if state is None:
            continue
        actions = tuple(model.actions(state))
        mine = model.mover(state) == seat
        if mine:
            yield _At(node, actions, story)
        children = iter(tree.children(node))
        for action in actions:
            for branch in model.branches(state, action):
                masks = one & branch.masks[0], two & branch.masks[1]
                if all(masks):
                    heard = tuple(event for event in branch.events if event.by == seat)
                    told = (*story, (action, heard)) if mine else story
                    places[next(children)] = (branch.state, masks, told)
