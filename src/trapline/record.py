"""The match record: JSON in and out, replay by the rules, commitments and their proof.

A record is read strictly where it decides the game (game, options, first, secrets, moves)
and generously elsewhere: fields it does not know, or cannot use, are ignored.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from trapline.core import (
    NO_TRAP,
    SEATS,
    SET_TRAP,
    IllegalMove,
    InvalidMove,
    OptionsError,
    Outcome,
    Reason,
    RecordError,
    Seat,
    Secret,
    SecretError,
    State,
    brief,
    other,
)
from trapline.games import GAMES, make_game
from trapline.notation import Turn, turn_from_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trapline.core import Game

COMMITMENT_TAG = "trapline commitment 1"
SHOWN_DIGITS = 32
"""How much of a commitment players see: 128 bits, which nobody can aim at."""
STATED_REASONS = (Reason.RESIGNED, Reason.AGREED_DRAW, Reason.FORFEIT)
"""Endings that do not follow from the moves, so that the record has to state them."""


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    name: str
    bot: str | None = None


class Series(msgspec.Struct, frozen=True):
    """Which match of a best-of-N this is, and what was won before it."""

    best_of: int
    number: int
    wins: tuple[int, int]


class Record(msgspec.Struct, omit_defaults=True):
    game: str
    options: dict[str, object]
    first: Seat
    secrets: dict[str, list[int]] | None = None
    moves: list[Any] = []
    id: str = ""
    players: dict[str, Player] = {}
    tossed: bool = False
    started: str = ""
    ended: str = ""
    result: Outcome | None = None
    commitments: dict[str, str] = {}
    salts: dict[str, str] = {}
    pending: list[int | str] = []
    """Moves of a turn that was not complete: a Trap Runner step before its trap question."""
    refused: int = 0
    saved: int = 0
    """When it was written, in nanoseconds: of two copies the later one counts."""
    seed: int | None = None
    series: Series | None = None

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
        except (msgspec.ValidationError, RecursionError):
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


def record_game(record: Record) -> Game[Any, Any]:
    try:
        return make_game(record.game, record.options)
    except OptionsError as error:
        at: Literal["options", "record"] = "options" if record.game in GAMES else "record"
        raise RecordError(str(error), at) from None


def record_secrets(record: Record, game: Game[Any, Any]) -> dict[Seat, Secret]:
    """The secrets of the record as the game holds them, or RecordError at "secrets"."""
    given: Any = record.secrets
    if game.secret is None:
        return {}
    if not isinstance(given, dict):
        raise RecordError('A record of this game needs "secrets" for "1" and "2".', "secrets")
    secrets: dict[Seat, Secret] = {}
    for seat in SEATS:
        value = given.get(str(seat))
        if value is None and ended_before_it_began(record, game):
            continue
        if not isinstance(value, list):
            raise RecordError(f"Player {seat}'s secret is missing or not a list.", "secrets")
        try:
            secrets[seat] = game.check_secret(seat, value)
        except SecretError as error:
            raise RecordError(f"Player {seat}'s secret: {error}", "secrets") from None
    return secrets


def ended_before_it_began(record: Record, game: Game[Any, Any]) -> bool:
    """Somebody resigned, or both agreed, before all secrets were chosen."""
    return not record.moves and stated_outcome(record, game) is not None


# --- replaying --------------------------------------------------------------------------


def play_turn(game: Game[Any, Any], state: Any, turn: Turn) -> Any:
    """The state after a whole turn; a trap question that is not answered means no trap."""
    now = state.turn
    for move in turn:
        state = game.apply(state, move)
    return game.apply(state, NO_TRAP) if state.turn == now else state


class Replay:
    """A record played again by the rules, turn by turn; raises RecordError where it breaks them."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.game = record_game(record)
        self.secrets = record_secrets(record, self.game)
        self.start: State = self.game.start(record.first, self.secrets)
        self.outcome: Outcome | None = None

    def states(self) -> Iterator[State]:
        """The state after each turn. Afterwards `outcome` says how it ended, if it did."""
        state = self.start
        for index, value in enumerate(self.record.moves):
            if state.outcome is not None:
                raise RecordError("The game was over before this move.", index)
            try:
                state = play_turn(self.game, state, turn_from_json(self.game, value))
            except (InvalidMove, IllegalMove) as error:
                raise RecordError(str(error), index) from None
            yield state
        self.outcome = state.outcome
        self.outcome = self.outcome or stated_outcome(self.record, self.game)


def stated_outcome(record: Record, game: Game[Any, Any]) -> Outcome | None:
    """The ending that a record states, if it is one that does not follow from the moves."""
    stated = record.result
    if stated is None or stated.reason not in STATED_REASONS:
        return None
    if stated.reason is Reason.FORFEIT and game.claim_after is None:
        return None
    drawn = stated.reason is Reason.AGREED_DRAW
    return stated if (stated.winner is None) == drawn else None


