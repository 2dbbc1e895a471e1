"""What there is to play: games, their options and levels, as the page and bots read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import msgspec

from trapline.core import BY_SEAT, SEATS, SECRET
from trapline.players import PLAYERS
from trapline.referee import Match
from trapline.server.shelf import GameInfo, LevelInfo, OptionInfo, PresetInfo, Rules

if TYPE_CHECKING:
    from trapline.core import Board, Game, Names, Picture, Question, Seat, Viewer
    from trapline.server.shelf import Scene

LEVELS = tuple(LevelInfo(name, player.summary) for name, player in PLAYERS.items())


def describe(game: Game[Any], origin: str) -> GameInfo:
    """A game as a card shows it."""
    board = _sample(game)
    return GameInfo(
        name=game.name,
        title=game.title,
        summary=game.summary,
        place=game.place,
        default_first=game.default_first,
        hides=game.hides,
        open_turns=game.open_turns,
        minutes=game.minutes,
        board=board,  # type: ignore[arg-type]  # whatever kind the game has
        picture=drawn(type(game), board, BY_SEAT, None),
        options=tuple(_option(field, game) for field in msgspec.structs.fields(type(game.options))),
        origin=origin,
        lesson=game.lesson is not None and origin == "rulebook",
        presets=tuple(PresetInfo(p.name, p.options, p.verdict) for p in game.presets),
        lockable=game.lockable and origin == "rulebook",
    )


def drawn(game: type[Game[Any]], board: Board, names: Names, viewer: Viewer) -> Picture:
    """A board of the game as shapes, in the land of the game."""
    return msgspec.structs.replace(board.picture(names, viewer, game.place), land=game.land)


def _sample(game: Game[Any]) -> Board:
    """A board for a card: what players hide lies in the middle and is shown, as at the end."""
    match = Match(game, 1, chance="0")
    for seat in SEATS:
        question = match.question(seat)
        if question is not None and question.asks == SECRET:
            match.play(seat, middle(question, seat))
    match.resign(2)
    return match.view(None).board


def middle(question: Question, seat: Seat) -> Any:
    """An answer from the middle of what is allowed; a set is spread over all of it."""
    forms = [answer.record for answer in question.answers]
    wanted = question.choose
    if not wanted:
        return forms[(len(forms) + seat) // 2 - 1]
    spread = [forms[(2 * index + 1) * len(forms) // (2 * wanted)] for index in range(wanted)]
    return [*spread]


def rules_of(kind: type[Game[Any]], scenes: list[Scene] | None = None) -> Rules:
    """How to play, from the same page that `trapline rules` shows, in every language it has."""
    from markdown_it import MarkdownIt

    html = MarkdownIt("commonmark", {"html": False}).enable("table").render
    translations = {code: html(page) for code, page in kind.translated_rules().items()}
    return Rules(html(kind.rules()), scenes or [], translations)


def _option(field: msgspec.structs.FieldInfo, game: Game[Any]) -> OptionInfo:
    kind, meta = get_args(field.type)
    choices: tuple[str, ...] | None = None
    word: Literal["integer", "boolean", "choice", "numbers"] = "integer"
    if kind is bool:
        word = "boolean"
    elif get_origin(kind) is tuple:
        word = "numbers"
    elif get_origin(kind) is Literal:
        word, choices = "choice", get_args(kind)
    title = game.option_words.get(field.name, "")
    return OptionInfo(field.name, word, field.default, choices, meta.description, title)
