"""Matches in which turns leave traps that stay on the players' own devices, as the server holds
them."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests.locked.playing import drawn_salt
from tests.locked.trails import hiding
from tests.server.rooms import KEYS, opened, read_again, seal
from trapline.core import SEATS
from trapline.referee import parse_record, verify
from trapline.referee.locked.turns.device import TrailDevice
from trapline.server import log, messages
from trapline.server.messages import Lock, NewMatch, Play, Request, Resign, TimeLimit
from trapline.server.refusals import CountedRefusal, Refusal
from trapline.server.room import Room
from trapline.server.viewing import VIEWERS

if TYPE_CHECKING:
    from trapline.core import Seat, View
    from trapline.server.messages import Locked

CLOCK = TimeLimit("sudden death", 90)


class Table:
    """A room, its log, what viewers were sent, and the devices of both players."""

    def __init__(self, options: dict[str, Any] | None = None) -> None:
        wanted = NewMatch("trap-runner", "link", options or {}, 1, clock=CLOCK, locked=True)
        opening = opened(wanted)
        self.room = Room("0" * 16, opening)
        self.log: list[log.AnyEntry] = [opening]
        self.sent: list[list[bytes]] = []
        self._number = 0
        rng = Random(0)
        self.devices = {
            seat: TrailDevice(self.room.game, self.room.id, seat, seed=drawn_salt(rng))
            for seat in SEATS
        }
        self.log.append(self.room.join(opening.code or "", "Ben", KEYS[2]))

    def request(self, seat: Seat, command: messages.AnyCommand) -> Request:
        self._number += 1
        return Request(f"k{self._number}", self.room.version(seat), command)

    def act(self, seat: Seat, command: messages.AnyCommand) -> None:
        try:
            entry = self.room.act(seat, self.request(seat, command))
        except CountedRefusal as refusal:
            self.log.append(refusal.entry)
            raise
        assert entry is not None
        self.log.append(entry)
        self.sent.append([seal(msgspec.json.encode(self.room.state(v))) for v in VIEWERS])

    def say(self, seat: Seat, command: dict[str, Any]) -> None:
        self.act(seat, msgspec.convert(command, messages.AnyCommand))

    @property
    def locked(self) -> Locked:
        locked = self.room.state(None).table.locked
        assert locked is not None
        return locked

    def view(self, seat: Seat) -> View:
        return self.room.view(seat)

    def respond(self) -> None:
        while any(self.respond_once(seat) for seat in SEATS):
            pass

    def respond_once(self, seat: Seat) -> bool:
        """Let a device do what it is waited for; whether it was."""
        awaited, device = self.locked.awaited, self.devices[seat]
        if awaited is not None and awaited.seat == seat:
            self.say(seat, device.respond(awaited, self.room.match.commitments))
        elif seat in self.locked.opening:
            self.say(seat, device.rest())
        else:
            return False
        return True

    def turn(self, *answers: str) -> None:
        for answer in answers:
            self.give(answer)
            self.respond()

    def give(self, answer: str) -> None:
        seat = self.room.match.to_move
        assert seat is not None
        question = self.view(seat).question
        assert question is not None
        if question.sealed:
            self.say(seat, hiding(self.devices[seat], self.view(seat), answer))
        else:
            self.act(seat, Play(answer))

    def move(self, rng: Random) -> None:
        seat = self.room.match.to_move
        assert seat is not None
        question = self.view(seat).question
        assert question is not None
        answers = [str(answer.record) for answer in question.answers]
        board: Any = self.view(seat).board
        if question.sealed and board.left in self.devices[seat].lies:
            answers = answers[:1]
        self.turn(rng.choice(answers))

    def faults(self) -> list[str]:
        return [check.fault for check in verify(parse_record(self.room.record())) if check.fault]


def both_on_two(first: str) -> Table:
    table = Table()
    for answer in ("2", "2", "1", first, "2"):
        table.turn(answer)
    return table


def test_a_match_proves_itself_and_its_log_makes_it_again() -> None:
    for seed in range(4):
        table, rng = Table(), Random(seed)
        while not table.room.over:
            table.move(rng)
        assert table.faults() == []
        again = read_again(table.room, table.log)
        assert again.record() == table.room.record()
        assert again.state(1) == table.room.state(1)
        frames = table.room.frames()
        assert frames.frames[-1].board == table.room.state(None).words.board  # type: ignore[union-attr]  # not plain
        assert len(frames.seals) * 2 == len(table.room.match.commitments)


def test_what_was_kept_makes_the_room_again_at_every_moment() -> None:
    table = both_on_two("t")
    seat: Seat = 2
    table.say(seat, hiding(table.devices[seat], table.view(seat), "t"))
    while (awaited := table.locked.awaited) is not None:
        again = read_again(table.room, table.log)
        assert [again.state(viewer) for viewer in VIEWERS] == [
            table.room.state(viewer) for viewer in VIEWERS
        ]
        commitments = table.room.match.commitments
        table.say(awaited.seat, table.devices[awaited.seat].respond(awaited, commitments))


@pytest.mark.usefixtures("wall")
def test_nothing_that_is_kept_or_sent_depends_on_what_turns_leave() -> None:
    """Worlds with other traps: log and messages are the same until somebody arrives at one."""
    worlds = []
    for first, second in (("t", "t"), ("t", "n"), ("n", "t"), ("n", "n")):
        table = both_on_two(first)
        table.turn(second)
        table.turn("3", "n")
        entries = [msgspec.structs.replace(entry, at="") for entry in table.log]
        opening = msgspec.structs.replace(entries[0], code="")
        kept = [_masked(seal(log.encode(entry))) for entry in (opening, *entries[1:])]
        worlds.append((kept, [[_masked(frame) for frame in sent] for sent in table.sent]))
    assert worlds[0] == worlds[1] == worlds[2] == worlds[3]


def _masked(frame: bytes) -> Any:
    """What devices ask and give looks random: only how long it is tells anything."""
    return _lengths(msgspec.json.decode(frame))


def _lengths(told: Any) -> Any:
    if isinstance(told, dict):
        return {key: _lengths(value) for key, value in told.items()}
    if isinstance(told, list):
        return [_lengths(value) for value in told]
    return len(told) if isinstance(told, str) and len(told) >= 512 else told


def test_a_hidden_answer_takes_as_long_as_the_turn_it_ends() -> None:
    table = both_on_two("t")
    command = msgspec.convert(
        hiding(table.devices[2], table.view(2), "t"),
        messages.AnyCommand,
    )
    assert table.room.part_of_turn(2, table.request(2, command)) == "ends"


def test_the_server_is_told_no_answer_and_no_secret() -> None:
    table = both_on_two("t")
    with pytest.raises(Refusal, match="stays on the players' own devices"):
        table.act(2, Play("t"))
    table = Table()
    with pytest.raises(Refusal, match="stays on the players' own devices"):
        table.act(1, Play("2t"))
    with pytest.raises(Refusal, match="devices have something else to say"):
        table.act(1, messages.OpenRest((), ()))
    plain = Room("0" * 16, opened(NewMatch("trap-runner", "link", {}, 1)))
    for command in (Lock(("0" * 64,) * 2), messages.OpenSeed("0" * 64)):
        with pytest.raises(Refusal, match="the referee keeps the secrets"):
            plain.act(1, Request("k", plain.version(1), command))


def test_a_seed_that_opens_nothing_stays_in_the_log_as_evidence() -> None:
    table = both_on_two("t")
    table.act(2, Resign())
    with pytest.raises(Refusal, match="does not open what was committed to"):
        table.act(1, messages.OpenSeed("0" * 64))
    table.respond()
    assert table.faults() == ["Player 1 tried to open what was hidden, against the commitment"]
    assert read_again(table.room, table.log).record() == table.room.record()


def test_players_are_told_how_to_draw_what_only_their_device_knows() -> None:
    table = both_on_two("t")
    locked = table.room.state(2).table.locked
    assert locked is not None
    assert {"1", "9", "found 1", "found 9"} <= set(locked.marks)
    assert all(locked.marks.values())
    assert table.locked.marks == {}
