"""How many moves a store keeps each second: `python bench/store.py sqlite:PATH` (an empty one).

Every caller has matches of its own and waits until each entry is on disk before the next.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import time

from trapline.server.store import Store, open_store

SECONDS = 3.0
ENTRY = os.urandom(150)
AT = "2026-01-01T00:00:00.000Z"


async def caller(store: Store, until: float) -> int:
    """Matches of thirty entries, one after the other; how many entries were kept."""
    kept = 0
    while True:
        match = secrets.token_urlsafe(9)
        for version in range(1, 31):
            if time.perf_counter() > until:
                return kept
            await store.append(match, version, ENTRY, game="hidden-path", over=version == 30, at=AT)
            kept += 1


async def measure(store: Store, callers: int) -> None:
    cpu, began = time.process_time(), time.perf_counter()
    kept = sum(await asyncio.gather(*(caller(store, began + SECONDS) for _ in range(callers))))
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    print(
        f"{callers:4} callers: {kept / seconds:7,.0f} appends/s, "
        f"{cpu / kept * 1e6:5.0f} µs of this process's CPU for each"
    )


async def main(url: str) -> None:
    store = open_store(url)
    await store.open(lambda _match, _version: None, lambda _words: None)
    try:
        for callers in (1, 10, 200, 1000):
            await measure(store, callers)
    finally:
        await store.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
