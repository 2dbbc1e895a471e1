"""One match as the server holds it: no I/O, only entries in and states out.

A room is made from its log and nothing else, so a restarted server, or another process,
makes the same room.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from trapline.core import (
    SECRET,
    GameError,
    IllegalMove,
    NotNow,
    Seat,
    SecretError,
    TraplineError,
    View,
    WrongOpening,
)
from trapline.games import make_game
from trapline.referee import Match
from trapline.referee.locked.kinds import locked_kind
from trapline.server import locking, log, messages, showing
from trapline.server.hours import now
from trapline.server.log import Act, Away, Join, Late, Open
from trapline.server.messages import Surroundings
from trapline.server.refusals import CountedRefusal, Refusal, broken_rules, refusal_of
from trapline.server.seating import Seating
from trapline.server.sidelines import Sidelines
from trapline.server.timing import Timekeeper, thinking
from trapline.server.viewing import Viewing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trapline.core import Game, Viewer
    from trapline.referee.stand import Stand
    from trapline.server.log import AnyLater
    from trapline.server.messages import AnyCommand, Clock, Frames, Request

Part = Literal["none", "begins", "ends", "whole"]
LONGEST = 5_000
"""Entries of a log. Options allow endless matches, and reading one keeps others waiting."""
AT_ONCE = 25
"""Entries that are read before others have their turn."""
ENDINGS = (messages.Resign, messages.AcceptDraw, messages.Claim, *locking.COMMANDS)
"""What is still heard then: also what devices have to open, for else nobody could win."""
MOST_WRONG = 50
"""How often a seat's device may say what opens nothing: all of it stays in the log."""
ANSWERS = (messages.Play, messages.ChooseSecret, messages.GoOn)


