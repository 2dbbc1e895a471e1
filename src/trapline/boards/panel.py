"""A board without places: facts in a row, such as cards in hand, a pot, prizes, a score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trapline.core import SEATS, Board, Drawing, Picture, Seat, Shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from trapline.core import Names, Viewer


COLUMNS, WIDE, TALL, NAME = 3, 112, 68, 28
"""How many tiles stand beside each other in a picture, how large they are, and the names above."""
FITS = 10
"""Large letters in a tile."""


class Fact(msgspec.Struct, frozen=True):
    name: str
    """What it is: `{1}` and `{2}` stand for the players."""
    value: int
    """Its number, from 0 to `most`; −1 where the viewer may not see it."""
    most: int
    text: str = ""
    """How it is shown; the number itself if empty."""
    owner: Seat | None = None

    def __post_init__(self) -> None:
        """What is hidden has no text either, whatever the game has written there."""
        if self.value < 0:
            msgspec.structs.force_setattr(self, "text", "")

    def shown(self) -> str:
        return "hidden" if self.value < 0 else self.text or str(self.value)


class Panel(Board, frozen=True, tag="panel"):
    facts: tuple[Fact, ...]
    """Always the same facts in the same order, whoever looks and whenever."""

    def words(self, names: Names, place: str) -> list[str]:
        return [f"{_named(fact, names)}: {fact.shown()}." for fact in self.facts]

    def drawing(self, names: Names, viewer: Viewer, *, plain: bool, width: int) -> Drawing:
        wide = max((len(_named(fact, names)) for fact in self.facts), default=0)
        lines = (f"{_named(fact, names):<{wide}}  {fact.shown()}"[:width] for fact in self.facts)
        return Drawing(tuple(((line, ""),) for line in lines), ())

    def picture(self, names: Names, viewer: Viewer, place: str = "place") -> Picture:
        """Tiles in rows: first what is common, then under each player's name what is theirs."""
        bands = [[(owner, row)] for owner in (None, *SEATS) for row in self._rows(owner)]
        own = [band[0] for band in bands if band[0][0] is not None]
        if len(own) == len(SEATS) and sum(_columns(row) for _, row in own) <= COLUMNS:
            bands = [*bands[: -len(own)], own]  # both fit side by side
        width = WIDE * max([2, *(sum(_columns(row) for _, row in band) for band in bands)])
        shapes: list[Shape] = []
        top, named = 0.0, set[Seat | None]((None,))
        for band in bands:
            names_here = not named.issuperset(owner for owner, _ in band)
            left = (width - WIDE * sum(_columns(row) for _, row in band)) / 2
            for owner, row in band:
                wide = WIDE * _columns(row)
                if owner is not None and owner not in named:
                    shapes += _owner_shapes(owner, names[owner], left, wide, top)
                shapes += _tiles(row, names, left, top + NAME * names_here)
                named.add(owner)
                left += wide
            top += TALL + NAME * names_here + 6
        return Picture(width, max(top, TALL), tuple(shapes))

    def _rows(self, owner: Seat | None) -> Iterator[list[Fact]]:
        """What belongs to a player, or to both, as many tiles in a row as fit."""
        row: list[Fact] = []
        for fact in self.facts:
            if fact.owner != owner:
                continue
            if row and _columns([*row, fact]) > COLUMNS:
                yield row
                row = []
            row.append(fact)
        if row:
            yield row

    def planes(self) -> Mapping[str, int]:
        return {fact.name: fact.most + 1 for fact in self.facts}

    def numbers(self, seat: Seat) -> Mapping[str, Sequence[int]]:
        return {fact.name: () if fact.value < 0 else (fact.value,) for fact in self.facts}

    def mirrored(self) -> Panel:
        return self


def _columns(row: Sequence[Fact]) -> int:
    """How many columns facts need for their letters."""
    return sum(min(COLUMNS, 1 + (len(fact.shown()) - 1) // FITS) for fact in row)


def _owner_shapes(owner: Seat, name: str, left: float, width: float, top: float) -> Iterator[Shape]:
    """A player's sign and name, in the middle above what is theirs."""
    shown = _cut(name, int((width - 32) / 8))
    kind, size = ("circle", 20) if owner == 1 else ("diamond", 24)
    start = left + width / 2 + 14 - 4 * len(shown)
    middle = top + NAME / 2
    yield Shape(kind, start - 16, middle, size, size, look="piece", text=str(owner), owner=owner)
    yield Shape("text", start, middle, look="start", text=shown)


def _tiles(row: list[Fact], names: Names, left: float, top: float) -> Iterator[Shape]:
    """For each fact what it is in small letters, and below how it stands."""
    for fact in row:
        columns = _columns([fact])
        width, room = WIDE * columns, FITS * columns
        x, hidden = left + width / 2, fact.value < 0
        look = "tile hidden" if hidden else "tile"
        yield Shape("rect", x, top + TALL / 2, width - 8, TALL - 8, look=look, owner=fact.owner)
        name = fact.name.replace(f"{{{fact.owner}}}'s ", "")  # whose it is stands above the row
        name = name.replace("{1}", names[1]).replace("{2}", names[2])
        yield Shape("text", x, top + 17, look="faint", text=_cut(name, room + 4))
        text = "?" if hidden else _cut(fact.shown(), room)
        yield Shape("text", x, top + 43, id=f"fact {fact.name}", look="big", text=text)
        left += width


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _named(fact: Fact, names: Names) -> str:
    return fact.name.replace("{1}", names[1]).replace("{2}", names[2])
