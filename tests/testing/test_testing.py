"""The checks find leaks and lapses that the libraries' own checks let pass, and nothing else."""

from __future__ import annotations

from functools import partial
from typing import Any, get_args

import pyspiel
import pytest
from pettingzoo.test import api_test

from tests import worlds
from tests.adapters.outside import ANY_GAME, GOOFSPIEL, KUHN
from tests.testing import cards, kuhn
from trapline.adapters.pettingzoo import env
from trapline.core import CHANCE, TraplineError
from trapline.games import GAMES, find_game, make_game
from trapline.games.hidden_path import HiddenPath
from trapline.testing import (
    LeakFound,
    Played,
    RecallLost,
    assert_no_leak,
    assert_perfect_recall,
    hiding,
)

LEAKS = [leak for choice in get_args(cards.Leak) for leak in get_args(choice)]


# --- OpenSpiel --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kuhn_poker", "python_kuhn_poker"])
def test_the_kuhn_poker_that_comes_with_open_spiel_is_sound(name: str) -> None:
    game = pyspiel.load_game(name)
    report = assert_no_leak(game, kuhn.knows)
    assert report == assert_no_leak(game, hiding(_hidden_card))
    assert report.complete
    assert (report.positions, report.pairs) == (58, 24)
    assert assert_perfect_recall(game).pairs == 12


def _hidden_card(state: Any, action: int, player: int) -> bool:
    """In Kuhn and Leduc poker, the n-th deal is the n-th player's card; a third is for all."""
    dealt = len(state.history())
    return bool(state.is_chance_node()) and dealt < 2 and dealt != player


def test_the_leduc_poker_that_comes_with_open_spiel_is_sound() -> None:
    game = pyspiel.load_game("leduc_poker")
    report = assert_no_leak(game, hiding(_hidden_card))
    assert report.complete
    assert report.pairs > 5_000
    assert assert_perfect_recall(game).complete


@pytest.mark.parametrize(("what", "name"), kuhn.LEAKING.items())
def test_a_kuhn_poker_that_leaks_passes_open_spiels_check_and_not_ours(
    what: str, name: str
) -> None:
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, 20, True, False)
    with pytest.raises(LeakFound) as found:
        assert_no_leak(game, kuhn.knows)
    assert str(found.value).startswith(f"{what}: Player")


def test_a_kuhn_poker_that_forgets_passes_open_spiels_check_and_not_ours() -> None:
    game = pyspiel.load_game(kuhn.FORGETTING)
    pyspiel.random_sim_test(game, 20, True, False)
    with pytest.raises(RecallLost, match="chance: 0, chance: 1, 0: 0, 1: 1"):
        assert_perfect_recall(game)


def test_the_message_shows_both_worlds_and_what_differs() -> None:
    with pytest.raises(LeakFound) as found:
        assert_no_leak(pyspiel.load_game("kuhn_that_shows_both_cards"), kuhn.knows)
    assert str(found.value).splitlines() == [
        "information state: Player 0 is shown what the rules hide.",
        "  One world:      start, chance: 0, chance: 1",
        "  Another world:  start, chance: 0, chance: 2",
        "  May know:       (2, [0], [])",
        "  What differs:",
        "    - p0 card:0 cards:[0, 1]",
        "    + p0 card:0 cards:[0, 2]",
    ]


# --- PettingZoo -------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::UserWarning")  # what PettingZoo warns of is not the point
@pytest.mark.parametrize("leak", LEAKS)
def test_an_environment_that_leaks_passes_pettingzoos_check_and_not_ours(leak: cards.Leak) -> None:
    make = partial(cards.CardGame, leak, render_mode="ansi")
    api_test(make(), num_cycles=50, verbose_progress=False)
    with pytest.raises(LeakFound, match=f"^{leak}: (ann|ben) is shown"):
        assert_no_leak(make, cards.knows)


def test_an_environment_without_a_leak_passes() -> None:
    report = assert_no_leak(partial(cards.CardGame, render_mode="ansi"), cards.knows, budget=200)
    assert report.pairs > 100
    assert not report.complete  # chance comes from the seed


