"""How a person presses something: with a pointer, with a finger, or by keys alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator

    Hand = Callable[[Locator], None]

MOST_KEYS = 120

# Which key brings the focus nearer to an element: Tab, or on a board an arrow towards its place.
NEXT_KEY = """(wanted) => {
  const here = document.activeElement;
  if (here === wanted) return '';
  const board = wanted.closest('.canvas');
  if (!board || !board.contains(here) || here === board) return 'Tab';
  const place = (one) => one.dataset.at.split(',').map(Number);
  const [[row, column], [toRow, toColumn]] = [place(here), place(wanted)];
  if (column === undefined) return row < toRow ? 'ArrowRight' : 'ArrowLeft';
  if (row !== toRow) return row < toRow ? 'ArrowDown' : 'ArrowUp';
  return column < toColumn ? 'ArrowRight' : 'ArrowLeft';
}"""


def pointer(thing: Locator) -> None:
    thing.click()


def finger(thing: Locator) -> None:
    thing.tap()


def keys(thing: Locator) -> None:
    """Tab to it, on a board the arrows, and Enter. Nothing is focused but by keys."""
    thing.wait_for()
    for _ in range(MOST_KEYS):
        key = str(thing.evaluate(NEXT_KEY))
        if not key:
            thing.page.keyboard.press("Enter")
            return
        thing.page.keyboard.press(key)
    raise AssertionError(f"No way by keys to {thing}.")
