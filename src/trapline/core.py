"""The words every other part speaks: seats, moves, events, boards, views, outcomes, games.

Nothing here knows a particular game, and everything here is a frozen value. A game is
described by `Game`: pure functions from a state to legal moves, to the next state, to the
events between two states, and to the board that one seat may see.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

Seat = Literal[1, 2]
SEATS: tuple[Seat, Seat] = (1, 2)
First = Literal[1, 2, "toss"]

Cell = tuple[int, int]
"""A cell of a grid: row and column, both counted from 1."""

Move = int | Cell | str
"""A number of steps, a cell to go to, or the answer to a trap question."""

SET_TRAP, NO_TRAP = "t", "n"

Secret = tuple[int, ...]
"""Trap positions in rising order, or a goal cell."""


def other(seat: Seat) -> Seat:
    return 2 if seat == 1 else 1


def brief(value: object) -> str:
    """A value as a refusal may quote it: never huge, never with control characters."""
    if isinstance(value, int) and abs(value) >= 10**12:
        return "a number that large"
    try:
        text = ascii(value)
    except RecursionError:
        return "something nested that deeply"
    return text if len(text) <= 40 else text[:37] + "..."


# --- errors: each carries one sentence that a player can act on -------------------------


class TraplineError(Exception):
    """Something a caller asked for cannot be had; the text says what would be right."""


class OptionsError(TraplineError):
    """These options make no game."""


class SecretError(TraplineError):
    """This secret is not one the rules allow."""


class InvalidMove(TraplineError):
    """This cannot be read as a move at all."""


class IllegalMove(TraplineError):
    """This is a move, but the rules do not allow it here."""


class NotNow(TraplineError):
    """The call is fine, but not at this moment of the match."""


class Forfeit(TraplineError):
    """A player gives no answer that can be used, and so loses the match."""


class Unavailable(TraplineError):
    """A player cannot be asked now; the match can go on when it can."""

    def __init__(self, sentence: str, player: str = "") -> None:
        super().__init__(sentence)
        self.player = player


class RecordError(TraplineError):
    """A match record cannot be read, or breaks the rules at `at`."""

    def __init__(self, sentence: str, at: int | Literal["record", "options", "secrets"]) -> None:
        super().__init__(sentence)
        self.at = at


# --- endings ----------------------------------------------------------------------------


class Reason(StrEnum):
    GOAL = "goal"
    TRAP = "trap"
    RESIGNED = "resigned"
    AGREED_DRAW = "agreed draw"
    TURN_LIMIT = "turn limit"
    WALLED_OFF = "walled off"
    FORFEIT = "forfeit"


class Outcome(msgspec.Struct, frozen=True):
    winner: Seat | None
    reason: Reason


# Indexed by seat; made once, because a referee hands them out all day.
REACHED_GOAL = {seat: Outcome(seat, Reason.GOAL) for seat in SEATS}
TRAPPED = {seat: Outcome(other(seat), Reason.TRAP) for seat in SEATS}
OUT_OF_TURNS = Outcome(None, Reason.TURN_LIMIT)
WALLED_OFF = Outcome(None, Reason.WALLED_OFF)


# --- events: what happened, as a seat may hear it ---------------------------------------


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    by: Seat


class Moved(Event, frozen=True, tag="moved"):
    start: int | Cell
    to: int | Cell


class Triggered(Event, frozen=True, tag="triggered"):
    """Landed on a trap, which everybody now knows."""

    at: int


class Returned(Event, frozen=True, tag="returned"):
    """Went back to the start because of a trap."""


class TrapTried(Event, frozen=True, tag="trap tried"):
    """Tried to set a trap on the square just left. Only the one who tried hears this."""

    at: int
    succeeded: bool


class MoveRefused(Event, frozen=True, tag="move refused"):
    """An illegal move, the `count`th in a row (only in games that count them)."""

    count: int


class ClaimWaived(Event, frozen=True, tag="claim waived"):
    pass


class DrawOffered(Event, frozen=True, tag="draw offered"):
    pass


class DrawDeclined(Event, frozen=True, tag="draw declined"):
    pass


PRIVATE_EVENTS: tuple[type[Event], ...] = (TrapTried,)

AnyEvent = (
    Moved
    | Triggered
    | Returned
    | TrapTried
    | MoveRefused
    | ClaimWaived
    | DrawOffered
    | DrawDeclined
)


# --- boards: what one seat sees ---------------------------------------------------------


class Trap(msgspec.Struct, frozen=True):
    at: int
    owner: Seat | None
    """Whose opponent it acts on; None acts on everybody."""
    sprung: bool
    """Has been triggered, so both players know it."""
    live: bool
    """Still acts on whoever lands on it."""


class Track(msgspec.Struct, frozen=True, tag="track", tag_field="board"):
    length: int
    positions: tuple[int, int]
    goals: tuple[int, int]
    traps: tuple[Trap, ...]
    returning: tuple[bool, bool] = (False, False)
    """Who goes back to the start before their next move."""


class Grid(msgspec.Struct, frozen=True, tag="grid", tag_field="board"):
    size: int
    seeker: Cell
    goals: tuple[Cell | None, Cell | None]
    """The goal cells the viewer may see."""


Board = Track | Grid


class View(msgspec.Struct, frozen=True):
    """All that one seat, or a spectator (`seat` None), may know of a match."""

    game: str
    options: dict[str, Any]
    seat: Seat | None
    first: Seat
    tossed: bool
    turn: int
    """Completed turns of both players together."""
    to_move: Seat | None
    asks: Literal["secret", "move", "trap"] | None
    """What the viewer is asked for now."""
    legal: tuple[Move, ...]
    """The answers allowed to a move or trap question; a secret is chosen freely."""
    secret: Secret | None
    ready: tuple[bool, bool]
    """Who has chosen a secret."""
    board: Board
    events: tuple[AnyEvent, ...]
    draw_offer: Seat | None
    may_claim: Seat | None
    outcome: Outcome | None
    secrets: tuple[Secret | None, Secret | None] | None
    """Both secrets, once the match is over."""


# --- games ------------------------------------------------------------------------------


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game's options; each field's default is the rulebook's value.

    Annotate every field with `Meta(description=...)`: it completes the sentence
    "NAME must be ..." when a value is refused.
    """


