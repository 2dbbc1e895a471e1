"""One match as the server holds it: no I/O, only entries in and states out.

A room is made from its log and nothing else, so a restarted server, or another process,
makes the same room. Each viewer has a version of their own, which rises exactly when what
they are shown changes: whatever they must not notice cannot be counted by them either.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from trapline.core import (
    SEATS,
    SECRET,
    GameError,
    IllegalMove,
    NotNow,
    Seat,
    SecretError,
    TraplineError,
    View,
)
from trapline.games import make_game
from trapline.referee import Match
from trapline.server import log, messages, showing
from trapline.server.log import Act, Away, Join, Late, Open
from trapline.server.messages import State, Surroundings
from trapline.server.refusals import CountedRefusal, Refusal, broken_rules, refusal_of
from trapline.server.seating import Seating, now
from trapline.server.timing import Timekeeper, thinking

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trapline.core import Game, Viewer
    from trapline.server.log import AnyLater
    from trapline.server.messages import AnyCommand, Clock, Frames, Request

Part = Literal["none", "begins", "ends", "whole"]
VIEWERS: tuple[Viewer, ...] = (1, 2, None)
LONGEST = 5_000
"""Entries of a log. Options allow endless matches, and reading one keeps others waiting."""
AT_ONCE = 25
"""Entries that are read before others have their turn."""
ENDINGS = (messages.Resign, messages.AcceptDraw, messages.Claim)
encode = msgspec.json.Encoder().encode
ANSWERS = (messages.Play, messages.ChooseSecret, messages.GoOn)


class Room:
    def __init__(self, match_id: str, opening: Open, game: Game[Any] | None = None) -> None:
        self.id = match_id
        self.entries = 1
        self.opening = opening
        self.game = game or make_game(opening.game, opening.options)
        self.seating = Seating(match_id, opening)
        self.match = Match(
            self.game, opening.first, match_id=match_id, chance=opening.chance or None
        )
        self.match.players = self.seating.players()
        self.match.tossed = opening.tossed
        self.match.started = opening.at
        self._time = Timekeeper(opening.clock) if opening.clock else None
        self._keep_time(opening.at)
        self._rematch: dict[Seat, str] = {}
        self._done: dict[tuple[Seat, str], str] = {}
        self._seen: dict[Viewer, tuple[View, Surroundings]] = {}
        self._states: dict[tuple[Viewer, bool], State] = {}
        self._frames: dict[tuple[Viewer, bool], tuple[int, bytes]] = {}
        self._told: dict[Viewer, list[tuple[str, ...]]] = {viewer: [] for viewer in VIEWERS}
        self._marks: dict[Viewer, list[int]] = {viewer: [0] for viewer in VIEWERS}
        self._asked_at: dict[Viewer, int] = {}
        self._around_facts: tuple[Any, ...] = ()
        self._around: dict[Viewer, Surroundings] = {}
        self._count_changes()

    @classmethod
    def read(cls, match_id: str, entries: Sequence[bytes], spec: str = "") -> Room:
        """The room that a log makes; `spec` is where its game is found, if it is from outside."""
        return next(filter(None, cls.reading(match_id, entries, spec)))

    @classmethod
    def reading(
        cls, match_id: str, entries: Sequence[bytes], spec: str = ""
    ) -> Iterator[Room | None]:
        """The same, bit by bit: nothing, and nothing, and at last the room."""
        opening, more = log.read(entries)
        room = cls(match_id, opening, make_game(spec or opening.game, opening.options))
        for number, entry in enumerate(more, 1):
            room.add(entry)
            if number % AT_ONCE == 0:
                yield None
        yield room

    @property
    def over(self) -> bool:
        return self.match.outcome is not None

    @property
    def clock(self) -> Clock | None:
        return self._around[None].clock

    def thought(self, seat: Seat) -> View | None:
        """What a seat that is asked something knows, for whoever thinks for it."""
        view = self.view(seat)
        return view if view.question is not None else None

    # --- what happens -------------------------------------------------------------------

    def join(self, code: str, name: str, key: str) -> Join:
        """Let the one who shows the code take the free seat."""
        entry = self.seating.admit(code, name, key, over=self.over)
        self.add(entry)
        return entry

    def act(self, seat: Seat, request: Request) -> Act | None:
        """Carry out a command. None if it was carried out before; Refusal if it cannot be."""
        command, key = request.command, request.key
        if (seat, key) in self._done:
            if sentence := self._done[seat, key]:
                raise Refusal("illegal", sentence, key=key)
            return None
        if not self._asked_at[seat] <= request.version <= self.version(seat):
            sentence = "The match has gone on since: look again, and then decide."
            raise Refusal("stale", sentence, key=key)
        if self.entries >= LONGEST and not isinstance(command, ENDINGS):
            sentence = "This match has become too long: it can only be ended now."
            raise Refusal("full", sentence, key=key)
        salt = secrets.token_hex(32) if self._needs_salt(seat, command) else ""
        entry = Act(now(), seat, key, command, salt)
        try:
            self.add(entry)
        except IllegalMove as error:
            if self.game.claim_after is None or isinstance(error, SecretError):
                raise refusal_of(error, key) from None
            # The referee has counted it, so it is part of the match.
            self._note(entry, str(error))
            refused = msgspec.structs.replace(entry, refused=True)
            raise CountedRefusal(refused, str(error), key) from None
        except GameError as error:
            raise broken_rules(type(self.game), error, key) from None
        except TraplineError as error:
            raise refusal_of(error, key) from None
        except Exception as error:
            raise broken_rules(type(self.game), error, key) from error
        return entry

    async def call_time(self, seats: tuple[Seat, ...]) -> Late:
        """The time of these is up."""
        entry = Late(now(), seats)
        self.add(entry)
        return entry

    async def give_back(self, at: str, milliseconds: int) -> Away:
        """So much time has passed until then that nobody could use."""
        entry = Away(at, milliseconds)
        self.add(entry)
        return entry

    def _needs_salt(self, seat: Seat, command: AnyCommand) -> bool:
        """Whether a command fixes something that is hidden, or will be drawn from."""
        if isinstance(command, ANSWERS):
            return self.game.seals_turns or self.view(seat).asks == SECRET
        return isinstance(command, messages.Rematch)

    def part_of_turn(self, seat: Seat, request: Request) -> Part:
        """What a command would be of a turn that may hold hidden answers; nothing of any other."""
        command = request.command
        if not (self.game.seals_turns and isinstance(command, ANSWERS)):
            return "none"
        if self.view(seat).asks in (None, SECRET):
            return "none"
        if self.match.in_turn(seat):
            return "ends"
        try:
            text = command.turn if isinstance(command, messages.Play) else ""
            several = len(self.match.read(seat, text)) > 1
        except TraplineError:
            return "none"  # it will be refused
        return "whole" if several else "begins"

    def add(self, entry: AnyLater) -> None:
        """Take in an entry of the log. What cannot be carried out raises, and changes nothing."""
        running, refusal = not self.over, ""
        match entry:
            case Join():
                self._seat(entry)
            case Late():
                self.match.run_out_of_time(*entry.seats)
            case Away() if self._time:
                self._time.give_back(entry.at, entry.milliseconds)
            case Act():
                try:
                    self._carry_out(entry)
                except IllegalMove as error:
                    if not entry.refused:
                        raise
                    refusal = str(error)
        if running and self.over:
            self.match.ended = entry.at
        self._note(entry, refusal)

    def _seat(self, entry: Join) -> None:
        self.seating.sit(entry)
        self.match.players = self.seating.players()
        for told in self._told.values():
            told.clear()  # somebody has got another name

    def _keep_time(self, at: str) -> None:
        """A clock follows what everybody sees, and so tells nobody more."""
        if self._time is not None:
            public = self.match.view(None)
            stage = (public.turn, public.to_move is not None)
            self._time.note(at, thinking(public, self.seating), stage)

    def _note(self, entry: AnyLater, refusal: str = "") -> None:
        self.entries += 1
        self._keep_time(entry.at)
        self._count_changes()
        if isinstance(entry, Act):
            self._done[entry.seat, entry.key] = refusal
            if isinstance(entry.command, ANSWERS) and not refusal:
                self._asked_at[entry.seat] = self.version(entry.seat)

    def _carry_out(self, entry: Act) -> None:
        seat, command, match = entry.seat, entry.command, self.match
        if isinstance(command, messages.Play):
            match.play(seat, *match.read(seat, command.turn), salt=entry.salt)
        elif isinstance(command, messages.ChooseSecret):
            self._choose_secret(seat, command.secret, entry.salt)
        elif isinstance(command, messages.GoOn):
            self._go_on(seat, entry.salt)
        elif isinstance(command, messages.Rematch):
            self._want_rematch(seat, entry.salt)
        else:
            self._simple(command)(seat)

    def _simple(self, command: AnyCommand) -> Any:
        return {
            messages.Resign: self.match.resign,
            messages.OfferDraw: self.match.offer_draw,
            messages.AcceptDraw: self.match.accept_draw,
            messages.DeclineDraw: self.match.decline_draw,
            messages.Claim: self.match.claim,
            messages.WaiveClaim: self.match.waive_claim,
        }[type(command)]

    def _choose_secret(self, seat: Seat, text: str, salt: str) -> None:
        answers = self.match.read(seat, text)  # says it first if nothing is asked at all
        if self.view(seat).asks != SECRET:
            raise NotNow("There is no secret to choose now.")
        self.match.play(seat, *answers, salt=salt)

    def _go_on(self, seat: Seat, salt: str) -> None:
        question = self.match.question(seat)
        if question is None or not question.forced:
            raise NotNow("There is nothing to go on with: make a move.")
        self.match.play(seat, question.answers[0].record, salt=salt)

    def _want_rematch(self, seat: Seat, salt: str) -> None:
        if self.match.outcome is None:
            raise NotNow("A rematch comes after the match.")
        if self.seating.is_open:
            raise NotNow("Nobody joined, so there is nobody to play again with.")
        mine = self.seating.holders[seat]
        for mate, holder in self.seating.holders.items():
            if mate == seat or (holder and mine and (holder.bot or holder.key == mine.key)):
                self._rematch.setdefault(mate, salt)

    def next_match(self) -> tuple[str, Open] | None:
        """The rematch, when both want it."""
        if len(self._rematch) < len(SEATS):
            return None
        chance = "".join(self._rematch[seat] for seat in SEATS)
        return self.seating.rematch(self.match.ended, chance)

    # --- what viewers see ---------------------------------------------------------------

    def version(self, viewer: Viewer) -> int:
        return len(self._marks[viewer]) - 1

    def marks(self, viewer: Viewer) -> list[int]:
        """How many events a viewer had heard at each version."""
        return self._marks[viewer]

    def view(self, viewer: Viewer) -> View:
        return self._seen[viewer][0]

    def state(
        self, viewer: Viewer, since: int = 0, answers: tuple[str, ...] = (), *, plain: bool = False
    ) -> State:
        """What a viewer is shown, with the events that were heard after version `since`."""
        return showing.cut(self._shown(viewer, plain), self._marks[viewer], since, answers)

    def frame(self, viewer: Viewer, since: int, *, plain: bool = False) -> bytes:
        """The same as it is sent: encoded once for all who are shown the same."""
        known = self._frames.get((viewer, plain))
        if known is None or known[0] != since:
            frame = encode(self.state(viewer, since, plain=plain))
            known = self._frames[viewer, plain] = since, frame
        return known[1]

    def _shown(self, viewer: Viewer, plain: bool) -> State:
        """The state of a viewer who has seen nothing yet."""
        if (viewer, plain) not in self._states:
            view, around = self._seen[viewer]
            version = self.version(viewer)
            if plain and view.asks != SECRET:
                state = showing.whole(self.id, version, view, around)
            else:
                words = self.game.words(self.game, view, showing.names(self.match))
                around = showing.asking_for_secret(around, words)
                state = showing.whole(self.id, version, view, around)
                if not plain:
                    showing.tell(words, self._told[viewer])
                    state = showing.with_words(state, words, self._told[viewer])
            self._states[viewer, plain] = state
        return self._states[viewer, plain]

    def record(self) -> bytes:
        """The complete record of a finished match."""
        if not self.over:
            raise Refusal("over", "The record is open when the match is over: it holds secrets.")
        return self.match.record().to_json().encode()

    def frames(self) -> Frames:
        """A finished match, turn by turn."""
        if not self.over:
            raise Refusal("over", "The replay is open when the match is over: it shows secrets.")
        return showing.frames(self.match)

    def _count_changes(self) -> None:
        around = self._look_around()
        for viewer in VIEWERS:
            view, mine, before = self.match.view(viewer), around[viewer], self._seen.get(viewer)
            same = before is not None and view == before[0]
            if same and before is not None and (mine is before[1] or mine == before[1]):
                continue
            self._seen[viewer] = view, mine
            for plain in (True, False):
                self._states.pop((viewer, plain), None)
                self._frames.pop((viewer, plain), None)
            self._marks[viewer].append(len(view.events))
            if before is None or _decision(view) != _decision(before[0]):
                self._asked_at[viewer] = self.version(viewer)

    def _look_around(self) -> dict[Viewer, Surroundings]:
        """What stands around the game for each viewer; most entries change nothing of it."""
        following = self.next_match()
        facts = (
            len(self.match.commitments),
            self.seating.sitters,
            self.seating.link(over=self.over),
            (1 in self._rematch, 2 in self._rematch),
            following[0] if following else None,
            self._time.show(self.seating) if self._time else None,
        )
        if facts != self._around_facts:
            self._around_facts = facts
            _, players, link, rematch, following_id, clock = facts
            sealed = dict(self.match.commitments)
            plain = Surroundings(players, sealed, None, rematch, following_id, clock=clock)
            opener = msgspec.structs.replace(plain, link=link)
            self._around = {1: opener, 2: plain, None: plain}
        return self._around


def _decision(view: View) -> tuple[object, ...]:
    """What a player decides on. While it stays, a command does not become stale.

    So a friend who joins or hides their traps does not undo what one is about to say.
    """
    return view.question, view.turn, view.draw_offer, view.may_claim, view.outcome
