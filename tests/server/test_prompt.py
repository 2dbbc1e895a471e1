"""Moves that are carried out where they are heard, while the store fails."""

from __future__ import annotations

import asyncio
from contextvars import copy_context
from typing import TYPE_CHECKING

from tests.server.stores import in_loop
from tests.server.tables import table
from trapline.server import hub, prompt
from trapline.server.messages import Play, Request

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


@in_loop
async def test_what_was_kept_is_shown_although_nobody_could_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither player does anything more: the server itself reads again what is in the log."""
    monkeypatch.setattr(hub, "AGAIN", 0.0)
    async with table(tmp_path) as at:
        live = await at.open()
        mover, waiting = (at.hub.places.connect(live, seat, 0) for seat in (1, 2))
        await waiting.next()
        at.store.mute = True
        move = Request("a move", live.room.version(1), Play("2"))
        assert prompt.begin(mover, move, copy_context())
        async with asyncio.timeout(10):
            while b'"turn":1' not in await waiting.next():
                pass
