"""One match as its kept entries make it: by the referee alone, without a room or a hub.

It counts versions anew: one for each viewer, which rises exactly when what they are shown changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trapline.core import IllegalMove
from trapline.games import make_game
from trapline.referee import Match
from trapline.referee.locked.kinds import locked_kind
from trapline.referee.locked.match import LockedMatch
from trapline.server import locking, log, messages
from trapline.server.seating import Seating
from trapline.server.showing import shown
from trapline.server.sidelines import Sidelines
from trapline.server.timing import Timekeeper, thinking

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.seeded.loop import Scheduler
    from trapline.core import Seat, View, Viewer
    from trapline.referee.stand import Stand

NOTHING = msgspec.Raw()
encode = msgspec.json.Encoder().encode
SLACK = 15.0
"""Seconds that an entry may be on its way to a slow disk or database."""
VIEWERS: tuple[Viewer, ...] = (1, 2, None)
OF_DEVICES = ("awaited", "opened", "decided", "opening")
SIMPLE: dict[type[Any], Callable[[Match, Seat], None]] = {
    messages.Resign: Match.resign,
    messages.OfferDraw: Match.offer_draw,
    messages.AcceptDraw: Match.accept_draw,
    messages.DeclineDraw: Match.decline_draw,
    messages.Claim: Match.claim,
    messages.WaiveClaim: Match.waive_claim,
}


class Falsehood(Exception):
    """Something that must not be."""


class Public(NamedTuple):
    """What stands around a match."""

    players: list[str | None]
    commitments: dict[str, str]
    rematch: tuple[bool, bool]
    next: bool
    link: str | None
    clock: messages.Clock | None
    takeback: messages.Takeback | None
    reactions: tuple[messages.Reaction | None, messages.Reaction | None]
    locked: tuple[object, ...] | None
    """What devices are to open now and have opened, and how the match was decided meanwhile."""


class Sent(msgspec.Struct):
    """A message, read as far as it takes to see whether it is a state that is expected."""

    type: str
    match: str = ""
    version: int = 0
    since: int = 0
    view: msgspec.Raw = NOTHING
    table: msgspec.Raw = NOTHING
    words: Any = None
    picture: Any = None
    answers: list[str] = []


class Table:
    """The same as it is sent; most answers change nothing of it, so it is looked at often."""

    def __init__(self, public: Public) -> None:
        self.public = public
        self._plain: dict[str, Any] | None = None
        self._right: dict[bytes, dict[str, Any]] = {}
        """What was sent and is no lie: players are also told how their devices draw."""

    def read(self, who: str, sent: bytes) -> dict[str, Any]:
        """What a client decodes; Falsehood unless this is what stands around the match."""
        table = self._right.get(sent)
        if table is None:
            table = msgspec.json.decode(sent)
            self.check(who, table)
            self._right[sent] = table
        return table

    def check(self, who: str, table: dict[str, Any]) -> None:
        """Falsehood unless this is what stands around the match."""
        locked = table["locked"]
        found = {
            **table,
            "players": [sitter and sitter["name"] for sitter in table["players"]],
            "next": table["next"] is not None,
            "locked": locked and [locked[name] for name in OF_DEVICES],
        }
        if self._plain is None:
            self._plain = msgspec.json.decode(msgspec.json.encode(self.public._asdict()))
        for name, value in self._plain.items():
            if found[name] != value:
                raise Falsehood(f"{who}: {name} is {found[name]}, not {value}")


class Shown:
    """What a viewer is shown at one version of theirs."""

    def __init__(
        self, view: View, table: Table, entries: int, kept_at: float, decision: tuple[object, ...]
    ) -> None:
        self.kept_at = kept_at
        self.decision = decision
        self.view = view
        self.table = table
        self.entries = entries
        self._plain: tuple[dict[str, Any], list[Any]] | None = None

    def as_sent(self) -> tuple[dict[str, Any], list[Any]]:
        """The view without its events, and the events, as a client decodes them."""
        if self._plain is None:
            view = msgspec.json.decode(encode(shown(self.view)))
            self._plain = view, view.pop("events")
        return self._plain

    def expects(self, sent: msgspec.Raw, before: Shown | None) -> bool:
        """Whether this is the view, with the events that were not there `before`."""
        view, known = self.view, len(before.view.events) if before else 0
        if before and view.events[:known] != before.view.events:
            return False
        if known:
            view = msgspec.structs.replace(view, events=view.events[known:])
        new = encode(shown(view))
        if new != bytes(sent):
            return False
        if self._plain is None:
            plain = msgspec.json.decode(new)
            told = plain.pop("events")
            self._plain = plain, [*before.as_sent()[1], *told] if before else told
        return True


class Truth:
    def __init__(self, match_id: str, decided: dict[str, int], clock: Scheduler) -> None:
        """`decided`: for each command by its key, the version that its player had seen."""
        self.id = match_id
        self._decided = decided
        self._clock = clock
        self._asked_since: dict[Viewer, int] = {}
        self._tables: dict[Viewer, Table] = {}
        self._stage: tuple[Any, ...] = ()
        self.entries: list[bytes] = []
        self.carried_out: dict[tuple[int, str], tuple[log.Act, int]] = {}
        """Commands by seat and key, each with how many entries there were with it."""
        self.versions: dict[Viewer, list[Shown]] = {viewer: [] for viewer in VIEWERS}
        self.acknowledged = 0
        """Entries that somebody outside has seen something of."""
        self.thinks_since: dict[Seat, float] = {}
        """Since when a seat has been waited for, by the world's own clock, which nobody sets."""

    def add(self, version: int, data: bytes) -> None:
        """Take in what has just been kept; Falsehood if it cannot follow what was."""
        if version != len(self.entries) + 1:
            raise Falsehood(f"{self.id}: version {version} after {len(self.entries)}")
        entry = log.decode(data)
        self.entries.append(data)
        if isinstance(entry, log.Open):
            self._open(entry)
        elif isinstance(entry, log.Join):
            if self.seating.holders[entry.seat] is not None:
                raise Falsehood(f"{self.id}: a second player was let in to a seat that was taken")
            self.seating.sit(entry)
        elif isinstance(entry, log.Act):
            self._act(entry)
        elif isinstance(entry, log.Late):
            self._end_by_time(entry)
        elif self._time is not None:
            self._time.give_back(entry.at, entry.milliseconds)
        stand = self.match.stand()
        if self._time is not None:
            self._keep_time(entry.at, stand)
        self._look(stand)
        if isinstance(entry, log.Act) and not entry.refused and _answers(entry):
            self._asked_since[entry.seat] = len(self.versions[entry.seat])

    def _open(self, opening: log.Open) -> None:
        if len(self.entries) > 1:
            raise Falsehood(f"{self.id}: a match was opened twice")
        game = make_game(opening.game, opening.options)
        self.opening = opening
        kind = locked_kind(game) if opening.locked else Match
        self.match = kind(game, opening.first, match_id=self.id, chance=opening.chance or None)
        self.match.tossed = opening.tossed
        self.seating = Seating(self.id, opening)
        self._sidelines = Sidelines(self.match, self.seating)
        self._time = Timekeeper(opening.clock) if opening.clock else None

    @property
    def full(self) -> bool:
        """Whether both seats are taken."""
        return not self.seating.is_open

    def _keep_time(self, at: str, stand: Stand) -> None:
        assert self._time is not None
        waited = thinking(stand, self.seating)
        stage = (stand.turn, stand.to_move is not None)
        before = self.thinks_since if stage == self._stage else {}
        self._stage = stage
        self.thinks_since = {seat: before.get(seat, self._clock.now) for seat in waited}
        self._time.note(at, waited, stage, opening=self._waits_for_a_device())

    def _waits_for_a_device(self) -> bool:
        match = self.match
        return isinstance(match, LockedMatch) and bool(match.awaited or match.opening)

    def _end_by_time(self, entry: log.Late) -> None:
        assert self.opening.clock is not None
        for seat in entry.seats:
            thought = self._clock.now - self.thinks_since[seat]
            if thought < self.opening.clock.seconds - SLACK:
                raise Falsehood(f"{self.id}: out of time after {thought:.0f} seconds")
        self.match.run_out_of_time(*entry.seats)

    def check_stale(self, seat: Seat, key: str) -> None:
        """Falsehood where a command that was decided about what is there is refused as old."""
        if self._decided.get(key, 0) >= self._asked_since[seat]:
            raise Falsehood(f"{self.id}: {key} is refused, and the match has not gone on since")

    def _act(self, entry: log.Act) -> None:
        if (entry.seat, entry.key) in self.carried_out:
            raise Falsehood(f"{self.id}: the command {entry.key} was carried out twice")
        self.carried_out[entry.seat, entry.key] = entry, len(self.entries)
        version = self._decided.get(entry.key, self._asked_since[entry.seat])
        reacts = isinstance(entry.command, messages.React)
        if version < self._asked_since[entry.seat] and not reacts:
            raise Falsehood(f"{self.id}: {entry.key} was decided about something else")
        try:
            self._carry_out(entry)
        except IllegalMove:
            if not entry.refused:
                raise
        else:
            if entry.refused:
                raise Falsehood(f"{self.id}: a legal move was kept as a refused one")

    def _carry_out(self, entry: log.Act) -> None:
        seat, command, match = entry.seat, entry.command, self.match
        if isinstance(command, messages.Play):
            before = self._sidelines.before_turn(seat)
            match.play(seat, *match.read(seat, command.turn), salt=entry.salt)
            self._sidelines.note_turn(seat, before)
        elif isinstance(match, LockedMatch) and isinstance(command, locking.COMMANDS):
            locking.carry_out(match, seat, command)
        elif not self._sidelines.carry_out(entry):
            SIMPLE[type(command)](match, seat)

    def _look(self, stand: Stand) -> None:
        """Count what has changed for whom."""
        sidelines = self._sidelines
        public = Public(
            players=[sitter.name if sitter else None for sitter in self.seating.sitters],
            commitments=dict(self.match.commitments),
            rematch=sidelines.wants_rematch(),
            next=sidelines.next_match() is not None,
            link=self.seating.link(over=self.match.outcome is not None),
            clock=self._time.show(self.seating) if self._time else None,
            takeback=sidelines.takeback(),
            reactions=sidelines.reactions(),
            locked=self._look_at_devices(),
        )
        if not self._tables or self._tables[1].public != public:
            plain = Table(public._replace(link=None))
            opener = plain if public.link is None else Table(public)
            self._tables = {1: opener, 2: plain, None: plain}
        match, entries, now = self.match, len(self.entries), self._clock.now
        for viewer in VIEWERS:
            view = match.seen(stand, viewer, 0, match.heard(viewer))
            seen, table = self.versions[viewer], self._tables[viewer]
            last = seen[-1] if seen else None
            if last is None or last.view != view or last.table.public != table.public:
                decision = _decision(view, table.public)
                if last is None or last.decision != decision:
                    self._asked_since[viewer] = len(seen) + 1
                seen.append(Shown(view, table, entries, now, decision))

    def _look_at_devices(self) -> tuple[object, ...] | None:
        match = self.match
        if not isinstance(match, LockedMatch):
            return None
        opened = [one for one in match.evidence.opened if one.turn is not None]
        return match.awaited, opened, match.decided, match.opening

    def read(self, viewer: Viewer, sent: Sent) -> dict[str, Any] | None:
        """The state that a client decodes, if it is byte for byte what is expected."""
        seen, version, since = self.versions[viewer], sent.version, sent.since
        if not (0 < version <= len(seen) and 0 <= since <= version):
            return None
        truth, before = seen[version - 1], seen[since - 1] if since else None
        if not truth.expects(sent.view, before):
            return None
        self.acknowledged = max(self.acknowledged, truth.entries)
        view, events = truth.as_sent()
        who = f"{self.id}, viewer {viewer}, version {version}"
        return {
            "type": "state",
            "match": sent.match,
            "version": version,
            "since": since,
            "view": {**view, "events": events[len(before.view.events) if before else 0 :]},
            "table": truth.table.read(who, bytes(sent.table)),
            "words": sent.words,
            "picture": sent.picture,
            "answers": sent.answers,
        }

    def check_state(self, viewer: Viewer, state: dict[str, Any]) -> None:
        """Falsehood unless this is what the viewer is to be shown at this version."""
        seen, version = self.versions[viewer], state["version"]
        who = f"{self.id}, viewer {viewer}, version {version}"
        if version > len(seen):
            raise Falsehood(f"{who}: shown before it was kept")
        truth = seen[version - 1]
        self.acknowledged = max(self.acknowledged, truth.entries)
        view, events = truth.as_sent()
        sent = state["view"].copy()
        told = sent.pop("events")
        for name in {**view, **sent} if sent != view else ():
            if sent.get(name) != view.get(name):
                raise Falsehood(f"{who}: {name} is {sent.get(name)}, not {view.get(name)}")
        since = state["since"]
        if not 0 <= since <= version:
            raise Falsehood(f"{who}: the events since {since}")
        known = len(seen[since - 1].as_sent()[1]) if since else 0
        if told != events[known:]:
            raise Falsehood(f"{who}: other events than the referee's")
        truth.table.check(who, state["table"])


def _answers(entry: log.Act) -> bool:
    return isinstance(entry.command, messages.Play)


def _decision(view: View, table: Public) -> tuple[object, ...]:
    asked = table.takeback.asked_by if table.takeback else None
    return view.question, view.turn, view.draw_offer, view.may_claim, view.outcome, asked
