"""What is wrong in one position and with one step. No kind of game is known here."""

from __future__ import annotations

import linecache
import math
import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.core import IllegalMove, InvalidMove, TraplineError
from trapline.core.faults import deadline, is_late, lines
from trapline.testing.check import called
from trapline.worlds.values import frozen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.worlds import Subject, World

CALL = 5.0
"""Seconds of computing after which a call is taken never to come back."""
REFUSAL = re.compile(r"(in|not a )valid|illegal|not (legal|allowed|valid)", re.IGNORECASE)
ROUNDING = 1e-6


class Fault(NamedTuple):
    check: str
    sentence: str


class Faulty(Exception):
    """Play cannot go on."""

    def __init__(self, check: str, sentence: str) -> None:
        super().__init__(sentence)
        self.fault = Fault(check, sentence)


class Heard:
    """Whoever wants to know when somebody else's code is being run."""

    def in_call(self, now: bool) -> None:
        """It begins, or it has ended."""


heard = Heard()


class Hung(Faulty):
    """A call does not come back; to try it again would take as long."""


@contextmanager
def calling(what: str) -> Iterator[None]:
    """Whatever somebody's code does in here comes out as Faulty."""
    try:
        heard.in_call(True)
        with deadline(CALL):
            yield
    except (Faulty, KeyboardInterrupt):
        raise
    except MemoryError:
        raise Faulty("crash", f"{what} asks for more memory than it was given.") from None
    except TraplineError:
        raise
    except BaseException as error:
        if is_late(error):
            said = f"{what} had not come back after {CALL:g} seconds of computing."
            raise Hung("endless", said) from None
        raise Faulty("crash", f"{what} fails: {in_words(error)}.") from error
    finally:
        heard.in_call(False)


def in_words(error: BaseException) -> str:
    """An error in words, with the line that it came from."""
    text = " ".join(str(error).split()).rstrip(".")[:200]
    file, line, _ = lines(error)[-1]
    return f"{type(error).__name__}{f': {text}' if text else ''} ({Path(file).name}, line {line})"


# --- one step ---------------------------------------------------------------------------


def taken(world: World, action: Any, *, use_up: bool = False) -> World:
    """The position after a listed action, or Faulty."""
    try:
        with calling(f"step({action!r})"):
            return world.moved(action) if use_up else world.after(action)
    except (IllegalMove, InvalidMove) as refusal:
        raise Faulty("refused", f"{_listed(action)} is refused: {refusal}") from None
    except Faulty as faulty:
        cause = faulty.__cause__
        if cause is not None and is_refusal(cause):
            said = f"{_listed(action)} is refused: {in_words(cause)}."
            raise Faulty("refused", said) from None
        raise


def is_refusal(error: BaseException) -> bool:
    """Whether somebody has raised this on purpose."""
    if not isinstance(error, (ValueError, AssertionError)):
        return False
    file, line, _ = lines(error)[-1]
    source = linecache.getline(file, line).strip()
    return bool(REFUSAL.search(str(error))) or source.startswith(("raise ", "assert "))


def _listed(action: Any) -> str:
    return f"{action!r}, which is listed as a valid move,"


class Eve(NamedTuple):
    """What must be remembered of a position, since a step may use it up."""

    world: World
    actor: Any
    given: dict[Any, float]

    @classmethod
    def of(cls, world: World) -> Eve:
        return cls(world, world.actor, dict(world.rewards()))


def step_faults(subject: Subject, eve: Eve, action: Any, after: World) -> Iterator[Fault]:
    """What is wrong with what a listed action did."""
    if eve.actor is None:
        return
    refusal = after.refused(eve.world)
    if refusal:
        yield Fault("refused", f"{_listed(action)} is refused: {refusal}.")
    elif subject.pays_at_end and not after.over:
        lost = after.rewards().get(eve.actor, 0) - eve.given.get(eve.actor, 0)
        if lost < 0:
            said = f"{_listed(action)} is punished with {lost:g} while play goes on."
            yield Fault("rewards", said)


# --- one position -----------------------------------------------------------------------


def position_faults(subject: Subject, world: World, *, tries: bool = True) -> Iterator[Fault]:
    """What is wrong in a position; with `tries`, moves are tried that are not listed."""
    with calling("what is shown"):
        strays = list(world.strays())
    for stray in strays[:1]:
        yield Fault("space", f"{stray[0].upper()}{stray[1:]}.")
    if world.over:
        yield from _ending_faults(subject, world)
        return
    with calling("the list of moves"):
        listed = list(world.actions())
    if not listed:
        who = "nobody" if world.actor is None else called(world.actor)
        yield Fault("deadlock", f"It is not over, and {who} has no move.")
    elif tries:
        yield from _accepted(subject, world)


def _accepted(subject: Subject, world: World) -> Iterator[Fault]:
    with calling("the list of moves"):
        unlisted = list(world.unlisted())
    for action in unlisted:
        before, given = world.key(), dict(world.rewards())
        looks = _looks(world)
        try:
            with calling(f"step({action!r})"):
                after = world.after(action)
        except Hung:
            raise
        except Faulty:
            continue
        except TraplineError:
            continue
        rewards = after.rewards()
        punished = rewards.get(world.actor, 0) < given.get(world.actor, 0)
        if subject.pays_at_end and after.over:  # what was given on the way does not count there
            punished = rewards.get(world.actor, 0) < 0
        key = after.key()
        unchanged = key is not None and before is not None and key.position == before.position
        if not after.refused(world) and not punished and not unchanged and _looks(after) != looks:
            yield Fault("accepted", f"{action!r} is not listed as a valid move, and is accepted.")
            return


def _looks(world: World) -> Any:
    return world.over, frozen({viewer: world.shown(viewer) for viewer in world.viewers})


def _ending_faults(subject: Subject, world: World) -> Iterator[Fault]:
    with calling("the rewards"):
        rewards = {player: float(given) for player, given in world.rewards().items()}
    said = ", ".join(f"{given:g} for {called(player)}" for player, given in rewards.items())
    if not all(map(math.isfinite, rewards.values())):
        yield Fault("rewards", f"Play ends with rewards that are no numbers: {said}.")
        return
    if subject.prizes is not None:
        for given in rewards.values():
            if given not in subject.prizes:
                allowed = _prizes(subject.prizes)
                yield Fault("rewards", f"Play ends with {said}; rewards at the end are {allowed}.")
                return
    if subject.total is not None and rewards:
        total = sum(rewards.values())
        if abs(total - subject.total) > ROUNDING:
            due = f"they should sum to {subject.total:g}, not to {total:g}"
            yield Fault("rewards", f"Play ends with {said}; {due}.")
            return
    winner = world.winner()
    if winner in rewards and len(rewards) > 1:
        others = [given for player, given in rewards.items() if player != winner]
        if rewards[winner] < max(others):
            name = called(winner)
            yield Fault("rewards", f"{name} is called the winner, but play ends with {said}.")


def _prizes(prizes: Any) -> str:
    if isinstance(prizes, frozenset):
        return ", ".join(f"{prize:g}" for prize in sorted(prizes))
    return repr(prizes)
