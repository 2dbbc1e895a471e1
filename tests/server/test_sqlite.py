"""What only a store in a file can meet: full disks, foreign files, other programs."""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import sqlite3
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.server.stores import Ears, in_loop, opened, put
from trapline.server.store import Store, StoreError, sqlite_files
from trapline.server.store.sqlite import SQLiteStore
from trapline.server.store.sqlite_files import ROOM, STEP, Files, sync_folder
from trapline.server.store.sqlite_writer import MANY, MOST_ROWS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


async def put_many(store: Store, prefix: str, entry: bytes) -> list[BaseException | None]:
    wishes = (put(store, f"{prefix}{number}", 1, entry) for number in range(20))
    return await asyncio.gather(*wishes, return_exceptions=True)


@in_loop
async def test_nothing_is_half_written_when_there_is_no_room(tmp_path: Path) -> None:
    store = SQLiteStore(f"{tmp_path}/m.db")
    async with opened(store):
        await put(store, "before", 1)
        assert store._writer is not None
        log = store._writer._log
        log.execute(f"PRAGMA max_page_count = {log.execute('PRAGMA page_count').fetchone()[0]}")
        answers = await put_many(store, "m", b"x" * 5000)
        assert {str(answer) for answer in answers} == {
            f"There is no room left for {tmp_path}/m.db; nothing was saved."
        }
        assert all(type(answer) is StoreError for answer in answers)
        assert [line.match for line in await store.summaries()] == ["before"]
        log.execute("PRAGMA max_page_count = 100000")
        assert await put_many(store, "m", b"x" * 5000) == [None] * 20
        assert len(await store.summaries()) == 21


@in_loop
async def test_more_comes_at_once_than_one_statement_holds(tmp_path: Path) -> None:
    names = [f"m{number}" for number in range(2 * MOST_ROWS + 1)]
    async with opened(f"sqlite:{tmp_path}/m.db") as store:
        await asyncio.gather(*(put(store, name, 1, name.encode()) for name in names))
        assert {line.match for line in await store.summaries()} == {*names}
        assert [await store.read(name) for name in names] == [[name.encode()] for name in names]


@in_loop
async def test_who_closes_has_written_everything_and_makes_way_for_another(tmp_path: Path) -> None:
    """Daemons die with their process: what a thread had still to write would be lost."""
    name = f"{tmp_path}/m.db"
    store, following = SQLiteStore(name, serving=True), SQLiteStore(name, serving=True)
    async with opened(store):
        assert store._writer is not None
        writing = store._writer._thread
        wish = asyncio.ensure_future(put(store, "last", 1))
        await asyncio.sleep(0)
    assert not writing.is_alive()
    await wish
    async with opened(following):
        assert [line.match for line in await following.summaries()] == ["last"]


@in_loop
async def test_where_many_write_they_share_a_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No time passes here: what would ring later rings when the test says so."""
    store, loop = SQLiteStore(f"{tmp_path}/m.db"), asyncio.get_running_loop()
    alarms: list[tuple[float, Callable[[], None]]] = []
    async with opened(store):
        assert store._writer is not None
        said: list[str] = []
        store._writer._log.set_trace_callback(said.append)
        monkeypatch.setattr(loop, "call_later", lambda *alarm: alarms.append(alarm))
        for number in range(2 * MANY):
            await put(store, f"single{number}", 1)
        assert said.count("COMMIT") == 2 * MANY
        assert not alarms, "who is alone does not wait"
        await asyncio.gather(*(put(store, f"first{number}", 1) for number in range(MANY)))
        assert said.count("COMMIT") == 2 * MANY + 1
        waiting = []
        for number in range(5):  # not in one turn of the loop, but one soon after the other
            waiting.append(asyncio.ensure_future(put(store, f"second{number}", 1)))
            for _ in range(5):
                await asyncio.sleep(0)
        assert not any(one.done() for one in waiting)
        ((delay, ring),) = alarms
        assert 0 < delay <= 0.003, "a move must not be late for it"
        ring()
        await asyncio.gather(*waiting)
        assert said.count("COMMIT") == 2 * MANY + 2
        await put(store, "quiet", 1)
        assert len(alarms) == 1, "fewer came than are many, so nobody waits any more"
        monkeypatch.undo()


@in_loop
async def test_what_another_program_deletes_is_not_written_to(tmp_path: Path) -> None:
    """The writer remembers which version comes next, as long as nobody else has written."""
    url = f"sqlite:{tmp_path}/m.db"
    async with opened(url) as store, opened(url) as other:
        await put(store, "m", 1)
        await put(store, "m", 2)
        assert await other.delete(["m"]) == 1
        with pytest.raises(StoreError, match="There is no match m"):
            await put(store, "m", 3)
        await put(store, "m", 1, b"anew")
        assert await store.read("m") == [b"anew"]


@contextmanager
def files_at_most(size: int) -> Iterator[None]:
    """The system refuses to let any file of this process grow beyond `size`."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@in_loop
