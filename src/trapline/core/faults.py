"""What goes wrong inside somebody's rules, as a sentence that names the place.

A game from outside may raise anything, or never come back. Whoever calls its rules does so
inside `held`, so that a GameError comes out and nothing else is harmed.
"""

from __future__ import annotations

import inspect
import signal
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import get_ident, main_thread
from typing import TYPE_CHECKING, Any

from trapline.core.errors import GameError, TraplineError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from trapline.core.games import Game

SECONDS = 2.0
"""Of computing, after which a rule is taken to go on for ever."""


class _Late(BaseException):
    """Not an Exception: no rule can catch it by mistake."""


def from_outside(kind: type[Game[Any]]) -> bool:
    """Whether a game is not one of this package's own rulebooks."""
    return not kind.__module__.startswith("trapline.")


class deadline:  # noqa: N801 - it is used like a function
    """Interrupt what computes for longer than this, where the platform and the thread allow it.

    Only time that this process computes counts, so a busy machine makes nobody late. The first
    ring is a warning, and half as much time is granted once more: a long garbage collection is no
    rule's fault. After that it rings until it is heard, since Python drops what is raised inside a
    finaliser or a callback of the collector; a ring so dropped is not reported either.
    """

    warned = False
    reports: Callable[[sys.UnraisableHookArgs], object] | None = None

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.armed = False

    def __enter__(self) -> None:
        able = hasattr(signal, "setitimer") and get_ident() == main_thread().ident
        if able and signal.getitimer(signal.ITIMER_VIRTUAL)[0] == 0:
            _listen()
            self.armed = True
            deadline.warned = False
            signal.setitimer(signal.ITIMER_VIRTUAL, self.seconds, self.seconds / 2)

    def __exit__(self, *_: object) -> None:
        if self.armed:
            with suppress(_Late):  # it may ring at this very moment
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            if deadline.reports is not None:
                sys.unraisablehook, deadline.reports = deadline.reports, None


class held:  # noqa: N801 - likewise
    """Turn whatever a game from outside does wrong in here into a GameError that says where."""

    def __init__(self, kind: type[Game[Any]], seconds: float = SECONDS) -> None:
        self.kind = kind
        self.outside = from_outside(kind)
        self.deadline = deadline(seconds)

    def __enter__(self) -> None:
        if self.outside:
            self.deadline.__enter__()

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self.deadline.__exit__()
        if error is None or not self.outside:
            return
        if not isinstance(error, (TraplineError, KeyboardInterrupt, GeneratorExit)):
            raise fault(self.kind, error) from error


@cache
def _listen() -> None:
    """Hear the timer from now on; nothing else in this process uses its signal."""
    signal.signal(signal.SIGVTALRM, _ring)


def _ring(_number: int, _frame: FrameType | None) -> None:
    if deadline.warned:
        raise _Late
    deadline.warned = True
    if deadline.reports is None:
        deadline.reports, sys.unraisablehook = sys.unraisablehook, _report


def _report(dropped: sys.UnraisableHookArgs) -> None:
    if deadline.reports is not None and not issubclass(dropped.exc_type, _Late):
        deadline.reports(dropped)


def is_late(error: BaseException) -> bool:
    """Whether an error is what `deadline` interrupts with."""
    return isinstance(error, _Late)


def fault(kind: type[Game[Any]], error: BaseException) -> GameError:
    """The sentence for an error that came out of a game's rules."""
    return GameError(f"{called(kind)} ({place(kind, error)}) {what(error)}")


def called(kind: type[Game[Any]]) -> str:
    title = getattr(kind, "title", "")
    return title if isinstance(title, str) and title else kind.__name__


def what(error: BaseException) -> str:
    """What an error says, to follow the place where it happened."""
    if isinstance(error, _Late):
        return "goes on for ever: it was stopped."
    if isinstance(error, RecursionError):
        return "calls itself for ever."
    said = " ".join(str(error).split()).rstrip(".")
    return f"fails: {type(error).__name__}{f': {said}' if said else ''}."


def place(kind: type[Game[Any]], error: BaseException) -> str:
    """The line of the game's own files that an error came from; its class if it was none."""
    folder = source(kind).parent
    for name, line, rule in reversed(lines(error)):
        if Path(name).parent == folder:
            return f"{Path(name).name}, line {line}, in {rule}"
    return defined_at(kind)


def lines(error: BaseException) -> list[tuple[str, int, str]]:
    """The file, line and function of every call that an error came through."""
    found, frame = [], error.__traceback__
    while frame is not None:
        code = frame.tb_frame.f_code
        found.append((code.co_filename, frame.tb_lineno, code.co_name))
        frame = frame.tb_next
    return found


def defined_at(kind: type[Any]) -> str:
    """The file and the line where a class begins."""
    try:
        return f"{source(kind).name}, line {inspect.getsourcelines(kind)[1]}"
    except (OSError, TypeError):
        return source(kind).name


def source(kind: type[Any]) -> Path:
    """The file that a class is written in."""
    module = sys.modules.get(kind.__module__)
    return Path(getattr(module, "__file__", None) or kind.__module__)


def rule_at(kind: type[Any], rule: str) -> str:
    """The file and the line where a game's rule begins."""
    for base in kind.__mro__:
        written = vars(base).get(rule)
        if inspect.isfunction(written) and from_outside(base):
            return f"{source(base).name}, line {written.__code__.co_firstlineno}"
    return defined_at(kind)
