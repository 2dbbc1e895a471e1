"""Plain requests take turns: a few are begun, then everybody else is heard.

A hundred connections can each have a request there at the same moment, as often as they like. If
all of them were begun at once, a move would wait for all of them, each time that it goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

AT_ONCE = 3
"""How many are begun before anybody else has a turn."""
A_MOMENT = 0.001
"""Seconds that others have between two turns while somebody's move is written, as with a crowd."""


class Asking(Protocol):
    """Whoever has something to be dealt with."""

    loop: asyncio.AbstractEventLoop

    def begin(self) -> None: ...

    def wait(self) -> None:
        """It is not its turn yet: let nothing more come meanwhile."""


class Turns:
    def __init__(self, writing: Callable[[], bool]) -> None:
        """`writing`: whether a thread is about to keep a move, and needs Python for it."""
        self._writing = writing
        self._waiting: dict[Asking, None] = {}
        self._left = AT_ONCE
        self._counting = False

    def ask(self, one: Asking) -> None:
        """Let it begin now, or when it is its turn."""
        if not self._counting:
            self._counting = True
            one.loop.call_soon(self._go_on, one.loop)
        if self._left and not self._waiting:
            self._left -= 1
            one.begin()
        else:
            self._waiting[one] = None
            one.wait()

    def leave(self, one: Asking) -> None:
        self._waiting.pop(one, None)

    def _go_on(self, loop: asyncio.AbstractEventLoop) -> None:
        quiet, self._left = self._left == AT_ONCE, AT_ONCE
        while self._waiting and self._left:
            self._left -= 1
            one = next(iter(self._waiting))
            del self._waiting[one]
            one.begin()
        if quiet and self._left == AT_ONCE:
            self._counting = False
        elif self._waiting and self._writing():
            loop.call_later(A_MOMENT, self._go_on, loop)
        else:
            loop.call_soon(self._go_on, loop)
