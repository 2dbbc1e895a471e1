"""Variants that are not shipped, worked out while people play: one process knows all searches.

Each search has a process of its own (`preparing`), and as much memory as any thought. Until one
is done, another level answers in time, and everybody is told how far it has come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.core import Unavailable
from trapline.games import GAMES, find_game, make_game, preset_of
from trapline.server.processes import Process

if TYPE_CHECKING:
    from trapline.core import Seat
    from trapline.preparing import Preparation

ASKING = 30.0
"""Seconds that it may take to say how far a search is."""
AT_ONCE = 1
"""Searches that run; whoever comes later waits for the first to end."""
REMEMBERED = 128
"""Searches that found nothing, and are not begun again."""
LATER = "This variant is worked out after another one, on which the computer is at work."
UNKNOWN = "It cannot be said now how far this variant is worked out."


class Variant(NamedTuple):
    game: str
    options: dict[str, Any]
    first: Seat

    @property
    def shipped(self) -> bool:
        """Whether its solution came with the game: the rulebooks and their presets have one."""
        return self.game in GAMES and bool(preset_of(make_game(self.game, self.options)))


class Standing(NamedTuple):
    """How far a variant is solved."""

    ready: bool
    sentence: str = ""
    share: float | None = None
    """From 0 to 1; None while nothing is proven that would say it."""
    hopeless: bool = False
    """It will not be solved."""


READY = Standing(True)


class Solving:
    """`game` says where a game comes from, if from outside."""

    def __init__(self, megabytes: int = 0, game: str = "") -> None:
        self._process = Process(megabytes)
        self._game = game

    async def stands(self, variant: Variant) -> Standing:
        """How far a variant is; a search begins where nothing is known of it."""
        if variant.shipped:
            return READY
        try:
            asked = self._process.ask(_stands, self._game, variant, seconds=ASKING)
            found: Standing = await asked
        except Unavailable:
            return Standing(False, UNKNOWN)
        return found

    async def beforehand(self, variant: Variant) -> str:
        """What whoever chooses a variant should know; nothing where all is at hand."""
        if variant.shipped:
            return ""
        try:
            said: str = await self._process.ask(_beforehand, self._game, variant, seconds=ASKING)
        except Unavailable:
            return ""
        return said

    def stop(self) -> None:
        self._process.stop()


# --- in the other process ---------------------------------------------------------------

_searches: dict[tuple[Any, Seat], Preparation] = {}


def _stands(game: str, variant: Variant) -> Standing:
    from trapline.preparing import Preparation, is_kept
    from trapline.solve import solved_first

    if game:
        find_game(game)
    rules = make_game(variant.game, variant.options)
    key = (rules, solved_first(rules, variant.first))
    search = _searches.get(key)
    if search is None:
        if is_kept(*key):
            return READY
        if sum(other.open for other in _searches.values()) >= AT_ONCE:
            return Standing(False, LATER)
        search = _searches[key] = Preparation(*key)
        search.wait()
    if search.open:
        told = search.told()
        return Standing(False, search.sentence(), round(told.share, 3) if told.trend else None)
    if search.ready:
        del _searches[key]
        return READY
    _forget()
    return Standing(False, search.sentence(), hopeless=True)


def _forget() -> None:
    """Searches that ended without a solution are kept in mind, but not for ever."""
    while len(_searches) > REMEMBERED:
        oldest = next(key for key, search in _searches.items() if not search.open)
        del _searches[oldest]


def _beforehand(game: str, variant: Variant) -> str:
    from trapline.preparing import beforehand

    if game:
        find_game(game)
    return beforehand(make_game(variant.game, variant.options), variant.first)
