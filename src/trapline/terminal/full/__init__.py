"""The full screen: keys, arrows and mouse, for a person at a terminal. Nobody else loads it."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

from trapline.terminal.ground import Asking
from trapline.terminal.habits import Habits

if TYPE_CHECKING:
    from trapline.core import First, Game
    from trapline.referee import Match
    from trapline.terminal.saves import Saves


def open_full(
    saves: Saves,
    match: Match | None = None,
    first: First | None = None,
    lesson: type[Game[Any]] | None = None,
) -> int:
    """Give the terminal to the full screen; returns the exit status."""
    gc.disable()  # what is being loaded is no garbage; to look for some takes a quarter of the time
    try:
        with Asking(wanted=Habits.load().ground == "auto") as asking:
            # Nobody else needs it, and while it is loaded the terminal says what it looks like.
            from trapline.terminal.full.app import open_app
        return open_app(saves, match, first, asking.answer, lesson)
    finally:
        gc.enable()
