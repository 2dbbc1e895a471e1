"""What the coach believes of the other's secret, against Bayes's rule by a program of its own.

For every secret that the other may hold, the match is played again before the real referee with
that secret in its place. It stays possible if the player would have heard the same; it is as
likely as the solution hides it, times how often the solution would have moved so each time.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from trapline.contest import next_asked
from trapline.core import SECRET, Seat, other
from trapline.games import RULEBOOKS, make_game
from trapline.players import PLAYERS
from trapline.referee import Match
from trapline.solve import solved

if TYPE_CHECKING:
    from trapline.core import Form, Game, View
    from trapline.solve import Solution

SMALL: dict[str, list[dict[str, object]]] = {
    "hidden-path": [
        {"length": 4, "traps": 1},
        {"length": 5, "traps": 1, "goal_traps": False},
        {"length": 5, "traps": 2},
    ],
    "trap-builder": [
        {"length": 5, "traps": 1},
        {"length": 6, "traps": 2, "walls": False},
        {"length": 6, "traps": 3},
    ],
    "secret-paths": [{"size": 3}, {"turn_limit": 6}],
}
MOMENTS = 15
FIRST: Seat = 1
CASES = [(name, options) for name, several in SMALL.items() for options in several]


def test_every_game_with_a_secret_is_here() -> None:
    with_secrets = {
        kind.name
        for kind in RULEBOOKS
        if (asked := make_game(kind).question(make_game(kind).start(1), 1)) is not None
        and asked.asks == SECRET
    }
    assert with_secrets == set(SMALL)


@pytest.mark.parametrize(("name", "options"), CASES, ids=lambda part: str(part).replace(" ", ""))
def test_beliefs_are_those_of_bayes(name: str, options: dict[str, object]) -> None:
    game = make_game(name, options)
    solution = solved(game)
    rng = Random(f"beliefs {name} {options}")
    compared, me = 0, FIRST
    while compared < MOMENTS:
        me = other(me)
        history = play(game, solution, me, rng)
        for view, turns in history:
            expected = bayes(game, solution, view, turns)
            believed = solution.policy.look(view).beliefs
            assert sum(believed.values()) == pytest.approx(1.0)
            for secret in expected.keys() | believed.keys():
                found = believed.get(secret, 0.0)
                assert found == pytest.approx(expected.get(secret, 0.0), abs=1e-6), secret
            compared += 1


Turns = list[tuple[Seat, "Form"]]


def play(game: Game[Any], solution: Solution, me: Seat, rng: Random) -> list[tuple[View, Turns]]:
    """A match in which the other plays the solution and this player anything: what was seen at
    each own move, and the moves before it."""
    match = Match(game, rng.choice((1, 2)), rng=rng)
    turns: Turns = []
    found = []
    while (seat := next_asked(match)) is not None:
        view = match.view(seat)
        if seat == me:
            answer = PLAYERS["random"].choose(view, rng)
            if view.asks != SECRET:
                found.append((view, list(turns)))
        else:
            chances = solution.policy.chances(view)
            answer = rng.choices(list(chances), list(chances.values()))[0]
        if view.asks != SECRET:
            turns.append((seat, answer))
        match.play(seat, answer)
    return found


def bayes(game: Game[Any], solution: Solution, view: View, turns: Turns) -> dict[Form, float]:
    assert view.seat is not None
    rival = other(view.seat)
    hidden = solution.policy.chances(Match(game, view.first).view(rival))
    likely: dict[Form, float] = {}
    for secret, chance in hidden.items():
        match = Match(game, view.first)
        match.play(view.seat, view.secret)
        match.play(rival, secret)
        for seat, answer in turns:
            if match.outcome is not None:
                break
            if seat == rival:
                chance *= solution.policy.chances(match.view(rival)).get(answer, 0.0)
            match.play(seat, answer)
        if match.outcome is None and match.view(view.seat).events == view.events:
            likely[secret] = chance
    whole = sum(likely.values())
    return {secret: chance / whole for secret, chance in likely.items()}
