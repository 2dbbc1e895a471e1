"""What a solver needs to know of a game: public states, and how answers split secrets.

A `Model` describes a two-player game by what everybody sees. Each seat has one private
holding from a list (a secret, a card); a public state tells who is asked and which actions
there are; an action leads to branches, one for each thing that everybody may see happen,
and each branch says with which holdings it happens. So the secrets of both players are
explored side by side, as a sum, and never as a product.

`GameModel` makes a model of a game, if the game is of that kind, and otherwise says why not.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import numpy as np

from trapline.core import SECRET, forget, other
from trapline.core.games import asked
from trapline.solve.dependence import Dependence
from trapline.solve.interface import TooLarge, Unsuited, payoff

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from trapline.core import AnyEvent, Game, Question, Seat, State

ALL = -1
"""The mask that keeps every holding: all bits of Python's unbounded −1 are set."""

CHANCE: Literal[0] = 0
"""The mover of a state in which something is dealt."""


class Branch(NamedTuple):
    """One thing that everybody may see happen."""

    state: Hashable | None
    """The public state it leads to; None at the end of the game."""
    masks: tuple[int, int]
    """Bit i is set if this happens with the i-th holding of that seat."""
    payoff: float = 0.0
    """What seat 1 gets at the end of the game."""
    table: int | None = None
    """Which of the model's tables multiplies the payoff, by pairs of holdings."""
    turns: int = 1
    """How many turns it completes: 0 or 1."""
    events: tuple[AnyEvent, ...] = ()
    """What everybody hears."""


class Model(Protocol):
    """A game as the solvers take it. The branches of an action part the holdings, except
    after a deal, whose chances lie in the tables."""

    tables: NDArray[np.float64]

    @property
    def holdings(self) -> tuple[Sequence[Any], Sequence[Any]]: ...

    @property
    def chosen(self) -> bool:
        """Whether players choose their holdings; otherwise the tables hold the deal's chances."""

    @property
    def root(self) -> Any: ...

    def mover(self, state: Any) -> int: ...

    def actions(self, state: Any) -> Sequence[Any]: ...

    def branches(self, state: Any, action: Any) -> Sequence[Branch]: ...


# --- games whose players hide something before the first turn, and nothing later ---------

Masks = tuple[int, int]
Heard = tuple[tuple["AnyEvent", ...], Masks]
"""What everybody hears of a turn, and with which holdings."""

Followed = tuple[tuple[tuple["AnyEvent", ...], bool], tuple[Any, ...]]
"""What was heard in the match that was looked at last, whether in a mirror, and its steps."""
NOTHING: Followed = (((), False), ())

MOST_PARTS = 12
"""No turn may have more answers."""
MOST_SECRETS = 20_000
"""A seat can have more secrets than any machine can list: 49 traps on 99 squares."""


