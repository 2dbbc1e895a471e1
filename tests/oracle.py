"""A naive referee for the five rulebooks, written apart from the engine it is used to test.

Nothing here comes from the product: the law is the rulings first, then the rulebooks. Every
question is answered by playing the record again from its first move, and every list of legal
moves is found by trying moves out, so that a legality rule is written down only once per game.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

from tests.oracle_setup import (
    OPTIONS,
    WITH_SECRETS,
    Refused,
    Setup,
    goal_row,
    is_int,
    is_secret,
    read_options,
    read_setup,
    trap_places,
)

__all__ = ["OPTIONS", "WITH_SECRETS", "Refused", "read_options"]

# Both players' secrets as the counting functions take them; None for the open games.
Noted = dict[int, list[int]] | None


class Position(NamedTuple):
    """Everything that matters for the rest of the game.

    `turns` matters only through the turn limit; positions compared by `count_positions` always
    have the same number of turns behind them, so it never splits two equal ones.
    """

    pieces: tuple[int, int]  # where players 1 and 2 stand, or the Seeker's row and column
    traps: tuple[frozenset[int], frozenset[int]]  # live traps of players 1 and 2
    sent_back: tuple[bool, bool]  # Trap Runner: goes to 0 at the start of the next turn
    mover: int
    turns: int
    outcome: tuple[int | None, str] | None


# --- the games -------------------------------------------------------------------------------
# Each game has one function: the position after `move`, or None if the move is not allowed.
# What all games share (who is next, the turn limit) is done by `after`.


def start(setup: Setup) -> Position:
    pieces = (0, 0)
    traps: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
    if setup.game == "trap-builder":
        pieces = (0, setup.length)
    if setup.game == "secret-paths":
        centre = (setup.size + 1) // 2
        pieces = (centre, centre)
    if setup.game in ("hidden-path", "trap-builder"):
        traps = (frozenset(setup.secrets[0]), frozenset(setup.secrets[1]))
    return Position(pieces, traps, (False, False), setup.first, 0, None)


def is_step(move: object, setup: Setup) -> TypeGuard[int]:
    return is_int(move) and 1 <= move <= setup.max_step


def with_piece(position: Position, place: int) -> Position:
    """The mover's piece put on that place."""
    one, two = position.pieces
    return position._replace(pieces=(place, two) if position.mover == 1 else (one, place))


def hidden_path(setup: Setup, before: Position, move: object) -> Position | None:
    me, other = before.mover - 1, 2 - before.mover
    if not is_step(move, setup):
        return None
    landing = before.pieces[me] + move
    if landing > setup.length:
        return None
    # The trap comes before the win: a trapped goal sends the player back.
    if landing in before.traps[other]:
        traps = list(before.traps)
        traps[other] = traps[other] - {landing}
        return with_piece(before, 0)._replace(traps=(traps[0], traps[1]))
    position = with_piece(before, landing)
    if landing == setup.length:
        return position._replace(outcome=(before.mover, "goal"))
    return position


def trap_builder(setup: Setup, before: Position, move: object) -> Position | None:
    me, other = before.mover - 1, 2 - before.mover
    if not is_step(move, setup):
        return None
    direction, goal = (1, setup.length) if before.mover == 1 else (-1, 0)
    place = before.pieces[me]
    landing = place + direction * move
    if not 0 <= landing <= setup.length or landing == before.pieces[other]:
        return None
    path = [place + direction * k for k in range(1, move + 1)]
    for stepped_on in path if setup.passing else [landing]:
        if stepped_on in before.traps[other]:
            return with_piece(before, stepped_on)._replace(outcome=(other + 1, "trap"))
    position = with_piece(before, landing)
    if landing == goal:
        return position._replace(outcome=(before.mover, "goal"))
    return position


def trap_runner(setup: Setup, before: Position, move: object) -> Position | None:
    me, other = before.mover - 1, 2 - before.mover
    wants_trap = False
    if isinstance(move, str):
        # Only the plain spelling is a move: no sign, no leading zero, ASCII digits.
        if re.fullmatch(r"[1-9][0-9]?t", move) is None:
            return None
        move, wants_trap = int(move[:-1]), True
    if not is_step(move, setup):
        return None
    left = 0 if before.sent_back[me] else before.pieces[me]
    landing = left + move
    if landing > setup.length:
        return None
    won = landing == setup.length
    if wants_trap and (left == 0 or left in before.traps[me] or won):
        return None

    traps = list(before.traps)
    # On the opponent's trap the attempt fails, and fails silently: the move itself stands.
    if wants_trap and left not in traps[other]:
        traps[me] = traps[me] | {left}
    sent_back = list(before.sent_back)
    sent_back[me] = landing in traps[other]
    position = with_piece(before, landing)._replace(
        traps=(traps[0], traps[1]), sent_back=(sent_back[0], sent_back[1])
    )
    if won:
        return position._replace(outcome=(before.mover, "goal"))
    # Played from the start this never comes true: whoever has been furthest stands there, beyond
    # every opposing trap; but the rulings ask the question after each turn, so it is asked.
    if not any(can_reach_goal(setup, position, player) for player in (1, 2)):
        return position._replace(outcome=(None, "walled off"))
    return position


def can_reach_goal(setup: Setup, position: Position, player: int) -> bool:
    """Whether some route to the goal never lands on the opponent's traps."""
    stands = 0 if position.sent_back[player - 1] else position.pieces[player - 1]
    hostile = position.traps[2 - player]

    def route_from(origin: int) -> bool:
        reached = {origin}
        for square in range(origin + 1, setup.length + 1):
            came_from = range(square - setup.max_step, square)
            if square not in hostile and any(back in reached for back in came_from):
                reached.add(square)
        return setup.length in reached

    # The rulings name both starts, so both are tried.
    return route_from(stands) or route_from(0)


