"""Commands that somebody waits for, read without a framework, which would cost patience.

Only what is plain is read here. Whatever is not, a mistake or a wish for help included, is left to
Typer, which knows what to say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from trapline.cli import opening

TEXT, NUMBER, SEVERAL, FLAG = range(4)

Options = dict[str, tuple[str, int]]
"""How an option is written: its parameter, and what follows it."""

PLAIN: Options = {"--plain": ("plain", FLAG)}
PLAY: Options = {
    **{f"--{name}": (name, TEXT) for name in ("vs", "p1", "p2", "first", "preset")},
    "--seed": ("seed", NUMBER),
    "--best-of": ("best_of", NUMBER),
    "--set": ("settings", SEVERAL),
    **PLAIN,
}


class Command(NamedTuple):
    act: Callable[..., int]
    options: Options
    words: tuple[str, ...] = ()
    """Parameters that stand alone."""
    needed: int = 0
    """How many of them must be there."""


COMMANDS = {
    "play": Command(opening.play, PLAY, ("game",), 1),
    "resume": Command(opening.resume, PLAIN, ("match_id",)),
    "mcp": Command(opening.mcp, {"--server": ("server", TEXT), "--game": ("game", SEVERAL)}),
}
MENU = Command(opening.menu, {})


class Read(NamedTuple):
    """What is to be done, and with what."""

    act: Callable[..., int]
    given: dict[str, object]

    def obey(self) -> int:
        return self.act(**self.given)


def read(arguments: list[str]) -> Read | None:
    """What somebody wants, if that is plain."""
    command = COMMANDS.get(arguments[0]) if arguments else MENU
    if command is None:
        return None
    given: dict[str, object] = {}
    several: dict[str, list[object]] = {}
    words: list[str] = []
    rest = iter(arguments[1:])
    for argument in rest:
        if not argument.startswith("-"):
            words.append(argument)
        elif argument not in command.options:
            return None
        else:
            name, kind = command.options[argument]
            value = True if kind == FLAG else _read_value(next(rest, ""), kind)
            if value is None or name in given:
                return None
            if kind == SEVERAL:
                several.setdefault(name, []).append(value)
            else:
                given[name] = value
    if not command.needed <= len(words) <= len(command.words):
        return None
    return Read(command.act, {**dict(zip(command.words, words, strict=False)), **given, **several})


def _read_value(text: str, kind: int) -> str | int | None:
    if not text or text.startswith("-"):
        return None
    if kind == NUMBER:
        return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None
    return text
