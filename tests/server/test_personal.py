"""What one player's key has done, found in whatever else a store holds."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.server.rooms import KEYS
from tests.server.rooms import opened as opening_of
from tests.server.stores import in_loop, opened, put
from trapline.server import log, personal
from trapline.server.messages import NewMatch
from trapline.server.room import Room

if TYPE_CHECKING:
    from pathlib import Path

    from trapline.server.store import Store

OPENING = opening_of(NewMatch("numeric-maze", "link", {}, 1, name="Ann Hathaway"))


async def matches_of(store: Store, key: str) -> list[str]:
    return [match.line.match async for match in personal.played(store, key)]


@in_loop
async def test_who_came_by_a_link_is_forgotten_and_who_opened_the_match_is_not(
    tmp_path: Path,
) -> None:
    joining = Room("m", OPENING).join(OPENING.code or "", "Ben Jonson", KEYS[2])
    async with opened(f"sqlite:{tmp_path}/m.db") as store:
        for version, entry in enumerate((OPENING, joining), 1):
            await put(store, "m", version, log.encode(entry))
        assert await personal.forget(store, KEYS[2]) == (0, 1)
        written = b"".join(await store.read("m")).decode()
        assert "Jonson" not in written
        assert "Hathaway" in written
        assert (await matches_of(store, KEYS[1]), await matches_of(store, KEYS[2])) == (["m"], [])


@in_loop
async def test_all_of_a_players_matches_are_found_the_oldest_first(tmp_path: Path) -> None:
    """However many there are, and although somebody else's is damaged."""
    names = [f"m{number:04}" for number in range(1001)]
    entry = log.encode(OPENING)
    async with opened(f"sqlite:{tmp_path}/m.db") as store:
        await put(store, "damaged", 1, b"{}")
        await asyncio.gather(*(put(store, name, 1, entry, at=name) for name in names))
        assert await matches_of(store, KEYS[1]) == names
