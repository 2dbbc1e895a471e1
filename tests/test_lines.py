"""Lines are first-class: what they say, what they leave out, and what they accept."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from trapline.cli.commands import app
from trapline.core import TraplineError
from trapline.games import make_game
from trapline.referee import Match
from trapline.terminal.saves import Saves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

DIGITS = re.compile(r"\b[0-9a-f]{32}\b")


def trapline(*arguments: str, given: str = "", **environment: str) -> str:
    """What a command prints, and what is wrong with it, if anything."""
    done = CliRunner().invoke(app, arguments, input=given, env=environment)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        assert isinstance(done.exception, TraplineError), done.exc_info
    return done.output + str(done.exception or "")


# --- in the words of the rulebooks' samples ---------------------------------------------


def test_a_goal_cell_is_confirmed_as_in_the_sample() -> None:
    told = trapline("play", "secret-paths", "--first", "1", given="5,2\n1,4\nquit\n")
    assert told.count("\nGoal Cell selected.\n") == 2
    assert "Goal Cell selected" not in trapline("play", "hidden-path", given="1 2 3\nquit\n")


def test_a_caught_runner_returns_before_the_trap_is_revealed() -> None:
    given = "4 7 9\n3 6 8\n3\nquit\n"
    told = trapline("play", "hidden-path", "--first", "1", given=given)
    assert (
        "Player 1: Moved to Step 3. Trap triggered!\n"
        "Player 1 returns to Step 0.\n"
        "Trap at Step 3 is now revealed and inactive.\n"
    ) in told


@pytest.mark.parametrize(
    ("at", "said"),
    [
        (15, None),
        (16, "Allowed moves: 1, 2, 3."),
        (17, "Allowed moves: 1, 2, 3."),
        (18, "Allowed moves: 1, 2 (cannot move 3 spaces; would exceed position 20)."),
        (19, "Allowed moves: 1 (must land exactly on 20)."),
    ],
)
def test_allowed_moves_near_the_end_of_the_maze(at: int, said: str | None) -> None:
    steps = {15: [3, 3, 3, 3, 3], 16: [3, 3, 3, 3, 3, 1], 17: [3, 3, 3, 3, 3, 2]}
    steps |= {18: [3, 3, 3, 3, 3, 3], 19: [3, 3, 3, 3, 3, 3, 1]}
    game = make_game("numeric-maze", {"traps": ()})
    match = Match(game, 1)
    for own in steps[at]:
        match.play(1, own)
        match.play(2, 1)
    heading = game.words(game, match.view(1)).heading(1)
    assert heading[:2] == ["Player 1's turn.", f"You're at position {at}."]
    assert heading[2:] == ([said] if said else [])


def test_longer_steps_that_would_exceed_the_maze_are_all_named() -> None:
    game = make_game("numeric-maze", {"traps": (), "length": 4, "max_step": 4})
    match = Match(game, 1)
    match.play(1, 2)
    match.play(2, 1)
    heading = game.words(game, match.view(1)).heading(1)
    assert heading[2] == "Allowed moves: 1, 2 (cannot move 3 or 4 spaces; would exceed position 4)."


def test_trap_runner_says_where_both_start_and_where_no_trap_goes() -> None:
    told = trapline("play", "trap-runner", given="3\n2\nquit\n")
    assert "Welcome to Trap Runner!\nBoth players start at square 0.\n" in told
    assert told.count("Cannot set a trap on square 0.\n") == 2


def test_who_is_caught_leaving_the_start_hears_it_in_the_order_of_the_sample() -> None:
    match = Match(make_game("trap-runner"), 1)
    for turn in ((3,), (1,), (1, "t"), (1, "n"), (1, "n"), (1, "n")):
        assert match.to_move is not None
        match.play(match.to_move, *turn)
    match.play(1, 1, "n")
    assert match.to_move == 2  # caught on 3, so back on 0
    match.play(2, 3)
    game = match.game
    told = game.words(game, match.view(2)).account({})
    assert told[-4:] == [
        "You move to square 3.",
        "You have triggered a trap set by Player 1!",
        "You will return to square 0 at the start of your next turn.",
        "Cannot set a trap on square 0.",
    ]
    assert "Cannot set a trap on square 0." not in game.words(game, match.view(1)).account({})[-2:]


# --- answers and words ------------------------------------------------------------------


def test_an_empty_line_is_called_one() -> None:
    told = trapline("play", "numeric-maze", "--first", "1", given="\n   \nquit\n")
    assert told.count("Nothing was typed: type a number such as 2.") == 2
    assert "''" not in told


def test_a_refusal_says_what_is_possible_now_unless_the_prompt_does() -> None:
    told = trapline("play", "secret-paths", "--first", "1", given="5,2\n1,4\n1,1\nquit\n")
    assert "Possible now: (2,2), (2,3), (2,4), (3,2), (3,4), (4,2), (4,3), or (4,4)." in told
    for game in ("numeric-maze", "trap-runner"):
        told = trapline("play", game, "--first", "1", given="333\nquit\n")
        assert "not 333." in told
        assert "Possible now" not in told


def test_a_refused_secret_is_never_told_what_is_possible() -> None:
    told = trapline("play", "hidden-path", "--first", "1", given="1 2 44\nquit\n")
    assert "44 cannot be chosen" in told
    assert "Possible now" not in told


@pytest.mark.parametrize("word", ["q", "exit", "quit", "Q"])
def test_the_usual_words_leave(word: str) -> None:
    assert "The game is kept" in trapline("play", "numeric-maze", given=f"{word}\n3\n")
    (record,) = Saves().all()
    assert record.moves == []


def test_a_question_mark_asks_for_help() -> None:
    told = trapline("play", "trap-runner", given="?\nquit\n")
    assert "  quit    stop now" in told
    assert "2t: two squares, and a trap on the square you leave; 2n: none there" in told
    assert "2t" not in trapline("play", "numeric-maze", given="?\nquit\n")


def test_a_word_that_is_an_answer_stays_one(tmp_path: Path) -> None:
    """Somebody's game may have an answer q; then it is no way out."""
    source = (tmp_path / "queue.py").resolve()
    source.write_text(QUEUE)
    told = trapline("play", str(source), given="q\np\n")
    assert "Player 1 wins the game!" in told


