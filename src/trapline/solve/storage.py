"""Solutions on disk: one file each, a checksum, one line of JSON, and the strategies' numbers.

Nothing is believed when it is loaded: the method that found it proves it anew.
"""

from __future__ import annotations

import contextlib
import hashlib
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.games import changed_options, rules_digest
from trapline.home import cache_folder, replace_file
from trapline.solve.interface import SOLVER_VERSION, Facts, TooLarge, Unsuited

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from trapline.core import Game, Seat
    from trapline.solve.interface import Method, Solution


def path(game: Game[Any], first: Seat = 1) -> Path:
    """One file for each set of rules and options, who moves first, and version of the solver."""
    options = msgspec.json.encode(msgspec.to_builtins(game.options), order="sorted")
    parts = (game.name, options.decode(), rules_digest(type(game)), first, SOLVER_VERSION)
    key = hashlib.sha256(repr(parts).encode()).hexdigest()
    return cache_folder() / f"{game.name}-{key[:16]}.solution"


def save(solution: Solution) -> None:
    """Keep a solution for later; where nothing can be written, later has to solve again."""
    body = msgspec.json.encode(solution.facts) + b"\n" + solution.pack()
    data = hashlib.sha256(body).hexdigest().encode() + b"\n" + body
    first: Seat = 1 if solution.facts.first == 1 else 2
    file = path(solution.game, first)
    with contextlib.suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(file, data)


def load(game: Game[Any], first: Seat, named: Callable[[str], Method | None]) -> Solution | None:
    """The kept solution, or None if there is none or it is not what it should be."""
    try:
        checksum, body = path(game, first).read_bytes().split(b"\n", 1)
        if hashlib.sha256(body).hexdigest().encode() != checksum:
            return None
        head, numbers = body.split(b"\n", 1)
        facts = msgspec.json.decode(head, type=Facts)
    except (OSError, ValueError, msgspec.DecodeError):
        return None
    mine = (game.name, changed_options(game), first, SOLVER_VERSION)
    if (facts.game, facts.options, facts.first, facts.solver) != mine:
        return None
    try:
        method = named(facts.method)
        return None if method is None else method.restore(facts, numbers)
    except (TooLarge, Unsuited, ValueError):
        return None
