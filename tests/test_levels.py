"""Levels that feel human: even strengths, one that fits the learner, wins taken, draws agreed."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from trapline.coach.offers import accepts_draw, takes_draw
from trapline.contest import next_asked, play_out
from trapline.core import SEATS, OptionsError, Outcome, other
from trapline.games import GAMES, make_game
from trapline.players import PLAYERS, find_player, is_player, strength_of
from trapline.players.learner import BEGINNER, Result, as_strong, results, strength
from trapline.players.worlds import sample
from trapline.referee import Match, Player, Record
from trapline.terminal.saves import Saves
from trapline.terminal.series import make_players, new_match, rematch, rival_named

if TYPE_CHECKING:
    from pathlib import Path

    from trapline.core import Seat


# --- strengths ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "strong"),
    [("random", 0), ("casual", 20), ("perfect", 100), ("strength:0", 0), ("strength:100", 100),
     ("strength:101", None), ("strength:-1", None), ("strength:", None), ("strength:x", None),
     ("strength:²", None), ("sharp", None), ("Ann", None)],
)  # fmt: skip
def test_strengths_have_names(name: str, strong: int | None) -> None:
    assert strength_of(name) == strong
    assert is_player(name) == (strong is not None or name == "sharp")


def test_a_strength_beyond_the_scale_is_refused_with_a_sentence() -> None:
    with pytest.raises(OptionsError, match=r"strength:N for any strength\s+from 0 to 100"):
        find_player("strength:101")


def test_whoever_is_stronger_scores_more() -> None:
    """Against best play, which leaves nothing to luck here but who moves first."""
    scores = [score("numeric-maze", level, "perfect", 240) for level in LADDER]
    assert scores == sorted(scores)
    steps = [after - before for before, after in pairwise(scores[1:])]
    assert all(0.1 < step < 0.4 for step in steps), steps  # even, from casual upwards


def test_there_is_room_above_casual_where_a_race_decides() -> None:
    """A friend who is ahead takes the time to leave traps, and that can cost a won race."""
    assert 0.25 < score("trap-runner", "perfect", "casual", 240) < 0.65


def test_steps_are_even_where_a_few_right_answers_win() -> None:
    steps = [score("trap-runner", better, worse, 1_000) for worse, better in pairwise(LADDER[1:])]
    assert all(0.07 < step < 0.25 for step in steps), steps


LADDER = ["random", "casual", "keen", "expert", "perfect"]


def score(name: str, one: str, two: str, matches: int) -> float:
    rng, total = Random(f"{name} {one} {two}"), 0.0
    choose = {level: find_player(level).choose for level in (one, two)}
    for number in range(matches):
        seat: Seat = 1 if number % 2 else 2
        match = Match(make_game(name), 1 if number % 4 < 2 else 2, rng=rng)
        play_out(match, {seat: choose[one], other(seat): choose[two]}, lambda _view: rng)
        assert match.outcome is not None
        total += match.outcome.result(seat)
    return total / matches


# --- the learner's own --------------------------------------------------------------------


def test_a_learner_of_whom_nothing_is_known_meets_a_beginners_level() -> None:
    assert strength([]) == BEGINNER


def test_wins_raise_and_losses_lower_the_level() -> None:
    won = [strength([Result(50, 1.0)] * count) for count in range(8)]
    lost = [strength([Result(20, 0.0)] * count) for count in range(8)]
    assert won == sorted(won)
    assert lost == sorted(lost, reverse=True)
    assert won[-1] > 45
    assert lost[-1] < 15
    assert strength([Result(30, 0.5)] * 20) == pytest.approx(30, abs=2)


def test_later_results_count_more() -> None:
    better = [Result(40, 0.0)] * 6 + [Result(40, 1.0)] * 6
    assert strength(better) > strength(better[::-1])


@pytest.mark.parametrize("true", [10, 45, 80])
def test_a_level_finds_the_learners_strength(true: int) -> None:
    """Real matches: the learner is a player of some strength, and meets `equal` each time."""
    past: list[Result] = []
    rng, met = Random(f"learner {true}"), []
    game = make_game("numeric-maze")
    for number in range(60):
        level = strength(past)
        seat: Seat = 1 if number % 2 else 2
        match = Match(game, 1 if number % 4 < 2 else 2, rng=rng)
        players = {seat: find_player(f"strength:{true}").choose}
        players[other(seat)] = find_player(f"strength:{level}").choose
        play_out(match, players, lambda _view: rng)
        assert match.outcome is not None
        past.append(Result(level, (1 + match.outcome.result(seat)) / 2))
        met.append(level)
    assert sum(met[20:]) / len(met[20:]) == pytest.approx(true, abs=20)


def record(game: str, bot: str | None, winner: Seat | None, started: str) -> Record:
    return Record(
        game=game, options={}, first=1, started=started, result=Outcome(winner, "goal"),
        players={"1": Player("Ann"), "2": Player(bot or "Bob", bot=bot)},
    )  # fmt: skip


def test_only_results_that_tell_something_are_counted() -> None:
    records = [
        record("numeric-maze", "casual", 1, "3"),
        record("numeric-maze", "strength:70", 2, "1"),
        record("numeric-maze", "perfect", None, "2"),
        record("numeric-maze", "sharp", 1, "4"),  # how strong that is depends on the game
        record("numeric-maze", None, 1, "5"),
        record("trap-runner", "casual", 1, "6"),
    ]
    past = results(records, "numeric-maze")
    assert past == [Result(70, 0.0), Result(100, 0.5), Result(20, 1.0)]
    assert as_strong(records, "numeric-maze") == f"strength:{strength(past)}"


def test_equal_at_the_terminal_is_a_strength_that_the_record_holds(home: Path) -> None:
    game, saves = make_game("numeric-maze"), Saves()
    for _ in range(3):
        rival = rival_named("equal", game, saves)
        match = new_match(game, make_players("Ann", rival), 1, 1, None)
        match.resign(2)
        saves.save(match)
    bots = [kept.players["2"].bot or "" for kept in saves.all()]
    strengths = [strength_of(bot) or 0 for bot in reversed(bots)]
    assert strengths == sorted(strengths)
    assert strengths[0] == BEGINNER < strengths[-1]
    assert rival_named("casual", game, saves) == "casual"
    done = subprocess.run(
        [sys.executable, "-m", "trapline", "play", "numeric-maze", "--vs", "equal"],
        input="quit\n", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "against equal: strength " in done.stdout, done.stderr


def test_a_rematch_against_equal_is_as_strong_as_the_learner_is_then(home: Path) -> None:
    game, saves = make_game("numeric-maze"), Saves()
    match = new_match(game, make_players("Ann", rival_named("equal", game, saves)), 1, 1, None)
    met = []
    for _ in range(3):
        learner = next(seat for seat, player in match.players.items() if player.bot is None)
        met.append(strength_of(match.players[other(learner)].bot or "") or 0)
        match.resign(other(learner))
        saves.save(match)
        match = rematch(match, saves)
    assert met[0] < met[1] < met[2]
    chosen = new_match(game, make_players("Ann", "strength:30"), 1, 1, None)
    chosen.resign(2)
    saves.save(chosen)
    assert rematch(chosen, saves).players[1].bot == "strength:30"


# --- wins and draws -------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_sharp_takes_a_win_that_lies_before_it(name: str) -> None:
    """Wherever some answer wins at once in every world that fits, one of these is given."""
    rng, game, tried = Random(f"win {name}"), make_game(name), 0
    for _ in range(400):
        match = Match(game, rng.choice(SEATS), rng=rng)
        while (seat := next_asked(match)) is not None:
            view = match.view(seat)
            winning = winners(match, seat, rng)
            if winning:
                assert PLAYERS["sharp"].choose(view, rng) in winning
                tried += 1
                break
            match.play(seat, PLAYERS["random"].choose(view, rng))
        if tried == 5:
            return
    assert tried


def winners(match: Match, seat: Seat, rng: Random) -> set[Any]:
    """Answers that win at once, whatever is hidden."""
    view = match.view(seat)
    question = view.question
    if question is None or question.choose or question.forced:
        return set()
    worlds = [sample(view, rng) for _ in range(12)]
    return {
        answer
        for answer in question.legal
        if all(_wins(match, world, seat, question.value(answer)) for world in worlds)
    }


def _wins(match: Match, world: Any, seat: Seat, value: int) -> bool:
    outcome = match.game.apply(world, seat, value).outcome if world is not None else None
    return outcome is not None and outcome.winner == seat


def test_a_computer_agrees_to_a_draw_where_the_game_is_drawn() -> None:
    match = Match(make_game("secret-paths"), 1)
    match.play(1, (5, 3))
    match.play(2, (1, 3))
    assert accepts_draw(match, 2)
    match.play(1, (3, 2))
    match.play(2, (2, 2))  # next to Player 2's own row, and two from Player 1's
    assert accepts_draw(match, 2)
    match.play(1, (3, 3))
    match.play(2, (4, 3))  # next to Player 1's row: now Player 1 may win
    assert not accepts_draw(match, 2)


def test_a_computer_that_is_asked_takes_the_offer_where_the_game_is_drawn() -> None:
    match = Match(make_game("secret-paths"), 1)
    match.play(1, (5, 3))
    match.play(2, (1, 3))
    assert not takes_draw(match.view(1)), "nobody has offered one"
    match.offer_draw(1)
    assert not takes_draw(match.view(1)), "it is the own one"
    match.play(1, (3, 2))
    assert takes_draw(match.view(2))


def test_no_draw_where_somebody_wins_or_nothing_is_known() -> None:
    assert not accepts_draw(Match(make_game("numeric-maze"), 1), 2)
    assert not accepts_draw(Match(make_game("trap-builder", {"length": 8, "traps": 1}), 1), 2)
    assert not accepts_draw(Match(make_game("hidden-path", {"length": 30}), 1), 2)


def test_a_draw_is_agreed_at_the_terminal(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "trapline", "play", "secret-paths", "--vs", "casual",
         "--first", "1"],
        input="5,3\ndraw\n", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "The game is drawn: both players agreed." in done.stdout, done.stdout
