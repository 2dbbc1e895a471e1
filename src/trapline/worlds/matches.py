"""Positions of a match under this project's referee, and what the rules let players know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trapline.core import CHANCE, SEATS, SECRET, TraplineError
from trapline.referee import Match
from trapline.worlds.world import Between, Key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from trapline.core import Actor, Form, Game, Names, Question, Seat, State, Viewer

NAMES: Names = {1: "Ann", 2: "Ben"}
NONSENSE: tuple[Form, ...] = (0, 99, "t", (0, 0), (99, 99))
"""Answers that hardly any question allows: what is said to them is looked at, too."""


class Played(NamedTuple):
    """What `knows` is given: everything that was answered, and no View of it."""

    game: Game[Any]
    first: Seat
    steps: tuple[tuple[Actor, int], ...] = ()
    """Who has answered, chance included, and the value of each answer."""


class MatchWorld:
    viewers: Sequence[Viewer] = (*SEATS, None)
    at_once = False
    lists_all = True

    def __init__(self, match: Match, state: Played) -> None:
        self.match = match
        self.state = state
        self.label = f"Player {state.first} moves first"
        self.seed = SEATS.index(state.first)

    @property
    def actor(self) -> Seat | None:
        """Where both are asked at once, whoever moves first answers first."""
        asked = self.match.asked
        return self.state.first if self.state.first in asked else asked[0] if asked else None

    @property
    def over(self) -> bool:
        return self.match.outcome is not None

    @property
    def visible(self) -> bool:
        return self.match.chance is None

    @property
    def question(self) -> Question:
        question = self.match.chance or self.match.question(self.actor)
        assert question is not None  # the match goes on
        return question

    def actions(self) -> Sequence[Form]:
        question = self.question
        return [question.record(value) for value in question.values()]

    def draw(self, rng: Random) -> Form:
        question = self.question
        return question.record(question.random(rng))

    def unlisted(self) -> Sequence[Form]:
        listed = self.actions()
        return [answer for answer in NONSENSE if answer not in listed]

    def refused(self, before: Any) -> str:  # the referee raises
        return ""

    def moved(self, action: Form) -> MatchWorld:
        return self.after(action)

    def after(self, action: Form) -> MatchWorld:
        actor, value = self.actor, self.question.value(action)
        match = self.match.fork()
        if actor is None:
            match.deal(value)
        else:
            match.play(actor, action)
        steps = (*self.state.steps, (actor or CHANCE, value))
        return MatchWorld(match, self.state._replace(steps=steps))

    def shown(self, viewer: Viewer) -> dict[str, Any]:
        return shown_to(self.match, viewer)

    def information(self, viewer: Viewer) -> dict[str, Any]:
        return {"View": msgspec.json.encode(self.match.view(viewer))}

    def rewards(self) -> Mapping[Seat, float]:
        outcome = self.match.outcome
        return {seat: 0.0 if outcome is None else outcome.result(seat) for seat in SEATS}

    def winner(self) -> Seat | None:
        outcome = self.match.outcome
        return None if outcome is None else outcome.winner

    def strays(self) -> Iterator[str]:
        return iter(())

    def key(self) -> Key:
        """Where the match stands by its rules, for all that anybody remembers of it."""
        game, state = self.state.game, self.state.game.start(self.state.first)
        for actor, value in self.state.steps:
            state = _after(game, state, actor, value)
        return Key(msgspec.json.encode(state), None)


class Matches:
    """All the matches of one game."""

    seeded = False
    recalls = True
    pays_at_end = True
    open_moves = False
    longest = 2000

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.hides: bool | None = game.hides
        self.total: float | None = 0.0
        self.prizes = Between(-game.stake, game.stake)

    @staticmethod
    def knows(played: Played, viewer: Viewer) -> list[Any]:
        return heard(played, viewer)

    def starts(self) -> Iterator[MatchWorld]:
        for first in SEATS:
            yield MatchWorld(Match(self.game, first, deals=False), Played(self.game, first))


# --- what reaches a viewer --------------------------------------------------------------


def shown_to(match: Match, viewer: Viewer) -> dict[str, Any]:
    """Everything that reaches a viewer at this moment."""
    view, game = match.view(viewer), match.game
    words = game.words(game, view, NAMES)
    text = [*words.welcome(), *words.account(dict.fromkeys(match.commitments, "0" * 64))]
    for width, plain in ((80, False), (40, True)):
        drawing = view.board.drawing(NAMES, viewer, plain=plain, width=width)
        text += ["".join(part for part, _ in line) for line in drawing.lines]
        text += [sign.meaning for sign in drawing.legend]
    text += [*view.board.words(NAMES, game.place), words.question()]
    if view.to_move is not None:
        text += words.heading(view.to_move)
    return {
        "View": view,
        "legal moves": view.legal,
        "bytes": msgspec.json.encode(view),
        "text": "\n".join(text),
        "refusals": refusals(match, viewer),
        "commitments": [(key, len(value)) for key, value in match.commitments.items()],
    }


def refusals(match: Match, viewer: Viewer) -> list[str]:
    """The sentences that answers which are not allowed get, on a copy of the match."""
    if viewer is None or match.outcome is not None:
        return []
    sentences = []
    for answer in NONSENSE:
        try:
            match.fork().play(viewer, answer)
        except TraplineError as error:
            sentences.append(str(error))
    return sentences


# --- what the rules let a viewer know ---------------------------------------------------


def heard(played: Played, viewer: Viewer) -> list[Any]:
    """A viewer's own answers, the events of the game that reach them, and who has answered.

    It is worked out from the rules and not from the referee; a game whose events tell too much
    is beyond it, and needs a `knows` of its own.
    """
    game, state = played.game, played.game.start(played.first)
    known: list[Any] = [viewer, played.first]
    later: list[Any] = []
    in_turn = False
    for actor, value in played.steps:
        after = _after(game, state, actor, value)
        if actor == viewer:
            known.append(value)
        elif actor != CHANCE and _asked_at_once(game, state, actor):
            known.append(f"{actor} has answered")
        for event in game.events(state, actor, value, after):
            if event.private:
                known += [event] if event.by == viewer else []
            else:
                (known if actor == viewer else later).append(event)
        if after.turn > state.turn or after.outcome is not None:
            in_turn = False
        elif actor != CHANCE and not _is_secret(game, state, actor):
            in_turn = True
        if not in_turn:
            known += later
            later.clear()
        state = after
    return known


def _after(game: Game[Any], state: State, actor: Actor, value: int) -> Any:
    return game.dealt(state, value) if actor == CHANCE else game.apply(state, actor, value)


def _is_secret(game: Game[Any], state: State, actor: Seat) -> bool:
    question = game.question(state, actor)
    return question is not None and question.asks == SECRET


def _asked_at_once(game: Game[Any], state: State, actor: Seat) -> bool:
    """Whether everybody sees that the actor has answered, though not what."""
    return state.mover == 0 or _is_secret(game, state, actor)
