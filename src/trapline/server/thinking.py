"""Computer players and the coach, in processes of their own: the server never waits for them."""

from __future__ import annotations

import asyncio
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from random import SystemRandom
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.cluster import settle_in
from trapline.core import SET_TRAP, Unavailable, View
from trapline.players import PLAYERS
from trapline.server.messages import ChooseSecret, GoOn, Play

if TYPE_CHECKING:
    from collections.abc import Callable


LONGEST = 60
"""Seconds that the coach may think about one question."""
QUEUE = 20
"""Questions that may wait for the coach."""


class Thinkers:
    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None
        # Long thoughts leave one process to the quick ones.
        self._long_thoughts = asyncio.Semaphore(max(1, processes - 1))
        self._asked = 0

    def start(self) -> None:
        """Begin to load what thinking needs, which takes a moment, before anybody asks."""
        for _ in range(self._processes):
            self._executor().submit(_warm_up)
        if self._processes > 1:  # so that one is left for whoever plays meanwhile
            self._executor().submit(_solve_rulebooks)

    def stop(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            processes = list(pool._processes.values())  # noqa: SLF001 (there is no other way)
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()

    async def command(self, level: str, view: View) -> ChooseSecret | Play | GoOn:
        """What the computer does, from what its seat may know."""
        if view.asks is None:
            return GoOn()
        if PLAYERS[level].prepare is None:
            words: str = await self._run(_choose, level, view)
        else:
            async with self._long_thoughts:
                words = await self._run(_choose, level, view)
        return ChooseSecret(words) if view.asks == "secret" else Play(words)

    async def analysis(self, record: bytes) -> bytes:
        """The coach's judgements on a finished match, as JSON."""
        judged: bytes = await self._ask_coach(_analyse, record)
        return judged

    async def hint(self, view: View) -> str:
        advice: str = await self._ask_coach(_hint, view)
        return advice

    async def _ask_coach(self, work: Callable[..., Any], *arguments: Any) -> Any:
        if self._asked >= QUEUE:
            raise Unavailable("The coach has too many questions: ask again in a moment.")
        self._asked += 1
        try:
            async with self._long_thoughts:
                return await self._run(_in_time, work, *arguments)
        finally:
            self._asked -= 1

    async def _run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        loop = asyncio.get_running_loop()
        pool = self._executor()
        try:
            return await loop.run_in_executor(pool, work, *arguments)
        except BrokenProcessPool:  # somebody killed a process; the next one will do
            if pool is self._pool:  # else another question has found out before us
                self.stop()
            return await loop.run_in_executor(self._executor(), work, *arguments)

    def _executor(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(
                self._processes, mp_context=context, initializer=settle_in
            )
        return self._pool


# --- in the other process ---------------------------------------------------------------


def _warm_up() -> None:
    from trapline.games import GAMES
    from trapline.match import Match

    for kind in GAMES.values():
        _choose("sharp", Match(kind(kind.options_type())).view(1))


def _solve_rulebooks() -> None:
    """Solve the games as the rulebooks have them, once for ever: solutions are kept on disk."""
    from trapline.games import GAMES
    from trapline.players import PLAYERS

    for kind in GAMES.values():
        if (prepare := PLAYERS["perfect"].prepare) is not None:
            prepare(kind(kind.options_type()))


def _in_time(work: Callable[..., Any], *arguments: Any) -> Any:
    """Think, but not for ever: options can make a game that nobody finishes thinking about."""
    import signal

    def stop(_signal: int, _frame: object) -> None:
        raise Unavailable("The coach cannot judge this in good time.")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(LONGEST)
    try:
        return work(*arguments)
    finally:
        signal.alarm(0)


def _choose(level: str, view: View) -> str:
    from trapline.games import make_game
    from trapline.notation import format_turn

    player = PLAYERS[level]
    if player.prepare is not None:
        player.prepare(make_game(view.game, view.options))
    choice: Any = player.choose(view, SystemRandom())
    if view.asks == "secret":
        return ",".join(map(str, choice))
    if view.asks == "trap":
        return "y" if choice == SET_TRAP else "n"
    return format_turn((choice,))


def _analyse(record: bytes) -> bytes:
    from trapline.coach import analyse
    from trapline.record import parse_record

    return msgspec.json.encode(analyse(parse_record(record)))


def _hint(view: View) -> str:
    from trapline.coach import hint

    return hint(view)
