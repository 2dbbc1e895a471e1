"""What both stores promise, tested in the same way for both."""

from __future__ import annotations

import asyncio
import itertools
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.server.stores import Ears, in_loop, opened, put
from trapline.server.store import Conflict, Store, StoreError, Summary, open_store

if TYPE_CHECKING:
    from collections.abc import Callable


@in_loop
async def test_entries_come_back_in_order_byte_for_byte(url: str) -> None:
    entries = [b"", bytes(range(256)), b"\0", "…".encode(), b"x" * 100_000, b""]
    async with opened(url) as store:
        for version, entry in enumerate(entries, 1):
            await put(store, "m", version, entry)
            assert await store.read("m") == entries[:version]
        assert await store.read("m", after=4) == entries[4:]
        assert await store.read("m", after=6) == []
    async with opened(url) as store:
        assert await store.read("m") == entries


@in_loop
async def test_a_match_nobody_opened_has_no_entries(url: str) -> None:
    async with opened(url) as store:
        for name in ("m", "", "a\0b", "\ud800", "é", "x" * 5000, "' OR 1=1"):
            assert await store.read(name) == []
            assert await store.delete([name]) == 0


@in_loop
async def test_a_name_that_not_every_database_can_carry_is_refused(url: str) -> None:
    async with opened(url) as store:
        for name in ("", "a\0b", "\ud800", "é", "x" * 65, "a b"):
            with pytest.raises(StoreError, match="1 to 64 letters"):
                await put(store, name, 1)
        assert await store.summaries() == []


@in_loop
async def test_of_many_who_write_the_same_version_one_wins(url: str) -> None:
    async with opened(url) as store, opened(url) as another:
        for version in (1, 2, 3):
            wishes = [
                put(writer, "m", version, b"%d %d" % (version, number))
                for number, writer in enumerate([store, another] * 20)
            ]
            answers = await asyncio.gather(*wishes, return_exceptions=True)
            winners = [number for number, answer in enumerate(answers) if answer is None]
            assert len(winners) == 1
            assert sum(isinstance(answer, Conflict) for answer in answers) == 39
            assert await store.read("m", after=version - 1) == [b"%d %d" % (version, winners[0])]


@in_loop
async def test_a_conflict_is_only_its_own(url: str) -> None:
    async with opened(url) as store:
        await put(store, "old", 1, b"first")
        answers = await asyncio.gather(
            *(put(store, f"m{number}", 1) for number in range(20)),
            put(store, "old", 1, b"second"),
            *(put(store, f"n{number}", 1) for number in range(20)),
            return_exceptions=True,
        )
        assert [type(answer) for answer in answers if answer is not None] == [Conflict]
        assert len(await store.summaries()) == 41
        assert await store.read("old") == [b"first"]
        assert (await store.summaries(over=False))[0].entries == 1


@in_loop
async def test_a_gap_is_refused_and_is_no_conflict(url: str) -> None:
    async with opened(url) as store:
        with pytest.raises(StoreError, match="no match m") as nothing:
            await put(store, "m", 2)
        await put(store, "m", 1)
        with pytest.raises(StoreError, match="3 of match m cannot follow version 1") as gap:
            await put(store, "m", 3)
        assert not isinstance(nothing.value, Conflict)
        assert not isinstance(gap.value, Conflict)
        with pytest.raises(Conflict):
            await put(store, "m", 0)
        assert await store.read("m") == [b"{}"]


@in_loop
async def test_versions_in_a_row_may_share_a_batch(url: str) -> None:
    async with opened(url) as store:
        times = [f"2026-01-0{day}T00:00:00.000Z" for day in range(1, 6)]
        await asyncio.gather(
            *(put(store, "m", day, b"%d" % day, at=at) for day, at in enumerate(times, 1))
        )
        assert await store.read("m") == [b"1", b"2", b"3", b"4", b"5"]
        (line,) = await store.summaries()
        assert line == Summary("m", "hidden-path", times[0], times[4], 5, over=False)