class GameModel:
    """A game in which nothing is hidden but what both choose in secret before the first turn.

    That is looked into wherever the model is asked for something, and Unsuited raised where it
    does not hold: where chance takes part, both are asked at once, what an answer was or did is
    not told to everybody, a player is shown or may do something that depends on the other's
    secret, or a result counts more than another.

    A public state is the game's own State with the first of all secrets. Where there is no limit
    on turns it has no count of them either, so that equal positions are one state. `counts_turns`
    says it otherwise: with it they are always counted, and without it never, and a limit is left
    to whoever asks. CountsTurns is raised where rules look at a count that is left out.
    """

    chosen = True
    tables = np.zeros((0, 1, 1))

    def __init__(
        self, game: Game[Any], first: Seat = 1, *, counts_turns: bool | None = None
    ) -> None:
        self.game = game
        self.first: Seat = first
        limited = game.turn_limit > 0
        self.counts_turns = limited if counts_turns is None else counts_turns
        if game.turn_limit == 1:
            self.counts_turns = True
        self.limit = 0 if self.counts_turns else game.turn_limit
        if game.draws:
            raise Unsuited(f"{game.title} has chance in it.")
        start = forget(game.start(first))
        self.hiding: tuple[Question | None, Question | None] = (
            game.question(start, 1),
            game.question(start, 2),
        )
        secret = [q is not None and q.asks == SECRET for q in self.hiding]
        if any(secret) and not all(secret):
            raise Unsuited(f"{game.title} asks one player alone for a secret.")
        self.hides = all(secret)
        self.holdings: tuple[Sequence[int], Sequence[int]] = (self._secrets(0), self._secrets(1))
        self._rules = Dependence(game, self.holdings, self.limit, counts_turns=self.counts_turns)
        self.root = self._rules.opening(start, hides=self.hides)
        self._branches: dict[Any, dict[int, tuple[Branch, ...]]] = {}
        self._asked: dict[Any, tuple[Seat, tuple[int, ...]]] = {}
        self.followed: Followed = NOTHING

    def _secrets(self, side: int) -> tuple[int, ...]:
        question = self.hiding[side]
        if not self.hides or question is None:
            return (0,)
        found = tuple(islice(question.values(), MOST_SECRETS + 1))
        if len(found) > MOST_SECRETS:
            raise TooLarge(
                f"{self.game.title}: there are more than {MOST_SECRETS} secrets to choose from; "
                "a smaller board, or less to hide, makes fewer."
            )
        return found

    def mover(self, state: State) -> Seat:
        return self._who(state)[0]

    def actions(self, state: State) -> Sequence[int]:
        return self._who(state)[1]

    def question(self, state: State) -> Question:
        """What the mover is asked."""
        found = self.game.question(state, self.mover(state))
        assert found is not None
        return found

    def branches(self, state: State, action: int) -> tuple[Branch, ...]:
        known = self._branches.get(state)
        if known is None:
            known = self._unchecked(state)
            self._check_all_is_heard(known)
            self._branches[state] = known  # what is refused once is refused again
        return known[action]

    def _unchecked(self, state: State) -> dict[int, tuple[Branch, ...]]:
        known = self._branches.get(state)
        if known is not None:
            return known
        seat = self.mover(state)
        return {a: self._explore(state, seat, a) for a in self.actions(state)}

    def _who(self, state: State) -> tuple[Seat, tuple[int, ...]]:
        known = self._asked.get(state)
        if known is None:
            known = self._asked[state] = self._rules.asked(state)
        return known

    def _explore(self, state: State, seat: Seat, action: int) -> tuple[Branch, ...]:
        branches = []
        for masks, after, turns, events in self._rules.results(state, seat, action):
            if after.outcome is None and not turns and asked(self.game, after) != (seat,):
                raise Unsuited(
                    f"{self.game.title} asks Player {other(seat)} something before having told "
                    f"what Player {seat} did in the same turn."
                )
            worth = 0.0 if after.outcome is None else payoff(after.outcome)
            if abs(worth) > 1:
                raise Unsuited(f"{self.game.title} can be won by more than one point.")
            goes_on = after if after.outcome is None else None
            branches.append(Branch(goes_on, masks, worth, None, turns, events))
        return tuple(branches)

    def _check_all_is_heard(self, known: dict[int, tuple[Branch, ...]]) -> None:
        """Everybody must be able to tell a turn, when it is complete, from all others: by what
        they hear of it, or by what they hold."""
        heard: dict[tuple[AnyEvent, ...], list[tuple[int, Masks]]] = {}
        for action, branches in known.items():
            for events, masks in self._turns(branches, MOST_PARTS):
                heard.setdefault(events, []).append((action, masks))
        for alike in heard.values():
            for at, (action, one) in enumerate(alike):
                for again, two in alike[:at]:
                    if action != again or _overlap(one, two):
                        raise Unsuited(f"{self.game.title} does not tell everybody what was done.")

    def _turns(self, branches: tuple[Branch, ...], parts: int) -> Iterator[Heard]:
        """The ways in which a turn can go on; the end of a game is seen by everybody."""
        if not parts:
            raise Unsuited(f"{self.game.title} has turns of too many answers.")
        for branch in branches:
            after: Any = branch.state
            if after is not None and branch.turns:
                yield branch.events, branch.masks
            elif after is not None:
                for further in self._unchecked(after).values():
                    for events, masks in self._turns(further, parts - 1):
                        kept = branch.masks[0] & masks[0], branch.masks[1] & masks[1]
                        if all(kept):
                            yield (*branch.events, *events), kept


@lru_cache(maxsize=2)
def model_of(game: Game[Any], first: Seat, *, counts_turns: bool) -> GameModel:
    """The model of a game: methods that follow each other ask for the same one."""
    return GameModel(game, first, counts_turns=counts_turns)


def _overlap(one: Masks, two: Masks) -> bool:
    """Whether somebody's holding fits both, so that it does not tell one from the other."""
    return bool(one[0] & two[0] or one[1] & two[1])
