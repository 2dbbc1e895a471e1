"""Whatever stops the program, a finished turn is on disk and the match goes on."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.terminal.emulator import Terminal
from trapline.core import TraplineError
from trapline.games import make_game
from trapline.referee import Match
from trapline.terminal.saves import BusyError, SaveError, Saves

if TYPE_CHECKING:
    from pathlib import Path

MAZE = ("play", "numeric-maze", "--first", "1")


def saved_moves() -> list[object]:
    (record,) = Saves().all()
    return record.moves


def test_quit_and_resume(home: Path) -> None:
    with Terminal(*MAZE, home=home) as terminal:
        terminal.wait_for("Player 1's turn.")
        terminal.type("3", expect="Player 2's turn.")
        terminal.type("quit", expect="trapline resume")
        assert terminal.end() == 0
    with Terminal("resume", home=home) as terminal:
        terminal.wait_for("Player 2's turn.")
        assert "Player 1 moves to position 3." in terminal.text
        terminal.type("2", expect="Player 1's turn.")
    assert saved_moves() == [3, 2]


@pytest.mark.parametrize("how", ["quit", "killed"])
def test_a_series_that_was_left_between_games_goes_on(home: Path, how: str) -> None:
    with Terminal(
        "play", "numeric-maze", "--best-of", "3", "--first", "1", "--set", "length=2",
        "--set", "traps=", home=home,
    ) as terminal:  # fmt: skip
        terminal.wait_for("game 1 of 3, 0:0")
        terminal.type("2", expect="Press Enter for the next game")
        if how == "quit":
            terminal.type("quit", expect="trapline resume")
            assert terminal.end() == 0
        else:
            terminal.kill()
    with Terminal("resume", home=home) as terminal:
        terminal.wait_for("game 2 of 3, 1:0")
        terminal.wait_for("Player 2's turn.")  # the first move alternates
        terminal.type("1", expect="Player 1's turn.")
        terminal.type("2", expect="Player 1 wins the series, 2:0.")


@pytest.mark.parametrize("name", [signal.SIGKILL, signal.SIGHUP, signal.SIGTERM])
def test_killed_or_hung_up_in_the_middle_it_goes_on_where_it_was(
    home: Path, name: signal.Signals
) -> None:
    played: list[object] = []
    for steps in (3, 2, 1, 3, 2):
        with Terminal(*(("resume",) if played else MAZE), home=home) as terminal:
            terminal.wait_for("Choose your move")
            following = 2 if len(played) % 2 == 0 else 1
            terminal.type(str(steps), expect=f"Player {following}'s turn.")
            terminal.child.kill(name)
            terminal.child.wait()
        played.append(steps)
        assert saved_moves() == played


def test_control_c_keeps_the_match_and_gives_the_terminal_back(home: Path) -> None:
    with Terminal("play", "hidden-path", "--first", "1", home=home) as terminal:
        terminal.wait_for("press Enter when only")
        terminal.type("", expect="enter your trap positions")
        terminal.press("c")  # in the middle of hidden typing
        terminal.wait_for("trapline resume")
        assert terminal.end() == 130
        assert terminal.bytes.rstrip().endswith(b"goes on with it.")
        assert b"\x1b[?1049l" in terminal.bytes


def test_end_of_input_on_a_terminal_keeps_the_match(home: Path) -> None:
    with Terminal(*MAZE, home=home) as terminal:
        terminal.wait_for("Player 1's turn.")
        terminal.press("d")
        terminal.wait_for("trapline resume")
        assert terminal.end() == 1


def test_a_trap_runner_step_cannot_be_taken_back_by_pulling_the_plug(home: Path) -> None:
    """The step is on disk before its result is shown, with its question still open."""
    with Terminal("play", "trap-runner", "--vs", "random", "--seed", "1", home=home) as terminal:
        terminal.wait_for("Enter the number of squares")
        terminal.type("3", expect="Your Position: Square 3")
        terminal.type("2", expect="Set a trap on square 3")
        terminal.kill()
    (record,) = Saves().all()
    assert record.pending == [2]
    with Terminal("resume", home=home) as terminal:
        terminal.wait_for("Set a trap on square 3")
        terminal.type("y", expect="You set a trap on square 3.")
    (record,) = Saves().all()
    assert record.moves[2] == "2t"


def test_a_killed_match_against_a_seeded_computer_goes_on_the_same(home: Path) -> None:
    arguments = ("play", "numeric-maze", "--vs", "casual", "--seed", "7", "--first", "1")
    with Terminal(*arguments, home=home) as terminal:
        for _ in range(4):
            terminal.wait_for("Choose your move")
            terminal.type("1", expect="Choose your move")
    whole = saved_moves()
    for path in home.glob("matches/*.json"):
        path.unlink()
    for number in range(4):
        start = arguments if number == 0 else ("resume",)
        with Terminal(*start, home=home) as terminal:
            terminal.wait_for("Choose your move")
            terminal.type("1", expect="Choose your move")
            terminal.kill()
    assert saved_moves() == whole


def test_a_menu_that_was_open_for_long_goes_on_from_what_is_on_disk(home: Path) -> None:
    with Terminal(*MAZE, home=home) as terminal:
        terminal.wait_for("Player 1's turn.")
        terminal.type("quit", expect="resume")
    with Terminal(home=home) as menu:
        menu.wait_for("continue")
        done = subprocess.run(
            [sys.executable, "-m", "trapline", "resume"],
            input="3\n2\n", capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 1
        menu.type("c", expect="Player 1's turn.")
        assert "Player 2 moves to position 2." in menu.text
    assert saved_moves() == [3, 2]


def test_stopped_and_continued_it_hides_what_is_private(home: Path) -> None:
    """Control-Z leaves no page behind, and blind typing stays blind afterwards."""
    with Terminal(home=home, in_shell=True, environment={"PS1": "ready: "}) as terminal:
        terminal.wait_for("ready:")
        command = f"{sys.executable} -m trapline play hidden-path --first 1"
        terminal.type(command, expect="press Enter when only")
        terminal.type("", expect="enter your trap positions")
        terminal.press("z")
        terminal.wait_for("Stopped")
        assert "enter your trap positions" not in terminal.text
        terminal.type("fg", expect="enter your trap positions")
        terminal.child.send("7 8 9")
        time.sleep(0.3)
        terminal.read()
        assert "7 8 9" not in terminal.text
        terminal.type("", expect="You chose 7 8 9.")


ANSWERS = {
    "hidden-path": (["1 2 3"], "Enter steps to move"),
    "trap-builder": (["7 8 9"], "enter your move"),
    "trap-runner": ([], "Enter the number of squares"),
    "secret-paths": (["5,1"], "Enter your move"),
    "numeric-maze": ([], "Choose your move"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_every_game_is_resized_killed_resumed_left_and_resumed(home: Path, name: str) -> None:
    opening, prompt = ANSWERS[name]
    start = ("play", name, "--vs", "random", "--first", "1", "--seed", "6")
    with Terminal(*start, home=home) as terminal:
        for secret in opening:
            terminal.wait_for("Player 1, ")
            terminal.type(secret, expect=prompt)
        terminal.wait_for(prompt)
        terminal.resize(44, 30)
        terminal.wait_for(prompt, changed=True)
        assert max(map(len, terminal.text.splitlines())) <= 44
        terminal.kill()
    with Terminal("resume", home=home) as terminal:
        terminal.wait_for(prompt)
        terminal.type("quit", expect="trapline resume")
        assert terminal.end() == 0
    with Terminal("resume", home=home) as terminal:
        terminal.wait_for(prompt)
        terminal.type("resign", expect="do you really resign")
        terminal.type("y", expect="Rematch")
        terminal.type("n", expect="resigns")
        assert terminal.end() == 0
    (record,) = Saves().all()
    assert record.result is not None


def test_one_match_is_played_in_one_window(home: Path) -> None:
    with Terminal(*MAZE, home=home) as terminal:
        terminal.wait_for("Player 1's turn.")
        done = subprocess.run(
            [sys.executable, "-m", "trapline", "resume"],
            capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        assert done.returncode == 2
        assert "being played in another window" in done.stderr


# --- files ------------------------------------------------------------------------------


def a_match() -> Match:
    return Match(make_game("numeric-maze"), 1, match_id="m1")


def test_files_are_readable_by_their_owner_alone(home: Path) -> None:
    path = Saves().save(a_match())
    assert path.parent == home / "matches"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_files_go_where_the_platform_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TRAPLINE_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    if sys.platform == "linux":
        assert Saves().save(a_match()).parent == tmp_path / "xdg" / "trapline" / "matches"


def test_a_home_that_cannot_be_written_sends_matches_to_a_private_spare_folder(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.write_text("a file where the folder should be")
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "spare"))
    path = Saves().save(a_match())
    assert tmp_path / "spare" in path.parents
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert Saves().find("m1").id == "m1"


def test_of_two_copies_the_later_one_counts(home: Path, tmp_path: Path) -> None:
    """A match that moved to the spare folder goes on from there, whatever it was that changed."""
    saves = Saves()
    saves.folders[1] = tmp_path / "spare"
    match = a_match()
    saves.save(match)
    usual, saves.folders[0] = saves.folders[0], tmp_path / "spare"
    match.resign(1)  # no new move, but a later state
    saves.save(match)
    saves.folders[0] = usual
    assert saves.find("m1").result is not None


def test_what_somebody_else_put_there_is_not_read(home: Path, tmp_path: Path) -> None:
    saves = Saves()
    path = saves.save(a_match())
    (path.parent / "link.json").symlink_to("/dev/zero")
    os.mkfifo(path.parent / "pipe.json")
    text = path.read_text()
    (path.parent / "other-name.json").write_text(text)
    (path.parent / "future.json").write_text(
        text.replace("numeric-maze", "go").replace("m1", "future")
    )
    (path.parent / "evil.json").write_text(text.replace('"m1"', '"../evil"'))
    assert [record.id for record in saves.all()] == ["m1"]
    if os.getuid() == 0:
        os.chown(path, 65534, 65534)
        assert list(saves.all()) == []


@pytest.mark.parametrize("secrets", ["[1]", '"abc"', '{"1": 5}', '{"1": ["x", 2, 3]}'])
def test_a_saved_match_that_was_edited_by_hand_is_refused_with_a_sentence(
    home: Path, secrets: str
) -> None:
    match = Match(make_game("hidden-path"), 1, match_id="m1")
    path = Saves().save(match)
    path.write_text(path.read_text().replace('"secrets": {}', f'"secrets": {secrets}'))
    done = subprocess.run(
        [sys.executable, "-m", "trapline", "resume"],
        input="", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert done.returncode in (1, 2)


def test_a_match_against_a_level_that_is_not_there_is_refused_with_a_sentence(home: Path) -> None:
    path = Saves().save(a_match())
    record = json.loads(path.read_text())
    record["players"]["1"] = {"name": "x", "bot": "future"}
    path.write_text(json.dumps(record))
    done = subprocess.run(
        [sys.executable, "-m", "trapline", "resume"],
        input="", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "has no computer level 'future'" in done.stderr


class NoRoom:
    """A disk that is full for a while."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = True
        real = os.fsync

        def fsync(handle: int) -> None:
            if self.full:
                raise OSError(28, "No space left on device")
            real(handle)

        monkeypatch.setattr(os, "fsync", fsync)


