"""What a client and the server say to each other, as docs/protocol.md describes it.

Everything that comes in is decoded strictly into one of these types, or refused; everything
that goes out is encoded from one. There is no third way for bytes to pass.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from trapline.boards import AnyBoard
from trapline.core import AnyEvent, First, Form, Outcome, Picture, Place, Seat, Shape, View
from trapline.referee.locked.evidence import Awaited, Opened

LARGEST_FRAME = 4096

Key = Annotated[str, Meta(min_length=1, max_length=64)]
Typed = Annotated[str, Meta(max_length=200)]
Name = Annotated[str, Meta(max_length=40)]


# --- what a client sends ----------------------------------------------------------------


class Command(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", omit_defaults=True
):
    pass


class Play(Command, frozen=True, tag="play"):
    """Answer what the seat is asked, whatever it is, as one would type it."""

    turn: Typed


class ChooseSecret(Command, frozen=True, tag="secret"):
    """An older word for the answer to the question for a secret."""

    secret: Typed


class GoOn(Command, frozen=True, tag="go on"):
    """An older word for the answer to a question that has only one."""


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


class React(Command, frozen=True, tag="react"):
    """Say one of a few things to the other."""

    says: Literal[
        "hello", "good luck", "nice", "ouch", "let me think", "sorry", "thank you", "good game"
    ]


class AskTakeback(Command, frozen=True, tag="ask takeback"):
    pass


class AcceptTakeback(Command, frozen=True, tag="accept takeback"):
    pass


class DeclineTakeback(Command, frozen=True, tag="decline takeback"):
    pass


Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


GroupNumber = Annotated[str, Meta(pattern="^([0-9a-f]{512})?$")]


class Lock(Command, frozen=True, tag="lock"):
    """In a locked match, the answer to the question for a secret: a commitment for each place.

    For a turn that leaves something behind: to the answer, and to what lies there then; or what is
    asked of the other's device, before that is known.
    """

    locks: Annotated[tuple[Hash, ...], Meta(max_length=50)]
    asks: GroupNumber = ""


class Give(Command, frozen=True, tag="give"):
    """Answer what the other's device has asked."""

    gives: Annotated[str, Meta(pattern="^[0-9a-f]{576}$")]


class OpenPlace(Command, frozen=True, tag="open"):
    """Open the place on which a move depends."""

    place: Annotated[str, Meta(max_length=20)]
    holds: bool
    salt: Hash


class OpenRest(Command, frozen=True, tag="open rest"):
    """Open every place that is still closed, in their order, when the match is decided."""

    holds: Annotated[tuple[bool, ...], Meta(max_length=50)]
    salts: Annotated[tuple[Hash, ...], Meta(max_length=50)]


class OpenSeed(Command, frozen=True, tag="open seed"):
    """Open everything that turns have left behind, when the match is decided."""

    seed: Hash


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
    | React
    | AskTakeback
    | AcceptTakeback
    | DeclineTakeback
    | Lock
    | Give
    | OpenSeed
    | OpenPlace
    | OpenRest
)


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: Key
    version: Annotated[int, Meta(ge=0, le=2**31)]
    command: AnyCommand


class TimeLimit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long players may think: in all, or about each move."""

    kind: Literal["sudden death", "per move"]
    seconds: Annotated[int, Meta(ge=1, le=14 * 24 * 3600)]


class Again(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A finished match, from after so many turns on."""

    match: Annotated[str, Meta(max_length=64)]
    turn: Annotated[int, Meta(ge=0, le=100_000)]
    seat: Seat


class NewMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: Annotated[str, Meta(max_length=40)]
    against: Annotated[str, Meta(max_length=40)]
    """"link", "here", "table", or a level of the computer."""
    options: dict[str, Any] = {}
    first: First | None = None
    name: Name = ""
    mate: Name = ""
    """The name of the other one, where two people share a device."""
    clock: TimeLimit | None = None
    best_of: Literal[1, 3, 5, 7] = 1
    """Matches of a series; seats are swapped from one to the next."""
    listed: bool = False
    """Whether the challenge is shown in the lobby, for anybody to take."""
    watched: bool = False
    """Whether the match is shown there for anybody to watch."""
    locked: bool = False
    """Whether secrets stay on the players' own devices, so that not even the server sees them."""
    again: Again | None = None
    """Where to begin, against the computer: a position of a match that is over."""


class Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    options: dict[str, Any]


class Joining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    code: Annotated[str, Meta(max_length=100)]
    name: Name = ""


# --- what a client hears ----------------------------------------------------------------


class Sitter(msgspec.Struct, frozen=True):
    """Who sits at a seat."""

    name: str
    bot: str | None


