"""Plays as values: taken again, compared with themselves, and made shorter."""

from __future__ import annotations

from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from trapline.audit.around import around
from trapline.audit.faults import (
    Eve,
    Fault,
    Faulty,
    Hung,
    calling,
    position_faults,
    step_faults,
    taken,
)
from trapline.worlds.values import frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from trapline.audit.around import Around
    from trapline.worlds import Subject, World

MOST_SHRINKS = 200
REPEATS = 20
"""How often a play must go the same way before what disturbed it is blamed for a difference."""
FIRST_MOVES = 2
WHOLE_PLAYS = 3
"""So often a play is taken to its end with other luck."""
LONG = 200
"""In plays longer than this nobody looks for positions that come back."""


class Play(NamedTuple):
    start: int
    """Which of the subject's starts: the seed, where chance has one."""
    actions: tuple[Any, ...] = ()


def plain(action: Any) -> Any:
    """An action as JSON has it."""
    if isinstance(action, (np.ndarray, np.generic)):
        return action.tolist()
    if isinstance(action, (list, tuple)):
        return [plain(part) for part in action]
    return action if isinstance(action, (str, int, float, bool)) or action is None else str(action)


def begun(subject: Subject, start: int, luck: int = 0) -> World:
    with calling("reset()"):
        if subject.seeded:
            world = subject.start(start, luck)  # type: ignore[attr-defined]  # it has seeds
            around(world)  # as it is before anybody has played
            return world  # type: ignore[no-any-return]  # of such a subject
        return next(islice(subject.starts(), start, None))


def meant(world: World, action: Any) -> Any:
    """The action of this position that JSON has written so."""
    return next((each for each in world.actions() if plain(each) == plain(action)), action)


# --- all that one play shows ------------------------------------------------------------


def play_faults(subject: Subject, play: Play, *, whole: bool = True) -> Iterator[Fault]:
    """Everything that is wrong where a play ends; with `whole`, also with playing it again."""
    try:
        world = begun(subject, play.start)
        loops = subject.longest and len(play.actions) < LONG
        been = {world.key()} if loops else set()
        for number, action in enumerate(play.actions):
            if world.over:
                return
            eve, action = Eve.of(world), meant(world, action)
            last = number == len(play.actions) - 1
            # What is before the last one is compared with what comes of it.
            world = taken(world, action, use_up=not last)
            if last:
                yield from step_faults(subject, eve, action, world)
                if loops and not world.over and world.key() in been - {None}:
                    said = "Play comes back to a position it has been in, and can go on for ever."
                    yield Fault("endless", said)
            if loops:
                been.add(world.key())
        yield from position_faults(subject, world)
        if whole:
            yield from again_faults(subject, play)
        if subject.longest and not world.over and len(play.actions) > subject.longest:
            yield Fault("endless", f"Play had not ended after {subject.longest} moves.")
    except Faulty as faulty:
        yield faulty.fault


def again_faults(subject: Subject, play: Play) -> Iterator[Fault]:
    """What is wrong when the same is done again: chance, shared state, a reset that is none."""
    if not subject.seeded:
        yield from _unseeded_faults(subject, play)
        return
    lying = around(begun(subject, play.start))
    lying.put_back()
    first, before = begun(subject, play.start), lying.now()
    told = _looks(first, play.actions)
    kept = lying.now() != before
    # What is kept may have to pile up before it makes a difference.
    times = range(REPEATS if kept else 1)
    changed = any(_looks(begun(subject, play.start), play.actions) != told for _ in times)
    if changed and kept:
        said = "What is played in one environment is kept outside of it, and changes the next one."
        yield Fault("shared state", said)
        return
    by_chance = Fault("chance", "The same seed and the same actions lead to something else.")
    if changed or _by_luck(subject, play, told, lying):
        yield by_chance
        return
    for fault in _disturbed_faults(subject, play, told, lying):
        # Before a neighbour, a copy or a reset is blamed: does it also happen undisturbed?
        lying.put_back()  # what these have left outside is not chance
        alone = (_looks(begun(subject, play.start), play.actions) for _ in range(REPEATS))
        yield by_chance if any(looks != told for looks in alone) else fault


def _unseeded_faults(subject: Subject, play: Play) -> Iterator[Fault]:
    """All that chance decides is among the actions there, unless a game says that it draws."""
    tries = range(0 if getattr(subject, "draws", False) else WHOLE_PLAYS)
    told, *more = [_looks(begun(subject, play.start), play.actions) for _ in (None, *tries)]
    if any(looks != told for looks in more):
        yield Fault("chance", "The same actions lead to something else.")
        return
    yield from _copy_faults(subject, play)


