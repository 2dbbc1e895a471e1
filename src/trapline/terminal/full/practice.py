"""The live chance: what the player to answer can expect, where the coach knows it."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING

from trapline.core import TraplineError
from trapline.terminal.full.widgets import Wanted

if TYPE_CHECKING:
    from trapline.core import Suspicion, View
    from trapline.terminal.full.table import TableScreen


class Practice:
    """Off until somebody asks for it; never while two people share the screen."""

    def __init__(self) -> None:
        self.on = False

    def may_help(self, table: TableScreen) -> bool:
        people = [player for player in table.match.players.values() if player.bot is None]
        return len(people) == 1 and table.match.outcome is None

    def toggle(self, table: TableScreen) -> None:
        self.on = not self.on
        table.show_chance("")
        table.board.suspect(())
        self.ask(table)

    def ask(self, table: TableScreen) -> None:
        """Work it out beside the screen, and show it if the same question is still open."""
        asked, page = table.asked, table.page
        if not self.on or not self.may_help(table) or asked is None or asked.question is None:
            table.show_chance("")
            return
        if page is None or page.seen is None:
            return
        table.show_chance("Your chance with the best answer: …")
        view = page.seen.view
        Thread(target=self._work_out, args=(table, asked, view), daemon=True).start()

    def _work_out(self, table: TableScreen, asked: object, view: View) -> None:
        told, suspected = _told(view)

        def show() -> None:
            if table.asked is asked and self.on:
                table.show_chance(told)
                table.board.suspect(suspected)

        table.post_message(Wanted(show))  # nobody hears it if the screen is closed meanwhile


def _told(view: View) -> tuple[str, tuple[Suspicion, ...]]:
    """What can be expected, and what may be believed of each place."""
    # Solving is heavy; nobody should load it who does not practise.
    from trapline.coach import advise

    try:
        advice = advise(view)
    except TraplineError as error:
        return str(error), ()
    return advice.chance, advice.suspected
