"""The whole game tree as a Gambit extensive-form file, for games that are small enough.

Players act in the order that `numbered` explains, and an information set is named by its
information state, so a strategy found by another program can be read back. Where only one
action is legal no node is written. Chances and payoffs are whole numbers and fractions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from trapline.adapters.numbered import NumberedMatch
from trapline.core import CHANCE, SEATS, TraplineError
from trapline.simulate.encoding import Encoding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import First, Game, Outcome, Question, Seat

MOST_NODES = 300_000
"""Some twenty seconds' work, and a file of some thirty megabytes."""


class TreeTooLarge(TraplineError):
    """The tree of this game is not written out."""


def extensive_form(
    game: Game[Any], first: First | None = None, *, most: int = MOST_NODES
) -> Iterator[str]:
    """The lines of the file; TreeTooLarge after `most` nodes.

    `first` is 1, 2 or "toss", which is a chance node; without it, the rulebook decides.
    """
    first = first or game.default_first
    encoding = Encoding(game)
    written = _Written(encoding)
    yield f'EFG 2 R "{game.title}" {{ "Player 1" "Player 2" }}'
    if first == "toss":
        yield 'c "" 1 "who moves first" { "Player 1" 1/2 "Player 2" 1/2 } 0'
    movers = SEATS if first == "toss" else (first,)
    stack = [NumberedMatch(encoding, seat, deals=False) for seat in reversed(movers)]
    nodes = 0
    while stack:
        match = _past_forced_actions(stack.pop())
        nodes += 1
        if nodes > most:
            raise TreeTooLarge(
                f"This game's tree has more than {most} nodes, the most that are written out: "
                "options that make the game shorter make it smaller."
            )
        yield written.node(match)
        if match.actor is not None:
            stack += [_after(match, action) for action in reversed(match.legal(match.actor))]


class _Written:
    """The numbers that information sets, draws and results have in the file."""

    def __init__(self, encoding: Encoding) -> None:
        self._names = encoding.names
        self._infosets: dict[Seat, dict[str, int]] = {1: {}, 2: {}}
        self._results: dict[str, int] = {}
        self._draws = 1  # the toss

    def node(self, match: NumberedMatch) -> str:
        actor = match.actor
        if actor is None:
            outcome = match.outcome
            assert outcome is not None  # nobody is asked any more
            return self._result(outcome)
        if actor == CHANCE:
            assert match.question is not None  # that is why it acts
            return self._draw(match.question)
        known = match.information_state(actor)
        infosets = self._infosets[actor]
        number = infosets.setdefault(known, len(infosets) + 1)
        names = " ".join(_quoted(self._names[action]) for action in match.legal(actor))
        return f'p "" {actor} {number} {_quoted(known)} {{ {names} }} 0'

    def _draw(self, question: Question) -> str:
        self._draws += 1
        total = sum(question.weights)
        weighed = zip(question.answers, question.weights, strict=True)
        drawn = " ".join(f"{_quoted(a.text)} {Fraction(weight, total)}" for a, weight in weighed)
        return f'c "" {self._draws} {_quoted(question.asks)} {{ {drawn} }} 0'

    def _result(self, outcome: Outcome) -> str:
        one, two = (int(outcome.result(seat)) for seat in SEATS)
        said = f"Player {outcome.winner} wins" if outcome.winner else "draw"
        if outcome.score > 1 and outcome.winner:
            said += f" {outcome.score}"
        number = self._results.setdefault(said, len(self._results) + 1)
        return f't "" {number} "{said}" {{ {one} {two} }}'


def _quoted(text: str) -> str:
    return '"' + text.replace('"', "'") + '"'


def _past_forced_actions(match: NumberedMatch) -> NumberedMatch:
    while match.actor is not None and len(legal := match.legal(match.actor)) == 1:
        match.act(legal[0])
    return match


def _after(match: NumberedMatch, action: int) -> NumberedMatch:
    following = match.fork()
    following.act(action)
    return following
