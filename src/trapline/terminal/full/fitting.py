"""How the lines of a table are shared: by the board, what is said, the answers, and the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Horizontal

from trapline.terminal.full.board import Stage
from trapline.terminal.full.widgets import OfferButton

if TYPE_CHECKING:
    from trapline.terminal.full.table import TableScreen

WIDE = 120
"""Columns from which the log stands beside the board."""
TALL = 30
"""Lines from which the bar names every key."""
TIGHT = 20
"""Lines below which what only adorns gives way: title, edges, and buttons for what the board
offers as well."""
MANY = 9
"""More answers than this get no buttons when the board offers them."""
LOG, LITTLE_LOG = 5, 3
"""Lines of the log that the board leaves free below it, its edge included; and where it must."""
LEGEND = 3
"""Lines that are kept for what a board's signs mean, where there is room."""
FEW = 3
"""Lines of a long hint that are seen at once, however large the board is."""


def is_low(table: TableScreen) -> bool:
    """Whether lines are scarce, so that the bar leaves to `help` what is rarely needed."""
    return table.size.height < TALL


def is_tight(table: TableScreen) -> bool:
    return table.size.height < TIGHT


def fit(table: TableScreen) -> None:
    """Give the board what title, question, keys and a few lines of the log leave."""
    wide = table.size.width >= WIDE
    tight = is_tight(table)
    table.set_class(wide, "wide")
    table.set_class(tight, "tight")
    table.query_one("#title").display = not tight
    parts = [table.query_one(part) for part in ("#title", "#chance", "#asking", "#keys")]
    room = table.size.height - sum(part.outer_size.height for part in parts if part.display)
    width = table.size.width - (44 if wide else 0)
    board, saying = table.board, table.query_one("#saying")
    saying.styles.max_height = None
    height = room
    if not wide:
        height = board.height_for(width, room - LOG, room - (1 if tight else LITTLE_LOG))
    if not wide and _is_advised(table):
        least = board.least_height(width)
        height = max(height, min(least, room))
        most = max(FEW, room + saying.outer_size.height - least)
        needed = table.query_one("#said").get_content_height(table.size, table.size, width - 2)
        saying.styles.max_height = most
        saying.styles.overflow_y = "auto" if needed > most else "hidden"
    board.fit(width, height, LEGEND if wide else 0)
    stage = table.query_one(Stage)
    stage.styles.max_height = None if wide else height
    stage.follow()


def _is_advised(table: TableScreen) -> bool:
    """Whether lines are scarce and something was said of the question: a hint, or a fault."""
    asked = table.asked.question if table.asked is not None else None
    said = table.page is not None and bool(table.page.notice)
    return is_low(table) and asked is not None and said


def board_is_enough(table: TableScreen) -> bool:
    """Whether the answers are seen on the board, so that they need no buttons."""
    offers, there = table.choice.offers, table.choice.places(table.board.spots)
    if not there or len(offers) > MANY or not any(offer.key for offer in offers):
        return bool(there)
    return is_tight(table) and bool(table.choice.wanted) and len(there) == len(offers)


def fit_offers(table: TableScreen) -> None:
    """As many buttons in a row as their words allow."""
    row, buttons = table.query_one("#offers", Horizontal), list(table.query(OfferButton))
    if buttons:
        widest = max(button.wide for button in buttons)
        columns = max(1, min(len(buttons), (table.size.width - 2) // widest))
        row.styles.grid_size_columns = columns
        row.styles.grid_columns = str(widest)
