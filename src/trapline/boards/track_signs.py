"""A track in characters: squares in rows, with what stands and lies on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.boards.glyphs import FAINT, STYLES, Glyphs, border, cells
from trapline.core import SEATS, Drawing, Seat, Sign, Spot

if TYPE_CHECKING:
    from trapline.boards.glyphs import Line, Piece
    from trapline.boards.track import Track, Trap
    from trapline.core import Names

Pair = tuple[int, int]

SMALL, LARGE = (2, 2), (11, 5)
"""Columns and lines of a square in characters, at least and at most."""
EDGES = 6
"""Lines of a drawing that are no part of a square: numbers, edges, legend."""


def drawn(track: Track, names: Names, signs: Glyphs, width: int, cell: Pair) -> Drawing:
    squares = track.length + 1
    rows = -(-squares // max(1, (width - 1) // (cell[0] + 1)))
    per_row = -(-squares // rows)  # rows of nearly equal length look calmer
    lines: list[Line] = []
    spots: list[Spot] = []
    for start in range(0, squares, per_row):
        here = range(start, min(start + per_row, squares))
        spots += [
            Spot(square, len(lines) + 2, 1 + index * (cell[0] + 1), *cell)
            for index, square in enumerate(here)
        ]
        lines += _row(track, here, signs, cell)
    return Drawing(tuple(lines), tuple(_legend(track, names, signs)), tuple(spots))


def _row(track: Track, squares: range, signs: Glyphs, cell: Pair) -> list[Line]:
    wide, tall = cell
    edges = [_goal_edge(track, square, signs).center(wide, signs.across) for square in squares]
    blank = cells([((" " * wide, ""),)] * len(squares), signs)
    return [
        ((" " + " ".join(f"{square:>2}".center(wide) for square in squares), FAINT),),
        (border([signs.across * wide] * len(squares), signs.corners[0:3]),),
        cells([_pieces_on(track, square, wide) for square in squares], signs),
        *[blank] * (tall - 2),
        cells([_traps_on(track, square, signs, wide) for square in squares], signs),
        (border(edges, signs.corners[6:9]),),
    ]


def _pieces_on(track: Track, square: int, wide: int) -> Line:
    """Where there is room, pieces are discs of colour."""
    disc = " reverse" if wide > SMALL[0] else ""
    line: list[Piece] = []
    for seat in SEATS:
        half = _half(seat, wide)
        here = track.positions[seat - 1] == square
        line.append((str(seat).center(half), STYLES[seat] + disc) if here else (" " * half, ""))
    return tuple(line)


def _traps_on(track: Track, square: int, signs: Glyphs, wide: int) -> Line:
    here = {trap.owner: trap for trap in track.traps if trap.at == square}
    if None in here:
        return ((signs.public.center(wide), "red"),)
    line: list[Piece] = []
    for seat in SEATS:
        sign, style = _trap_sign(here.get(seat), seat, signs)
        line.append((sign.center(_half(seat, wide)), style))
    return tuple(line)


def _goal_edge(track: Track, square: int, signs: Glyphs) -> str:
    """A goal is marked on the lower edge, where nothing else can cover it."""
    seats = [seat for seat in SEATS if track.goals[seat - 1] == square]
    if len(seats) == 1:
        return f"{seats[0]}{signs.goal}"
    return signs.goal * 2 if seats else signs.across * 2


def _legend(track: Track, names: Names, signs: Glyphs) -> list[Sign]:
    entries = [Sign(str(seat), names[seat], STYLES[seat]) for seat in SEATS]
    entries += [
        Sign(signs.traps[seat - 1], f"{names[seat]}'s trap", STYLES[seat])
        for seat in SEATS
        if any(trap.owner == seat and trap.live for trap in track.traps)
    ]
    if any(trap.owner is None for trap in track.traps):
        entries.append(Sign(signs.public, "trap", "red"))
    spent = dict.fromkeys(
        signs.spent[trap.owner - 1] for trap in track.traps if trap.owner and not trap.live
    )
    if spent:
        entries.append(Sign(" ".join(spent), "sprung, safe now", FAINT))
    return [*entries, Sign(signs.goal, "goal")]


def _half(seat: Seat, wide: int) -> int:
    """Columns of a square that belong to a seat: Player 2's are the right ones."""
    return wide // 2 if seat == 1 else wide - wide // 2


def _trap_sign(trap: Trap | None, seat: Seat, signs: Glyphs) -> Piece:
    if trap is None:
        return " ", ""
    return (signs.traps[seat - 1], STYLES[seat]) if trap.live else (signs.spent[seat - 1], FAINT)
