"""One match as the server holds it: no I/O, only entries in and states out.

A room is made from its log and nothing else, so a restarted server, or another process,
makes the same room. Each viewer has a version of their own, which rises exactly when what
they are shown changes: whatever they must not notice cannot be counted by them either.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import (
    SEATS,
    IllegalMove,
    InvalidMove,
    Moved,
    NotNow,
    Seat,
    SecretError,
    TraplineError,
    View,
)
from trapline.games import changed_options, make_game
from trapline.match import Match, Viewer
from trapline.notation import Turn, parse_secret, parse_trap_answer, parse_turn
from trapline.record import Player
from trapline.server import messages
from trapline.server.log import Act, AnyEntry, Holder, Join, Open
from trapline.server.messages import Sitter, State, Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trapline.core import First
    from trapline.server.messages import AnyCommand, NewMatch, Reason, Request

VIEWERS: tuple[Viewer, ...] = (1, 2, None)
LONGEST = 5_000
"""Entries of a log. Options allow endless matches, and reading one keeps others waiting."""
ENDINGS = (messages.Resign, messages.AcceptDraw, messages.Claim)
Shown = tuple[View, Table]


class Refusal(TraplineError):
    """A command that is not carried out, and the word programs know it by."""

    def __init__(self, reason: Reason, sentence: str, *, key: str | None = None) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.key = key


REASONS: tuple[tuple[type[TraplineError], Reason], ...] = (
    (InvalidMove, "invalid"),
    (IllegalMove, "illegal"),
    (SecretError, "secret"),
    (NotNow, "not now"),
)


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def hash_key(key: str) -> str:
    """What is kept of a player's key. It is random and long, so a plain hash hides it."""
    return hashlib.sha256(key.encode()).hexdigest()


def new_opening(wanted: NewMatch, owner: str, *, bot: bool) -> Open:
    """The first entry of a match that somebody asks for."""
    game = make_game(wanted.game, wanted.options)
    me = Holder(_printable(wanted.name) or "Player 1", hash_key(owner))
    second: Holder | None = None
    if bot:
        second = Holder(wanted.against, bot=wanted.against)
    elif wanted.against == "here":
        second = Holder(_printable(wanted.mate) or "Player 2", me.key)
    first, tossed = _toss(wanted.first or game.default_first)
    code = secrets.token_urlsafe(16) if second is None else None
    options = changed_options(game)
    return Open(now(), game.name, options, first, tossed, (me, second), code)


def _printable(name: str) -> str:
    """A name that every screen shows and none obeys."""
    return "".join(letter for letter in name if letter.isprintable()).strip()


def _toss(first: First) -> tuple[Seat, bool]:
    return (secrets.choice(SEATS), True) if first == "toss" else (first, False)


