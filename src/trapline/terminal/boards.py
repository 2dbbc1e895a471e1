"""Boards as text, drawn for eyes. Pure functions of what a View shows.

Colour only repeats what a character already says. Player 1's things stand on the left of a
square and Player 2's on the right, so a square can hold both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from trapline.core import SEATS, Grid, Seat, Track

if TYPE_CHECKING:
    from trapline.core import Board, View
    from trapline.words.boards import Names

STYLES: dict[Seat, str] = {1: "bold cyan", 2: "bold magenta"}


class Glyphs(NamedTuple):
    traps: tuple[str, str]
    spent: tuple[str, str]
    public: str
    goal: str
    across: str
    down: str
    corners: str
    """Nine characters: top, middle and bottom line, each with its left, inner and right one."""


UNICODE = Glyphs(("▲", "▼"), ("△", "▽"), "◆", "★", "─", "│", "┌┬┐├┼┤└┴┘")
ASCII = Glyphs(("^", "v"), ("x", "x"), "#", "*", "-", "|", "+++++++++")


def draw(view: View, names: Names, width: int, glyphs: Glyphs) -> list[Text]:
    """The board and its legend, no line longer than `width`."""
    board = view.board
    lines = (
        _draw_track(board, width, glyphs) if isinstance(board, Track) else _draw_grid(board, glyphs)
    )
    return lines + _legend(board, names, width, glyphs)


# --- a track ----------------------------------------------------------------------------


def _draw_track(board: Track, width: int, glyphs: Glyphs) -> list[Text]:
    squares = board.length + 1
    rows = -(-squares // max(1, (width - 1) // 3))
    per_row = -(
        -squares // rows
    )  # rows of nearly equal length look calmer than one long, one short
    lines = []
    for start in range(0, squares, per_row):
        lines += _track_row(board, range(start, min(start + per_row, squares)), glyphs)
    return lines


def _track_row(board: Track, squares: range, glyphs: Glyphs) -> list[Text]:
    numbers = Text(" " + " ".join(f"{square:>2}" for square in squares), style="dim")
    top = _border([glyphs.across * 2] * len(squares), glyphs.corners[0:3])
    tokens = _cells([_tokens(board, square) for square in squares], glyphs)
    traps = _cells([_traps_on(board, square, glyphs) for square in squares], glyphs)
    bottom = _border([_goal_edge(board, square, glyphs) for square in squares], glyphs.corners[6:9])
    return [numbers, top, tokens, traps, bottom]


def _tokens(board: Track, square: int) -> Text:
    cell = Text()
    for seat in SEATS:
        here = board.positions[seat - 1] == square
        cell.append(str(seat) if here else " ", STYLES[seat])
    return cell


def _traps_on(board: Track, square: int, glyphs: Glyphs) -> Text:
    here = {trap.owner: trap for trap in board.traps if trap.at == square}
    if None in here:
        return Text(f"{glyphs.public} ", "red")
    cell = Text()
    for seat in SEATS:
        trap = here.get(seat)
        if trap is None:
            cell.append(" ")
        elif trap.live:
            cell.append(glyphs.traps[seat - 1], STYLES[seat])
        else:
            cell.append(glyphs.spent[seat - 1], "dim")
    return cell


def _goal_edge(board: Track, square: int, glyphs: Glyphs) -> str:
    """A goal is marked on the lower edge, where nothing else can cover it."""
    seats = [seat for seat in SEATS if board.goals[seat - 1] == square]
    if len(seats) == 1:
        return f"{seats[0]}{glyphs.goal}"
    return glyphs.goal * 2 if seats else glyphs.across * 2


def _border(edges: list[str], corners: str) -> Text:
    return Text(corners[0] + corners[1].join(edges) + corners[2], "dim")


def _cells(cells: list[Text], glyphs: Glyphs) -> Text:
    bar = Text(glyphs.down, "dim")
    return bar + bar.join(cells) + bar


# --- a grid -----------------------------------------------------------------------------


def _draw_grid(board: Grid, glyphs: Glyphs) -> list[Text]:
    span = range(1, board.size + 1)
    edges = [glyphs.across * 3] * board.size
    header = Text("   " + " ".join(f" {column} " for column in span), "dim")
    lines = [header]
    for row in span:
        corners = glyphs.corners[0:3] if row == 1 else glyphs.corners[3:6]
        cells = _cells([_grid_cell(board, row, column, glyphs) for column in span], glyphs)
        lines += [Text("  ") + _border(edges, corners), Text(f"{row} ", "dim") + cells]
    return [*lines, Text("  ") + _border(edges, glyphs.corners[6:9])]


def _grid_cell(board: Grid, row: int, column: int, glyphs: Glyphs) -> Text:
    cell = Text("S" if board.seeker == (row, column) else " ", "bold yellow")
    for seat in SEATS:
        if board.goals[seat - 1] == (row, column):
            cell.append(f"{seat}{glyphs.goal}", STYLES[seat])
    cell.pad_right(3 - len(cell))
    return cell


# --- what the signs mean ----------------------------------------------------------------


def _legend(board: Board, names: Names, width: int, glyphs: Glyphs) -> list[Text]:
    entries = []
    if isinstance(board, Grid):
        entries.append(Text("S", "bold yellow") + Text(" Seeker"))
        for seat in SEATS:
            if board.goals[seat - 1] is not None:
                sign = Text(f"{seat}{glyphs.goal}", STYLES[seat])
                entries.append(sign + Text(f" {names[seat]}'s Goal Cell", ""))
    else:
        entries += [Text(str(seat), STYLES[seat]) + Text(f" {names[seat]}", "") for seat in SEATS]
        for seat in SEATS:
            if any(trap.owner == seat and trap.live for trap in board.traps):
                sign = Text(glyphs.traps[seat - 1], STYLES[seat])
                entries.append(sign + Text(f" {names[seat]}'s trap", ""))
        if any(trap.owner is None for trap in board.traps):
            entries.append(Text(glyphs.public, "red") + Text(" trap", ""))
        spent = dict.fromkeys(
            glyphs.spent[trap.owner - 1] for trap in board.traps if trap.owner and not trap.live
        )
        if spent:
            entries.append(Text(f"{' '.join(spent)} sprung, safe now", "dim"))
        entries.append(Text(f"{glyphs.goal} goal"))
    return _flow(entries, width)


def _flow(entries: list[Text], width: int) -> list[Text]:
    """Entries side by side, on as many lines as they need."""
    lines = [entries[0].copy()]
    for entry in entries[1:]:
        if len(lines[-1]) + 3 + len(entry) <= width:
            lines[-1].append("   ").append_text(entry)
        else:
            lines.append(entry.copy())
    for line in lines:
        line.truncate(width)
    return lines
