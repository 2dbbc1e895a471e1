"""What turns left behind, checked from a record alone, and who is to blame for what does not hold.

The record is played again by the same referee, with what the devices said in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.core import SEATS, RecordError, TraplineError, other
from trapline.referee.locked.findings import (
    Finding,
    concluded,
    play_findings,
    told_at,
    whole_findings,
)
from trapline.referee.locked.turns.match import LockedTurns
from trapline.referee.locked.turns.trail import Seals, asking, giving, left_key, turn_key
from trapline.referee.locked.turns.transfer import asked, derived, given
from trapline.referee.record import record_game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Seat
    from trapline.referee.locked.evidence import Awaited, Evidence
    from trapline.referee.record import Record


def turn_findings(record: Record, evidence: Evidence) -> Iterator[Finding]:
    try:
        match = LockedTurns(record_game(record), record.first, match_id=record.id or "unnamed")
    except TraplineError as error:
        yield Finding("it could be played so", str(error))
        return
    again = Again(record, evidence, match)
    yield from play_findings(record, match, again.play)
    for seat in SEATS:
        yield from _player_findings(record, match, evidence, seat)
    if record.result is not None and match.outcome is not None:
        shown = ("moves", "commitments", "salts", "pending")
        yield from whole_findings(record, match, shown)
        if match.fault is None and record.all_opened:
            yield from _transfer_findings(record, evidence)


class Again:
    """A record that is played again."""

    def __init__(self, record: Record, evidence: Evidence, match: LockedTurns) -> None:
        self._record = record
        self._evidence = evidence
        self._match = match
        self._transfers = {one.turn: one for one in evidence.transfers}
        self._opened = {one.turn: one for one in evidence.opened}

    def play(self) -> None:
        moves = list(self._record.moves)
        for turn, move in enumerate(moves):
            self._turn(turn, move)
            if len(self._match.sealed_record().moves) != turn + 1:
                raise RecordError("the devices did not say what this move depends on", turn)
        self._last(len(moves))
        concluded(self._evidence, self._match)
        self._open()

    def _turn(self, turn: int, move: Any) -> None:
        match = self._match
        with told_at(turn):
            step, *_ = match.game.read_turn(move)
            seat = match.to_move or 1
            match.play(seat, step)
            self._say(turn)
            question = match.question(seat)
            if match.to_move == seat and question is not None and question.sealed:
                self._lock(turn, seat)
            self._say(turn)

    def _last(self, turn: int) -> None:
        """A turn that was never complete."""
        waited = self._evidence.awaited
        begun = [waited.move] if waited and waited.wants == "open" else self._record.pending
        if begun:
            self._turn(turn, begun[0])
        if waited is not None and self._match.awaited != waited:
            raise RecordError("the record says that something else was waited for", turn)

    def _lock(self, turn: int, seat: Seat) -> None:
        made = self._record.commitments
        locks = [made.get(turn_key(turn, seat)), made.get(left_key(turn))]
        sent = self._transfers.get(turn)
        if locks[0] is None:
            return
        if sent is not None:
            locks = locks[:1]
        self._match.lock(seat, [lock or "" for lock in locks], sent.asks if sent else "")

    def _say(self, turn: int) -> None:
        """Let the devices say what the record says they said."""
        match = self._match
        while (awaited := match.awaited) is not None and self._answer(turn, awaited):
            pass

    def _answer(self, turn: int, awaited: Awaited) -> bool:
        match, seat = self._match, awaited.seat
        opened, sent = self._opened.get(turn), self._transfers.get(turn)
        lies = self._record.commitments.get(left_key(turn))
        if awaited.wants == "open" and opened is not None:
            match.open(opened.seat, opened.place, opened.holds, opened.salt)
        elif awaited.wants == "give" and sent is not None and sent.gives:
            match.give(seat, sent.gives)
        elif awaited.wants == "lock" and lies is not None:
            match.lock(seat, [lies])
        else:
            return False
        return True

    def _open(self) -> None:
        match, evidence = self._match, self._evidence
        for seat in match.opening:
            seed = evidence.seeds.get(str(seat))
            if seed is not None:
                with told_at("record"):
                    match.open_seed(seat, seed)
        for seat in match.opening:
            if seat in evidence.late:
                match.run_out_of_time(seat)


def _player_findings(
    record: Record, match: LockedTurns, evidence: Evidence, seat: Seat
) -> Iterator[Finding]:
    who = f"Player {seat}"
    if match.hidden_by(seat) and record.result is not None:
        closed = f"{who} never opened what their turns left behind"
        fault = None if str(seat) in evidence.seeds else closed
        yield Finding(f"{who} opened everything", fault)
    if match.outcome is not None:
        broken = match.fault is not None and match.fault.seat == seat
        yield Finding(f"{who} was honest", str(match.fault) if broken else None)
    for opened in evidence.refused:
        if opened.seat == seat:
            what = f"{match.game.place} {opened.place}" if opened.place else "what was hidden"
            yield Finding(
                f"{who} tried nothing else", f"{who} tried to open {what}, against the commitment"
            )
    waited = evidence.awaited
    if waited is not None and waited.seat == seat:
        late = f"{who}'s device did not answer for {match.game.place} {waited.place} in time"
        yield Finding(f"{who}'s device answered in time", late)


def _transfer_findings(record: Record, evidence: Evidence) -> Iterator[Finding]:
    """What devices asked and gave comes from their seeds, also where nothing depended on it.

    The referee of a running match looks only at what could have done harm: this takes long.
    """
    leaving = record_game(record).leaving()
    assert leaving is not None  # its turns leave something
    seals = Seals(record.game, record.id, record.commitments)
    for one in evidence.transfers:
        mine, theirs = (evidence.seeds[str(seat)] for seat in (one.by, other(one.by)))
        hidden = seals.value(one.by, turn_key(one.turn, one.by), leaving.answers, mine)
        salt = derived(mine, asking(one.turn))
        asks = asked(salt, wanted=hidden == leaving.answers[1])
        message = derived(theirs, left_key(one.turn - 1))
        gives = given(one.asks, message, derived(theirs, giving(one.turn)))
        for what, seat, is_so in (
            ("asked", one.by, one.asks == asks),
            ("gave", other(one.by), not one.gives or one.gives == gives),
        ):
            when = f"Player {seat} {what} in turn {one.turn + 1}"
            fault = None if is_so else f"{when} what does not follow from their seed"
            yield Finding(f"what {when}", fault)
