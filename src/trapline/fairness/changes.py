"""The smallest change of a rule that makes a game fair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import OptionsError
from trapline.games import make_game

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trapline.core import Game

FAIR = 0.05
"""A game whose value is no farther from even is fair."""
STEPS = (1, -1, 2, -2)
"""By how much a number is changed, the smallest first."""


class Change(msgspec.Struct, frozen=True):
    """One option that has another value."""

    option: str
    value: Any
    worth: float
    """What the game is worth then to who moves first."""


def neighbours(game: Game[Any]) -> list[dict[str, Any]]:
    """Options that differ in one rule alone, the smallest changes first."""
    own = {name: _plain(getattr(game.options, name)) for name in game.options.__struct_fields__}
    found = []
    for name, value in own.items():
        for changed in _others(game, name, value):
            options = {**own, name: changed}
            try:
                make_game(type(game), options)
            except OptionsError:
                continue
            found.append(options)
    return found


def _others(game: Game[Any], name: str, value: Any) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + step for step in STEPS)
    else:
        yield from (v for v in game.variants.get(name, ()) if _plain(v) != value)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def nearest_fair(
    game: Game[Any], tried: list[dict[str, Any]], bounds: Sequence[tuple[float, float] | None]
) -> Change | None:
    """The first of the changes that is proven to be fair; None where none is."""
    own = {name: _plain(getattr(game.options, name)) for name in game.options.__struct_fields__}
    for options, proven in zip(tried, bounds, strict=True):
        if proven is not None and max(map(abs, proven)) <= FAIR:
            name = next(name for name in options if options[name] != own[name])
            return Change(name, options[name], round(sum(proven) / 2, 6))
    return None
