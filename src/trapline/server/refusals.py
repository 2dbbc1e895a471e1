"""What is not carried out: a sentence for people, and a word that programs know it by."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trapline.core import IllegalMove, InvalidMove, NotNow, SecretError, TraplineError

if TYPE_CHECKING:
    from trapline.core import Game
    from trapline.server.log import Act
    from trapline.server.messages import Reason


class Refusal(TraplineError):
    """A command that is not carried out."""

    def __init__(self, reason: Reason, sentence: str, *, key: str | None = None) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.key = key

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


def broken_rules(game: Game[Any], error: BaseException, key: str | None = None) -> BrokenRules:
    """What a rule that failed is told as: where it was in the game's file, and what went wrong."""
    own = inspect.getfile(type(game))
    place = ""
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if not place or code.co_filename == own:
            place = f"{Path(code.co_filename).name}, line {trace.tb_lineno}, in {code.co_name}"
        trace = trace.tb_next
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return BrokenRules(
        f"The rules of {game.title} failed ({place}: {what[:200]}). Nothing has changed.", key
    )
