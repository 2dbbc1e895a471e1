"""What a server does by itself now and then, and no more often."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from tests.server.stores import in_loop
from tests.server.tables import table
from tests.server.walls import Wall
from trapline.server import upkeep
from trapline.server.hours import written
from trapline.server.upkeep import SPARED, Upkeep, spare

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


@in_loop
async def test_matches_expire_once_in_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = 0

    async def expire(*_: object) -> int:
        nonlocal times
        times += 1
        begun.set()
        return 0

    begun = asyncio.Event()
    monkeypatch.setattr(upkeep, "expire", expire)
    async with table(tmp_path) as at:
        expiring = asyncio.create_task(Upkeep(at.hub)._expire())
        await begun.wait()
        for _ in range(20):  # another round would have come to its end meanwhile
            await at.store.keep_fact("looked", b"")
        expiring.cancel()
    assert times == 1


@in_loop
async def test_what_bears_a_wrong_time_is_spared_until_the_right_clock_has_run_as_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wall, days = Wall(), timedelta(days=30)

    def ago(passed: timedelta) -> str:
        return written(datetime.fromisoformat(wall()) - passed)

    monkeypatch.setattr(upkeep, "now", wall)
    monkeypatch.setattr(upkeep, "ago", ago)
    async with table(tmp_path) as at:
        keeping = Upkeep(at.hub)
        assert await keeping._spared(days) is None
        await spare(at.hub, wall())
        low = ago(days)
        for passed in (0, 1, 29):
            wall.seconds = passed * 24 * 3600
            assert await keeping._spared(days) == low
        wall.seconds = 31 * 24 * 3600
        assert await keeping._spared(days) is None
        assert await at.store.fact(SPARED) == b""
