"""The referee of a locked match in which turns leave something behind: it sees nothing of that.

The rules are played with what was shown alone. Where a move arrives at a place on which only the
other's device knows what lies, that device opens it. Where somebody may try to leave something that
the other was first with, the devices settle it between them: only who tries learns of it, and
nobody whether they tried (`transfer`). At the end each device opens everything, and what it said on
the way is held against that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import InvalidMove, NotNow, SecretError, WrongOpening, other
from trapline.referee.locked.evidence import Awaited, Opened, Transfer
from trapline.referee.locked.match import LockedMatch
from trapline.referee.locked.turns import transfer
from trapline.referee.locked.turns.trail import Fault, Seals, Truth, left_key, turn_key
from trapline.referee.progress import as_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.core import First, Game, Question, Seat


class LockedTurns(LockedMatch):
    def __init__(self, game: Game[Any], first: First | None = None, **more: Any) -> None:
        super().__init__(game, first, **more)
        leaving = game.leaving()
        assert leaving is not None  # this kind of match is for games whose turns leave something
        self._leaving = leaving
        self._hidden: dict[Seat, list[int]] = {1: [], 2: []}
        """The turns in which each player has answered unseen."""
        self._left: dict[tuple[Seat, str], int] = {}
        """The last turn in which each player has left each place."""
        self._met: list[int] = []
        """The turns that left something which the other has met."""
        self.fault: Fault | None = None
        """Who was not honest, once everything is open."""

    def hidden_by(self, seat: Seat) -> list[int]:
        """The turns in which a player has answered unseen."""
        return self._hidden[seat]

    @property
    def seals(self) -> Seals:
        return Seals(self.game.name, self.id, self.commitments)

    def is_closed(self, seat: Seat) -> bool:
        return bool(self._hidden[seat]) and str(seat) not in self.evidence.seeds

    def is_broken(self, seat: Seat) -> bool:
        return self.fault is not None and self.fault.seat == seat

    # --- what players do ------------------------------------------------------------------

    def play(self, seat: Seat, *answers: Any, salt: str | None = None) -> None:
        """Answer the open question of a turn; a move whose place only a device knows waits."""
        self._must_be_running()
        question = self._asked(seat)
        if question is None:
            raise NotNow(self._why_not_asked())
        if question.sealed or len(answers) != 1:
            raise NotNow(
                "In this match what turns leave behind stays on the players' own devices: send "
                "commitments, and not the answer."
            )
        state = self._progress.state
        value = self._progress.value(question, state, seat, answers[0])
        place = self._leaving.arrives(state, seat, value)
        if place is None:
            self._carry_on(seat, question, value)
            return
        move = as_json(question.record(value))
        self.evidence.awaited = Awaited(other(seat), str(place), seat, move, state.turn)

    def _carry_on(self, seat: Seat, question: Question, value: int) -> None:
        """Take an answer that waits for no device any more."""
        turn = self._turn
        after = self.game.apply(self._progress.state, seat, value)
        key = turn_key(turn, seat)
        if after.turn > turn and self._offer == other(seat):
            self.decline_draw(seat)
        lock = self.commitments.get(key)
        self.follow(seat, question, value, after)
        if after.turn > turn:  # only a device commits to what is hidden, and knows the salt
            self._progress.salts.pop(key, None)
            self.commitments.pop(key, None)
        if lock is not None:
            self.commitments[key] = lock

    @property
    def _turn(self) -> int:
        return self._progress.state.turn

    # --- what devices do ------------------------------------------------------------------

    def open(self, seat: Seat, place: str, holds: bool, salt: str) -> None:
        """Open the place at which the other's move arrives."""
        awaited = self._awaited_of(seat, "open")
        if awaited.place != place:
            raise NotNow(f"It is {self.game.place} {awaited.place} that is to be opened now.")
        self._take_openings([Opened(seat, place, holds, salt, awaited.turn)])
        if holds:
            self._met.append(self._left[seat, place])
            state = self._progress.state
            self._progress.state = self._leaving.lies(state, seat, int(place))
        self._resume(awaited)

    def _fits(self, opened: Opened) -> bool:
        turn = self._left[opened.seat, opened.place]
        return self.seals.fits(opened.seat, left_key(turn), int(opened.holds), opened.salt)

    def _resume(self, awaited: Awaited) -> None:
        """Go on with the move that has waited."""
        self.evidence.awaited = None
        question = self._asked(awaited.by)
        assert question is not None  # its answer has waited
        self._carry_on(awaited.by, question, question.value(awaited.move))

    def lock(self, seat: Seat, locks: Sequence[str], asks: str = "") -> None:
        """Fix a turn's hidden answer without telling it, and what then lies on the place.

        Where the other may have been first, the second is known only when that is settled.
        """
        self._must_be_running()
        if self.awaited is not None:
            self._lock_what_lies(seat, locks, asks)
            return
        question, state, turn = self._asked(seat), self._progress.state, self._turn
        if question is None or not question.sealed:
            raise NotNow("There is nothing for you to hide now.")
        contested = self._leaving.contested(state, seat)
        wanted = 1 if contested else 2
        if len(set(locks)) != wanted or len(locks) != wanted:
            raise SecretError(f"{wanted} different commitments are wanted, not {len(locks)}.")
        if contested != bool(asks) or (asks and not transfer.is_question(asks)):
            raise InvalidMove(
                "Here a question to the other's device is wanted: a number of the group."
                if contested
                else "Here nothing is to be asked of the other's device."
            )
        place = str(self._leaving.place(state, seat))
        self._hidden[seat].append(turn)
        self.commitments[turn_key(turn, seat)] = locks[0]
        no_answer = as_json(self._leaving.answers[0])
        if contested:
            asked = Transfer(turn, seat, place, asks)
            self.evidence.transfers = [*self.evidence.transfers, asked]
            self.evidence.awaited = Awaited(other(seat), place, seat, no_answer, turn, "give", asks)
        else:
            self._leave(seat, place, locks[1])
            self._carry_on(seat, question, question.value(no_answer))

    def _lock_what_lies(self, seat: Seat, locks: Sequence[str], asks: str) -> None:
        awaited = self._awaited_of(seat, "lock")
        if len(locks) != 1 or asks:
            raise SecretError("One commitment is wanted: to whether something lies there now.")
        self._leave(seat, awaited.place, locks[0])
        self._resume(awaited)

    def _leave(self, seat: Seat, place: str, lock: str) -> None:
        self.commitments[left_key(self._turn)] = lock
        self._left[seat, place] = self._turn

    def give(self, seat: Seat, gives: str) -> None:
        """Answer what the other's device has asked."""
        awaited = self._awaited_of(seat, "give")
        if not transfer.is_answer(gives):
            raise InvalidMove("A number of the group is wanted, and what it hides.")
        *before, asked = self.evidence.transfers
        self.evidence.transfers = [*before, msgspec.structs.replace(asked, gives=gives)]
        self.evidence.awaited = msgspec.structs.replace(
            awaited, seat=awaited.by, wants="lock", asks="", gives=gives
        )

    # --- the end --------------------------------------------------------------------------

    def open_seed(self, seat: Seat, seed: str) -> None:
        """Open everything that a player's turns have left, after the match is decided."""
        if seat not in self.opening:
            raise NotNow("There is nothing for you to open now.")
        if not all(self._opens(seat, turn, seed) for turn in self._hidden[seat]):
            self.evidence.refused = [*self.evidence.refused, Opened(seat, "", False, seed)]
            raise WrongOpening("This does not open what was committed to.")
        self.evidence.seeds = {**self.evidence.seeds, str(seat): seed}
        self._close()

    def _opens(self, seat: Seat, turn: int, seed: str) -> bool:
        values = self._leaving.answers
        if self.seals.value(seat, turn_key(turn, seat), values, seed) is None:
            return False
        unsettled = left_key(turn) not in self.commitments
        return unsettled or self.seals.value(seat, left_key(turn), (0, 1), seed) is not None

    def _close(self) -> None:
        if self.decided is None or self.opening:
            return
        if not any(self.is_closed(seat) for seat in (1, 2)):
            self._reveal()
        else:
            self._write_what_was_shown()
        super()._close()

    def _reveal(self) -> None:
        """Everything is open: what was played in truth, and whether everybody was honest."""
        progress = self._progress
        truth = Truth(self.game, self.seals, self.evidence)
        truth.play(self.first, progress.turns)
        self.fault = truth.fault
        if truth.fault is not None:
            self._write_what_was_shown()
            return
        progress.turns, progress.state = truth.turns, truth.state
        for seat, turns in self._hidden.items():
            seed = self.evidence.seeds.get(str(seat), "")
            keys = [turn_key(turn, seat) for turn in turns]
            keys += [left_key(turn) for turn in turns if left_key(turn) in self.commitments]
            progress.salts.update({key: transfer.derived(seed, key) for key in keys})

    def _write_what_was_shown(self) -> None:
        """Of what was not opened, turns tell what somebody met: so they follow the rules."""
        turns, leaves = self._progress.turns, self._leaving.answers[1]
        for turn in self._met:
            turns[turn] = self.game.write_turn((*self.game.read_turn(turns[turn]), leaves))
