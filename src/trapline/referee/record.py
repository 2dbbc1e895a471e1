"""The match record: JSON in and out.

A record is read strictly where it decides the game (game, options, first, secrets, moves)
and generously elsewhere: fields it does not know, or cannot use, are ignored.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from trapline.core import SEATS, OptionsError, Outcome, Reason, RecordError, Seat, brief
from trapline.games import known_game, make_game, rules_digest
from trapline.referee.locked.evidence import Evidence

if TYPE_CHECKING:
    from trapline.core import Game

STATED_REASONS = tuple(Reason)
"""Endings that do not follow from the moves, so that the record has to state them."""

LOCKED_REASONS = (Reason.UNOPENED, Reason.BROKEN_SECRET)
"""Those that devices make by what they opened, whatever the moves say."""


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    name: str
    bot: str | None = None


class Series(msgspec.Struct, frozen=True):
    """Which match of a best-of-N this is, and what was won before it."""

    best_of: int
    number: int
    wins: tuple[int, int]

    def score_after(self, outcome: Outcome | None) -> tuple[int, int]:
        """What both have won when this match has ended so; a draw counts for nobody."""
        winner = outcome.winner if outcome is not None else None
        one, two = self.wins
        return (one + (winner == 1), two + (winner == 2))

    def decided_by(self, outcome: Outcome | None) -> bool:
        """Whether nothing is left to play for after this match."""
        return max(self.score_after(outcome)) * 2 > self.best_of or self.number == self.best_of

    def following(self, outcome: Outcome | None) -> Series | None:
        """The next match of the series, if there is one."""
        if self.decided_by(outcome):
            return None
        return Series(self.best_of, self.number + 1, self.score_after(outcome))


class Record(msgspec.Struct, omit_defaults=True):
    game: str
    options: dict[str, object]
    first: Seat
    secrets: dict[str, Any] | None = None
    moves: list[Any] = []
    chance: list[Any] = []
    """What chance has drawn, in order."""
    rules: str = ""
    """For a game from outside: a digest of its rules."""
    id: str = ""
    players: dict[str, Player] = {}
    tossed: bool = False
    started: str = ""
    ended: str = ""
    result: Outcome | None = None
    commitments: dict[str, str] = {}
    salts: dict[str, str] = {}
    pending: list[Any] = []
    """Answers of a turn that was not complete; where both are asked at once, by seat."""
    refused: int = 0
    saved: int = 0
    """When it was written, in nanoseconds: of two copies the later one counts."""
    seed: int | None = None
    series: Series | None = None
    locked: Evidence | None = None
    """For a match whose secrets stayed on the players' own devices: who opened what."""

    @property
    def all_opened(self) -> bool:
        """Whether it shows all that was hidden: in a locked match some may never have opened it."""
        if self.locked is None:
            return True
        told = self.secrets is None or (isinstance(self.secrets, dict) and len(self.secrets) == 2)
        return told and not self.commitments.keys() - self.salts.keys()

    def to_json(self) -> str:
        """Canonical text: the five fields that decide the game are always there, first."""
        plain = msgspec.to_builtins(self)
        head: dict[str, Any] = {"game": self.game, "options": self.options, "first": self.first}
        if self.secrets is not None:
            head["secrets"] = self.secrets
        head["moves"] = self.moves
        return json.dumps({**head, **{k: v for k, v in plain.items() if k not in head}})


EXTRAS = {field.name: field.type for field in msgspec.structs.fields(Record)[5:]}
"""The fields beyond the five that decide the game."""


# --- reading ----------------------------------------------------------------------------


def parse_record(data: bytes) -> Record:
    """A record from the bytes of one JSON object, or RecordError at "record"."""
    try:
        fields = json.loads(data.decode("utf-8-sig"), parse_int=_read_integer)
    except UnicodeDecodeError:
        raise RecordError("This is not UTF-8 text.", "record") from None
    except RecursionError:
        raise RecordError("This is nested too deeply to be a match record.", "record") from None
    except ValueError as error:
        raise RecordError(f"This is not JSON: {error}.", "record") from None
    if not isinstance(fields, dict):
        raise RecordError("A match record is a JSON object.", "record")
    for name, wanted in (("game", str), ("moves", list)):
        if not isinstance(fields.get(name), wanted):
            kind = {str: "text", list: "a list"}[wanted]
            raise RecordError(f'A record needs "{name}": {kind}.', "record")
    first = fields.get("first")
    if type(first) is not int or first not in SEATS:
        raise RecordError(f'"first" must be 1 or 2, not {brief(first)}.', "record")
    options = fields.get("options", {})
    if not isinstance(options, dict):
        raise RecordError('"options" must be an object.', "options")
    record = Record(fields["game"], options, first, fields.get("secrets"), fields["moves"])
    for name in fields.keys() & EXTRAS.keys():
        try:
            setattr(record, name, msgspec.convert(fields[name], EXTRAS[name]))
        except (msgspec.ValidationError, RecursionError, UnicodeError):  # half a pair is no text
            continue  # an extra that cannot be used is as good as one that is not known
    record.players = {
        seat: Player(printable(player.name), player.bot) for seat, player in record.players.items()
    }
    return record


def printable(text: str) -> str:
    """Text from a file, fit to be shown: nothing in it that a terminal would obey."""
    mark = "\N{REPLACEMENT CHARACTER}"
    return "".join(letter if letter.isprintable() else mark for letter in text[:200])


def _read_integer(digits: str) -> int | float:
    """No number of thousands of digits is a move; reading it as infinite says so in its place."""
    return int(digits) if len(digits) < 1000 else float("inf")


def record_game(record: Record) -> Game[Any]:
    """The game that a record names, if it is known: no record makes anybody run its code."""
    at: Literal["options", "record"] = "record"
    try:
        kind = known_game(record.game)
        at = "options"
        return make_game(kind, record.options)
    except OptionsError as error:
        raise RecordError(str(error), at) from None


def rules_changed(record: Record, game: Game[Any]) -> str:
    """A sentence if the game's rules are not those that the record was written under."""
    now = rules_digest(type(game))
    if not record.rules or record.rules == now:
        return ""
    return (
        f"The rules of {game.title} have changed since this was played: "
        f"their digest was {printable(record.rules)[:16]}, now it is {now[:16] or 'none'}."
    )


def stated_outcome(record: Record, game: Game[Any]) -> Outcome | None:
    """The ending that a record states, if it is one that does not follow from the moves."""
    stated = record.result
    if stated is None or stated.reason not in STATED_REASONS:
        return None
    if stated.reason == Reason.FORFEIT and game.claim_after is None:
        return None
    if stated.reason in LOCKED_REASONS:
        return stated if record.locked is not None else None
    if stated.reason == Reason.TIME:
        return stated
    drawn = stated.reason == Reason.AGREED_DRAW
    return stated if (stated.winner is None) == drawn else None


def say_outcome(outcome: Outcome) -> str:
    if outcome.winner is None:
        return f"a draw ({outcome.reason})"
    return f"a win for Player {outcome.winner} ({outcome.reason})"
