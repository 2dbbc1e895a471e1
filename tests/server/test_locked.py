"""Matches whose secrets stay on the players' own devices, as the server holds them."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests.locked.playing import drawn_salt
from tests.server.rooms import KEYS, opened, read_again, seal
from tests.server.stores import in_loop
from tests.server.stores import opened as open_store
from tests.server.walls import NOON, Wall
from trapline.core import SEATS, OptionsError, Outcome, Reason, other
from trapline.referee import parse_record, verify
from trapline.referee.locked.device import Device
from trapline.server import log, messages
from trapline.server.hub import Hub
from trapline.server.messages import Lock, NewMatch, OpenPlace, OpenRest, Play, Request, TimeLimit
from trapline.server.offers import Offers, settled
from trapline.server.refusals import CountedRefusal, Refusal
from trapline.server.room import Room
from trapline.server.settings import Settings
from trapline.server.store.sqlite import SQLiteStore
from trapline.server.timing import as_time, late
from trapline.server.viewing import VIEWERS

if TYPE_CHECKING:
    from pathlib import Path

    from trapline.core import Seat, Viewer
    from trapline.server.messages import Locked

SUDDEN = TimeLimit("sudden death", 90)
SECRETS: dict[str, tuple[Any, Any]] = {
    "hidden-path": ([2, 6, 8], [3, 5, 9]),
    "trap-builder": ([1, 2, 9], [4, 5, 8]),
    "secret-paths": ([5, 2], [1, 4]),
}


class Table:
    """A room, its log, what viewers were sent, and the devices of both players."""

    def __init__(self, game: str, secrets: tuple[Any, Any], limit: TimeLimit = SUDDEN) -> None:
        opening = opened(NewMatch(game, "link", {}, 1, clock=limit, locked=True))
        self.room = Room("0" * 16, opening)
        self.log: list[log.AnyEntry] = [opening]
        self.sent: list[list[bytes]] = []
        self._number = 0
        rng = Random(0)
        self.devices: dict[Seat, Device] = {}
        for seat, secret in zip(SEATS, secrets, strict=True):
            salt = partial(drawn_salt, rng)
            self.devices[seat] = Device(self.room.game, self.room.id, seat, secret, salt=salt)
        self.log.append(self.room.join(opening.code or "", "Ben", KEYS[2]))

    def act(self, seat: Seat, command: messages.AnyCommand) -> None:
        self._number += 1
        request = Request(f"k{self._number}", self.room.version(seat), command)
        try:
            entry = self.room.act(seat, request)
        except CountedRefusal as refusal:
            self.log.append(refusal.entry)
            raise
        assert entry is not None
        self.log.append(entry)
        self.sent.append([seal(msgspec.json.encode(self.room.state(v))) for v in VIEWERS])

    def lock(self) -> None:
        for seat, device in self.devices.items():
            self.act(seat, Lock(tuple(device.locks())))

    @property
    def locked(self) -> Locked:
        locked = self.room.state(None).table.locked
        assert locked is not None
        return locked

    def answer(self) -> None:
        """Let devices open what they are asked for."""
        while (asked := self.locked.awaited) is not None:
            self.act(asked.seat, OpenPlace(*self.devices[asked.seat].open(asked.place, asked.turn)))
        for seat in self.locked.opening:
            told = [one.place for one in self.locked.opened if one.seat == seat]
            holds, salts = self.devices[seat].rest(told)
            self.act(seat, OpenRest(tuple(holds), tuple(salts)))

    def move(self, rng: Random) -> None:
        seat = self.room.match.to_move
        assert seat is not None
        question = self.room.view(seat).question
        assert question is not None
        self.act(seat, Play(question.text(question.random(rng))))

    def ring(self, wall: Wall) -> tuple[Seat, ...]:
        """What the server does when somebody's time is up: whose it was."""
        seats = late(self.room.clock, wall())
        if seats:
            entry = log.Late(wall(), seats)
            self.room.add(entry)
            self.log.append(entry)
        return seats

    def faults(self) -> list[str]:
        return [check.fault for check in verify(parse_record(self.room.record())) if check.fault]