class State(msgspec.Struct, frozen=True, gc=False):
    """Everything that matters for the rest of the game."""

    mover: Seat
    turn: int
    """Completed turns. A move that leaves it unchanged was only part of a turn."""
    outcome: Outcome | None


S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)


class Game(ABC, Generic[S, M]):
    """The rules of one game under one set of options: pure functions, no I/O, no memory."""

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    """What a menu says of the game."""
    place: ClassVar[str]
    """The rulebook's word for a place on the board: step, position, square, cell."""
    options_type: ClassVar[type[Options]]
    default_first: ClassVar[First]
    moves: ClassVar[Literal["steps", "cell"]]
    """What a move is written as."""
    secret: ClassVar[Literal["traps", "cell"] | None] = None
    """What each player chooses in secret before the first move."""
    hides_turns: ClassVar[bool] = False
    """Turns hold a hidden decision (a trap set or not), so each one is committed."""
    deadly: ClassVar[bool] = False
    """A trap ends the game at once."""
    claim_after: ClassVar[int | None] = None
    """After this many refused moves in a row the opponent may claim the game."""

    options: Options

    @abstractmethod
    def __init__(self, options: Any) -> None:
        """Raises OptionsError for options that are well formed but make no game."""

    @abstractmethod
    def start(self, first: Seat, secrets: Mapping[Seat, Secret]) -> S:
        """The opening state. A secret that is not chosen yet counts as empty."""

    @abstractmethod
    def legal(self, state: S) -> Sequence[M]:
        """The moves the mover may make, from what the mover may know; none at the end."""

    @abstractmethod
    def why_not(self, state: S, move: M) -> str:
        """A sentence for a move that is not legal."""

    @abstractmethod
    def apply(self, state: S, move: M) -> S:
        """The state after a legal move; raises IllegalMove for any other."""

    @abstractmethod
    def events(self, before: S, move: M, after: S) -> Iterator[AnyEvent]:
        """What happened between two states, in order."""

    @abstractmethod
    def positions(self, state: S) -> tuple[int, int]:
        """Where both players stand, or the cell of the piece they share."""

    @abstractmethod
    def board(self, state: S, seat: Seat | None, over: bool) -> Board:
        """The board as `seat` (None: a spectator) may see it; all of it when `over`."""

    def with_secrets(self, state: S, secrets: tuple[Secret, Secret]) -> S:
        """The state after the same public history under other secrets."""
        return state

    def check_secret(self, seat: Seat, value: Sequence[int]) -> Secret:
        """The secret in canonical form, or SecretError."""
        raise SecretError(f"{self.title} has no secrets to choose.")

    def secret_hint(self, seat: Seat) -> str:
        """What a question for a secret says is wanted."""
        return ""

    def secret_places(self, seat: Seat) -> tuple[Sequence[int | Cell], int]:
        """The places a secret is chosen from, and how many of them make one."""
        return (), 0

    def random_secret(self, seat: Seat, rng: Random) -> Secret:
        """One of the allowed secrets, each equally likely."""
        raise SecretError(f"{self.title} has no secrets to choose.")

    def secrets(self, seat: Seat) -> Iterator[Secret]:
        """Every allowed secret, in order."""
        return iter(())

    def next_traps(self, chosen: Sequence[int]) -> tuple[int, ...]:
        """Where the next trap of an unfinished secret may go, in rising order; none at its end."""
        return ()
