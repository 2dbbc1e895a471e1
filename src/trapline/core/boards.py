"""What every board can do: be told, drawn in characters, drawn as a picture, laid out as numbers.

A board is what one seat sees, built for that seat. Each kind of board is one file in
`trapline.boards` and answers everything here; nobody else asks which kind a board is.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from trapline.core.events import Place
from trapline.core.seats import Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from trapline.core.seats import Viewer
    from trapline.core.words import Names


class Shape(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing in a picture, around its middle. What keeps its `id` is seen moving."""

    kind: str
    """circle, rect, diamond, triangle, wedge (a triangle upside down), star, rose, flag, a line
    through `points`, or text alone."""
    x: float
    y: float
    width: float = 0
    height: float = 0
    id: str = ""
    look: str = ""
    """Names of styles: place, goal, piece, trap, spent, trail, tile, faint, big, hidden, left."""
    text: str = ""
    label: str = ""
    """What it is: of a place, for those who cannot see it; of anything else, for the legend."""
    place: Place | None = None
    """The place of the board that this shape is; a click there answers with it."""
    owner: Seat | None = None
    points: tuple[tuple[float, float], ...] = ()


class Picture(msgspec.Struct, frozen=True, omit_defaults=True):
    """A board as shapes, in units of its own; later shapes lie on earlier ones."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    fold: float = 0
    """A strip of columns so wide may be folded into rows that run to and fro; 0: never."""
    land: str = ""
    """What it lies in: forest, gorge, desert, ruins, marsh; anything else is open country."""


class Sign(NamedTuple):
    """A sign in a drawing of characters, and what it stands for."""

    sign: str
    meaning: str
    style: str = ""


class Spot(NamedTuple):
    """Where a place lies in a drawing of characters, so that it can be pointed at."""

    place: Place
    line: int
    column: int
    width: int
    height: int


class Drawing(NamedTuple):
    """A board in characters: lines of (text, style) pieces, and what its signs mean."""

    lines: tuple[tuple[tuple[str, str], ...], ...]
    legend: tuple[Sign, ...]
    spots: tuple[Spot, ...] = ()


class Board(msgspec.Struct, frozen=True, gc=False, tag_field="board"):
    """What one seat sees."""

    @abstractmethod
    def words(self, names: Names, place: str) -> list[str]:
        """The board as sentences, one a fact. `place` is the game's word for a place."""

    @abstractmethod
    def drawing(self, names: Names, viewer: Viewer, *, plain: bool, width: int) -> Drawing:
        """The board in characters, at most `width` columns wide; ASCII only if `plain`."""

    @abstractmethod
    def picture(self, names: Names, viewer: Viewer, place: str = "place") -> Picture:
        """The board as shapes. `place` is the game's word for a place."""

    @abstractmethod
    def planes(self) -> Mapping[str, int]:
        """The names and sizes of the parts that `numbers` gives, the same all through a match."""

    @abstractmethod
    def numbers(self, seat: Seat) -> Mapping[str, Sequence[int]]:
        """For each part, which of its numbers are 1, as `seat` is shown them."""

    @abstractmethod
    def mirrored(self) -> Board:
        """The board with the seats exchanged, and reflected where they face each other."""

    def scene(
        self,
        names: Names,
        viewer: Viewer,
        *,
        plain: bool,
        width: int,
        height: int,
    ) -> Drawing:
        """The board in characters for a whole screen: as large as fits, its places to point at."""
        return self.drawing(names, viewer, plain=plain, width=width)

    def index(self, place: Any) -> int:
        """The number of a place in a part that has one number for each."""
        return int(place)

    def mirror(self, place: Any) -> Any:
        """Where a place lies when the seats are exchanged."""
        return place


F = TypeVar("F")


def laid_out_by(writer: Callable[..., None]) -> Callable[[F], F]:
    """For a function that makes a board of numbers: `writer` writes them for compiled rules.

    It takes a row, the seat, and the same numbers, and writes what `numbers` says in the order
    of `planes`: by `mark_place`, `mark_places` and `mark_parts` alone, since a row may be made of
    bits.
    """

    def attach(maker: F) -> F:
        maker.lay_out = writer  # type: ignore[attr-defined]  # the maker remembers its writer
        return maker

    return attach


def mark_place(row: Any, at: int) -> None:
    """Write 1 for one number of a row, which is all 0 before."""
    row[at] = 1


def mark_places(row: Any, at: int, places: int, count: int) -> None:
    """Write a part of `count` numbers that begins at `at`: 1 for each bit of `places`."""
    for place in range(count):
        if places >> place & 1:
            mark_place(row, at + place)


def mark_parts(row: Any, at: int, parts: tuple[int, ...], count: int) -> None:
    """Write parts of `count` numbers each, one after the other from `at`: all at once, which is
    quicker than part by part."""
    for number, places in enumerate(parts):
        mark_places(row, at + number * count, places, count)
