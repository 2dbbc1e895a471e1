"""What a target's text means: a game of this project, or somebody's environment."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trapline.audit.faults import calling
from trapline.audit.report import Finding
from trapline.checking import look
from trapline.core import GameError, TraplineError, brief
from trapline.games import make_game
from trapline.worlds import subject_of
from trapline.worlds.envpool import Pool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import ModuleType

    from trapline.worlds import Subject

FORMS = (
    "a game, pyspiel:NAME, pettingzoo:MODULE, gymnasium:MODULE:CLASS, gymnasium:FILE.py, "
    "kaggle:NAME, textarena:NAME, envpool:NAME, openenv:MODULE:CLASS or openenv:FILE.py"
)

EXTRAS = {
    "envpool": "envpool",
    "gymnasium": "adapters",
    "kaggle_environments": "kaggle",
    "pettingzoo": "adapters",
    "pyspiel": "adapters",
    "textarena": "adapters",
}
"""Which of our extras brings a library, by the name that is imported."""


def subject_named(target: str, options: Mapping[str, object] | None = None) -> Subject:
    """The positions of a target; TraplineError if there is no such thing."""
    library, colon, name = target.partition(":")
    if colon and library in KINDS:
        if options:
            raise TraplineError(f"--set is for games of this project, not for {library}.")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = _made(target, KINDS[library], name)
            if inspect.isclass(made):
                with calling(f"{made.__name__}()"):
                    return subject_of(made)
            return _made(target, subject_of, made)  # type: ignore[no-any-return]  # a subject
    try:
        return subject_of(make_game(target, options, from_text=True))
    except GameError as error:
        if not colon:
            raise
        raise TraplineError(f"{error} A target is {FORMS}.") from error


def _made(target: str, making: Callable[[Any], Any], what: Any) -> Any:
    try:
        return making(what)
    except TraplineError:
        raise
    except Exception as error:
        said = " ".join(str(error).split()) or type(error).__name__
        raise TraplineError(f"{target} cannot be made: {said[:300]}") from error


def own_findings(target: str, options: Mapping[str, object] | None) -> Iterator[Finding]:
    """What this project's own check says of a game of its kind, with file and line."""
    if target.partition(":")[0] in KINDS:
        return
    given = dict(options or {})
    for found in look(target, given).findings:
        called = f"reproduce({target!r}, {found.check!r}, options={given!r})"
        line = f"from trapline.audit import reproduce; {called}"
        yield Finding(found.check, found.sentence, found.play, line)


def _pyspiel(name: str) -> Any:
    pyspiel = _module("pyspiel", "open_spiel")
    if name.partition("(")[0].startswith("python_"):
        importlib.import_module("open_spiel.python.games")
    if name.startswith("trapline_"):
        importlib.import_module("trapline.adapters.open_spiel")
    return pyspiel.load_game(name)


def _pettingzoo(name: str) -> Callable[[], Any]:
    path, _, function = name.partition(":")
    if path.endswith(".py"):
        module = _file(Path(path))
    else:
        short = f"pettingzoo.classic.{path}"
        known = "." not in path and importlib.util.find_spec(path) is None
        if known:
            _module("pettingzoo", "pettingzoo")
        module = _module(short if known else path, path)
    for wanted in [function] if function else ["env", "parallel_env", "raw_env"]:
        if hasattr(module, wanted):
            return getattr(module, wanted)  # type: ignore[no-any-return]  # it makes one
    return _class_in(module, function, "possible_agents", path)


def _gymnasium(name: str) -> Callable[[], Any]:
    gymnasium = _module("gymnasium", "gymnasium")
    path, colon, wanted = name.rpartition(":")
    if name.endswith(".py") or path.endswith(".py"):
        return _class_in(
            _file(Path(path if colon and path else name)), wanted if colon else "", "step", name
        )
    if colon:
        return _class_in(_module(path, path), wanted, "step", name)
    return lambda: gymnasium.make(name)