def secret_paths(setup: Setup, before: Position, move: object) -> Position | None:
    if not isinstance(move, list) or len(move) != 2:
        return None
    row, column = move
    if not is_int(row) or not is_int(column):
        return None
    if not (1 <= row <= setup.size and 1 <= column <= setup.size):
        return None
    if max(abs(row - before.pieces[0]), abs(column - before.pieces[1])) != 1:
        return None
    position = before._replace(pieces=(row, column))
    if (row, column) == setup.secrets[before.mover - 1]:
        return position._replace(outcome=(before.mover, "goal"))
    return position


def numeric_maze(setup: Setup, before: Position, move: object) -> Position | None:
    if not is_step(move, setup):
        return None
    landing = before.pieces[before.mover - 1] + move
    if landing > setup.length:
        return None
    if landing in setup.maze_traps:
        return with_piece(before, 0)
    position = with_piece(before, landing)
    if landing == setup.length:
        return position._replace(outcome=(before.mover, "goal"))
    return position


PLAY: dict[str, Callable[[Setup, Position, object], Position | None]] = {
    "hidden-path": hidden_path,
    "trap-builder": trap_builder,
    "trap-runner": trap_runner,
    "secret-paths": secret_paths,
    "numeric-maze": numeric_maze,
}


def after(setup: Setup, before: Position, move: object) -> Position | None:
    """The position after one whole turn, or None if the move is not allowed."""
    if before.outcome is not None:
        return None
    position = PLAY[setup.game](setup, before, move)
    if position is None:
        return None
    turns, outcome = before.turns + 1, position.outcome
    # A limit of 0 is never reached, because a turn has just been completed.
    if outcome is None and turns == setup.turn_limit:
        outcome = (None, "turn limit")
    return position._replace(mover=3 - before.mover, turns=turns, outcome=outcome)


def candidates(setup: Setup, position: Position) -> Iterator[int | str | list[int]]:
    """Every move that could be allowed, and some that are not, in the order of `legal_moves`."""
    if setup.game == "secret-paths":
        row, column = position.pieces
        for row_step, column_step in itertools.product((-1, 0, 1), repeat=2):
            yield [row + row_step, column + column_step]
        return
    for step in range(1, setup.max_step + 1):
        yield step
        if setup.game == "trap-runner":
            yield f"{step}t"


def successors(setup: Setup, position: Position) -> list[tuple[Any, Position]]:
    tried = [(move, after(setup, position, move)) for move in candidates(setup, position)]
    return [(move, reached) for move, reached in tried if reached is not None]


def course(setup: Setup, moves: list[Any]) -> list[Position]:
    """The start and the position after each move."""
    positions = [start(setup)]
    for index, move in enumerate(moves):
        reached = after(setup, positions[-1], move)
        if reached is None:
            raise Refused(index)
        positions.append(reached)
    return positions


# --- the questions ---------------------------------------------------------------------------


def replay(record: dict[str, Any]) -> dict[str, Any]:
    """The answer of `trapline replay --json`, without its sentence for an error."""
    try:
        positions = course(read_setup(record), record["moves"])
    except Refused as refused:
        return {"ok": False, "at": refused.at}
    turns = [
        {"by": before.mover, "positions": list(reached.pieces)}
        for before, reached in itertools.pairwise(positions)
    ]
    outcome = positions[-1].outcome
    return {
        "ok": True,
        "turns": turns,
        "outcome": None if outcome is None else {"winner": outcome[0], "reason": outcome[1]},
    }


def legal_moves(record: dict[str, Any]) -> list[Any]:
    """All moves allowed next, ascending, `2` before `"2t"`; raises Refused for a bad record."""
    setup = read_setup(record)
    return [move for move, _ in successors(setup, course(setup, record["moves"])[-1])]


def secrets(game: str, options: dict[str, object], seat: int) -> list[list[int]]:
    """Every secret that seat may choose, each in ascending order; none for an open game."""
    setup = read_options(game, options)
    if game not in WITH_SECRETS:
        return []
    possible: list[list[int]]
    if game == "secret-paths":
        possible = [[goal_row(setup, seat), column] for column in range(1, setup.size + 1)]
    else:
        chosen = itertools.combinations(trap_places(setup), setup.trap_count)
        possible = [list(traps) for traps in chosen]
    return [secret for secret in possible if is_secret(setup, seat, secret)]


def opening(
    game: str, options: dict[str, object], first: int, secrets: Noted
) -> tuple[Setup, Position]:
    noted = {str(seat): secret for seat, secret in (secrets or {}).items()}
    setup = read_setup(
        {"game": game, "options": options, "first": first, "secrets": noted, "moves": []}
    )
    return setup, start(setup)


def count_histories(
    game: str, options: dict[str, object], first: int, secrets: Noted, depth: int
) -> list[int]:
    """How many move sequences of each length 0..depth there are; a finished game ends there."""
    setup, root = opening(game, options, first, secrets)
    counts = [0] * (depth + 1)

    def visit(position: Position, length: int) -> None:
        counts[length] += 1
        if length < depth:
            for _, reached in successors(setup, position):
                visit(reached, length + 1)

    visit(root, 0)
    return counts


def count_positions(
    game: str, options: dict[str, object], first: int, secrets: Noted, depth: int
) -> list[int]:
    """How many different positions there are after exactly 0..depth turns."""
    setup, root = opening(game, options, first, secrets)
    layer = {root}
    counts = [1]
    for _ in range(depth):
        layer = {reached for position in layer for _, reached in successors(setup, position)}
        counts.append(len(layer))
    return counts
