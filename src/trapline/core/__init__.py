"""The words every other part speaks: seats, questions, events, boards, views, outcomes, games.

Nothing here knows a particular game, and everything here is a frozen value.
"""

from __future__ import annotations

from trapline.core.boards import (
    Board,
    Drawing,
    Picture,
    Shape,
    Sign,
    Spot,
    laid_out_by,
    mark_parts,
    mark_place,
    mark_places,
)
from trapline.core.errors import (
    Forfeit,
    GameError,
    IllegalMove,
    InvalidMove,
    NotNow,
    OptionsError,
    RecordError,
    SecretError,
    TraplineError,
    Unavailable,
    WrongOpening,
    brief,
)
from trapline.core.events import (
    BESIDE_THE_GAME,
    AnyEvent,
    Cell,
    ClaimWaived,
    DrawDeclined,
    DrawOffered,
    Event,
    Moved,
    MoveRefused,
    Place,
    Returned,
    TakenBack,
    Told,
    TrapTried,
    Triggered,
    Whispered,
)
from trapline.core.games import Game, Options, S, State, Variant, asked, forget, refusal
from trapline.core.leaving import Leaving
from trapline.core.lessons import Lesson, LessonStep
from trapline.core.outcomes import (
    GOAL,
    ONGOING,
    TRAP,
    TURN_LIMIT,
    Outcome,
    Reason,
    drawn,
    won,
)
from trapline.core.questions import (
    NO_QUESTION,
    SECRET,
    Answer,
    Form,
    Question,
    ask_cell,
    ask_chance,
    ask_number,
    ask_places,
    ask_word,
    has_run,
)
from trapline.core.seats import CHANCE, SEATS, Actor, First, Seat, Viewer, other
from trapline.core.views import Suspicion, View
from trapline.core.words import (
    BY_SEAT,
    SHOWN_DIGITS,
    Names,
    Words,
    in_words,
    one_of,
    plural,
    span,
)

__all__ = [
    "BESIDE_THE_GAME", "BY_SEAT", "CHANCE", "GOAL", "NO_QUESTION", "ONGOING", "SEATS", "SECRET",
    "SHOWN_DIGITS", "TRAP", "TURN_LIMIT", "Actor", "Answer", "AnyEvent", "Board", "Cell",
    "ClaimWaived", "DrawDeclined", "DrawOffered", "Drawing", "Event", "First", "Forfeit", "Form",
    "Game", "GameError", "IllegalMove", "InvalidMove", "Leaving", "Lesson", "LessonStep",
    "MoveRefused", "Moved", "Names", "NotNow", "Options", "OptionsError", "Outcome", "Picture",
    "Place", "Question", "Reason", "RecordError", "Returned", "S", "Seat", "SecretError", "Shape",
    "Sign", "Spot", "State", "Suspicion", "TakenBack", "Told", "TrapTried", "TraplineError",
    "Triggered", "Unavailable", "Variant", "View", "Viewer", "Whispered", "Words", "WrongOpening",
    "ask_cell", "ask_chance", "ask_number", "ask_places", "ask_word", "asked", "brief", "drawn",
    "forget", "has_run", "in_words", "laid_out_by", "mark_parts", "mark_place", "mark_places",
    "one_of", "other", "plural", "refusal", "span", "won",
]  # fmt: skip
