"""Solutions in files: one each, a checksum, and packed behind it one line of JSON and numbers.

A rulebook, or a package with a game, ships some in a folder `solutions` beside the game, so that
nobody waits for them; what else is solved is kept in the user's own folder. Nothing is believed
when it is loaded: the method that found it proves it anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.games import changed_options, rules_digest
from trapline.home import cache_folder, replace_file
from trapline.solve.interface import SOLVER_VERSION, Facts, TooLarge, Unsuited

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from trapline.core import Game, Seat
    from trapline.solve.interface import Method, Solution

    Methods = Callable[[Game[Any], Seat], Iterable[Method]]

LARGEST = 1 << 29
"""Bytes that a file may unpack to: more than any solution takes."""


def name(game: Game[Any], first: Seat = 1) -> str:
    """One file for each set of rules and options, who moves first, and version of the solver."""
    options = msgspec.json.encode(msgspec.to_builtins(game.options), order="sorted")
    parts = (game.name, options.decode(), rules_digest(type(game)), first, SOLVER_VERSION)
    key = hashlib.sha256(repr(parts).encode()).hexdigest()
    return f"{game.name}-{key[:16]}.solution"


def path(game: Game[Any], first: Seat = 1) -> Path:
    """Where a solution that was found here is kept."""
    return cache_folder() / name(game, first)


def shipped(game: Game[Any], first: Seat = 1) -> Path:
    """Where a solution lies that came with the game."""
    return Path(inspect.getfile(type(game))).with_name("solutions") / name(game, first)


def save(solution: Solution, file: Path | None = None) -> None:
    """Keep a solution for later."""
    first: Seat = 1 if solution.facts.first == 1 else 2
    write(file or path(solution.game, first), solution.facts, solution.pack())


def write(file: Path, facts: Facts, numbers: bytes) -> None:
    """Keep facts and numbers; where nothing can be written, later has to solve again."""
    body = zlib.compress(msgspec.json.encode(facts) + b"\n" + numbers, 9)
    data = hashlib.sha256(body).hexdigest().encode() + b"\n" + body
    with contextlib.suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(file, data)


def load(game: Game[Any], first: Seat, methods: Methods) -> Solution | None:
    """The kept solution, or the shipped one; None where neither is what it should be."""
    for file in (path(game, first), shipped(game, first)):
        found = read(file, game, first, methods)
        if found is not None:
            return found
    return None


def unpack(file: Path) -> tuple[Facts, bytes] | None:
    """The facts and numbers in a file; None where it is not there, or damaged."""
    try:
        checksum, body = file.read_bytes().split(b"\n", 1)
        if hashlib.sha256(body).hexdigest().encode() != checksum:
            return None
        head, numbers = zlib.decompressobj().decompress(body, LARGEST).split(b"\n", 1)
        return msgspec.json.decode(head, type=Facts), numbers
    except (OSError, ValueError, zlib.error, msgspec.DecodeError):
        return None


def read(file: Path, game: Game[Any], first: Seat, methods: Methods) -> Solution | None:
    """The solution in a file, if it is this game's and holds."""
    kept = unpack(file)
    if kept is None:
        return None
    facts, numbers = kept
    mine = (game.name, changed_options(game), first, SOLVER_VERSION)
    if (facts.game, facts.options, facts.first, facts.solver) != mine:
        return None
    method = next((m for m in methods(game, first) if m.name == facts.method), None)
    try:
        return None if method is None else method.restore(facts, numbers)
    except (TooLarge, Unsuited, ValueError):
        return None
