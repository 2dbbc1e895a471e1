"""A game under its options as numbers: one fixed set of actions, one fixed observation vector.

All environments share this page, so an agent trained in one can be moved to another. Everything
here is derived from the game's questions and its board.

**Actions** are numbered 0 … `actions` − 1 and always mean the same choice: the answers to the
game's questions, kind by kind as the game defines them and each kind in the order of its values,
what is asked for in secret last. A set is chosen part by part in rising order, one action for
each member, so that every set has exactly one path; `legal` never leaves a choice that could
not be completed. Where both are asked at once, Player 1 acts first, and the other's observation
stays as it is until all is answered.

**Observations** are vectors of numbers from 0 to 1, made from a View and the part of a set that
the seat has chosen so far, and from nothing else. `layout` names the slice of each part:

    seat (2)            one-hot: am I Player 1 or Player 2
    first (1)           do I move first
    asks                what am I asked for, one number for each of `kinds`
    to_move (2)         is it my turn, theirs
    ready (2)           have I, have they answered what both are, or were, asked at once
    turn (1)            completed turns, as a part of `horizon`
    result (3)          won, drawn, lost; all 0 until the game is over
    …                   the parts of the board, as the board's own file lists them
    secret              what I have chosen in secret, and of a set while I choose it,
                        one number for each action of that kind; only where there is such

An observation is as good as the board: it forgets in which order things happened. The
information state (`recall`) forgets nothing.

Draw offers, resignations and claims are not actions: an agent's match ends by the rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from trapline.core import SECRET, GameError, Question, other
from trapline.simulate.extent import most_turns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from trapline.core import Answer, Game, View

USUAL_TURNS = 200
"""The scale of `turn` where a game has no limit; the number stays at 1 from then on."""
MOST_BEGUN = 10_000
"""For so many sets that are not whole, the members that may come next are remembered."""


class Choice(NamedTuple):
    """One thing that can be chosen, whatever the situation."""

    asks: str
    name: str


class Encoding:
    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        held = tuple(dict.fromkeys(_questions(vars(game))))
        self.questions = tuple(question for question in held if not question.weights)
        """All that players can be asked, in the order in which the game defines it."""
        self.chances = tuple(question for question in held if question.weights)
        """All that chance can be asked."""
        asked = dict.fromkeys(question.asks for question in self.questions)
        self.kinds = tuple(sorted(asked, key=lambda asks: asks == SECRET))
        """What can be asked for; secrets come last."""
        self.choices = tuple(choice for asks in self.kinds for choice in self._choices(asks))
        self.actions = len(self.choices)
        self._action = {choice: action for action, choice in enumerate(self.choices)}
        self._known = {q: self._by_value(q) for q in self.questions}
        # The game hands out the same questions again and again: they need no comparing.
        self._known_objects = {
            id(q): self._known[q] for q in _questions(vars(game)) if q in self._known
        }
        self._legal = {known: sorted(of.values()) for known, of in self._known_objects.items()}
        self._values = {
            known: {action: value for value, action in of.items()}
            for known, of in self._known_objects.items()
        }
        self._begun: dict[tuple[int, int], list[int]] = {}
        self.names = _distinct_names(self.choices)
        self.longest = most_turns(game)
        """The most turns that a match can have; 0 where nobody knows."""
        self.horizon: int = self.longest or USUAL_TURNS
        start = game.start(1)
        self.board = game.board(start, None, False)
        """The board before the first turn."""
        planes = self.board.planes()
        self.places = max(planes.values(), default=0)
        """No part of the board has more numbers than this."""
        parts_of_secret = self._parts_of_secret()
        sizes = {"seat": 2, "first": 1, "asks": len(self.kinds), "to_move": 2, "ready": 2}
        sizes |= {"turn": 1, "result": 3, **planes}
        sizes |= {"secret": len(parts_of_secret)} if parts_of_secret else {}
        self.layout: dict[str, slice] = {}
        self.size = 0
        for part, size in sizes.items():
            self.layout[part] = slice(self.size, self.size + size)
            self.size += size
        self._at = {part: place.start for part, place in self.layout.items()}
        self.secret_at = {
            action: self._at["secret"] + i for i, action in enumerate(parts_of_secret)
        }
        """Where the `secret` part says that an action was taken."""
        self._secret_records = {
            answer.record: self.action(question, answer)
            for question in self.questions
            if question.asks == SECRET
            for answer in question.answers
        }
        self.secret_parts = self._most_parts(SECRET)
        """How many actions the choice of a secret takes."""
        self.alternates = start.mover != 0
        """Whether the players take their turns one after the other."""
        self.at_once = self.secret_parts > 0 or not self.alternates
        """Whether both players are ever asked at the same time."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Made anew from the rules: what is known by its place in memory is known nowhere else."""
        return _made, (type(self.game), self.game.options)

    def __deepcopy__(self, memo: dict[int, Any]) -> Encoding:
        return self  # it never changes, so all matches share it

    def _choices(self, asks: str) -> list[Choice]:
        values: dict[Choice, int] = {}
        for question in self.questions:
            if question.asks == asks:
                for answer in question.answers:
                    values.setdefault(_choice(question, answer), answer.value)
        return sorted(values, key=lambda choice: values[choice])

    def _by_value(self, question: Question) -> dict[int, int]:
        return {answer.value: self.action(question, answer) for answer in question.answers}

    def _parts_of_secret(self) -> list[int]:
        kinds = {q.asks for q in self.questions if q.asks == SECRET or q.choose}
        return [action for action, choice in enumerate(self.choices) if choice.asks in kinds]

    def _most_parts(self, asks: str) -> int:
        return max((max(1, q.choose) for q in self.questions if q.asks == asks), default=0)

    # --- actions ------------------------------------------------------------------------

    def action(self, question: Question, answer: Answer) -> int:
        """The number of an answer, or of a member of a set."""
        return self._action[_choice(question, answer)]

    def legal(self, question: Question | None, chosen: int = 0) -> list[int]:
        """The actions that answer a question, in rising order.

        `chosen` is the part of a set that is chosen already, as bits.
        """
        if question is None:
            return []
        if question.choose:
            return self._next_members(question, chosen)
        legal = self._legal.get(id(question))
        return sorted(self.numbered(question).values()) if legal is None else legal

    def _next_members(self, question: Question, chosen: int) -> list[int]:
        """What may come next in a set; searches ask the same again and again."""
        begun = id(question), chosen
        legal = self._begun.get(begun)
        if legal is None:
            known = self.numbered(question)
            legal = sorted(known[value] for value in question.next_parts(chosen))
            if id(question) in self._known_objects and len(self._begun) < MOST_BEGUN:
                self._begun[begun] = legal
        return legal

    def numbered(self, question: Question) -> dict[int, int]:
        """The action of each of a question's values."""
        known = self._known_objects.get(id(question)) or self._known.get(question)
        if known is None:
            raise GameError(
                f"{self.game.title} asks for a {question.asks} with a question that is none of "
                "its attributes: make all questions in __init__, alone or in tuples."
            )
        return known

    def values_of(self, question: Question) -> dict[int, int]:
        """The value of each of a question's actions."""
        known = self._values.get(id(question))
        return known or {action: value for value, action in self.numbered(question).items()}

    def take(self, question: Question, chosen: int, action: int) -> tuple[int, bool]:
        """What is chosen after one more action, and whether that answers the question.

        The value of an answer is whole at once; a set's has a bit for each member so far.
        """
        value = self.values_of(question)[action]
        if not question.choose:
            return value, True
        chosen |= 1 << value
        return chosen, chosen.bit_count() == question.choose

    def actions_of(self, question: Question, value: int) -> list[int]:
        """The actions that answer a question with this value, in the order they are taken."""
        known = self.numbered(question)
        if not question.choose:
            return [known[value]]
        return [action for part, action in sorted(known.items()) if value >> part & 1]

    def mask(self, legal: list[int]) -> NDArray[np.int8]:
        """1 for each legal action, 0 for each other one."""
        mask = np.zeros(self.actions, np.int8)
        mask[legal] = 1
        return mask

    @property
    def most_actions(self) -> int:
        """More actions than this no match can have, unless it has no limit of turns."""
        in_a_turn = sum(self._most_parts(asks) for asks in self.kinds if asks != SECRET)
        return 2 * self.secret_parts + self.horizon * in_a_turn * (1 if self.alternates else 2)

    # --- observations -------------------------------------------------------------------

    def observe(self, view: View, chosen: int = 0) -> NDArray[np.float32]:
        """What the View's seat sees, laid out as `layout` says."""
        assert view.seat is not None  # spectators take no part
        me, at = view.seat, self._at
        rival = other(me)
        ones = [at["seat"] + me - 1]
        if view.first == me:
            ones.append(at["first"])
        if view.asks is not None:
            ones.append(at["asks"] + self.kinds.index(view.asks))
        if view.to_move is not None:
            ones.append(at["to_move"] + (view.to_move != me))
        ones += [at["ready"] + i for i, who in enumerate((me, rival)) if view.ready[who - 1]]
        if view.outcome is not None:
            result = view.outcome.result(me)
            ones.append(at["result"] + (0 if result > 0 else 2 if result < 0 else 1))
        for part, numbers in view.board.numbers(me).items():
            if numbers:
                start = at[part]
                ones += [start + number for number in numbers]
        ones += [self.secret_at[action] for action in self.picked(view, chosen)]
        vector = np.zeros(self.size, np.float32)
        vector[ones] = 1
        vector[at["turn"]] = min(1.0, view.turn / self.horizon)
        return vector

    def picked(self, view: View, chosen: int) -> list[int]:
        """The actions that the seat's secret consists of, or its set as far as it is chosen."""
        question = view.question
        if question is not None and (question.choose or question.asks == SECRET):
            known = self.numbered(question)
            return [action for value, action in known.items() if chosen >> value & 1]
        if view.secret is None:
            return []
        if view.secret in self._secret_records:
            return [self._secret_records[view.secret]]
        return [self._secret_records[part] for part in view.secret]  # type: ignore[union-attr]  # a secret has parts here

    def described(self, observation: NDArray[np.float32]) -> str:
        """An observation as text: the parts that are not all 0."""
        parts = []
        for part, place in self.layout.items():
            numbers = observation[place]
            if len(numbers) == 1:
                parts.append(f"{part} {numbers[0]:.6g}")
            elif numbers.any():
                parts.append(f"{part} {' '.join(map(str, np.flatnonzero(numbers)))}")
        return "; ".join(parts)


def _questions(held: Any) -> Iterator[Question]:
    """The questions among attributes, alone or in nested tuples."""
    if isinstance(held, Question):
        yield held
    elif isinstance(held, dict):
        yield from _questions(tuple(held.values()))
    elif isinstance(held, (tuple, list)):
        for part in held:
            yield from _questions(part)


def _choice(question: Question, answer: Answer) -> Choice:
    record = answer.record
    numbers = record if isinstance(record, tuple) else (record,)
    if question.action:
        return Choice(question.asks, question.action.format(*numbers))
    return Choice(question.asks, ",".join(map(str, numbers)))


def _made(kind: type[Game[Any]], options: Any) -> Encoding:
    return Encoding(kind(options))


def _distinct_names(choices: tuple[Choice, ...]) -> tuple[str, ...]:
    """The names of the actions, with what they answer where two would be called the same."""
    names = [choice.name for choice in choices]
    return tuple(
        choice.name if names.count(choice.name) == 1 else f"{choice.asks} {choice.name}"
        for choice in choices
    )
