"""Copies of a database, and what is left where one is not wanted or not whole."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.server.stores import in_loop, opened, put
from trapline.server.backup import back_up, restore
from trapline.server.store import StoreError
from trapline.server.store.sqlite import SQLiteStore

if TYPE_CHECKING:
    from pathlib import Path


async def made(path: Path, *entries: bytes) -> Path:
    """A database with a match of these entries."""
    async with opened(f"sqlite:{path}") as store:
        for version, entry in enumerate(entries, 1):
            await put(store, "m", version, entry)
    return path


def kept(path: Path) -> list[bytes]:
    with closing(sqlite3.connect(path)) as log:
        return [entry for (entry,) in log.execute("SELECT entry FROM entries ORDER BY version")]


def names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir() if file.is_file()}


@in_loop
async def test_a_copy_is_one_file_and_a_crash_before_it_is_no_hindrance(tmp_path: Path) -> None:
    source, copy = await made(tmp_path / "m.db", b"one"), tmp_path / "copy.db"
    for left_over in (tmp_path / "copy.db.part", tmp_path / "new.db.restoring"):
        left_over.write_text("half of it")
    assert back_up(f"sqlite:{source}", copy) == 1
    with closing(sqlite3.connect(copy)) as log:
        assert log.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert restore(copy, f"sqlite:{tmp_path}/new.db") == 1
    assert kept(tmp_path / "new.db") == [b"one"]
    assert names(tmp_path) - {"new.db.lock"} == {"m.db", "copy.db", "new.db"}
    assert restore(copy, f"sqlite:{tmp_path}/a/new/folder/m.db") == 1


@in_loop
async def test_a_copy_that_is_not_wanted_leaves_nothing_and_lets_a_server_start(
    tmp_path: Path,
) -> None:
    source, copy = await made(tmp_path / "m.db", b"one"), tmp_path / "copy.db"
    back_up(f"sqlite:{source}", copy)
    with pytest.raises(StoreError, match="--replace"):
        restore(copy, f"sqlite:{source}")
    assert names(tmp_path) - {"m.db.lock"} == {"m.db", "copy.db"}
    async with opened(SQLiteStore(str(source), serving=True)) as store:
        assert await store.read("m") == [b"one"]


@in_loop
async def test_what_is_put_aside_holds_what_a_killed_server_had_in_its_log(tmp_path: Path) -> None:
    copy = await made(tmp_path / "copy.db", b"one")
    used, home = tmp_path / "used.db", tmp_path / "home"
    home.mkdir()
    async with opened(f"sqlite:{used}") as store:
        for version, entry in enumerate((b"one", b"two"), 1):
            await put(store, "m", version, entry)
        for ending in ("", "-wal"):
            shutil.copy(f"{used}{ending}", home / f"m.db{ending}")
    assert restore(copy, f"sqlite:{home}/m.db", replace=True) == 1
    assert kept(home / "m.db") == [b"one"]
    (aside,) = home.glob("m.db.2*")
    assert kept(aside) == [b"one", b"two"]


@in_loop
async def test_what_is_not_there_is_not_made(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.db"
    with pytest.raises(StoreError, match="There is no database"):
        back_up(f"sqlite:{nothing}", tmp_path / "copy.db")
    with pytest.raises(StoreError, match="There is no file"):
        restore(nothing, f"sqlite:{tmp_path}/m.db")
    assert names(tmp_path) == set()
    source = await made(tmp_path / "m.db", b"one")
    target = tmp_path / "nowhere" / "copy.db"
    with pytest.raises(StoreError) as error:
        back_up(f"sqlite:{source}", target)
    sentence = f"{source} could not be copied to {target}: No such file or directory."
    assert str(error.value) == sentence


@in_loop
async def test_what_is_wrong_with_a_copy_is_said(tmp_path: Path) -> None:
    source = await made(tmp_path / "m.db", *[bytes([number]) * 5000 for number in range(20)])
    foreign, newer, damaged = (tmp_path / f"{name}.db" for name in ("foreign", "newer", "damaged"))
    with closing(sqlite3.connect(foreign)) as log:
        log.execute("CREATE TABLE bookmarks (address TEXT)")
    back_up(f"sqlite:{source}", newer)
    with closing(sqlite3.connect(newer)) as log, log:
        log.execute("INSERT INTO schema_version VALUES (99)")
    back_up(f"sqlite:{source}", damaged)
    with damaged.open("r+b") as file:  # a page that is not read to count matches
        file.seek(-4096, 2)
        file.write(b"\xff" * 4096)
    for bad, sentence in (
        (foreign, "is not a database of a Trapline server"),
        (newer, "newer Trapline"),
        (damaged, f"{damaged} is damaged: "),
    ):
        with pytest.raises(StoreError, match=sentence):
            restore(bad, f"sqlite:{source}", replace=True)
    assert len(kept(source)) == 20
