"""The full screen under Textual's pilot: a person's keys and eyes, without a terminal."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from trapline.games import make_game
from trapline.terminal.full.app import TraplineApp
from trapline.terminal.full.board import nearest
from trapline.terminal.full.choice import ARROWS
from trapline.terminal.full.table import TableScreen
from trapline.terminal.saves import Saves
from trapline.terminal.series import make_players, new_match

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine
    from random import Random

    from textual.pilot import Pilot

    from trapline.core import First, Seat
    from trapline.referee import Match, Series
    from trapline.terminal.full.offers import Offer

PATIENCE = 60.0
"""Seconds; a busy machine may need them."""


def run(play: Coroutine[Any, Any, None]) -> None:
    asyncio.run(play)


def a_match(
    game: str,
    *,
    one: str | None = None,
    two: str | None = None,
    first: First | None = 1,
    seed: int | None = 1,
    series: Series | None = None,
    **options: Any,
) -> Match:
    return new_match(make_game(game, options), make_players(one, two), first, seed, series)


class Person:
    """Somebody at the keyboard."""

    def __init__(self, app: TraplineApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def table(self) -> TableScreen:
        return next(s for s in reversed(self.app.screen_stack) if isinstance(s, TableScreen))

    @property
    def sees(self) -> str:
        """The whole screen as text."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(part.text for part in strip).rstrip() for strip in strips)

    async def until(self, condition: Callable[[], Any], what: str = "") -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if condition():
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"never {what or 'came'}; last screen:\n{self.sees}")

    async def reads(self, text: str) -> str:
        """Wait until the screen shows something, however its lines are broken."""
        await self.until(lambda: text in " ".join(self.sees.split()) or text in self.sees, text)
        return self.sees

    async def settled(self, look: Callable[[], Any]) -> Any:
        """What is seen once the screen has been laid out, and stays as it is."""
        seen, same = look(), 0
        while same < 5:
            await self.pilot.pause()
            now = look()
            seen, same = now, same + 1 if now == seen else 0
        return seen

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def asked(self) -> list[Offer]:
        """Wait for the next question; what it offers."""
        await self.until(lambda: self.table.asked is not None, "asked")
        await self.pilot.pause()
        return self.table.choice.offers

    async def answer(self, key: str) -> None:
        """Press a key that answers, and wait until the answer is taken."""
        before = (await self.asked(), self.table.asked)[1]
        await self.press(key)
        await self.until(lambda: self.table.asked is not before, f"took {key}")

    async def plays(self, rng: Random) -> None:
        """Answer any question at random: by its key, by arrows and Enter, or by typing."""
        offers = await self.asked()
        before = self.table.asked
        assert before is not None
        many = self.table.choice.wanted
        for offer in rng.sample(offers, many or 1):
            if offer.key and rng.random() < 0.5:
                await self.press(offer.key)
            else:
                await self.walk_to(offer)
                await self.press("space")
        if many:
            await self.press("enter")
        await self.until(lambda: self.table.asked is not before, "went on")

    async def walk_to(self, offer: Offer) -> None:
        """With the arrows, as somebody would who looks where the cursor is."""
        if self.table.choice.at is None:
            await self.press("right")
        await self.press(*self._way(offer))
        assert self.table.choice.at == offer, self.sees

    def _way(self, offer: Offer) -> list[str]:
        """The shortest row of arrows that leads there."""
        offers, spots = self.table.choice.offers, self.table.board.spots
        places = [o.place for o in offers if o.place is not None and o.place in spots]
        start, goal = self.table.choice.at, offer
        assert start is not None
        if len(places) < len(offers) or start.place is None or goal.place is None:
            return ["right"] * ((offers.index(goal) - offers.index(start)) % len(offers))
        ways: dict[Any, list[str]] = {start.place: []}
        queue = [start.place]
        for place in queue:
            for key in ARROWS:
                to = nearest(spots, places, place, key)
                if to not in ways:
                    ways[to] = [*ways[place], key]
                    queue.append(to)
        return ways[goal.place]


@asynccontextmanager
async def at_the_table(
    match: Match | None = None, size: tuple[int, int] = (100, 40), first: Seat | None = None
) -> AsyncIterator[Person]:
    app = TraplineApp(Saves(), match, first)
    async with app.run_test(size=size) as pilot:
        yield Person(app, pilot)


async def plays_to_the_end(person: Person, rng: Random) -> str:
    while person.table.match.outcome is None:
        await person.plays(rng)
        await person.until(lambda: person.table.asked is not None, "asked again")
    return await person.reads("What next?")
