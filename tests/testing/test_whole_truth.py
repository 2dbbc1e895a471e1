"""The search for leaks gives no false assurance: what it did not look at, it does not pass."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pyspiel
import pytest
from pettingzoo.classic.rlcard_envs import texas_holdem
from pettingzoo.classic.tictactoe import tictactoe

from tests.testing import dealers, kuhn
from trapline.core import TraplineError
from trapline.testing import LeakFound, NothingCompared, assert_no_leak
from trapline.testing.search import PLAYED
from trapline.worlds import subject_of
from trapline.worlds.values import difference, frozen

# --- chance that comes from a seed ------------------------------------------------------


class TellingHoldem(texas_holdem.raw_env):  # type: ignore[misc]  # PettingZoo has no types
    def reset(self, seed: int | None = None, options: Any = None) -> None:
        super().reset(seed=seed, options=options)
        one, two = (tuple(map(str, player.hand)) for player in self.env.game.players)
        self.infos = {"player_0": {"theirs": two}, "player_1": {"theirs": one}}


def knows_hand(episode: Any, agent: str) -> Any:
    game = episode.env.env.game
    hand = game.players[episode.env.possible_agents.index(agent)].hand
    begins = episode.steps[0][0] if episode.steps else episode.env.agent_selection
    return sorted(map(str, hand)), list(map(str, game.public_cards)), begins, episode.steps


def test_holdem_whose_infos_hold_the_rivals_cards_is_found_out() -> None:
    with pytest.raises(LeakFound, match=r"infos: player_\d is shown") as found:
        assert_no_leak(TellingHoldem, knows_hand, budget=600)
    assert "infos['theirs'][0] is" in str(found.value)


class HoldemThatTellsWhoeverAsks(texas_holdem.raw_env):  # type: ignore[misc]
    """Its fields hold nothing; whoever asks by `last`, as agents do, is given more."""

    def last(self, observe: bool = True) -> Any:
        *others, info = super().last(observe)
        theirs = self.env.game.players[1 - self._name_to_int(self.agent_selection)].hand
        return *others, {**info, "theirs": tuple(map(str, theirs))}


def test_what_agents_are_given_by_last_is_compared() -> None:
    with pytest.raises(LeakFound, match=r"last: player_\d is shown") as found:
        assert_no_leak(HoldemThatTellsWhoeverAsks, knows_hand, budget=600)
    assert "last[4]['theirs'][0] is" in str(found.value)


def test_holdem_as_it_comes_is_compared_and_passes() -> None:
    report = assert_no_leak(texas_holdem.raw_env, knows_hand, budget=400)
    assert report.pairs > 0
    assert not report.complete


def test_a_leak_in_one_deal_of_thirty_is_found() -> None:
    def hint(cards: dict[str, int], agent: str) -> Any:
        return dealers.rivals(cards, agent) if cards[agent] == 17 else None

    with pytest.raises(LeakFound, match="infos"):
        assert_no_leak(partial(dealers.Dealer, hint, deck=30), dealers.knows, budget=4_000)


def test_what_a_seed_decides_is_never_searched_completely() -> None:
    report = assert_no_leak(dealers.Dealer, dealers.knows, budget=300)
    assert report.pairs > 20
    assert not report.complete


def test_where_no_seed_makes_a_difference_one_is_all_there_is() -> None:
    report = assert_no_leak(partial(dealers.Dealer, deck=1), dealers.knows, budget=300)
    assert report.complete
    assert report.positions == 7


def test_no_pair_to_compare_is_a_failure() -> None:
    with pytest.raises(NothingCompared, match="nothing was compared"):
        assert_no_leak(partial(dealers.Dealer, deck=10**9), dealers.knows, budget=60)


def test_a_player_who_may_know_everything_in_a_game_that_hides_something_is_a_failure() -> None:
    """All positions are searched, and no leak could be found whatever was shown."""
    leaking = pyspiel.load_game(kuhn.LEAKING["information state"])
    with pytest.raises(NothingCompared, match="can tell all 58 positions apart"):
        assert_no_leak(leaking, lambda state, _: state.history_str())


def test_what_all_choose_at_once_may_be_all_that_is_hidden() -> None:
    pennies = pyspiel.load_game("matching_pennies_3p")
    assert assert_no_leak(pennies, lambda state, _: state.history_str()).complete


# --- what it costs ----------------------------------------------------------------------


def test_positions_are_copied_and_not_played_again() -> None:
    dealers.Dealer.steps_taken = 0
    report = assert_no_leak(partial(dealers.Dealer, deck=1, rounds=4), dealers.knows, budget=600)
    assert report.complete
    other_seeds = 2 * PLAYED * 8  # that each goes the same way is looked at as well
    assert dealers.Dealer.steps_taken < 1.1 * report.positions + other_seeds


def test_an_environment_whose_copies_would_begin_anew_is_copied_all_the_same() -> None:
    """Python's own copy of most of PettingZoo's environments is a new one at its start."""
    start = next(subject_of(tictactoe.env).starts())
    assert start.after(0).after(1).after(4).actions() == [2, 3, 5, 6, 7, 8]
    assert start.actions() == list(range(9))


# --- what counts as a difference --------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "two", "said"),
    [
        (1, 1.0, "the type of infos is 'int', and 'float' in the other world"),
        (1, True, "the type of infos is 'int', and 'bool' in the other world"),
        ([1, 2], [2, 1], "infos[0] is 1, and 2 in the other world"),
        ([1], [1, 0], "the length of infos is 1, and 2 in the other world"),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, "the order of infos is ['a', 'b'], and ['b', 'a']"),
        ({"a": [0, 7]}, {"a": [0, 8]}, "infos['a'][1] is 7, and 8 in the other world"),
        ({"a": 1}, {}, "infos['a'] is 1, and missing in the other world"),
        (np.array([[0, 1]]), np.array([[0, 2]]), "infos[0][1] is 1, and 2 in the other world"),
        ([0.0] * 500, [0.0] * 499 + [0.5], "infos[499] is 0.0, and 0.5 in the other world"),
        (np.zeros(2, np.int8), np.zeros(2, np.int16), "the type of infos is 'int8', and 'int16'"),
        ((1,), [1], "the type of infos is 'tuple', and 'list' in the other world"),
    ],
)
def test_every_difference_counts_and_is_named(one: Any, two: Any, said: str) -> None:
    assert frozen(one) != frozen(two)
    assert difference(one, two, "infos")[0].startswith(said)


@pytest.mark.parametrize(
    "hint",
    [
        lambda cards, agent: [1, 1.0, True][dealers.rivals(cards, agent)],
        lambda cards, agent: [0] * dealers.rivals(cards, agent),
        lambda cards, agent: dict.fromkeys("abc"[dealers.rivals(cards, agent) :] + "abc"),
    ],
    ids=["type", "length", "order"],
)
def test_a_leak_by_type_length_or_order_is_found(hint: Any) -> None:
    with pytest.raises(LeakFound, match="infos"):
        assert_no_leak(partial(dealers.Dealer, hint), dealers.knows, budget=300)


# --- every kind of environment ----------------------------------------------------------

KINDS = [
    (dealers.Dealer, partial(dealers.Dealer, dealers.rivals), dealers.knows),
    (dealers.AtOnce, partial(dealers.AtOnce, dealers.rivals), dealers.knows),
    (dealers.Guess, partial(dealers.Guess, leak=True), dealers.knows_guesses),
    (dealers.Whisper, partial(dealers.Whisper, leak=True), dealers.knows_card),
]


@pytest.mark.parametrize(("sound", "leaking", "knows"), KINDS)
def test_every_kind_of_environment_is_a_subject(sound: Any, leaking: Any, knows: Any) -> None:
    assert assert_no_leak(sound, knows, budget=150).pairs > 10
    with pytest.raises(LeakFound):
        assert_no_leak(leaking, knows, budget=150)


def test_what_is_no_environment_gets_a_sentence() -> None:
    with pytest.raises(TraplineError, match="dict is no environment of PettingZoo"):
        assert_no_leak(dict, dealers.knows)


# --- a live leak ------------------------------------------------------------------------


def own_attempts(state: Any, player: int) -> Any:
    """In dark hex, what one has tried, and what one saw; others look at their own turns only."""
    tried = [step.action for step in state.full_history() if step.player == player]
    at = None if state.current_player() == player else state.history()
    return tried, state.observation_string(player), at


def test_dark_hex_tells_a_player_how_often_the_other_failed() -> None:
    """OpenSpiel 2.0.2: the length of the history stands in the information state string."""
    game = pyspiel.load_game("dark_hex(board_size=2)")
    with pytest.raises(LeakFound, match=r"^information state: Player 0 is shown") as found:
        assert_no_leak(game, own_attempts)
    assert "start, 0: 0, 1: 1" in str(found.value)
    assert "start, 0: 0, 1: 0, 1: 1" in str(found.value)
