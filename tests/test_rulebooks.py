"""Every example and sample of the five rulebooks, replayed.

Where an example breaks its own rules, the test asserts what the rules say, and that the page
of the game lists the erratum.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests import rules
from trapline.core import RecordError
from trapline.games import find_game, make_game
from trapline.referee import Walk, parse_record, replay_answer


def replayed(game: str, moves: list[Any], secrets: dict[str, list[int]] | None = None) -> Any:
    record: dict[str, Any] = {"game": game, "options": {}, "first": 1, "moves": moves}
    if secrets is not None:
        record["secrets"] = secrets
    return replay_answer(json.dumps(record).encode())


def positions(answer: dict[str, Any]) -> list[list[int]]:
    assert answer["ok"], answer
    return [turn["positions"] for turn in answer["turns"]]


def errata(game: str) -> str:
    page = find_game(game).rules()
    section = page.partition("\n## Errata\n")[2].partition("\n## ")[0]
    return " ".join(section.split())


# --- Hidden Path ------------------------------------------------------------------------

HIDDEN_PATH = {"1": [4, 7, 9], "2": [3, 6, 8]}


def test_hidden_path_first_walk_through_with_its_corrections() -> None:
    # As rewritten by the rulebook itself: 2, 3, 1, 2, 2, then 1 for Player 2 from 5 to 6.
    answer = replayed("hidden-path", [2, 3, 1, 2, 2, 1], HIDDEN_PATH)
    # Turn 3 lands on 3, which Player 2 has trapped: Player 1 is back on 0, not on 3, and
    # turn 5 therefore starts from 0. Turn 6 triggers nothing, as the rulebook ends up saying.
    assert positions(answer) == [[2, 0], [2, 3], [0, 3], [0, 5], [2, 5], [2, 6]]
    assert answer["outcome"] is None
    assert "declared wrong by the rulebook itself" in errata("hidden-path")


def test_hidden_path_walk_through_that_calls_itself_correct() -> None:
    answer = replayed("hidden-path", [2, 3, 1, 2, 3, 3, 3, 2], HIDDEN_PATH)
    # The rulebook leaves Player 1 on 3 after turn 3 and sends them back from 6 on turn 5.
    claimed = [[2, 0], [2, 3], [3, 3], [3, 5], [0, 5], [0, 8], [3, 8], [3, 10]]
    by_the_rules = [[2, 0], [2, 3], [0, 3], [0, 5], [3, 5], [3, 8], [0, 8], [0, 10]]
    assert positions(answer) == by_the_rules != claimed
    assert answer["outcome"] == {"winner": 2, "reason": "goal"}
    assert "on turn 3 Player 1 lands on 3, which Player 2 has trapped" in errata("hidden-path")


def test_hidden_path_sample_refuses_a_move_that_is_legal() -> None:
    """The sample says that Player 2 cannot move 3 from step 5, and then makes that move."""
    assert positions(replayed("hidden-path", [2, 3, 1, 2, 3, 3], HIDDEN_PATH))[-1] == [3, 8]
    assert replayed("hidden-path", [2, 3, 1, 2, 3, 3, 3, 3], HIDDEN_PATH)["at"] == 7  # from 8
    assert "cannot move 3 from step 5" in errata("hidden-path")


# --- Trap Builder -----------------------------------------------------------------------

TRAP_BUILDER = {"1": [3, 5, 7], "2": [2, 6, 8]}


def test_trap_builder_example_is_over_after_its_first_move() -> None:
    answer = replayed("trap-builder", [2], TRAP_BUILDER)
    assert positions(answer) == [[2, 10]]
    assert answer["outcome"] == {"winner": 2, "reason": "trap"}
    assert replayed("trap-builder", [2, 1, 1, 3], TRAP_BUILDER)["at"] == 1
    assert "Player 1 loses there and then" in errata("trap-builder")


def test_trap_builder_example_triggers_a_trap_that_is_not_there() -> None:
    """With Player 1 on a safe position instead, Player 2's landing on 6 is harmless."""
    answer = replayed("trap-builder", [1, 1, 2, 3], TRAP_BUILDER)
    assert positions(answer) == [[1, 10], [1, 9], [3, 9], [3, 6]]
    assert answer["outcome"] is None
    assert "Player 1 has none on 6" in errata("trap-builder")


# --- Trap Runner ------------------------------------------------------------------------


def test_trap_runner_examples_one_and_two() -> None:
    moves = [3, 2, "2t", "3t", "3t", "3t", 2]
    answer = replayed("trap-runner", moves)
    # Player 2's attempt on 5 fails on Player 1's trap, as the example says.
    assert positions(answer) == [[3, 0], [3, 2], [5, 2], [5, 5], [8, 5], [8, 8], [10, 8]]
    assert answer["outcome"] == {"winner": 1, "reason": "goal"}
    last = final(moves)
    assert last.traps == (1 << 3 | 1 << 5, 1 << 2)
    assert last.found == (0, 1 << 5)