def test_a_full_disk_leaves_the_last_good_file_and_no_litter(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saves = Saves()
    saves.folders[1] = tmp_path / "spare"
    match = a_match()
    path = saves.save(match)
    before = path.read_bytes()
    disk = NoRoom(monkeypatch)
    match.play(1, 1)
    with pytest.raises(SaveError, match="No space left on device"):
        saves.save(match)
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]
    disk.full = False
    saves.save(match)
    assert saves.find("m1").moves == [1]


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full is Linux's")
def test_a_really_full_disk_says_so_and_keeps_what_was_there(home: Path) -> None:
    """With a tiny file-size limit the operating system itself refuses to write."""
    script = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
sys.argv = ["trapline", "play", "numeric-maze", "--first", "1"]
from trapline.terminal.saves import Saves
usual = Saves.save
def save(self, match):
    if match.view(None).turn == 2:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
    return usual(self, match)
Saves.save = save
from trapline.__main__ import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", script], input="3\n2\n1\n", capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "could not be saved" in done.stderr
    assert "The turns before it are kept" in done.stderr
    assert "Traceback" not in done.stderr
    assert "moves to position 2" not in done.stdout  # nothing is shown that is not on disk
    assert saved_moves() == [3]


def test_damaged_and_foreign_files_are_left_alone(home: Path) -> None:
    saves = Saves()
    saves.save(a_match())
    folder = home / "matches"
    (folder / "torn.json").write_text('{"game": "hidden-path", "fir')
    (folder / "notes.json").write_text("[]")
    (folder / "binary.json").write_bytes(b"\xff\xfe")
    assert [record.id for record in saves.all()] == ["m1"]
    assert (folder / "torn.json").exists()


def test_every_file_is_a_record_that_replay_understands(home: Path) -> None:
    path = Saves().save(a_match())
    fields = json.loads(path.read_text())
    assert fields["game"] == "numeric-maze"
    assert fields["moves"] == []


def test_a_match_is_found_by_the_start_or_end_of_its_id() -> None:
    saves = Saves()
    for match_id in ("261115-1010-aaaa", "261115-2020-bbbb"):
        saves.save(Match(make_game("numeric-maze"), 1, match_id=match_id))
    assert saves.find("bbbb").id == "261115-2020-bbbb"
    assert saves.find("261115-10").id == "261115-1010-aaaa"
    with pytest.raises(TraplineError, match="'trapline history' lists them"):
        saves.find("cccc")


def test_a_lock_is_given_back(home: Path) -> None:
    one, two = Saves(), Saves()
    one.lock("m1")
    one.unlock("m1")
    two.lock("m1")
    two.unlock("m1")
    assert not list((home / "matches").glob(".*"))
    assert issubclass(BusyError, TraplineError)
