"""The whole game tree as a Gambit extensive-form file, for games that are small enough.

Players act in the order that `table` explains, and an information set is named by its
information state, so a strategy found by another program can be read back. Where only one
action is legal no node is written. Chances and payoffs are whole numbers and fractions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.adapters.encoding import Encoding
from trapline.adapters.table import Table
from trapline.core import SEATS, TraplineError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import First, Game, Seat

MOST_NODES = 300_000
"""Some twenty seconds' work, and a file of some thirty megabytes."""

ENDINGS: dict[Seat | None, str] = {
    1: 't "" 1 "Player 1 wins" { 1 -1 }',
    2: 't "" 2 "Player 2 wins" { -1 1 }',
    None: 't "" 3 "draw" { 0 0 }',
}


class TreeTooLarge(TraplineError):
    """The tree of this game is not written out."""


def extensive_form(
    game: Game[Any, Any], first: First | None = None, *, most: int = MOST_NODES
) -> Iterator[str]:
    """The lines of the file; TreeTooLarge after `most` nodes.

    `first` is 1, 2 or "toss", which is a chance node; without it, the rulebook decides.
    """
    first = first or game.default_first
    encoding = Encoding(game)
    yield f'EFG 2 R "{game.title}" {{ "Player 1" "Player 2" }}'
    if first == "toss":
        yield 'c "" 1 "who moves first" { "Player 1" 1/2 "Player 2" 1/2 } 0'
    stack = [Table(encoding, seat) for seat in reversed(SEATS if first == "toss" else (first,))]
    infosets: dict[Seat, dict[str, int]] = {1: {}, 2: {}}
    nodes = 0
    while stack:
        table = _past_forced_actions(stack.pop())
        nodes += 1
        if nodes > most:
            raise TreeTooLarge(
                f"This game's tree has more than {most} nodes, the most that are written out: "
                "a shorter path, fewer traps or a lower turn_limit make it smaller."
            )
        if table.actor is None:
            outcome = table.match.outcome
            yield ENDINGS[outcome.winner if outcome else None]
            continue
        seat, legal = table.actor, table.legal(table.actor)
        known = table.information_state(seat)
        number = infosets[seat].setdefault(known, len(infosets[seat]) + 1)
        names = " ".join(f'"{encoding.names[action]}"' for action in legal)
        yield f'p "" {seat} {number} "{known}" {{ {names} }} 0'
        stack += [_after(table, action) for action in reversed(legal)]


def _past_forced_actions(table: Table) -> Table:
    while table.actor is not None and len(legal := table.legal(table.actor)) == 1:
        table.act(legal[0])
    return table


def _after(table: Table, action: int) -> Table:
    following = table.fork()
    following.act(action)
    return following
