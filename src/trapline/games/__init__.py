"""The rulebooks, one folder for each, and how a game is found by its name."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, get_args, get_origin

import msgspec

from trapline.core import Game, Options, OptionsError, brief
from trapline.games.hidden_path import HiddenPath
from trapline.games.numeric_maze import NumericMaze
from trapline.games.secret_paths import SecretPaths
from trapline.games.trap_builder import TrapBuilder
from trapline.games.trap_runner import TrapRunner

if TYPE_CHECKING:
    from collections.abc import Mapping

RULEBOOKS: tuple[type[Game[Any]], ...] = (
    HiddenPath,
    TrapBuilder,
    TrapRunner,
    SecretPaths,
    NumericMaze,
)
GAMES: dict[str, type[Game[Any]]] = {kind.name: kind for kind in RULEBOOKS}


def make_game(
    name: str, options: Mapping[str, object] | None = None, *, from_text: bool = False
) -> Game[Any]:
    """The game `name` under `options`; what is not given has the rulebook's value.

    Values must have the option's own type, or with `from_text` be text that says it.
    """
    kind = find_game(name)
    known = _option_types(kind)
    values: dict[str, object] = {}
    for option, value in (options or {}).items():
        if option not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise OptionsError(f"{kind.title} has no option {brief(option)}; {has}.")
        values[option] = _convert(option, value, known[option], from_text=from_text)
    return _build(kind, kind.options_type(**values))


def find_game(name: str) -> type[Game[Any]]:
    """The game of this name."""
    if name not in GAMES:
        games = ", ".join(GAMES)
        raise OptionsError(f"There is no game called {brief(name)}; the games are {games}.")
    return GAMES[name]


@lru_cache(maxsize=256)
def _build(kind: type[Game[Any]], options: Options) -> Game[Any]:
    """Games are values, so everybody who asks for the same one can share it."""
    return kind(options)


@cache
def _option_types(kind: type[Game[Any]]) -> dict[str, Any]:
    return {field.name: field.type for field in msgspec.structs.fields(kind.options_type)}


def changed_options(game: Game[Any]) -> dict[str, object]:
    """The options that differ from the rulebook's values, as a record holds them."""
    usual = type(game.options)()
    return {
        field: list(value) if isinstance(value, tuple) else value
        for field in game.options.__struct_fields__
        if (value := getattr(game.options, field)) != getattr(usual, field)
    }


def _convert(option: str, value: object, annotated: Any, *, from_text: bool) -> object:
    kind, meta = get_args(annotated)
    given = value
    if isinstance(value, str) and get_origin(kind) is tuple:
        given = [part.strip() for part in value.split(",") if part.strip()]
        from_text = True
    try:
        return msgspec.convert(given, annotated, strict=not from_text)
    except msgspec.ValidationError:
        raise OptionsError(f"{option} must be {meta.description}, not {brief(value)}.") from None
