"""A square grid of cells: a piece that both move, goals, and marks that players leave."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.boards.glyphs import FAINT, STYLES, Glyphs, border, cells, glyphs
from trapline.boards.track import squares
from trapline.core import (
    SEATS,
    Board,
    Cell,
    Drawing,
    Picture,
    Seat,
    Shape,
    Sign,
    Spot,
    laid_out_by,
    mark_parts,
    other,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from trapline.boards.glyphs import Line, Piece
    from trapline.core import Names, Viewer

PLANES = ("seeker", "my_goal", "their_goal", "my_visits", "their_visits")
"""Each has one number a cell, row by row."""

CELLS = ((7, 3), (5, 1), (3, 1))
"""Columns and lines of a cell in characters, the largest first."""
LEGEND = 3
"""Lines above and below the cells: numbers, the last edge, what signs mean."""
SIDE, EDGE = 60, 26
"""Of a cell in a picture, and of the numbers beside the cells."""


class Mark(msgspec.Struct, frozen=True):
    """Something that lies on a cell."""

    at: Cell
    sign: str
    """One character: X, O, a ship."""
    owner: Seat | None
    name: str = ""
    """What the sign stands for."""


class Grid(Board, frozen=True, tag="grid"):
    size: int
    seeker: Cell | None
    """The piece that both players move."""
    goals: tuple[Cell | None, Cell | None]
    """The goal cells the viewer may see."""
    visits: tuple[tuple[Cell, ...], tuple[Cell, ...]] = ((), ())
    """The cells that each player has gone to."""
    marks: tuple[Mark, ...] = ()
    signs: tuple[str, ...] = ()
    """Every sign that marks may have in this game."""

    def index(self, place: Any) -> int:
        """The number of a cell, row by row."""
        return int((place[0] - 1) * self.size + place[1] - 1)

    # --- told ---------------------------------------------------------------------------

    def words(self, names: Names, place: str) -> list[str]:
        lines = [*_seeker_in_words(self.seeker, self.goals, names[1], names[2])]
        for owner in (*SEATS, None) if self.marks else ():
            for name in dict.fromkeys(m.name or m.sign for m in self.marks if m.owner == owner):
                at = [m.at for m in self.marks if m.owner == owner and (m.name or m.sign) == name]
                whose = f"{names[owner]}: {name}" if owner else name
                lines.append(f"{whose} on {', '.join(f'({r},{c})' for r, c in at)}.")
        return lines

    # --- drawn in characters ------------------------------------------------------------

    def drawing(self, names: Names, viewer: Viewer, *, plain: bool, width: int) -> Drawing:
        return self._drawn(names, glyphs(plain), CELLS[-1])

    def scene(
        self,
        names: Names,
        viewer: Viewer,
        *,
        plain: bool,
        width: int,
        height: int,
    ) -> Drawing:
        """In the largest cells that fit; where none do, rows without lines between them."""
        fits = (
            (wide, tall)
            for wide, tall in CELLS
            if 3 + self.size * (wide + 1) <= width and LEGEND + self.size * (tall + 1) <= height
        )
        cell = next(fits, None)
        return self._drawn(names, glyphs(plain), cell or CELLS[-1], ruled=cell is not None)

    def _drawn(
        self, names: Names, signs: Glyphs, cell: tuple[int, int], *, ruled: bool = True
    ) -> Drawing:
        wide, tall = cell
        span = range(1, self.size + 1)
        edges = [signs.across * wide] * self.size
        blank = (("  ", ""), *cells([((" " * wide, ""),)] * self.size, signs))
        numbers = " ".join(str(column).center(wide) for column in span)
        lines: list[Line] = [(("   " + numbers, FAINT),)]
        for row in span:
            corners = signs.corners[0:3] if row == 1 else signs.corners[3:6]
            row_cells = cells([self._cell((row, column), signs, wide) for column in span], signs)
            inside: list[Line] = [blank] * tall
            inside[tall // 2] = ((f"{row} ", FAINT), *row_cells)
            lines += [(("  ", ""), border(edges, corners)), *inside] if ruled else inside
        if ruled:
            lines.append((("  ", ""), border(edges, signs.corners[6:9])))
        down = tall + ruled
        spots = tuple(
            Spot((row, column), 1 + ruled + (row - 1) * down, 3 + (column - 1) * (wide + 1), *cell)
            for row in span
            for column in span
        )
        return Drawing(tuple(lines), tuple(self._legend(names, signs)), spots)

    def _cell(self, cell: Cell, signs: Glyphs, wide: int) -> Line:
        pieces: list[Piece] = [("S" if self.seeker == cell else " ", "bold yellow")]
        pieces += [
            (f"{seat}{signs.goal}", STYLES[seat]) for seat in SEATS if self.goals[seat - 1] == cell
        ]
        pieces += [
            (mark.sign, STYLES[mark.owner] if mark.owner else FAINT)
            for mark in self.marks
            if mark.at == cell
        ]
        room = max(0, wide - sum(len(text) for text, _ in pieces))
        before = room // 2 if wide > CELLS[-1][0] else 0
        return ((" " * before, ""), *pieces, (" " * (room - before), ""))

    def _legend(self, names: Names, signs: Glyphs) -> list[Sign]:
        entries = [Sign("S", "Seeker", "bold yellow")] if self.seeker is not None else []
        for seat in SEATS:
            if self.goals[seat - 1] is not None:
                sign = f"{seat}{signs.goal}"
                entries.append(Sign(sign, f"{names[seat]}'s Goal Cell", STYLES[seat]))
        for sign, owner, name in dict.fromkeys((m.sign, m.owner, m.name) for m in self.marks):
            whose = f"{names[owner]}{': ' if name else ''}" if owner else ""
            entries.append(Sign(sign, f"{whose}{name}", STYLES[owner] if owner else FAINT))
        return entries

    # --- drawn as shapes ----------------------------------------------------------------

    def picture(self, names: Names, viewer: Viewer, place: str = "place") -> Picture:
        """A square of the map, its rows and columns numbered."""
        span = range(1, self.size + 1)
        across = EDGE + SIDE * self.size + 4
        shapes: list[Shape] = []
        for number in span:
            along = EDGE + (number - 0.5) * SIDE
            shapes.append(Shape("text", along, 12, look="faint", text=str(number)))
            shapes.append(Shape("text", 12, along, look="faint", text=str(number)))
        for cell in ((row, column) for row in span for column in span):
            x, y = _middle(cell)
            look = "place odd" if sum(cell) % 2 else "place"
            label = ", ".join([f"row {cell[0]}, column {cell[1]}", *self._found_on(cell, names)])
            shapes.append(
                Shape("rect", x, y, SIDE - 3, SIDE - 3, look=look, label=label, place=cell)
            )
        shapes += self._things(names)
        return Picture(across, across, tuple(shapes))

    def _things(self, names: Names) -> Iterator[Shape]:
        """What lies on the cells: marks, then the Seeker, then goals in a corner on top of it."""
        yield from self._mark_shapes(names)
        if self.seeker is not None:
            x, y = _middle(self.seeker)
            yield Shape("circle", x, y, 34, 34, "seeker", "seeker")
            yield Shape("rose", x, y, 30, 30, "seeker rose", "rose", label="the Seeker")
        for seat in SEATS:
            goal = self.goals[seat - 1]
            if goal is not None:
                x, y = _middle(goal)
                aside = -18 if seat == 1 else 18
                label = f"{names[seat]}'s Goal Cell"
                yield Shape(
                    "flag", x + aside, y - aside, 20, 22, look="flag", text=str(seat), label=label,
                    owner=seat,
                )  # fmt: skip

    def _mark_shapes(self, names: Names) -> Iterator[Shape]:
        """Signs of both players stand on their own sides, so that nothing depends on colour."""
        both = len({mark.owner for mark in self.marks if mark.owner}) == len(SEATS) and (
            len({(m.sign, m.owner) for m in self.marks}) > len({m.sign for m in self.marks})
        )
        for cell in dict.fromkeys(mark.at for mark in self.marks):
            for owner in (*SEATS, None):
                here = [mark for mark in self.marks if mark.at == cell and mark.owner == owner]
                x, y = _middle(cell)
                if both and owner is not None:
                    x += -SIDE / 4 if owner == 1 else SIDE / 4
                for index, mark in enumerate(here):
                    whose = f"{names[owner]}: " if owner else ""
                    yield Shape(
                        "text", x, y + 22 * (index - (len(here) - 1) / 2), look="big",
                        text=mark.sign, label=f"{whose}{mark.name or mark.sign}", owner=owner,
                    )  # fmt: skip

    def _found_on(self, cell: Cell, names: Names) -> list[str]:
        """What is on a cell, in words."""
        found = ["the Seeker"] if self.seeker == cell else []
        found += [f"{names[seat]}'s Goal Cell" for seat in SEATS if self.goals[seat - 1] == cell]
        for mark in self.marks:
            if mark.at == cell:
                whose = f"{names[mark.owner]}: " if mark.owner else ""
                found.append(f"{whose}{mark.name or mark.sign}")
        return found

    # --- as numbers ---------------------------------------------------------------------

    def planes(self) -> Mapping[str, int]:
        marks = (f"{whose}_{sign}" for sign in self.signs for whose in ("my", "their", "any"))
        return dict.fromkeys((*PLANES, *marks), self.size**2)

    def numbers(self, seat: Seat) -> Mapping[str, Sequence[int]]:
        parts: dict[str, Any] = {"seeker": self._cells(self.seeker)}
        for whose, owner in (("my", seat), ("their", other(seat))):
            parts[f"{whose}_goal"] = self._cells(self.goals[owner - 1])
            parts[f"{whose}_visits"] = self._cells(*self.visits[owner - 1])
        for sign in self.signs:
            for whose, by in (("my", seat), ("their", other(seat)), ("any", None)):
                lie = (mark.at for mark in self.marks if (mark.sign, mark.owner) == (sign, by))
                parts[f"{whose}_{sign}"] = self._cells(*lie)
        return parts

    def _cells(self, *found: Cell | None) -> tuple[int, ...]:
        return tuple(self.index(cell) for cell in found if cell is not None)

    # --- mirrored -----------------------------------------------------------------------

    def mirrored(self) -> Grid:
        """The seats exchanged, and the rows turned upside down."""

        def turned(found: tuple[Any, ...]) -> tuple[Any, ...]:
            return tuple(None if cell is None else self.mirror(cell) for cell in found)

        return Grid(
            self.size,
            turned((self.seeker,))[0],
            turned((self.goals[1], self.goals[0])),
            (tuple(sorted(turned(self.visits[1]))), tuple(sorted(turned(self.visits[0])))),
            tuple(
                msgspec.structs.replace(
                    m, at=self.mirror(m.at), owner=other(m.owner) if m.owner else None
                )
                for m in self.marks
            ),
            self.signs,
        )

    def mirror(self, place: Any) -> Any:
        return self.size + 1 - place[0], place[1]


def lay_out(
    row: Any, seat: int, size: int, seeker: int, goals: tuple[int, int], visits: tuple[int, int]
) -> None:
    """What `numbers` says of a board made by `grid` with these numbers, as a row of 0s and 1s."""
    count = size * size
    me, them = seat - 1, 2 - seat
    parts = _one(seeker), _one(goals[me]), _one(goals[them]), visits[me], visits[them]
    mark_parts(row, 0, parts, count)


def _one(cell: int) -> int:
    """A set of one cell, or of none where that is −1."""
    return (1 << cell + 1) >> 1


@laid_out_by(lay_out)
def grid(size: int, seeker: int, goals: tuple[int, int], visits: tuple[int, int]) -> Grid:
    """A Grid from numbers: cells are counted row by row from 0, −1 is none, sets are bits."""
    return Grid(
        size,
        cell_of(size, seeker),
        (cell_of(size, goals[0]), cell_of(size, goals[1])),
        (_cells_of(size, visits[0]), _cells_of(size, visits[1])),
    )


@lru_cache(maxsize=4096)
def _seeker_in_words(
    seeker: Cell | None, goals: tuple[Cell | None, Cell | None], one: str, two: str
) -> tuple[str, ...]:
    """The same few places come up again and again."""
    where = [] if seeker is None else [f"The Seeker is on row {seeker[0]}, column {seeker[1]}."]
    for name, goal in zip((one, two), goals, strict=True):
        if goal is not None:
            where.append(f"{name}'s Goal Cell is row {goal[0]}, column {goal[1]}.")
    return tuple(where)


def _middle(cell: Cell) -> tuple[float, float]:
    return EDGE + (cell[1] - 0.5) * SIDE, EDGE + (cell[0] - 0.5) * SIDE


@cache  # a board has few of them, and to find out which to forget would take longer
def cell_of(size: int, index: int) -> Cell | None:
    return None if index < 0 else (index // size + 1, index % size + 1)


@lru_cache(maxsize=4096)
def _cells_of(size: int, mask: int) -> tuple[Cell, ...]:
    return tuple([(at // size + 1, at % size + 1) for at in squares(mask)])
