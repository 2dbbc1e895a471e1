"""Plain requests take turns, and leave time for moves to be written."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.server.stores import in_loop
from trapline.server import turns

if TYPE_CHECKING:
    import pytest


class Request:
    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.begun = False

    def begin(self) -> None:
        self.begun = True

    def wait(self) -> None:
        assert not self.begun


async def begun(*, writing: bool) -> int:
    """How many of a hundred are begun before any time passes."""
    taking, all_of_them = turns.Turns(lambda: writing), [Request() for _ in range(100)]
    for one in all_of_them:
        taking.ask(one)
    for _ in range(200):
        await asyncio.sleep(0)
    return sum(one.begun for one in all_of_them)


@in_loop
async def test_requests_let_a_move_be_written_before_more_of_them_are_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "A_MOMENT", 3_600.0)
    assert await begun(writing=False) == 100
    assert await begun(writing=True) <= 2 * turns.AT_ONCE
    monkeypatch.setattr(turns, "A_MOMENT", 0.0)
    assert await begun(writing=True) == 100, "however long it takes to write"


@in_loop
async def test_who_has_left_has_no_turn() -> None:
    taking, all_of_them = turns.Turns(lambda: False), [Request() for _ in range(20)]
    for one in all_of_them:
        taking.ask(one)
    taking.leave(all_of_them[-1])
    for _ in range(50):
        await asyncio.sleep(0)
    assert [one.begun for one in all_of_them] == [True] * 19 + [False]
