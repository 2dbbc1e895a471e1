"""Whether what somebody else's file says of a match is what its record says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.arena.costs import costs
from trapline.core import Reason, TraplineError
from trapline.games import make_game
from trapline.referee import parse_record, verify

if TYPE_CHECKING:
    from trapline.arena.fixtures import Played
    from trapline.referee import Record


def is_known(game: str, options: dict[str, Any]) -> bool:
    """Whether there is such a game here, by whose rules a record can be read."""
    try:
        make_game(game, options)
    except TraplineError:
        return False
    return True


def contradiction(match: Played) -> str:
    """What is wrong with a match in a file of results, in a sentence; empty if nothing is."""
    try:
        record = parse_record(json.dumps(match.record).encode())
        faults = [f"{check.what}: {check.fault}" for check in verify(record) if check.fault]
    except TraplineError as error:
        return str(error)
    return next(iter([*faults, *_differences(match, record)]), "")


def judged(match: Played) -> Played:
    """A match that holds, with what its choices cost by its record, whatever its file says."""
    found = costs(parse_record(json.dumps(match.record).encode()))
    return msgspec.structs.replace(match, lost=found.lost, forfeited=found.forfeited)


def _differences(match: Played, record: Record) -> list[str]:
    seats = {seat: player.bot for seat, player in record.players.items()}
    result = record.result
    if result is None:
        return ["the match of its record is not over"]
    winner = None if result.winner is None else seats.get(str(result.winner))
    said = {
        "key": (match.key, record.id),
        "game": (match.game, record.game),
        "options": (match.options, record.options),
        "players": ({match.one, match.two}, {*seats.values()}),
        "winner": (match.winner, winner),
        "reason": (match.reason, str(result.reason)),
        "score": (match.score, result.score),
        "forfeit": (match.forfeit is not None, result.reason == Reason.RESIGNED),
    }
    return [f"its {what} and its record differ" for what, (a, b) in said.items() if a != b]
