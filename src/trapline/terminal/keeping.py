"""What is kept: the match on disk, before anything of it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.terminal.saves import SaveError
from trapline.terminal.screen import Asked, Page

if TYPE_CHECKING:
    from trapline.referee import Match
    from trapline.terminal.saves import Saves
    from trapline.terminal.screen import Screen


class Keeper:
    def __init__(self, match: Match, saves: Saves, screen: Screen) -> None:
        self._match = match
        self._saves = saves
        self._screen = screen
        self._told_where = False

    def keep(self, title: str) -> list[str]:
        """Put the match on disk; nothing is shown before that has worked.

        Returns what has to be said about it, if anything.
        """
        while True:
            try:
                path = self._saves.save(self._match)
            except SaveError as error:
                if not self._screen.people or self._gives_up(title, str(error)):
                    raise
            else:
                break
        said, self._saves.remarks = self._saves.remarks, []
        usual = self._saves.folders[0]
        if path.parent == usual or self._told_where:
            return said
        self._told_where = True
        return [*said, f"Nothing can be written to {usual}; the match is in {path.parent}."]

    def _gives_up(self, title: str, problem: str) -> bool:
        page = Page(title, lambda _width, _height: [], [], [], [problem], False)
        again = "Make room and press Enter to try again, or type quit: "
        choices = (("", "Try again"), ("quit", "Stop"))
        return self._screen.ask(page, Asked(again, choices=choices)).strip().lower() == "quit"