class Room:
    def __init__(self, match_id: str, opening: Open) -> None:
        self.id = match_id
        self.entries = 1
        self.game = make_game(opening.game, opening.options)
        self.opening = opening
        self._holders: dict[Seat, Holder | None] = dict(zip(SEATS, opening.holders, strict=True))
        self.match = Match(self.game, opening.first, match_id=match_id)
        self.sitters: tuple[Sitter | None, Sitter | None] = (None, None)
        self._sit()
        self.match.tossed = opening.tossed
        self.match.started = opening.at
        self._held: Turn | None = None
        self._offer_held = False
        self._rematch: set[Seat] = set()
        self._done: dict[tuple[Seat, str], str] = {}
        self._shown: dict[Viewer, Shown] = {}
        self._marks: dict[Viewer, list[int]] = {viewer: [0] for viewer in VIEWERS}
        self._asked_at: dict[Viewer, int] = {}
        self._commitments: dict[str, str] = {}
        self._count_changes()

    @classmethod
    def read(cls, match_id: str, entries: Iterable[AnyEntry]) -> Room:
        """The room that a log makes."""
        log = iter(entries)
        opening = next(log)
        if not isinstance(opening, Open):
            raise TraplineError(f"The log of match {match_id} does not begin with its opening.")
        room = cls(match_id, opening)
        for entry in log:
            room.add(entry)
        return room

    # --- who sits where -----------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.match.outcome is not None

    @property
    def is_open(self) -> bool:
        """Whether a seat is free."""
        return self._holders[2] is None

    def seats_of(self, key: str | None) -> tuple[Seat, ...]:
        """The seats that belong to a player's key."""
        if key is None:
            return ()
        hashed = hash_key(key)
        return tuple(
            seat
            for seat, holder in self._holders.items()
            if holder and holder.key and hmac.compare_digest(holder.key, hashed)
        )

    def bot_to_act(self) -> tuple[Seat, str, View] | None:
        """The computer that is asked something, or has to go on, and what it may know."""
        for seat, holder in self._holders.items():
            view, table = self._shown[seat]
            if holder and holder.bot and (view.asks or table.go_on):
                return seat, holder.bot, view
        return None

    def _sit(self) -> None:
        self.match.players = self._players()
        one, two = (
            Sitter(holder.name, holder.bot) if holder else None for holder in self._holders.values()
        )
        self.sitters = one, two

    def link(self) -> str | None:
        """The link that admits the other player, while there is a seat for them."""
        return f"/join/{self.id}#{self.opening.code}" if self.is_open and not self.over else None

    def _players(self) -> dict[Seat, Player]:
        return {
            seat: Player(holder.name, holder.bot) if holder else Player(f"Player {seat}")
            for seat, holder in self._holders.items()
        }

    # --- what happens -------------------------------------------------------------------

    def join(self, code: str, name: str, key: str) -> Join:
        """Let the one who shows the code take the free seat."""
        if self.seats_of(key):
            raise Refusal("not now", "You play in this match already; the link is for your friend.")
        wanted = self.opening.code
        if wanted is None or not hmac.compare_digest(wanted.encode(), code.encode()):
            raise Refusal("not yours", "This link is not complete: ask for it again.")
        if not self.is_open:
            raise Refusal("full", "Somebody else has already taken this seat; you can watch.")
        if self.over:
            raise Refusal("not now", "This match has ended before it began.")
        entry = Join(now(), 2, Holder(_printable(name) or "Player 2", hash_key(key)))
        self.add(entry)
        return entry

    def act(self, seat: Seat, request: Request) -> Act | None:
        """Carry out a command. None if it was carried out before; Refusal if it cannot be."""
        if (seat, request.key) in self._done:
            if sentence := self._done[seat, request.key]:
                raise Refusal("illegal", sentence, key=request.key)
            return None
        if not self._asked_at[seat] <= request.version <= self.version(seat):
            sentence = "The match has gone on since: look again, and then decide."
            raise Refusal("stale", sentence, key=request.key)
        if self.entries >= LONGEST and not isinstance(request.command, ENDINGS):
            sentence = "This match has become too long: it can only be ended now."
            raise Refusal("full", sentence, key=request.key)
        salted = self.game.hides_turns or isinstance(request.command, messages.ChooseSecret)
        salt = secrets.token_hex(32) if salted else ""
        entry = Act(now(), seat, request.key, request.command, salt)
        try:
            self.add(entry)
        except IllegalMove as error:
            if self.game.claim_after is None:
                raise _refusal(error, request.key) from None
            # The referee has counted it, so it is part of the match.
            self._note(entry, str(error))
            refused = msgspec.structs.replace(entry, refused=True)
            raise CountedRefusal(refused, str(error), request.key) from None
        except TraplineError as error:
            raise _refusal(error, request.key) from None
        return entry

    def add(self, entry: AnyEntry) -> None:
        """Take in an entry of the log. What cannot be carried out raises, and changes nothing."""
        if isinstance(entry, Join):
            self._holders[entry.seat] = entry.holder
            self._sit()
            self._note(entry)
        elif isinstance(entry, Act):
            running, refusal = not self.over, ""
            try:
                self._carry_out(entry)
            except IllegalMove as error:
                if not entry.refused:
                    raise
                refusal = str(error)
            if running and self.over:
                self.match.ended = entry.at
                self._held, self._offer_held = None, False
            self._note(entry, refusal)

    def _note(self, entry: Join | Act, refusal: str = "") -> None:
        self.entries += 1
        if isinstance(entry, Act):
            self._done[entry.seat, entry.key] = refusal
        self._count_changes()

    def _carry_out(self, entry: Act) -> None:
        seat, command, match = entry.seat, entry.command, self.match
        if isinstance(command, messages.ChooseSecret):
            match.choose_secret(
                seat, parse_secret(self.game, seat, command.secret), salt=entry.salt
            )
        elif isinstance(command, messages.Play):
            self._play(seat, command.turn, entry.salt)
        elif isinstance(command, messages.GoOn):
            self._go_on(seat, entry.salt)
        elif isinstance(command, messages.OfferDraw):
            self._offer_draw(seat)
        elif isinstance(command, messages.Rematch):
            self._want_rematch(seat)
        else:
            self._simple(command)(seat)

    def _simple(self, command: AnyCommand) -> Any:
        return {
            messages.Resign: self.match.resign,
            messages.AcceptDraw: self.match.accept_draw,
            messages.DeclineDraw: self.match.decline_draw,
            messages.Claim: self.match.claim,
            messages.WaiveClaim: self.match.waive_claim,
        }[type(command)]

    def _play(self, seat: Seat, text: str, salt: str) -> None:
        if self._held and seat == self.match.to_move:
            raise NotNow("Your move is made: go on.")
        if self.view(seat).asks == "trap":
            turn = parse_trap_answer(text)
        else:
            turn = parse_turn(self.game, text)
        if self._must_be_held(seat, turn):
            self._held = turn
        else:
            self.match.play(seat, *turn, salt=salt)

    def _must_be_held(self, seat: Seat, turn: Turn) -> bool:
        """Whether this turn would be complete for a reason that only its mover knows.

        The other would see at once that there was no question, and so learn of a trap.
        """
        if not self.game.hides_turns or seat != self.match.to_move:
            return False
        ahead = self.match.fork()
        ahead.play(seat, *turn)
        if ahead.outcome is not None or len(turn) > 1 or ahead.view(seat).asks == "trap":
            return False
        if self.view(seat).asks == "trap":
            return False
        moved = [event for event in ahead.view(seat).events if isinstance(event, Moved)]
        return moved[-1].start != 0

    def _go_on(self, seat: Seat, salt: str) -> None:
        if self._held is None or seat != self.match.to_move:
            raise NotNow("There is nothing to go on with: make a move.")
        turn, self._held = self._held, None
        self.match.play(seat, *turn, salt=salt)
        if self._offer_held and self.match.outcome is None:
            self.match.offer_draw(seat)
        self._offer_held = False

    def _offer_draw(self, seat: Seat) -> None:
        if self._held and seat == self.match.to_move and self.match.view(seat).draw_offer is None:
            self._offer_held = True  # made when the turn is complete, as in any other turn
        else:
            self.match.offer_draw(seat)

    def _want_rematch(self, seat: Seat) -> None:
        if self.match.outcome is None:
            raise NotNow("A rematch comes after the match.")
        if self._holders[2] is None:
            raise NotNow("Nobody joined, so there is nobody to play again with.")
        for mate, holder in self._holders.items():
            mine = self._holders[seat]
            if mate == seat or (holder and mine and (holder.bot or holder.key == mine.key)):
                self._rematch.add(mate)

    def next_match(self) -> tuple[str, Open] | None:
        """The rematch, when both want it: seats swapped, and the same for whoever works it out."""
        if len(self._rematch) < len(SEATS):
            return None
        one, two = self._holders[1], self._holders[2]
        if one is None or two is None:
            return None
        first, tossed = self.opening.first, self.opening.tossed
        if tossed:
            # Fair, the same in every process, and known to nobody before: keys are secret.
            coin = f"toss {self.id} {one.key} {two.key}".encode()
            first = SEATS[hashlib.sha256(coin).digest()[0] & 1]
        holders = (_renamed(two, 1), _renamed(one, 2))
        opening = msgspec.structs.replace(
            self.opening, at=self.match.ended, first=first, holders=holders, code=None
        )
        return hashlib.sha256(f"rematch {self.id}".encode()).hexdigest()[:16], opening

    # --- what viewers see ---------------------------------------------------------------

    def version(self, viewer: Viewer) -> int:
        return len(self._marks[viewer]) - 1

    def view(self, viewer: Viewer) -> View:
        return self._shown[viewer][0]

    def state(self, viewer: Viewer, since: int = 0, answers: tuple[str, ...] = ()) -> State:
        """What a viewer is shown, with the events that were heard after version `since`."""
        view, table = self._shown[viewer]
        marks = self._marks[viewer]
        if not 0 <= since < len(marks):
            since = 0
        if since:
            view = msgspec.structs.replace(view, events=view.events[marks[since] :])
        return State(self.id, len(marks) - 1, since, view, table, answers)

    def _count_changes(self) -> None:
        if len(self._commitments) != len(self.match.commitments):
            self._commitments = dict(self.match.commitments)
        for viewer in VIEWERS:
            shown, before = self._look(viewer), self._shown.get(viewer)
            if shown == before:
                continue
            self._shown[viewer] = shown
            self._marks[viewer].append(len(shown[0].events))
            if before is None or _question(shown) != _question(before):
                self._asked_at[viewer] = self.version(viewer)

    def _look(self, viewer: Viewer) -> Shown:
        view = self.match.view(viewer)
        held = self._held is not None and viewer == self.match.to_move
        if held:
            view = msgspec.structs.replace(view, asks=None, legal=())
        following = self.next_match()
        table = Table(
            players=self.sitters,
            commitments=self._commitments,
            link=self.link() if viewer == 1 else None,
            go_on=held,
            rematch=(1 in self._rematch, 2 in self._rematch),
            next=following[0] if following else None,
        )
        if view.asks == "secret" and viewer is not None:
            places, count = self.game.secret_places(viewer)
            hint = self.game.secret_hint(viewer)
            table = msgspec.structs.replace(
                table, secret_hint=hint, secret_places=tuple(places), secret_count=count
            )
        return view, table


def _question(shown: Shown) -> tuple[object, ...]:
    """What a player decides on. While it stays, a command does not become stale.

    So a friend who joins or hides their traps does not undo what one is about to say.
    """
    view, table = shown
    return view.asks, view.turn, view.draw_offer, view.may_claim, view.outcome, table.go_on


class CountedRefusal(Refusal):
    """A refused move that the log must hold all the same, because refusals are counted."""

    def __init__(self, entry: Act, sentence: str, key: str) -> None:
        super().__init__("illegal", sentence, key=key)
        self.entry = entry


def _refusal(error: TraplineError, key: str) -> Refusal:
    for kind, reason in REASONS:
        if isinstance(error, kind):
            return Refusal(reason, str(error), key=key)
    return Refusal("invalid", str(error), key=key)


def _renamed(holder: Holder, seat: Seat) -> Holder:
    """A player's name at another seat: those who gave none are called by their seat."""
    unnamed = {f"Player {number}" for number in SEATS}
    return (
        msgspec.structs.replace(holder, name=f"Player {seat}") if holder.name in unnamed else holder
    )