def replay_answer(data: bytes) -> dict[str, Any]:
    """What `trapline replay --json` says of one record."""
    try:
        replay = Replay(parse_record(data))
        game = replay.game
        turns = []
        by = replay.start.mover
        for state in replay.states():
            turns.append({"by": by, "positions": list(game.positions(state))})
            by = other(by)
    except RecordError as error:
        return {"ok": False, "error": str(error), "at": error.at}
    outcome = replay.outcome
    return {
        "ok": True,
        "turns": turns,
        "outcome": outcome and {"winner": outcome.winner, "reason": outcome.reason.value},
    }


# --- commitments ------------------------------------------------------------------------


def commitment(
    game: str, match_id: str, seat: Seat, subject: str, value: Sequence[int] | str, salt: str
) -> str:
    """The salted SHA-256 that fixes a secret without showing it.

    The hashed text is a compact JSON list, so that any language can recompute it.
    `subject` is "secret", or "turn 7" for the hidden decision of a turn.
    """
    held = list(value) if not isinstance(value, str) else value
    parts = [COMMITMENT_TAG, game, match_id, seat, subject, held, salt]
    return hashlib.sha256(json.dumps(parts, separators=(",", ":")).encode()).hexdigest()


class Check(msgspec.Struct, frozen=True):
    what: str
    fault: str | None = None


def verify(record: Record) -> list[Check]:
    """Everything that can be checked about a finished match, each with its fault or None."""
    checks = [*_check_play(record), _check_times(record)]
    for key, what, seat, subject, value in _hidden_choices(record):
        checks.append(Check(what, _commitment_fault(record, key, seat, subject, value)))
    return checks


def _check_play(record: Record) -> Iterator[Check]:
    what = "the moves follow the rules"
    try:
        replay = Replay(record)
        for _ in replay.states():
            pass
    except RecordError as error:
        where = f"move {error.at + 1}" if isinstance(error.at, int) else error.at
        yield Check(what, f"{where}: {error}")
    else:
        yield Check(what)
        yield _check_result(record.result, replay.outcome)
        yield from _check_spare_commitments(record)


def _check_spare_commitments(record: Record) -> Iterator[Check]:
    """Moves that were cut off leave their commitments behind."""
    expected = {key for key, *_ in _hidden_choices(record)}
    spare = [printable(key) for key in record.commitments if key not in expected]
    if spare:
        fault = f"there are commitments to what is not there: {', '.join(spare[:5])}"
        yield Check("the record is whole", fault)


def _check_result(stated: Outcome | None, found: Outcome | None) -> Check:
    what = "the result follows from the moves"
    if found is None:
        return Check(what, "the match is not finished, so nothing is proven yet")
    if stated is None:
        return Check(what, f"the record states no result; the moves give {say_outcome(found)}")
    if stated != found:
        return Check(
            what, f"the record says {say_outcome(stated)}, but the moves give {say_outcome(found)}"
        )
    if stated.reason in STATED_REASONS:
        what = f"the players ended it themselves: {say_outcome(stated)}"
    return Check(what)


def _check_times(record: Record) -> Check:
    what = "it ended after it started"
    if record.started and not record.ended and record.result is None:
        return Check(what, "it has not ended")
    if not record.started or not record.ended:
        return Check(what, "the record does not say when it was played")
    # Both are ISO 8601 in UTC with the same number of digits, so text order is time order.
    if record.ended < record.started:
        return Check(what, f"it started {record.started} but ended {record.ended}")
    return Check(what)


HiddenChoice = tuple[str, str, Seat, str, "list[int] | str"]


def _hidden_choices(record: Record) -> Iterator[HiddenChoice]:
    """Every choice that was made in secret: its key, its name, and what was committed."""
    try:
        game = record_game(record)
    except RecordError:
        return
    if game.secret is not None:
        given: Any = record.secrets if isinstance(record.secrets, dict) else {}
        noun = "Goal Cell" if game.secret == "cell" else "traps"
        for seat in SEATS:
            held = given.get(str(seat))
            if held is None and ended_before_it_began(record, game):
                continue
            value = held if isinstance(held, list) else []
            yield str(seat), f"Player {seat}'s {noun}", seat, "secret", value
    if game.hides_turns:
        seat = record.first
        for number, move in enumerate(record.moves, 1):
            key = f"turn {number}"
            choice = SET_TRAP if isinstance(move, str) and move.endswith(SET_TRAP) else NO_TRAP
            yield key, f"Player {seat}'s trap decision in turn {number}", seat, key, choice
            seat = other(seat)


def _commitment_fault(
    record: Record, key: str, seat: Seat, subject: str, value: list[int] | str
) -> str | None:
    stated, salt = record.commitments.get(key), record.salts.get(key)
    if stated is None:
        return "the record holds no commitment to it"
    if salt is None:
        return "the record holds no salt for it"
    computed = commitment(record.game, record.id, seat, subject, value, salt)
    if computed == stated:
        return None
    return (
        f"it was committed as {printable(stated)[:16]}…, "
        f"but what the record shows gives {computed[:16]}…"
    )


def say_outcome(outcome: Outcome) -> str:
    if outcome.winner is None:
        return f"a draw ({outcome.reason.value})"
    return f"a win for Player {outcome.winner} ({outcome.reason.value})"
