"""The whole server under one seed: faults of every kind, and nothing is lost, doubled or shown."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import msgspec
import pytest

from tests.seeded import plan as plans
from tests.seeded import twins
from tests.seeded.faults import BEGIN
from tests.seeded.loop import ProcessLoop
from tests.seeded.planted import BUGS, LEAK, SLOWER, planted
from tests.seeded.shrink import shrink
from tests.seeded.stage import staged
from tests.seeded.world import World, in_folder, run
from tests.server.stores import Ears
from trapline.server.store import Listing, Store, StoreError, open_store, sqlite_writer

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator

    from tests.server import postgres as databases

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def stage() -> Iterator[None]:
    with staged():
        yield


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(start, start + 8) for start in (0, 8)], ids=str)
def test_nothing_goes_wrong_whatever_goes_wrong(stage: None, seeds: range) -> None:
    for seed in seeds:
        assert run(plans.make(seed)).fault == "", f"python -m tests.seeded --seed {seed}"


def test_sockets_are_simulated_down_to_their_bytes(stage: None) -> None:
    plans_of = [msgspec.structs.replace(plans.make(seed, 12), wired=True) for seed in range(4)]
    assert {plan.store for plan in plans_of} == {"sqlite", "postgres"}
    for plan in plans_of:
        assert run(plan).fault == "", plan.seed


def everywhere(seed: int, **way: bool) -> plans.Plan:
    """A small world in which everybody plays in this way."""
    plan = plans.make(seed, 12)
    stories = [
        msgspec.structs.replace(_passing(story), against="link", clocked=True, **way)
        for story in plan.stories
        if story.game in plans.LOCKABLE
    ]
    return msgspec.structs.replace(plan, stories=tuple(stories))


def _passing(story: plans.Story) -> plans.Story:
    """Every other Trap Builder asks devices for several places at once."""
    if story.game != "trap-builder" or story.number % 2:
        return story
    return msgspec.structs.replace(story, options={**story.options, "trigger": "passing"})


@pytest.mark.parametrize("way", ["streams", "locked"])
def test_streams_and_locked_matches_go_on_whatever_goes_wrong(stage: None, way: str) -> None:
    worlds = [everywhere(seed, **{way: True}) for seed in (0, 2, 7, 8)]
    assert {plan.store for plan in worlds} == {"sqlite", "postgres"}
    for plan in worlds:
        assert run(plan).fault == "", plan.seed


@pytest.mark.slow
@pytest.mark.parametrize("bug", [bug for bug in BUGS if bug.way], ids=lambda bug: bug.name)
def test_bugs_in_rarer_ways_are_found_by_who_plays_in_them(stage: None, bug: Any) -> None:
    with planted(bug):
        assert any(run(everywhere(seed, **{bug.way: True})).fault for seed in range(20))
        usual = {"streams": False, "locked": False}
        assert not any(run(everywhere(seed, **usual)).fault for seed in range(2))


def test_every_kind_of_fault_can_begin() -> None:
    assert set(BEGIN) == set(get_args(plans.Kind))
    drawn = {fault.kind for seed in range(200) for fault in plans.make(seed).faults}
    assert drawn == set(BEGIN)


def test_a_seed_replays_byte_for_byte_in_any_process() -> None:
    code = (
        "from tests.seeded import plan, stage, world\n"
        "with stage.staged():\n"
        "    for seed in (2, 3, 10):\n"
        "        print(world.run(plan.make(seed, 12)))"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": number, "PYTHONPATH": f"{ROOT}:{ROOT / 'src'}"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for number in ("1", "2")
    }
    assert len(seen) == 1, seen


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_every_bug_can_be_planted(bug: Any) -> None:
    """The source has changed since some were thought of; `python -m bench.planted` plants all."""
    with planted(bug):
        pass


@pytest.mark.parametrize("bug", BUGS[::11], ids=lambda bug: bug.name)
def test_planted_bugs_are_found(stage: None, bug: Any) -> None:
    with planted(bug):
        assert any(run(plans.make(seed)).fault for seed in range(40))


def test_a_failing_world_is_made_small_and_fails_again_from_its_file(stage: None) -> None:
    """Those before the second seed fail by many things at once, and stay large."""
    with planted(next(bug for bug in BUGS if bug.name == "a full disk is not noticed")):
        seed = next(seed for seed in range(2, 40) if run(plans.make(seed)).fault)
        large = plans.make(seed)
        small, ended, tried = shrink(large, run)
        assert len(small.stories) + len(small.faults) < len(large.stories) / 2
        assert tried > 1
        again = msgspec.json.decode(msgspec.json.encode(small), type=plans.Plan)
        assert run(again) == ended
    assert run(small).fault == ""


@pytest.mark.parametrize("seconds", [plans.AWAY + 1, plans.AWAY - 1], ids=["asleep", "running"])
def test_what_was_played_under_a_wrong_clock_does_not_expire_under_the_right_one(
    stage: None, seconds: float
) -> None:
    """A machine is set forty days back, asleep or as it runs, and later wakes up set right."""
    day = 86_400.0
    stories = tuple(
        plans.Story(number, 6.0 + number / 2, "secret-paths", {}, "link", 0, False, False)
        for number in range(8)
    )
    faults = (
        plans.Fault("clock", 3.0, seconds=seconds, much=-40 * day),
        plans.Fault("clock", 12.0, seconds=plans.AWAY + 1, much=40 * day),
    )
    assert run(plans.Plan(1, "sqlite", 1, stories, faults)).fault == ""


def test_nobody_loses_on_time_because_the_clock_was_set(stage: None) -> None:
    stories = tuple(
        plans.Story(number, 1.0 + number, "secret-paths", {}, "link", 0, clocked=True)
        for number in range(8)
    )
    faults = (plans.Fault("clock", 6.0, much=86_400.0), plans.Fault("clock", 9.0, much=3600.0))
    assert run(plans.Plan(1, "sqlite", 1, stories, faults)).fault == ""


@pytest.mark.parametrize("hours", [-1, 1, -960])
def test_nobody_loses_on_time_because_two_servers_disagree_about_it(
    stage: None, hours: int
) -> None:
    """Each of two servers on one database has a clock of its own; matches move between them."""
    stories = tuple(
        plans.Story(number, 1.0 + number, "secret-paths", {}, "link", 0, clocked=True)
        for number in range(8)
    )
    faults = (plans.Fault("clock", 3.0, who=1, much=3600.0 * hours), plans.Fault("cut", 6.0))
    assert run(plans.Plan(1, "postgres", 2, stories, faults)).fault == ""


# --- worlds that look alike --------------------------------------------------------------


def hiding(plan: plans.Plan) -> int:
    """A match of two people in which something is hidden, watched if any is."""
    stories = [
        (-story.watchers, story.number)
        for story in plan.stories
        if story.against in ("link", "here") and story.game != "numeric-maze"
    ]
    return min(stories)[1]


@pytest.mark.slow
def test_worlds_that_look_alike_send_alike(stage: None) -> None:
    compared = 0
    for seed in range(12):
        plan = plans.make(seed, 8)
        fault, messages = twins.compare(plan, hiding(plan))
        assert fault == "", seed
        compared += messages
    assert compared > 1000


def test_a_leak_is_found_even_where_the_referee_itself_leaks(stage: None) -> None:
    story = plans.Story(0, 1.0, "hidden-path", {"length": 6, "traps": 2}, "link", watchers=1)
    with planted(LEAK):
        fault, _ = twins.compare(plans.Plan(1, "sqlite", 1, (story,), ()), 0)
    assert "in one world" in fault


def test_what_is_gathered_for_a_commit_tells_nothing_that_is_hidden(
    stage: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for others where many came before it, whatever they hide; here one is many."""
    monkeypatch.setattr(sqlite_writer, "MANY", 1)
    waits: list[object] = []
    real = ProcessLoop.call_later

    def call_later(loop: ProcessLoop, delay: float, *rest: Any, **named: Any) -> Any:
        waits.extend([delay] if delay == sqlite_writer.GATHERING else [])
        return real(loop, delay, *rest, **named)

    monkeypatch.setattr(ProcessLoop, "call_later", call_later)
    stories = [
        plans.Story(number, 1.0, "hidden-path", {"length": 6, "traps": 2}, "link", watchers=0)
        for number in range(6)
    ]
    plan = plans.Plan(1, "sqlite", 1, tuple(stories), ())
    fault, messages = twins.compare(plan, 1)
    assert fault == ""
    assert messages > 50
    assert len(waits) > 10
    with planted(SLOWER):
        assert "in one world" in twins.compare(plan, 1)[0]


