"""A game's class from a file or a module of somebody else, or a sentence why there is none."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import re
import sys
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from trapline.core import SEATS, Board, Game, GameError, Options, Question, State, Words, asked
from trapline.core.faults import (
    called,
    deadline,
    defined_at,
    held,
    lines,
    source,
    what,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
LOADING = 30.0
"""Seconds of computing that a module may take to load, with all that it imports."""


def from_file(path: Path, wanted: str = "") -> type[Game[Any]]:
    """The game in a file; `wanted` names its class where there are several."""
    if not path.is_file():
        raise GameError(f"There is no file {path}.")
    with _loading(path):
        module = _run(path)
    return _chosen(module, wanted, str(path))


def from_module(name: str, wanted: str = "") -> type[Game[Any]]:
    """The game in a module that Python can import."""
    try:
        found = importlib.util.find_spec(name)
    except (ImportError, ValueError, AttributeError):
        found = None
    if found is None:
        raise GameError(f"There is no module {name} to import.")
    with _loading(Path(found.origin or name)):
        module = importlib.import_module(name)
    return _chosen(module, wanted, name)


def _run(path: Path) -> ModuleType:
    """Run a file as a module; what lies beside it can be imported meanwhile.

    The module's name follows from the path, so that other processes give it the same one.
    """
    told_apart = hashlib.sha256(str(path).encode()).hexdigest()[:12]
    name = f"trapline_game_{path.stem.replace('.', '_')}_{told_apart}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise GameError(f"{path} is not a Python file: its name must end with .py.")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    sys.path.append(str(path.parent))
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        sys.path.remove(str(path.parent))
    return module


@contextmanager
def _loading(path: Path) -> Iterator[None]:
    """Turn whatever goes wrong while a file is loaded into a sentence that names the line."""
    try:
        with deadline(LOADING):
            yield
    except (GameError, KeyboardInterrupt):
        raise
    except SyntaxError as error:
        at = f"{Path(error.filename or path).name}, line {error.lineno}"
        raise GameError(f"{at} is not Python: {error.msg}.") from error
    except BaseException as error:
        here = [line for name, line, _ in lines(error) if Path(name) == path]
        at = f"{path.name}, line {here[-1]}," if here else path.name
        raise GameError(f"{at} {what(error)}") from error


def _chosen(module: ModuleType, wanted: str, spec: str) -> type[Game[Any]]:
    """The one game that a module defines, or the one of several that was asked for."""
    own = [
        kind
        for kind in vars(module).values()
        if inspect.isclass(kind) and issubclass(kind, Game) and kind.__module__ == module.__name__
    ]
    if wanted:
        found = getattr(module, wanted, None)
        if not (inspect.isclass(found) and issubclass(found, Game)):
            raise GameError(f"{spec} has no game {wanted}{_one_of(own)}.")
        return found
    # A class that another one builds on is no game to be played by itself.
    ends = [kind for kind in own if not any(kind in other.__mro__[1:] for other in own)]
    if not ends:
        raise GameError(f"{spec} holds no game: no class in it builds on trapline.Game.")
    if len(ends) > 1:
        raise GameError(f"{spec} holds {len(ends)} games: name one{_one_of(ends, spec + ':')}.")
    return ends[0]


def _one_of(kinds: list[type[Game[Any]]], before: str = "") -> str:
    return f", such as {before}{kinds[0].__name__}" if kinds else ""


# --- is it one? -------------------------------------------------------------------------


def check_kind(kind: type[Game[Any]]) -> None:
    """GameError where a class lacks what every game has, or fails before its first question."""
    missing = sorted(getattr(kind, "__abstractmethods__", ()))
    if missing:
        raise _wrong(kind, f"does not say {', '.join(missing)}")
    name = getattr(kind, "name", None)
    if not isinstance(name, str) or not NAME.fullmatch(name):
        wanted = "small letters, digits and single hyphens, such as 'pebble-race'"
        raise _wrong(kind, f"needs a name of {wanted}, not {name!r}")
    for attribute in ("title", "summary", "place", "minutes"):
        if not isinstance(getattr(kind, attribute, None), str) or not getattr(kind, attribute):
            raise _wrong(kind, f"needs a {attribute}, as text")
    if kind.default_first not in (1, 2, "toss"):
        raise _wrong(kind, "has a default_first that is not 1, 2 or 'toss'")
    if not (inspect.isclass(kind.words) and issubclass(kind.words, Words)):
        raise _wrong(kind, "has words that are no subclass of trapline.Words")
    with held(kind):
        _check_options(kind)
        game = kind(kind.options_type())
        for seat in SEATS:
            _check_start(kind, game, game.start(seat))


def _check_options(kind: type[Game[Any]]) -> None:
    if not (inspect.isclass(kind.options_type) and issubclass(kind.options_type, Options)):
        raise _wrong(kind, "has an options_type that is no subclass of trapline.Options")
    for field in msgspec.structs.fields(kind.options_type):
        meta = get_args(field.type)[1:]
        if field.required:
            raise _wrong(kind.options_type, f"gives its option {field.name} no usual value")
        if not (meta and getattr(meta[0], "description", None)):
            sort = "Annotated[int, Meta(description='a whole number ...')]"
            raise _wrong(kind.options_type, f"must describe its option {field.name}: {sort}")


def _check_start(kind: type[Game[Any]], game: Game[Any], state: Any) -> None:
    if not isinstance(state, State):
        raise _wrong(kind, "has a start that gives no State")
    check_state(state)
    if state.mover not in (0, 1, 2) or state.turn != 0 or state.outcome is not None:
        raise _wrong(kind, "must start with a mover from 0 to 2, on turn 0, without an outcome")
    if not asked(game, state):
        raise _wrong(kind, "asks nobody anything at the start")
    for seat in SEATS:
        question = game.question(state, seat)
        if question is not None:
            check_question(kind, question)
    for viewer in (1, 2, None):
        if not isinstance(game.board(state, viewer, False), Board):
            raise _wrong(kind, "has a board that is none: build a Panel, a Grid or a Track")


def check_state(state: Any) -> None:
    """States are values: nobody can change one that somebody else holds."""
    if not type(state).__struct_config__.frozen:
        raise _wrong(type(state), "must be frozen: class State(trapline.State, frozen=True)")
    for name in state.__struct_fields__:
        try:
            hash(getattr(state, name))
        except TypeError:
            sort = type(getattr(state, name)).__name__
            raise _wrong(type(state), f"holds a {sort} in {name}: use a tuple") from None


def check_question(kind: type[Game[Any]], question: Any) -> None:
    if not isinstance(question, Question):
        raise _wrong(kind, f"asks {type(question).__name__}, which is no Question")
    if not question.answers:
        raise _wrong(kind, f"asks for a {question.asks} and allows no answer")
    values = [answer.value for answer in question.answers]
    if len(set(values)) != len(values):
        raise _wrong(kind, f"asks for a {question.asks} with two answers of the same value")


def _wrong(kind: type[Any], says: str) -> GameError:
    name = called(kind) if issubclass(kind, Game) else kind.__name__
    return GameError(f"{name} ({defined_at(kind)}) {says}.")


# --- what its rules are -----------------------------------------------------------------


def digest(kind: type[Game[Any]]) -> str:
    """SHA-256 of the files that hold a game's rules: of the file itself where it is one.

    The files are those of its classes, and what these use from the same folder.
    """
    files = sorted(_files(kind), key=lambda path: path.name)
    hashes = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files if path.is_file()]
    if len(hashes) == 1:
        return hashes[0]
    return hashlib.sha256("".join(hashes).encode()).hexdigest()


def _files(kind: type[Game[Any]]) -> set[Path]:
    seen: set[str] = set()
    waiting = [base.__module__ for base in kind.__mro__ if issubclass(base, Game)]
    waiting = [name for name in waiting if not name.startswith("trapline.")]
    folders = {source(base).parent for base in kind.__mro__ if base.__module__ in waiting}
    while waiting:
        module = sys.modules.get(name := waiting.pop())
        file = getattr(module, "__file__", None)
        if name in seen or file is None or Path(file).parent not in folders:
            continue
        seen.add(name)
        for value in list(vars(module).values()):
            used = (
                value.__name__
                if isinstance(value, ModuleType)
                else getattr(value, "__module__", "")
            )
            waiting.append(used or "")
    return {Path(sys.modules[name].__file__ or "") for name in seen}
