"""What a terminal is written on: a light ground or a dark one, where it can be asked."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from typing import NamedTuple

QUESTION = b"\x1b]11;?\x1b\\\x1b[c"
"""The colour of the ground; and what kind of terminal this is, which every one answers."""
COLOUR = re.compile(
    rb"\x1b\]11;rgba?:([0-9a-fA-F]+)/([0-9a-fA-F]+)/([0-9a-fA-F]+)[^\x07\x1b]*(?:\x07|\x1b\\)"
)
KIND = re.compile(rb"\x1b\[\?[0-9;]*c")
MUTE = ("linux", "dumb", "")
"""Kinds of terminals that might print the question instead."""
PATIENCE = 1.0
"""Seconds that a terminal has to answer; nearly all do at once."""


class Answer(NamedTuple):
    light: bool | None
    """None where the terminal does not say."""
    typed: str = ""
    """What somebody typed meanwhile; it is not for us to swallow."""
    owed: bool = False
    """Whether the terminal may still answer, when nobody expects it any more."""


def ask_terminal() -> Answer:
    """Ask the terminal at both ends of this program; it is left as it was."""
    try:
        import termios
        import tty
    except ImportError:  # Windows
        return Answer(None)
    if not sys.stdin.isatty() or not sys.stdout.isatty() or os.environ.get("TERM") in MUTE:
        return Answer(None)
    ends = sys.stdin.fileno(), sys.stdout.fileno()
    if select.select([ends[0]], [], [], 0)[0]:
        return Answer(
            None
        )  # somebody is ahead of us: their keys are not to be mixed with an answer
    try:
        before = termios.tcgetattr(ends[0])
        tty.setcbreak(ends[0], termios.TCSANOW)
    except termios.error:
        return Answer(None)
    try:
        os.write(ends[1], QUESTION)
        heard = _read(ends[0])
        return understood(heard)._replace(owed=KIND.search(heard) is None)
    except OSError:
        return Answer(None)
    finally:
        termios.tcsetattr(ends[0], termios.TCSANOW, before)


def _read(terminal: int) -> bytes:
    """All that comes until the terminal has said its kind, or time is up."""
    heard, end = b"", time.monotonic() + PATIENCE
    while not KIND.search(heard) and (left := end - time.monotonic()) > 0:
        if select.select([terminal], [], [], left)[0]:
            heard += os.read(terminal, 1024)
    return heard


def understood(heard: bytes) -> Answer:
    """What the terminal says of itself, apart from what was typed."""
    found = COLOUR.search(heard)
    typed = KIND.sub(b"", COLOUR.sub(b"", heard)).decode("utf-8", "ignore")
    if found is None:
        return Answer(None, typed)
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in found.groups())
    return Answer(0.299 * red + 0.587 * green + 0.114 * blue > 0.5, typed)
