"""What players may call themselves: something that every screen shows and none obeys."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from trapline.core import OptionsError
from trapline.server.refusals import Refusal

BLANK = frozenset("\u034f\u115f\u17b4\u17b5\u2800\u3164\uffa0\U00013441\U00013442\U0001d159")
"""Letters and signs that take their place and show nothing."""
PARTS = (range(0x1160, 0x1200), range(0xD7B0, 0xD800))
"""Vowels and ends of Korean syllables that make none with what is before them: drawn over it, or
not at all. Syllables are letters of their own by the time we look."""
SELECTORS = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0000, 0x110000))
"""Signs that choose a look of the one before them, tags, and what anybody may use as they like."""
MOST_MARKS = 2
"""Signs above or below one letter; more of them would cover the lines around it."""


def printable(name: str) -> str:
    """What can be shown of a name; empty where nothing of it can be seen."""
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", name):
        marks = marks + 1 if unicodedata.category(letter)[0] == "M" else 0
        hidden = letter in BLANK or any(ord(letter) in some for some in (*PARTS, *SELECTORS))
        if letter.isprintable() and not hidden and marks <= MOST_MARKS and (kept or not marks):
            kept.append(letter)
    return "".join(kept).strip()


def folded(text: str) -> str:
    """A text as people read it who do not mind capitals, accents, spaces and signs."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(letter for letter in plain if letter.isalnum())


class Names:
    """The names that an operator allows. The file may be edited while the server runs."""

    def __init__(self, file: str) -> None:
        self._file = Path(file) if file else None
        self._read_at = -1
        self._words: tuple[str, ...] = ()
        if self._file is not None and not self._file.is_file():
            raise OptionsError(f"There is no file {file}; TRAPLINE_NAMES is a list of words.")

    def clean(self, name: str) -> str:
        """A name as it will be shown; Refusal if it holds a word of the list."""
        shown = printable(name)
        plain = folded(shown)
        if any(word in plain for word in self._forbidden()):
            raise Refusal("invalid", "This name is not wanted here: choose another one.")
        return shown

    def _forbidden(self) -> tuple[str, ...]:
        if self._file is not None:
            try:
                changed = self._file.stat().st_mtime_ns
                if changed != self._read_at:
                    lines = self._file.read_text("utf-8").splitlines()
                    words = (folded(line) for line in lines if not line.startswith("#"))
                    self._words = tuple(word for word in words if word)
                    self._read_at = changed
            except (OSError, UnicodeError):  # being replaced: the words we have still hold
                pass
        return self._words
