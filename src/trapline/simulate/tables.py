"""The questions of a game as one array, so that compiled code can put them by their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from trapline.core import SECRET, Question
from trapline.core.questions import ways

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.core import First, Game
    from trapline.simulate.encoding import Encoding

COUNT, CHOOSE, KIND, HIDDEN, MOST_RUN, IN_A_ROW = range(6)
"""The first columns; HIDDEN is 1 for a secret, IN_A_ROW where the values of the answers follow each
other, and so do their actions and the places of what was picked."""
COLUMNS = 6
MOST_FLAGS = 64
"""So many actions, or things that are said of a lane beside its board, are the bits of a word."""


MOST_LOOKED_UP = 1_024
"""So many turns are looked up; what later ones come to is computed."""

ARRAYS = 5
"""So many fields of the tables are arrays; the others are numbers."""


class Tables(NamedTuple):
    """Numbers, and where they stand in an array.

    A row is a question by its number, from 1; row 0 is no question. `…_to` is the column where
    a block begins.
    """

    rows: NDArray[np.int64]
    masks: NDArray[np.bool_]
    """Which actions answer a question, before any member of a set is chosen."""
    bits: NDArray[np.uint64]
    """The same as bits, where there are few enough actions."""
    parts: NDArray[np.float32]
    """What part of the horizon so many turns are: looked up, since a division takes longer."""
    octets: NDArray[np.uint8]
    """The same in 255ths."""
    first: int
    """The seat that moves first; 0 for a toss."""
    features: int
    horizon: int
    values_to: int
    actions_to: int
    picked_to: int
    """Where an observation says that an answer was chosen in secret."""
    weights_to: int
    """For chance: the sums of the weights."""
    answers_to: int
    """By action: the place of the answer."""
    latest_to: int
    """Of a set: the last answer that may come next, by how many are left and the run it makes."""
    runs: int
    seat_at: int
    first_at: int
    asks_at: int
    to_move_at: int
    ready_at: int
    turn_at: int
    result_at: int
    board_at: int
    turn_to: int
    """The column of a lane that counts its turns."""

    def packed(self) -> tuple[NDArray[Any], ...]:
        """The numbers in an array, and the arrays; `compiled` opens them again."""
        arrays = self.rows, self.masks, self.bits, self.parts, self.octets
        return np.array(self[ARRAYS:], np.int64), *arrays


def number_questions(game: Game[Any]) -> dict[Question, int]:
    """The questions in a game's attributes, chance's too, counted from 1."""
    numbers: dict[Question, int] = {}
    _collect(tuple(vars(game).values()), numbers)
    return numbers


def _collect(held: Any, numbers: dict[Question, int]) -> None:
    if isinstance(held, Question):
        numbers.setdefault(held, len(numbers) + 1)
    elif isinstance(held, (tuple, list)):
        for part in held:
            _collect(part, numbers)


def make_tables(encoding: Encoding, first: First, turn_to: int) -> Tables:
    numbers = number_questions(encoding.game)
    wide = max((len(question.answers) for question in numbers), default=1)
    most = max((question.choose for question in numbers), default=0)
    runs = max((question.neighbours for question in numbers), default=0) + 2
    widths = (COLUMNS, wide, wide, wide, wide, encoding.actions)
    starts = [int(start) for start in np.cumsum(widths)]
    parts = ("seat", "first", "asks", "to_move", "ready", "turn", "result")
    heads = [encoding.layout[part] for part in parts]
    places = [*starts, runs, *(part.start for part in heads), heads[-1].stop, turn_to]
    turns = np.minimum(np.arange(MOST_LOOKED_UP), encoding.horizon)
    tables = Tables(
        np.zeros((len(numbers) + 1, starts[-1] + (most + 1) * runs), np.int64),
        np.zeros((len(numbers) + 1, encoding.actions), np.bool_),
        np.zeros(len(numbers) + 1, np.uint64),
        (turns / encoding.horizon).astype(np.float32),
        (255 * turns // encoding.horizon).astype(np.uint8),
        0 if first == "toss" else first,
        encoding.size,
        encoding.horizon,
        *places,
    )
    for question, number in numbers.items():
        _fill(tables, number, question, encoding)
    return tables


def _fill(tables: Tables, number: int, question: Question, encoding: Encoding) -> None:
    row = tables.rows[number]
    row[COUNT] = len(question.answers)
    for place, answer in enumerate(question.answers):
        row[tables.values_to + place] = answer.value
    if question.weights:
        sums = np.cumsum(question.weights)
        row[tables.weights_to : tables.weights_to + len(sums)] = sums
        return
    row[CHOOSE] = question.choose
    row[KIND] = encoding.kinds.index(question.asks)
    row[HIDDEN] = question.asks == SECRET
    row[MOST_RUN] = question.neighbours + 1
    for place, answer in enumerate(question.answers):
        action = encoding.action(question, answer)
        row[tables.actions_to + place] = action
        row[tables.picked_to + place] = encoding.secret_at.get(action, 0)
        row[tables.answers_to + action] = place
        tables.masks[number, action] = True
    row[IN_A_ROW] = all(
        _rise(row[start : start + len(question.answers)])
        for start in (tables.values_to, tables.actions_to, tables.picked_to)
    )
    if encoding.actions <= MOST_FLAGS:
        legal = (1 << int(action) for action in np.flatnonzero(tables.masks[number]))
        tables.bits[number] = sum(legal)
    for left in range(1, question.choose + 1):
        for run in range(1, question.neighbours + 2):
            latest = tables.latest_to + left * tables.runs + run
            row[latest] = _latest(question, left, run)


def _rise(numbers: NDArray[np.int64]) -> bool:
    return bool((np.diff(numbers) == 1).all())


def _latest(question: Question, left: int, run: int) -> int:
    """The last answer that can be followed by all others of `left`, if it makes such a run."""
    places = range(len(question.answers))
    after = (
        place
        for place in reversed(places)
        if ways(len(places) - 1 - place, left - 1, run, question.neighbours)
    )
    return next(after, -1)
