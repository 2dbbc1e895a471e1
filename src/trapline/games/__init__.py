"""The five games, one file for each rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args, get_origin

import msgspec

from trapline.core import Game, OptionsError, brief
from trapline.games.hidden_path import HiddenPath
from trapline.games.numeric_maze import NumericMaze
from trapline.games.secret_paths import SecretPaths
from trapline.games.trap_builder import TrapBuilder
from trapline.games.trap_runner import TrapRunner

if TYPE_CHECKING:
    from collections.abc import Mapping

GAMES: dict[str, type[Game[Any, Any]]] = {
    "hidden-path": HiddenPath,
    "trap-builder": TrapBuilder,
    "trap-runner": TrapRunner,
    "secret-paths": SecretPaths,
    "numeric-maze": NumericMaze,
}


def make_game(
    name: str, options: Mapping[str, object] | None = None, *, from_text: bool = False
) -> Game[Any, Any]:
    """The game `name` under `options`; what is not given has the rulebook's value.

    Values must have the option's own type, or with `from_text` be text that says it.
    """
    if name not in GAMES:
        known = ", ".join(GAMES)
        raise OptionsError(f"There is no game called {brief(name)}; the games are {known}.")
    kind = GAMES[name]
    fields = {field.name: field for field in msgspec.structs.fields(kind.options_type)}
    values: dict[str, object] = {}
    for option, value in (options or {}).items():
        if option not in fields:
            raise OptionsError(
                f"{kind.title} has no option {brief(option)}; it has {', '.join(fields)}."
            )
        values[option] = _convert(option, value, fields[option].type, from_text=from_text)
    return kind(kind.options_type(**values))


def changed_options(game: Game[Any, Any]) -> dict[str, object]:
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
