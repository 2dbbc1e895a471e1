"""Who is connected to a match, here and in the other processes."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from typing import TYPE_CHECKING

import msgspec

from trapline.core import SEATS
from trapline.server.messages import Presence

if TYPE_CHECKING:
    from trapline.core import Seat
    from trapline.server.hub import Hub
    from trapline.server.live import Live

SOON = 0.1
A_CONNECTION = 0.001
"""Seconds that each connection adds to it: what everybody is told costs as much as there are
people to tell, so a crowd that gathers is told of itself less often."""
REPEAT = 10.0
FORGET = 25.0
"""Seconds after which a process that no longer speaks counts as gone."""
AT_ONCE = 20


class Word(msgspec.Struct, frozen=True, array_like=True):
    """What a process says of a match."""

    process: str
    match: str
    here: tuple[bool, bool]
    watching: int
    instead: tuple[str, str] = ("", "")
    why: tuple[str, str] = ("", "")


decode = msgspec.json.Decoder(list[Word]).decode


class Presences:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._me = secrets.token_hex(4)
        self._heard: dict[str, dict[str, tuple[float, Word]]] = {}
        """What others have said of each match, also of those that are not in memory here."""

    def is_here(self, match_id: str, seat: Seat) -> bool:
        """Whether a seat's player is connected, to whichever process."""
        live = self._hub.find(match_id)
        words = [self._mine(live)] if live is not None else []
        return any(word.here[seat - 1] for word in [*words, *self._others(match_id)])

    def _others(self, match_id: str) -> list[Word]:
        horizon = time.monotonic() - FORGET
        known = self._heard.get(match_id, {}).values()
        return [word for heard, word in known if heard > horizon]

    def _sum_up(self, live: Live) -> Presence:
        sitters = live.room.seating.sitters
        here = [sitter is not None and sitter.bot is not None for sitter in sitters]
        watching, instead, why = 0, ["", ""], ["", ""]
        for word in (self._mine(live), *self._others(live.room.id)):
            watching += word.watching
            for seat in (0, 1):
                here[seat] = here[seat] or word.here[seat]
                if not instead[seat]:
                    instead[seat], why[seat] = word.instead[seat], word.why[seat]
        return Presence(
            (here[0], here[1]), watching, (instead[0], instead[1]), why=(why[0], why[1])
        )

    def changed(self, live: Live) -> None:
        """Somebody came or went: say so soon, once for all who come and go until then."""
        if not live.presence_due:
            live.presence_due = True
            crowd = sum(map(len, live.connections.values()))
            pause = SOON + A_CONNECTION * crowd
            asyncio.get_running_loop().call_later(pause, self._tell, live)

    def _tell(self, live: Live) -> None:
        live.presence_due = False
        self._update(live)
        self._spread([self._mine(live)])

    def _update(self, live: Live) -> None:
        presence = self._sum_up(live)
        if presence != live.presence:
            live.presence = presence
            live.wake()

    def hear(self, words: bytes) -> None:
        with contextlib.suppress(msgspec.MsgspecError):
            for word in decode(words):
                self._take(word)

    def _take(self, word: Word) -> None:
        if word.process == self._me:
            return
        known = self._heard.setdefault(word.match, {})
        new = word.process not in known
        known[word.process] = (time.monotonic(), word)
        live = self._hub.find(word.match)
        if live is not None:
            self._update(live)
            if new and live.watched:
                self._spread([self._mine(live)])

    def _mine(self, live: Live) -> Word:
        there = live.connections
        here, watching = (bool(there[1]), bool(there[2])), len(there[None])
        if not live.instead:
            return Word(self._me, live.room.id, here, watching)
        (first, why), (second, why_too) = (live.instead.get(seat, ("", "")) for seat in SEATS)
        return Word(self._me, live.room.id, here, watching, (first, second), (why, why_too))

    def _spread(self, words: list[Word]) -> None:
        self._hub.spread(msgspec.json.encode(words))

    async def repeat(self) -> None:
        """Say again from time to time who is here, and forget matches that nobody speaks of."""
        while True:
            await asyncio.sleep(REPEAT)
            lively = [live for live in self._hub.matches() if live.watched]
            words = [self._mine(live) for live in lively]
            for start in range(0, len(words), AT_ONCE):
                self._spread(words[start : start + AT_ONCE])
            for match_id in list(self._heard):
                if not self._others(match_id):
                    del self._heard[match_id]
            for live in lively:
                self._update(live)  # somebody may have been silent for too long
