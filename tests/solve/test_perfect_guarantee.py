"""What is proven of a solution is what `perfect` plays: best responses to the player itself.

The player is asked through `perfect.chances` with real Views, and the responder may do
anything: hide what it likes, move as it likes, and look at all that its own View shows. What
it gets must stay within the bounds that the solution claims.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from tests.solve import plain
from tests.solve.promised import CLOSE, conceded

from trapline.core import SEATS, Seat, other
from trapline.games import make_game
from trapline.players import perfect
from trapline.referee import Match
from trapline.solve import TooLarge
from trapline.solve.public_policy import PublicPolicy

if TYPE_CHECKING:
    from trapline.core import View

    Secret = Any


@pytest.fixture(autouse=True, scope="module")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRAPLINE_HOME", str(tmp_path_factory.mktemp("home")))
        yield


def policy_of(game: Any) -> Any:
    found = perfect.solution_of(game)
    assert found is not None
    assert not found.forced
    return found.policy


# --- small games, exhaustively ----------------------------------------------------------

MIXED: list[tuple[str, dict[str, Any]]] = [
    ("hidden-path", {"length": 3, "traps": 2, "max_step": 2}),
    ("hidden-path", {"length": 4, "traps": 1, "max_step": 2}),
    ("hidden-path", {"length": 4, "traps": 2}),
    ("hidden-path", {"length": 4, "traps": 2, "goal_traps": False}),
    ("hidden-path", {"length": 5, "traps": 1, "goal_traps": False}),
    ("hidden-path", {"length": 6, "traps": 1, "max_step": 2, "goal_traps": False}),
    ("hidden-path", {"length": 7, "traps": 1, "goal_traps": False}),
    ("trap-builder", {"length": 5, "traps": 2, "walls": False}),
    ("trap-builder", {"length": 6, "traps": 1, "walls": False}),
    ("trap-builder", {"length": 6, "traps": 2, "walls": False}),
    ("trap-builder", {"length": 7, "traps": 3, "walls": False}),
    ("trap-builder", {"length": 7, "traps": 2, "max_step": 2, "walls": False}),
]
FORCED: list[tuple[str, dict[str, Any]]] = [
    ("trap-builder", {"length": 5, "traps": 3}),
    ("trap-builder", {"length": 5, "traps": 2, "trigger": "passing"}),
    ("secret-paths", {"size": 3, "turn_limit": 3}),
    ("secret-paths", {"size": 5, "turn_limit": 3}),
    ("trap-runner", {"length": 4, "max_step": 2}),
    ("trap-runner", {"length": 5, "max_step": 2, "turn_limit": 7}),
    ("trap-runner", {"length": 5, "turn_limit": 3}),
    ("numeric-maze", {"length": 6, "traps": [3], "turn_limit": 8}),
]
"""Here values are results that can be forced, whatever the other does."""


def responses(game: Any, seat: Seat, first: Seat) -> dict[Any, float]:
    """What a best response to `perfect` in the other seat gets, for each secret it may hide."""
    player = plain.remembering(perfect.chances)
    return plain.by_secret(game, seat, player, first=first)


def seats(games: list[tuple[str, dict[str, Any]]]) -> list[Any]:
    """Both seats of each game; where the board has a direction, also the other way round."""
    return [
        pytest.param(game, seat, first, id=f"{game[0]}-{number}-{seat}-{first}")
        for number, game in enumerate(games)
        for first in (SEATS if game[0] in ("trap-builder", "secret-paths") else SEATS[:1])
        for seat in SEATS
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("drawn", "seat", "first"), seats(MIXED + FORCED))
def test_no_opponent_gets_more_than_was_proven(
    drawn: tuple[str, dict[str, Any]], seat: Seat, first: Seat
) -> None:
    game = make_game(*drawn)
    assert max(responses(game, seat, first).values()) <= conceded(game, other(seat), first) + CLOSE


@pytest.mark.slow
@pytest.mark.parametrize(("drawn", "seat", "first"), seats(MIXED))
def test_a_secret_is_worth_what_it_gets_against_the_player(
    drawn: tuple[str, dict[str, Any]], seat: Seat, first: Seat
) -> None:
    game = make_game(*drawn)
    values = policy_of(game).look(Match(game, first).view(seat)).values
    assert values == pytest.approx(responses(game, seat, first), abs=CLOSE)


@pytest.mark.parametrize("drawn", MIXED, ids=lambda drawn: drawn[0])
def test_an_opening_is_worth_what_it_gets_against_the_player(
    drawn: tuple[str, dict[str, Any]],
) -> None:
    game = make_game(*drawn)
    for secret in plain.secrets(game, 1)[:6]:
        opened = plain.openings(game, 1, perfect.chances, secret)
        match = Match(game, 1)
        match.play(1, secret)
        match.play(2, plain.secrets(game, 2)[0])
        assert policy_of(game).look(match.view(1)).values == pytest.approx(opened, abs=CLOSE)


@pytest.mark.parametrize("drawn", MIXED, ids=lambda drawn: drawn[0])
def test_beliefs_are_what_the_players_own_chances_make_likely(
    drawn: tuple[str, dict[str, Any]],
) -> None:
    """Bayes' rule, over the secrets `perfect` hides and the moves it makes with each of them."""
    game, rng = make_game(*drawn), Random(5)
    policy, compared = policy_of(game), 0
    for number in range(40):
        me, first = SEATS[number % 2], SEATS[number // 2 % 2]
        mine = rng.choice(plain.secrets(game, me, first))
        prior = perfect.chances(Match(game, first).view(other(me)))
        hidden = rng.choices(list(prior), list(prior.values()))[0]
        match = _chosen(game, first, me, mine, hidden)
        moves: list[Any] = []
        while (mover := match.to_move) is not None:
            view = match.view(mover)
            chances = dict.fromkeys(view.legal, 1.0) if mover == me else perfect.chances(view)
            if mover == me:
                held = {s: b for s, b in policy.look(view).beliefs.items() if b > 0}
                decided = isinstance(policy, PublicPolicy) and policy.place(view).decided
                likely = {
                    secret: chance
                    * _likelihood(_chosen(game, first, me, mine, secret), moves, view)
                    for secret, chance in prior.items()
                }
                posterior = {s: p / sum(likely.values()) for s, p in likely.items() if p > 0}
                if decided:  # what is done when all is decided is not counted
                    assert set(posterior) <= set(held) <= {s for s, p in prior.items() if p > 0}
                else:
                    assert held == pytest.approx(posterior)
                    compared += 1
            moves.append(rng.choices(list(chances), list(chances.values()))[0])
            match.play(mover, moves[-1])
    assert compared >= 20


def _chosen(game: Any, first: Seat, me: Seat, mine: Secret, theirs: Secret) -> Match:
    match = Match(game, first)
    match.play(me, mine)
    match.play(other(me), theirs)
    return match


def _likelihood(match: Match, moves: list[Any], seen: View) -> float:
    """How likely `perfect` makes its part of these moves, and the viewer sees what it saw."""
    chance = 1.0
    for move in moves:
        mover = match.to_move
        view = match.view(mover)
        if mover is None or move not in view.legal:
            return 0.0  # something else had happened before
        if mover != seen.seat:
            chance *= perfect.chances(view)[move]
        match.play(mover, move)
    return chance if match.view(seen.seat).events == seen.events else 0.0


# --- drawing ----------------------------------------------------------------------------


class Scribe(Random):
    """Writes down what it is asked to draw from."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.asked: list[Any] = []

    def choices(self, population: Any, weights: Any = None, **more: Any) -> Any:
        self.asked.append(dict(zip(population, weights, strict=True)))
        return super().choices(population, weights, **more)

    def random(self) -> float:
        self.asked.append("random")
        return super().random()


@pytest.mark.parametrize(("name", "options"), MIXED + FORCED)
def test_the_player_draws_from_its_chances_and_from_nothing_else(
    name: str, options: dict[str, Any]
) -> None:
    game = make_game(name, options)
    for seed in range(10):
        rng = Random(seed)
        match = Match(game, SEATS[seed % 2])
        while match.outcome is None:
            seat = next(seat for seat in SEATS if match.view(seat).asks)
            view = match.view(seat)
            scribe = Scribe(seed)
            answer: Any = perfect.choose(view, scribe)
            chances = perfect.chances(view)
            assert scribe.asked == [chances, "random"]
            assert chances[answer] > 0
            assert sum(chances.values()) == pytest.approx(1)
            assert set(chances) == set(plain.answers(view.question))
            match.play(seat, rng.choice(list(chances)))


def test_chances_of_what_cannot_be_solved_are_refused() -> None:
    with pytest.raises(TooLarge, match="too large to be solved"):
        perfect.chances(Match(make_game("hidden-path", {"length": 30}), 1).view(1))
