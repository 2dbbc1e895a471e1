"""What an operator can do with kept matches, by the real commands on a real database."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.server.stores import in_loop, opened, put
from tests.test_cli import trapline
from trapline.server import admin, log
from trapline.server.log import Act, Holder, Join, Open
from trapline.server.messages import ChooseSecret, Play, Resign
from trapline.server.room import Room
from trapline.server.store import Store, StoreError

if TYPE_CHECKING:
    from pathlib import Path

AT = "2026-01-01T00:00:00.000+00:00"
HOLDERS = (Holder("Ann", "a" * 64), Holder("Ben", "b" * 64))
SECRETS: list[log.AnyEntry] = [
    Open(AT, "hidden-path", {}, 1, False, HOLDERS),
    Act(AT, 1, "k1", ChooseSecret("4 7 9"), "00" * 32),
    Act(AT, 2, "k2", ChooseSecret("3 6 8"), "11" * 32),
]
FINISHED: list[log.AnyEntry] = [
    *SECRETS,
    Act(AT, 1, "k3", Play("2")),
    Act("2026-01-01T00:01:00.000+00:00", 2, "k4", Resign()),
]


async def keep(store: Store, match: str, entries: list[log.AnyEntry]) -> None:
    for version, entry in enumerate(entries, 1):
        over = Room.read(match, [log.encode(written) for written in entries[:version]]).over
        data = log.encode(entry)
        await put(store, match, version, data, over=over, at=entry.at)


async def fill(url: str) -> None:
    """Two finished matches, two unfinished ones, and one whose log makes no sense."""
    async with opened(url) as store:
        await keep(store, "finished1", FINISHED)
        await keep(store, "unfinished1", SECRETS)
        await keep(store, "finished2", FINISHED)
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        await keep(store, "unfinished2", [*SECRETS, Join(now, 2, Holder("Eve", "c" * 64))])
        await put(store, "broken", 1, b'{"entry": "join"}', over=True)


@in_loop
async def test_records_are_those_of_finished_matches(url: str) -> None:
    await fill(url)
    async with opened(url) as store:
        found = {match: record async for match, record in admin.records(store)}
        assert await admin.count_unfinished(store) == 2
    assert sorted(found) == ["broken", "finished1", "finished2"]
    assert str(found["broken"]).startswith("Match broken cannot be read: ")
    assert (
        found["finished1"] == Room.read("finished1", list(map(log.encode, FINISHED))).match.record()
    )


@in_loop
async def test_only_unfinished_matches_expire_and_only_old_ones(url: str) -> None:
    await fill(url)
    async with opened(url) as store:
        assert await admin.expire(store, timedelta(days=36500)) == 0
        assert await admin.expire(store, timedelta(days=1)) == 1
        assert await admin.expire(store, timedelta(days=1)) == 0
        left = {line.match for line in await store.summaries()}
        assert left == {"finished1", "finished2", "unfinished2", "broken"}
        assert await store.read("unfinished1") == []


@in_loop
async def test_a_match_that_goes_on_while_others_expire_stays(url: str) -> None:
    class Late:
        """A store in which somebody makes a move between the list and the deletion."""

        def __init__(self, store: Store) -> None:
            self.summaries = store.summaries
            self._store = store

        async def delete(self, matches: list[str], *, unchanged_since: str) -> int:
            await put(self._store, "m", 2, at="2999-01-01T00:00:00.000+00:00")
            return await self._store.delete(matches, unchanged_since=unchanged_since)

    async with opened(url) as store:
        await put(store, "m", 1, at=AT)
        assert await admin.expire(Late(store), timedelta(days=1)) == 0  # type: ignore[arg-type]
        assert len(await store.read("m")) == 2


@in_loop
async def test_more_matches_expire_than_one_list_holds(url: str) -> None:
    async with opened(url) as store:
        await asyncio.gather(*(put(store, f"m{number}", 1, at=AT) for number in range(1100)))
        assert await admin.expire(store, timedelta(days=1)) == 1100
        assert await store.summaries() == []


def test_the_commands(tmp_path: Path) -> None:
    url, file = f"sqlite:{tmp_path}/m.db", tmp_path / "out.jsonl"
    asyncio.run(fill(url))
    where = {"TRAPLINE_DATABASE": url}
    listed = trapline("admin", "list", environment=where).stdout.splitlines()
    assert len(listed) == 5
    newest = [line for line in listed if "unfinished2" in line]
    assert newest == listed[:1]
    assert newest[0].endswith("hidden-path   unfinished")

    done = trapline("admin", "export", str(file), "--database", url)
    said = done.stderr.splitlines()
    assert said[0].startswith("Match broken cannot be read: ")
    assert said[1:] == ["Exported 2 finished matches; left out 2 unfinished matches."]
    assert done.returncode == 1, "one could not be read"
    assert trapline("admin", "export", environment=where).stdout == file.read_text("utf-8")
    answers = trapline("replay", str(file), "--json")
    assert [json.loads(line)["outcome"]["winner"] for line in answers.stdout.splitlines()] == [1, 1]
    assert {json.loads(line)["id"] for line in file.read_text("utf-8").splitlines()} == {
        "finished1",
        "finished2",
    }

    assert "Deleted 1 unfinished match." in trapline("admin", "expire", environment=where).stdout
    done = trapline("admin", "delete", "broken", "finished1", "nobody", environment=where)
    assert (done.stdout, done.returncode) == ("Deleted 2 of 3 matches.\n", 1)
    assert len(trapline("admin", "list", environment=where).stdout.splitlines()) == 2


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    url = f"sqlite:{tmp_path}/slip.db"
    done = trapline("admin", "list", "--database", url)
    assert (done.stdout, done.returncode) == ("", 2)
    assert done.stderr == f"trapline: There is no database {url}; --database says where it is.\n"
    assert not (tmp_path / "slip.db").exists()


@pytest.mark.parametrize("command", ["player", "forget"])
@pytest.mark.parametrize("given", ["", "\n", "hunter2\n", "x" * 44 + "\n"])
def test_what_is_no_key_is_told_so_and_not_repeated(
    tmp_path: Path, command: str, given: str
) -> None:
    """Whoever wants to be forgotten must not hear of nothing deleted because of a slip."""
    done = trapline("admin", command, "--database", f"sqlite:{tmp_path}/any.db", given=given)
    assert (done.stdout, done.returncode) == ("", 2)
    assert done.stderr.startswith("trapline: This is no player's key: ")
    assert not given.strip() or given.strip() not in done.stderr


def test_a_password_is_not_repeated(tmp_path: Path) -> None:
    async def try_to_open() -> None:
        async with admin.opened("postgresql://ann:hush@host:port/name"):
            pass

    with pytest.raises(StoreError) as error:
        asyncio.run(try_to_open())
    assert "hush" not in str(error.value)
