"""Everything that can be checked about a match by whoever has its record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trapline.core import CHANCE, SECRET, RecordError
from trapline.referee.commitments import CHANCE_KEY, commitment, drawn_value, sealed_key
from trapline.referee.locked.box import lock_key, place_subject
from trapline.referee.locked.kinds import findings
from trapline.referee.record import (
    STATED_REASONS,
    printable,
    record_game,
    rules_changed,
    say_outcome,
)
from trapline.referee.walk import Walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Outcome
    from trapline.referee.locked.evidence import Evidence
    from trapline.referee.record import Record
    from trapline.referee.walk import Step


class Check(msgspec.Struct, frozen=True):
    what: str
    fault: str | None = None
    later: bool = False
    """Cannot be checked before the match is over."""


def verify(record: Record) -> list[Check]:
    """Everything that can be checked about a match, each with its fault or None.

    What only a finished match can show is put off, not blamed.
    """
    if record.locked is not None:
        checked = [Check(*finding) for finding in findings(record, record.locked)]
        return [*checked, _check_times(record)]
    steps: list[Step] = []
    checks = [*_check_play(record, steps), _check_times(record)]
    checks += [
        Check(hidden.what, _commitment_fault(record, hidden))
        for hidden in hidden_answers(record, steps)
    ]
    return checks


def _check_play(record: Record, steps: list[Step]) -> Iterator[Check]:
    """Whether the record follows the rules; fills in the steps as far as it does."""
    what = "the moves follow the rules"
    try:
        walk = Walk(record)
        steps.extend(walk.steps())
    except RecordError as error:
        where = f"move {error.at + 1}" if isinstance(error.at, int) else error.at
        yield Check(what, f"{where}: {error}")
    else:
        yield Check(what)
        if record.rules:
            yield Check(
                "these are the rules it was played by", rules_changed(record, walk.game) or None
            )
        yield _check_result(record.result, walk.outcome)
        yield from _check_chance(record, steps)
        yield from _check_spare_commitments(record, steps)


def _check_chance(record: Record, steps: list[Step]) -> Iterator[Check]:
    draws = [step for step in steps if step.seat == CHANCE]
    seed = record.salts.get(CHANCE_KEY)
    if not draws or seed is None:
        return
    for number, step in enumerate(draws):
        if step.question.value(step.answer) != drawn_value(step.question, seed, number):
            fault = f"draw {number + 1} is not what the sealed seed gives"
            yield Check("chance drew what the sealed seed says", fault)
            return
    yield Check("chance drew what the sealed seed says")


def _check_spare_commitments(record: Record, steps: list[Step]) -> Iterator[Check]:
    """Moves that were cut off leave their commitments behind."""
    expected = {hidden.key for hidden in hidden_answers(record, steps)}
    spare = [printable(key) for key in record.commitments if key not in expected]
    if spare:
        fault = f"there are commitments to what is not there: {', '.join(spare[:5])}"
        yield Check("the record is whole", fault)


def _check_result(stated: Outcome | None, found: Outcome | None) -> Check:
    what = "the result follows from the moves"
    if found is None and stated is None:
        return Check(what, later=True)
    if found is None:
        return Check(what, "the record states a result, but the match is not finished")
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
        return Check(what, later=True)
    if not record.started or not record.ended:
        return Check(what, "the record does not say when it was played")
    # Both are ISO 8601 in UTC with the same number of digits, so text order is time order.
    if record.ended < record.started:
        return Check(what, f"it started {record.started} but ended {record.ended}")
    return Check(what)


class Hidden(NamedTuple):
    """Something that was fixed without being shown."""

    key: str
    what: str
    seat: int
    subject: str
    value: Any


def _opened_places(record: Record, evidence: Evidence) -> Iterator[Hidden]:
    game = record_game(record)
    for opened in evidence.opened:
        key, what = lock_key(opened.seat, opened.place), f"{game.place} {opened.place}"
        subject = place_subject(opened.place)
        yield Hidden(key, f"Player {opened.seat}'s {what}", opened.seat, subject, int(opened.holds))


def hidden_answers(record: Record, steps: list[Step]) -> Iterator[Hidden]:
    """Everything that a match has committed to, as its record reveals it."""
    if record.locked is not None and record_game(record).leaving() is None:
        yield from _opened_places(record, record.locked)
        return
    if not steps:
        return
    game = record_game(record)
    if any(step.seat == CHANCE for step in steps):
        yield Hidden(CHANCE_KEY, "the seed of chance", CHANCE, CHANCE_KEY, "")
    for step in steps:
        if step.seat != CHANCE and step.question.asks == SECRET:
            what = f"Player {step.seat}'s {game.words.secret_name}"
            yield Hidden(str(step.seat), what, step.seat, SECRET, step.answer)
    if game.seals_turns:
        for turn in range(len(record.moves)):
            answers = answers_of_turn(steps, turn)
            for seat, given in answers.items():
                key = sealed_key(turn + 1, seat, alone=len(answers) == 1)
                if record.locked is not None and key not in record.commitments:
                    continue  # nothing could be hidden in it
                what = f"Player {seat}'s {game.words.sealed_name} in turn {turn + 1}"
                yield Hidden(key, what, seat, key, game.sealed_part(given))


def answers_of_turn(steps: list[Step], turn: int) -> dict[int, tuple[Any, ...]]:
    """What each seat answered in a turn."""
    answers: dict[int, tuple[Any, ...]] = {}
    for step in steps:
        if step.turn == turn and step.seat != CHANCE:
            answers[step.seat] = (*answers.get(step.seat, ()), step.answer)
    return answers


def _commitment_fault(record: Record, hidden: Hidden) -> str | None:
    stated, salt = record.commitments.get(hidden.key), record.salts.get(hidden.key)
    if stated is None:
        return "the record holds no commitment to it"
    if salt is None:
        return "the record holds no salt for it"
    computed = commitment(record.game, record.id, hidden.seat, hidden.subject, hidden.value, salt)
    if computed == stated:
        return None
    return (
        f"it was committed as {printable(stated)[:16]}…, "
        f"but what the record shows gives {computed[:16]}…"
    )
