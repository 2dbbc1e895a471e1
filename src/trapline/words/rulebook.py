"""The rules as the player reads them, from the Markdown page of each game."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trapline.core import Game

SHORT = ("The aim", "Your turn")


def page(name: str) -> str:
    """The whole page of a game, in Markdown."""
    return resources.files("trapline").joinpath("rules", f"{name}.md").read_text("utf-8")


def in_short(game: Game[Any, Any]) -> list[str]:
    """The aim and the turn, a line a paragraph, for a player in the middle of a game."""
    lines: list[str] = []
    for section in page(game.name).split("\n## "):
        title, _, body = section.partition("\n")
        if title in SHORT:
            lines += _paragraphs(body)
    return [*lines, f"All of it: trapline rules {game.name}"]


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
