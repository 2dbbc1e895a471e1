"""The lines at the bottom that name the keys."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual.app import App

from trapline.terminal.full.widgets import KeyBar

if TYPE_CHECKING:
    from textual.app import ComposeResult

ONE = [("q", "leave", "quit")]
MANY = [("r", "rules of this game", "rules"), ("d", "offer a draw", "draw"), *ONE]


class Table(App[None]):
    CSS = "KeyBar { dock: bottom; height: auto; }"

    class ink:  # noqa: N801 (what a bar asks its program for)
        key = "bold"

    def compose(self) -> ComposeResult:
        yield KeyBar()


def test_every_key_is_seen_however_quickly_they_change() -> None:
    """The screen is measured again while one list of keys follows the other."""

    async def play() -> None:
        table = Table()
        async with table.run_test(size=(40, 10)) as pilot:
            bar = table.query_one(KeyBar)
            bar.show(ONE)
            table.screen._refresh_layout()
            bar.show(MANY)
            await pilot.pause()
            await pilot.pause()
            assert bar.size.height == 2

    asyncio.run(play())
