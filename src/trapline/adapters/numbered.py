"""A match played by numbered actions, one seat at a time: what the environments stand on.

Every question is answered by actions, one for an answer, or one for each member of a set.
Nothing of what one player hides reaches the other, not even by the number of actions it took:
where both are asked at once, Player 1 acts first and then Player 2, and a question with one
possible answer is put like any other.

Actions are taken by the rules alone, which is quick. What a seat is shown comes from the referee:
as soon as anybody looks, a `Match` is told all answers that it has not heard yet.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.core import CHANCE, SEATS, GameError, IllegalMove, TraplineError, brief
from trapline.core.faults import from_outside, held
from trapline.referee import Match
from trapline.simulate import recall

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from trapline.core import Actor, First, Form, Outcome, Question, Seat, View, Viewer
    from trapline.simulate.encoding import Encoding
    from trapline.simulate.recall import Answered

NO_SALT = "0"
"""Nobody looks at the commitments of a match inside an environment; drawing salts is slow."""


UNSEEDED = Random()
"""Draws for matches that nobody wants to see again; making a generator for each is slow."""


class Given(NamedTuple):
    """One answer, and the actions that it was given by."""

    actor: Actor
    question: Question
    value: int
    actions: tuple[int, ...]
    after: Any
    """The state that it led to."""


class NumberedMatch:
    def __init__(
        self,
        encoding: Encoding,
        first: First | None = None,
        *,
        rng: Random | None = None,
        deals: bool = True,
    ) -> None:
        """Unless chance `deals` by itself, it takes actions too: the values of its answers."""
        game = encoding.game
        chosen = first or game.default_first
        if chosen not in (*SEATS, "toss"):
            raise TraplineError(f'first must be 1, 2 or "toss", not {brief(chosen)}.')
        self.encoding = encoding
        self._rng = rng or UNSEEDED
        self._deals = deals
        self._wary = from_outside(type(game))
        self._tossed = chosen == "toss"
        self.first: Seat = self._rng.choice(SEATS) if chosen == "toss" else chosen
        self._match: Match | None = None
        self._given: list[tuple[Actor, Question, int, tuple[int, ...], Any]] = []
        """Every answer so far; `given` calls its parts by their names, which takes longer."""
        self._told = 0
        """How many of the answers the referee has been told."""
        self._answered: dict[Seat, Answered] = dict.fromkeys(SEATS, ())
        """Each seat's actions in the answers that the referee has been told."""
        self.state: Any = None
        if self._wary:
            with held(type(game)):
                self._begin()
        else:
            self._begin()

    def _begin(self) -> None:
        self.state = self.encoding.game.start(self.first)
        self._ask()

    def __deepcopy__(self, memo: dict[int, Any]) -> NumberedMatch:
        return self.fork()

    def fork(self) -> NumberedMatch:
        """A match that goes on from here on its own."""
        twin = NumberedMatch.__new__(NumberedMatch)
        own: dict[str, Any] = {"_given": self._given.copy(), "_answered": self._answered.copy()}
        own |= {"_match": self._match and self._match.fork(), "_views": (self._views or {}).copy()}
        vars(twin).update({**vars(self), **own})
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        """What was answered, from which all the rest is found again."""
        rng = None if self._rng is UNSEEDED else self._rng
        given = [(value, actions) for _, _, value, actions, _ in self._given]
        how = self.first, self._tossed, self._deals
        return _replayed, (self.encoding, *how, rng, given, self.begun)

    # --- who acts -----------------------------------------------------------------------

    def _ask(self) -> None:
        """Find who acts next, and what they are asked."""
        game, state = self.encoding.game, self.state
        self.actor: Actor | None = None
        """Whose action is wanted; None when the match is over."""
        self.question: Question | None = None
        """What the actor is asked."""
        self._chosen = 0
        self.begun: tuple[int, ...] = ()
        """The actions of an answer that is not whole yet."""
        self._views: dict[Viewer, View] | None = None
        self._legal: list[int] | None = None
        if state.outcome is not None:
            return
        if game.draws and (drawn := game.chance(state)) is not None:
            self.actor, self.question = CHANCE, drawn
            if self._deals:
                self._answer(drawn.random(self._rng), ())
            return
        question = game.question(state, 1)
        if question is not None:
            self.actor, self.question = 1, question
        else:
            question = game.question(state, 2)
            self.actor, self.question = None if question is None else 2, question

    def legal(self, actor: Actor) -> list[int]:
        """The actions that may be taken now; none for whoever is not to act."""
        if actor != self.actor or self.question is None:
            return []
        if self._legal is None:
            if actor == CHANCE:
                self._legal = list(self.question.values())
            else:
                self._legal = self.encoding.legal(self.question, self._chosen)
        return self._legal

    def mask(self, seat: Seat) -> NDArray[np.int8]:
        """1 for each legal action; after the end for every one, so that one can be drawn."""
        if self.actor is None:
            return self.encoding.mask(list(range(self.encoding.actions)))
        return self.encoding.mask(self.legal(seat))

    @property
    def outcome(self) -> Outcome | None:
        return self.state.outcome  # type: ignore[no-any-return]  # a state of any game

    def position(self) -> str:
        """The state in words, without what no rule reads: the same whatever led to it."""
        state = self.state
        said = [
            f"{name} {getattr(state, name)}"
            for name in state.__struct_fields__
            if name not in (*state.memory, "outcome")
        ]
        if state.outcome is not None:
            said.append(f"{state.outcome.reason} {state.outcome.winner or 'draw'}")
        if self._chosen:
            said.append(f"chosen {self._chosen}")
        return "; ".join(said)

    def result(self, seat: Seat) -> float:
        """What the match was worth to a seat: 1 for a plain win; 0 until it is over."""
        return 0.0 if self.outcome is None else self.outcome.result(seat)

    # --- what an actor does -------------------------------------------------------------

    def act(self, action: int) -> None:
        """Take an action for whoever is to act; IllegalMove for one that may not be taken."""
        actor, question = self.actor, self.question
        if actor is None or question is None:
            raise IllegalMove("The match is over: start a new one.")
        if actor != CHANCE and not question.choose:
            value = self.encoding.values_of(question).get(action)
            if value is not None:
                (self._give if self._wary else self._answer)(value, (action,))
                return
        legal = self.legal(actor)
        if action not in legal:
            allowed = ", ".join(f"{number} ({self.encoding.names[number]})" for number in legal)
            raise IllegalMove(f"{brief(action)} is no legal action now; these are: {allowed}.")
        if actor == CHANCE:
            self._give(action, ())
            return
        chosen, complete = self.encoding.take(question, self._chosen, action)
        if complete:
            self._give(chosen, (*self.begun, action))
        else:
            self._chosen = chosen
            self.begun += (action,)
            self._views = None
            self._legal = None

    def answer(self, form: Form) -> None:
        """Take a whole answer, in a record's form, for whoever is to act."""
        assert self.question is not None  # somebody is asked
        value = self.question.value(form)
        self._give(value, tuple(self.encoding.actions_of(self.question, value)))

    def _give(self, value: int, actions: tuple[int, ...]) -> None:
        if not self._wary:
            self._answer(value, actions)
            return
        before, given = vars(self).copy(), len(self._given)
        try:
            with held(type(self.encoding.game)):
                self._answer(value, actions)
        except GameError:
            vars(self).update(before)
            del self._given[given:]
            raise

    def _answer(self, value: int, actions: tuple[int, ...]) -> None:
        actor, question, game = self.actor, self.question, self.encoding.game
        assert actor is not None
        assert question is not None
        if actor == CHANCE:
            self.state = game.dealt(self.state, value)
        else:
            self.state = game.apply(self.state, actor, value)
        self._given.append((actor, question, value, actions, self.state))
        self._ask()

    @property
    def given(self) -> list[Given]:
        """Every answer so far."""
        return [Given(*answer) for answer in self._given]

    # --- what a seat sees ---------------------------------------------------------------

    @property
    def match(self) -> Match:
        """The referee's match, as far as this one has come."""
        if self._match is None:
            game = self.encoding.game
            self._match = Match(
                game, self.first, rng=Random(0), match_id="environment", deals=False
            )
            self._match.tossed = self._tossed
        for answer in self._given[self._told :]:
            self._tell(self._match, Given(*answer))
        self._told = len(self._given)
        return self._match

    def _tell(self, match: Match, given: Given) -> None:
        actor, question, value = given.actor, given.question, given.value
        if actor != CHANCE:
            heard = match.heard(actor)
            self._answered[actor] += tuple([(heard, action) for action in given.actions])
        if not self._wary:
            match.follow(actor, question, value, given.after, NO_SALT)
        elif actor == CHANCE:
            match.deal(value)
        else:
            match.play(actor, question.record(value), salt=NO_SALT)

    def view(self, viewer: Viewer) -> View:
        """The View of a seat, or of a spectator (None), built once between two answers."""
        if self._views is None:
            self._views = {}
        if viewer not in self._views:
            self._views[viewer] = self.match.view(viewer)
        return self._views[viewer]

    def observe(self, seat: Seat) -> NDArray[np.float32]:
        return self.encoding.observe(self.view(seat), self._chosen_by(seat))

    def information_state(self, seat: Seat) -> str:
        return recall.as_text(
            self.encoding, self.view(seat), self._chosen_by(seat), self._answered_by(seat)
        )

    def information_tensor(self, seat: Seat) -> NDArray[np.float32]:
        return recall.as_numbers(
            self.encoding, self.view(seat), self._chosen_by(seat), self._answered_by(seat)
        )

    def _chosen_by(self, seat: Seat) -> int:
        return self._chosen if seat == self.actor else 0

    def _answered_by(self, seat: Seat) -> Answered:
        """The seat's actions, each with the number of events it had heard before."""
        heard = self.match.heard(seat)  # which tells the referee what it has not been told
        begun = self.begun if seat == self.actor else ()
        return (*self._answered[seat], *((heard, action) for action in begun))


def _replayed(
    encoding: Encoding,
    first: Seat,
    tossed: bool,
    deals: bool,
    rng: Random | None,
    given: list[tuple[int, tuple[int, ...]]],
    begun: tuple[int, ...],
) -> NumberedMatch:
    """A match that was written down; what chance dealt then is among its answers."""
    match = NumberedMatch(encoding, first, rng=rng, deals=False)
    for value, actions in given:
        match._give(value, actions)  # noqa: SLF001 (its own)
    for action in begun:
        match.act(action)
    match._tossed, match._deals = tossed, deals  # noqa: SLF001 (likewise)
    return match
