"""What is found when a locked match is played again from its record."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from trapline.core import NotNow, RecordError, TraplineError
from trapline.referee.locked.evidence import Evidence
from trapline.referee.record import STATED_REASONS, say_outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from trapline.core.errors import At
    from trapline.referee.locked.evidence import Opened
    from trapline.referee.locked.match import LockedMatch
    from trapline.referee.record import Record


class Finding(NamedTuple):
    what: str
    fault: str | None = None


def play_findings(
    record: Record, match: LockedMatch, play_again: Callable[[], None]
) -> Iterator[Finding]:
    """Whether the record can be played again, and gives its result."""
    what = "the moves follow the rules, and what they depended on was opened"
    try:
        play_again()
    except RecordError as error:
        where = f"move {error.at + 1}: " if isinstance(error.at, int) else ""
        yield Finding(what, f"{where}{error}")
        return
    yield Finding(what)
    yield _result_finding(record, match)


@contextmanager
def told_at(at: At) -> Iterator[None]:
    """What the referee refuses, as a fault at a place of the record."""
    try:
        yield
    except NotNow as error:
        raise RecordError(f"this could not happen then: {error}", at) from None
    except TraplineError as error:
        raise RecordError(str(error), at) from None


def _result_finding(record: Record, match: LockedMatch) -> Finding:
    what = "the result follows from the moves and from what was opened"
    found, stated = match.outcome, record.result
    if found == stated:
        return Finding(what if found is not None else "it goes on as it should")
    said = say_outcome(stated) if stated is not None else "nothing"
    gives = say_outcome(found) if found is not None else "no end yet"
    return Finding(what, f"the record says {said}, but this gives {gives}")


def concluded(evidence: Evidence, match: LockedMatch) -> None:
    """Let the match have ended as the record says, if not by its moves."""
    stated = evidence.decided
    if match.decided is None and stated is not None and stated.reason in STATED_REASONS:
        match.conclude(stated)
    if stated is not None and match.decided != stated:
        raise RecordError("the moves do not decide the match as the record says", "record")


def whole_findings(record: Record, match: LockedMatch, names: tuple[str, ...]) -> Iterator[Finding]:
    """What the record shows is what was played and opened, and nothing else is in it."""
    played = match.sealed_record()
    shown = {name: getattr(record, name) == getattr(played, name) for name in names}
    told, found = record.locked or Evidence(), match.evidence
    shown["opened"] = sorted(map(_order, told.opened)) == sorted(map(_order, found.opened))
    for name in ("transfers", "decided", "late", "awaited", "seeds"):
        shown[name] = getattr(told, name) == getattr(found, name)
    for name, agrees in shown.items():
        if not agrees:
            what = f"what it says of “{name}” is not what was played and opened"
            yield Finding("the record is whole", what)


def _order(opened: Opened) -> tuple[int, int, str, bool, str]:
    """The rest is opened by whoever comes first, which nothing depends on."""
    turn = -1 if opened.turn is None else opened.turn
    return opened.seat, turn, opened.place, opened.holds, opened.salt
