"""A terminal that answers late: what it says of itself must not be taken for keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.events import Key

WHOLE = re.compile(
    r"\^?(?:\]11;(?:rgba?:(?P<colour>[0-9a-fA-F/]+))?[^\x07\\]*[\x07\\]|\[\?[0-9;]*(?P<last>c))|\^?\\"
)
"""The colour of the ground, or the kind of terminal, as it comes in as keys."""
PART = re.compile(r"\^?(?:\](?:1(?:1(?:;[^\x07\\]*)?)?)?|\[(?:\?[0-9;]*)?)?")


class LateReply:
    """Holds back what may be a reply that is owed, until it is seen to be one or not."""

    def __init__(self, *, owed: bool) -> None:
        self._owed = owed
        self._held: list[Key] = []
        self.colour = ""
        """What the ground has been said to be, until somebody has taken it to heart."""

    def let_through(self, key: Key) -> list[Key]:
        """The keys that somebody has pressed, now that this one has come in."""
        if not self._owed:
            return [key]
        self._held.append(key)
        text = "".join(held.character or " " for held in self._held)
        if found := WHOLE.fullmatch(text):
            self.colour = found["colour"] or self.colour
            self._owed = found["last"] is None  # a terminal says its kind after all else
            self._held = []
            return []
        if PART.fullmatch(text):
            return []
        pressed, self._held = self._held, []
        return pressed
