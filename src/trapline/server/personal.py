"""What one player's key has done: to be handed out, or to be forgotten, when its owner asks."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trapline.core import SEATS
from trapline.server import log
from trapline.server.seating import hash_key

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from trapline.core import Seat
    from trapline.server.store import Store, Summary


class Played(NamedTuple):
    """A match in which a key has a seat."""

    line: Summary
    entries: list[log.AnyEntry]
    seats: tuple[Seat, ...]
    others: bool
    """Whether another person plays in it too."""

    def own(self) -> dict[str, Any]:
        """All of it that is the player's own; nothing of what the other has done or hidden."""
        opening = self.entries[0]
        assert isinstance(opening, log.Open)  # `played` looked
        done = [
            msgspec.to_builtins(entry)
            for entry in self.entries[1:]
            if isinstance(entry, log.Join | log.Act) and entry.seat in self.seats
        ]
        holders = _holders(self.entries)
        return {
            "match": self.line.match,
            "game": self.line.game,
            "options": opening.options,
            "opened": self.line.opened,
            "changed": self.line.changed,
            "over": self.line.over,
            "seats": self.seats,
            "names": [holders[seat].name for seat in self.seats],
            "done": done,
        }


async def played(store: Store, key: str) -> AsyncIterator[Played]:
    """Every match in which a key has a seat, the oldest first."""
    hashed = hash_key(key)
    for line in reversed(await store.summaries(limit=sys.maxsize)):
        try:
            entries = [*map(log.decode, await store.read(line.match))]
        except msgspec.MsgspecError:
            continue  # damaged: nobody can read whose it was
        holders = _holders(entries)
        seats = tuple(seat for seat in SEATS if seat in holders and holders[seat].key == hashed)
        if seats:
            others = any(holder.key not in ("", hashed) for holder in holders.values())
            yield Played(line, entries, seats, others)


def _holders(entries: list[log.AnyEntry]) -> dict[Seat, log.Holder]:
    holders: dict[Seat, log.Holder] = {}
    for entry in entries:
        if isinstance(entry, log.Open):
            holders |= {s: h for s, h in zip(SEATS, entry.holders, strict=True) if h is not None}
        elif isinstance(entry, log.Join):
            holders[entry.seat] = entry.holder
    return holders


async def forget(store: Store, key: str) -> tuple[int, int]:
    """Delete the matches that are the key's alone; in the others, take its name and seat away.

    How many were deleted, and in how many only the moves are left, which the other has seen.
    """
    mine = [match async for match in played(store, key)]
    deleted = await store.delete([match.line.match for match in mine if not match.others])
    shared = [match for match in mine if match.others]
    for match in shared:
        for version, entry in enumerate(match.entries, 1):
            without = _without(entry, hash_key(key))
            if without != entry:
                await store.replace(match.line.match, version, log.encode(without))
    return deleted, len(shared)


def _without(entry: log.AnyEntry, hashed: str) -> log.AnyEntry:
    def nobody(seat: Seat, holder: log.Holder | None) -> log.Holder | None:
        return log.Holder(f"Player {seat}") if holder and holder.key == hashed else holder

    if isinstance(entry, log.Open):
        one, two = entry.holders
        holders = (nobody(1, one), nobody(2, two))
        return msgspec.structs.replace(entry, holders=holders)
    if isinstance(entry, log.Join):
        return msgspec.structs.replace(entry, holder=nobody(entry.seat, entry.holder))
    return entry
