"""What is wrong with the store: told to the operator in full, and to strangers not at all."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from trapline.server.logs import Seldom
from trapline.server.refusals import Refusal
from trapline.server.store import Damaged, StoreError

if TYPE_CHECKING:
    from trapline.server.store import Store

UNKEPT = "This server cannot keep matches at the moment. Nothing has changed; try again."
UNREAD = "This server cannot read its matches at the moment; try again."
FRESH = 2.0
"""Seconds for which a check of the store holds: anybody may ask how we are, and often."""


class Trouble:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._damaged = False
        self._checked = 0.0
        self._fault = ""
        self._checking = asyncio.Lock()
        self._seldom = Seldom()
        self.failures = 0

    def note(self, error: StoreError, sentence: str = UNKEPT) -> Refusal:
        """What to say to whoever asked; the operator finds the rest in the log."""
        self.failures += 1
        self._damaged = self._damaged or isinstance(error, Damaged)
        self._checked = 0.0
        self._seldom.say(logging.ERROR, "the store failed", error=str(error))
        return Refusal("unavailable", sentence)

    async def check(self) -> None:
        """Refusal if a move could not be kept now, or if something was found to be broken."""
        async with self._checking:
            if time.monotonic() - self._checked > FRESH:
                await self._ask()
        if self._fault or self._damaged:
            raise Refusal("unavailable", UNKEPT)

    async def _ask(self) -> None:
        try:
            await self._store.check()
            self._fault = ""
        except StoreError as error:
            self.note(error)
            self._fault = str(error)
        self._checked = time.monotonic()
