"""Computer players and the coach, in processes of their own: the server never waits for them.

Players and the coach have different ones, so that no question to him keeps anybody from playing.
"""

from __future__ import annotations

import asyncio
import hashlib
import pickle
import time
from collections import OrderedDict, deque
from contextlib import asynccontextmanager
from random import SystemRandom
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trapline.core import TraplineError, Unavailable, View
from trapline.games import GAMES, find_game, make_game
from trapline.players import PLAYERS
from trapline.server.answers import Hint
from trapline.server.limits import Holdings
from trapline.server.messages import Play
from trapline.server.processes import Died, Failed, Process, TooLate
from trapline.server.refusals import Refusal
from trapline.server.solving import READY, Solving, Standing, Variant

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
FOR_AN_ADDRESS = 2
"""Of these from one address."""
WAITING = 60.0
"""Seconds that a question may wait for the coach before he begins with it."""
REMEMBERED = 128
"""Analyses, and kinds of questions, that are kept in memory."""
MEANWHILE = "sharp"
"""The level that answers as long as nothing is solved, as at the terminal (`preparing`)."""
BUSY = "The coach has too many questions: ask again in a moment."


class Pool:
    """So many processes, each asked one thing at a time."""

    def __init__(self, processes: int, megabytes: int = 0) -> None:
        self.processes = [Process(megabytes) for _ in range(processes)]
        self._idle: asyncio.LifoQueue[Process] = asyncio.LifoQueue()
        for process in self.processes:
            self._idle.put_nowait(process)

    async def think(self, seconds: float, work: Callable[..., Any], *arguments: Any) -> Any:
        """One thought. What fails without a reason of its own is tried once more."""
        async with self.free() as process:
            return await think_in(process, seconds, work, *arguments)

    @asynccontextmanager
    async def free(self) -> AsyncIterator[Process]:
        process = await self._idle.get()
        try:
            yield process
        finally:
            self._idle.put_nowait(process)

    def stop(self) -> None:
        for process in self.processes:
            process.stop()


async def think_in(
    process: Process, seconds: float, work: Callable[..., Any], *arguments: Any
) -> Any:
    try:
        return await process.ask(work, *arguments, seconds=seconds)
    except (Died, Failed):
        return await process.ask(work, *arguments, seconds=seconds)


class Thinkers:
    """Whoever thinks about a game; `game` says where it comes from, if from outside."""

    def __init__(self, players: int, coaches: int = 1, megabytes: int = 0, game: str = "") -> None:
        self._game = game
        self._megabytes = megabytes
        self.players = Pool(players, megabytes)
        self.coaches = Pool(coaches, megabytes)
        self.solving = Solving(megabytes, game)
        # Long thoughts leave one process to the quick ones.
        self._long_thoughts = asyncio.Semaphore(max(1, players - 1))
        self._durations = Durations()
        self._asked = 0
        self._askers = Holdings(FOR_AN_ADDRESS, BUSY)
        self._analyses: OrderedDict[bytes, asyncio.Future[bytes]] = OrderedDict()

    async def prepare(self) -> None:
        """Load what thinking needs, which takes a moment, before anybody asks."""
        await asyncio.gather(
            *(self.players.think(LONGEST, _warm_up) for _ in self.players.processes)
        )
        if len(self.players.processes) > 1:  # on a small machine it would only be in the way
            solver = Process(self._megabytes)
            try:
                await solver.ask(_solve_rulebooks, seconds=SOLVING)
            finally:
                solver.stop()

    def stop(self) -> None:
        self.players.stop()
        self.coaches.stop()
        self.solving.stop()

    # --- players ------------------------------------------------------------------------

    async def command(self, level: str, known: Known) -> Play:
        """What the computer does, from what its seat may know."""
        return Play((await self.thought(level, known)).text)

    async def thought(self, level: str, known: Known, variant: Variant | None = None) -> Thought:
        """The same, with how it came about.

        Who plays the solution of a variant that is not solved yet is answered for.
        """
        solves = PLAYERS[level].prepare is not None
        stands = await self.solving.stands(variant) if solves and variant else READY
        if not stands.ready:
            level, solves = MEANWHILE, False
        about = _about(known, level)
        question = (self._game, level, known, self._durations.usual(about))
        if solves:
            async with self._long_thoughts:
                thought: Thought = await self.players.think(SOLVING, _choose, *question)
        else:
            thought = await self.players.think(LONGEST, _choose, *question)
        self._durations.note(about, thought)
        if stands.ready:
            return thought
        return thought._replace(instead=level, why=stands.sentence)

    # --- the coach ----------------------------------------------------------------------

    async def analysis(self, record: bytes, address: str = "") -> bytes:
        """The coach's judgements on a finished match, as JSON; each record is judged once.

        Whoever asks knows that the variant is solved (`solving`).
        """
        return await self._once(address, hashlib.sha256(record).digest(), _analyse, record)

    async def puzzle(self, date: str, address: str = "") -> bytes:
        """The puzzle of a day, as JSON; each is made once."""
        return await self._once(address, date.encode(), _pose, date)

    async def _once(self, address: str, about: bytes, work: Callable[..., bytes], of: Any) -> bytes:
        judging = self._analyses.get(about)
        if judging is None or (judging.done() and judging.exception() is not None):
            judging = asyncio.ensure_future(self._ask_coach(address, work, self._game, of))
            judging.add_done_callback(_heard)
            self._analyses[about] = judging
        self._analyses.move_to_end(about)
        while len(self._analyses) > REMEMBERED:
            self._analyses.popitem(last=False)
        return await asyncio.shield(judging)

    async def hint(self, known: Known, address: str = "", variant: Variant | None = None) -> Hint:
        """The coach's advice; while the variant is being solved, how far that is."""
        stands: Standing = await self.solving.stands(variant) if variant else READY
        if not stands.ready:
            return Hint(stands.sentence, chance=stands.sentence)
        advice: Hint = await self._ask_coach(address, _hint, self._game, known)
        return advice

    async def _ask_coach(self, address: str, work: Callable[..., Any], *arguments: Any) -> Any:
        if self._asked >= QUEUE:
            raise Unavailable(BUSY)
        try:
            self._askers.take(address)
        except Refusal as refusal:
            raise Unavailable(str(refusal)) from None
        self._asked += 1
        try:
            return await self._wait_for_coach(work, *arguments)
        except TooLate:
            raise Unavailable("The coach cannot judge this in good time.") from None
        finally:
            self._asked -= 1
            self._askers.give_back(address)

    async def _wait_for_coach(self, work: Callable[..., Any], *arguments: Any) -> Any:
        waiting = asyncio.timeout(WAITING)
        try:
            async with waiting, self.coaches.free() as coach:
                waiting.reschedule(None)
                return await think_in(coach, LONGEST, work, *arguments)
        except TimeoutError:
            raise Unavailable(BUSY) from None


