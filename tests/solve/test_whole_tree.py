"""The whole tree: published values, OpenSpiel's, and the other methods'."""

from __future__ import annotations

import contextlib
import math
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tests.outside.examples import example
from tests.solve import brute, plain, programs

from trapline.core import SEATS
from trapline.games import make_game
from trapline.players import perfect
from trapline.referee import Match
from trapline.solve import TooLarge, load, sequences, solve, solved, storage
from trapline.solve.interface import Request
from trapline.solve.whole import WholeMethod, WholeSolution
from trapline.solve.whole_tree import WholeTree

if TYPE_CHECKING:
    from pathlib import Path

    from trapline.core import Seat, View

EXAMPLES = {
    "kuhn": "kuhn_poker",
    "goofspiel": "goofspiel(num_cards=4,points_order=descending,returns_type=win_loss,"
    "imp_info=False)",
    "liars_dice": "liars_dice(numdice=1,dice_sides=4)",
    "battleship": "battleship(board_width=2,board_height=2,ship_sizes=[2],ship_values=[1],"
    "num_shots=3,allow_repeated_shots=False,loss_multiplier=1.0)",
}


@pytest.fixture(autouse=True, scope="module")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRAPLINE_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.mark.parametrize("name", EXAMPLES)
def test_values_are_open_spiels(name: str) -> None:
    found = solve(example(name))
    assert found.facts.method == WholeMethod.name
    assert found.exact
    assert found.value == pytest.approx(programs.value_of(EXAMPLES[name]), abs=1e-6)


@pytest.mark.parametrize(
    ("options", "value"),
    [({"turns": 3}, "3/4"), ({"turns": 4}, "7/12"), ({}, "2/3"), ({"size": 3, "turns": 3}, "8/9")],
)
def test_a_phantom_game_is_worth_what_the_program_over_all_matches_says(
    options: dict[str, Any], value: str
) -> None:
    """Answers stay hidden inside the game; what a seat knows is what its Views have shown."""
    game = example("phantom", **options)
    found = solve(game)
    assert found.facts.method == WholeMethod.name
    assert str(found.fraction) == value
    assert brute.value_of(game) == pytest.approx(found.value, abs=1e-9)


def test_kuhn_poker_is_worth_what_kuhn_says() -> None:
    for first in SEATS:
        found = solve(example("kuhn"), first=first)
        assert found.value == pytest.approx(-1 / 18, abs=1e-9)
        assert found.facts.first == first
        assert "a game on average" in found.facts.sentence


@pytest.mark.parametrize(("piles", "value"), [((1, 2, 3), -1), ((1, 2), 1), ((2, 2), -1)])
def test_nim_is_won_by_its_sum(piles: tuple[int, ...], value: int) -> None:
    """Nothing is hidden, though a turn is told only when it is complete."""
    game = example("nim", piles=piles)
    found = solve(game)
    assert (found.forced, found.exact, found.value) == (True, True, value)
    assert WholeMethod(game, 1).solve(Request()).value == value


def test_a_turn_of_two_questions_is_played_as_it_was_solved() -> None:
    """The first answer is on the viewer's board alone when the second is asked for."""
    game, rng = example("nim", piles=(3, 4, 5)), Random(2)
    for first in SEATS:
        for _ in range(25):
            match = Match(game, first, rng=rng)
            while match.outcome is None:
                seat = match.asked[0]
                view = match.view(seat)
                best = perfect.choose(view, rng)
                match.play(seat, best if seat == first else rng.choice(view.legal))
            assert match.outcome.winner == first


@pytest.mark.parametrize("name", EXAMPLES)
def test_regret_comes_to_the_same(name: str) -> None:
    form = WholeTree(example(name), 1).form()
    exact = sequences.certify(form, sequences.by_program(form))
    assert exact.exploitability < 1e-9
    found = sequences.certify(form, sequences.by_regret(form, target=1e-5))
    assert found.exploitability <= 1e-5
    assert found.lower - 1e-9 <= exact.lower <= exact.upper <= found.upper + 1e-9


def test_uniform_play_in_kuhn_can_be_exploited_by_a_known_amount() -> None:
    form = WholeTree(example("kuhn"), 1).form()
    lower, upper = sequences.certify(form, tuple(map(sequences.uniform, form.sides)))  # type: ignore[arg-type]
    assert upper == pytest.approx(1 / 2)
    assert lower == pytest.approx(-5 / 12)