@in_loop
async def test_summaries_are_filtered_and_the_last_changed_comes_first(url: str) -> None:
    async with opened(url) as store:
        for number, (match, game) in enumerate({"a": "g1", "b": "g2", "c": "g1"}.items()):
            await put(store, match, 1, game=game, at=f"2026-01-01T00:00:0{number}.000Z")
        await put(store, "a", 2, game="g1", over=True, at="2026-01-01T00:00:09.000Z")

        async def names(**filters: object) -> str:
            return "".join(line.match for line in await store.summaries(**filters))  # type: ignore[arg-type]

        assert await names() == "acb"
        assert await names(over=True) == "a"
        assert await names(over=False) == "cb"
        assert await names(limit=2) == "ac"
        assert await names(changed_before="2026-01-01T00:00:02.000Z") == "b"
        assert await names(changed_before="2026-01-02", over=False, limit=1) == "c"
        assert (await store.summaries())[0] == Summary(
            "a", "g1", "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:09.000Z", 2, over=True
        )


@in_loop
async def test_deleted_matches_are_gone_and_may_be_opened_again(url: str) -> None:
    async with opened(url) as store:
        for match in ("a", "b", "c"):
            await put(store, match, 1, b"old")
            await put(store, match, 2, b"old")
        assert await store.delete(["a", "c", "nobody"]) == 2
        assert await store.delete([]) == 0
        assert await store.read("a") == []
        assert await store.read("b") == [b"old", b"old"]
        assert [line.match for line in await store.summaries()] == ["b"]
        with pytest.raises(StoreError, match="no match a"):
            await put(store, "a", 3)
        await put(store, "a", 1, b"new")
        assert await store.read("a") == [b"new"]


@in_loop
async def test_what_changed_since_is_not_deleted(url: str) -> None:
    async with opened(url) as store:
        for second, match in enumerate("abc"):
            await put(store, match, 1, at=f"2026-01-01T00:00:0{second}.000Z")
        await put(store, "a", 2, at="2026-01-01T00:00:09.000Z")
        assert await store.delete(list("abc"), unchanged_since="2026-01-01T00:00:02.000Z") == 1
        assert [len(await store.read(match)) for match in "abc"] == [2, 0, 1]
        assert [line.match for line in await store.summaries()] == ["a", "c"]


@in_loop
async def test_closing_writes_what_waits_and_then_refuses(url: str) -> None:
    store = open_store(url)
    async with opened(store):
        waiting = [asyncio.ensure_future(put(store, f"m{number}", 1)) for number in range(50)]
        await asyncio.sleep(0)
    assert await asyncio.gather(*waiting) == [None] * 50
    for refused in (put(store, "m", 1), store.read("m"), store.summaries(), store.delete(["m"])):
        with pytest.raises(StoreError, match="closed"):
            await refused
    async with opened(url) as again:
        assert len(await again.summaries()) == 50


@in_loop
async def test_who_comes_while_the_store_closes_is_not_left_waiting(url: str) -> None:
    async with opened(url) as store:
        early = asyncio.ensure_future(put(store, "early", 1))
        await asyncio.sleep(0)
        closing = asyncio.ensure_future(store.close())
        await asyncio.sleep(0)
        with pytest.raises(StoreError, match="closed"):
            await asyncio.wait_for(put(store, "late", 1), 20)
        await asyncio.gather(early, closing)


@in_loop
async def test_who_is_cancelled_does_not_disturb_the_others(url: str) -> None:
    async with opened(url) as store:
        tasks = [asyncio.ensure_future(put(store, f"m{number}", 1)) for number in range(10)]
        await asyncio.sleep(0)
        tasks[3].cancel()
        answers = await asyncio.gather(*tasks, return_exceptions=True)
        assert [number for number, answer in enumerate(answers) if answer is not None] == [3]


WISHES = st.lists(
    st.tuples(
        st.sampled_from(["append", "append", "append", "delete", "reopen"]),
        st.sampled_from("ab"),
        st.integers(-1, 2),
        st.binary(max_size=8),
        st.booleans(),
        st.integers(0, 3),
    ),
    max_size=25,
)


# Every example asks for a database of its own, so the fixture need not be made anew.
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(wishes=WISHES)
def test_a_store_does_what_a_dictionary_would(
    make_url: Callable[[], str],
    wishes: list[tuple[str, str, int, bytes, bool, int]],
) -> None:
    asyncio.run(_compare_with_a_dictionary(open_store(make_url()), wishes))