class Clock(msgspec.Struct, frozen=True):
    """Everybody's time as it was at `since`, in milliseconds; the computer has no clock."""

    kind: Literal["sudden death", "per move"]
    seconds: int
    left: tuple[int | None, int | None]
    running: tuple[Seat, ...]
    """Whose time has been running since then."""
    since: str | None


class Reaction(msgspec.Struct, frozen=True):
    says: str
    number: int
    """How many this player has sent, so that the same twice is seen twice."""


class Takeback(msgspec.Struct, frozen=True):
    asked_by: Seat | None
    may_ask: tuple[bool, bool]


class Standing(msgspec.Struct, frozen=True):
    """How a series stands, with this match when it is over."""

    best_of: int
    number: int
    wins: tuple[int, int]
    decided: bool


class Locked(msgspec.Struct, frozen=True):
    """How far a match has come whose secrets stay on the players' own devices."""

    awaited: Awaited | None
    """The place that is to be opened now, and the move that depends on it."""
    opened: tuple[Opened, ...]
    """What was opened for moves, in order."""
    decided: Outcome | None
    opening: tuple[Seat, ...]
    """Whose devices are to open the rest, now that the match is decided."""
    places_a_move: int = 1
    """How many places a device may be asked for in one turn."""
    marks: dict[str, tuple[Shape, ...]] = {}
    """For a player: how the own picture shows something that is hidden at a place."""


class Surroundings(msgspec.Struct, frozen=True):
    """What stands around the game. Nothing here depends on what the viewer must not know."""

    players: tuple[Sitter | None, Sitter | None]
    commitments: dict[str, str]
    link: str | None = None
    """The link to hand out: for the one who opened the match, while a seat is free."""
    rematch: tuple[bool, bool] = (False, False)
    next: str | None = None
    go_on: bool = False
    """For older clients, as are the next three: always false. Every question is in the view."""
    secret_hint: str | None = None
    secret_places: tuple[Place, ...] | None = None
    secret_count: int | None = None
    clock: Clock | None = None
    series: Standing | None = None
    takeback: Takeback | None = None
    """Null where a turn tells something, so that none is ever taken back."""
    reactions: tuple[Reaction | None, Reaction | None] = (None, None)
    """The last of each player."""
    locked: Locked | None = None


class Shown(View, frozen=True):
    """A View as it is sent: older clients read what is asked from two fields of its own."""

    board: AnyBoard
    asks: str | None
    legal: tuple[Form, ...]


class Said(msgspec.Struct, frozen=True):
    """Every sentence about the match, for the viewer's eyes."""

    welcome: list[str]
    heading: list[str]
    """What stands above a question of a turn."""
    prompt: str | None
    told: tuple[tuple[str, ...], ...]
    """The lines of each event of this message's view."""
    ending: list[str]
    board: list[str]


class State(msgspec.Struct, frozen=True, tag="state", tag_field="type"):
    match: str
    version: int
    since: int
    view: Shown
    """With the events that were heard after version `since`."""
    table: Surroundings
    words: Said | None
    """Null for a connection that asked for neither words nor pictures."""
    picture: Picture | None
    answers: tuple[str, ...] = ()


class Frame(msgspec.Struct, frozen=True):
    """A finished match after one of its turns."""

    turn: int
    """How many turns were complete; 0 before the first."""
    by: Seat | None
    """Whose turn it was; null where both answered at once, and before the first."""
    told: list[str]
    picture: Picture
    board: list[str]
    events: tuple[AnyEvent, ...] = ()
    """What happened since the frame before, for who wants to see it happen."""


class Seal(msgspec.Struct, frozen=True):
    """Something that was committed to before it was shown: what a client hashes to check it."""

    key: str
    """Under this name the record holds its commitment and its salt."""
    what: str
    seat: int
    subject: str
    value: Any


class Frames(msgspec.Struct, frozen=True):
    frames: list[Frame]
    seals: list[Seal]


class Presence(msgspec.Struct, frozen=True, tag="presence", tag_field="type"):
    here: tuple[bool, bool]
    watching: int
    instead: tuple[str, str] = ("", "")
    """For each seat, the level that plays in the place of the one that was asked for."""
    time: str | None = None
    """The server's, where there is a clock to compare with it."""
    why: tuple[str, str] = ("", "")
    """For each seat, what is said of the level that plays there instead; empty for no reason."""


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
    "broken",
]


class Refused(msgspec.Struct, frozen=True, tag="refused", tag_field="type"):
    reason: Reason
    sentence: str
    key: str | None = None
    state: State | None = None


def explain(error: Exception) -> str:
    """A decoding error as a sentence: where, and what would be right."""
    return f"This message cannot be read: {str(error)[:300]}."
