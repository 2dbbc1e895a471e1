"""What a terminal is written on: a light ground or a dark one, where it can be asked."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Callable

QUESTION = b"\x1b]11;?\x1b\\\x1b[c"
"""The colour of the ground; and what kind of terminal this is, which every one answers."""
COLOUR = re.compile(
    rb"\x1b\]11;rgba?:((?:[0-9a-fA-F]+/){2}[0-9a-fA-F]+)[^\x07\x1b]*(?:\x07|\x1b\\)"
)
KIND = re.compile(rb"\x1b\[\?[0-9;]*c")
MUTE = ("linux", "dumb", "")
"""Kinds of terminals that might print the question instead."""
PATIENCE = 0.1
"""Seconds that a terminal has when all else is ready; what it says later counts too."""


class Answer(NamedTuple):
    light: bool | None
    """None where the terminal does not say."""
    typed: str = ""
    """What somebody typed meanwhile; it is not for us to swallow."""
    owed: bool = False
    """Whether the terminal may still answer, when nobody expects it any more."""


class Asking:
    """A question to the terminal at both ends of this program, which answers while something else
    is done; afterwards the terminal is as it was."""

    answer = Answer(None)
    """What it has said, when the question is over."""

    def __init__(self, *, wanted: bool = True) -> None:
        self._wanted = wanted and sys.stdin.isatty() and sys.stdout.isatty()
        self._restore: Callable[[], None] | None = None

    def __enter__(self) -> Self:
        if self._wanted and os.environ.get("TERM") not in MUTE:
            with suppress(ImportError, OSError):  # Windows; a terminal that is gone
                self._ask()
        return self

    def _ask(self) -> None:
        import termios
        import tty

        terminal = sys.stdin.fileno()
        if select.select([terminal], [], [], 0)[0]:
            return  # somebody is ahead of us: their keys are not to be mixed with an answer
        try:
            before = termios.tcgetattr(terminal)
            tty.setcbreak(terminal, termios.TCSANOW)
        except termios.error:
            return
        self._restore = lambda: termios.tcsetattr(terminal, termios.TCSANOW, before)
        os.write(sys.stdout.fileno(), QUESTION)

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        if self._restore is None:
            return
        try:
            if failed is None:
                heard = _read(sys.stdin.fileno())
                self.answer = understood(heard)._replace(owed=KIND.search(heard) is None)
        except OSError:
            pass
        finally:
            self._restore()


def _read(terminal: int) -> bytes:
    """All that has come, until the terminal has said its kind or time is up."""
    heard, end = b"", time.monotonic() + PATIENCE
    while not KIND.search(heard):
        if not select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
            break
        heard += os.read(terminal, 1024)
    return heard


def understood(heard: bytes) -> Answer:
    """What the terminal says of itself, apart from what was typed."""
    typed = KIND.sub(b"", COLOUR.sub(b"", heard)).decode("utf-8", "ignore")
    found = COLOUR.search(heard)
    return Answer(is_light(found[1].decode()) if found is not None else None, typed)


def is_light(colour: str) -> bool:
    """Of a colour as terminals write it, such as ffff/ffff/ffff."""
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in colour.split("/")[:3])
    return bool(0.299 * red + 0.587 * green + 0.114 * blue > 0.5)