def _heard(judging: asyncio.Future[bytes]) -> None:
    if not judging.cancelled():
        judging.exception()  # whoever asked has heard it, or has gone


# --- how long thoughts take -------------------------------------------------------------


class Thought(NamedTuple):
    text: str
    asks: str
    seconds: float
    free: bool
    """Whether there was a choice."""
    instead: str = ""
    """The level that has chosen in the place of the one that was asked for, if any has."""
    why: str = ""
    """What is said about that."""
    agrees: bool = False
    """Whether the draw that the other offers is taken."""


class Durations:
    """How long a player has lately thought about each kind of question.

    A question with one answer needs no thought, and nobody must see that from the time it takes:
    it is thought about as long as one that left a choice.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[str, dict[str, deque[float]]] = OrderedDict()
        self._rng = SystemRandom()

    def usual(self, about: str) -> dict[str, float]:
        """A duration for each kind of question, drawn from those that were seen."""
        return {asks: self._rng.choice(seen) for asks, seen in self._known.get(about, {}).items()}

    def note(self, about: str, thought: Thought) -> None:
        if thought.free:
            seen = self._known.setdefault(about, {})
            seen.setdefault(thought.asks, deque(maxlen=16)).append(thought.seconds)
            self._known.move_to_end(about)
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)


def _about(known: Known, level: str) -> str:
    if isinstance(known, View):
        return f"{level} {known.game} {known.options}"
    return level


# --- in the other process ---------------------------------------------------------------


def _warm_up() -> None:
    from trapline.referee import Match

    for kind in GAMES.values():
        match = Match(kind(kind.options_type()), 1)
        for seat in match.asked[:1]:
            _choose("", "sharp", match.view(seat), {})


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


def _choose(game: str, level: str, known: Known, usual: dict[str, float]) -> Thought:
    begun = time.perf_counter()
    view = _read(game, known)
    player, question = PLAYERS[level], view.question
    if question is None:
        raise TraplineError("Nobody is asked anything here.")
    game_of_view = make_game(view.game, view.options)
    if player.prepare is not None:
        player.prepare(game_of_view)
    instead = player.stand_in(game_of_view) if player.stand_in is not None else ""
    text = question.text(question.value(player.choose(view, SystemRandom())))
    passed = time.perf_counter() - begun
    if question.forced:
        time.sleep(max(0.0, usual.get(question.asks, 0.0) - passed))
    return Thought(text, question.asks, passed, not question.forced, instead, agrees=_agrees(view))


def _agrees(view: View) -> bool:
    if view.draw_offer is None:
        return False
    from trapline.coach.offers import takes_draw

    return takes_draw(view)


def _analyse(game: str, record: bytes) -> bytes:
    from trapline.coach import analyse
    from trapline.referee import parse_record

    if game:
        find_game(game)
    return msgspec.json.encode(analyse(parse_record(record)))


def _pose(_game: str, date: str) -> bytes:
    from trapline.coach.puzzles import of_the_day
    from trapline.server.daily import shown

    return msgspec.json.encode(shown(date, of_the_day(date)))


def _hint(game: str, known: Known) -> Hint:
    from trapline.coach import advise

    advice = advise(_read(game, known))
    return Hint(advice.sentence, advice.suspected, advice.chance)
