"""What is not carried out: a sentence for people, and a word that programs know it by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.core import (
    GameError,
    IllegalMove,
    InvalidMove,
    NotNow,
    SecretError,
    TraplineError,
)
from trapline.core.faults import fault

if TYPE_CHECKING:
    from trapline.core import Game
    from trapline.server.log import Act
    from trapline.server.messages import Reason


class Refusal(TraplineError):
    """A command that is not carried out; without a key it is news, and answers none."""

    def __init__(self, reason: Reason, sentence: str, *, key: str | None = None) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.key = key

    def answering(self, key: str | None) -> Refusal:
        """The same, as the answer to the command with this key."""
        self.key = key
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.reason, str(self), self.key)


def _again(reason: Reason, sentence: str, key: str | None) -> Refusal:
    return Refusal(reason, sentence, key=key)


class CountedRefusal(Refusal):
    """A refused move that the log must hold all the same, because refusals are counted."""

    def __init__(self, entry: Act, sentence: str, key: str) -> None:
        super().__init__("illegal", sentence, key=key)
        self.entry = entry

    def __reduce__(self) -> tuple[Any, ...]:
        return CountedRefusal, (self.entry, str(self), self.key)


class BrokenRules(Refusal):
    """A rule has failed in the middle of something, so that the room must be read again."""

    def __init__(self, sentence: str, key: str | None = None) -> None:
        super().__init__("broken", sentence, key=key)

    def __reduce__(self) -> tuple[Any, ...]:
        return BrokenRules, (str(self), self.key)


REASONS: tuple[tuple[type[TraplineError], Reason], ...] = (
    (InvalidMove, "invalid"),
    (SecretError, "secret"),
    (IllegalMove, "illegal"),
    (NotNow, "not now"),
)


def refusal_of(error: TraplineError, key: str) -> Refusal:
    for kind, reason in REASONS:
        if isinstance(error, kind):
            return Refusal(reason, str(error), key=key)
    return Refusal("invalid", str(error), key=key)


def broken_rules(
    kind: type[Game[Any]], error: BaseException, key: str | None = None
) -> BrokenRules:
    """What a rule that failed is told as: where it was, and what went wrong there."""
    sentence = str(error) if isinstance(error, GameError) else str(fault(kind, error))
    return BrokenRules(f"{sentence} Nothing has changed.", key)