@pytest.mark.parametrize("game", SECRETS)
def test_a_locked_match_proves_itself_and_its_log_makes_it_again(game: str) -> None:
    for seed in range(4):
        table, rng = Table(game, SECRETS[game]), Random(seed)
        table.lock()
        while not table.room.over:
            table.move(rng)
            table.answer()
        assert table.faults() == []
        again = read_again(table.room, table.log)
        assert again.record() == table.room.record()
        assert again.state(1) == table.room.state(1)
        assert table.room.frames().frames[-1].board == table.room.state(None).words.board  # type: ignore[union-attr]  # not plain


@pytest.mark.usefixtures("wall")
@pytest.mark.parametrize("game", SECRETS)
def test_nothing_that_is_kept_or_sent_depends_on_what_is_hidden(game: str) -> None:
    """Two worlds with other secrets: log and messages are the same until a place is opened."""
    one, two = SECRETS[game]
    for seed in range(3):
        worlds = [Table(game, secrets) for secrets in ((one, two), _others(game))]
        for table in worlds:
            table.lock()
            table.move(Random(seed))
        (log_1, sent_1), (log_2, sent_2) = ((_kept(t), t.sent) for t in worlds)
        assert log_1 == log_2
        assert sent_1 == sent_2


def _others(game: str) -> tuple[Any, Any]:
    return ([5, 3], [1, 1]) if game == "secret-paths" else ([3, 4, 7], [1, 2, 6])


def _kept(table: Table) -> list[bytes]:
    """The log as it is on disk, without times, codes and what commitments were."""
    entries = [msgspec.structs.replace(entry, at="") for entry in table.log]
    opening = msgspec.structs.replace(entries[0], code="")
    return [seal(log.encode(entry)) for entry in (opening, *entries[1:])]


def test_a_wrong_opening_is_refused_and_stays_in_the_log_as_evidence() -> None:
    table = Table("hidden-path", SECRETS["hidden-path"])
    table.lock()
    table.act(1, Play("3"))
    before = table.room.state(None)
    place, holds, salt = table.devices[2].open("3", 0)
    with pytest.raises(Refusal, match="does not open step 3"):
        table.act(2, OpenPlace(place, not holds, salt))
    assert table.room.state(None) == before
    table.answer()
    table.act(1, messages.Resign())
    table.answer()
    blame = "Player 2 tried to open step 3 as empty, against the commitment"
    assert table.faults() == [blame]
    assert read_again(table.room, table.log).record() == table.room.record()


def test_who_stalls_an_opening_loses_by_the_servers_clock_and_is_named(wall: Wall) -> None:
    table = Table("hidden-path", SECRETS["hidden-path"])
    table.lock()
    wall.seconds = 10
    table.act(1, Play("1"))
    clock = table.room.clock
    assert clock is not None
    assert clock.running == (2,)
    wall.seconds = 99.9
    assert table.ring(wall) == ()
    wall.seconds = 100
    assert table.ring(wall) == (2,)
    table_1 = table.devices[1]
    table.act(1, OpenRest(*map(tuple, table_1.rest(()))))  # type: ignore[arg-type]  # bits, salts
    wall.seconds = 200
    assert table.ring(wall) == (2,)
    assert table.room.match.outcome == Outcome(1, Reason.UNOPENED)
    found = table.faults()
    assert "Player 2 did not open step 1 in the time allowed" in found
    assert not any("Player 1" in fault for fault in found)
    assert read_again(table.room, table.log).record() == table.room.record()


def test_what_a_device_takes_is_not_taken_off_a_players_time(wall: Wall) -> None:
    table = Table("hidden-path", SECRETS["hidden-path"], TimeLimit("sudden death", 5))
    table.lock()
    wall.seconds = 4
    table.act(1, Play("1"))
    wall.seconds = 30  # a slow device: it has a minute
    table.answer()
    clock = table.room.clock
    assert clock is not None
    assert (clock.running, clock.left) == ((2,), (1_000, 5_000))
    assert late(clock, as_time(NOON + 34_999)) == ()
    assert late(clock, as_time(NOON + 35_000)) == (2,)