def _by_luck(subject: Subject, play: Play, told: list[Any], lying: Around) -> bool:
    """Whether Python's or NumPy's own generators decide anything, or what no seed does.

    Who draws from them may draw the same a few times; most draw at the start, which is looked at
    most often, and the first moves show it.
    """
    whole = WHOLE_PLAYS if getattr(subject, "lucky", False) else 1
    for luck in range(1, REPEATS):
        actions = play.actions if luck <= whole else play.actions[:FIRST_MOVES]
        lying.put_back()  # what was kept of the play before is no luck
        if _looks(begun(subject, play.start, luck), actions) != told[: len(actions) + 1]:
            return True
    return False


def _disturbed_faults(
    subject: Subject, play: Play, told: list[Any], lying: Around
) -> Iterator[Fault]:
    """What comes of it when something else happens before the play or beside it."""
    yield from _neighbour_faults(subject, play, told)
    yield from _copy_faults(subject, play)
    other = play.start + 1
    dealt = _look(begun(subject, other))
    # Some begin anew only when what they had begun is over: so from the middle, too.
    for count in dict.fromkeys((len(play.actions), len(play.actions) // 2)):
        used = _end(subject, play._replace(actions=play.actions[:count]))
        lying.put_back()  # a reset need not begin what all environments share anew
        with calling("reset()"):
            fresh = used.reset()
        if _looks(fresh, play.actions) != told:
            said = "After a reset with the same seed it does not begin as it did before."
            yield Fault("reset", said)
            return
        # What is kept of a deal shows only where another one should be.
        with calling("reset()"):
            fresh = _end(subject, play._replace(actions=play.actions[:count])).reset(other)
        if _look(fresh) != dealt:
            said = "After a reset with another seed it does not begin as a new environment does."
            yield Fault("reset", said)
            return


def _neighbour_faults(subject: Subject, play: Play, told: list[Any]) -> Iterator[Fault]:
    """Another environment of the same kind is played between the steps of this one."""
    world = begun(subject, play.start)
    for number, action in enumerate((*play.actions, None)):
        if number == len(told):
            return
        neighbour = begun(subject, play.start + 1 + number)
        if not neighbour.over and neighbour.actions():
            taken(neighbour, neighbour.actions()[0], use_up=True)
        if _look(world) != told[number]:
            yield Fault("shared state", "Playing in one environment changes another one.")
            return
        if number < len(play.actions) and not world.over:
            world = taken(world, meant(world, action), use_up=True)


def _copy_faults(subject: Subject, play: Play) -> Iterator[Fault]:
    """Playing on in a copy must leave the original as it was."""
    world = _end(subject, play)
    if world.over:
        return
    before = _look(world)
    for action in world.actions()[:2]:
        copied = world.copied() if hasattr(world, "copied") else world
        if copied is None:
            return
        taken(copied, action, use_up=copied is not world)
        if _look(world) != before:
            yield Fault("shared state", f"Playing {action!r} in a copy changes the original.")
            return


def _end(subject: Subject, play: Play) -> Any:
    world = begun(subject, play.start)
    for action in play.actions:
        if world.over:
            break
        world = taken(world, meant(world, action), use_up=True)
    return world


def _looks(world: World, actions: Sequence[Any]) -> list[Any]:
    """What everybody is shown after each action, up to where it breaks."""
    seen = []
    try:
        seen.append(_look(world))
        for action in actions:
            if world.over:
                break
            world = taken(world, meant(world, action), use_up=True)
            seen.append(_look(world))
    except Hung:
        raise
    except Faulty as faulty:
        seen.append(faulty.fault.check)
    return seen


def _look(world: World) -> Any:
    with calling("what is shown"):
        shown = {viewer: world.shown(viewer) for viewer in world.viewers}
        return frozen((world.over, shown, [] if world.over else world.actions()))


# --- made shorter -----------------------------------------------------------------------


def shortest(play: Play, shows: Callable[[Play], bool], late: Callable[[], bool]) -> Play:
    """A play without what it does not need to show the same: parts left out, while any can be.

    How it begins is tried first, however late it is: all that takes half as long as the play.
    """
    lengths = takewhile(lambda length: 4 * length <= len(play.actions), (2**n for n in range(64)))
    beginnings = (play._replace(actions=play.actions[:length]) for length in lengths)
    play = next((fewer for fewer in beginnings if shows(fewer)), play)
    left = MOST_SHRINKS
    size = max(1, len(play.actions) // 2)
    while size:
        at = 0
        while at < len(play.actions) and left and not late():
            left -= 1
            fewer = play._replace(actions=play.actions[:at] + play.actions[at + size :])
            if shows(fewer):
                play = fewer
            else:
                at += size
        size //= 2
    return play
