"""How to play, in pictures: the telling moments of a short match, played by the rules themselves.

So they cannot say anything that the rules do not do. Games from outside have none: to try their
rules out at random would be to trust them.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import SECRET, Picture, Triggered
from trapline.referee import Match
from trapline.server.catalogue import middle, rules_of
from trapline.server.shelf import Scene
from trapline.server.showing import frames
from trapline.server.stills import SCENE, still

if TYPE_CHECKING:
    from trapline.core import Game
    from trapline.server.messages import Frame
    from trapline.server.shelf import Rules

TRIES = 25
LONGEST = 60
"""Answers after which a match that is tried out is no example."""


def illustrated(game: Game[Any]) -> Rules:
    """The page of rules, with an example before it."""
    match = _example(game)
    return rules_of(type(game), _scenes(match) if match else [])


def _example(game: Game[Any]) -> Match | None:
    """The shortest of some matches in which somebody is caught, if anybody can be, and wins."""
    found = [match for seed in range(TRIES) if (match := _played(game, seed)) is not None]
    return min(found, key=lambda match: (not _catches(match), match.view(None).turn), default=None)


def _played(game: Game[Any], seed: int) -> Match | None:
    """A match by chance, with its secrets laid out to be seen; None if nobody wins it soon."""
    match, rng = Match(game, 1, chance=str(seed)), Random(seed)  # noqa: S311 - an example
    for _ in range(LONGEST):
        if match.outcome is not None:
            return match if match.outcome.winner else None
        seat = match.asked[0]
        question = match.question(seat)
        assert question is not None  # whoever is asked has a question
        hides = question.asks == SECRET
        match.play(seat, middle(question, seat) if hides else question.record(question.random(rng)))
    return None


def _catches(match: Match) -> bool:
    return any(isinstance(event, Triggered) for event in match.view(None).events)


def _scenes(match: Match) -> list[Scene]:
    """The beginning with all that is hidden, the first who is caught and goes on, and the end."""
    played = frames(match).frames
    words = match.game.words(match.game, match.view(None), {1: "Player 1", 2: "Player 2"})
    last = len(played) - 1
    caught = (index for index, frame in enumerate(played[:last]) if _has_catch(frame))
    wanted = (0, next(caught, len(played) // 2), last)
    lessons = dict(zip(wanted, match.game.pictured, strict=False))
    outcome = match.outcome
    ending = words.ending(outcome) if outcome is not None else []
    return [
        Scene(
            lessons.get(index, ""),
            (played[index].board if index == 0 else played[index].told)
            + (ending if index == last else []),
            still(_picture(played[index]), SCENE),
        )
        for index in sorted(set(wanted))
    ]


def _picture(frame: Frame) -> Picture:
    """The picture of a frame, which may be ready to be sent."""
    return msgspec.json.decode(msgspec.json.encode(frame.picture), type=Picture)


def _has_catch(frame: Frame) -> bool:
    return any(isinstance(event, Triggered) for event in frame.events)
