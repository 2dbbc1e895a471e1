"""The rules as a player reads them, from the Markdown page of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trapline.core.games import Game

SHORT = ("The aim", "Your turn")
LEFT_OUT = ("Errata", "First tips")
"""Sections that decide nothing: slips of the rulebook, and advice."""


def in_short(game: Game[Any]) -> list[str]:
    """The aim and the turn, a line a paragraph, for a player in the middle of a game."""
    title, *sections = game.rules().split("\n## ")
    lines: list[str] = []
    for section in sections:
        heading, _, body = section.partition("\n")
        if heading in SHORT:
            lines += _paragraphs(body)
    lines = lines or _paragraphs(title.partition("\n")[2])
    return [*lines, f"All of it: trapline rules {game.name}"]


def deciding(game: Game[Any]) -> str:
    """All that decides the game, in Markdown."""
    title, *sections = game.rules().split("\n## ")
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
