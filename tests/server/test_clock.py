"""The clock: decided by the server, the same after a restart, and silent about what is hidden."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.rooms import KEYS, opened, read_again
from tests.server.walls import EACH, NOON, SUDDEN, Wall
from trapline.core import SEATS, Outcome, Reason
from trapline.referee import parse_record, verify
from trapline.server.log import Act
from trapline.server.messages import (
    Clock,
    NewMatch,
    Play,
    Rematch,
    Request,
    Resign,
    TimeLimit,
)
from trapline.server.room import Room
from trapline.server.timing import as_time, deadline, late
from trapline.server.viewing import VIEWERS

if TYPE_CHECKING:
    from trapline.core import Seat
    from trapline.server import log


class Timed:
    """A room with a clock, and the log of it."""

    def __init__(self, game: str, limit: TimeLimit, against: str = "link", **options: Any) -> None:
        bot = against not in ("link", "here")
        opening = opened(NewMatch(game, against, options, 1, clock=limit), bot=bot)
        self.room = Room("0" * 16, opening)
        self.log: list[log.AnyEntry] = [opening]
        self._number = 0

    def join(self) -> None:
        self.log.append(self.room.join(self.room.opening.code or "", "Ben", KEYS[2]))

    def play(self, seat: Seat, text: str) -> None:
        self._number += 1
        request = Request(f"k{self._number}", self.room.version(seat), Play(text))
        entry = self.room.act(seat, request)
        assert entry is not None
        self.log.append(entry)

    @property
    def clocks(self) -> tuple[Any, Any]:
        """For whom time runs, and how much everybody had."""
        return self.clock.running, self.clock.left

    @property
    def clock(self) -> Clock:
        clock = self.room.clock
        assert clock is not None
        return clock


def test_a_clock_runs_for_whoever_is_to_move(wall: Wall) -> None:
    timed = Timed("numeric-maze", SUDDEN)
    assert timed.clock.running == ()
    wall.seconds = 100
    timed.join()
    assert timed.clocks == ((1,), (60_000, 60_000))
    wall.seconds = 110
    timed.play(1, "2")
    assert timed.clocks == ((2,), (50_000, 60_000))
    wall.seconds = 125
    timed.play(2, "2")
    assert timed.clocks == ((1,), (50_000, 45_000))
    assert deadline(timed.clock) == NOON + 175_000
    assert read_again(timed.room, timed.log).clock == timed.clock


def test_a_clock_for_each_move_begins_anew(wall: Wall) -> None:
    timed = Timed("numeric-maze", EACH, "here")
    wall.seconds = 29
    timed.play(1, "2")
    assert timed.clock.left == (30_000, 30_000)
    assert late(timed.clock, as_time(NOON + 58_999)) == ()
    assert late(timed.clock, as_time(NOON + 59_000)) == (2,)


def test_while_both_choose_both_clocks_run(wall: Wall) -> None:
    timed = Timed("hidden-path", SUDDEN, "here")
    assert timed.clock.running == SEATS
    assert late(timed.clock, as_time(NOON + 60_000)) == SEATS
    wall.seconds = 20
    timed.play(2, "3 6 8")
    assert timed.clocks == ((1,), (40_000, 40_000))
    wall.seconds = 30
    timed.play(1, "4 7 9")
    assert timed.clocks == ((1,), (30_000, 40_000))


def test_the_computer_has_no_clock(wall: Wall) -> None:
    timed = Timed("numeric-maze", SUDDEN, "casual")
    wall.seconds = 5
    timed.play(1, "2")
    assert timed.clocks == ((), (55_000, None))
    wall.seconds = 10_000
    assert late(timed.clock, wall()) == ()


def test_a_machine_whose_clock_is_set_back_takes_nobodys_time(wall: Wall) -> None:
    timed = Timed("numeric-maze", SUDDEN, "here")
    wall.seconds = -3600
    timed.play(1, "2")
    assert timed.clock.left == (60_000, 60_000)


def test_a_match_that_ended_by_the_clock_proves_itself(wall: Wall) -> None:
    timed = Timed("hidden-path", SUDDEN, "here")
    timed.play(1, "4 7 9")
    wall.seconds = 60
    timed.log.append(asyncio.run(timed.room.call_time((2,))))
    assert timed.room.match.outcome == Outcome(1, Reason.TIME)
    assert timed.room.clock
    assert timed.room.clock.running == ()
    state = timed.room.state(1)
    assert state.words
    assert state.words.ending == ["Player 2's time is up. Player 1 wins the game!"]
    record = parse_record(timed.room.record())
    assert record.result == Outcome(1, Reason.TIME)
    assert not [finding for finding in verify(record) if finding.fault]
    assert read_again(timed.room, timed.log).state(None) == timed.room.state(None)


def test_where_both_are_late_nobody_wins(wall: Wall) -> None:
    timed = Timed("hidden-path", SUDDEN, "here")
    asyncio.run(timed.room.call_time(SEATS))
    state = timed.room.state(1)
    assert state.words
    assert state.words.ending == ["The game is drawn: the time of both players is up."]


TIMES = re.compile(rb'"(since|time)":"[^"]*"')


@pytest.mark.parametrize("limit", [SUDDEN, EACH])
def test_a_clock_tells_nothing_of_what_a_turn_holds(wall: Wall, limit: TimeLimit) -> None:
    """Whoever waits is sent the same bytes at the same times, however a turn was answered."""
    heard: list[list[tuple[int, bytes]]] = []
    for answers in ([(3, "1t")], [(1, "1"), (3, "t")], [(2.5, "1"), (3, "n")]):
        wall.seconds = 0
        timed = Timed("trap-runner", limit, length=6, max_step=2)
        timed.join()
        timed.play(1, "1")
        timed.play(2, "1")
        sent: list[tuple[int, bytes]] = []
        for seconds, text in answers:
            wall.seconds = seconds
            timed.play(1, text)
            for viewer in (2, None):
                version = timed.room.version(viewer)
                clean = timed.room.frame(viewer, 0).split(b'"commitments"')
                rest = clean[1].split(b"}", 1)[1]  # seals differ by their salt
                sent.append((version, clean[0] + rest))
        heard.append(sent[-2:])
        if len(answers) > 1:  # in the middle of the turn nothing was to be seen
            assert [version for version, _ in sent[:2]] == [v - 1 for v, _ in sent[2:]]
    assert all(other == heard[0] for other in heard)


def test_a_clock_is_asked_for_in_bounds(server: Any) -> None:
    wanted: dict[str, Any] = {"game": "numeric-maze", "against": "here"}
    with server.client() as client:
        for seconds in (0, -1, 1_300_000, 1.5, "1"):
            clock = {"kind": "per move", "seconds": seconds}
            answer = client.post("/api/matches", json={**wanted, "clock": clock})
            assert answer.status_code == 400, seconds
            assert "clock" in answer.json()["sentence"]
        clock = {"kind": "per move", "seconds": 259_200}
        match = client.post("/api/matches", json={**wanted, "clock": clock}).json()["match"]
        assert client.get(f"/api/matches/{match}").json()["clock"]["seconds"] == 259_200


def test_viewers_have_a_clock_each() -> None:
    """All who look are shown the same time."""
    timed = Timed("numeric-maze", SUDDEN, "here")
    shown = {timed.room.state(viewer).table.clock for viewer in VIEWERS}
    assert len(shown) == 1


@pytest.mark.parametrize(
    ("left", "whose"), [((1000, 5000), (1,)), ((5000, 1000), (2,)), ((1000, 1000), (1, 2))]
)
def test_of_two_who_think_at_once_who_had_less_has_lost(
    left: tuple[int, int], whose: tuple[Seat, ...]
) -> None:
    clock = Clock("sudden death", 60, left, (1, 2), as_time(NOON))
    assert late(clock, as_time(NOON + 999)) == ()
    assert late(clock, as_time(NOON + 1000)) == whose
    assert late(clock, as_time(NOON + 9000)) == whose


@pytest.mark.parametrize("against", ["link", "here"])
def test_what_passes_between_a_match_and_its_rematch_is_nobodys(wall: Wall, against: Any) -> None:
    """Players talk, think it over, or come back the next day: only then the next clock begins."""
    opening = opened(NewMatch("numeric-maze", against, {}, 1, clock=SUDDEN))
    room = Room("0" * 16, opening)
    if against == "link":
        room.join(opening.code or "", "Ben", KEYS[2])
    room.act(1, Request("k", room.version(1), Resign()))
    asking: tuple[tuple[int, Seat], ...] = ((600, 1), (3600, 2), (3700, 2))
    for seconds, seat in asking:  # the last asks once more, as logs of earlier versions may have it
        wall.seconds = seconds
        room.add(Act(wall(), seat, f"again {seconds}", Rematch(), "0" * 64))
    agreed = 600 if against == "here" else 3600
    following = room.next_match()
    assert following is not None
    rematch = Room(*following)
    assert deadline(rematch.clock) == NOON + 1000 * (agreed + SUDDEN.seconds)
