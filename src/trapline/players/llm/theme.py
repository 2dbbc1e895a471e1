"""The same game under other names and in other words, so that nothing can be remembered.

A theme is drawn from a number: the title becomes a word that does not exist, and the words that
rulebooks are known by become others of the same kind. Numbers, answers and rules stay as they are.
"""

from __future__ import annotations

import re
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trapline.core import Game

WORDS = {
    "trap": ("snare", "pit", "thorn", "spell", "rune"),
    "path": ("ladder", "river", "stair", "ridge", "trail"),
    "maze": ("garden", "cellar", "market", "harbour"),
    "goal": ("beacon", "summit", "shrine", "gate"),
    "position": ("stone", "tile", "rung", "berth"),
    "square": ("plot", "tile", "berth", "ledge"),
    "cell": ("chamber", "field", "nook", "bay"),
    "seeker": ("lantern", "drone", "courier", "raft"),
    "runner": ("sailor", "climber", "pilgrim", "rider"),
    "builder": ("weaver", "mason", "smith", "tailor"),
    "pile": ("basket", "shelf", "crate", "jar"),
    "card": ("token", "ticket", "seal", "shell"),
    "coin": ("bead", "acorn", "button", "pebble"),
}
"""What is told in other words; none of them is an answer to anything."""
SYLLABLES = ("ba", "do", "fe", "gri", "ka", "lo", "mi", "no", "pra", "su", "ti", "vu", "zel", "ro")


class Theme:
    def __init__(self, number: int, game: Game[Any]) -> None:
        rng = Random(f"{number} {game.name}")  # noqa: S311 (a seed must reproduce it)
        self.title = "".join(rng.choice(SYLLABLES) for _ in range(3)).capitalize()
        self._known = re.compile(rf"\b{re.escape(game.title)}\b|\b{re.escape(game.name)}\b")
        taken: set[str] = set()
        self._words: dict[str, str] = {}
        for word, others in WORDS.items():
            self._words[word] = rng.choice([other for other in others if other not in taken])
            taken.add(self._words[word])
        self._themed = re.compile(rf"\b({'|'.join(WORDS)})(s?)\b", re.IGNORECASE)

    def retell(self, text: str) -> str:
        return self._themed.sub(self._other, self._known.sub(self.title, text))

    def _other(self, found: re.Match[str]) -> str:
        word = self._words[found[1].lower()] + found[2]
        if found[1].isupper():
            return word.upper()
        return word.capitalize() if found[1][0].isupper() else word


@lru_cache(maxsize=64)
def theme_of(number: int | None, game: Game[Any]) -> Theme | None:
    """The theme of a number; None leaves the rulebook's own words."""
    return None if number is None else Theme(number, game)