# --- played from Views ------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("first", SEATS)
@pytest.mark.parametrize("name", [*EXAMPLES, "nim"])
def test_the_policy_knows_every_view_that_a_match_can_show(name: str, first: Seat) -> None:
    """Also where both are asked at once, and either may answer first."""
    game, rng = example(name), Random(3)
    for _ in range(60):
        match = Match(game, first, rng=rng)
        while match.outcome is None:
            for seat in match.asked:
                view = match.view(seat)
                outlook = perfect.solution_of(game, first).policy.look(view)  # type: ignore[union-attr]
                allowed = set(plain.answers(view.question))
                assert set(outlook.chances) == set(outlook.values) == allowed
                assert sum(outlook.chances.values()) == pytest.approx(1)
                assert not outlook.beliefs or sum(outlook.beliefs.values()) == pytest.approx(1)
            seat = rng.choice(match.asked)
            match.play(seat, rng.choice(plain.answers(match.question(seat))))


def test_two_perfect_players_get_the_value_on_average() -> None:
    game, rng = example("kuhn"), Random(4)
    results = []
    for _ in range(2_000):
        match = Match(game, 1, rng=rng)
        while match.outcome is None:
            match.play(match.asked[0], perfect.choose(match.view(match.asked[0]), rng))
        results.append(match.outcome.result(1))
    assert np.mean(results) == pytest.approx(-1 / 18, abs=4 * np.std(results) / 2_000**0.5)


def test_answers_in_kuhn_are_worth_what_books_say() -> None:
    """With the king nobody passes, with the jack nobody calls; who may call with the queen gains
    nothing by it on average."""
    game, rng = example("kuhn"), Random(5)
    policy = solve(game).policy
    seen = set()
    for _ in range(100):
        match = Match(game, 1, rng=rng)
        match.play(1, "bet")
        view = match.view(2)
        card = view.board.facts[1].value  # type: ignore[attr-defined]
        outlook = policy.look(view)
        seen.add(card)
        assert outlook.values["pass"] == pytest.approx(-1)
        if card != 2:
            assert outlook.chances["call"] == pytest.approx(float(card == 3), abs=1e-9)
            assert outlook.values["call"] == pytest.approx(2 if card == 3 else -2)
    assert seen == {1, 2, 3}


SMALL: list[tuple[str, dict[str, Any]]] = [
    ("trap-builder", {"length": 4, "traps": 1}),
    ("secret-paths", {"size": 3, "turn_limit": 3}),
    ("hidden-path", {"length": 3, "traps": 1}),
    ("trap-runner", {"length": 4, "max_step": 2}),
    ("numeric-maze", {"length": 5, "traps": [3], "turn_limit": 6}),
]


@pytest.mark.parametrize(("name", "options"), SMALL)
def test_the_rulebooks_methods_agree_with_the_whole_tree(
    name: str, options: dict[str, Any]
) -> None:
    game = make_game(name, options)
    whole = WholeMethod(game, 1).solve(Request(target=0.0))
    assert whole.exact
    assert whole.value == pytest.approx(solve(game).value, abs=1e-9)
    policy = whole.policy

    def chances(view: View) -> dict[Any, float]:
        return policy.chances(view)

    lower, upper = whole.bounds
    for first in SEATS:  # who moves first as Player 2 sees it in a mirror
        got = plain.best_response(game, first, chances, first=first)
        assert got == pytest.approx(upper, abs=1e-9)
        got = plain.best_response(game, 2 if first == 1 else 1, chances, first=first)
        assert -got == pytest.approx(lower, abs=1e-9)


# --- kept ---------------------------------------------------------------------------------


def test_a_kept_solution_is_proven_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAPLINE_HOME", str(tmp_path))
    game = example("liars_dice")
    made = solved(game)
    assert isinstance(made, WholeSolution)
    again = load(game)
    assert again is not None
    assert again.facts == made.facts
    made.strategies[0][1:] = sequences.uniform(made.form.sides[0])[1:]
    storage.save(made)
    assert load(game) is None


def test_each_seat_that_may_move_first_has_a_file_of_its_own() -> None:
    game = example("kuhn")
    assert storage.path(game, 1) != storage.path(game, 2)
    assert solved(game, first=2).facts.first == 2


# --- limits -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("trap-runner", {"length": 99, "max_step": 4}),
        ("numeric-maze", {"length": 99, "max_step": 9}),
        ("secret-paths", {"size": 9, "turn_limit": 40}),
    ],
)
def test_what_is_too_large_is_refused_at_once(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(TooLarge, match=r"more ways|for ever"):
        WholeMethod(make_game(name, options), 1).solve(Request())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("trap-runner", {"length": 99, "max_step": 4}),
        ("numeric-maze", {"length": 99, "max_step": 9}),
    ],
)
def test_long_games_are_solved_or_refused(name: str, options: dict[str, Any]) -> None:
    with contextlib.suppress(TooLarge):
        assert solve(make_game(name, options), time_limit=math.inf).exact
