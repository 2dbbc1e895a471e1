"""Each ruling on its own, so that whoever changes one sees which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.rules import Secrets, answer, chosen, hides_secrets, legal, play, start
from trapline.core import (
    GOAL,
    TRAP,
    TURN_LIMIT,
    IllegalMove,
    InvalidMove,
    Moved,
    OptionsError,
    Outcome,
    Returned,
    SecretError,
    Triggered,
    drawn,
    other,
    won,
)
from trapline.games import GAMES, make_game
from trapline.games.trap_runner.game import State as RunnerState
from trapline.games.trap_runner.words import WALLED_OFF
from trapline.referee import Match

if TYPE_CHECKING:
    from trapline.core import Seat

REACHED_GOAL = {seat: won(seat, GOAL) for seat in (1, 2)}
TRAPPED: dict[Seat, Outcome] = {seat: won(other(seat), TRAP) for seat in (1, 2)}


# --- common -----------------------------------------------------------------------------


def test_who_moves_first_unless_told_otherwise() -> None:
    defaults = {name: game.default_first for name, game in GAMES.items()}
    assert defaults == {
        "hidden-path": "toss",
        "trap-builder": 1,
        "trap-runner": 1,
        "secret-paths": "toss",
        "numeric-maze": "toss",
    }


def test_the_toss_is_fair() -> None:
    game = make_game("numeric-maze")
    firsts = [Match(game).first for _ in range(2000)]
    assert 860 < firsts.count(1) < 1140  # six standard deviations


@pytest.mark.parametrize("name", ["hidden-path", "trap-runner", "numeric-maze"])
def test_a_move_beyond_the_end_is_refused_not_clamped(name: str) -> None:
    game = make_game(name, {"length": 4, "traps": []} if name == "numeric-maze" else {"length": 4})
    secrets: Secrets = {1: (1, 2, 3), 2: (1, 2, 4)} if hides_secrets(game) else {}
    state = play(game, 1, secrets, 3, 1)
    with pytest.raises(IllegalMove, match="beyond"):
        answer(game, state, 2)


@pytest.mark.parametrize("name", ["trap-runner", "secret-paths", "numeric-maze"])
def test_reaching_the_turn_limit_is_a_draw_with_that_reason(name: str) -> None:
    short: dict[str, dict[str, Any]] = {
        "trap-runner": {"length": 3},
        "secret-paths": {"size": 3},
        "numeric-maze": {"length": 3, "traps": []},
    }
    game = make_game(name, {**short[name], "turn_limit": 2})
    cells: tuple[Any, Any] = ((2, 1), (2, 2))
    moves = cells if name == "secret-paths" else (1, 1)
    state = play(game, 1, {1: (3, 1), 2: (1, 1)} if hides_secrets(game) else {}, *moves)
    assert state.outcome == drawn(TURN_LIMIT)


def test_a_win_on_the_last_turn_is_a_win() -> None:
    game = make_game("numeric-maze", {"length": 3, "traps": [], "turn_limit": 1})
    assert play(game, 1, {}, 3).outcome == REACHED_GOAL[1]


def test_no_limit_means_none() -> None:
    game = make_game("numeric-maze", {"length": 4, "traps": [2], "max_step": 2, "turn_limit": 0})
    state = game.start(1)
    for _ in range(1000):
        state = answer(game, state, 2)  # onto the trap, again and again
    assert state.outcome is None


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("trap-builder", {"max_step": 1}, "block each other"),
        ("trap-builder", {"traps": 10}, "more than the 9 positions"),
        ("hidden-path", {"traps": 11}, "more than the 10 steps"),
        ("hidden-path", {"traps": 10, "goal_traps": False}, "more than the 9 steps"),
        ("hidden-path", {"walls": False, "max_step": 1}, "side by side"),
        ("hidden-path", {"walls": False, "max_step": 2, "traps": 6}, "side by side"),
        ("secret-paths", {"size": 4}, "odd number from 3 to 9"),
        ("secret-paths", {"size": 11}, "odd number from 3 to 9"),
        ("numeric-maze", {"traps": [20]}, "from 1 to 19"),
        ("numeric-maze", {"traps": [0]}, "from 1 to 19"),
        ("numeric-maze", {"traps": [5, 5]}, "different"),
        ("numeric-maze", {"traps": [5, 6, 7]}, "must leave a way"),
        ("numeric-maze", {"length": 2, "traps": [1], "max_step": 1}, "must leave a way"),
        ("numeric-maze", {"traps": "5,x"}, "separated by commas"),
        ("trap-runner", {"turn_limit": -1}, "from 0"),
        ("trap-runner", {"turn_limit": 6}, "at least 7 turns"),
        ("numeric-maze", {"turn_limit": 12}, "at least 13 turns"),
        ("secret-paths", {"turn_limit": 1}, "at least 2 turns"),
        ("trap-runner", {"speed": 3}, "has no option 'speed'"),
        ("chess", {}, "There is no game called 'chess'"),
    ],
)
def test_options_that_make_no_game_get_a_clear_sentence(
    name: str, options: dict[str, object], words: str
) -> None:
    with pytest.raises(OptionsError, match=words):
        make_game(name, options)


def test_options_from_a_command_line_are_text() -> None:
    game = make_game("numeric-maze", {"traps": "4, 8", "length": "12"}, from_text=True)
    assert game.options == make_game("numeric-maze", {"traps": [4, 8], "length": 12}).options
    assert make_game("hidden-path", {"walls": "false"}, from_text=True).options.walls is False  # type: ignore[attr-defined]


# --- Hidden Path ------------------------------------------------------------------------


def test_a_trapped_goal_sends_back_once_and_then_lets_through() -> None:
    game = make_game("hidden-path", {"length": 3, "traps": 1})
    secrets: Secrets = {1: (1,), 2: (3,)}
    state = play(game, 1, secrets, 3)
    assert (state.outcome, state.positions) == (None, (0, 0))
    state = answer(game, answer(game, state, 2), 3)
    assert state.outcome == REACHED_GOAL[1]


def test_goal_traps_can_be_forbidden() -> None:
    game = make_game("hidden-path", {"goal_traps": False})
    with pytest.raises(SecretError, match="from 1 to 9"):
        chosen(game, 1, [4, 7, 10])
    assert chosen(make_game("hidden-path"), 1, [10, 4, 7]) == (4, 7, 10)


def test_a_sprung_trap_is_known_to_both_and_safe_afterwards() -> None:
    match = Match(make_game("hidden-path"), 1)
    match.play(1, [4, 7, 9])
    match.play(2, [2, 6, 8])
    match.play(1, 2)
    assert match.view(2).events == (Moved(1, 0, 2), Triggered(1, 2), Returned(1))
    for viewer in (1, 2, None):
        shown = [trap for trap in match.view(viewer).board.traps if trap.sprung]  # type: ignore[attr-defined]
        assert [(trap.at, trap.owner, trap.live) for trap in shown] == [(2, 2, False)]
    match.play(2, 1)
    match.play(1, 2)
    assert match.view(1).board.positions == (2, 1)  # type: ignore[attr-defined]


def test_both_may_stand_on_the_same_step_and_own_traps_are_harmless() -> None:
    game = make_game("hidden-path")
    state = play(game, 1, {1: (1, 2, 3), 2: (4, 5, 6)}, 3, 3)
    assert state.positions == (3, 0)  # Player 2 met Player 1's trap on 3; Player 1 did not


def test_the_same_step_trapped_by_both_is_two_traps() -> None:
    game = make_game("hidden-path", {"traps": 1})
    state = play(game, 1, {1: (2,), 2: (2,)}, 2, 2)
    assert state.positions == (0, 0)
    assert state.sprung == (1 << 2, 1 << 2)


# --- Trap Builder -----------------------------------------------------------------------


def test_landing_on_a_trap_loses_at_once_and_passing_does_not() -> None:
    game = make_game("trap-builder")
    secrets: Secrets = {1: (3, 5, 7), 2: (2, 6, 8)}
    assert play(game, 1, secrets, 2).outcome == TRAPPED[1]
    assert play(game, 1, secrets, 3).outcome is None
    assert play(game, 1, secrets, 3, 3).outcome == TRAPPED[2]


def test_passing_stops_and_loses_on_the_first_trap_on_the_way() -> None:
    game = make_game("trap-builder", {"trigger": "passing"})
    state = play(game, 1, {1: (3, 5, 7), 2: (1, 2, 8)}, 3)
    assert (state.outcome, state.positions) == (TRAPPED[1], (1, 10))
    state = play(game, 2, {1: (8, 5, 9), 2: (1, 2, 8)}, 3)
    assert (state.outcome, state.positions) == (TRAPPED[2], (0, 9))


def test_nobody_lands_on_the_other_but_passing_is_possible() -> None:
    game = make_game("trap-builder", {"length": 4, "traps": 1})
    state = play(game, 1, {1: (1,), 2: (2,)}, 1, 1)  # on 1 and 3
    assert legal(game, state) == (1, 3)
    with pytest.raises(IllegalMove, match="Position 3 is taken"):
        answer(game, state, 2)
    assert answer(game, state, 3).outcome == REACHED_GOAL[1]


def test_the_goal_is_blocked_while_the_other_stands_on_it() -> None:
    game = make_game("trap-builder", {"length": 3, "traps": 1})
    assert legal(game, start(game, 1, {1: (1,), 2: (1,)})) == (1, 2)


def test_only_the_triggered_trap_is_shown_as_sprung() -> None:
    match = Match(make_game("trap-builder"), 1)
    match.play(1, [3, 5, 7])
    match.play(2, [2, 6, 8])
    match.play(1, 2)
    board = match.view(None).board
    assert [(trap.owner, trap.at) for trap in board.traps if trap.sprung] == [(2, 2)]  # type: ignore[attr-defined]
    assert len(board.traps) == 6  # type: ignore[attr-defined]


@pytest.mark.parametrize("trigger", ["landing", "passing"])
@pytest.mark.parametrize("max_step", [2, 3, 4])
def test_nobody_is_ever_without_a_move(trigger: str, max_step: int) -> None:
    for length in range(2, 9):
        options = {"length": length, "traps": 1, "max_step": max_step, "trigger": trigger}
        game = make_game("trap-builder", options)
        for first in (1, 2):
            layer = {start(game, first, {1: (1,), 2: (1,)})}
            while layer:
                running = [state for state in layer if state.outcome is None]
                assert all(legal(game, state) for state in running)
                layer = {answer(game, s, m) for s in running for m in legal(game, s)}


# --- Trap Runner ------------------------------------------------------------------------


def test_no_trap_on_zero_none_twice_and_none_after_winning() -> None:
    game = make_game("trap-runner", {"length": 4})
    state = play(game, 1, {}, 1)
    assert state.turn == 1  # leaving 0 asks nothing
    state = play(game, 1, {}, 1, 1, 3)
    assert state.outcome == REACHED_GOAL[1]
    with pytest.raises(IllegalMove, match="after the winning move"):
        answer(game, state, "t")


def test_a_square_with_ones_own_trap_is_not_offered_again() -> None:
    game = make_game("trap-runner")
    sent_back = play(game, 1, {}, 1, 3, 1, "t", 3, "t", 1, "n", 1, "n")
    assert sent_back.returning == (1, 0)
    on_own_trap = answer(game, answer(game, answer(game, sent_back, 1), 1), "n")
    assert on_own_trap.positions[0] == 1
    assert on_own_trap.traps[0] == 1 << 1
    asked_all_the_same = answer(game, on_own_trap, 1)
    assert asked_all_the_same.turn == on_own_trap.turn
    assert legal(game, asked_all_the_same) == ("n",)
    with pytest.raises(IllegalMove, match="already have a trap"):
        answer(game, asked_all_the_same, "t")
    assert answer(game, asked_all_the_same, "n").turn == on_own_trap.turn + 1


def test_trapping_a_square_does_not_catch_who_already_stands_there() -> None:
    game = make_game("trap-runner")
    state = play(game, 1, {}, 3, 3, 2, "t")
    assert state.traps[0] == 1 << 3
    assert state.returning == (0, 0)
    assert legal(game, state) == (1, 2, 3)
    assert answer(game, state, 1).step == 1


def test_a_caught_player_stays_until_the_next_turn_and_moves_from_zero() -> None:
    game = make_game("trap-runner")
    state = play(game, 1, {}, 3, 2, 2, "t", 1, "n", 1, "n")
    assert state.positions == (6, 3)
    assert state.returning == (0, 1)
    state = answer(game, state, 2)
    assert state.positions == (6, 2)
    assert state.returning == (0, 0)
    assert state.turn == 6  # moving from 0 asks no trap question


def test_a_caught_player_may_still_set_a_trap_in_that_turn() -> None:
    game = make_game("trap-runner")
    state = play(game, 1, {}, 3, 2, 2, "t", 1, "t")
    assert state.returning == (0, 1)
    assert state.traps == (1 << 3, 1 << 2)


def test_traps_stay_and_act_again() -> None:
    game = make_game("trap-runner")
    state = play(game, 1, {}, 3, 2, 2, "t", 1, "n", 1, "n", 3, 1, "n")
    assert state.returning == (0, 1)
    assert state.traps[0] == 1 << 3


def test_an_attempt_on_the_others_trap_fails_and_changes_nothing_else() -> None:
    game = make_game("trap-runner")
    state = play(game, 1, {}, 3, 3, 2, "t", 2, "t")
    assert state.traps == (1 << 3, 0)
    assert state.found == (0, 1 << 3)


def runner_state(positions: tuple[int, int], traps: tuple[int, int]) -> RunnerState:
    none = (0, 0)
    return RunnerState(1, 10, None, positions, none, traps, none, none, 0, none, none)


def wall(*squares: int) -> int:
    return sum(1 << square for square in squares)


def test_when_both_paths_are_walled_off_the_game_is_drawn_at_once() -> None:
    """No game reaches this (see the counts), so the positions are made by hand."""
    game = make_game("trap-runner")
    both = runner_state((1, 1), (wall(4, 5, 6), wall(4, 5, 6)))
    assert answer(game, answer(game, both, 1), "n").outcome == drawn(WALLED_OFF)
    one = runner_state((1, 1), (wall(4, 5, 6), wall(4, 6, 8)))
    assert answer(game, answer(game, one, 1), "n").outcome is None
    passed = runner_state((1, 7), (wall(4, 5, 6), wall(4, 5, 6)))
    assert answer(game, answer(game, passed, 1), "n").outcome is None


def test_whoever_is_going_back_has_every_wall_ahead() -> None:
    game = make_game("trap-runner")
    state = runner_state((7, 1), (wall(4, 5, 6), wall(4, 5, 6, 8)))
    landed = answer(game, answer(game, state, 1), "n")  # Player 1 lands on the trap on 8
    assert landed.returning == (1, 0)
    assert landed.outcome == drawn(WALLED_OFF)


# --- Secret Paths -----------------------------------------------------------------------


def test_goal_cells_lie_in_the_players_own_rows() -> None:
    game = make_game("secret-paths")
    assert chosen(game, 1, [5, 1]) == (5, 1)
    assert chosen(game, 2, [1, 5]) == (1, 5)
    for seat, cell in ((1, [1, 1]), (2, [5, 1]), (1, [5, 6]), (1, [5, 0])):
        with pytest.raises(SecretError, match="cannot be your Goal Cell"):
            chosen(game, seat, cell)  # type: ignore[arg-type]
    for nonsense in ([5], [5, 1, 1], "51", None, [5.0, 1], [True, 1]):
        with pytest.raises(InvalidMove, match="is not a Goal Cell"):
            chosen(game, 1, nonsense)


def test_the_others_goal_neither_wins_nor_loses() -> None:
    game = make_game("secret-paths")
    state = play(game, 1, {1: (5, 1), 2: (1, 3)}, (2, 3), (2, 2), (1, 3))
    assert state.outcome is None
    assert play(game, 2, {1: (5, 1), 2: (1, 3)}, (2, 3), (2, 2), (1, 3)).outcome == REACHED_GOAL[2]


def test_the_seeker_never_stays_and_never_leaves_the_grid() -> None:
    game = make_game("secret-paths", {"size": 3})
    state = play(game, 1, {1: (3, 3), 2: (1, 3)}, (1, 1))
    assert legal(game, state) == ((1, 2), (2, 1), (2, 2))
    with pytest.raises(IllegalMove, match="must move to another"):
        answer(game, state, (1, 1))
    with pytest.raises(IllegalMove, match="not on the grid"):
        answer(game, state, (0, 1))
    with pytest.raises(IllegalMove, match="not next to"):
        answer(game, state, (3, 3))


# --- Numeric Maze -----------------------------------------------------------------------


def test_public_traps_act_on_both_for_ever_and_squares_are_shared() -> None:
    game = make_game("numeric-maze")
    state = play(game, 1, {}, 3, 3, 2, 2, 3, 3, 2, 2)
    assert state.positions == (0, 0)
    assert play(game, 1, {}, 3, 3).positions == (3, 3)
    traps = game.board(state, None, False).traps  # type: ignore[attr-defined]
    assert [(trap.at, trap.owner, trap.live) for trap in traps] == [
        (5, None, True),
        (10, None, True),
        (15, None, True),
    ]


def test_seventeen_plus_three_wins() -> None:
    game = make_game("numeric-maze", {"traps": []})
    state = play(game, 1, {}, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 2, 1)
    assert state.positions[0] == 17
    assert answer(game, state, 3).outcome == REACHED_GOAL[1]
