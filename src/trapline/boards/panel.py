"""A board without places: facts in a row, such as cards in hand, a pot, prizes, a score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trapline.core import SEATS, Board, Drawing, Picture, Seat, Shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from trapline.core import Names, Viewer


COLUMNS, WIDE, TALL = 3, 112, 68
"""How many tiles stand beside each other in a picture, and how large they are."""
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

    def words(self, names: Names, place: str) -> list[str]:  # noqa: ARG002
        return [f"{_named(fact, names)}: {fact.shown()}." for fact in self.facts]

    def drawing(self, names: Names, viewer: Viewer, *, plain: bool, width: int) -> Drawing:  # noqa: ARG002
        wide = max((len(_named(fact, names)) for fact in self.facts), default=0)
        lines = (f"{_named(fact, names):<{wide}}  {fact.shown()}"[:width] for fact in self.facts)
        return Drawing(tuple(((line, ""),) for line in lines), ())

    def picture(self, names: Names, viewer: Viewer, place: str = "place") -> Picture:  # noqa: ARG002
        """A row of tiles for what is common, and one for each player."""
        shapes: list[Shape] = []
        top = 0
        for owner in (None, *SEATS):
            facts = [fact for fact in self.facts if fact.owner == owner]
            if not facts:
                continue
            if owner is not None:
                shapes += _owner_shapes(owner, names[owner], top)
                top += 26
            column = 0
            for fact in facts:
                columns = min(COLUMNS, 1 + len(fact.shown()) // FITS)
                if column + columns > COLUMNS:
                    column, top = 0, top + TALL
                shapes += _tile(fact, names, column, columns, top)
                column += columns
            top += TALL + 8
        return Picture(COLUMNS * WIDE, max(top, TALL), tuple(shapes))

    def planes(self) -> Mapping[str, int]:
        return {fact.name: fact.most + 1 for fact in self.facts}

    def numbers(self, seat: Seat) -> Mapping[str, Sequence[int]]:  # noqa: ARG002
        return {fact.name: () if fact.value < 0 else (fact.value,) for fact in self.facts}

    def mirrored(self) -> Panel:
        return self


def _owner_shapes(owner: Seat, name: str, top: float) -> Iterator[Shape]:
    kind, size = ("circle", 20) if owner == 1 else ("diamond", 24)
    yield Shape(kind, 16, top + 13, size, size, look="piece", text=str(owner), owner=owner)
    yield Shape("text", 32, top + 13, look="start", text=_cut(name, 36))


def _tile(fact: Fact, names: Names, column: int, columns: int, top: float) -> Iterator[Shape]:
    """One fact: what it is in small letters, and below how it stands."""
    width = columns * WIDE
    x = column * WIDE + width / 2
    hidden = fact.value < 0
    look = "tile hidden" if hidden else "tile"
    yield Shape("rect", x, top + TALL / 2, width - 8, TALL - 8, look=look, owner=fact.owner)
    name = fact.name
    for seat in SEATS if fact.owner else ():  # whose it is stands above the row
        name = name.replace(f"{{{seat}}}'s ", "")
    name = _cut(name.replace("{1}", names[1]).replace("{2}", names[2]), columns * FITS + 4)
    yield Shape("text", x, top + 17, look="faint", text=name)
    text = "?" if hidden else _cut(fact.shown(), columns * FITS)
    yield Shape("text", x, top + 43, id=f"fact {fact.name}", look="big", text=text)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _named(fact: Fact, names: Names) -> str:
    return fact.name.replace("{1}", names[1]).replace("{2}", names[2])
