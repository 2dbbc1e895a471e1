"""Questions: what a player, or chance, may answer, as a value that everybody can put to anybody.

The rules compute with an answer's `value`, a whole number. A record holds its `record` form,
people type its `text`, a screen offers its `label` at its `place`. A question that wants a set
of places (`choose`) is answered by all of them together: its value has a bit for each.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core.errors import IllegalMove, InvalidMove, SecretError, brief
from trapline.core.events import Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from random import Random

Form = int | str | tuple[int, ...]
"""An answer as a record holds it: a number, a cell, a word, or the members of a set."""

SECRET = "secret"
"""What a question asks for that is put to both before the first turn. Its answers are sealed."""

_NUMBER = re.compile(r"[+-]?\d{1,12}")
_CELL = re.compile(r"(?:move\s+to\s+)?\(?\s*([+-]?\d{1,12})\s*[, ]\s*([+-]?\d{1,12})\s*\)?")


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    value: int
    record: Form
    text: str
    label: str = ""
    """What a button says, where the text alone would not tell."""
    place: Place | None = None


class Question(msgspec.Struct, frozen=True, omit_defaults=True, cache_hash=True):
    asks: str
    """What is asked for, in a word: secret, move, trap, bid."""
    answers: tuple[Answer, ...]
    prompt: str = ""
    """The question in words, where the game's own words do not put it better."""
    noun: str = "answer"
    """What one answer is called: a number of steps, a step, a cell."""
    choose: int = 0
    """How many of the answers make one together; 0 asks for a single one."""
    neighbours: int = 0
    """How many of a set may lie side by side; 0 allows any number."""
    sealed: bool = False
    """Whether the others do not see the answer, so that it is committed to."""
    usual: int | None = None
    """The value that a record leaves out."""
    weights: tuple[int, ...] = ()
    """For chance: how often each answer comes, beside the others."""
    aliases: tuple[tuple[str, str], ...] = ()
    """Other words that may be typed for an answer's text."""
    action: str = ""
    """What agents call an answer, `{0}` and `{1}` being its numbers, where its record would not
    tell. Answers to the same kind of question that are called the same are one action."""

    @property
    def forced(self) -> bool:
        """Whether there is only one possible answer."""
        return self.choose == 0 and len(self.answers) == 1

    @property
    def legal(self) -> tuple[Form, ...]:
        """The answers as records hold them; none for a set, which has too many."""
        return () if self.choose else tuple(answer.record for answer in self.answers)

    # --- between text, record and value ---------------------------------------------------

    def parse(self, text: str) -> Form:
        """What somebody typed, in the form of a record; InvalidMove for what cannot be read."""
        text = text.strip().lower()
        if self.choose:
            return self._parse_set(text)
        return self._parse_one(text)

    def _parse_one(self, text: str) -> Form:
        sample = self.answers[0].record
        if isinstance(sample, int) and _NUMBER.fullmatch(text):
            return int(text)
        if isinstance(sample, tuple):
            for answer in self.answers:
                if answer.text == text:
                    return answer.record
            if match := _CELL.fullmatch(text):
                return int(match[1]), int(match[2])
            rows = {answer.record[0] for answer in self.answers if isinstance(answer.record, tuple)}
            if len(rows) == 1 and _NUMBER.fullmatch(text):  # the row is fixed: a column says it all
                return rows.pop(), int(text)
        if isinstance(sample, str):
            words = dict(self.aliases).get(text, text)
            for answer in self.answers:
                if words in (answer.text.lower(), answer.record):
                    return answer.record
            if words in dict(self.aliases).values():
                return words
        raise self._unreadable(text)

    def _parse_set(self, text: str) -> Form:
        parts = [part for part in re.split(r"[\s,;]+", text) if part]
        if isinstance(self.answers[0].record, tuple):
            parts = [part for part in re.split(r"\s*;\s*|\s+(?=\d+,)", text) if part]
        elif not parts or not all(_NUMBER.fullmatch(part) for part in parts):
            raise InvalidMove(
                f"Type the {self.noun}s as numbers, separated by spaces: {self.example()}."
            )
        return tuple(self._parse_one(part) for part in parts)  # type: ignore[misc]  # all of one kind

    def _unreadable(self, given: object) -> InvalidMove:
        problem = f"{brief(given)} is not {_a(self.noun)}" if given else "Nothing was typed"
        return InvalidMove(f"{problem}: type {self.example()}.")

    def example(self) -> str:
        """An answer as one would type it, or all of them where they are words."""
        if self.choose:
            return " ".join(answer.text for answer in self.answers[: self.choose])
        if isinstance(self.answers[0].record, str):
            return " or ".join(answer.text for answer in self.answers)
        middle = self.answers[min(1, len(self.answers) - 1)]
        return f"{'a row and a column' if self._of_cells else 'a number'} such as {middle.text}"

    @property
    def _of_cells(self) -> bool:
        return isinstance(self.answers[0].record, tuple)

    def value(self, record: object) -> int:
        """The value of an answer in a record's form.

        InvalidMove for a look-alike such as True, 2.0 or a nested list; IllegalMove for what
        is not among the answers.
        """
        if self.choose:
            return self._set_value(record)
        for answer in self.answers:  # as `parse` gave it
            if answer.record is record:
                return answer.value
        given = tuple(record) if isinstance(record, list) else record
        sample = self.answers[0].record
        alike = type(given) is type(sample)
        if alike and isinstance(given, tuple):
            alike = len(given) == 2 and type(given[0]) is type(given[1]) is int
        if not alike:
            raise InvalidMove(f"{brief(record)} is not {_a(self.noun)}.")
        for answer in self.answers:
            if answer.record == given:
                return answer.value
        raise self._not_allowed(f"{brief(record)} is not among the answers here.")

    def _not_allowed(self, sentence: str) -> IllegalMove:
        return SecretError(sentence) if self.asks == SECRET else IllegalMove(sentence)

    def _set_value(self, record: object) -> int:
        known: dict[Any, int] = {answer.record: answer.value for answer in self.answers}
        first, last = self.answers[0].text, self.answers[-1].text
        noun = self.noun + ("s" if self.choose > 1 else "")
        wanted = f"choose {self.choose} different {noun} from {first} to {last}"
        chosen = list(record) if isinstance(record, (list, tuple)) else [record]
        sample = type(self.answers[0].record)
        if any(type(part) is not sample for part in chosen):
            raise self._not_allowed(f"That is not a set of {self.noun}s: {wanted}.")
        if len(chosen) != self.choose:
            n = len(chosen)
            raise self._not_allowed(f"That is {n} {self.noun}{'' if n == 1 else 's'}: {wanted}.")
        if len(set(chosen)) != len(chosen):
            raise self._not_allowed(f"Every {self.noun} counts once: {wanted}.")
        for part in chosen:
            if part not in known:
                raise self._not_allowed(f"{brief(part)} cannot be chosen: {wanted}.")
        bits = sum(1 << known[part] for part in chosen)
        if self.neighbours and has_run(bits, self.neighbours + 1):
            raise self._not_allowed(
                f"In this variant {self.neighbours + 1} neighbouring {self.noun}s are not "
                "allowed, because nobody could step over them: spread them out."
            )
        return bits

    def record(self, value: int) -> Form:
        """The record's form of a value."""
        if self.choose:
            members = (a.record for a in self.answers if value >> a.value & 1)
            return tuple(members)  # type: ignore[arg-type]  # likewise
        for answer in self.answers:
            if answer.value == value:
                return answer.record
        raise IllegalMove(f"{brief(value)} is no value of an answer here.")

    def text(self, value: int) -> str:
        """A value as one would type it."""
        if self.choose:
            return " ".join(a.text for a in self.answers if value >> a.value & 1)
        return next(answer.text for answer in self.answers if answer.value == value)

    def spoken(self, record: Form) -> str:
        """An answer in a record's form, as a sentence holds it: (5,2) for a cell."""
        if isinstance(record, tuple) and not self.choose:
            return f"({record[0]},{record[1]})"
        return self.text(self.value(record))

    # --- all of them, one of them ---------------------------------------------------------

    def values(self) -> Iterator[int]:
        """Every allowed answer's value, in order."""
        if not self.choose:
            yield from (answer.value for answer in self.answers)
            return
        if self.neighbours:
            yield from self._without_walls(0, self.choose, 0, 0)
            return
        for chosen in combinations((answer.value for answer in self.answers), self.choose):
            yield sum(1 << value for value in chosen)

    def _without_walls(self, here: int, need: int, run: int, bits: int) -> Iterator[int]:
        """The sets that go on from the answer number `here`, after a run of neighbours.

        Beginnings that lead nowhere are left at once: of many sets nearly all have a wall.
        """
        if not need:
            yield bits
            return
        size = len(self.answers)
        for i in range(here, size - need + 1):
            length = run + 1 if i == here else 1
            if ways(size - 1 - i, need - 1, length, self.neighbours):
                after = bits | 1 << self.answers[i].value
                yield from self._without_walls(i + 1, need - 1, length, after)

    def count(self) -> int:
        """How many answers are allowed."""
        if not self.choose:
            return len(self.answers)
        return ways(len(self.answers), self.choose, 0, self.neighbours)

    def random(self, rng: Random) -> int:
        """One of the allowed values, each equally likely; for chance, by the weights."""
        if self.weights:
            return rng.choices(self.answers, self.weights)[0].value
        if not self.choose:
            return self.answers[int(rng.random() * len(self.answers))].value
        bits, run, need = 0, 0, self.choose
        for left in range(len(self.answers), 0, -1):
            without = ways(left - 1, need, 0, self.neighbours)
            if rng.randrange(ways(left, need, run, self.neighbours)) < without:
                run = 0
            else:
                bits |= 1 << self.answers[-left].value
                run, need = run + 1, need - 1
        return bits

    def next_parts(self, chosen: int) -> tuple[int, ...]:
        """Members that can follow an unfinished set, in rising order; none at its end.

        For whoever chooses a set part by part, in rising order, so that each has one way.
        """
        need = self.choose - chosen.bit_count()
        if need == 0:
            return ()
        taken = [i for i, answer in enumerate(self.answers) if chosen >> answer.value & 1]
        last = taken[-1] if taken else -1
        run = 0
        while run < len(taken) and taken[-1 - run] == last - run:
            run += 1
        size = len(self.answers)
        return tuple(
            self.answers[i].value
            for i in range(last + 1, size)
            if ways(size - 1 - i, need - 1, run + 1 if i == last + 1 else 1, self.neighbours)
        )


