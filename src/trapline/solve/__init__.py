"""Solving games: the value with best play, with a proof, and a policy that attains it.

`solve` works a game out; `solved` looks for a kept solution first. Methods are tried in turn,
each of which says for which games it is right, and refuses the others:

- the game's own, where it offers one (`Game.method`);
- forced results (`forced`), and an equilibrium of the public tree (`public`), where nothing is
  hidden but what both choose before the first turn;
- an equilibrium of the whole tree (`whole`), for every game that is small enough.

`judged` adds bounds for those that are not (`horizon`).

No method knows a game, and none is right by accident.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from trapline.solve import storage
from trapline.solve.checkpoints import Checkpoints
from trapline.solve.forced import ForcedMethod
from trapline.solve.interface import (
    Certificate,
    Facts,
    Machine,
    Method,
    Outlook,
    Policy,
    Progress,
    Request,
    Several,
    Solution,
    TooLarge,
    Uncertified,
    Unsuited,
)
from trapline.solve.mirror import solved_first
from trapline.solve.public import PublicMethod
from trapline.solve.sentences import is_open
from trapline.solve.unsolved import Unsolved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Game, Seat

__all__ = [
    "Certificate", "Facts", "Machine", "Method", "Outlook", "Policy", "Progress", "Request",
    "Solution", "TooLarge", "Uncertified", "Unsuited", "judged", "load", "methods", "solve",
    "solved", "solved_first",
]  # fmt: skip


def methods(game: Game[Any], first: Seat) -> Iterator[Method]:
    """All that a solution may have been found by."""
    own: Method | Several | None = game.method()
    if own is not None and not isinstance(own, Several):
        yield own
    elif own is not None:
        yield from own.parts()
    yield from general_methods(game, first)


def general_methods(game: Game[Any], first: Seat) -> Iterator[Method]:
    """What may be tried for any game."""
    yield ForcedMethod(game, first)
    yield PublicMethod(game, first)
    from trapline.solve.whole import WholeMethod  # which brings a compiler along

    yield WholeMethod(game, first)


def solve(
    game: Game[Any],
    *,
    first: Seat = 1,
    target: float = 1e-4,
    time_limit: float | None = None,
    progress: Progress | None = None,
    checkpoints: Checkpoints | None = None,
    known: Solution | None = None,
) -> Solution:
    """The solution of a game under its options, to an exploitability of at most `target`.

    `first` matters only where the game is not the same for both seats. A time limit in seconds,
    or Ctrl-C, ends the search with the best found and its bounds. `target=0` asks for an exact
    solution. With checkpoints, a search that was killed is taken up; from a solution that is known
    a method goes on if it can. Raises TooLarge where no
    method reaches; the game's own method, where it has one, knows best whether that is so.
    """
    begin = time.monotonic()
    deadline = None if time_limit is None else begin + time_limit
    request = Request(target, deadline, progress, begin, checkpoints, known)
    own: Method | None = game.method()
    found = None if own is None else own.solve(request)
    if found is not None:
        return found
    refused: list[str] = []
    for method in general_methods(game, solved_first(game, first)):
        try:
            found = method.solve(request)
        except (TooLarge, Unsuited) as error:
            refused.append(str(error))
            continue
        if found is not None:
            return found
    raise TooLarge(" ".join(dict.fromkeys(refused)) or f"{game.title} cannot be solved.")


def load(game: Game[Any], first: Seat = 1) -> Solution | None:
    """The kept solution of a game, proven anew; None if there is none that holds."""
    first = solved_first(game, first)
    return storage.load(game, first, methods)


def solved(
    game: Game[Any],
    *,
    first: Seat = 1,
    target: float = 1e-4,
    time_limit: float | None = None,
    progress: Progress | None = None,
    fresh: bool = False,
    more: bool = False,
) -> Solution:
    """A kept solution that is good enough, or else a new one, which is kept.

    A search that was killed before goes on, unless a fresh one is asked for. Where more is asked
    for, a search also goes on from a solution with which others would be content; and one that was
    shipped with open bounds is a beginning, from which somebody has to go on once.
    """
    kept = load(game, first)
    if kept is not None and is_open(kept.bounds) and not storage.path(game, first).is_file():
        more = True
    if kept is not None and not fresh:
        content = kept.exact if more else kept.final
        if content or kept.exploitability <= target:
            return kept
    unfinished = Checkpoints(storage.path(game, solved_first(game, first)))
    if fresh:
        unfinished.drop()
    found = solve(
        game,
        first=first,
        target=target,
        time_limit=time_limit,
        progress=progress,
        checkpoints=unfinished,
        known=kept if more and not fresh else None,
    )
    if found.final or found.exploitability <= target:
        unfinished.drop()
    if kept is None or found.exploitability <= kept.exploitability:
        storage.save(found)
        return found
    return found if fresh else kept


def judged(
    game: Game[Any],
    *,
    target: float = 1e-4,
    time_limit: float | None = None,
    progress: Progress | None = None,
    fresh: bool = False,
    more: bool = False,
) -> Solution:
    """The same; and where no method reaches, or Ctrl-C comes before anything is proven, bounds that
    hold in any case instead of an error."""
    begin = time.monotonic()
    try:
        return solved(
            game, target=target, time_limit=time_limit, progress=progress, fresh=fresh, more=more
        )
    except TooLarge as error:
        from trapline.solve.horizon import look_ahead  # which brings a compiler along

        deadline = None if time_limit is None else begin + time_limit
        ahead = None if error.proven else look_ahead(game, 1, deadline)
        return Unsolved(game, error, round(time.monotonic() - begin, 3), ahead)
    except KeyboardInterrupt:
        stopped = TooLarge("The search was stopped before it had found anything.")
        return Unsolved(game, stopped, round(time.monotonic() - begin, 3))
