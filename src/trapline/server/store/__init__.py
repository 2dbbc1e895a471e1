"""Where matches are kept: an append-only log, with (match, version) as its key.

The log is all there is: a match is what its entries make of it when they are read in order.
Beside it stands one line for each match with what lists and expiry need. What an entry means
is none of a store's business.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import msgspec

from trapline.core import TraplineError

if TYPE_CHECKING:
    import asyncio


class StoreError(TraplineError):
    """Something could not be kept or read; nothing has changed.

    The sentence is for the operator: it may say where the database is.
    """


class Damaged(StoreError):
    """The database itself is broken or gone: it will not be well again by itself."""


class Conflict(StoreError):
    """Another process has already written this version of the match."""


Listing = Literal["", "challenge", "watch"]
"""Whether a match is shown to everybody: as a challenge that waits, or as one to watch."""


class Summary(msgspec.Struct, frozen=True):
    """What lists say of a match. Nothing here is secret."""

    match: str
    game: str
    opened: str
    """Times are ISO 8601 in UTC with milliseconds, so that text order is time order."""
    changed: str
    entries: int
    over: bool


class Append(NamedTuple):
    """An entry on its way, as the writer of a store gets it."""

    match: str
    version: int
    entry: bytes
    game: str
    over: bool
    at: str
    listing: Listing


Notice = Callable[[str, int], None]
"""Called in the event loop with a match and a version of it that somebody else wrote.

`notice("", 0)` says that something may have been missed while the database could not be reached:
whoever keeps matches in memory reads all of them again.
"""
Whisper = Callable[[bytes], None]
"""Called in the event loop with what another process has said to all."""


class Store(Protocol):
    shared: bool
    """Whether several processes can use it at once and hear of each other."""

    @property
    def writing(self) -> bool:
        """Whether a thread of this process is about to keep something."""

    async def open(self, notice: Notice, whisper: Whisper) -> None:
        """Connect, bring the schema up to date, and begin to listen."""

    async def close(self) -> None:
        """Write what is waiting, and let go."""

    def append(
        self,
        match: str,
        version: int,
        entry: bytes,
        *,
        game: str,
        over: bool,
        at: str,
        listing: Listing = "",
    ) -> asyncio.Future[Any]:
        """Keep one entry; it is on disk when this has a result. Version 1 opens a match.

        Conflict when that version is there already, StoreError when it cannot be written or would
        leave a gap. Whoever builds one version upon another waits for the first. A call that is
        cancelled may still write.
        """

    async def read(self, match: str, after: int = 0) -> list[bytes]:
        """The entries with a version above `after`, in order; none for a match nobody opened."""

    async def summaries(
        self, *, over: bool | None = None, changed_before: str | None = None, limit: int = 1000
    ) -> list[Summary]:
        """Matches, the one that changed last first."""

    async def listed(self, listing: Listing, limit: int) -> list[str]:
        """Matches that are shown to everybody, the one that changed last first."""

    async def delete(self, matches: Sequence[str], *, unchanged_since: str | None = None) -> int:
        """Remove matches with all their entries; how many there were.

        With `unchanged_since`, those that changed at that time or later stay.
        """

    async def replace(self, match: str, version: int, entry: bytes) -> None:
        """Put another entry in the place of one that is there: an operator takes a name out."""

    async def newest(self) -> str | None:
        """When anything last changed; None where there is no match."""

    async def missing(self, matches: Sequence[str]) -> list[str]:
        """Which of these matches are not kept, or not any more."""

    async def time(self) -> float:
        """Seconds of the epoch, by the clock of all who use this store."""

    async def check(self) -> None:
        """Read and write something, as a move would be; StoreError if that cannot be done."""

    async def fact(self, name: str) -> bytes | None:
        """Something that the server knows about itself, by its name."""

    async def keep_fact(self, name: str, value: bytes, *, once: bool = False) -> None:
        """Keep such a thing; what is to be kept `once` stays what it was."""

    async def say(self, words: bytes) -> None:
        """Tell all other processes something that need not be kept (at most 2,000 bytes)."""


def check_match(match: str) -> None:
    """A name that every database, address and notification can carry."""
    if not is_match_name(match):
        raise StoreError("A match is named by 1 to 64 letters, digits or signs, without spaces.")


def is_match_name(match: str) -> bool:
    return 0 < len(match) <= 64 and match.isascii() and match.isprintable() and " " not in match


def why_not(match: str, version: int, newest: int) -> StoreError | None:
    """What speaks against `version` where `newest` is the last one that is kept."""
    if version == newest + 1:
        return None
    if version <= newest:
        return Conflict(f"Version {version} of match {match} has been written already.")
    if newest == 0:
        return StoreError(f"There is no match {match}, so it cannot go on.")
    return StoreError(f"Version {version} of match {match} cannot follow version {newest}.")


def open_store(url: str, *, serving: bool = False) -> Store:
    """The store behind an address: `sqlite:PATH` or `postgresql://…`.

    One that is `serving` refuses to share what only one process can serve.
    """
    if url.startswith("sqlite:"):
        from trapline.server.store.sqlite import SQLiteStore

        return SQLiteStore(url.removeprefix("sqlite:"), serving=serving)
    if url.startswith(("postgresql://", "postgres://")):
        from trapline.server.store.postgres import PostgresStore

        return PostgresStore(url)
    raise StoreError(
        "A database is sqlite:PATH or postgresql://USER@HOST/NAME; this is neither of them."
    )
