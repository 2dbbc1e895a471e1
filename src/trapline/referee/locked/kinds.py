"""Which kind of locked match a game is played in, and how its record is checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.core import RecordError
from trapline.referee.locked.findings import Finding
from trapline.referee.locked.secrets import LockedSecrets
from trapline.referee.locked.turns.match import LockedTurns
from trapline.referee.locked.turns.verify import turn_findings
from trapline.referee.locked.verify import secret_findings
from trapline.referee.record import record_game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Game
    from trapline.referee.locked.evidence import Evidence
    from trapline.referee.record import Record


def locked_kind(game: Game[Any]) -> type[LockedSecrets | LockedTurns]:
    """By what it hides: secrets before the first turn, or what turns leave behind."""
    return LockedSecrets if game.leaving() is None else LockedTurns


def findings(record: Record, evidence: Evidence) -> Iterator[Finding]:
    """Everything that can be checked about a locked match."""
    try:
        kind = locked_kind(record_game(record))
    except RecordError as error:
        yield Finding("it could be played so", str(error))
        return
    yield from (secret_findings if kind is LockedSecrets else turn_findings)(record, evidence)
