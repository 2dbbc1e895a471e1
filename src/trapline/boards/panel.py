"""A board without places: facts in a row, such as cards in hand, a pot, prizes, a score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trapline.core import SEATS, Board, Drawing, Picture, Seat, Shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

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
        """Tiles in rows: first what is common, then under each player's name what is theirs."""
        rows: list[tuple[Seat | None, list[Fact]]] = []
        for owner in (None, *SEATS):
            rows += [(owner, row) for row in _rows(f for f in self.facts if f.owner == owner)]
        width = WIDE * max([2, *(sum(map(_columns, row)) for _, row in rows)])
        shapes: list[Shape] = []
        top, named = 0, None
        for owner, row in rows:
            if owner is not None and owner != named:
                shapes += _owner_shapes(owner, names[owner], width, top)
                top += 26
            x, named = (width - WIDE * sum(map(_columns, row))) / 2, owner
            for fact in row:
                shapes += _tile(fact, names, x, top)
                x += WIDE * _columns(fact)
            top += TALL + 8
        return Picture(width, max(top, TALL), tuple(shapes))

    def planes(self) -> Mapping[str, int]:
        return {fact.name: fact.most + 1 for fact in self.facts}

    def numbers(self, seat: Seat) -> Mapping[str, Sequence[int]]:  # noqa: ARG002
        return {fact.name: () if fact.value < 0 else (fact.value,) for fact in self.facts}

    def mirrored(self) -> Panel:
        return self


def _columns(fact: Fact) -> int:
    """How many columns a fact needs for its letters."""
    return min(COLUMNS, 1 + (len(fact.shown()) - 1) // FITS)


def _rows(facts: Iterable[Fact]) -> Iterator[list[Fact]]:
    row: list[Fact] = []
    for fact in facts:
        if row and sum(map(_columns, row)) + _columns(fact) > COLUMNS:
            yield row
            row = []
        row.append(fact)
    if row:
        yield row


def _owner_shapes(owner: Seat, name: str, width: float, top: float) -> Iterator[Shape]:
    """A player's sign, and beside it the name, in the middle of a row."""
    shown = _cut(name, int(width / 9) - 4)
    kind, size = ("circle", 20) if owner == 1 else ("diamond", 24)
    start = width / 2 - 4 * len(shown)
    yield Shape(kind, start - 16, top + 13, size, size, look="piece", text=str(owner), owner=owner)
    yield Shape("text", start, top + 13, look="start", text=shown)


def _tile(fact: Fact, names: Names, left: float, top: float) -> Iterator[Shape]:
    """One fact: what it is in small letters, and below how it stands."""
    room = _columns(fact) * FITS
    width = WIDE * _columns(fact)
    x = left + width / 2
    hidden = fact.value < 0
    look = "tile hidden" if hidden else "tile"
    yield Shape("rect", x, top + TALL / 2, width - 8, TALL - 8, look=look, owner=fact.owner)
    name = fact.name.replace(f"{{{fact.owner}}}'s ", "")  # whose it is stands above the row
    name = name.replace("{1}", names[1]).replace("{2}", names[2])
    yield Shape("text", x, top + 17, look="faint", text=_cut(name, room + 4))
    text = "?" if hidden else _cut(fact.shown(), room)
    yield Shape("text", x, top + 43, id=f"fact {fact.name}", look="big", text=text)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _named(fact: Fact, names: Names) -> str:
    return fact.name.replace("{1}", names[1]).replace("{2}", names[2])
