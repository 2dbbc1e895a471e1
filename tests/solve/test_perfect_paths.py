"""What is proven of Hidden Path is what `perfect` plays, at sizes too large for plain recursion.

Here the player's blindness is tested first: its chances depend on its own journey, and on
nothing else. Then they are tabulated by journey, and what a best response gets against the
table is worked out by backward induction over what both runners know.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest
from tests.solve import plain
from tests.solve.promised import CLOSE, conceded

from trapline.core import SEATS, Moved, Seat, Triggered
from trapline.games import make_game
from trapline.players import perfect
from trapline.referee import Match

if TYPE_CHECKING:
    from trapline.core import View

    Secret = Any


@pytest.fixture(autouse=True, scope="module")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRAPLINE_HOME", str(tmp_path_factory.mktemp("home")))
        yield


Journey = tuple[tuple[int, bool], ...]
"""Steps, and whether they ended on a trap."""

PATHS = [
    pytest.param({"length": 7, "traps": 2, "goal_traps": False}, id="7-2-no-goal-trap"),
    pytest.param({"length": 7, "traps": 3}, id="7-3"),
    pytest.param({"length": 8, "traps": 2}, id="8-2"),
    pytest.param({}, id="rulebook", marks=pytest.mark.slow),
]


def journey_of(view: View) -> Journey:
    """What the viewer has run so far, as the View tells it."""
    steps: list[tuple[int, bool]] = []
    for event in view.events:
        if isinstance(event, Moved) and event.by == view.seat:
            steps.append((int(str(event.to)) - int(str(event.start)), False))
        elif isinstance(event, Triggered) and event.by == view.seat:
            steps[-1] = (steps[-1][0], True)
    return tuple(steps)


def tabulate(game: Any, first: Seat) -> tuple[dict[Secret, float], dict[Journey, dict[Any, float]]]:
    """The secrets of `perfect` in seat 1, and its moves after every journey it can make.

    The other makes single steps, and so never arrives before it.
    """
    secrets = perfect.chances(Match(game, first).view(1))
    table: dict[Journey, dict[Any, float]] = {}
    for theirs in plain.secrets(game, 2):
        match = Match(game, first)
        match.play(1, max(secrets, key=lambda secret: (secrets[secret] > 0, secret)))
        match.play(2, theirs)
        open_matches = [match]
        while open_matches:
            match = open_matches.pop()
            if match.to_move == 2:
                match.play(2, 1)
            assert match.outcome is None
            view = match.view(1)
            journey = journey_of(view)
            if journey not in table:
                table[journey] = perfect.chances(view)
            for move, chance in table[journey].items():
                after = match.fork()
                after.play(1, move)
                if chance > 0 and after.outcome is None:
                    open_matches.append(after)
    return {secret: chance for secret, chance in secrets.items() if chance > 0}, table


@pytest.mark.slow
@pytest.mark.parametrize("first", SEATS)
@pytest.mark.parametrize("options", PATHS)
def test_a_runner_looks_at_nothing_but_its_own_journey(
    options: dict[str, Any], first: Seat
) -> None:
    """Whatever it hides itself, wherever the other is, and however the other runs."""
    game: Any = make_game("hidden-path", options)
    known = tabulate(game, first)[1]
    rng = Random(4)
    compared = 0
    for number in range(1_500):
        match = Match(game, first)
        for seat in SEATS:
            match.play(seat, rng.choice(plain.secrets(game, seat, first)))
        lost = rng.random() < 0.5  # whether the player, too, is somebody else
        while (mover := match.to_move) is not None:
            view = match.view(mover)
            if mover == 2:
                ways: Any = (view.legal[-1], view.legal[0], rng.choice(view.legal))
                match.play(2, ways[number % 3])
                continue
            journey = journey_of(view)
            chances = perfect.chances(view)
            compared += journey in known
            assert known.setdefault(journey, chances) == chances
            weights = [1.0] * len(chances) if lost else list(chances.values())
            match.play(1, rng.choices(list(chances), weights)[0])
    assert compared > 3_000


@pytest.mark.parametrize("first", SEATS)
@pytest.mark.parametrize("options", PATHS)
def test_a_path_of_any_length_keeps_what_was_proven(options: dict[str, Any], first: Seat) -> None:
    game: Any = make_game("hidden-path", options)
    secrets, table = tabulate(game, first)
    got = Response(game, secrets, table).by_secret(responds_first=first == 2)
    assert max(got.values()) == pytest.approx(conceded(game, 1, first), abs=CLOSE)


class Known(NamedTuple):
    """What the responder knows: a position, the traps sprung, the secrets still possible."""

    position: int
    sprung: frozenset[int]
    possible: tuple[Secret, ...]


class Response:
    """The best response to a mixture of secrets and a table of moves, drawn apart from it.

    Against a blind player the belief in its traps depends on the responder's own journey
    alone. A vector holds the responder's chance of winning for each pair of the responder's
    secret and the player's journey, after so many of the player's moves.
    """

    def __init__(
        self, game: Any, secrets: dict[Secret, float], table: dict[Journey, dict[Any, float]]
    ) -> None:
        self.length, self.max_step = game.length, game.options.max_step
        self.secrets = secrets
        self.layers: list[dict[tuple[Secret, Journey], int]] = [
            {(secret, ()): i for i, secret in enumerate(plain.secrets(game, 2))}
        ]
        self.steps: list[list[tuple[int, int, float]]] = []
        while self.layers[-1]:
            self._extend(table)
        self.start = Known(0, frozenset(), tuple(secrets))
        self.waiting = cache(self._waiting)
        self.moving = cache(self._moving)

    def _extend(self, table: dict[Journey, dict[Any, float]]) -> None:
        """Where the player's next move leads, with each secret of the responder."""
        after: dict[tuple[Secret, Journey], int] = {}
        steps = []
        for (secret, journey), row in self.layers[-1].items():
            position, sprung = 0, set()
            for step, trapped in journey:
                position += step
                if trapped:
                    sprung.add(position)
                    position = 0
            for move, chance in table[journey].items():
                to = position + move
                trapped = to in secret and to not in sprung
                if chance > 0 and (trapped or to < self.length):
                    key = (secret, (*journey, (move, trapped)))
                    steps.append((row, after.setdefault(key, len(after)), chance))
        self.layers.append(after)
        self.steps.append(steps)

    def by_secret(self, *, responds_first: bool) -> dict[Secret, float]:
        wins = (self.moving if responds_first else self.waiting)(0, self.start)
        return {secret: 2 * wins[i] - 1 for (secret, _), i in self.layers[0].items()}

    def _waiting(self, layer: int, known: Known) -> Any:
        """The player is to move; where that leads to the goal the responder has lost."""
        wins = np.zeros(len(self.layers[layer]))
        if self.steps[layer]:
            rows, columns, chances = map(np.array, zip(*self.steps[layer], strict=True))
            np.add.at(wins, rows, chances * self.moving(layer + 1, known)[columns])
        return wins

    def _moving(self, layer: int, known: Known) -> Any:
        best = np.zeros(len(self.layers[layer]))
        if not len(best):
            return best
        whole = sum(self.secrets[secret] for secret in known.possible)
        last = min(known.position + self.max_step, self.length)
        for to in range(known.position + 1, last + 1):
            live = to not in known.sprung
            caught = tuple(s for s in known.possible if live and to in s)
            passed = tuple(s for s in known.possible if s not in caught)
            total = np.zeros(len(best))
            if caught:
                share = sum(self.secrets[secret] for secret in caught) / whole
                total += share * self.waiting(layer, Known(0, known.sprung | {to}, caught))
            if passed:
                share = sum(self.secrets[secret] for secret in passed) / whole
                arrived = to == self.length
                after = Known(to, known.sprung, passed)
                total += share * (1.0 if arrived else self.waiting(layer, after))
            best = np.maximum(best, total)
        return best
