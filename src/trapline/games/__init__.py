"""The rulebooks, one folder for each; how a game is found, and made under options."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, get_args, get_origin

import msgspec

from trapline.core import OptionsError, brief
from trapline.core.faults import from_outside, held
from trapline.games.finding import (
    GAMES,
    RULEBOOKS,
    all_games,
    find_game,
    is_known,
    known_game,
    load_specs,
    loaded_specs,
    origin,
    outside_fault,
    rules_digest,
)
from trapline.games.remembering import is_remembered, recall, remember

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trapline.core import Game, Options, Variant

__all__ = [
    "GAMES", "RULEBOOKS", "all_games", "changed_options", "find_game", "find_preset", "is_known",
    "is_remembered",
    "known_game", "load_specs", "loaded_specs", "make_game", "options_text", "origin",
    "outside_fault", "preset_of", "recall", "remember", "rules_digest",
]  # fmt: skip


def make_game(
    spec: str | type[Game[Any]],
    options: Mapping[str, object] | None = None,
    *,
    from_text: bool = False,
) -> Game[Any]:
    """A game under `options`; what is not given has the rulebook's value.

    `spec` is a name, or anything else that `find_game` takes, or the class itself. Values must
    have the option's own type, or with `from_text` be text that says it.
    """
    kind = find_game(spec) if isinstance(spec, str) else spec
    known = _option_types(kind)
    if options is not None and not from_text and options.keys() <= known.keys():
        try:
            return _build(kind, msgspec.convert(options, kind.options_type))
        except (msgspec.ValidationError, UnicodeError):  # half a surrogate pair is no text
            pass  # below, each is looked at alone, so that one hears which it is
    values: dict[str, object] = {}
    for option, value in (options or {}).items():
        if option not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise OptionsError(f"{kind.title} has no option {brief(option)}; {has}.")
        values[option] = _convert(option, value, known[option], from_text=from_text)
    return _build(kind, kind.options_type(**values))


@lru_cache(maxsize=256)
def _build(kind: type[Game[Any]], options: Options) -> Game[Any]:
    """Games are values, so everybody who asks for the same one can share it."""
    if not from_outside(kind):
        return kind(options)
    with held(kind):
        return kind(options)


@cache
def _option_types(kind: type[Game[Any]]) -> dict[str, Any]:
    return {field.name: field.type for field in msgspec.structs.fields(kind.options_type)}


def find_preset(kind: type[Game[Any]], name: str) -> Variant:
    """The named variant of a game."""
    for preset in kind.presets:
        if preset.name == name:
            return preset
    known = ", ".join(preset.name for preset in kind.presets)
    has = f"it has {known}" if known else "it has none"
    raise OptionsError(f"{kind.title} has no preset {brief(name)}; {has}.")


@lru_cache(maxsize=256)
def preset_of(game: Game[Any]) -> str:
    """The name of the preset that a game is; nothing for any other variant."""
    kind = type(game)
    same = (p.name for p in kind.presets if make_game(kind, p.options).options == game.options)
    return next(same, "")


def changed_options(game: Game[Any]) -> dict[str, object]:
    """The options that differ from the rulebook's values, as a record holds them."""
    return {
        option: list(value) if isinstance(value, tuple) else value
        for option, value in _changed(game.options)
    }


@lru_cache(maxsize=256)
def _changed(options: Options) -> tuple[tuple[str, object], ...]:
    usual = type(options)()
    both = zip(*map(msgspec.structs.astuple, (options, usual)), strict=True)
    return tuple(
        (option, value)
        for option, (value, before) in zip(options.__struct_fields__, both, strict=True)
        if value != before
    )


def options_text(game: Game[Any]) -> str:
    """The same in a line, as one would type them."""
    return " ".join(f"{name}={_typed(value)}" for name, value in changed_options(game).items())


def _typed(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value).lower()


def _convert(option: str, value: object, annotated: Any, *, from_text: bool) -> object:
    kind, meta = get_args(annotated)
    given = value
    if isinstance(value, str) and get_origin(kind) is tuple:
        given = [part.strip() for part in value.split(",") if part.strip()]
        from_text = True
    try:
        return msgspec.convert(given, annotated, strict=not from_text)
    except (msgspec.ValidationError, UnicodeError):
        raise OptionsError(f"{option} must be {meta.description}, not {brief(value)}.") from None
