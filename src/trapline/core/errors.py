"""Errors: each carries one sentence that a player can act on."""

from __future__ import annotations

from typing import Any, Literal

At = int | Literal["record", "options", "secrets"]


def brief(value: object) -> str:
    """A value as a refusal may quote it: never huge, never with control characters."""
    if isinstance(value, int) and abs(value) >= 10**12:
        return "a number that large"
    try:
        text = ascii(value)
    except RecursionError:
        return "something nested that deeply"
    return text if len(text) <= 40 else text[:37] + "..."


class TraplineError(Exception):
    """Something a caller asked for cannot be had; the text says what would be right."""


class OptionsError(TraplineError):
    """These options make no game."""


class GameError(TraplineError):
    """A game from outside cannot be used; the text names the place."""


class InvalidMove(TraplineError):
    """This cannot be read as an answer at all."""


class IllegalMove(TraplineError):
    """This is an answer, but the rules do not allow it here."""


class SecretError(IllegalMove):
    """This secret is not one the rules allow."""


class WrongOpening(IllegalMove):
    """What was sent to open something hidden does not fit what was committed to."""


class NotNow(TraplineError):
    """The call is fine, but not at this moment of the match."""


class Forfeit(TraplineError):
    """A player gives no answer that can be used, and so loses the match."""


class Unavailable(TraplineError):
    """A player cannot be asked now; the match can go on when it can."""

    def __init__(self, sentence: str, player: str = "") -> None:
        super().__init__(sentence)
        self.player = player


class RecordError(TraplineError):
    """A match record cannot be read, or breaks the rules at `at`."""

    def __init__(self, sentence: str, at: At) -> None:
        super().__init__(sentence)
        self.at = at

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.at)