def test_whoever_has_run_out_of_time_may_still_open_what_was_hidden(wall: Wall) -> None:
    table = Table("trap-builder", SECRETS["trap-builder"], TimeLimit("sudden death", 5))
    table.lock()
    wall.seconds = 5
    assert table.ring(wall) == (1,)
    assert not table.room.over
    table.answer()
    assert table.room.match.outcome == Outcome(2, Reason.TIME)
    assert table.faults() == []


@in_loop
async def test_the_server_itself_ends_a_match_in_which_nobody_opens(
    tmp_path: Path, wall: Wall
) -> None:
    """Through hub, store and clocks: asked twice, for the opening and for the rest."""
    settings = Settings(thinkers=1, expire_days=0)
    here = Hub(SQLiteStore(str(tmp_path / "locked.db")), Offers(settings), settings)
    wanted = NewMatch("hidden-path", "link", {}, 1, clock=SUDDEN, locked=True)
    async with open_store(here.store):
        made = await here.open_match(opened(wanted))
        await here.join(made.id, made.opening.code or "", "Ben", KEYS[2])
        live = await here.live(made.id)
        commands: list[tuple[Seat, messages.AnyCommand]] = [
            (seat, Lock(tuple(Device(live.room.game, made.id, seat, [2, 6, 8]).locks())))  # type: ignore[union-attr]  # a rulebook's own room
            for seat in SEATS
        ]
        for number, (seat, command) in enumerate([*commands, (1, Play("2"))]):
            await here.act(made.id, seat, Request(f"k{number}", live.room.version(seat), command))
        for seconds in (91, 400):
            assert not live.room.over
            wall.seconds = seconds
            await here.call_time(live)
        assert live.room.over
        entries = [log.decode(entry) for entry in await here.store.read(made.id)]
        late_ones = [entry.seats for entry in entries if isinstance(entry, log.Late)]
        assert late_ones[0] == (2,)
        record = parse_record(await settled(live.room.record()))
        assert record.result == Outcome(None, Reason.UNOPENED)
        faults = [check.fault for check in verify(record) if check.fault]
        assert "Player 2 did not open step 2 in the time allowed" in faults


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        (NewMatch("numeric-maze", "link", locked=True, clock=SUDDEN), "Numeric Maze cannot be"),
        (NewMatch("hidden-path", "here", locked=True, clock=SUDDEN), "only in a match by link"),
        (NewMatch("hidden-path", "link", locked=True), "a clock is needed"),
    ],
)
def test_a_locked_match_needs_two_devices_and_a_clock(wanted: NewMatch, sentence: str) -> None:
    with pytest.raises(OptionsError, match=sentence):
        opened(wanted)


def test_secrets_and_openings_stay_in_matches_of_their_kind() -> None:
    table = Table("hidden-path", SECRETS["hidden-path"])
    with pytest.raises(Refusal, match="stay on the players' own devices"):
        table.act(1, Play("2 6 8"))
    plain = Room("0" * 16, opened(NewMatch("hidden-path", "link", {}, 1)))
    with pytest.raises(Refusal, match="the referee keeps the secrets"):
        plain.act(1, Request("k", plain.version(1), Lock(("0" * 64,) * 10)))


def test_a_challenge_that_nobody_took_is_cancelled() -> None:
    """Its maker has hidden something already, and opens it to nobody's harm."""
    opening = opened(NewMatch("hidden-path", "link", {}, 1, clock=SUDDEN, locked=True))
    room = Room("0" * 16, opening)
    device = Device(room.game, room.id, 1, [2, 6, 8])
    holds, salts = device.rest(())
    done: list[messages.AnyCommand] = [
        Lock(tuple(device.locks())),
        messages.Resign(),
        OpenRest(tuple(holds), tuple(salts)),
    ]
    for number, command in enumerate(done):
        room.act(1, Request(f"k{number}", room.version(1), command))
    assert room.over
    assert [c.fault for c in verify(parse_record(room.record())) if c.fault] == []
    assert room.frames().frames


