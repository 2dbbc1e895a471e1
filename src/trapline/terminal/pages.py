"""What one moment shows to whoever is looking."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rich.text import Text

from trapline.boards.glyphs import STYLES
from trapline.core import SEATS, SHOWN_DIGITS, Triggered
from trapline.terminal import boards
from trapline.terminal.screen import Page, Seen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trapline.core import Names, Suspicion, View, Viewer, Words
    from trapline.referee import Match
    from trapline.terminal.screen import Screen


OPENING, ENDING, CAUGHT = "dim", "bold bright_green", "bold bright_red"
"""The colours of what is told before the first turn, at the end, and of a trap."""


class Pages:
    """The pages of one match."""

    def __init__(self, match: Match, screen: Screen, *, in_words: bool) -> None:
        self._match = match
        self._screen = screen
        self._in_words = in_words
        self.names: Names = {seat: match.players[seat].name for seat in SEATS}

    @property
    def _shows_digits(self) -> bool:
        """Where they would be read aloud, or only fill the screen, one asks for them ('seals')."""
        return not self._in_words and not self._screen.shows_answers

    def words(self, viewer: Viewer) -> Words:
        game = self._match.game
        return game.words(game, self._match.view(viewer), self.names)

    def page(
        self,
        viewer: Viewer,
        heading: list[str],
        notice: list[str],
        *,
        board_again: bool = False,
        suspected: tuple[Suspicion, ...] = (),
    ) -> Page:
        said = self.words(viewer)
        view = said.view
        sealed = self._match.commitments if self._shows_digits else {}
        opening = [*said.welcome(), *self._opening(said)]
        told = said.account(sealed)
        ending = said.ending(view.outcome) if view.outcome is not None else []
        colours = [OPENING] * len(opening) + _colours(said, sealed, told) + [ENDING] * len(ending)
        return Page(
            self.title,
            partial(self._board, view, board_again),
            [*opening, *told, *ending],
            heading,
            notice,
            board_again,
            Seen(view, self.names, colours, suspected),
        )

    @property
    def title(self) -> str:
        series = self._match.series
        title = f"{self._match.game.title}: {self.names[1]} against {self.names[2]}"
        if series is None:
            return title
        score = f"{series.wins[0]}:{series.wins[1]}"
        return f"{title}, game {series.number} of {series.best_of}, {score}"

    def _board(self, view: View, asked: bool, width: int, height: int) -> list[Text]:
        if not self._in_words:
            return boards.draw_within(
                view.board, self.names, view.seat,
                ascii_only=self._screen.ascii_only, place=self._match.game.place,
                size=(width, height),
            )  # fmt: skip
        if not asked and view.outcome is None:
            return []  # for ears, a board on every turn is too much; the word 'board' tells it
        return [Text(line) for line in view.board.words(self.names, self._match.game.place)]

    def _opening(self, said: Words) -> list[str]:
        match = self._match
        typed = self._screen.people and not self._screen.shows_answers
        lines = ["Type help at any question to see what else you can type."] * typed
        if match.someone_first:
            how = "The toss says that" if match.tossed else "In this game"
            lines.append(f"{how} {self.names[match.first]} moves first.")
        sealed = {seat: match.commitments.get(str(seat)) for seat in SEATS}
        for seat, commitment in sealed.items():
            if commitment is not None:
                digits = f": {commitment[:SHOWN_DIGITS]}" if self._shows_digits else "."
                lines += [*said.selected(seat), f"{self.names[seat]}'s choice is sealed{digits}"]
        return [*lines, "Let the game begin!"] if all(sealed.values()) else lines

    def seals(self) -> list[str]:
        """Every commitment so far, to be compared with what `trapline verify` shows."""
        lines = []
        for key, value in self._match.commitments.items():
            label = self.names[2 if key == "2" else 1] if key in ("1", "2") else key
            lines.append(f"{label}: {value[:SHOWN_DIGITS]}")
        return lines or ["Nothing is sealed yet."]


def _colours(said: Words, sealed: Mapping[str, str], told: list[str]) -> list[str]:
    """Each line in the colour of who it is about; traps stand out."""
    colours = []
    for event, lines in zip(said.view.events, said.told(sealed), strict=True):
        colour = STYLES[event.by].removeprefix("bold ") if event.by else ""
        colours += [CAUGHT if isinstance(event, Triggered) else colour] * len(lines)
    return colours if len(colours) == len(told) else [""] * len(told)
