"""What a language model reads, and how its answer is read.

A question is one View in words: the rules, the match so far, the board, the legal answers.
Nothing is carried over from earlier questions, so equal Views give equal prompts, and what
the seat may not know cannot be in one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import IllegalMove, InvalidMove
from trapline.notation import (
    format_secret,
    format_turn,
    parse_secret,
    parse_trap_answer,
    parse_turn,
)
from trapline.words.boards import describe
from trapline.words.phrases import phrases, plural
from trapline.words.questions import NAMES, left, rules

if TYPE_CHECKING:
    from trapline.core import Game, Move, Seat, Secret, View

_ANSWER = re.compile(r"ANSWER:(.*)", re.IGNORECASE)

Message = dict[str, str]

SYSTEM = (
    "You are Player {seat} in a match of {title} against one opponent. Play to win; a draw is "
    "better than a loss. Think as long as you like, but the last line of every reply must be "
    "ANSWER: and then your answer, with nothing after it."
)


def question(game: Game[Any, Any], view: View) -> list[Message]:
    """The messages that put the View's question to a model."""
    said = phrases(view, NAMES)
    happened = [*said.welcome(), f"{NAMES[view.first]} moves first.", *said.account({})]
    if view.turn:
        happened.append(f"{plural(view.turn, 'turn')} of both players together so far.")
    parts = [
        rules(game.name),
        "# This match",
        f"The rules above speak of the usual options. In this match they are: {_options(game)}.",
        f"You are Player {view.seat}.{_secret(game, view)}",
        "# What has happened",
        "\n".join(happened),
        "# The board now",
        "\n".join(describe(view, NAMES, game.place)),
        "# Your question",
        _asks(game, view),
    ]
    system = SYSTEM.format(seat=view.seat, title=game.title)
    return [_message("system", system), _message("user", "\n\n".join(parts))]


def correction(reply: str, reason: str) -> list[Message]:
    """An answer that cannot be used, and why."""
    again = f"That answer cannot be used: {reason} Answer the same question again."
    return [_message("assistant", reply), _message("user", again)]


def _message(role: str, content: str) -> Message:
    return {"role": role, "content": content}


def _options(game: Game[Any, Any]) -> str:
    values = msgspec.to_builtins(game.options)
    return ", ".join(f"{name} = {msgspec.json.encode(v).decode()}" for name, v in values.items())


def _secret(game: Game[Any, Any], view: View) -> str:
    if view.secret is None:
        return ""
    return f" Your own secret, which your opponent cannot see: {format_secret(game, view.secret)}."


def _asks(game: Game[Any, Any], view: View) -> str:
    # No example of an answer: a model that mixes its choices must not be nudged to one.
    if view.asks == "secret":
        how = "row,column" if game.secret == "cell" else "the numbers, separated by spaces"
        hint = game.secret_hint(_seat(view))
        return f"Choose your secret: {hint}. Write it after ANSWER: as {how}."
    if view.asks == "trap":
        return f"Set a trap on {game.place} {left(view)}, which you just left? Legal answers: y, n"
    what = "Where do you move the Seeker?" if game.moves == "cell" else "How far do you move?"
    return f"{what} Legal answers: {_listed(view)}"


def _listed(view: View) -> str:
    separator = "; " if isinstance(view.legal[0], tuple) else ", "
    return separator.join(format_turn((move,)) for move in view.legal)


def _seat(view: View) -> Seat:
    assert view.seat is not None  # only players are asked
    return view.seat


# --- answers ----------------------------------------------------------------------------


def read_answer(game: Game[Any, Any], view: View, reply: str) -> Move | Secret:
    """The choice on the last line of a reply; a TraplineError says why it cannot be used."""
    lines = [line.strip() for line in reply.splitlines() if line.strip()]
    marked = _ANSWER.fullmatch(lines[-1]) if lines else None
    if marked is None:
        raise InvalidMove("The last line must be ANSWER: and then your answer.")
    text = marked[1].strip()
    if view.asks == "secret":
        return game.check_secret(_seat(view), parse_secret(game, _seat(view), text))
    turn = parse_trap_answer(text) if view.asks == "trap" else parse_turn(game, text)
    if len(turn) > 1:
        raise InvalidMove("Answer with the move alone; a trap is asked for in a second question.")
    if turn[0] not in view.legal:
        said = format_turn(turn)
        raise IllegalMove(f"{said} is not legal here; the legal answers are {_listed(view)}.")
    return turn[0]