NO_QUESTION = None
"""What a seat is asked that is not asked anything."""


def has_run(bits: int, length: int) -> bool:
    """Whether so many neighbouring bits are set."""
    if bits.bit_count() < length:
        return False
    run = bits
    for shift in range(1, length):
        run &= bits >> shift
    return run != 0


@cache
def ways(places: int, members: int, run: int, neighbours: int) -> int:
    """Ways to put `members` on the next `places` after a run of `run` members."""
    if members < 0 or members > places or (neighbours and run > neighbours):
        return 0
    if places == 0:
        return 1
    longer = run + 1 if neighbours else 0
    return ways(places - 1, members, 0, neighbours) + ways(
        places - 1, members - 1, longer, neighbours
    )


def _a(noun: str) -> str:
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


# --- the usual ones ---------------------------------------------------------------------


def ask_number(asks: str, numbers: Iterable[int], noun: str = "number", **more: Any) -> Question:
    """A question that is answered by one of these numbers."""
    answers = tuple(Answer(number, number, str(number)) for number in numbers)
    return Question(asks, answers, noun=noun, **more)


def ask_word(asks: str, words: Mapping[str, str] | Sequence[str], **more: Any) -> Question:
    """A question that is answered by one of these words, whose values count from 0.

    A mapping goes from the word that is typed to what a button says.
    """
    labels = words if isinstance(words, dict) else dict.fromkeys(words, "")
    answers = tuple(Answer(i, word, word, label) for i, (word, label) in enumerate(labels.items()))
    return Question(asks, answers, **more)


def ask_cell(asks: str, cells: Iterable[tuple[int, tuple[int, int]]], **more: Any) -> Question:
    """A question that is answered by one of these cells, each with its value."""
    answers = tuple(
        Answer(value, (row, column), f"{row},{column}", place=(row, column))
        for value, (row, column) in cells
    )
    return Question(asks, answers, noun=more.pop("noun", "cell"), **more)


def ask_places(asks: str, places: Iterable[int], choose: int, noun: str, **more: Any) -> Question:
    """A question that is answered by a set of places."""
    answers = tuple(Answer(place, place, str(place), place=place) for place in places)
    return Question(asks, answers, noun=noun, choose=choose, **more)


def ask_chance(asks: str, weights: Sequence[int]) -> Question:
    """Something that is drawn: answer i comes as often as its weight says."""
    answers = tuple(Answer(i, i, str(i)) for i in range(len(weights)))
    return Question(asks, answers, weights=tuple(weights))
