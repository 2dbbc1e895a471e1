"""The rules as a player reads them, from the Markdown page of a game."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from trapline.core.games import Game

SHORT = ("The aim", "Your turn")
OPTIONS = "Options"
LEFT_OUT = ("Errata", "First tips")
"""Sections that decide nothing: slips of the rulebook, and advice."""


def in_short(game: Game[Any]) -> list[str]:
    """The aim and the turn, a line a paragraph, for a player in the middle of a game.

    A page of rules speaks of the rulebook's own values, so a variant's stand before it.
    """
    title, *sections = game.rules().split("\n## ")
    lines: list[str] = []
    for section in sections:
        heading, _, body = section.partition("\n")
        if heading in SHORT:
            lines += _paragraphs(body)
    lines = lines or _paragraphs(title.partition("\n")[2])
    return [*in_this_variant(game), *lines, f"All of it: trapline rules {game.name}"]


def in_this_variant(game: Game[Any]) -> list[str]:
    """What differs from the rulebook, a line an option; nothing where nothing does."""
    told = options_told(game)
    lines = []
    for field in msgspec.structs.fields(game.options):
        value = getattr(game.options, field.name)
        if value != field.default:
            meaning = told.get(field.name, "")
            usual = f"{field.name} is {shown(value)} here, usually {shown(field.default)}"
            lines.append(f"- {usual}{': ' if meaning else ''}{meaning}.")
    return ["This is a variant. Where the rules name usual values, these hold:", *lines] * bool(
        lines
    )


def options_told(game: Game[Any] | type[Game[Any]]) -> dict[str, str]:
    """What the page of rules says of each option, in its first sentence."""
    sections = game.rules().split("\n## ")
    body = next((text for text in sections if text.partition("\n")[0] == OPTIONS), "")
    found = (re.match(r"- `(\w+)` \(.*?\): (.*)", line) for line in _paragraphs(body))
    return {item[1]: item[2].split(". ")[0].rstrip(".") for item in found if item}


def option_word(game: Game[Any] | type[Game[Any]], name: str) -> str:
    """What an option means, in a few words."""
    return game.option_words.get(name) or name.replace("_", " ")


def shown(value: Any) -> str:
    """A value as one would type it after `--set NAME=`."""
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def said(value: Any) -> str:
    """A value as a person would say it."""
    return ("yes" if value else "no") if isinstance(value, bool) else shown(value)


def deciding(game: Game[Any]) -> str:
    """All that decides the game, in Markdown."""
    return _deciding(type(game))


@lru_cache(maxsize=64)
def _deciding(kind: type[Game[Any]]) -> str:
    """Read once: whoever plays by text begins every match with this page."""
    title, *sections = kind.rules().split("\n## ")
    kept = [text for text in sections if text.partition("\n")[0] not in LEFT_OUT]
    return "\n## ".join([title, *kept]).strip()


def _paragraphs(body: str) -> list[str]:
    """Join lines that were only wrapped; blank lines and list items begin new ones."""
    paragraphs: list[str] = []
    fresh = True
    for line in body.splitlines():
        if not line.strip():
            fresh = True
        elif fresh or line.startswith("- ") or line[:1].isdigit():
            paragraphs.append(line)
            fresh = False
        else:
            paragraphs[-1] += " " + line.strip()
    return paragraphs
