"""Games by name: the rulebooks, files, modules, and what installed packages offer.

A game from outside is loaded once in a process and known by its name from then on, so that
Views and records find it again. A name that a record holds never runs code that was not
installed or asked for.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.core import GameError, OptionsError, TraplineError, brief
from trapline.core.faults import called, fault, from_outside, lines, source, what
from trapline.games.hidden_path import HiddenPath
from trapline.games.loading import check_kind, digest, from_file, from_module
from trapline.games.numeric_maze import NumericMaze
from trapline.games.secret_paths import SecretPaths
from trapline.games.trap_builder import TrapBuilder
from trapline.games.trap_runner import TrapRunner

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from importlib.metadata import EntryPoint

    from trapline.core import Game

GROUP = "trapline.games"
"""The group of entry points under which packages offer games."""
RULEBOOK = "rulebook"

RULEBOOKS: tuple[type[Game[Any]], ...] = (
    HiddenPath,
    TrapBuilder,
    TrapRunner,
    SecretPaths,
    NumericMaze,
)
GAMES: dict[str, type[Game[Any]]] = {kind.name: kind for kind in RULEBOOKS}
"""The rulebooks by name."""


class Loaded(NamedTuple):
    """A game from outside, and how it was found."""

    kind: type[Game[Any]]
    spec: str
    """What another process says to find it."""
    origin: str
    """Its path, its module, or the package that offers it."""
    rules: str
    """A digest of its rules."""


_loaded: dict[str, Loaded] = {}


# --- finding ----------------------------------------------------------------------------


def find_game(spec: str) -> type[Game[Any]]:
    """The game that a name, a path (`./pebbles.py`) or `package.module:Class` stands for.

    A file with several games takes the name of a class as well: `./pebbles.py:Race`.
    """
    if spec in GAMES:
        return GAMES[spec]
    if spec in _loaded:
        return _loaded[spec].kind
    if _is_path(spec):
        return _from_path(spec)
    if ":" in spec:
        return _from_module(spec)
    return known_game(spec)


def known_game(name: str) -> type[Game[Any]]:
    """The game of this name among rulebooks, installed packages and what was loaded before.

    For names that come from others: records, Views, requests.
    """
    if name in GAMES:
        return GAMES[name]
    if name in _loaded:
        return _loaded[name].kind
    for point in _entry_points():
        if point.name == name:
            return _from_entry_point(point)
    games = ", ".join([*GAMES, *_loaded])
    raise OptionsError(
        f"There is no game called {brief(name)}; the games are {games}. "
        "A game from a file is named by its path, such as ./pebbles.py."
    )


def is_known(name: str) -> bool:
    """Whether `known_game` would look for more than a sentence."""
    return name in GAMES or name in _loaded or any(p.name == name for p in _entry_points())


def origin(name: str) -> str:
    """Where a known game comes from: "rulebook", a path, a module, or a package."""
    return RULEBOOK if name in GAMES else _loaded[known_game(name).name].origin


def rules_digest(kind: type[Game[Any]]) -> str:
    """What a record of a game from outside says about its rules; nothing for a rulebook."""
    if not from_outside(kind):
        return ""
    loaded = _loaded.get(kind.name)
    return loaded.rules if loaded is not None and loaded.kind is kind else _digest(kind)


_digest = cache(digest)


def outside_fault(error: BaseException) -> str:
    """The sentence for an error that came out of the rules of a game from outside, if it did.

    For whoever lets rules run where nobody holds them: solvers, players, batches. An error that
    comes from another process brings its lines as text.
    """
    files = {name for name, _, _ in lines(error)}
    told = str(error.__cause__) if error.__cause__ is not None else ""
    for loaded in _loaded.values():
        file = str(source(loaded.kind))
        if file in files:
            return str(fault(loaded.kind, error))
        if found := re.findall(rf'File "{re.escape(file)}", line (\d+), in (\w+)', told):
            line, rule = found[-1]
            at = f"{Path(file).name}, line {line}, in {rule}"
            return f"{called(loaded.kind)} ({at}) {what(error)}"
    return ""


# --- all of them ------------------------------------------------------------------------


def all_games() -> Iterator[type[Game[Any]] | GameError]:
    """The rulebooks, what was loaded, and what is installed; a broken one as its sentence."""
    yield from RULEBOOKS
    for name in dict.fromkeys([*_loaded, *(point.name for point in _entry_points())]):
        try:
            yield known_game(name)
        except GameError as error:
            yield error


def loaded_specs() -> tuple[str, ...]:
    """What another process passes to `load_specs` to know the same games."""
    return tuple(loaded.spec for loaded in _loaded.values())


def load_specs(specs: Iterable[str], *, leniently: bool = False) -> None:
    """Know these games; `leniently` leaves out what cannot be loaded here."""
    for spec in specs:
        try:
            find_game(spec)
        except TraplineError:
            if not leniently:
                raise


def file_spec(name: str) -> str | None:
    """How to find a game that was loaded from a file; None for any other."""
    loaded = _loaded.get(name)
    return loaded.spec if loaded is not None and _is_path(loaded.spec) else None


# --- the ways in ------------------------------------------------------------------------


def _is_path(spec: str) -> bool:
    file = _split_path(spec)[0]
    return file.endswith(".py") or "/" in file or "\\" in file


def _split_path(spec: str) -> tuple[str, str]:
    """A path, and the class after it if one is named."""
    file, colon, wanted = spec.rpartition(":")
    return (file, wanted) if colon and file.endswith(".py") else (spec, "")


def _from_path(spec: str) -> type[Game[Any]]:
    file, wanted = _split_path(spec)
    path = Path(file).expanduser().resolve()
    exact = f"{path}:{wanted}" if wanted else str(path)
    return _known(exact) or _register(from_file(path, wanted), exact, str(path))


def _from_module(spec: str) -> type[Game[Any]]:
    module, _, wanted = spec.partition(":")
    return _known(spec) or _register(from_module(module, wanted), spec, module)


def _from_entry_point(point: EntryPoint) -> type[Game[Any]]:
    package = point.dist.name if point.dist is not None else point.module
    offers = [other for other in _entry_points() if other.name == point.name]
    if len(offers) > 1:
        packages = " and ".join(str(o.dist.name if o.dist else o.module) for o in offers)
        raise GameError(f"Two packages offer a game called {point.name}: {packages}.")
    kind = from_module(point.module, point.attr)
    if getattr(kind, "name", None) != point.name:
        raise GameError(
            f"The package {package} offers {kind.__name__} as {point.name}; "
            f"it must offer it by its own name, {getattr(kind, 'name', 'which it lacks')}."
        )
    return _register(kind, point.name, package)


def _known(spec: str) -> type[Game[Any]] | None:
    return next((loaded.kind for loaded in _loaded.values() if loaded.spec == spec), None)


def _register(kind: type[Game[Any]], spec: str, where: str) -> type[Game[Any]]:
    check_kind(kind)
    if kind.name in GAMES:
        raise GameError(f"{where}: {kind.name} is the name of a rulebook; choose another one.")
    held = _loaded.get(kind.name)
    if held is not None and held.kind is not kind:
        raise GameError(
            f"{where}: a game called {kind.name} is loaded already, from {held.origin}; "
            "choose another name."
        )
    if held is None:
        _loaded[kind.name] = Loaded(kind, spec, where, digest(kind))
    return kind


@cache
def _entry_points() -> tuple[EntryPoint, ...]:
    from importlib import metadata  # slow, and most names are found before

    return tuple(point for point in metadata.entry_points(group=GROUP) if point.name not in GAMES)
