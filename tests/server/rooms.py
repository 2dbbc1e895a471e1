"""Rooms without a server around them: players, random play, and what each viewer was sent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import SEATS
from trapline.games import make_game
from trapline.server import log, messages
from trapline.server.messages import NewMatch, Play, Request
from trapline.server.refusals import CountedRefusal, Refusal
from trapline.server.room import Room
from trapline.server.seating import new_opening
from trapline.server.viewing import VIEWERS

if TYPE_CHECKING:
    from random import Random

    from trapline.core import Form, Game, Seat, View, Viewer

KEYS = {1: "a" * 43, 2: "b" * 43}
COMMITMENT = re.compile(rb'"[0-9a-f]{64}"')
LINK = re.compile(rb'"link":"[^"]*"')
SEALED = b'"' + b"0" * 64 + b'"'


ANYTHING: list[messages.AnyCommand] = [
    messages.GoOn(),
    messages.OfferDraw(),
    messages.Rematch(),
    messages.React("ouch"),
    messages.AskTakeback(),
    messages.AcceptTakeback(),
    messages.DeclineTakeback(),
    messages.DeclineDraw(),
    messages.WaiveClaim(),
    Play("9"),
    Play("9,9"),
    Play("t"),
]


def opened(wanted: NewMatch, *, bot: bool = False) -> log.Open:
    """What opens a match that the holder of the first key asks for."""
    return new_opening(wanted, make_game(wanted.game, wanted.options), KEYS[1], bot=bot)


def read_again(room: Room, entries: list[log.AnyEntry]) -> Room:
    """The room that a log makes, by way of the bytes that are kept of it."""
    return Room.read(room.id, [log.encode(entry) for entry in entries])


class Spied:
    """A room, its log, and every message that each viewer would have been sent."""

    def __init__(self, game: str | Game[Any], options: dict[str, Any], first: Seat = 1) -> None:
        made = make_game(game, options) if isinstance(game, str) else game
        wanted = NewMatch(made.name, "link", options, first)
        opening = new_opening(wanted, made, KEYS[1], bot=False)
        self.room = Room("0" * 16, opening, made)
        self.log: list[log.AnyEntry] = [opening]
        self.sent: dict[Viewer, list[bytes]] = {viewer: [] for viewer in VIEWERS}
        self._versions: dict[Viewer, int] = dict.fromkeys(VIEWERS, 0)
        self._number = 0
        self._twin: Room | None = None
        """A copy of the room, as long as nothing has changed in either."""
        self._send()
        self.log.append(self.room.join(opening.code or "", "Ben", KEYS[2]))
        self._send()

    def act(self, seat: Seat, command: messages.AnyCommand) -> None:
        self._number += 1
        request = Request(f"k{self._number}", self.room.version(seat), command)
        try:
            entry = self.room.act(seat, request)
        except CountedRefusal as refusal:
            entry = refusal.entry
        assert entry is not None
        self.log.append(entry)
        self._twin = None
        self._send()

    def refused(self, viewer: Viewer, command: messages.AnyCommand) -> bytes:
        """What a viewer hears of a command that is not carried out, on a copy of the room."""
        assert viewer is not None
        twin = self._twin = self._twin or read_again(self.room, self.log)
        try:
            twin.act(viewer, Request("twin", twin.version(viewer), command))
        except Refusal as refusal:
            if isinstance(refusal, CountedRefusal):
                self._twin = None
            message = messages.Refused(refusal.reason, str(refusal), "twin", twin.state(viewer))
            return seal(msgspec.json.encode(message))
        self._twin = None
        return b"accepted"

    def play(self, turn: tuple[Form, ...]) -> None:
        """A whole turn, or its beginning, command by command."""
        seat = self.room.match.to_move
        assert seat is not None
        for answer in turn:
            self.act(seat, as_command(self.room.view(seat), answer))

    def choose(self, seat: Seat, secret: Form) -> None:
        self.act(seat, as_command(self.room.view(seat), secret))

    def _send(self) -> None:
        for viewer in VIEWERS:
            version = self.room.version(viewer)
            if version > self._versions[viewer]:
                state = self.room.state(viewer, self._versions[viewer])
                self.sent[viewer].append(seal(msgspec.json.encode(state)))
                self._versions[viewer] = version


def as_command(view: View, answer: Form) -> Play:
    """An answer in a record's form, as its player types it."""
    assert view.question is not None
    return Play(view.question.text(view.question.value(answer)))


def seal(message: bytes) -> bytes:
    """A message without its commitments and link, which chance makes different in every match."""
    return LINK.sub(b'"link":"#"', COMMITMENT.sub(SEALED, message))


def random_command(view: View, rng: Random) -> messages.AnyCommand:
    """Something that the one who sees this view may do, or may not."""
    if rng.random() < 0.15:
        return rng.choice(ANYTHING)
    if view.question is not None:
        return Play(view.question.text(view.question.random(rng)))
    return rng.choice(ANYTHING[:7])


def play_at_random(spied: Spied, rng: Random, commands: int = 200) -> None:
    """Both seats act as they like, until the match is over."""
    for _ in range(commands):
        if spied.room.over:
            return
        seat = rng.choice(SEATS)
        command = random_command(spied.room.view(seat), rng)
        try:
            spied.act(seat, command)
        except Refusal:
            continue
