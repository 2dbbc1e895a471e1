"""The command line, run as a program."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests import oracle, worlds
from trapline import __version__
from trapline.games import GAMES, make_game
from trapline.referee import Match

if TYPE_CHECKING:
    from pathlib import Path


def trapline(
    *arguments: str, given: str | bytes = "", environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    data = given if isinstance(given, bytes) else given.encode()
    done = subprocess.run(
        [sys.executable, "-m", "trapline", *arguments],
        input=data,
        capture_output=True,
        check=False,
        env={**os.environ, **(environment or {})},
    )
    result = subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode()
    )
    assert "Traceback" not in result.stderr, result.stderr
    return result


# --- play without a terminal ------------------------------------------------------------


def test_play_from_a_pipe_follows_the_samples() -> None:
    done = trapline("play", "trap-builder", given="3 5 7\n2 6 8\n2\n")
    assert done.returncode == 0
    for line in (
        "Welcome to Trap Builder!",
        "Player 1, place your traps by entering three positions (1-9), separated by spaces:",
        "Player 2, place your traps by entering three positions (1-9), separated by spaces:",
        "Let the game begin!",
        "Player 1 is at Position 0.",
        "Player 1, enter your move (1-3 steps):",
        "Player 1 moves to Position 2.",
        "Oh no! Player 1 stepped on a trap at Position 2!",
        "Player 2 wins the game!",
    ):
        assert f"\n{line}\n" in done.stdout
    assert "\x1b" not in done.stdout
    assert "Enter when" not in done.stdout


def test_a_pipe_for_two_never_prints_a_secret_before_the_end() -> None:
    done = trapline("play", "hidden-path", "--first", "1", given="4 7 9\n5 6 8\n1\n1\nquit\n")
    assert done.returncode == 0
    assert not re.search("[▲▼]|4 7 9|5 6 8|chose", done.stdout)


def test_a_pipe_for_two_says_the_same_of_a_trap_set_declined_or_failed() -> None:
    def output(decision: str) -> str:
        done = trapline("play", "trap-runner", given=f"3\n3\n2t\n2\n{decision}\n1\nn\nquit\n")
        return re.sub(r"[0-9a-f]{32}|\d{6}-\d{6}-[0-9a-f]{6}", "#", done.stdout)

    assert "You move to square 5." in output("n")  # seen before the decision is made
    assert output("y") == output("n")  # the attempt on 3 fails: Player 1's trap is there


def test_wrong_answers_are_explained_and_asked_again() -> None:
    given = "1 2\n1 2 2\n1 2 x\n1 2 3\n7 8 9\n4\n\nsideways\n0\n3\nquit\n"
    done = trapline("play", "hidden-path", "--first", "1", given=given)
    assert done.returncode == 0
    for sentence in (
        "That is 2 steps: choose 3 different steps from 1 to 10.",
        "Every step counts once: choose 3 different steps from 1 to 10.",
        "Type the steps as numbers, separated by spaces: 1 2 3.",
        "A move is 1 to 3 steps, not 4.",
        "Nothing was typed: type a number such as 2.",
        "'sideways' is not a number of steps: type a number such as 2.",
        "A move is 1 to 3 steps, not 0.",
        "Player 1: Moved to Step 3. No trap triggered.",
    ):
        assert sentence in done.stdout, sentence


def test_input_that_ends_early_keeps_the_game_and_says_how_to_go_on() -> None:
    done = trapline("play", "trap-runner", given="3\n2\n")
    assert done.returncode == 1
    match_id = re.search(r"trapline resume (\S+)'", done.stdout)
    assert match_id is not None
    done = trapline("resume", match_id[1], given="3\nn\n3\ny\n3t\n1\nn\n1\n")
    assert done.returncode == 0
    assert "Congratulations! Player 1 has reached the goal and won the game!" in done.stdout


def test_trap_runner_answers_both_questions_in_one() -> None:
    done = trapline("play", "trap-runner", given="3\n2\n2t\n3t\nquit\n")
    assert "Set a trap on square" not in done.stdout
    done = trapline("play", "trap-runner", given="3t\n3\nquit\n")
    assert "No trap can be set now: none goes on square 0" in done.stdout


def test_secret_paths_claim_in_a_pipe() -> None:
    bad = "9,9\n" * 3
    done = trapline("play", "secret-paths", "--first", "1", given=f"5,2\n1,4\n{bad}claim\n")
    assert "3 moves in a row were refused: Player 2 may type 'claim'" in done.stdout
    assert "Player 2 claims the game" in done.stdout
    done = trapline("play", "secret-paths", "--first", "1", given=f"5,2\n1,4\n{bad}4,2\nquit\n")
    assert "Seeker moved to (4,2)." in done.stdout


def test_the_words_work_in_a_pipe() -> None:
    done = trapline("play", "numeric-maze", "--first", "1", given="help\nrules\nboard\ndraw\ny\n")
    assert done.returncode == 0
    assert "quit    stop now" in done.stdout
    assert "trapline rules numeric-maze" in done.stdout
    assert "The game is drawn: both players agreed." in done.stdout


def test_the_computer_declines_draws_and_plays_itself() -> None:
    done = trapline("play", "hidden-path", "--vs", "casual", given="1 2 3\ndraw\nresign\n")
    assert "casual declines the draw." in done.stdout
    done = trapline("play", "secret-paths", "--p1", "random", "--p2", "casual", "--seed", "1")
    assert done.returncode == 0
    assert "wins the game!" in done.stdout


def test_a_seed_repeats_a_whole_match() -> None:
    def moves() -> Any:
        done = trapline("play", "hidden-path", "--p1", "casual", "--p2", "random", "--seed", "9")
        return re.sub(r"[0-9a-f]{32}|\d{6}-\d{6}-[0-9a-f]{6}", "#", done.stdout)

    assert moves() == moves()


def test_a_series_between_computers_is_counted() -> None:
    done = trapline(
        "play", "numeric-maze", "--p1", "random", "--p2", "casual", "--best-of", "3", "--seed", "2"
    )
    assert re.search(r"wins the series, \d:\d\.", done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["play", "chess"], "There is no game called 'chess'; the games are hidden-path"),
        (["play", "hidden-path", "--set", "length=0"], "length must be a whole number from 1"),
        (["play", "hidden-path", "--set", "length"], "--set needs NAME=VALUE"),
        (["play", "secret-paths", "--set", "size=4"], "size must be an odd number from 3 to 9"),
        (["play", "hidden-path", "--first", "3"], "--first must be 1, 2 or toss"),
        (["play", "hidden-path", "--vs", "god"], "There is no computer level 'god'"),
        (["play", "hidden-path", "--vs", "random", "--p2", "x"], "leave out --p2"),
        (["play", "hidden-path", "--best-of", "0"], "--best-of needs a number of games"),
        (["resume"], "No match is unfinished"),
        (["resume", "nothing"], "There is no match 'nothing' here"),
        (["replay", "nothing.json"], "neither a file nor the id of a match"),
        (["replay", "nothing.jsonl"], "cannot be read: No such file"),
        (["rules", "chess"], "There is no game called 'chess'"),
    ],
)
def test_bad_arguments_get_one_sentence(arguments: list[str], sentence: str) -> None:
    done = trapline(*arguments)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", ["replay", "verify", "analyse"])
def test_what_is_asked_for_is_a_match(command: str) -> None:
    """Its id will do, so nobody is told that a file is missing."""
    done = trapline(command)
    assert done.returncode == 2
    assert "Missing argument 'MATCH'" in done.stderr


# --- rules, history, version ------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_rules_show_rules_rulings_and_errata(name: str) -> None:
    done = trapline("rules", name)
    for heading in ("The aim", "Your turn", "Options", "Rulings", "Errata"):
        assert f"## {heading}" in done.stdout
    for option in oracle.OPTIONS[name]:
        assert f"- `{option}` (" in done.stdout


def test_history_lists_matches_and_none() -> None:
    assert "No matches yet" in trapline("history").stdout
    trapline("play", "numeric-maze", "--p1", "Ann", "--p2", "Ben", given="resign\n")
    done = trapline("history")
    assert "Ann - Ben" in done.stdout
    assert "won (resigned)" in done.stdout


def test_version() -> None:
    assert trapline("--version").stdout == f"trapline {__version__}\n"
    assert trapline("--plain", "--version").stdout == f"trapline {__version__}\n"


# --- replay and verify ------------------------------------------------------------------


def records(count: int, seed: int = 0) -> list[dict[str, Any]]:
    rng = Random(seed)
    return [worlds.random_record(make_game(rng.choice(list(GAMES))), rng) for _ in range(count)]


def lines_of(items: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(item) + "\n" for item in items)


def test_replay_json_answers_line_by_line(tmp_path: Path) -> None:
    items = records(40)
    expected = [oracle.replay(item) for item in items]
    for arguments, given in ((["-"], lines_of(items)), ([str(tmp_path / "r.jsonl")], "")):
        (tmp_path / "r.jsonl").write_text(lines_of(items))
        done = trapline("replay", *arguments, "--json", given=given)
        assert done.returncode == 0
        assert [json.loads(line) for line in done.stdout.splitlines()] == expected


def test_replay_json_of_one_file_that_is_spread_over_lines(tmp_path: Path) -> None:
    (item,) = records(1)
    path = tmp_path / "match.json"
    path.write_text(json.dumps(item, indent=2))
    done = trapline("replay", str(path), "--json")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [oracle.replay(item)]


def test_replay_never_stops_at_a_bad_line() -> None:
    good = lines_of(records(1)).encode()
    bad = [b"nonsense\n", b"\xff\xfe\n", b"{}\n", b"[" * 100_000 + b"\n", b"1" * 10_000_000 + b"\n"]
    done = trapline("replay", "-", "--json", given=b"\n".join([good, *bad, good]))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False, False, False, False, False, True]
    assert all(answer["at"] == "record" for answer in answers if not answer["ok"])
    assert done.returncode == 1


def test_replay_tells_a_match_to_people(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_text(json.dumps({
        "game": "trap-runner", "options": {}, "first": 1, "moves": [3, 2, "2t", "1t", 3],
        "players": {"1": {"name": "Ann\x1b[31m"}, "2": {"name": "Ben"}},
    }))  # fmt: skip
    done = trapline("replay", str(path))
    assert done.returncode == 0
    assert "\x1b" not in done.stdout  # a name cannot colour the terminal
    assert "Ben has triggered a trap on square 3!" in done.stdout
    assert "2t" not in done.stdout  # not finished: hidden decisions stay hidden
    assert "what is hidden stays hidden" in done.stdout


def test_replay_of_an_unfinished_match_shows_no_secret(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_text(json.dumps({
        "game": "hidden-path", "options": {}, "first": 1, "moves": [1],
        "secrets": {"1": [4, 7, 9], "2": [3, 6, 8]},
    }))  # fmt: skip
    done = trapline("replay", str(path))
    assert "chose" not in done.stdout
    assert not re.search("[▲▼]", done.stdout)


def test_replay_names_where_a_record_breaks_the_rules(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    item = {"game": "numeric-maze", "options": {}, "first": 1, "moves": [3, 9]}
    path.write_text(lines_of([item]) + "oops\n")
    done = trapline("replay", str(path))
    assert done.returncode == 1
    assert "breaks the rules (move 2): A move is 1 to 3 spaces, not 9." in done.stdout


def test_verify_holds_and_names_what_does_not(home: Path) -> None:
    trapline("play", "hidden-path", "--p1", "casual", "--p2", "casual", "--seed", "3")
    (path,) = (home / "matches").glob("*.json")
    done = trapline("verify", str(path))
    assert done.returncode == 0
    assert "Everything holds." in done.stdout
    record = json.loads(path.read_text())
    record["secrets"]["2"] = [1, 2, 3]
    path.write_text(json.dumps(record))
    done = trapline("verify", path.stem)
    assert done.returncode == 1
    assert "FAULT  Player 2's traps: it was committed as" in done.stdout
    assert "ok     Player 1's traps" in done.stdout
    assert trapline("verify", "-", given="nonsense\n").returncode == 1


def test_verify_sees_what_was_cut_off_and_that_nothing_is_there(tmp_path: Path) -> None:
    match = Match(make_game("trap-runner"), 1)
    for turn in ((3,), (1,), (2, "t"), (1, "t"), (3, "n"), (1, "n"), (2,)):
        assert match.to_move is not None
        match.play(match.to_move, *turn)
    record = json.loads(match.record().to_json())
    record["moves"] = record["moves"][:4]
    record["result"] = {"winner": 2, "reason": "resigned"}
    path = tmp_path / "cut.json"
    path.write_text(json.dumps(record))
    done = trapline("verify", str(path))
    assert done.returncode == 1
    assert "commitments to what is not there: turn 5, turn 6, turn 7" in done.stdout
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    assert trapline("verify", str(empty)).returncode == 2


def test_replay_and_its_json_agree_on_a_result_that_is_only_claimed(tmp_path: Path) -> None:
    path = tmp_path / "claim.json"
    for reason in ("goal", "forfeit"):
        path.write_text(json.dumps({
            "game": "numeric-maze", "first": 1, "moves": [1, 1],
            "result": {"winner": 1, "reason": reason},
        }))  # fmt: skip
        assert json.loads(trapline("replay", str(path), "--json").stdout)["outcome"] is None
        assert "The match is not finished" in trapline("replay", str(path)).stdout


@pytest.mark.slow
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", ">/dev/full"])
@pytest.mark.parametrize("command", ["play numeric-maze --first 1", "replay - --json", ""])
def test_closed_or_full_streams_end_it_without_a_traceback(command: str, closed: str) -> None:
    line = f"echo 3 | {sys.executable} -m trapline {command} {closed}"
    done = subprocess.run(  # noqa: S602 (our own words)
        line, shell=True, capture_output=True, text=True, check=False, timeout=60
    )
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


def test_replay_reads_pipes_by_name() -> None:
    record = json.dumps(records(1)[0])
    line = f"echo '{record}' | {sys.executable} -m trapline replay /dev/stdin --json"
    done = subprocess.run(  # noqa: S602 (our own words)
        line, shell=True, capture_output=True, text=True, check=False
    )
    assert json.loads(done.stdout)["ok"]


def test_a_pipe_tells_every_line_once() -> None:
    given = "draw\nn\n1 2 3\n4 5 6\nquit\n"
    done = trapline("play", "hidden-path", "--plain", "--first", "1", given=given)
    for line in ("Player 1's choice is sealed", "Player 2's choice is sealed", "declines the draw"):
        assert done.stdout.count(line) == 1
    done = trapline("play", "trap-runner", given="3\ndraw\nn\n2\nquit\n")
    assert done.stdout.count("offers a draw") == 1
    assert done.stdout.count("sealed as") == 2


def test_the_offender_cannot_claim_for_a_computer() -> None:
    given = "5,1\n9,9\n9,9\n9,9\nclaim\nquit\n"
    done = trapline("play", "secret-paths", "--first", "1", "--vs", "casual", given=given)
    assert "'claim' is not a cell" in done.stdout


def test_a_reader_that_has_enough_ends_it_quietly() -> None:
    command = f"{sys.executable} -m trapline replay - --json | head -n 1"
    done = subprocess.run(  # noqa: S602 (our own words)
        command, shell=True, input=lines_of(records(3000)).encode(), capture_output=True,
        check=False,
    )  # fmt: skip
    assert done.stderr == b""
    assert json.loads(done.stdout)["ok"]


@pytest.mark.slow
def test_thirty_thousand_records_in_constant_memory(tmp_path: Path) -> None:
    text = lines_of(records(500, seed=1))
    used = []
    for copies in (2, 60):
        path = tmp_path / f"{copies}.jsonl"
        with path.open("w") as file:
            for _ in range(copies):
                file.write(text)
        script = (
            "import resource, subprocess, sys; subprocess.run([sys.executable, '-m', 'trapline',"
            f" 'replay', {str(path)!r}, '--json'], stdout=open({str(tmp_path / 'out')!r}, 'w'));"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        )
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        )
        used.append(int(done.stdout))
        with (tmp_path / "out").open() as answers:
            assert sum(1 for _ in answers) == copies * 500
    assert used[1] < used[0] * 1.2