QUEUE = '''
"""Whoever says q first wins."""
from trapline import Game, Options, Panel, State, Told, ask_word, won


class Queue(Game[State]):
    """Say p or q."""

    name, title, summary = "queue", "Queue", "Say q."
    options_type, hides = Options, False

    def __init__(self, options):
        self.options = options
        self.ask = ask_word("word", ["p", "q"])

    def start(self, first):
        return State(first, 0, None)

    def question(self, state, seat):
        return self.ask if seat == state.mover else None

    def apply(self, state, seat, answer):
        return State(3 - seat, state.turn + 1, won(seat, "said q") if answer else None)

    def events(self, before, seat, answer, after):
        yield Told(seat, "{by} speaks.")

    def board(self, state, seat, over):
        return Panel(())
'''


def test_the_rules_in_a_game_are_those_of_its_variant() -> None:
    usual = trapline("play", "hidden-path", given="rules\nquit\n")
    assert "variant" not in usual
    told = trapline(
        "play", "hidden-path", "--set", "length=6", "--set", "walls=false", given="rules\nquit\n"
    )
    assert "length is 6 here, usually 10: the number of the last step" in told
    assert "walls is false here, usually true" in told
    assert "max_step" not in told
    told = trapline("play", "numeric-maze", "--set", "traps=4,9", given="rules\nquit\n")
    assert "traps is 4,9 here, usually 5,10,15" in told


def test_refused_moves_are_counted_aloud_where_they_may_cost_the_game() -> None:
    given = "5,2\n1,4\n9,9\n9,9\n9,9\nquit\n"
    told = trapline("play", "secret-paths", "--first", "1", given=given)
    assert "1 refused move in a row: after 3, Player 2 may claim the game." in told
    assert "2 refused moves in a row: after 3, Player 2 may claim the game." in told
    assert "3 refused moves in a row: after" not in told  # now it is an offer
    alone = trapline("play", "secret-paths", "--vs", "random", "--first", "1", given="5,2\n9,9\n")
    assert "claim" not in alone  # a computer never does
    assert "claim" not in trapline("play", "numeric-maze", "--first", "1", given="9\nquit\n")


# --- without eyes -----------------------------------------------------------------------


@pytest.mark.parametrize("game", ["trap-runner", "hidden-path", "secret-paths"])
def test_plain_reads_no_digits_aloud_unless_asked(game: str) -> None:
    typed = {"trap-runner": "3\n3\n", "hidden-path": "1 2 3\n4 5 6\n", "secret-paths": "5,1\n1,1\n"}
    told = trapline("play", game, "--plain", "--first", "1", given=f"{typed[game]}quit\n")
    assert not DIGITS.search(told)
    asked = trapline("play", game, "--plain", "--first", "1", given=f"{typed[game]}seals\nquit\n")
    assert len(DIGITS.findall(asked)) == 2
    assert DIGITS.search(trapline("play", game, "--first", "1", given=f"{typed[game]}quit\n"))


def finished_match() -> str:
    trapline("play", "trap-builder", "--p1", "Ann", "--p2", "Ben", given="3 5 7\n2 6 8\n2\n")
    (record,) = Saves().all()
    return record.id


@pytest.mark.parametrize("front", [True, False])
def test_replay_is_told_in_words_with_plain_before_or_after(front: bool) -> None:
    match_id = finished_match()
    arguments = ("--plain", "replay", match_id) if front else ("replay", match_id, "--plain")
    told = trapline(*arguments)
    assert "┌" not in told
    assert "Ann is on position 2, goal 10." in told
    assert "┌" in trapline("replay", match_id)


