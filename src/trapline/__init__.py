"""One referee for rulebook games of two players, and everything that can be built on it.

    import trapline

    game = trapline.make_game("hidden-path", {"length": 6})    # or "./pebbles.py"
    match = trapline.Match(game, first=1)
    match.play(1, (2, 3, 5))                                   # an answer, as records hold it
    match.view(2)                                              # all that Player 2 may know

The names in `__all__` are the ones that other programs may use; they stay. Each is loaded when
it is first asked for, so that importing this package costs nothing.

To write a game: `Game`, `Options`, `State`; what is asked: `Question`, `Answer`, `ask_number`,
`ask_word`, `ask_cell`, `ask_places`, `ask_chance`, `NO_QUESTION`, `SECRET`; what follows: `won`,
`drawn`, `Outcome`, `ONGOING`, `GOAL`, `TRAP`, `TURN_LIMIT`; what is told: `Event`, `AnyEvent`,
`Told`, `Whispered`, `Moved`, `Triggered`, `Returned`; what is seen: `Board`, `Panel`, `Fact`,
`Grid`, `Mark`, `Track`, `Trap`, `View`, `Words`; who is who: `SEATS`, `CHANCE`, `Seat`, `Actor`,
`Viewer`, `other`; worth playing: `Variant`.

To use games: `make_game`, `find_game`, `all_games`, `Match`, `Player`, `Record`, `parse_record`,
`verify`; who plays: `find_player`; what is best: `solved`, `Solution`, `analyse` for a match
that is over, and `exploitability` for a policy; a match for whoever reads and writes text:
`TextMatch`. What is refused raises a `TraplineError`: `OptionsError`, `GameError`, `InvalidMove`,
`IllegalMove`, `NotNow`, `RecordError`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trapline.boards import Fact, Grid, Mark, Panel, Track, Trap
    from trapline.coach import analyse
    from trapline.core import (
        CHANCE,
        GOAL,
        NO_QUESTION,
        ONGOING,
        SEATS,
        SECRET,
        TRAP,
        TURN_LIMIT,
        Actor,
        Answer,
        AnyEvent,
        Board,
        Event,
        Game,
        GameError,
        IllegalMove,
        InvalidMove,
        Moved,
        NotNow,
        Options,
        OptionsError,
        Outcome,
        Question,
        RecordError,
        Returned,
        Seat,
        State,
        Told,
        TraplineError,
        Triggered,
        Variant,
        View,
        Viewer,
        Whispered,
        Words,
        ask_cell,
        ask_chance,
        ask_number,
        ask_places,
        ask_word,
        drawn,
        other,
        won,
    )
    from trapline.games import all_games, find_game, make_game
    from trapline.measures import exploitability
    from trapline.players import find_player
    from trapline.referee import Match, Player, Record, parse_record
    from trapline.referee.verify import verify
    from trapline.solve import Solution, solved
    from trapline.text.match import TextMatch

__version__ = "0.1.0"

__all__ = [
    "CHANCE", "GOAL", "NO_QUESTION", "ONGOING", "SEATS", "SECRET", "TRAP", "TURN_LIMIT", "Actor",
    "Answer", "AnyEvent", "Board", "Event", "Fact", "Game", "GameError", "Grid", "IllegalMove",
    "InvalidMove", "Mark", "Match", "Moved", "NotNow", "Options", "OptionsError", "Outcome",
    "Panel", "Player", "Question", "Record", "RecordError", "Returned", "Seat", "Solution", "State",
    "TextMatch", "Told", "Track", "Trap", "TraplineError", "Triggered", "Variant", "View", "Viewer",
    "Whispered", "Words", "__version__", "all_games", "analyse", "ask_cell", "ask_chance",
    "ask_number", "ask_places", "ask_word", "drawn", "exploitability", "find_game", "find_player",
    "make_game", "other", "parse_record", "solved", "verify", "won",
]  # fmt: skip

_ROOMS = (
    "trapline.core", "trapline.boards", "trapline.games", "trapline.referee", "trapline.solve",
    "trapline.players", "trapline.coach", "trapline.measures", "trapline.text.match",
)  # fmt: skip
"""Where the names live, the quickest to import first."""


def __getattr__(name: str) -> Any:
    if name in __all__:
        for room in _ROOMS:
            module = import_module(room)
            if hasattr(module, name):
                return globals().setdefault(name, getattr(module, name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
