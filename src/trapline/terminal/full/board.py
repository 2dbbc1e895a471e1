"""Any board, drawn as large as fits, with places to point at."""

from __future__ import annotations

import asyncio
from statistics import fmean
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text
from textual.containers import VerticalScroll
from textual.geometry import Region
from textual.message import Message
from textual.widget import Widget

from trapline.boards.glyphs import STYLES
from trapline.core import Moved, Sign, Triggered
from trapline.terminal import boards

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from textual import events

    from trapline.core import AnyEvent, Board, Drawing, Names, Place, Spot, Suspicion, Viewer
    from trapline.terminal.full.app import TraplineApp
    from trapline.terminal.full.colours import Ink

STEP, HOLD = 0.09, 0.13
"""Seconds that a step takes, and each beat of what happens where it ends."""


NARROWEST = 60
"""Columns that a legend has, however small its board is."""
FIGURES = Sign("%", "hidden there by best play")


class BoardView(Widget):
    """Draws a board; says where somebody has clicked."""

    app: TraplineApp
    can_focus = False

    class Pointed(Message):
        def __init__(self, place: Place) -> None:
            super().__init__()
            self.place = place

    def __init__(self, *, ascii_only: bool = False) -> None:
        super().__init__()
        self._ascii_only = ascii_only
        self._board: Board | None = None
        self._viewer: Viewer = None
        self._names: Names = {}
        self._candidates: Collection[Place] = ()
        self._marked: Collection[Place] = ()
        self._cursor: Place | None = None
        self._lit: dict[Place, str] = {}
        self._suspected: dict[Place, float] = {}
        self._room = (80, 24)
        self._for_legend = 0

    def show(
        self, board: Board, viewer: Viewer, names: Names, suspected: Iterable[Suspicion] = ()
    ) -> None:
        self._board, self._viewer, self._names = board, viewer, names
        self._lit = {}
        self.suspect(suspected)

    def suspect(self, suspected: Iterable[Suspicion]) -> None:
        """What the viewer may believe of places, written where they are."""
        self._suspected = {found.place: found.chance for found in suspected}
        self.refresh(layout=True)

    def point(
        self,
        candidates: Collection[Place] = (),
        marked: Collection[Place] = (),
        cursor: Place | None = None,
    ) -> None:
        """Which places may be chosen, which are, and where the cursor stands."""
        self._candidates, self._marked, self._cursor = candidates, marked, cursor
        self.refresh()

    def fit(self, width: int, height: int, for_legend: int = 0) -> None:
        """The room there is, and the lines that a legend takes even where it needs fewer: so the
        board stays where it is when there is more to explain."""
        if (width, height, for_legend) != (*self._room, self._for_legend):
            self._room, self._for_legend = (width, height), for_legend
            self.refresh(layout=True)

    def height_for(self, width: int, usual: int, most: int) -> int:
        """The usual height, if as much of the board is seen in it as in the most there is."""
        self.fit(width, max(1, most))
        return most if self._height() > usual else usual

    def least_height(self, width: int) -> int:
        """Lines that the board takes where there is no room to spare, its legend included."""
        self.fit(width, 1)
        drawing = self.drawing()
        return len(drawing.lines) + len(boards.legend(drawing, width)) if drawing is not None else 1

    def drawing(self) -> Drawing | None:
        if self._board is None:
            return None
        width, height = self._room
        drawing = self._board.scene(
            self._names, self._viewer, plain=self._ascii_only, width=width, height=height
        )
        legend = (FIGURES, *drawing.legend) if self._suspected else drawing.legend
        return _indented(drawing._replace(legend=legend), self._indent(drawing))

    def _indent(self, drawing: Drawing) -> int:
        """Columns on the left of a board that stands in the middle; what explains it below may
        begin further left, so the board stays where it is when there is more to explain."""
        return 0 if self._for_legend else max(0, self._room[0] - _drawn(drawing)) // 2

    @property
    def spots(self) -> dict[Place, Spot]:
        drawing = self.drawing()
        return {spot.place: spot for spot in drawing.spots} if drawing is not None else {}

    @property
    def cursor_spot(self) -> Spot | None:
        return self.spots.get(self._cursor) if self._cursor is not None else None

    def render(self) -> Group:
        drawing = self.drawing()
        if drawing is None:
            return Group()
        lines = [Text.assemble(*line, no_wrap=True) for line in drawing.lines]
        for spot in drawing.spots:
            if spot.place in self._marked:
                _write(lines, spot, self._mark)
            if spot.place in self._suspected:
                _write(lines, spot, _figure(spot, self._suspected[spot.place]))
            if style := self._style(spot.place):
                for line in lines[spot.line : spot.line + spot.height]:
                    line.stylize(style, spot.column, spot.column + spot.width)
        return Group(*lines, *self._legend(drawing))

    @property
    def _mark(self) -> str:
        """A sign besides the colour: it is seen under the cursor, and in greys."""
        return "x" if self._ascii_only else "●"

    def _style(self, place: Place) -> str:
        if place in self._lit:
            return self._lit[place]
        ink = self.app.ink
        if place == self._cursor:
            return ink.cursor
        if place in self._marked:
            return ink.chosen
        if place in self._candidates:
            return ink.may_be_chosen
        return ink.suspected if place in self._suspected else ""

    def get_content_width(self, container: object, viewport: object) -> int:
        drawing = self.drawing()
        return self._width(drawing) if drawing is not None else 1

    def _width(self, drawing: Drawing) -> int:
        """As wide as the board, whatever is explained below it; all there is, if room is scarce."""
        most = NARROWEST if self._for_legend else self._room[0]
        return max(_drawn(drawing), min(self._room[0], most))

    def _legend(self, drawing: Drawing) -> list[Text]:
        """As much of it as there is room for below the board."""
        width = self._width(drawing) if self._for_legend else self._room[0]
        left = min((_blank(line) for line in drawing.lines), default=0)
        lines = boards.legend(drawing, width)[: max(0, self._room[1] - len(drawing.lines))]
        free = width - max(map(len, lines), default=0)
        return [Text(" " * min(left, free)) + line for line in lines]

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return self._height()

    def _height(self) -> int:
        drawing = self.drawing()
        if drawing is None:
            return 1
        drawn, told = len(drawing.lines), len(self._legend(drawing))
        return max(drawn + told, min(drawn + self._for_legend, self._room[1]))

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is None:
            return
        for spot in self.spots.values():
            across = spot.column <= at.x < spot.column + spot.width
            if across and spot.line <= at.y < spot.line + spot.height:
                self.post_message(self.Pointed(spot.place))

    # --- what happens, as it happens ------------------------------------------------------

    async def play(self, happened: Sequence[AnyEvent]) -> None:
        """Walk, hold, snap: on the board as it was, before the new one is shown."""
        spots = self.spots
        for event in happened:
            for lit, seconds in _beats(event, self.app.ink):
                if all(place in spots for place in lit):
                    await self._light(lit, seconds)
        self._lit = {}

    async def _light(self, lit: dict[Place, str], seconds: float) -> None:
        self._lit = lit
        self.refresh()
        await asyncio.sleep(seconds)


