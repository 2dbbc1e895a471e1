"""Computer players and the coach, in processes of their own: the server never waits for them."""

from __future__ import annotations

import asyncio
import pickle
from contextlib import asynccontextmanager
from random import SystemRandom
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import TraplineError, Unavailable, View
from trapline.games import GAMES, find_game, make_game
from trapline.players import PLAYERS
from trapline.server.messages import Play
from trapline.server.processes import Died, Failed, Process, TooLate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

Known = View | bytes
"""What a seat may know: a View, or one that only a process which knows its game can read."""

LONGEST = 60.0
"""Seconds that a choice, or the coach's answer to one question, may take."""
SOLVING = 600.0
"""The same for a player that first has to solve its game."""
QUEUE = 20
"""Questions that may wait for the coach."""


class Thinkers:
    """So many processes; `game` says where theirs comes from, if it is one from outside."""

    def __init__(self, processes: int, game: str = "") -> None:
        self._game = game
        self._processes = [Process() for _ in range(processes)]
        self._idle: asyncio.LifoQueue[Process] = asyncio.LifoQueue()
        for process in self._processes:
            self._idle.put_nowait(process)
        # Long thoughts leave one process to the quick ones.
        self._long_thoughts = asyncio.Semaphore(max(1, processes - 1))
        self._asked = 0

    async def prepare(self) -> None:
        """Load what thinking needs, which takes a moment, before anybody asks."""
        await asyncio.gather(*(self._think(LONGEST, _warm_up) for _ in self._processes))
        if len(self._processes) > 1:  # so that one is left for whoever plays meanwhile
            async with self._long_thoughts:
                await self._think(SOLVING, _solve_rulebooks)

    def stop(self) -> None:
        for process in self._processes:
            process.stop()

    async def command(self, level: str, known: Known) -> Play:
        """What the computer does, from what its seat may know."""
        if PLAYERS[level].prepare is None:
            return Play(await self._think(LONGEST, _choose, self._game, level, known))
        async with self._long_thoughts:
            return Play(await self._think(SOLVING, _choose, self._game, level, known))

    async def analysis(self, record: bytes) -> bytes:
        """The coach's judgements on a finished match, as JSON."""
        judged: bytes = await self._ask_coach(_analyse, self._game, record)
        return judged

    async def hint(self, known: Known) -> str:
        advice: str = await self._ask_coach(_hint, self._game, known)
        return advice

    async def _ask_coach(self, work: Callable[..., Any], *arguments: Any) -> Any:
        if self._asked >= QUEUE:
            raise Unavailable("The coach has too many questions: ask again in a moment.")
        self._asked += 1
        try:
            async with self._long_thoughts:
                return await self._think(LONGEST, work, *arguments)
        except TooLate:
            raise Unavailable("The coach cannot judge this in good time.") from None
        finally:
            self._asked -= 1

    async def _think(self, seconds: float, work: Callable[..., Any], *arguments: Any) -> Any:
        """One thought. What fails without a reason of its own is tried once more."""
        async with self._free() as process:
            try:
                return await process.ask(work, *arguments, seconds=seconds)
            except (Died, Failed):
                return await process.ask(work, *arguments, seconds=seconds)

    @asynccontextmanager
    async def _free(self) -> AsyncIterator[Process]:
        process = await self._idle.get()
        try:
            yield process
        finally:
            self._idle.put_nowait(process)


# --- in the other process ---------------------------------------------------------------


def _warm_up() -> None:
    from trapline.referee import Match

    for kind in GAMES.values():
        _choose("", "sharp", Match(kind(kind.options_type()), 1).view(1))


def _solve_rulebooks() -> None:
    """Solve the games as the rulebooks have them, once for ever: solutions are kept on disk."""
    for kind in GAMES.values():
        if (prepare := PLAYERS["perfect"].prepare) is not None:
            prepare(kind(kind.options_type()))


def _read(game: str, known: Known) -> View:
    if isinstance(known, View):
        return known
    find_game(game)
    view: View = pickle.loads(known)  # noqa: S301 (it comes from the server's own process)
    return view


def _choose(game: str, level: str, known: Known) -> str:
    view = _read(game, known)
    player, question = PLAYERS[level], view.question
    if question is None:
        raise TraplineError("Nobody is asked anything here.")
    if player.prepare is not None:
        player.prepare(make_game(view.game, view.options))
    return question.text(question.value(player.choose(view, SystemRandom())))


def _analyse(game: str, record: bytes) -> bytes:
    from trapline.coach import analyse
    from trapline.referee import parse_record

    if game:
        find_game(game)
    return msgspec.json.encode(analyse(parse_record(record)))


def _hint(game: str, known: Known) -> str:
    from trapline.coach import hint

    return hint(_read(game, known))