def test_an_environment_whose_observations_forget_is_found_out() -> None:
    """In the card game nobody acts twice; in a race, an observation tells where, but not how."""
    with pytest.raises(RecallLost, match=r"player_\d has the same information"):
        assert_perfect_recall(partial(env, "numeric-maze", length=6, traps=[], first=1), budget=300)


# --- games for this project's referee ---------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ANY_GAME)
def test_games_pass_by_their_own_events_and_forget_nothing(name: str) -> None:
    game = make_game(name, worlds.SMALL[name][0] if name in GAMES else {})
    report = assert_no_leak(game, budget=400)
    assert report.pairs > 20 or not game.hides
    assert_perfect_recall(game, budget=300)


def test_chance_is_searched_and_what_it_deals_in_secret_is_kept() -> None:
    report = assert_no_leak(KUHN)
    assert report.complete
    assert report.pairs > 50
    shown = make_game(ShowsBothCards)
    with pytest.raises(LeakFound, match="Player 1 moves first, chance: 0"):
        assert_no_leak(shown)


class ShowsBothCards(find_game(KUHN)):  # type: ignore[misc]  # found when the test runs
    def board(self, state: Any, seat: Any, over: bool) -> Any:
        return super().board(state, seat, True)


def test_what_is_asked_at_once_may_be_answered_by_either_first() -> None:
    """A game that hides bids from Player 2 only is found out: Player 2 may bid first."""
    with pytest.raises(LeakFound, match="Player 1 is shown"):
        assert_no_leak(make_game(ShowsBidsToOne, {"cards": 2}))


class ShowsBidsToOne(find_game(GOOFSPIEL)):  # type: ignore[misc]  # found when the test runs
    def board(self, state: Any, seat: Any, over: bool) -> Any:
        return super().board(state, 2 if seat == 1 and state.bids[1] else seat, over)


class ShowsAllTraps(HiddenPath):
    def board(self, state: Any, seat: Any, over: bool) -> Any:
        return super().board(state, seat, True)


@pytest.mark.parametrize("options", [{"length": 3, "traps": 1}, {}])
def test_a_leak_is_found_in_a_small_game_and_in_one_too_large_to_search(options: Any) -> None:
    game = ShowsAllTraps(make_game("hidden-path", options).options)  # type: ignore[arg-type]
    with pytest.raises(LeakFound, match="Player"):
        assert_no_leak(game, budget=300)


def test_a_player_who_only_remembers_the_board_is_found_out() -> None:
    def board_alone(played: Played, seat: Any) -> Any:
        game = played.game
        state = game.start(played.first)
        for actor, value in played.steps:
            assert actor != CHANCE
            state = game.apply(state, actor, value)
        return game.board(state, seat, False)

    game = make_game("hidden-path", {"length": 4, "traps": 1, "max_step": 2})
    with pytest.raises(RecallLost, match="another past of their own"):
        assert_perfect_recall(game, board_alone)


# --- what the checks need ---------------------------------------------------------------


def test_what_cannot_be_checked_is_refused_with_a_sentence() -> None:
    with pytest.raises(TraplineError, match="Say what a player may know"):
        assert_no_leak(pyspiel.load_game("kuhn_poker"))
    with pytest.raises(TraplineError, match="not 7"):
        assert_no_leak(7)
    with pytest.raises(TraplineError, match="no game called 'chess'"):
        assert_no_leak("chess")


def test_ended_matches_are_compared_when_asked_for() -> None:
    """Kuhn poker's players are not shown a folded card; our referee lays open everything."""
    kuhn_poker = pyspiel.load_game("kuhn_poker")
    more = assert_no_leak(kuhn_poker, kuhn.knows, ended=True).pairs
    assert more > assert_no_leak(kuhn_poker, kuhn.knows).pairs
    game = make_game("trap-builder", {"length": 4, "traps": 1})
    assert_no_leak(game)
    with pytest.raises(LeakFound, match="is shown what the rules hide"):
        assert_no_leak(game, ended=True)


def test_a_seed_repeats_the_samples() -> None:
    game = make_game("trap-runner")
    one, two = (assert_no_leak(game, budget=60, seed=4) for _ in range(2))
    assert one == two
    assert not one.complete
