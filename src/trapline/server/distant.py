"""Matches of a game from outside: their rooms live in another process, which may fail.

A room there is made from its log like any other, so when the process is ended, the next one
makes it again. Here is kept only what it last showed, as plain values: nothing that a game
from outside has made is ever called, or even unpickled, in the server's own process.
"""

from __future__ import annotations

import pickle
from collections import OrderedDict
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trapline.core import SEATS, TraplineError
from trapline.games import find_game, make_game, origin
from trapline.server import log, showing
from trapline.server.catalogue import describe, rules_of
from trapline.server.hours import HOURS, now
from trapline.server.messages import Said, Shown, State
from trapline.server.processes import Died, Process, TooLate
from trapline.server.refusals import BrokenRules, CountedRefusal, Refusal, broken_rules
from trapline.server.room import Part, Room
from trapline.server.seating import Seating, new_opening
from trapline.server.shelf import GameInfo, Rules
from trapline.server.viewing import VIEWERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.core import Seat, Viewer
    from trapline.server.messages import Clock, Frames, NewMatch, Request

LOADING = 6
"""Loading a game and describing it may take so many times as long as a command."""
MOST_ROOMS = 200
"""Rooms that the other process keeps; the rest are made again from their logs when needed."""


class Host:
    """The process of one game."""

    def __init__(self, spec: str, seconds: float, megabytes: int = 0) -> None:
        self.spec = spec
        self._seconds = seconds
        self._process = Process(megabytes)

    async def describe(self) -> tuple[GameInfo, Rules]:
        """The game as a card shows it, and how to play it."""
        described: tuple[GameInfo, Rules] = await self._ask(
            LOADING * self._seconds, _describe, self.spec
        )
        return described

    async def opening(self, wanted: NewMatch, owner: str, *, bot: bool) -> log.Open:
        opening: log.Open = await self.ask(_opening, self.spec, wanted, owner, bot)
        return opening

    async def ask(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """What comes of the rules; BrokenRules if nothing does in time."""
        return await self._ask(self._seconds, work, *arguments)

    async def _ask(self, seconds: float, work: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return await self._process.ask(
                _at_our_hour, HOURS.ahead, work, arguments, seconds=seconds
            )
        except TooLate:
            raise BrokenRules(
                f"The rules of this game were stopped after {seconds:g} seconds. "
                "Nothing has changed."
            ) from None
        except Died:
            raise BrokenRules(
                "The rules of this game have ended their process. Nothing has changed."
            ) from None

    def stop(self) -> None:
        self._process.stop()


class Seen(NamedTuple):
    """All that a room shows, as plain values."""

    over: bool
    marks: dict[Viewer, list[int]]
    states: dict[Viewer, State]
    thoughts: dict[Seat, bytes]
    """What each seat that is asked something knows, for whoever thinks for it."""
    following: tuple[str, log.Open] | None


class DistantRoom:
    """What the server has of a room elsewhere; answers like `Room`, but some of it later."""

    hides_turns = False

    def __init__(self, host: Host, match_id: str, entries: list[bytes]) -> None:
        self.id = match_id
        self._host = host
        self._log = list(entries)
        self._token = token_hex(8)  # another reading of the same match is another room there
        self._seen: Seen
        self.opening, more = log.read(entries)
        self.seating = Seating(match_id, self.opening)
        for entry in more:
            if isinstance(entry, log.Join):
                self.seating.sit(entry)

    @classmethod
    async def read(cls, host: Host, match_id: str, entries: list[bytes]) -> DistantRoom:
        """The room that a log makes."""
        room = cls(host, match_id, entries)
        await room._do(_look)
        return room

    @property
    def entries(self) -> int:
        return len(self._log)

    @property
    def over(self) -> bool:
        return self._seen.over

    @property
    def clock(self) -> Clock | None:
        return self._seen.states[None].table.clock

    async def join(self, code: str, name: str, key: str) -> log.Join:
        entry = self.seating.admit(code, name, key, over=self.over)
        await self.add(entry)
        return entry

    async def act(self, seat: Seat, request: Request) -> log.Act | None:
        try:
            entry = await self._do(_act, seat, request)
        except BrokenRules as broken:
            raise BrokenRules(str(broken), request.key) from None
        if isinstance(entry, CountedRefusal):
            self._log.append(log.encode(entry.entry))
            raise entry
        if entry is not None:
            self._log.append(log.encode(entry))
        done: log.Act | None = entry
        return done

    async def call_time(self, seats: tuple[Seat, ...]) -> log.Late:
        entry = log.Late(now(), seats)
        await self.add(entry)
        return entry

    async def give_back(self, at: str, milliseconds: int) -> log.Away:
        entry = log.Away(at, milliseconds)
        await self.add(entry)
        return entry

    def part_of_turn(self, _seat: Seat, _request: Request) -> Part:
        """How long a turn takes is for a game from outside to mind."""
        return "none"

    async def add(self, entry: log.AnyLater) -> None:
        await self._do(_add, entry)
        self._log.append(log.encode(entry))
        if isinstance(entry, log.Join):
            self.seating.sit(entry)

    async def record(self) -> bytes:
        record: bytes = await self._do(Room.record)
        return record

    async def frames(self) -> Frames:
        frames: Frames = await self._do(Room.frames)
        return frames

    def next_match(self) -> tuple[str, log.Open] | None:
        return self._seen.following

    def version(self, viewer: Viewer) -> int:
        return len(self._seen.marks[viewer]) - 1

    def thought(self, seat: Seat) -> bytes | None:
        return self._seen.thoughts.get(seat)

    def state(
        self, viewer: Viewer, since: int = 0, answers: tuple[str, ...] = (), *, plain: bool = False
    ) -> State:
        state = self._seen.states[viewer]
        if plain:
            state = msgspec.structs.replace(state, words=None, picture=None)
        return showing.cut(state, self._seen.marks[viewer], since, answers)

    def frame(self, viewer: Viewer, since: int, *, plain: bool = False) -> bytes:
        return msgspec.json.encode(self.state(viewer, since, plain=plain))

    async def _do(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Let something be done in the room there, and take over what it shows after it."""
        where = (self._host.spec, self._token, self.id, self.entries)
        answer = await self._host.ask(_in_room, *where, None, work, arguments)
        if answer is None:  # it is not there, or it is not what we think it is
            answer = await self._host.ask(_in_room, *where, self._log, work, arguments)
        result, self._seen = answer
        return result


# --- in the other process ---------------------------------------------------------------

_rooms: OrderedDict[str, Room] = OrderedDict()


def _at_our_hour(ahead: int, work: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Do something by the clock that the server goes by."""
    HOURS.ahead = ahead
    return work(*arguments)


def _describe(spec: str) -> tuple[GameInfo, Rules]:
    kind = find_game(spec)
    try:
        # Where the operator keeps a file is nobody else's business.
        info = describe(make_game(kind.name), Path(origin(kind.name)).name)
        plain = msgspec.to_builtins(info)
        return GameInfo(**{**plain, "options": info.options}), rules_of(kind)
    except TraplineError:
        raise
    except Exception as error:
        raise broken_rules(kind, error) from error


def _opening(spec: str, wanted: NewMatch, owner: str, bot: bool) -> log.Open:
    return new_opening(wanted, make_game(spec, wanted.options), owner, bot=bot)


def _in_room(
    spec: str,
    token: str,
    match_id: str,
    entries: int,
    written: list[bytes] | None,
    work: Callable[..., Any],
    arguments: tuple[Any, ...],
) -> tuple[Any, Seen] | None:
    """What `work` makes of a room, and what the room shows after it; None if it is not here."""
    room = _rooms.pop(token, None)
    if room is None or room.entries != entries:
        if written is None:
            return None
        room = Room.read(match_id, written, spec)
    try:
        done = work(room, *arguments)
        seen = _look_at(room)
    except BrokenRules:
        raise
    except Refusal:
        _keep(token, room)
        raise
    except Exception as error:
        raise broken_rules(type(room.game), error) from error
    _keep(token, room)
    return done, seen


def _keep(token: str, room: Room) -> None:
    _rooms[token] = room
    while len(_rooms) > MOST_ROOMS:
        _rooms.popitem(last=False)


def _look_at(room: Room) -> Seen:
    return Seen(
        over=room.over,
        marks={viewer: room.marks(viewer) for viewer in VIEWERS},
        states={viewer: _plain(room.state(viewer)) for viewer in VIEWERS},
        thoughts={
            seat: pickle.dumps(known) for seat in SEATS if (known := room.thought(seat)) is not None
        },
        following=room.next_match(),
    )


def _plain(state: State) -> State:
    """The same to send, without a value of any class that the game has made."""
    view = Shown(**msgspec.to_builtins(state.view))
    return msgspec.structs.replace(state, view=view, words=Said(**msgspec.to_builtins(state.words)))


def _look(_room: Room) -> None:
    pass


def _add(room: Room, entry: log.AnyLater) -> None:
    room.add(entry)


def _act(room: Room, seat: Seat, request: Request) -> log.Act | CountedRefusal | None:
    try:
        return room.act(seat, request)
    except CountedRefusal as counted:
        return counted