def _kaggle(name: str) -> Callable[[], Any]:
    kaggle = _module("kaggle_environments", "kaggle-environments")
    if name.startswith("open_spiel_trapline_"):
        ours = importlib.import_module("trapline.adapters.kaggle")
        name = ours.register(name.removeprefix("open_spiel_"))
    return lambda: kaggle.make(name, debug=True)


def _textarena(name: str) -> Callable[[], Any]:
    textarena = _module("textarena", "textarena")
    path, colon, wanted = name.rpartition(":")
    if path.endswith(".py") or name.endswith(".py"):
        return _class_in(
            _file(Path(path if colon else name)), wanted if colon else "", "step", name
        )
    if name.startswith("Trapline-"):
        importlib.import_module("trapline.adapters.textarena")
    raw = f"{name}-raw" if f"{name}-raw" in textarena.envs.registration.ENV_REGISTRY else name
    return lambda: textarena.make(raw)


def _envpool(name: str) -> Callable[[], Any]:
    envpool = _module("envpool", "envpool")
    alone = {"env_type": "gymnasium", "num_envs": 1, "num_threads": 1}
    pool = Pool(lambda seed: envpool.make(name, seed=seed, **alone))
    return lambda: pool  # for all, since each has threads: hundreds of them cannot be started


def _openenv(name: str) -> Callable[[], Any]:
    path, colon, wanted = name.rpartition(":")
    if name.endswith(".py") or path.endswith(".py"):
        file = Path(path if colon and path else name)
        return _class_in(_file(file), wanted if path else "", "reset", name)
    if not colon:
        raise TraplineError("An environment of OpenEnv is openenv:MODULE:CLASS or openenv:FILE.py.")
    return _class_in(_module(path, path), wanted, "reset", name)


KINDS: dict[str, Callable[[str], Any]] = {
    "pyspiel": _pyspiel,
    "pettingzoo": _pettingzoo,
    "gymnasium": _gymnasium,
    "kaggle": _kaggle,
    "textarena": _textarena,
    "envpool": _envpool,
    "openenv": _openenv,
}


# --- where Python finds them ------------------------------------------------------------


def _module(name: str, called: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or name
        extra = EXTRAS.get(missing)
        if extra is not None:
            needed = f"pip install 'trapline[{extra}]'"
            raise TraplineError(f"{called} is not installed: {needed} brings it.") from None
        if f"{name}.".startswith(f"{missing}."):
            within = f", in {name.rpartition('.')[0]} or elsewhere" if called != name else ""
            raise TraplineError(f"There is no module {called}{within}.") from None
        raise TraplineError(f"{called} needs {missing}, which is not installed.") from None


def _file(path: Path) -> ModuleType:
    if not path.is_file():
        raise TraplineError(f"There is no file {path}.")
    spec = importlib.util.spec_from_file_location(f"audited_{path.stem}", path)
    assert spec is not None  # it is Python, by its name
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    sys.path.append(str(path.parent.resolve()))
    spec.loader.exec_module(module)
    return module


def _class_in(module: Any, wanted: str, ability: str, name: str) -> Callable[[], Any]:
    """The class that was named, or the last one of a module that has what it takes."""
    if wanted:
        if not hasattr(module, wanted):
            raise TraplineError(
                f"{module.__name__.removeprefix('audited_')} has no {brief(wanted)}."
            )
        return getattr(module, wanted)  # type: ignore[no-any-return]  # it makes one
    own = [
        kind
        for _, kind in inspect.getmembers(module, inspect.isclass)
        if kind.__module__ == module.__name__ and (hasattr(kind, ability) or hasattr(kind, "step"))
    ]
    if not own:
        raise TraplineError(f"{name} holds no environment: no class in it has a step().")
    own.sort(key=lambda kind: inspect.getsourcelines(kind)[1])
    return own[-1]
