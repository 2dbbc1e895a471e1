"""What a client and the server say to each other, as docs/protocol.md describes it.

Everything that comes in is decoded strictly into one of these types, or refused; everything
that goes out is encoded from one. There is no third way for bytes to pass.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from trapline.core import Board, Cell, First, Seat, View

LARGEST_FRAME = 4096

Key = Annotated[str, Meta(min_length=1, max_length=64)]
Typed = Annotated[str, Meta(max_length=200)]
Name = Annotated[str, Meta(max_length=40)]


# --- what a client sends ----------------------------------------------------------------


class Command(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", omit_defaults=True
):
    pass


class ChooseSecret(Command, frozen=True, tag="secret"):
    secret: Typed


class Play(Command, frozen=True, tag="play"):
    turn: Typed


class GoOn(Command, frozen=True, tag="go on"):
    """Complete a turn that had no question only its mover could miss."""


class Resign(Command, frozen=True, tag="resign"):
    pass


class OfferDraw(Command, frozen=True, tag="offer draw"):
    pass


class AcceptDraw(Command, frozen=True, tag="accept draw"):
    pass


class DeclineDraw(Command, frozen=True, tag="decline draw"):
    pass


class Claim(Command, frozen=True, tag="claim"):
    pass


class WaiveClaim(Command, frozen=True, tag="waive claim"):
    pass


class Rematch(Command, frozen=True, tag="rematch"):
    pass


AnyCommand = (
    ChooseSecret
    | Play
    | GoOn
    | Resign
    | OfferDraw
    | AcceptDraw
    | DeclineDraw
    | Claim
    | WaiveClaim
    | Rematch
)


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: Key
    version: Annotated[int, Meta(ge=0, le=2**31)]
    command: AnyCommand


class NewMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: Annotated[str, Meta(max_length=40)]
    against: Annotated[str, Meta(max_length=40)]
    """"link", "here", or a level of the computer."""
    options: dict[str, Any] = {}
    first: First | None = None
    name: Name = ""
    mate: Name = ""
    """The name of the other one, where two people share a device."""


class Joining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    code: Annotated[str, Meta(max_length=100)]
    name: Name = ""


# --- what a client hears ----------------------------------------------------------------


class Sitter(msgspec.Struct, frozen=True):
    """Who sits at a seat."""

    name: str
    bot: str | None


class Table(msgspec.Struct, frozen=True):
    """What stands around the game. Nothing here depends on what the viewer must not know."""

    players: tuple[Sitter | None, Sitter | None]
    commitments: dict[str, str]
    link: str | None = None
    """The link to hand out: for the one who opened the match, while a seat is free."""
    go_on: bool = False
    rematch: tuple[bool, bool] = (False, False)
    next: str | None = None
    secret_hint: str | None = None
    secret_places: tuple[int | Cell, ...] | None = None
    secret_count: int | None = None


class State(msgspec.Struct, frozen=True, tag="state", tag_field="type"):
    match: str
    version: int
    since: int
    view: View
    """With the events that were heard after version `since`."""
    table: Table
    answers: tuple[str, ...] = ()


class Presence(msgspec.Struct, frozen=True, tag="presence", tag_field="type"):
    here: tuple[bool, bool]
    watching: int


Reason = Literal[
    "unreadable",
    "invalid",
    "illegal",
    "secret",
    "not now",
    "stale",
    "not yours",
    "too fast",
    "too large",
    "unavailable",
    "unknown",
    "over",
    "full",
]


class Refused(msgspec.Struct, frozen=True, tag="refused", tag_field="type"):
    reason: Reason
    sentence: str
    key: str | None = None
    state: State | None = None


class Opened(msgspec.Struct, frozen=True):
    """The answer to opening or joining a match."""

    match: str
    seats: tuple[Seat, ...]
    link: str | None


class MatchInfo(msgspec.Struct, frozen=True):
    match: str
    game: str
    title: str
    options: dict[str, Any]
    first: Seat
    players: tuple[Sitter | None, Sitter | None]
    open: bool
    over: bool
    seats: tuple[Seat, ...]


class OptionInfo(msgspec.Struct, frozen=True):
    name: str
    kind: Literal["integer", "boolean", "choice", "numbers"]
    default: Any
    choices: tuple[str, ...] | None
    says: str


class GameInfo(msgspec.Struct, frozen=True):
    name: str
    title: str
    summary: str
    place: str
    default_first: First
    secret: Literal["traps", "cell"] | None
    moves: Literal["steps", "cell"]
    hides: bool
    """Whether anything is hidden from the other player, so that two people need a curtain."""
    minutes: str
    board: Board
    options: tuple[OptionInfo, ...]


class LevelInfo(msgspec.Struct, frozen=True):
    name: str
    summary: str


class Catalogue(msgspec.Struct, frozen=True):
    games: tuple[GameInfo, ...]
    levels: tuple[LevelInfo, ...]


class NewKey(msgspec.Struct, frozen=True):
    key: str


class Rules(msgspec.Struct, frozen=True):
    html: str


class Hint(msgspec.Struct, frozen=True):
    hint: str


class Health(msgspec.Struct, frozen=True):
    ok: bool
    version: str


def explain(error: Exception) -> str:
    """A decoding error as a sentence: where, and what would be right."""
    return f"This message cannot be read: {str(error)[:300]}."
