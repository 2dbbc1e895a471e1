"""What a terminal leaves in files, and what it makes of damaged ones."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.terminal.test_interruptions import saved_moves
from trapline.core import TraplineError
from trapline.games import make_game
from trapline.referee import Match
from trapline.terminal.saves import BusyError, SaveError, Saves

if TYPE_CHECKING:
    from pathlib import Path


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
