"""Reading a record naively: which game it is, and everything fixed before the first move."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeGuard

OPTIONS: dict[str, dict[str, object]] = {
    "hidden-path": {"length": 10, "traps": 3, "max_step": 3, "goal_traps": True, "walls": True},
    "trap-builder": {"length": 10, "traps": 3, "max_step": 3, "trigger": "landing", "walls": True},
    "trap-runner": {"length": 10, "max_step": 3, "turn_limit": 200},
    "secret-paths": {"size": 5, "turn_limit": 200},
    "numeric-maze": {"length": 20, "traps": [5, 10, 15], "max_step": 3, "turn_limit": 200},
}

WITH_SECRETS = ("hidden-path", "trap-builder", "secret-paths")


class Refused(Exception):
    """The record is not a game; `at` says where: a move's index or a part of the record."""

    def __init__(self, at: int | str) -> None:
        super().__init__(f"refused at {at}")
        self.at = at


@dataclass(frozen=True)
class Setup:
    """Everything fixed before the first move. A field a game does not use keeps its default."""

    game: str
    length: int = 0
    max_step: int = 0
    trap_count: int = 0
    maze_traps: frozenset[int] = frozenset()
    goal_traps: bool = False
    passing: bool = False
    walls: bool = True
    size: int = 0
    turn_limit: int = 0
    first: int = 1
    secrets: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())


def is_int(value: object) -> TypeGuard[int]:
    """JSON's true is an int to Python, but never a number of anything here."""
    return type(value) is int


def fewest_moves(length: int, max_step: int, traps: list[int]) -> int:
    """How many moves one runner needs to the last position, trying all ways."""
    reached, moves = {0}, 0
    while length not in reached:
        steps = range(1, max_step + 1)
        reached = {at + step for at in reached for step in steps if at + step not in traps}
        moves += 1
    return moves


def read_options(game: str, given: object) -> Setup:
    """The setup those options make, without first player and secrets."""
    if not isinstance(given, dict) or not set(given) <= set(OPTIONS[game]):
        raise Refused("options")
    options: dict[str, object] = {**OPTIONS[game], **given}

    def number(name: str, low: int, high: int) -> int:
        value = options[name]
        if not is_int(value) or not low <= value <= high:
            raise Refused("options")
        return value

    def choice(name: str) -> bool:
        value = options[name]
        if not isinstance(value, bool):
            raise Refused("options")
        return value

    def limit(needed: int) -> int:
        """The turn limit; one that lets nobody win makes no game."""
        found = number("turn_limit", 0, 1_000_000)
        if 0 < found < needed:
            raise Refused("options")
        return found

    if game == "secret-paths":
        size = number("size", 3, 9)
        if size % 2 == 0:
            raise Refused("options")
        # Whoever makes the turn in which the Seeker can first be on an outer row may win in it.
        return Setup(game, size=size, turn_limit=limit(size // 2))

    length = number("length", 1 if game == "hidden-path" else 2, 99)
    # With max_step 1 the runners of Trap Builder would block each other for ever.
    max_step = number("max_step", 2 if game == "trap-builder" else 1, 99)
    setup = Setup(game, length=length, max_step=max_step)

    if game == "trap-runner":
        return replace(setup, turn_limit=limit(2 * fewest_moves(length, max_step, []) - 1))

    if game == "numeric-maze":
        traps = options["traps"]
        if not isinstance(traps, list) or not all(is_int(trap) for trap in traps):
            raise Refused("options")
        if len(set(traps)) != len(traps) or not all(1 <= trap < length for trap in traps):
            raise Refused("options")
        if holds_wall(tuple(traps), max_step):
            raise Refused("options")  # nobody could ever win
        shortest = fewest_moves(length, max_step, traps)
        return replace(setup, maze_traps=frozenset(traps), turn_limit=limit(2 * shortest - 1))

    if game == "hidden-path":
        setup = replace(setup, goal_traps=choice("goal_traps"))
    else:
        trigger = options["trigger"]
        if trigger not in ("landing", "passing"):
            raise Refused("options")
        setup = replace(setup, passing=trigger == "passing")
    places = trap_places(setup)
    setup = replace(setup, trap_count=number("traps", 1, len(places)), walls=choice("walls"))
    if not setup.walls:
        # Trying every secret would take for ever on a long track. The fullest one without a
        # wall leaves every max_step-th place free; fewer traps than that always fit as well.
        fullest = [place for place in places if place % max_step != 0]
        if setup.trap_count > len(fullest):
            raise Refused("options")
    return setup


def trap_places(setup: Setup) -> list[int]:
    """Where a secret trap of Hidden Path or Trap Builder may lie."""
    last = setup.length if setup.goal_traps else setup.length - 1
    return list(range(1, last + 1))


def holds_wall(traps: tuple[int, ...], max_step: int) -> bool:
    return any(all(trap + k in traps for k in range(max_step)) for trap in traps)


def is_secret(setup: Setup, seat: int, secret: object) -> bool:
    if not isinstance(secret, list) or not all(is_int(number) for number in secret):
        return False
    if setup.game == "secret-paths":
        if len(secret) != 2:
            return False
        return secret[0] == goal_row(setup, seat) and secret[1] in range(1, setup.size + 1)
    if len(secret) != setup.trap_count or len(set(secret)) != len(secret):
        return False
    if not set(secret) <= set(trap_places(setup)):
        return False
    return setup.walls or not holds_wall(tuple(secret), setup.max_step)


def goal_row(setup: Setup, seat: int) -> int:
    return setup.size if seat == 1 else 1


def read_setup(record: dict[str, Any]) -> Setup:
    """Everything but the moves; the parts are judged in the order record, options, secrets."""
    if not isinstance(record, dict):
        raise Refused("record")
    game = record.get("game")
    if not isinstance(game, str) or game not in OPTIONS:
        raise Refused("record")
    first = record.get("first")
    if not is_int(first) or first not in (1, 2):
        raise Refused("record")
    if not isinstance(record.get("moves"), list):
        raise Refused("record")

    setup = replace(read_options(game, record.get("options", {})), first=first)
    if game not in WITH_SECRETS:
        # A reader ignores what it has no use for, and these games have none for secrets.
        return setup

    noted = record.get("secrets")
    if not isinstance(noted, dict):
        raise Refused("secrets")
    for seat in (1, 2):
        if not is_secret(setup, seat, noted.get(str(seat))):
            raise Refused("secrets")
    return replace(setup, secrets=(tuple(noted["1"]), tuple(noted["2"])))
