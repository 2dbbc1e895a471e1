"""The protocol of a game: pure functions from a state to questions, to the next state, to the
events between two states, and to the board that one seat may see.

A game is two players, zero-sum, and ends by itself or by a limit. Players answer in turn, or
both at once; chance answers too; a turn may hold several questions. Rules compute with whole
numbers and tuples of them, call nothing but such functions, and return new states: then the
same functions run as they are for the referee, and compiled over arrays for batches
(`trapline.simulate`). A game that does more than that still does everything else.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import msgspec

from trapline.core.errors import GameError, brief
from trapline.core.outcomes import Outcome
from trapline.core.seats import CHANCE, SEATS, Actor
from trapline.core.words import Words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from random import Random

    from trapline.core.boards import Board
    from trapline.core.events import AnyEvent
    from trapline.core.leaving import Leaving
    from trapline.core.lessons import Lesson
    from trapline.core.questions import Form, Question
    from trapline.core.seats import First, Seat, Viewer
    from trapline.core.views import View


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game's options; each field's default is the rulebook's value.

    Annotate every field with `Meta(description=...)`: it completes the sentence
    "NAME must be ..." when a value is refused.
    """


class State(msgspec.Struct, frozen=True, gc=False):
    """Everything that matters for the rest of the game."""

    memory: ClassVar[tuple[str, ...]] = ()
    """Fields that no rule reads: what boards show of the past. Solvers leave them out."""

    mover: int
    """Whose turn it is; 0 while both are asked at once."""
    turn: int
    """Completed turns. An answer that leaves it unchanged was only part of a turn."""
    outcome: Outcome | None


S = TypeVar("S", bound=State)


class Variant(msgspec.Struct, frozen=True):
    """A named set of options that is worth playing."""

    name: str
    options: dict[str, Any]
    value: float | None = None
    """What the game is worth to who moves first, if it is known."""
    bounds: tuple[float, float] | None = None
    verdict: str = ""
    """What this says of the variant, in a sentence."""


