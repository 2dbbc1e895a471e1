"""What the turns of a locked match left behind: how it is committed to, and the truth of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.core import other
from trapline.referee.commitments import commitment, sealed_key
from trapline.referee.locked.turns import transfer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from trapline.core import Form, Game, Seat, State
    from trapline.referee.locked.evidence import Evidence, Transfer


def turn_key(turn: int, seat: Seat) -> str:
    """The name of the commitment to a turn's hidden answer, as in any match."""
    return sealed_key(turn + 1, seat, alone=True)


def left_key(turn: int) -> str:
    """The name of the commitment to whether something lies on the place that a turn has left."""
    return f"turn {turn + 1} leaves"


def asking(turn: int) -> str:
    """What the salt of a question is derived from."""
    return f"turn {turn + 1} asks"


def giving(turn: int) -> str:
    return f"turn {turn + 1} gives"


class Fault(NamedTuple):
    seat: Seat
    what: str

    def __str__(self) -> str:
        return f"Player {self.seat} {self.what}"


class Seals(NamedTuple):
    """The commitments of a match, and how a player's seed opens them."""

    game: str
    match_id: str
    commitments: Mapping[str, str]

    def fits(self, seat: Seat, key: str, value: Form, salt: str) -> bool:
        made = commitment(self.game, self.match_id, seat, key, value, salt)
        return self.commitments.get(key) == made

    def value(self, seat: Seat, key: str, values: tuple[Form, ...], seed: str) -> Form | None:
        """Which of these values was committed to; None if none was."""
        salt = transfer.derived(seed, key)
        return next((one for one in values if self.fits(seat, key, one, salt)), None)


class Truth:
    """A match played again with everything that turns have left, now that it is all open.

    The first who was not honest is at fault; what follows from it is not held against the other.
    """

    def __init__(self, game: Game[Any], seals: Seals, evidence: Evidence) -> None:
        leaving = game.leaving()
        assert leaving is not None  # it is played in turns that leave something
        self._game = game
        self._leaving = leaving
        self._seals = seals
        self._seeds = {seat: evidence.seeds.get(str(seat), "") for seat in (1, 2)}
        self._transfers = {one.turn: one for one in evidence.transfers}
        self._left: dict[tuple[Seat, int], str] = {}
        self.turns: list[Any] = []
        self.state: State
        self.fault: Fault | None = None

    def play(self, first: Seat, moves: list[Any]) -> None:
        self.state = self._game.start(first)
        for turn, move in enumerate(moves):
            step, *_ = self._game.read_turn(move)
            seat: Seat = 2 if self.state.mover == 2 else 1
            self.fault = next(self._turn(turn, seat, step), None)
            if self.fault is not None:
                return

    def _turn(self, turn: int, seat: Seat, step: Form) -> Iterator[Fault]:
        """Play a turn; whoever is at fault in it."""
        answers: tuple[Form, ...] = (step,)
        self._answer(seat, step)
        if self.state.turn == turn and self.state.outcome is None:
            hidden = self._value(seat, turn_key(turn, seat), self._leaving.answers)
            if not self._allows(seat, hidden):
                yield Fault(seat, f"gave an answer in turn {turn + 1} that is not allowed")
            answers = (step, hidden)
            yield from self._leave(turn, seat, hidden)
        self.turns.append(self._game.write_turn(answers))

    def _allows(self, seat: Seat, form: Form) -> bool:
        question = self._game.question(self.state, seat)
        return question is not None and form in [answer.record for answer in question.answers]

    def _answer(self, seat: Seat, form: Form) -> None:
        question = self._game.question(self.state, seat)
        assert question is not None  # the referee has let it be answered
        self.state = self._game.apply(self.state, seat, question.value(form))

    def _value(self, seat: Seat, key: str, values: tuple[Form, ...]) -> Form:
        value = self._seals.value(seat, key, values, self._seeds[seat])
        assert value is not None  # what does not open is refused
        return value

    def _leave(self, turn: int, seat: Seat, hidden: Form) -> Iterator[Fault]:
        """Leave something or not, and hold it against what the devices said."""
        leaving, number = self._leaving, turn + 1
        place = leaving.place(self.state, seat)
        tries = hidden == leaving.answers[1]
        asked = self._transfers.get(turn)
        if asked is not None and not tries and not self._is_unwanted(asked):
            yield Fault(seat, f"asked in turn {number} for what only an attempt would show")
        self._answer(seat, hidden)
        key = left_key(turn)
        lies = place in leaving.left(self.state, seat)
        if self._value(seat, key, (0, 1)) != lies:
            message = self._salt(other(seat), self._left.get((other(seat), place), ""))
            if asked is not None and self._is_misled(asked, message):
                yield Fault(other(seat), f"gave something else in turn {number} than was hidden")
            yield Fault(seat, f"committed in turn {number} to what does not follow from it")
        self._left[seat, place] = key

    def _salt(self, seat: Seat, subject: str) -> str:
        return transfer.derived(self._seeds[seat], subject)

    def _is_unwanted(self, asked: Transfer) -> bool:
        salt = self._salt(asked.by, asking(asked.turn))
        return asked.asks == transfer.asked(salt, wanted=False)

    def _is_misled(self, asked: Transfer, message: str) -> bool:
        """Whether somebody asked as they should, and was given something else than this."""
        salt = self._salt(asked.by, asking(asked.turn))
        if asked.asks != transfer.asked(salt, wanted=True):
            return False
        return transfer.taken(asked.gives, salt) != message