class Stage(VerticalScroll, can_focus=False):
    """Where a board stands; one that is too large for it scrolls, the cursor always in sight."""

    def __init__(self) -> None:
        super().__init__(BoardView(), id="stage")

    def follow(self) -> None:
        spot = self.query_one(BoardView).cursor_spot
        if spot is not None:
            region = Region(spot.column, max(0, spot.line - 1), spot.width, spot.height + 2)
            self.scroll_to_region(region, animate=False)


def _drawn(drawing: Drawing) -> int:
    """Columns that a board takes."""
    return max((sum(len(text) for text, _ in line) for line in drawing.lines), default=1)


def _blank(line: tuple[tuple[str, str], ...]) -> int:
    """Columns of a line before anything stands in it."""
    text = "".join(text for text, _ in line)
    return len(text) - len(text.lstrip())


def _indented(drawing: Drawing, columns: int) -> Drawing:
    lines = tuple(((" " * columns, ""), *line) for line in drawing.lines)
    spots = tuple(spot._replace(column=spot.column + columns) for spot in drawing.spots)
    return drawing._replace(lines=lines, spots=spots)


def _figure(spot: Spot, chance: float) -> str:
    return f"{chance:.0%}" if spot.width > 3 else f"{min(99, round(100 * chance))}"


def _write(lines: list[Text], spot: Spot, said: str) -> None:
    """In an empty line of a place, the middle one if it can be; no sign is covered."""
    start, end = spot.column, spot.column + spot.width
    middle = spot.line + spot.height // 2
    here = range(spot.line, spot.line + spot.height)
    for at in sorted(here, key=lambda line: abs(line - middle)):
        line = lines[at]
        if not line.plain[start:end].strip():
            lines[at] = line[:start] + Text(said.center(spot.width)) + line[end:]
            return


def _beats(event: AnyEvent, ink: Ink) -> Iterator[tuple[dict[Place, str], float]]:
    """What is lit up, and for how long, one after the other."""
    if isinstance(event, Moved) and event.by:
        style = f"{STYLES[event.by]} reverse"
        for place in _way(event.start, event.to):
            yield {place: style}, STEP
        yield {event.to: style}, HOLD
    elif isinstance(event, Triggered):
        for _ in range(3):
            yield {event.at: ink.snap}, HOLD
            yield {}, HOLD / 2
    elif (at := getattr(event, "at", None)) is not None:
        yield {at: ink.chosen}, HOLD
        yield {}, HOLD / 2


def _way(start: Place, to: Place) -> list[Place]:
    """The places that a step passes; from cell to cell it passes none."""
    if isinstance(start, int) and isinstance(to, int):
        way = 1 if to > start else -1
        return list(range(start, to, way))
    return [start]


def nearest(spots: dict[Place, Spot], among: Sequence[Place], at: Place | None, key: str) -> Place:
    """Where an arrow leads from a place, or from the middle of them all: the nearest one that
    lies in that direction."""
    start = [_middle(spots[place]) for place in (among if at is None else [at])]
    x, y = map(fmean, zip(*start, strict=True))
    best, least = among[0] if at is None else at, (float("inf"), float("inf"))
    for place in among:
        right, down = _middle(spots[place])[0] - x, _middle(spots[place])[1] - y
        ahead, aside = {
            "left": (-right, down),
            "right": (right, down),
            "up": (-down, right),
            "down": (down, right),
        }[key]
        if ahead > 0 and (ahead + abs(aside), ahead) < least:
            best, least = place, (ahead + abs(aside), ahead)
    return best


def _middle(spot: Spot) -> tuple[float, float]:
    """Characters are about twice as high as wide."""
    return spot.column + spot.width / 2, 2 * (spot.line + spot.height / 2)