class Game(ABC, Generic[S]):
    """The rules of one game under one set of options: pure functions, no I/O, no memory.

    Questions are made once, in `__init__`, and kept in attributes (alone, or in tuples): from
    there `question` picks the one that fits a state.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    """What a menu says of the game."""
    place: ClassVar[str] = "place"
    """The rulebook's word for a place on the board: step, position, square, cell."""
    land: ClassVar[str] = ""
    """The land that its board lies in, for pictures: see `Picture`."""
    pictured: ClassVar[tuple[str, ...]] = ()
    """What three pictures of an example teach: its beginning, its middle, its end."""
    minutes: ClassVar[str] = "a few minutes"
    """How long a match takes."""
    options_type: ClassVar[type[Options]] = Options
    default_first: ClassVar[First] = 1
    draws: ClassVar[bool] = False
    """Whether chance takes part, so that its seed is committed to."""
    hides: ClassVar[bool] = True
    """Whether anything is hidden from the other player, so that two people need a curtain."""
    seals_turns: ClassVar[bool] = False
    """Whether turns hold hidden answers, so that each one is committed to."""
    open_turns: ClassVar[bool] = False
    """Whether nothing that is asked in a turn tells what was hidden before the first one, so that
    two people may then look at one board."""
    retractable: ClassVar[bool] = False
    """Whether a turn tells its player nothing that is hidden, so that it may be taken back. Where
    nothing is hidden at all it need not be said."""
    claim_after: ClassVar[int | None] = None
    """After this many refused answers in a row the opponent may claim the game."""
    stake: ClassVar[int] = 1
    """The most that a match can be worth to its winner."""
    mirrors: ClassVar[bool] = False
    """Whether the game is the same for both seats, once boards are mirrored."""
    horizon: ClassVar[int] = 60
    """Answers after which a match that is tried out counts as drawn."""
    words: ClassVar[type[Words]] = Words
    option_words: ClassVar[Mapping[str, str]] = {}
    """What each option means, in a few words."""
    variants: ClassVar[Mapping[str, Sequence[Any]]] = {}
    """Values of options whose combinations are worth comparing for fairness."""
    presets: ClassVar[tuple[Variant, ...]] = ()
    lesson: ClassVar[Lesson | None] = None
    """A guided first match."""
    mastery: ClassVar[float] = 1.0
    """Whoever is a share of the way from `casual` to `perfect` finds the solution's answer that
    share of the time, to this power. Where a few right answers win a match, more than 1 keeps the
    steps between the levels even."""
    expectations: ClassVar[Mapping[str, Sequence[float]]] = {}
    """How often players of the computer levels have won, by what best play makes of a position
    (`won`, `drawn`, `lost`, `open`), at evenly spaced chances from 0 to 1 between two who err.
    `hiding won` is of secrets alone, and `deep won` of the preset `deep` alone."""

    options: Options
    lockable: bool = False
    """Whether a match can be refereed by who sees nothing that is hidden: for what is hidden before
    the first turn `depends_on` says what to ask for, for what turns leave behind `leaving` does."""
    places_a_move: int = 1
    """How many hidden places one move can depend on; a device that is asked for more opens none."""
    turn_limit: int = 0
    """Turns after which a match is drawn; 0 for none."""

    @abstractmethod
    def __init__(self, options: Any) -> None:
        """Raises OptionsError for options that are well formed but make no game."""

    @abstractmethod
    def start(self, first: Seat) -> S:
        """The opening state."""

    @abstractmethod
    def question(self, state: S, seat: Seat) -> Question | None:
        """What a seat is asked, from what that seat may know.

        Never called after the end. If both seats are asked, either may answer first.
        """

    @abstractmethod
    def apply(self, state: S, seat: Seat, answer: int) -> S:
        """The state after an answer that `question` allows; `answer` is its value."""

    @abstractmethod
    def events(self, before: S, seat: Actor, answer: int, after: S) -> Iterator[AnyEvent]:
        """What happened between two states, in order."""

    @abstractmethod
    def board(self, state: S, seat: Viewer, over: bool) -> Board:
        """The board as `seat` (None: a spectator) may see it; all of it when `over`."""

    # --- what most games leave as it is ---------------------------------------------------

    def chance(self, state: S) -> Question | None:
        """What is to be drawn now, before anybody else is asked."""
        return None

    def dealt(self, state: S, answer: int) -> S:
        """The state after chance has answered."""
        raise GameError(f"{self.title} asks chance for something, but does not say what follows.")

    def why_not(self, state: S, seat: Seat, record: Form) -> str:
        """A sentence for an answer that is well formed but not allowed; "" for the usual one."""
        return ""

    def positions(self, state: S) -> tuple[int, ...]:
        """Where both players stand, or the cell of the piece they share, as replays tell it."""
        return ()

    def with_secrets(self, state: S, secrets: tuple[int, int]) -> S | None:
        """The state after the same public history under other secrets.

        For solvers of games in which only what is chosen before the first turn is hidden;
        None where there is no such thing.
        """
        return None

    def depends_on(self, state: S, seat: Seat, answer: int) -> tuple[Seat, tuple[int, ...]] | None:
        """Whose secret decides what an answer of a turn leads to, and which places of it.

        A place is the value of an answer to the question for the secret. They are opened in this
        order, until one holds something: those after it do not count.
        """
        return None

    def leaving(self) -> Leaving[S] | None:
        """What turns leave behind unseen; None where they leave nothing."""
        return None

    def restraints(self) -> Mapping[str, Callable[[int], bool]]:
        """What somebody may never hide though it is allowed, in words that follow "Whoever", and
        which secrets, by their values, are left: `fairness` tells what that costs."""
        return {}

    def endless(self) -> Game[S]:
        """The same game without its turn limit."""
        return self

    def longest(self) -> int:
        """More turns than this no match can have; 0 where there is no such number."""
        return self.turn_limit

    def instinct(self, view: View, answer: Form) -> float:
        """How tempting an answer looks to a friend who knows the rules: 100 wins, −100 loses.

        Differences of less than one are a matter of mood.
        """
        return 0.0

    def brisk(self, state: S, seat: Seat, question: Question, rng: Random) -> int:
        """A quick answer of somebody who knows what `seat` knows, for matches that are tried out.

        Hurrying and careless, but not blind: whoever looks ahead plays on with thousands of them.
        """
        return question.random(rng)

    def likely_world(self, view: View, rng: Random) -> S | None:
        """One of the states that fit all that the View's seat has seen, by chance.

        For players who try things out in worlds that may be true; None leaves the search to them.
        """
        return None

    def split(self, text: str) -> tuple[str, ...]:
        """One typed line as the answers it holds, for questions that follow each other."""
        return (text,)

    def write_turn(self, answers: tuple[Form, ...]) -> Any:
        """The answers of one player's turn as a record's `moves` hold them."""
        if len(answers) == 1:
            return _plain(answers[0])
        return {"answers": [_plain(answer) for answer in answers]}

    def read_turn(self, value: Any) -> tuple[Any, ...]:
        """The answers that `write_turn` wrote; InvalidMove for what it never writes."""
        if isinstance(value, dict) and isinstance(value.get("answers"), list):
            return tuple(value["answers"])
        return (value,)

    def sealed_part(self, answers: tuple[Form, ...]) -> Any:
        """What of a turn is committed to, where turns are sealed."""
        return [_plain(answer) for answer in answers]

    @classmethod
    def rules(cls) -> str:
        """The page of rules, in Markdown: `rules.md` beside the game, or its docstring."""
        page = Path(inspect.getfile(cls)).with_name("rules.md")
        if page.is_file() and page.with_name("__init__.py").is_file():
            return page.read_text("utf-8")
        return f"# {cls.title}\n\n{inspect.cleandoc(cls.__doc__ or cls.summary)}\n"

    @classmethod
    def translated_rules(cls) -> dict[str, str]:
        """The same page in other languages, by their codes: `rules.de.md` beside `rules.md`."""
        folder = Path(inspect.getfile(cls)).parent
        if not (folder / "__init__.py").is_file():
            return {}
        return {
            page.suffixes[-2][1:]: page.read_text("utf-8") for page in folder.glob("rules.*.md")
        }

    def method(self) -> Any:
        """The game's own way to be solved, where it needs one (`trapline.solve.Method`)."""
        return None


def _plain(answer: Form) -> Any:
    return list(answer) if isinstance(answer, tuple) else answer


def asked(game: Game[Any], state: Any) -> tuple[Actor, ...]:
    """Who has a question to answer: chance alone, or one seat, or both at once."""
    if state.outcome is not None:
        return ()
    if game.draws and game.chance(state) is not None:
        return (CHANCE,)
    return tuple(seat for seat in SEATS if game.question(state, seat) is not None)


def forget(state: Any) -> Any:
    """The state without what no rule reads."""
    if not state.memory:
        return state
    blank = {name: _blank(getattr(state, name)) for name in state.memory}
    return msgspec.structs.replace(state, **blank)


def _blank(value: Any) -> Any:
    return tuple(_blank(part) for part in value) if isinstance(value, tuple) else 0


def refusal(game: Game[Any], state: Any, seat: Seat, record: Any, usual: str) -> str:
    """The sentence for an answer that the rules do not allow."""
    return game.why_not(state, seat, record) or usual or f"{brief(record)} is not allowed here."
