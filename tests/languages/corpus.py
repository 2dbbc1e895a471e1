"""What the server says about games, taken from real matches, lessons and cards."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.coach import analyse, hint
from trapline.core import BY_SEAT, SEATS, Picture, drawn, won
from trapline.core.outcomes import TURN_LIMIT, Reason
from trapline.games import GAMES, make_game
from trapline.referee import Match
from trapline.server.catalogue import LEVELS, describe
from trapline.server.catalogue import drawn as picture_of
from trapline.server.illustrating import illustrated
from trapline.server.showing import frames, said
from trapline.server.teaching import staged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Game

LONGEST = 60


def cards() -> Iterator[str]:
    """Every game as its card and the setting up show it, and the levels."""
    for level in LEVELS:
        yield from (level.name, level.summary)
    for name in GAMES:
        info = describe(make_game(name), "rulebook")
        yield from (info.title, info.summary)
        for option in info.options:
            yield from (option.title, option.says, *(option.choices or ()))
        for preset in info.presets:
            yield from (preset.name, preset.verdict)
        yield from _labels(info.picture)


def lessons() -> Iterator[str]:
    for kind in GAMES.values():
        lesson = staged(kind)
        assert lesson is not None  # every rulebook has one
        yield from (lesson.closing, *lesson.ending)
        for stage in [*lesson.stages, lesson.end]:
            yield from (stage.says, stage.hint, stage.prompt, *stage.board)
            yield from (line for lines in stage.told for line in lines)
            yield from _labels(stage.picture)
            for answer in stage.question.answers if stage.question else ():
                yield answer.label
        for scene in illustrated(make_game(kind.name)).scenes:
            yield from (scene.teaches, *scene.told)


def matches(seeds: int) -> Iterator[str]:
    """Random matches in every preset of every game, as each seat and the others see them."""
    for name, kind in GAMES.items():
        for preset in kind.presets:
            for seed in range(seeds):
                yield from _match(make_game(name, preset.options), seed)


def _match(game: Game[Any], seed: int) -> Iterator[str]:
    match, rng = Match(game, 1, chance=str(seed)), Random(seed)
    for _ in range(LONGEST):
        yield from _views(match)
        if match.outcome is not None:
            break
        seat = match.asked[0]
        question = match.question(seat)
        assert question is not None  # whoever is asked has a question
        match.play(seat, question.record(question.random(rng)))
    yield from _endings(match)


def _views(match: Match) -> Iterator[str]:
    game = match.game
    for viewer in (*SEATS, None):
        view = match.view(viewer)
        words = game.words(game, view, BY_SEAT)
        told = [tuple(lines) for lines in words.told({})]
        all_said = said(words, told)
        yield from (*all_said.welcome, *all_said.heading, all_said.prompt or "", *all_said.board)
        yield from (line for lines in told for line in lines)
        yield from all_said.ending
        yield from _labels(picture_of(type(game), view.board, BY_SEAT, viewer))
        for answer in view.question.answers if view.question else ():
            yield answer.label


def _endings(match: Match) -> Iterator[str]:
    """Every way in which a match can end, whatever happened in this one."""
    words = match.game.words(match.game, match.view(None), BY_SEAT)
    for reason in (Reason.RESIGNED, Reason.FORFEIT, Reason.TIME, "goal"):
        yield from words.ending(won(1, reason))
    for reason in (TURN_LIMIT, Reason.AGREED_DRAW, Reason.TIME):
        yield from words.ending(drawn(reason))


def coach(seeds: int) -> Iterator[str]:
    """Hints before each choice, and what is said of it when the match is over."""
    for name, kind in GAMES.items():
        for preset in kind.presets[: 1 if name == "hidden-path" else 3]:
            for seed in range(seeds):
                yield from _coached(make_game(name, preset.options), seed)


def _coached(game: Game[Any], seed: int) -> Iterator[str]:
    match, rng = Match(game, 1, chance=str(seed)), Random(seed)
    for number in range(24):
        if match.outcome is not None:
            break
        seat = match.asked[0]
        question = match.question(seat)
        assert question is not None  # whoever is asked has a question
        if number % 3 == 0:
            yield hint(match.view(seat))
        match.play(seat, question.record(question.random(rng)))
    if match.outcome is None:
        match.resign(1)
    judged = analyse(match.record())
    yield judged.sentence
    for judgement in judged.judgements:
        yield from (judgement.sentence, *(reason.sentence for reason in judgement.reasons))
    for seal in frames(match).seals:
        yield seal.what


def _labels(picture: Picture | msgspec.Raw) -> Iterator[str]:
    if isinstance(picture, msgspec.Raw):  # ready to be sent
        picture = msgspec.json.decode(picture, type=Picture)
    for shape in picture.shapes:
        yield from (shape.label, shape.text)
