"""Worlds that fit what a seat has seen: states in which it would see exactly what it sees.

A game may draw them itself (`Game.likely_world`). For any other they are searched for: from the
opening state every question is answered by chance, and whatever this seat would have heard
otherwise is given up at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.core import BESIDE_THE_GAME, CHANCE, SECRET, other
from trapline.games import make_game

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from trapline.core import Actor, AnyEvent, Game, Question, Seat, View

SETS = 60
"""Sets that are tried where a whole set was chosen."""
STEPS = 4_000
"""Answers that one search may try; what it has not found by then counts as not found."""


def sample(view: View, rng: Random) -> Any | None:
    """One of the states that fit a View whose seat is asked something; None if none was found."""
    game = make_game(view.game, view.options)
    return game.likely_world(view, rng) or search(game, view, rng)


class Node(NamedTuple):
    state: Any
    heard: int
    """How many of the seat's events have happened."""
    untold: tuple[AnyEvent, ...]
    """What the others did in a turn that is not complete."""
    open: bool
    """Whether a turn has begun that is not complete."""
    answers: tuple[tuple[Actor, int], ...] = ()
    """What has led here."""


def search(game: Game[Any], view: View, rng: Random) -> Any | None:
    """A state that fits, found by trying answers in random order, depth first."""
    node = _fitting(game, view, rng)
    return None if node is None else node.state


def history(game: Game[Any], view: View, rng: Random) -> list[tuple[Actor, int]] | None:
    """The answers that lead to a state that fits: who gave them, and their values."""
    node = _fitting(game, view, rng)
    return None if node is None else list(node.answers)


def _fitting(game: Game[Any], view: View, rng: Random) -> Node | None:
    seeker = _Search(game, view, rng)
    opening = Node(game.start(view.first), 0, (), False)
    waiting: list[Iterator[Node]] = [iter([opening])]
    while waiting and seeker.steps < STEPS:
        node = next(waiting[-1], None)
        if node is None:
            waiting.pop()
        elif seeker.fits(node):
            return node
        else:
            waiting.append(seeker.following(node))
    return None


class _Search:
    def __init__(self, game: Game[Any], view: View, rng: Random) -> None:
        assert view.seat is not None  # only players search
        self.game = game
        self.view = view
        self.me: Seat = view.seat
        self.rng = rng
        self.steps = 0
        self.events = [e for e in view.events if not isinstance(e, BESIDE_THE_GAME)]

    def fits(self, node: Node) -> bool:
        """Whether the seat sees here what it sees in truth."""
        game, state = self.game, node.state
        return (
            node.heard == len(self.events)
            and state.turn == self.view.turn
            and state.outcome is None
            and not (game.draws and game.chance(state) is not None)
            and game.question(state, self.me) == self.view.question
            and game.board(state, self.me, False) == self.view.board
        )

    def following(self, node: Node) -> Iterator[Node]:
        """The nodes after each answer, in random order, as far as they agree with the View."""
        state = node.state
        if state.outcome is not None or state.turn > self.view.turn:
            return
        actor, question = self._asked(state)
        if question is None:
            return
        for value in self._values(actor, question):
            self.steps += 1
            if actor == CHANCE:
                after = self.game.dealt(state, value)
            else:
                after = self.game.apply(state, actor, value)
            heard = self._heard(node, actor, question, value, after)
            if heard is not None:
                yield heard

    def _asked(self, state: Any) -> tuple[Actor, Question | None]:
        """Chance first, then the other: so both orders of answers at once can be found."""
        drawn = self.game.chance(state) if self.game.draws else None
        if drawn is not None:
            return CHANCE, drawn
        rival = other(self.me)
        question = self.game.question(state, rival)
        if question is not None:
            return rival, question
        return self.me, self.game.question(state, self.me)

    def _values(self, actor: Actor, question: Question) -> list[int]:
        if actor == self.me and question.asks == SECRET:
            chosen = self.view.secret
            return [] if chosen is None else [question.value(chosen)]
        if question.choose:
            return [question.random(self.rng) for _ in range(SETS)]
        if question.weights:
            # First as often as the weight says (Efraimidis and Spirakis, 2006).
            weighed = zip(question.answers, question.weights, strict=True)
            keys = {a.value: self.rng.random() ** (1 / w) for a, w in weighed if w}
            return sorted(keys, key=lambda value: keys[value], reverse=True)
        values = list(question.values())
        self.rng.shuffle(values)
        return values

    def _heard(
        self, node: Node, actor: Actor, question: Question, value: int, after: Any
    ) -> Node | None:
        """The node after an answer; None if the seat would have heard something else."""
        heard, untold = node.heard, list(node.untold)
        for event in self.game.events(node.state, actor, value, after):
            if event.private and event.by != self.me:
                continue
            if event.private or actor == self.me:
                if not self._next_is(heard, event):
                    return None
                heard += 1
            else:
                untold.append(event)
        over = after.turn > node.state.turn or after.outcome is not None
        begun = node.open or (actor != CHANCE and question.asks != SECRET)
        if over or not begun:
            for event in untold:
                if not self._next_is(heard, event):
                    return None
                heard += 1
            untold = []
        answers = (*node.answers, (actor, value))
        return Node(after, heard, tuple(untold), begun and not over, answers)

    def _next_is(self, heard: int, event: AnyEvent) -> bool:
        return heard < len(self.events) and self.events[heard] == event