async def test_a_write_that_the_system_refuses_harms_nothing(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    async with opened(f"sqlite:{path}") as store:
        await put(store, "before", 1)
        with files_at_most((tmp_path / "m.db-wal").stat().st_size + 8192):
            answers = await put_many(store, "m", b"x" * 5000)
        assert all(type(answer) is StoreError for answer in answers)
        assert f"{path} could not be read or written" in str(answers[0])
        assert [line.match for line in await store.summaries()] == ["before"]
        assert await put_many(store, "m", b"x" * 5000) == [None] * 20
    async with opened(f"sqlite:{path}") as store:
        assert len(await store.summaries()) == 21
        assert await store.read("m7") == [b"x" * 5000]


@in_loop
async def test_room_in_the_log_changes_nothing_of_what_is_read(tmp_path: Path) -> None:
    path, killed = tmp_path / "m.db", tmp_path / "killed.db"
    entries = [b"x" * size for size in (5000, 1, 30_000)]
    async with opened(SQLiteStore(str(path))) as store:
        await put(store, "m", 1, entries[0])
    async with opened(SQLiteStore(str(path))) as store:  # its log is empty
        Files(path).make_room()
        assert (tmp_path / "m.db-wal").stat().st_size >= ROOM
        async with opened(SQLiteStore(str(path))) as beside:
            assert await beside.read("m") == entries[:1]
        for version, entry in enumerate(entries[1:], 2):
            await put(store, "m", version, entry)
        for ending in ("", "-wal"):  # as somebody finds them after the server was killed
            shutil.copy(f"{path}{ending}", f"{killed}{ending}")
    for left in (path, killed):
        async with opened(SQLiteStore(str(left))) as store:
            assert await store.read("m") == entries
            await put(store, "m", 4)


@in_loop
async def test_what_is_written_while_room_is_made_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Room for so little that it is needed before it is there."""
    monkeypatch.setattr(sqlite_files, "STEP", 4096)
    path = tmp_path / "m.db"
    async with opened(SQLiteStore(str(path))) as store:
        making = asyncio.create_task(asyncio.to_thread(Files(path).make_room))
        for version in range(1, 60):
            await put(store, "m", version, bytes([version]) * 9000)
        monkeypatch.setattr(sqlite_files, "ROOM", 0)
        await making
        shutil.copy(path, tmp_path / "killed.db")
        shutil.copy(f"{path}-wal", tmp_path / "killed.db-wal")
    async with opened(SQLiteStore(f"{tmp_path}/killed.db")) as store:
        assert await store.read("m") == [bytes([version]) * 9000 for version in range(1, 60)]


@in_loop
async def test_where_a_disk_has_little_left_no_room_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_files, "PLENTY", 1 << 40)
    path = tmp_path / "m.db"
    async with opened(SQLiteStore(str(path))) as store:
        await put(store, "m", 1)
        Files(path).make_room()
        assert (tmp_path / "m.db-wal").stat().st_size < STEP


def test_room_is_made_without_keeping_a_file_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_files, "ROOM", STEP)
    grown = tmp_path / "m.db-wal"
    grown.touch()
    before = next_handle()
    Files(tmp_path / "m.db").make_room()
    assert grown.stat().st_size == STEP
    assert next_handle() == before


def next_handle() -> int:
    """The number that the next file gets which this process opens: the smallest that is free."""
    handle = os.open(os.devnull, os.O_RDONLY)
    os.close(handle)
    return handle


@in_loop
async def test_whoever_closes_makes_no_room_any_more(tmp_path: Path) -> None:
    store = SQLiteStore(f"{tmp_path}/m.db", serving=True)
    async with opened(store):
        later = store._files._later
        assert later is not None
        assert not later.finished.is_set()
    assert later.finished.is_set()


@in_loop
async def test_a_folder_in_which_nothing_can_be_locked_is_said(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    (tmp_path / "m.db.lock").mkdir()
    store = SQLiteStore(str(path), serving=True)
    with pytest.raises(StoreError) as error:
        await store.open(Ears().notice, Ears().whispers.append)
    assert str(error.value) == f"{tmp_path} cannot be written: Is a directory."


@in_loop
async def test_nobody_but_the_owner_may_read_the_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "m.db"
    mask = os.umask(0)
    try:
        async with opened(f"sqlite:{path}") as store:
            await put(store, "m", 1)
            modes = {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
            assert len(list(path.parent.iterdir())) == 3
    finally:
        os.umask(mask)
    assert modes == {0o600}


async def refused(path: Path) -> str:
    with pytest.raises(StoreError) as error:
        await SQLiteStore(str(path), patience=0.05).open(Ears().notice, Ears().whispers.append)
    return str(error.value)


@in_loop
async def test_what_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann, " * 1000)
    assert await refused(path) == f"{path} is not a database; give the name of a new file."
    assert path.read_text() == "Dear Ann, " * 1000
    assert "Is a directory" in await refused(tmp_path)
    assert await refused(path / "m.db") == f"{path} is a file, so it cannot hold one."
    assert "cannot be made or opened: Not a directory" in await refused(path / "deeper" / "m.db")


@in_loop
async def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "bookmarks.db"
    with sqlite3.connect(path) as log:
        log.execute("CREATE TABLE bookmarks (address TEXT)")
    log.close()
    assert await refused(path) == f"{path} is a database of another program."
    with sqlite3.connect(path) as log:
        assert log.execute("SELECT name FROM sqlite_master").fetchall() == [("bookmarks",)]
    log.close()


@in_loop
async def test_a_database_of_a_newer_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    async with opened(f"sqlite:{path}"):
        pass
    with sqlite3.connect(path) as log:
        log.execute("INSERT INTO schema_version VALUES (99)")
    log.close()
    before = path.read_bytes()
    assert "made by a newer Trapline (its tables are version 99" in await refused(path)
    assert path.read_bytes() == before


@in_loop
async def test_another_program_that_holds_the_file_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    store = SQLiteStore(str(path), patience=0.3)
    async with opened(store):
        await put(store, "m", 1)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        assert "Another program is writing" in await refused(path)
        wish = asyncio.ensure_future(put(store, "m", 2))
        assert await store.read("m") == [b"{}"], "reading goes on while a writer waits"
        with pytest.raises(StoreError, match="Another program is writing"):
            await wish
        wish = asyncio.ensure_future(put(store, "m", 2))
        await asyncio.sleep(0.05)
        other.execute("ROLLBACK")
        other.close()
        await wish
        assert len(await store.read("m")) == 2


def test_a_new_file_is_on_disk_with_its_folders_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it a power cut takes the file with every move in it."""
    synced: list[bool] = []
    real = os.fsync

    def note(handle: int) -> None:
        synced.append(stat.S_ISDIR(os.fstat(handle).st_mode))
        real(handle)

    monkeypatch.setattr(os, "fsync", note)
    sync_folder(tmp_path)
    assert synced == [True]
