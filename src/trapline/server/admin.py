"""What an operator does with kept matches: list, export, delete and expire them."""

from __future__ import annotations

import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from trapline.core import TraplineError
from trapline.server.hours import HOURS, ago
from trapline.server.room import Room
from trapline.server.store import StoreError, open_store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import timedelta

    from trapline.referee import Record
    from trapline.server.store import Store

ALL = sys.maxsize


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    """A store that is there already: a name with a slip in it must not become an empty file."""
    if url.startswith("sqlite:") and not Path(url.removeprefix("sqlite:")).exists():
        raise StoreError(f"There is no database {url}; --database says where it is.")
    store = open_store(url)
    await store.open(lambda _match, _version: None, lambda _words: None)
    try:
        await HOURS.agree(store)
        yield store
    finally:
        await store.close()


async def count_unfinished(store: Store) -> int:
    return len(await store.summaries(over=False, limit=ALL))


async def records(store: Store) -> AsyncIterator[tuple[str, Record | TraplineError]]:
    """Every finished match with its record, the oldest first, or with what is wrong with it.

    Unfinished ones hold secrets that somebody may still play by, so they have no record yet.
    """
    for line in reversed(await store.summaries(over=True, limit=ALL)):
        entries = await store.read(line.match)
        if entries:  # else somebody has deleted it meanwhile
            yield line.match, _record(line.match, entries)


def _record(match: str, entries: list[bytes]) -> Record | TraplineError:
    try:
        return Room.read(match, entries).match.record()
    except (TraplineError, msgspec.DecodeError) as error:
        return TraplineError(f"Match {match} cannot be read: {error}")


async def expire(store: Store, older_than: timedelta, spared: str | None = None) -> int:
    """Delete the unfinished matches that nobody has touched for so long; how many they were.

    Those that changed at the time `spared` or later stay, however old they seem.
    """
    cutoff = ago(older_than)
    if spared is not None:
        cutoff = min(cutoff, spared)
    gone = 0
    while old := await store.summaries(over=False, changed_before=cutoff):
        deleted = await store.delete([line.match for line in old], unchanged_since=cutoff)
        gone += deleted
        if not deleted:  # all of them have gone on in this very moment
            break
    return gone