# --- the simulated database is like the real one -----------------------------------------


def script(seed: int) -> list[tuple[Any, ...]]:
    """Things to ask of a store, each with who of two asks it."""
    chance = random.Random(seed)
    steps: list[tuple[Any, ...]] = []
    for number in range(60):
        match, at = chance.choice(("a", "b", "c")), f"2026-01-01T00:00:{number:02}"
        steps.append(
            chance.choice(
                (
                    (
                        "append",
                        match,
                        chance.randint(1, 4),
                        b"%d" % number,
                        chance.random() < 0.3,
                        at,
                    ),
                    ("append", match, chance.randint(1, 4), b"%d" % number, False, at),
                    ("read", match, chance.randint(0, 2)),
                    ("summaries", chance.choice((None, True, False)), chance.choice((None, at))),
                    ("delete", match, chance.choice((None, at, "2026-01-01T00:00:05"))),
                    ("replace", match, chance.randint(1, 3), b"other"),
                    ("newest",),
                    ("listed", "challenge", 2),
                    ("missing", ["a", "b", "nobody"]),
                    ("fact", "name"),
                    ("keep_fact", "name", b"%d" % number, chance.random() < 0.5),
                )
            )
        )
    return steps


async def ask(store: Store, step: tuple[Any, ...]) -> Any:
    kind, *values = step
    if kind == "append":
        match, version, entry, over, at = values
        listing: Listing = "" if over else "challenge"
        return await store.append(
            match, version, entry, game="g", over=over, at=at, listing=listing
        )
    if kind == "summaries":
        return await store.summaries(over=values[0], changed_before=values[1], limit=2)
    if kind == "delete":
        return await store.delete([values[0], "nobody"], unchanged_since=values[1])
    if kind == "keep_fact":
        return await store.keep_fact(*values[:2], once=values[2])
    return await getattr(store, kind)(*values)