def test_a_rematch_is_locked_too() -> None:
    table = Table("hidden-path", SECRETS["hidden-path"])
    table.lock()
    table.act(1, messages.Resign())
    table.answer()
    for seat in (1, 2):
        table.act(other(2 if seat == 1 else 1), messages.Rematch())
    following = table.room.next_match()
    assert following is not None
    assert following[1].locked


def test_a_device_has_a_minute_at_least_to_open_the_rest(wall: Wall) -> None:
    table = Table("hidden-path", SECRETS["hidden-path"], TimeLimit("sudden death", 30))
    table.lock()
    table.act(1, messages.Resign())
    assert table.locked.opening == (1, 2)
    wall.seconds += 59
    assert table.ring(wall) == ()
    table.answer()
    assert table.room.match.outcome == Outcome(2, Reason.RESIGNED)


def test_what_is_opened_at_the_end_is_not_among_what_moves_depended_on() -> None:
    table = Table("hidden-path", SECRETS["hidden-path"])
    table.lock()
    table.act(1, Play("3"))
    table.answer()
    opened_for_moves = table.locked.opened
    assert [one.place for one in opened_for_moves] == ["3"]
    table.act(1, messages.Resign())
    table.answer()
    assert table.room.over
    assert table.locked.opened == opened_for_moves
    assert len(table.room.frames().seals) == 20  # each place of both


def test_whose_own_device_is_asked_has_stopped_thinking(wall: Wall) -> None:
    """Nobody else is to do anything then, so only the clock tells that it is another wait."""
    table = Table("secret-paths", SECRETS["secret-paths"])
    table.lock()
    table.act(1, Play("4,4"))
    table.act(2, Play("5,5"))
    wall.seconds = 30
    table.act(1, Play("5,4"))
    assert table.locked.awaited is not None
    assert table.locked.awaited.seat == table.locked.awaited.by
    wall.seconds = 50
    table.answer()
    clock = table.room.clock
    assert clock is not None
    assert (clock.running, clock.left) == ((2,), (60_000, 90_000))


@pytest.mark.parametrize("game", SECRETS)
def test_players_draw_what_their_device_hides_as_the_referee_would(game: str) -> None:
    """Other shapes of a place only say again in words what lies there."""
    locked = Table(game, SECRETS[game]).room
    kept = Room("0" * 16, opened(NewMatch(game, "here", {}, 1)))
    for seat, secret in zip(SEATS, SECRETS[game], strict=True):
        question = kept.view(seat).question
        assert question is not None
        chosen = question.value(secret)
        kept.act(seat, Request(f"k{seat}", kept.version(seat), Play(question.text(chosen))))
        seen, public = (_shapes(kept, viewer) for viewer in (seat, None))
        hidden = [shape for shape in seen if shape not in public and "place" not in shape]
        marks = _marks(locked, seat)
        assert [*marks] == [place.text for place in question.answers]
        places = secret if question.choose else [question.text(chosen)]
        assert [shape for place in places for shape in marks[str(place)]] == hidden
        assert hidden
    assert _marks(locked, None) == {}


def _shapes(room: Room, viewer: Viewer) -> list[dict[str, Any]]:
    shapes: list[dict[str, Any]] = msgspec.json.decode(
        msgspec.json.encode(room.state(viewer).picture)
    )["shapes"]
    return shapes


def _marks(room: Room, viewer: Viewer) -> dict[str, list[dict[str, Any]]]:
    """As they are sent."""
    locked = msgspec.json.decode(room.frame(viewer, 0))["table"]["locked"]
    marks: dict[str, list[dict[str, Any]]] = locked.get("marks", {})
    return marks
