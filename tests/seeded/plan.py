"""What happens in a world: which matches are played, and what goes wrong when. A seed makes one."""

from __future__ import annotations

from random import Random
from typing import Any, Literal

import msgspec

Kind = Literal[
    "kill", "power", "deploy", "cut", "late", "reorder", "repeat", "lossy", "full", "busy", "error",
    "slow disk", "clock", "stall", "failover", "slow database", "thinking", "deaf", "offline",
    "unreadable", "late news",
]  # fmt: skip


class Fault(msgspec.Struct, frozen=True):
    kind: Kind
    at: float
    seconds: float = 0.0
    who: int = 0
    much: float = 0.0


class Story(msgspec.Struct, frozen=True):
    """One match and its players."""

    number: int
    at: float
    game: str
    options: dict[str, Any]
    against: str
    watchers: int
    clocked: bool = False
    """Whether they play against a clock: a minute a move, which is enough for everybody."""
    posts: bool = False
    """Whether its players send their commands by plain HTTP, as programs do."""
    leaver: int = 0
    """The seat whose player leaves for good, in the middle of a move."""
    streams: bool = False
    """Whether they listen to event streams, and send by plain HTTP too."""
    locked: bool = False
    """Whether what they hide stays on their own devices."""
    wordy: bool = False
    """Whether its clients want words and pictures, as the page does."""


class Plan(msgspec.Struct, frozen=True):
    seed: int
    store: Literal["sqlite", "postgres"]
    processes: int
    stories: tuple[Story, ...]
    faults: tuple[Fault, ...]
    wired: bool = False
    """Whether sockets are simulated down to their bytes."""
    other_secrets: int | None = None
    """The match whose second player hides everything elsewhere than in the world beside it."""


GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("hidden-path", {"length": 4, "traps": 1}),
    ("hidden-path", {"length": 6, "traps": 2}),
    ("trap-builder", {"length": 5, "traps": 1}),
    ("trap-runner", {"length": 4, "max_step": 2, "turn_limit": 12}),
    ("secret-paths", {"size": 3, "turn_limit": 10}),
    ("numeric-maze", {"length": 6, "traps": [3], "turn_limit": 12}),
)
BRIEF: dict[str, dict[str, Any]] = {
    "hidden-path": {"length": 3, "traps": 1},
    "trap-builder": {"length": 3, "traps": 1},
    "trap-runner": {"length": 2, "max_step": 2, "turn_limit": 4},
    "secret-paths": {"size": 3, "turn_limit": 3},
    "numeric-maze": {"length": 3, "traps": [2], "turn_limit": 4},
}
"""The same games where they end after a turn or two: things go wrong there as well as in others."""
LOCKABLE = ("hidden-path", "trap-builder", "secret-paths", "trap-runner")
SELDOM = 0.15
"""How often those are locked in which devices compute with large numbers, which is dear."""
TOGETHER = {"length": 3, "max_step": 1, "turn_limit": 9}
"""Both stand on the same squares, so that each of them matters to both devices."""
AGAINST = ("link", "link", "link", "here", "random", "random")
ONLY_SQLITE: tuple[Kind, ...] = ("power", "full", "busy", "error", "slow disk")
ONLY_POSTGRES: tuple[Kind, ...] = ("failover", "failover", "slow database", "late news")
ANYWHERE: tuple[Kind, ...] = (
    "kill", "kill", "deploy", "cut", "late", "reorder", "repeat", "lossy", "clock", "stall",
    "thinking", "deaf", "offline", "unreadable",
)  # fmt: skip
OFTEN_BRIEF = 0.85
WIRED = 0.1
"""How many worlds simulate sockets down to their bytes, which is dear."""
LONG = 20.0
"""Seconds within which matches begin and things go wrong."""
DAY = 86_400.0
AWAY = 4.0
"""A clock that jumps for longer does so while its process is away, which wakes in another time."""
OVERSLEEPS = 0.2
"""How often a machine with its own clock wakes up when all that it keeps would have expired."""
FULL_AT_LAST = 0.2
"""How often nothing can be kept, not even that the clock was set, when the time of those is up who
have left for good."""
MINUTE = 60.0
JUMPS = (-40 * DAY, -3600.0, -1.0, 2 * DAY, 40 * DAY, 40 * DAY)


def make(seed: int, matches: int = 24) -> Plan:
    chance = Random(f"plan {seed}")
    store: Literal["sqlite", "postgres"] = "sqlite" if chance.random() < 0.6 else "postgres"
    processes = 1 if store == "sqlite" else chance.choice((2, 2, 3))
    kinds = ANYWHERE + (ONLY_SQLITE if store == "sqlite" else ONLY_POSTGRES)
    stories = tuple(_story(chance, number) for number in range(matches))
    rarer = Random(f"plan {seed} rarer")
    stories = tuple(_with_rarer_ways(rarer, story) for story in stories)
    brief = Random(f"plan {seed} brief")
    stories = tuple(_perhaps_brief(brief, story) for story in stories)
    faults = tuple(
        _fault(chance, kinds, processes) for _ in range(chance.randrange(max(1, matches // 3)))
    )
    if store == "sqlite" and rarer.random() < OVERSLEEPS:
        at = round(4 + LONG * rarer.random() / 2, 3)  # when most matches are being played
        faults += (Fault("clock", at, seconds=AWAY + 1, much=max(JUMPS)),)
    if store == "sqlite" and rarer.random() < FULL_AT_LAST:
        jump = Fault("clock", MINUTE + 1, seconds=1.0, much=max(JUMPS))
        faults += (Fault("full", MINUTE, seconds=LONG), jump)
    faults = tuple(sorted(faults, key=lambda fault: fault.at))
    return Plan(seed, store, processes, stories, faults, wired=chance.random() < WIRED)


def _story(chance: Random, number: int) -> Story:
    game, options = chance.choice(GAMES)
    return Story(
        number=number,
        at=round(LONG * chance.random(), 3),
        game=game,
        options=options,
        against=chance.choice(AGAINST),
        watchers=chance.choice((0, 0, 0, 0, 0, 0, 1, 2)),
        clocked=chance.random() < 0.2,
        posts=chance.random() < 0.12,
        leaver=chance.choice((1, 2)) if chance.random() < 0.1 else 0,
        wordy=chance.random() < 0.1,
    )


def _perhaps_brief(chance: Random, story: Story) -> Story:
    if chance.random() < OFTEN_BRIEF:
        trails = story.locked and story.game == "trap-runner"
        brief = TOGETHER if trails else BRIEF[story.game]
        return msgspec.structs.replace(story, options={**story.options, **brief})
    return story


def _with_rarer_ways(chance: Random, story: Story) -> Story:
    streams, locked = chance.random() < 0.1, chance.random() < 0.4
    locked = locked and story.against == "link" and story.game in LOCKABLE
    options = story.options
    if locked and story.game == "trap-builder" and chance.random() < 0.5:
        options = {**options, "trigger": "passing"}
    if locked and story.game == "trap-runner":
        locked = chance.random() < SELDOM
    return msgspec.structs.replace(
        story, options=options, streams=streams, locked=locked, clocked=story.clocked or locked
    )


def _fault(chance: Random, kinds: tuple[Kind, ...], processes: int) -> Fault:
    kind = chance.choice(kinds)
    much = chance.choice(JUMPS) if kind == "clock" else round(chance.random(), 3)
    return Fault(
        kind=kind,
        at=round(2 + LONG * chance.random(), 3),
        seconds=round(0.5 + 8 * chance.random(), 3),
        who=chance.randrange(processes),
        much=much,
    )
