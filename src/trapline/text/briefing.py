"""What a player who reads nothing but text is told of a View."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from trapline.core import BY_SEAT

if TYPE_CHECKING:
    from trapline.core import Game, View


class Briefing:
    """One View in sentences; players are called by their seats."""

    def __init__(self, game: Game[Any], view: View) -> None:
        self._game = game
        self._view = view
        self._words = game.words(game, view)

    def news(self, since: int = 0) -> list[str]:
        """What has happened after the first `since` events."""
        events = self._view.events
        if since == len(events):
            return []
        if since == 0:
            return self._words.account({})
        return self._game.words(self._game, replace(self._view, events=events[since:])).account({})

    def position(self) -> list[str]:
        """The board, and what stands between the players: a draw offer, a game to claim."""
        view = self._view
        lines = view.board.words(BY_SEAT, self._game.place)
        if view.draw_offer is not None:
            lines.append(f"{BY_SEAT[view.draw_offer]} offers a draw; to move is to decline it.")
        if view.seat is not None and view.may_claim == view.seat:
            lines.append(
                "You may claim the game: too many of the other player's moves were refused."
            )
        return lines

    def question(self) -> str:
        """What the View's seat is asked, or whom everybody waits for."""
        return self._words.question()

    def ending(self) -> list[str]:
        """How the match ended; nothing while it goes on."""
        outcome = self._view.outcome
        return [] if outcome is None else self._words.ending(outcome)