async def follow(url: str, steps: list[tuple[Any, ...]]) -> list[Any]:
    """What two stores on one database answer, and what each hears of the other."""
    stores, ears = [open_store(url), open_store(url)], [Ears(), Ears()]
    for store, ear in zip(stores, ears, strict=True):
        await store.open(ear.notice, ear.whispers.append)
    answers: list[Any] = []
    for number, step in enumerate(steps):
        try:
            answers.append(await ask(stores[number % 2], step))
        except StoreError as error:
            answers.append(f"{type(error).__name__}: {error}")
    for store in stores:  # after that there is nothing left to hear
        await store.say(b"good day")
    while not all(ear.whispers for ear in ears):
        await asyncio.sleep(0.01)
    for store in stores:
        await store.close()
    return [answers, [sorted(ear.notices) for ear in ears], [ear.whispers for ear in ears]]


def in_a_world(work: Coroutine[Any, Any, list[Any]]) -> list[Any]:
    """What comes of something that is done in a world where nothing else happens."""
    empty = plans.Plan(0, "postgres", 0, (), ())

    def finish(folder: Path) -> list[Any]:
        world = World(empty, folder, None)
        world.database.committed = lambda: None
        task = world.outside.start(work)
        with ExitStack() as tidy:
            tidy.callback(world.outside.bury)
            tidy.callback(world.outside.die)
            task.add_done_callback(lambda _: world.scheduler.stop())
            world.scheduler.run(1e6)
            done: list[Any] = task.result()
        return done

    with staged():
        return in_folder(finish)


def test_the_simulated_database_answers_as_the_real_one(postgres: databases.Server) -> None:
    for seed in range(5):
        steps = script(seed)
        real = asyncio.run(follow(postgres.new_database(f"seeded{seed}"), steps))
        simulated = in_a_world(follow("postgresql://simulated/world", steps))
        assert simulated == real
