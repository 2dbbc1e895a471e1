"""The referee: the sole holder of a match's live state.

Players act through it and look through `view`, which is built for one seat from what that
seat may know. Every call that is refused raises a TraplineError with a sentence and changes
nothing, except that games which count refused moves count it.
"""

from __future__ import annotations

import secrets as random_source
from copy import copy
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from trapline.core import (
    NO_TRAP,
    PRIVATE_EVENTS,
    SEATS,
    SET_TRAP,
    AnyEvent,
    ClaimWaived,
    DrawDeclined,
    DrawOffered,
    First,
    IllegalMove,
    InvalidMove,
    Move,
    MoveRefused,
    NotNow,
    Outcome,
    Reason,
    RecordError,
    Seat,
    Secret,
    State,
    TraplineError,
    View,
    brief,
    other,
)
from trapline.games import changed_options
from trapline.notation import Turn, turn_from_json, turn_to_json
from trapline.record import (
    Player,
    Record,
    Series,
    commitment,
    record_game,
    stated_outcome,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from trapline.core import Game

Viewer = Seat | None
"""A seat, or None for a spectator."""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Match:
    def __init__(
        self,
        game: Game[Any, Any],
        first: First | None = None,
        *,
        rng: Random | None = None,
        match_id: str | None = None,
        players: dict[Seat, Player] | None = None,
        seed: int | None = None,
        series: Series | None = None,
    ) -> None:
        """`rng` draws the toss; without one it comes from the system's secure source."""
        chosen = first or game.default_first
        self.game = game
        self._options = changed_options(game)
        self.tossed = chosen == "toss"
        toss = (rng or random_source.SystemRandom()).choice
        self.first: Seat = toss(SEATS) if chosen == "toss" else chosen
        self.id = match_id or random_source.token_hex(8)
        self.players = players or {seat: Player(f"Player {seat}") for seat in SEATS}
        self.seed = seed
        self.series = series
        self.started = _now()
        self.ended = ""
        self.commitments: dict[str, str] = {}
        """What each player has fixed without showing it: public from the moment it is made."""
        self.outcome: Outcome | None = None
        self._salts: dict[str, str] = {}
        self._secrets: dict[Seat, Secret] = {}
        self._state: State = game.start(self.first, {})
        self._turns: list[Turn] = []
        self._turn: Turn = ()
        self._heard: dict[Viewer, list[AnyEvent]] = {1: [], 2: [], None: []}
        self._unheard: list[AnyEvent] = []  # of a turn that is not complete yet
        self._refused = 0
        self._offer: Seat | None = None
        self._offer_after_turn = False

    # --- what players do ----------------------------------------------------------------

    def choose_secret(self, seat: Seat, value: Sequence[int], *, salt: str | None = None) -> None:
        self._must_be_running()
        if self.game.secret is None:
            raise NotNow(f"{self.game.title} has no secrets to choose.")
        if seat in self._secrets:
            raise NotNow("Your secret is chosen already, and cannot be changed.")
        secret = self.game.check_secret(seat, value)
        self._secrets[seat] = secret
        self._commit(str(seat), seat, "secret", secret, salt)
        self._state = self.game.start(self.first, self._secrets)

    def play(self, seat: Seat, *turn: Move, salt: str | None = None) -> None:
        """Make one move, or several of the same turn: all of them are made, or none is."""
        self._must_be_running()
        if not self.ready:
            raise NotNow("The game starts when both players have chosen their secrets.")
        if seat != self._state.mover:
            raise NotNow(f"It is Player {self._state.mover}'s turn, not yours.")
        states = [self._state]
        for move in turn:
            self._must_be_readable(move)
            try:
                states.append(self._after(states[-1], move))
            except IllegalMove:
                self._count_refusal(seat)
                raise
        if self._offer == other(seat) and states[-1].turn > states[0].turn:
            # Not in the middle of a turn: the other would learn that there is a question.
            self.decline_draw(seat)
        for move, before, after in zip(turn, states, states[1:], strict=False):
            self._turn += (move,)
            self._state = after
            self._tell(seat, self.game.events(before, move, after), after.turn > before.turn)
        if self._state.turn > states[0].turn:
            self._finish_turn(seat, salt)

    def _after(self, state: State, move: Move) -> State:
        if state.turn > self._state.turn and not isinstance(move, str):
            raise IllegalMove("That is more than one turn.")
        after: State = self.game.apply(state, move)
        return after

    def resign(self, seat: Seat) -> None:
        self._must_be_running()
        self._end(Outcome(other(seat), Reason.RESIGNED))

    def offer_draw(self, seat: Seat) -> None:
        """Offer a draw; answering the other's offer with one's own accepts it.

        An offer in the middle of a turn is made when the turn is complete: before that, it
        would tell the other that there was a question to think about.
        """
        self._must_be_running()
        if self._offer == other(seat):
            self.accept_draw(seat)
        elif self._offer == seat:
            raise NotNow("Your draw offer still stands.")
        elif self._turn and seat == self._state.mover:
            self._offer_after_turn = True
        else:
            self._offer = seat
            self._tell_all(DrawOffered(seat))

    def accept_draw(self, seat: Seat) -> None:
        self._must_have_offer(seat)
        self._end(Outcome(None, Reason.AGREED_DRAW))

    def decline_draw(self, seat: Seat) -> None:
        self._must_have_offer(seat)
        self._offer = None
        self._tell_all(DrawDeclined(seat))

    def claim(self, seat: Seat) -> None:
        """Take the game after the other's refused moves."""
        self._must_be_claimable(seat)
        self._end(Outcome(seat, Reason.FORFEIT))

    def waive_claim(self, seat: Seat) -> None:
        self._must_be_claimable(seat)
        self._refused = 0
        self._tell_all(ClaimWaived(seat))

    # --- what players see ---------------------------------------------------------------

    @property
    def ready(self) -> bool:
        """Whether every secret is chosen, so that moves can be made."""
        return self.game.secret is None or len(self._secrets) == len(SEATS)

    @property
    def to_move(self) -> Seat | None:
        return self._state.mover if self.ready and self.outcome is None else None

    @property
    def may_claim(self) -> Seat | None:
        limit = self.game.claim_after
        if limit is None or self._refused < limit or self.outcome is not None:
            return None
        return other(self._state.mover)

    def view(self, seat: Viewer) -> View:
        over = self.outcome is not None
        asks = self._asks(seat)
        return View(
            game=self.game.name,
            options=self._options,
            seat=seat,
            first=self.first,
            tossed=self.tossed,
            turn=self._state.turn,
            to_move=self.to_move,
            asks=asks,
            legal=tuple(self.game.legal(self._state)) if asks in ("move", "trap") else (),
            secret=self._secrets.get(seat) if seat is not None else None,
            ready=(1 in self._secrets, 2 in self._secrets),
            board=self.game.board(self._state, seat, over),
            events=tuple(self._heard[seat]),
            draw_offer=self._offer,
            may_claim=self.may_claim,
            outcome=self.outcome,
            secrets=(self._secrets.get(1), self._secrets.get(2)) if over else None,
        )

    def _asks(self, seat: Viewer) -> Literal["secret", "move", "trap"] | None:
        if seat is None or self.outcome is not None:
            return None
        if self.game.secret is not None and seat not in self._secrets:
            return "secret"
        if seat != self.to_move:
            return None
        return "trap" if self._turn else "move"

    def copy(self) -> Match:
        """A match that can be played on without changing this one."""
        twin: Match = copy(self)
        twin.commitments, twin._salts = dict(self.commitments), dict(self._salts)
        twin._secrets, twin._turns = dict(self._secrets), list(self._turns)
        twin._heard = {viewer: list(events) for viewer, events in self._heard.items()}
        twin._unheard = list(self._unheard)
        return twin

    # --- records ------------------------------------------------------------------------

    def record(self) -> Record:
        """The complete record, once everything in it may be seen by everybody."""
        if self.outcome is None:
            raise NotNow("The record is open when the match is over; until then it holds secrets.")
        return self.sealed_record()

    def sealed_record(self) -> Record:
        """All that is needed to go on later, secrets included: for the referee's storage only."""
        secrets = {str(seat): list(secret) for seat, secret in sorted(self._secrets.items())}
        return Record(
            game=self.game.name,
            options=changed_options(self.game),
            first=self.first,
            secrets=secrets if self.game.secret else None,
            moves=[turn_to_json(turn) for turn in self._turns],
            id=self.id,
            players={str(seat): player for seat, player in self.players.items()},
            tossed=self.tossed,
            started=self.started,
            ended=self.ended,
            result=self.outcome,
            commitments=dict(self.commitments),
            salts=dict(self._salts),
            pending=[move for move in self._turn if not isinstance(move, tuple)],
            refused=self._refused,
            seed=self.seed,
            series=self.series,
        )

    @classmethod
    def restore(cls, record: Record) -> Match:
        """The match as it was when `record` was written; RecordError where it breaks the rules."""
        game = record_game(record)
        players = {seat: record.players.get(str(seat), Player(f"Player {seat}")) for seat in SEATS}
        match = cls(
            game,
            record.first,
            match_id=record.id,
            players=players,
            seed=record.seed,
            series=record.series,
        )
        match.tossed = record.tossed
        match._restore_play(record)
        match.started, match.ended = record.started, record.ended
        return match

    def _restore_play(self, record: Record) -> None:
        at: Any = "secrets"
        try:
            for seat in SEATS:
                given: Any = record.secrets
                secret = given.get(str(seat)) if isinstance(given, dict) else None
                if secret is not None and self.game.secret is not None:
                    self.choose_secret(seat, secret, salt=record.salts.get(str(seat)))
            for at, value in enumerate(record.moves):
                turn = turn_from_json(self.game, value)
                self.play(self._state.mover, *turn, salt=record.salts.get(f"turn {at + 1}"))
                if self._turn:
                    salt = record.salts.get(f"turn {at + 1}")
                    self.play(self._state.mover, NO_TRAP, salt=salt)
            at = len(record.moves)
            if record.pending:
                self.play(self._state.mover, *record.pending)
        except TraplineError as error:
            raise RecordError(str(error), at) from None
        self._refused = record.refused
        self.outcome = self.outcome or stated_outcome(record, self.game)

    # --- inside -------------------------------------------------------------------------

    def _must_be_running(self) -> None:
        if self.outcome is not None:
            raise NotNow("The match is over.")

    def _must_be_readable(self, move: object) -> None:
        """A look-alike such as True, 2.0 or a list is no move."""
        if self.game.moves == "cell":
            readable = (
                type(move) is tuple and len(move) == 2 and all(type(part) is int for part in move)
            )
        else:
            readable = type(move) is int or (self.game.hides_turns and type(move) is str)
        if not readable:
            raise InvalidMove(f"{brief(move)} is not a move of {self.game.title}.")

    def _must_have_offer(self, seat: Seat) -> None:
        self._must_be_running()
        if self._offer != other(seat):
            raise NotNow("There is no draw offer to answer.")

    def _must_be_claimable(self, seat: Seat) -> None:
        self._must_be_running()
        if self.may_claim != seat:
            raise NotNow("There is nothing to claim: the other player's moves were not refused.")

    def _count_refusal(self, seat: Seat) -> None:
        if self.game.claim_after is not None:
            self._refused += 1
            self._tell_all(MoveRefused(seat, self._refused))

    def _finish_turn(self, seat: Seat, salt: str | None) -> None:
        turn, self._turn = self._turn, ()
        self._turns.append(turn)
        self._refused = 0
        if self.game.hides_turns:
            subject = f"turn {len(self._turns)}"
            decision = SET_TRAP if SET_TRAP in turn else NO_TRAP
            self._commit(subject, seat, subject, decision, salt)
        if self._state.outcome is not None:
            self._end(self._state.outcome)
        elif self._offer_after_turn:
            self.offer_draw(seat)
        self._offer_after_turn = False

    def _commit(
        self, key: str, seat: Seat, subject: str, value: Sequence[int] | str, salt: str | None
    ) -> None:
        self._salts[key] = salt or random_source.token_hex(32)
        self.commitments[key] = commitment(
            self.game.name, self.id, seat, subject, value, self._salts[key]
        )

    def _tell(self, seat: Seat, events: Iterable[AnyEvent], complete: bool) -> None:
        """Tell the mover at once, everybody else when the turn is complete.

        So nobody else can tell from the rhythm of a turn whether it held a question.
        """
        for event in events:
            self._heard[seat].append(event)
            if not isinstance(event, PRIVATE_EVENTS):
                self._unheard.append(event)
        if complete:
            for viewer in (other(seat), None):
                self._heard[viewer] += self._unheard
            self._unheard = []

    def _tell_all(self, event: AnyEvent) -> None:
        for heard in self._heard.values():
            heard.append(event)

    def _end(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self._offer = None
        self.ended = _now()
