"""What a language model reads, and how its answer is read.

A question is one View in words: the rules, the match so far, the board, the legal answers.
Nothing is carried over from earlier questions, so equal Views give equal prompts, and what
the seat may not know cannot be in one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import BY_SEAT, IllegalMove, InvalidMove, Question, brief, plural
from trapline.core.pages import deciding
from trapline.players.llm.theme import theme_of
from trapline.players.replies import bracketed, marked

if TYPE_CHECKING:
    from trapline.core import Form, Game, View

Message = dict[str, str]

SYSTEM = (
    "You are Player {seat} in a match of {title} against one opponent. Play to win; a draw is "
    "better than a loss. Think as long as you like, but the last line of every reply must be "
    "ANSWER: and then your answer, with nothing after it."
)


def question(game: Game[Any], view: View, theme: int | None = None) -> list[Message]:
    """The messages that put the View's question to a model, in the words of a theme if wanted."""
    words = game.words(game, view)
    happened = [*words.welcome(), f"{BY_SEAT[view.first]} moves first.", *words.account({})]
    if view.turn:
        happened.append(f"{plural(view.turn, 'turn')} of both players together so far.")
    parts = [
        deciding(game),
        "# This match",
        _options(game),
        f"You are Player {view.seat}.{_secret(game, view)}",
        "# What has happened",
        "\n".join(happened),
        "# The board now",
        "\n".join(view.board.words(BY_SEAT, game.place)),
        "# Your question",
        f"{words.question()}{_how(asked(view))}",
    ]
    system = SYSTEM.format(seat=view.seat, title=game.title)
    told = [system, "\n\n".join(filter(None, parts))]
    other = theme_of(theme, game)
    if other is not None:
        told = [other.retell(text) for text in told]
    return [_message("system", told[0]), _message("user", told[1])]


def asked(view: View) -> Question:
    assert view.question is not None  # only players who are asked something are asked
    return view.question


def refusal(game: Game[Any], reason: str, theme: int | None = None) -> str:
    """Why an answer cannot be used, in the words of a theme if wanted."""
    other = theme_of(theme, game)
    return reason if other is None else other.retell(reason)


def correction(reply: str, reason: str) -> list[Message]:
    """An answer that cannot be used, and why."""
    again = f"That answer cannot be used: {reason} Answer the same question again."
    return [_message("assistant", reply), _message("user", again)]


def _message(role: str, content: str) -> Message:
    return {"role": role, "content": content}


def _options(game: Game[Any]) -> str:
    values = msgspec.to_builtins(game.options)
    told = ", ".join(f"{name} = {msgspec.json.encode(v).decode()}" for name, v in values.items())
    return f"The rules above speak of the usual options. In this match they are: {told}." * bool(
        told
    )


def _secret(game: Game[Any], view: View) -> str:
    assert view.seat is not None  # only players are asked
    question = game.question(game.start(view.first), view.seat)
    if view.secret is None or question is None:
        return ""
    secret = question.text(question.value(view.secret))
    return f" Your own {game.words.secret_name}, which your opponent cannot see: {secret}."


def _how(question: Question) -> str:
    """How a set is written; no example, for a model must not be nudged to one of its choices."""
    if not question.choose:
        return ""
    return f" Write them after ANSWER: in any order, separated by {_separator(question)}."


def _separator(question: Question) -> str:
    cells = isinstance(question.answers[0].record, tuple)
    return "semicolons" if cells else "spaces"


# --- answers ----------------------------------------------------------------------------


def read_answer(game: Game[Any], view: View, reply: str) -> Form:
    """The choice on the last line of a reply; a TraplineError says why it cannot be used."""
    found = marked(reply)
    if found is None:
        raise InvalidMove("The last line must be ANSWER: and then your answer.")
    return understood(game, view, bracketed(found) or found)


def understood(game: Game[Any], view: View, text: str) -> Form:
    """The choice that an answer names, without anything around it."""
    question = asked(view)
    text, *more = game.split(text)
    answer = question.parse(text)
    if more:
        raise InvalidMove("Answer this question alone; what follows is asked after it.")
    try:
        return question.record(question.value(answer))
    except IllegalMove as error:
        if question.choose:
            raise
        legal = ", ".join(allowed.text for allowed in question.answers)
        said = f"{brief(answer)} is not legal here; the legal answers are {legal}."
        raise IllegalMove(said) from error