async def _compare_with_a_dictionary(
    store: Store, wishes: list[tuple[str, str, int, bytes, bool, int]]
) -> None:
    model: dict[str, list[tuple[bytes, bool, str]]] = {}
    await store.open(Ears().notice, Ears().whispers.append)
    for kind, match, offset, entry, over, second in wishes:
        kept = model.get(match, [])
        at = f"2026-01-01T00:00:0{second}.000Z"
        if kind == "append" and offset == 1:
            await put(store, match, len(kept) + 1, entry, over=over, at=at)
            model[match] = [*kept, (entry, over, at)]
        elif kind == "append":
            wanted = StoreError if offset > 1 else Conflict
            with pytest.raises(wanted):
                await put(store, match, len(kept) + offset, entry, over=over, at=at)
        elif kind == "delete":
            assert await store.delete([match, match]) == (model.pop(match, None) is not None)
        else:
            await store.close()
            await store.open(Ears().notice, Ears().whispers.append)
        for name in "ab":
            assert await store.read(name) == [entry for entry, _, _ in model.get(name, [])]
        lines = [
            Summary(name, "hidden-path", log[0][2], log[-1][2], len(log), over=log[-1][1])
            for name, log in sorted(model.items())
        ]
        lines.sort(key=lambda line: line.changed, reverse=True)
        assert await store.summaries() == lines
        assert await store.summaries(over=True) == [line for line in lines if line.over]
    await store.close()


APPENDER = """
import asyncio, itertools, sys
from trapline.server.store import open_store

async def keep(store, match):
    for version in itertools.count(1):
        await store.append(match, version, b"%d" % version, game="g", over=False, at="")
        sys.stdout.write(f"{match} {version}\\n")
        sys.stdout.flush()

async def main(url):
    store = open_store(url)
    await store.open(lambda match, version: None, lambda words: None)
    await asyncio.gather(*(keep(store, f"m{number}") for number in range(8)))

asyncio.run(main(sys.argv[1]))
"""


@in_loop
async def test_what_was_acknowledged_outlives_a_killed_process(url: str) -> None:
    acknowledged: dict[str, int] = {}
    with subprocess.Popen(
        [sys.executable, "-c", APPENDER, url], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for count, line in enumerate(process.stdout):
            if line.endswith("\n"):
                match, version = line.split()
                acknowledged[match] = int(version)
            if count == 300:
                process.kill()
    assert len(acknowledged) == 8
    async with opened(url) as store:
        for name, last in acknowledged.items():
            entries = await store.read(name)
            # One more may have been written before its acknowledgement was.
            assert len(entries) in (last, last + 1)
            assert entries == [b"%d" % number for number in range(1, len(entries) + 1)]
            await put(store, name, len(entries) + 1)


STARTER = """
import asyncio, sys
from trapline.server.store import open_store

async def main():
    store = open_store(sys.argv[1])
    sys.stdin.read(1)
    await store.open(lambda match, version: None, lambda words: None)
    await store.append(sys.argv[2], 1, b"", game="g", over=False, at="")
    await store.close()

asyncio.run(main())
"""


def start_together(url: str, count: int) -> None:
    """Several processes open the same empty database at the same moment."""
    processes = [
        subprocess.Popen([sys.executable, "-c", STARTER, url, f"m{n}"], stdin=subprocess.PIPE)
        for n in range(count)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"\n")
        process.stdin.close()
    assert [process.wait(60) for process in processes] == [0] * count


@in_loop
async def test_processes_that_start_together_make_the_tables_once(url: str) -> None:
    start_together(url, 3)
    async with opened(url) as store:
        assert len(await store.summaries()) == 3


@in_loop
async def test_a_match_that_is_deleted_while_it_goes_on_is_gone(url: str) -> None:
    async def go_on(store: Store, match: str) -> None:
        for version in itertools.count(2):
            await put(store, match, version)

    async with opened(url) as store, opened(url) as another:
        for attempt in range(5):
            names = [f"m{attempt}.{number}" for number in range(12)]
            await asyncio.gather(*(put(store, name, 1) for name in names))
            players = [asyncio.ensure_future(go_on(store, name)) for name in names]
            await asyncio.sleep(0.01)
            deletions = [another.delete(names[start : start + 3]) for start in range(0, 12, 3)]
            assert sum(await asyncio.gather(*deletions)) == 12
            for answer in await asyncio.gather(*players, return_exceptions=True):
                assert type(answer) is StoreError
            assert [await store.read(name) for name in names] == [[]] * 12
        assert await store.summaries() == []


def test_an_address_names_its_kind_of_database() -> None:
    with pytest.raises(StoreError, match="sqlite:PATH or postgresql://"):
        open_store("mysql://host/name")
    with pytest.raises(StoreError, match="needs the name of a file"):
        open_store("sqlite:")