def test_plain_before_the_command_holds_for_playing_too() -> None:
    assert "┌" not in trapline("--plain", "play", "numeric-maze", given="3\nquit\n")
    assert "┌" not in trapline("--plain", "resume", given="1\nquit\n")


@pytest.mark.parametrize("command", ["analyse", "verify", "history", "rules"])
def test_plain_is_accepted_wherever_something_is_told(command: str) -> None:
    target = [] if command == "history" else ["trap-builder" if command == "rules" else "last"]
    finished_match()
    told = trapline(command, *target, "--plain")
    assert "No such option" not in told
    assert not DIGITS.search(told)


def test_analyse_tells_sentences_where_its_table_has_no_room() -> None:
    match_id = finished_match()
    wide = trapline("analyse", match_id, COLUMNS="120")
    assert re.search(r"turn +player +chose", wide)
    narrow = trapline("analyse", match_id, COLUMNS="40")
    for told in (narrow, trapline("--plain", "analyse", "last", COLUMNS="120")):
        assert "turn  player" not in told
        assert "Turn 1, Ann: 2 steps" in re.sub(r"\s+", " ", told)
        assert "Ben won (trap)." in told
    assert max(map(len, narrow.splitlines())) <= 40
    assert not re.search(r"^\s*\w{1,3}\s*$", narrow, re.MULTILINE)  # no column of torn words


# --- matches by name --------------------------------------------------------------------


def test_an_ambiguous_id_names_the_matches_that_fit() -> None:
    saves = Saves()
    for match_id in ("261115-1010-aaaa", "261115-2020-bbbb"):
        saves.save(Match(make_game("numeric-maze"), 1, match_id=match_id))
    with pytest.raises(TraplineError, match=r"fits 2 matches: .*aaaa.*Type more") as caught:
        saves.find("2611")
    assert "bbbb" in str(caught.value)
    assert "fits 2 matches" in trapline("replay", "2611")
    assert "fits 2 matches" in trapline("resume", "2611")


def test_last_is_the_latest_match() -> None:
    trapline("play", "numeric-maze", "--p1", "Ann", given="resign\n")
    trapline("play", "trap-runner", "--p1", "Eve", given="3\nquit\n")
    assert "Eve against" in trapline("replay", "last")
    assert "Square 0" in trapline("resume", "last", given="quit\n")
    trapline("play", "numeric-maze", "--p1", "Zoe", given="resign\n")
    assert "Zoe against" in trapline("replay", "last")
    assert "Eve against" in trapline("resume", "last", given="resign\n")  # the latest to go on with


def test_resume_takes_the_latest_match_that_nobody_else_plays() -> None:
    for name in ("Ann", "Eve"):
        trapline("play", "numeric-maze", "--p1", name, given="quit\n")
    latest, other = Saves().unfinished()
    elsewhere = Saves()
    elsewhere.lock(latest.id)
    told = trapline("resume", given="quit\n")
    assert "Ann against" in told
    assert (
        f"Match {latest.id} is being played in another window, so you go on with {other.id}."
    ) in told
    elsewhere.lock(other.id)
    assert f"Match {latest.id} is being played in another window." in trapline("resume")
    elsewhere.unlock(latest.id)
    told = trapline("resume", given="quit\n")
    assert "Eve against" in told
    assert "another window" not in told


def test_verify_of_an_unfinished_match_blames_nobody() -> None:
    trapline("play", "hidden-path", "--first", "1", given="1 2 3\n4 5 6\n1\nquit\n")
    told = trapline("verify", "last")
    assert "FAULT" not in told
    assert "later  the result follows from the moves: the match is not finished" in told
    assert "ok     Player 1's traps" in told
    assert "Everything holds so far." in told


@pytest.fixture
def at_home_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Sets the clock on the wall."""

    def move(zone: str) -> None:
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    yield move
    monkeypatch.delenv("TZ")
    time.tzset()


def test_history_tells_the_time_on_the_wall_and_can_be_searched(
    at_home_in: Callable[[str], None],
) -> None:
    trapline("play", "numeric-maze", "--p1", "Ann", "--p2", "Ben", given="resign\n")
    trapline("play", "trap-runner", "--p1", "Eve", given="3\nquit\n")
    then = '"started": "2026-01-15T12:30:00.000+00:00"'
    for path in Saves().folders[0].glob("*.json"):
        path.write_text(re.sub(r'"started": "[^"]+"', then, path.read_text()))
    at_home_in("UTC")
    assert trapline("history").count("2026-01-15 12:30\n") == 2
    at_home_in("Asia/Tokyo")
    east = trapline("history")
    assert east.count("2026-01-15 21:30\n") == 2
    assert "UTC" not in east
    found = trapline("history", "ann", "MAZE")
    assert "Ann - Ben" in found
    assert "Eve" not in found
    assert "not finished" in trapline("history", "not finished")
    assert "No match has these words" in trapline("history", "ann", "eve")
