"""Locked secrets checked from a record alone, and who is to blame for what does not hold.

The record is played again by the same referee, move by move and opening by opening; besides, each
opening is held against its commitment, wherever the play breaks off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.core import SEATS, SECRET, RecordError, TraplineError
from trapline.referee.locked.box import Box, lock_key, place_lock
from trapline.referee.locked.findings import (
    Finding,
    concluded,
    play_findings,
    told_at,
    whole_findings,
)
from trapline.referee.locked.secrets import LockedSecrets
from trapline.referee.record import record_game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Question, Seat
    from trapline.referee.locked.evidence import Evidence, Opened
    from trapline.referee.record import Record


def secret_findings(record: Record, evidence: Evidence) -> Iterator[Finding]:
    try:
        match = LockedSecrets(record_game(record), record.first, match_id=record.id or "unnamed")
    except TraplineError as error:
        yield Finding("it could be played so", str(error))
        return
    questions = {seat: _asked_first(match, seat) for seat in SEATS}
    yield from play_findings(record, match, lambda: _play_again(record, evidence, match, questions))
    for seat, question in questions.items():
        if any(key in record.commitments for key in _keys(question, seat)):
            yield from _secret_findings(record, evidence, seat, question, match)
    yield from _spare_findings(record, questions)
    if record.result is not None and match.outcome is not None:
        yield from whole_findings(record, match, ("salts",))


def _asked_first(match: LockedSecrets, seat: Seat) -> Question:
    question = match.question(seat)
    assert question is not None  # a game that can be locked begins with secrets
    assert question.asks == SECRET
    return question


def _keys(question: Question, seat: Seat) -> list[str]:
    return [lock_key(seat, place.text) for place in question.answers]


# --- played again -------------------------------------------------------------------------


def _play_again(
    record: Record, evidence: Evidence, match: LockedSecrets, questions: dict[Seat, Question]
) -> None:
    for seat, question in questions.items():
        made = [record.commitments.get(key) for key in _keys(question, seat)]
        if any(made):
            with told_at("secrets"):
                match.lock(seat, [lock or "" for lock in made])
    for turn, move in enumerate(record.moves):
        with told_at(turn):
            match.play(match.to_move or 1, move)
        _open_for(turn, evidence, match)
        if match.awaited is not None or len(match.sealed_record().moves) != turn + 1:
            raise RecordError("the match was decided before this move was complete", turn)
    last = len(record.moves)
    if evidence.awaited is not None:
        asked = evidence.awaited
        with told_at(last):
            match.play(asked.by, asked.move)
        _open_for(last, evidence, match)
        if match.decided is None and match.awaited != asked:
            raise RecordError("the record says that another place was waited for", last)
    else:
        _play_unfinished(last, evidence, match)
    _conclude(evidence, match)


def _play_unfinished(last: int, evidence: Evidence, match: LockedSecrets) -> None:
    """A move that never came to its end is in no record, but what was opened for it is: somebody
    gave up meanwhile, or it turned out that a secret is not such as the rules allow."""
    opened = [opened for opened in evidence.opened if opened.turn == last]
    if not opened:
        return
    move = match.move_that_needs(opened[0].seat, [each.place for each in opened])
    if move is None:
        raise RecordError(f"{match.game.place} {opened[0].place} was opened for no move", last)
    with told_at(last):
        match.play(match.to_move or 1, move)
        for each in opened:
            match.open(each.seat, each.place, each.holds, each.salt)
    if len(match.sealed_record().moves) != last:
        raise RecordError("what was opened makes a move complete that is missing", last)


def _open_for(turn: int, evidence: Evidence, match: LockedSecrets) -> None:
    """Open what a move depends on, as the record says it was opened."""
    while (asked := match.awaited) is not None:
        found = [
            opened
            for opened in evidence.opened
            if (opened.seat, opened.place, opened.turn) == (asked.seat, asked.place, turn)
        ]
        if not found:
            if evidence.awaited is not None and turn == evidence.awaited.turn:
                return
            sentence = f"Player {asked.seat} never opened {match.game.place} {asked.place} for it"
            raise RecordError(sentence, turn)
        opened = found[0]
        with told_at(turn):
            match.open(opened.seat, opened.place, opened.holds, opened.salt)


def _conclude(evidence: Evidence, match: LockedSecrets) -> None:
    """How it ended, if not by the moves, and what was opened then."""
    concluded(evidence, match)
    for seat in match.opening:
        rest = [o for o in evidence.opened if o.seat == seat and o.turn is None]
        if rest:
            by_place = {opened.place: opened for opened in rest}
            closed = [by_place[p.text] for p in match.boxes[seat].closed if p.text in by_place]
            with told_at("record"):
                match.open_rest(seat, [o.holds for o in closed], [o.salt for o in closed])
    for seat in match.opening:
        if seat in evidence.late:
            match.run_out_of_time(seat)


# --- held against the commitments ---------------------------------------------------------


def _secret_findings(
    record: Record, evidence: Evidence, seat: Seat, question: Question, match: LockedSecrets
) -> Iterator[Finding]:
    who, place_name = f"Player {seat}", match.game.place
    mine = [opened for opened in evidence.opened if opened.seat == seat]
    wrong = [opened.place for opened in mine if not _fits(record, opened)]
    yield Finding(
        f"{who} opened everything as it was committed to",
        f"{who} opened {place_name} {', '.join(wrong)} with what was not committed to"
        if wrong
        else None,
    )
    box = Box(question, {opened.place: opened.holds for opened in mine})
    closed = ", ".join(place.text for place in box.closed)
    if closed and record.result is not None:
        yield Finding(f"{who} opened everything", f"{who} never opened {place_name} {closed}")
    if record.result is not None or box.fault:
        name = match.game.words.secret_name
        yield Finding(
            f"{who}'s {name} are such as the rules allow",
            f"{who}: {box.fault}" if box.fault else None,
        )
    yield from _refused_findings(record, evidence, seat, place_name)
    asked = evidence.awaited
    if asked is not None and asked.seat == seat and evidence.decided is not None:
        late = f"{who} did not open {place_name} {asked.place} in the time allowed"
        yield Finding(f"{who} opened what was asked for in time", late)
    secrets: Any = record.secrets  # of a file, where anything may stand
    shown = secrets.get(str(seat)) if isinstance(secrets, dict) else secrets
    secret = list(box.secret) if isinstance(box.secret, tuple) else box.secret
    if shown != secret:
        yield Finding(
            f"the record shows what {who} opened", f"it shows {shown}, opened was {secret}"
        )


def _refused_findings(
    record: Record, evidence: Evidence, seat: Seat, place_name: str
) -> Iterator[Finding]:
    for opened in evidence.refused:
        if opened.seat != seat:
            continue
        what = f"Player {seat} tried nothing else"
        said = f"{place_name} {opened.place} as {'hiding something' if opened.holds else 'empty'}"
        if _fits(record, opened):
            yield Finding(what, f"the record blames Player {seat} for {said}, which is right")
        else:
            yield Finding(what, f"Player {seat} tried to open {said}, against the commitment")


def _fits(record: Record, opened: Opened) -> bool:
    made = record.commitments.get(lock_key(opened.seat, opened.place))
    given = (opened.seat, opened.place, opened.holds, opened.salt)
    return made == place_lock(record.game, record.id, *given)


def _spare_findings(record: Record, questions: dict[Seat, Question]) -> Iterator[Finding]:
    known = {key for seat, question in questions.items() for key in _keys(question, seat)}
    spare = sorted(set(record.commitments) - known)
    if spare:
        yield Finding("the record is whole", f"it holds {len(spare)} commitments to no place")
