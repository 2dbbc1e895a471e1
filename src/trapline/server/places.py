"""Places for connections: players have theirs, whoever watches and however many do."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from trapline.server.connection import Connection, Elsewhere
from trapline.server.limits import Holdings
from trapline.server.refusals import Refusal

if TYPE_CHECKING:
    from trapline.core import Viewer
    from trapline.server.hub import Hub
    from trapline.server.live import Live

FOR_A_SEAT = 6
"""Connections of one seat: somebody with more devices than that has forgotten the oldest."""
FOR_WATCHING = 0.75
"""The part of all places that those who watch may take."""


class Places:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._most = hub.settings.connections
        self._by_address = Holdings(
            hub.settings.per_address, "Your address has as many connections as it may have."
        )
        self.players = 0
        self.watchers = 0

    @property
    def taken(self) -> int:
        return self.players + self.watchers

    def connect(
        self, live: Live, viewer: Viewer, after: int, *, plain: bool = False, address: str = ""
    ) -> Connection:
        """A new connection; Refusal where there is no place for it."""
        mates = live.connections[viewer]
        if viewer is None:
            self._check_watching(len(mates))
        elif self.taken >= self._most:
            raise Refusal("full", "This server has as many connections as it can take.")
        elif len(mates) >= FOR_A_SEAT:
            next(iter(mates)).end(Elsewhere("You have connected from elsewhere since."))
        self._by_address.take(address)
        connection = Connection(self._hub, live, viewer, after, plain, address)
        mates[connection] = None
        self._count(viewer, 1)
        self._hub.presences.changed(live)
        self._hub.bots.call(live)
        return connection

    def _check_watching(self, here: int) -> None:
        if here >= self._hub.settings.watchers:
            raise Refusal("full", "This match has as many connections of watchers as it can take.")
        if self.watchers >= max(1, int(FOR_WATCHING * self._most)) or self.taken >= self._most:
            raise Refusal("full", "This server has as many connections as it can take.")

    def disconnect(self, connection: Connection) -> None:
        live = connection.live
        del live.connections[connection.viewer][connection]
        self._by_address.give_back(connection.address)
        self._count(connection.viewer, -1)
        live.touched = time.monotonic()
        self._hub.presences.changed(live)

    def _count(self, viewer: Viewer, more: int) -> None:
        if viewer is None:
            self.watchers += more
        else:
            self.players += more
