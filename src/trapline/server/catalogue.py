"""What there is to play: games, their options and levels, as the page and bots read them."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, get_args, get_origin

import msgspec

from trapline.core import SEATS, Game
from trapline.games import GAMES
from trapline.match import Match
from trapline.players import PLAYERS
from trapline.server.messages import Catalogue, GameInfo, LevelInfo, OptionInfo
from trapline.words import rulebook

MINUTES = {
    "hidden-path": "2–4",
    "trap-builder": "2–4",
    "trap-runner": "3–5",
    "secret-paths": "3–6",
    "numeric-maze": "2–3",
}


@cache
def catalogue() -> Catalogue:
    games = tuple(_game(kind(kind.options_type())) for kind in GAMES.values())
    levels = tuple(LevelInfo(name, player.summary) for name, player in PLAYERS.items())
    return Catalogue(games, levels)


@cache
def rules_html(name: str) -> str:
    """How to play, from the same page that `trapline rules` shows."""
    from markdown_it import MarkdownIt

    html: str = MarkdownIt("commonmark").enable("table").render(rulebook.page(name))
    return html


def _game(game: Game[Any, Any]) -> GameInfo:
    fields = msgspec.structs.fields(type(game.options))
    return GameInfo(
        name=game.name,
        title=game.title,
        summary=game.summary,
        place=game.place,
        default_first=game.default_first,
        secret=game.secret,
        moves=game.moves,
        hides=game.secret is not None or game.hides_turns,
        minutes=MINUTES.get(game.name, "a few"),
        board=_sample(game),
        options=tuple(_option(field) for field in fields),
    )


def _sample(game: Game[Any, Any]) -> Any:
    """A board to draw on a card: the middle secret of each player, shown as at the end."""
    match = Match(game, 1)
    for seat in SEATS:
        places, count = game.secret_places(seat)
        if game.secret == "cell":
            match.choose_secret(seat, places[len(places) // 2 + seat - 2])  # type: ignore[arg-type]
        elif game.secret == "traps":
            spread = [
                places[(2 * index + 1) * len(places) // (2 * count)] for index in range(count)
            ]
            match.choose_secret(seat, spread)  # type: ignore[arg-type]  # a track's places
    match.resign(2)
    return match.view(None).board


def _option(field: msgspec.structs.FieldInfo) -> OptionInfo:
    kind, meta = get_args(field.type)
    choices: tuple[str, ...] | None = None
    word: Literal["integer", "boolean", "choice", "numbers"] = "integer"
    if kind is bool:
        word = "boolean"
    elif get_origin(kind) is tuple:
        word = "numbers"
    elif get_origin(kind) is Literal:
        word, choices = "choice", get_args(kind)
    return OptionInfo(field.name, word, field.default, choices, meta.description)
