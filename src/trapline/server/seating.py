"""Who sits where in a match: keys, names, the link for a friend. No rule is asked here."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING

import msgspec

from trapline.core import SEATS, OptionsError, Seat
from trapline.games import changed_options
from trapline.referee import Player, Record, Series
from trapline.referee.locked.match import must_be_lockable
from trapline.server.hours import now
from trapline.server.log import Holder, Join, Open
from trapline.server.messages import Sitter
from trapline.server.names import printable
from trapline.server.refusals import Refusal

if TYPE_CHECKING:
    from typing import Any

    from trapline.core import First, Game, Outcome
    from trapline.server.messages import Again, NewMatch
    from trapline.server.store import Listing


def hash_key(key: str) -> str:
    """What is kept of a player's key. It is random and long, so a plain hash hides it."""
    return hashlib.sha256(key.encode()).hexdigest()


def new_opening(wanted: NewMatch, game: Game[Any], owner: str, *, bot: bool) -> Open:
    """The first entry of a match that somebody asks for."""
    if wanted.locked:
        must_be_lockable(game)
        if wanted.against != "link":
            raise OptionsError("Secrets stay on two devices only in a match by link.")
        if wanted.clock is None:
            raise OptionsError(
                "Where secrets stay on the players' own devices a clock is needed: it says who "
                "does not open what was hidden."
            )
    table = wanted.against == "table"
    me = Holder(printable(wanted.name) or "Player 1", hash_key(owner))
    second: Holder | None = None
    if bot:
        second = Holder(wanted.against, bot=wanted.against)
    elif wanted.against == "here":
        second = Holder(printable(wanted.mate) or "Player 2", me.key)
    first, tossed = _toss(wanted.first or game.default_first)
    code = _new_code() if second is None else None
    chance = secrets.token_hex(32) if game.draws else ""
    options = changed_options(game)
    return Open(
        now(),
        game.name,
        options,
        first,
        tossed,
        (None if table else me, second),
        code,
        chance,
        clock=wanted.clock,
        series=Series(wanted.best_of, 1, (0, 0)) if wanted.best_of > 1 else None,
        listed=wanted.listed,
        watched=wanted.watched,
        locked=wanted.locked,
        host=me.key if table else "",
        first_code=_new_code() if table else None,
    )


def opening_from(record: Record, wanted: NewMatch, again: Again, owner: str) -> Open:
    """The first entry of a match that goes on from a position of a finished one.

    Everything is as it was, secrets and seals included, so whoever has seen them knows them.
    """
    if again.turn >= len(record.moves):
        raise OptionsError(f"The match had {len(record.moves)} turns: begin before the last one.")
    kept = {str(seat) for seat in SEATS} | {
        key for key in record.salts if key.startswith("turn ") and _turn_of(key) <= again.turn
    }
    past = Record(
        record.game,
        record.options,
        record.first,
        record.secrets,
        record.moves[: again.turn],
        salts={key: salt for key, salt in record.salts.items() if key in kept},
    )
    me = Holder(printable(wanted.name) or f"Player {again.seat}", hash_key(owner))
    rival = Holder(wanted.against, bot=wanted.against)
    holders = (me, rival) if again.seat == 1 else (rival, me)
    return Open(now(), record.game, record.options, record.first, False, holders, past=past)


def _turn_of(key: str) -> int:
    """The turn that a sealed key is about: "turn 7", or "turn 7 of 1" where both answered."""
    return int(key.split()[1])


def _new_code() -> str:
    return secrets.token_urlsafe(16)


def _toss(first: First) -> tuple[Seat, bool]:
    return (secrets.choice(SEATS), True) if first == "toss" else (first, False)


