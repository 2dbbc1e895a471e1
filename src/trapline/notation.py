"""Moves and secrets as people type them and as records hold them.

A turn is a tuple of moves: one in most games, and in Trap Runner a number of steps that the
answer to the trap question may follow. `format_turn(parse_turn(text)) == text` for every
text in canonical form.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from trapline.core import NO_TRAP, SET_TRAP, InvalidMove, Move, SecretError, brief

if TYPE_CHECKING:
    from trapline.core import Game, Seat, Secret

Turn = tuple[Move, ...]

_NUMBER = re.compile(r"[+-]?\d{1,12}")
_STEPS = re.compile(r"([+-]?\d{1,12})\s*(t)?")
_CELL = re.compile(r"(?:move\s+to\s+)?\(?\s*([+-]?\d{1,12})\s*[, ]\s*([+-]?\d{1,12})\s*\)?")
_ANSWERS = {"y": SET_TRAP, "yes": SET_TRAP, "t": SET_TRAP, "n": NO_TRAP, "no": NO_TRAP}


# --- as typed ---------------------------------------------------------------------------


def parse_turn(game: Game[Any, Any], text: str) -> Turn:
    """Read the answer to a move question."""
    text = text.strip().lower()
    if game.moves == "cell":
        if match := _CELL.fullmatch(text):
            return ((int(match[1]), int(match[2])),)
        raise InvalidMove(f"{brief(text)} is not a cell: type a row and a column, such as 4,2.")
    match = _STEPS.fullmatch(text)
    if match and (game.hides_turns or not match[2]):
        return (int(match[1]), SET_TRAP) if match[2] else (int(match[1]),)
    more = " (or 2t for two and a trap behind you)" if game.hides_turns else ""
    raise InvalidMove(f"{brief(text)} is not a number of steps: type a number such as 2{more}.")


def parse_trap_answer(text: str) -> Turn:
    """Read the answer to the question whether to set a trap."""
    answer = _ANSWERS.get(text.strip().lower())
    if answer is None:
        raise InvalidMove(f"{brief(text.strip())} is not an answer here: type y or n.")
    return (answer,)


def parse_secret(game: Game[Any, Any], seat: Seat, text: str) -> list[int]:
    """Read the numbers of a secret; whether the rules allow them is the game's business."""
    text = text.strip().lower()
    if game.secret == "cell":
        if _NUMBER.fullmatch(text):  # the row is fixed, so a column says it all
            return [next(game.secrets(seat))[0], int(text)]
        if match := _CELL.fullmatch(text):
            return [int(match[1]), int(match[2])]
        raise SecretError("A Goal Cell is a row and a column, such as 5,2.")
    numbers = [part for part in re.split(r"[\s,;]+", text) if part]
    if not numbers or not all(_NUMBER.fullmatch(part) for part in numbers):
        raise SecretError("Type the trap positions as numbers, separated by spaces: 3 5 7.")
    return [int(part) for part in numbers]


def format_turn(turn: Turn) -> str:
    return "".join(_format_move(move) for move in turn if move != NO_TRAP)


def _format_move(move: Move) -> str:
    return f"{move[0]},{move[1]}" if isinstance(move, tuple) else str(move)


def format_secret(game: Game[Any, Any], secret: Secret) -> str:
    if game.secret == "cell":
        return f"({secret[0]},{secret[1]})"
    return " ".join(str(square) for square in secret)


# --- as recorded ------------------------------------------------------------------------


def turn_from_json(game: Game[Any, Any], value: object) -> Turn:
    if game.moves == "cell":
        if (
            isinstance(value, list)
            and len(value) == 2
            and type(value[0]) is int
            and type(value[1]) is int
        ):
            return ((value[0], value[1]),)
        raise InvalidMove(f"{brief(value)} is not a move: it should be [row, column].")
    if type(value) is int:
        return (value,)
    if game.hides_turns:
        if isinstance(value, str) and re.fullmatch(r"[1-9][0-9]{0,11}t", value):
            return (int(value[:-1]), SET_TRAP)
        raise InvalidMove(f'{brief(value)} is not a move: it should be a number, or "2t".')
    raise InvalidMove(f"{brief(value)} is not a move: it should be a number of steps.")


def turn_to_json(turn: Turn) -> int | str | list[int]:
    move = turn[0]
    if SET_TRAP in turn:
        return f"{move}{SET_TRAP}"
    if isinstance(move, tuple):
        return list(move)
    return move
