"""What tests of stores share: a store in a loop, and what it was told."""

from __future__ import annotations

import asyncio
import functools
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from trapline.server.store import Store, open_store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine

    from trapline.server.store import Listing

AT = "2026-01-01T00:00:00.000Z"


def in_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that is a coroutine, run in an event loop of its own."""

    @functools.wraps(test)
    def run(*args: Any, **named: Any) -> None:
        asyncio.run(test(*args, **named))

    return run


class Ears:
    """What a store said to its process."""

    def __init__(self) -> None:
        self.notices: list[tuple[str, int]] = []
        self.whispers: list[bytes] = []

    def notice(self, match: str, version: int) -> None:
        self.notices.append((match, version))


@asynccontextmanager
async def opened(store: str | Store, ears: Ears | None = None) -> AsyncIterator[Store]:
    ears = ears or Ears()
    held = open_store(store) if isinstance(store, str) else store
    await held.open(ears.notice, ears.whispers.append)
    try:
        yield held
    finally:
        await held.close()


async def put(
    store: Store,
    match: str,
    version: int,
    entry: bytes = b"{}",
    *,
    game: str = "hidden-path",
    over: bool = False,
    at: str = AT,
    listing: Listing = "",
) -> None:
    await store.append(match, version, entry, game=game, over=over, at=at, listing=listing)