class Seating:
    """The seats of one match."""

    def __init__(self, match_id: str, opening: Open) -> None:
        self.id = match_id
        self.opening = opening
        self.holders: dict[Seat, Holder | None] = dict(zip(SEATS, opening.holders, strict=True))
        self._name()

    def seats_of(self, key: str | None) -> tuple[Seat, ...]:
        """The seats that belong to a player's key."""
        if key is None:
            return ()
        hashed = hash_key(key)
        return tuple(
            seat
            for seat, holder in self.holders.items()
            if holder and holder.key and hmac.compare_digest(holder.key, hashed)
        )

    def sit(self, entry: Join) -> None:
        self.holders[entry.seat] = entry.holder
        self._name()

    def _name(self) -> None:
        one, two = (
            Sitter(holder.name, holder.bot) if holder else None for holder in self.holders.values()
        )
        self.sitters: tuple[Sitter | None, Sitter | None] = one, two
        self.is_open = None in self.holders.values()
        """Whether a seat is free."""
        self.has_bots = any(holder and holder.bot for holder in self.holders.values())

    def players(self) -> dict[Seat, Player]:
        return {
            seat: Player(holder.name, holder.bot) if holder else Player(f"Player {seat}")
            for seat, holder in self.holders.items()
        }

    def is_host(self, key: str | None) -> bool:
        """Whether a key is that of the shared screen on which the match is shown."""
        host = self.opening.host
        return bool(key and host) and hmac.compare_digest(host, hash_key(key or ""))

    def link(self, *, over: bool) -> str | None:
        """The link that the one at seat 1 hands out, while there is a seat for another."""
        return None if self.opening.host else self.link_to(2, over=over)

    def link_to(self, seat: Seat, *, over: bool) -> str | None:
        """The link that admits a player to a seat, while it is free."""
        if over or self.holders[seat] is not None:
            return None
        return f"/join/{self.id}#{self._codes()[seat]}"

    def _codes(self) -> dict[Seat, str | None]:
        return {1: self.opening.first_code, 2: self.opening.code}

    def listing(self, *, over: bool) -> Listing:
        """As what the lobby shows this match."""
        if over:
            return ""
        if self.is_open:
            return "challenge" if self.opening.listed else ""
        return "watch" if self.opening.watched else ""

    def admit(self, code: str, name: str, key: str, *, over: bool) -> Join:
        """What lets the one who shows the code take the free seat; Refusal if nothing does."""
        if self.seats_of(key):
            raise Refusal("not now", "You play in this match already; the link is for your friend.")
        seat = 2 if self.opening.listed and not code else self._seat_for(code)
        if seat is None:
            raise Refusal("not yours", "This link is not complete: ask for it again.")
        if self.holders[seat] is not None:
            raise Refusal("full", "Somebody else has already taken this seat; you can watch.")
        if over:
            raise Refusal("not now", "This match has ended before it began.")
        return Join(now(), seat, Holder(printable(name) or f"Player {seat}", hash_key(key)))

    def _seat_for(self, code: str) -> Seat | None:
        """The seat whose link holds this code."""
        for seat, wanted in self._codes().items():
            if wanted and hmac.compare_digest(wanted.encode(), code.encode()):
                return seat
        return None

    def rematch(self, at: str, chance: str, outcome: Outcome | None) -> tuple[str, Open] | None:
        """The next match, seats swapped: the same for every process that works it out.

        `chance` is drawn by the server, written in the log, and shown to nobody, so that no
        player can work out the toss or the deal.
        """
        one, two = self.holders[1], self.holders[2]
        if one is None or two is None:
            return None
        first, tossed = self.opening.first, self.opening.tossed
        if tossed:
            coin = f"toss {self.id} {one.key} {two.key}{chance}".encode()
            first = SEATS[hashlib.sha256(coin).digest()[0] & 1]
        opening = msgspec.structs.replace(
            self.opening,
            at=at,
            first=first,
            holders=(_renamed(two, 1), _renamed(one, 2)),
            code=None,
            past=None,
            series=_next_in_series(self.opening.series, outcome),
            chance=_hashed(f"chance {self.id} {chance}") if self.opening.chance else "",
        )
        return _hashed(f"rematch {self.id}")[:16], opening


def _next_in_series(series: Series | None, outcome: Outcome | None) -> Series | None:
    """What a rematch is in a series: its next match, or the first of a new one."""
    if series is None:
        return None
    following = series.following(outcome) or Series(series.best_of, 1, (0, 0))
    one, two = following.wins
    return msgspec.structs.replace(following, wins=(two, one))


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _renamed(holder: Holder, seat: Seat) -> Holder:
    """A player's name at another seat: those who gave none are called by their seat."""
    unnamed = {f"Player {number}" for number in SEATS}
    return (
        msgspec.structs.replace(holder, name=f"Player {seat}") if holder.name in unnamed else holder
    )