def test_trap_runner_example_three_repeats_the_end_of_two() -> None:
    assert positions(replayed("trap-runner", [3, 2, "2t", "3t", "3t", 3, 2]))[-1] == [10, 8]
    assert "The third is named after hitting a trap" in errata("trap-runner")


def test_trap_runner_eight_allows_one_and_two() -> None:
    game = make_game("trap-runner")
    state = rules.play(game, 1, {}, 3, 1, 3, "n", 1, "n", 2, "n", 1, "n")
    assert state.positions[0] == 8
    assert rules.legal(game, state) == (1, 2)
    assert "Moves of 1 and 2 are both legal" in errata("trap-runner")


def test_trap_runner_sample_triggers_a_trap_that_cannot_be_there() -> None:
    # Player 1 still stands on 3, so Player 2 lands there safely and goes on from 3, not from 0.
    answer = replayed("trap-runner", [3, 3, "2t", 2, "3t"])
    assert positions(answer) == [[3, 0], [3, 3], [5, 3], [5, 5], [8, 5]]
    claimed_second_move_of_player_2 = [5, 2]
    assert positions(answer)[3] != claimed_second_move_of_player_2
    assert "still standing there" in errata("trap-runner")


def test_trap_runner_sample_refuses_a_trap_on_a_free_square() -> None:
    """From 2 to 5, onto Player 1's trap: a trap on 2 is allowed, also in that very turn."""
    answer = replayed("trap-runner", [3, 2, "2t", 1, "3t"])
    assert answer["ok"]
    # Player 2 on 2 moves to 5 where Player 1 has a trap, and sets one on 2.
    answer = replayed("trap-runner", [3, 2, "2t", "1t", "3t"])
    state = final([3, 2, 2, 1, "3t"])
    assert answer["ok"]
    assert state.positions == (8, 3)
    triggered = final([3, 2, "2t", "1t"])
    assert triggered.returning == (0, 1)
    assert triggered.traps == (1 << 3, 1 << 2)
    assert "square 2 is free" in errata("trap-runner")


def final(moves: list[Any]) -> Any:
    """The state after these turns of Trap Runner."""
    walk = Walk(_record(moves))
    list(walk.steps())
    return walk.state


def _record(moves: list[Any]) -> Any:
    fields = {"game": "trap-runner", "options": {}, "first": 1, "moves": moves}
    return parse_record(json.dumps(fields).encode())


# --- Secret Paths -----------------------------------------------------------------------


def test_secret_paths_example_and_sample() -> None:
    secrets = {"1": [5, 2], "2": [1, 4]}
    answer = replayed("secret-paths", [[4, 2], [3, 3], [2, 4], [1, 4]], secrets)
    assert positions(answer) == [[4, 2], [3, 3], [2, 4], [1, 4]]
    assert answer["outcome"] == {"winner": 2, "reason": "goal"}


# --- Numeric Maze -----------------------------------------------------------------------


def test_numeric_maze_example() -> None:
    moves = [3, 2, 2, 3, 1, 2, 3, 3, 3, 1, 3, 3, 2, 3, 3, 3, 2, 3, 1, 3]
    rounds = [
        [3, 2],
        [0, 0],
        [1, 2],
        [4, 0],
        [7, 1],
        [0, 4],
        [2, 7],
        [0, 0],
        [2, 3],
        [3, 6],
    ]
    assert positions(replayed("numeric-maze", moves))[1::2] == rounds


def test_numeric_maze_sample_up_to_the_traps() -> None:
    assert positions(replayed("numeric-maze", [3, 2, 2, 3])) == [[3, 0], [3, 2], [0, 2], [0, 0]]


def test_numeric_maze_sample_refuses_the_winning_move() -> None:
    """From 17, three spaces reach exactly 20: legal, and won. The sample says 1 or 2 only."""
    to_17 = [3, 1, 3, 1, 3, 1, 3, 1, 2, 2, 3, 1]  # Player 1: 3 6 9 12 14 17
    answer = replayed("numeric-maze", [*to_17, 3])
    assert positions(answer)[-2][0] == 17
    assert answer["outcome"] == {"winner": 1, "reason": "goal"}
    assert "17 plus 3 is exactly 20" in errata("numeric-maze")


def test_numeric_maze_sample_end_from_19() -> None:
    to_19 = [3, 1, 3, 1, 3, 1, 3, 1, 2, 2, 3, 1, 2, 1]
    assert positions(replayed("numeric-maze", [*to_19, 1]))[-1][0] == 20
    assert replayed("numeric-maze", [*to_19, 2])["at"] == len(to_19)


def test_a_record_that_breaks_the_rules_is_named_where_it_does() -> None:
    with pytest.raises(RecordError, match="square 0") as caught:
        final([3, "2t"])
    assert caught.value.at == 1