class Room:
    def __init__(self, match_id: str, opening: Open, game: Game[Any] | None = None) -> None:
        self.id = match_id
        self.entries = 1
        self.opening = opening
        self.seating = Seating(match_id, opening)
        self.match = _begin(match_id, opening, game)
        self.game = self.match.game
        self.hides_turns = self.game.seals_turns
        """Whether a turn may hold answers that others do not see."""
        self.match.players = self.seating.players()
        self.match.tossed = opening.tossed
        self.match.started = opening.at
        stand = self.match.stand()
        self._time = Timekeeper(opening.clock) if opening.clock else None
        self._keep_time(opening.at, stand)
        self._sidelines = Sidelines(self.match, self.seating)
        self._done: dict[tuple[Seat, str], str] = {}
        self._viewing = Viewing(self.match, stand)
        self.version = self._viewing.version
        self.marks = self._viewing.marks
        self.view = self._viewing.view
        self.state = self._viewing.state
        self.frame = self._viewing.frame
        self._facts: tuple[Any, ...] = ()
        self._around: dict[Viewer, Surroundings] = {}
        self._viewing.look(stand, self._look_around())

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
        return self.view(seat) if self._viewing.asks(seat) is not None else None

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
        newest = self._viewing.version(seat)
        oldest = 0 if isinstance(command, messages.React) else self._viewing.asked_at(seat)
        if not oldest <= request.version <= newest:
            sentence = "The match has gone on since: look again, and then decide."
            raise Refusal("stale", sentence, key=key)
        if self.entries >= LONGEST and not isinstance(command, ENDINGS):
            sentence = "This match has become too long: it can only be ended now."
            raise Refusal("full", sentence, key=key)
        self._must_not_flood(seat, command, key)
        salt = secrets.token_hex(32) if self._needs_salt(seat, command) else ""
        entry = Act(now(), seat, key, command, salt)
        try:
            self.add(entry)
        except IllegalMove as error:
            counted = self.game.claim_after is not None and not isinstance(error, SecretError)
            if not counted and not isinstance(error, WrongOpening):
                raise refusal_of(error, key) from None
            # The referee has counted it, or keeps it as evidence, so it is part of the match.
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

    def _must_not_flood(self, seat: Seat, command: AnyCommand, key: str) -> None:
        """Refusal for what could be said without end, until the other cannot move any more."""
        if isinstance(command, messages.OfferDraw) and self.match.has_offered_draw(seat):
            raise Refusal("not now", "Your draw offer still stands.", key=key)
        if isinstance(command, messages.Rematch) and self._sidelines.wants_rematch()[seat - 1]:
            raise Refusal("not now", "You have asked already.", key=key)
        wrong = locking.wrong_openings(self.match, seat)
        if wrong >= MOST_WRONG and isinstance(command, locking.COMMANDS):
            sentence = "You have sent too much that opens nothing: no more of it is heard."
            raise Refusal("full", sentence, key=key)

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
            return self.hides_turns or self._viewing.asks(seat) == SECRET
        return isinstance(command, messages.Rematch)

    def part_of_turn(self, seat: Seat, request: Request) -> Part:
        """What a command would be of a turn that may hold hidden answers; nothing of any other."""
        command = request.command
        if not (self.hides_turns and isinstance(command, (*ANSWERS, messages.Lock))):
            return "none"
        if self._viewing.asks(seat) in (None, SECRET):
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
        played, refusal = self.match, ""
        running = played.outcome is None
        match entry:
            case Act():
                try:
                    self._carry_out(entry)
                except IllegalMove as error:
                    if not entry.refused:
                        raise
                    refusal = str(error)
            case Join():
                self._seat(entry)
            case Late():
                self.match.run_out_of_time(*entry.seats)
            case Away() if self._time:
                self._time.give_back(entry.at, entry.milliseconds)
        if running and played.outcome is not None:
            played.ended = entry.at
        self._note(entry, refusal)

    def _seat(self, entry: Join) -> None:
        self.seating.sit(entry)
        self.match.players = self.seating.players()
        self._viewing.rename()

    def _keep_time(self, at: str, stand: Stand) -> None:
        """A clock follows what everybody sees of a stand, and so tells nobody more."""
        if self._time is not None:
            stage = (stand.turn, stand.to_move is not None)
            opening = locking.is_opening(self.match)
            self._time.note(at, thinking(stand, self.seating), stage, opening=opening)

    def _note(self, entry: AnyLater, refusal: str = "") -> None:
        self.entries += 1
        stand = self.match.stand()
        self._keep_time(entry.at, stand)
        answer = isinstance(entry, Act) and isinstance(entry.command, ANSWERS)
        if not answer or self._facts_of_play() != self._facts:
            self._look_around()
        self._viewing.look(stand, self._around)
        if isinstance(entry, Act):
            self._done[entry.seat, entry.key] = refusal
            if answer and not refusal:
                self._viewing.answered(entry.seat)

    def _carry_out(self, entry: Act) -> None:
        seat, command = entry.seat, entry.command
        if isinstance(command, ANSWERS):
            before = self._sidelines.before_turn(seat)
            if isinstance(command, messages.Play):
                match = self.match
                match.play(seat, *match.read(seat, command.turn), salt=entry.salt)
            elif isinstance(command, messages.ChooseSecret):
                self._choose_secret(seat, command.secret, entry.salt)
            else:
                self._go_on(seat, entry.salt)
            self._sidelines.note_turn(seat, before)
        elif isinstance(command, locking.COMMANDS):
            locking.carry_out(self.match, seat, command)
        elif not self._sidelines.carry_out(entry):
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
        if self._viewing.asks(seat) != SECRET:
            raise NotNow("There is no secret to choose now.")
        self.match.play(seat, *answers, salt=salt)

    def _go_on(self, seat: Seat, salt: str) -> None:
        question = self.match.question(seat)
        if question is None or not question.forced:
            raise NotNow("There is nothing to go on with: make a move.")
        self.match.play(seat, question.answers[0].record, salt=salt)

    def next_match(self) -> tuple[str, Open] | None:
        """The rematch, when both want it."""
        return self._sidelines.next_match()

    # --- afterwards, and around the game -------------------------------------------------

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

    def _facts_of_play(self) -> tuple[Any, ...]:
        """What an answer may change of all that stands around the game."""
        return (
            self.match.outcome is None,
            len(self.match.commitments),
            self._time.show(self.seating) if self._time else None,
            self._sidelines.takeback(),
            locking.shown(self.match) if self.opening.locked else None,
        )

    def _look_around(self) -> dict[Viewer, Surroundings]:
        """What stands around the game for each viewer; most answers change nothing of it."""
        _, _, clock, takeback, locked = self._facts = self._facts_of_play()
        next_match = self.next_match()
        plain = Surroundings(
            self.seating.sitters,
            dict(self.match.commitments),
            None,
            self._sidelines.wants_rematch(),
            next_match[0] if next_match else None,
            clock=clock,
            series=self._sidelines.standing(),
            takeback=takeback,
            reactions=self._sidelines.reactions(),
            locked=locked,
        )
        opener = msgspec.structs.replace(plain, link=self.seating.link(over=self.over))
        self._around = locking.with_marks({1: opener, 2: plain, None: plain}, self.match)
        return self._around


def _begin(match_id: str, opening: Open, game: Game[Any] | None) -> Match:
    """The match as it is opened: new, or as far as another had come."""
    if opening.past is not None:
        return Match.restore(msgspec.structs.replace(opening.past, id=match_id))
    game = game or make_game(opening.game, opening.options)
    kind = locked_kind(game) if opening.locked else Match
    return kind(
        game,
        opening.first,
        match_id=match_id,
        chance=opening.chance or None,
        series=opening.series,
    )
