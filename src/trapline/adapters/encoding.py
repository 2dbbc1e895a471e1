"""A game under its options as numbers: one fixed set of actions, one fixed observation vector.

All environments share this page, so an agent trained in one can be moved to another.

**Actions** are numbered 0 … `actions` − 1 and always mean the same choice. First the moves
(steps 1 … max_step, or the cells of the grid row by row), then, in Trap Runner, the trap
answers `n` and `t`, then the parts of a secret: one action for each square 1 … length ("hide a
trap here"), or for each column ("my goal cell is in this column of my row"). Traps are hidden
one at a time in rising order, so that every set has exactly one path; `legal` never leaves a
choice that could not be completed. `table` says in which order the players act.

**Observations** are vectors of numbers from 0 to 1, made from a View and the seat's own
unfinished secret, and from nothing else. "mine" and "theirs" are seen from the observing seat;
`layout` names the slice of each part:

    seat (2)            one-hot: am I Player 1 or Player 2
    first (1)           do I move first
    asks (3)            am I asked for: a part of my secret, a move, a trap answer
    to_move (2)         is it my turn, theirs
    ready (2)           is my secret chosen, theirs
    turn (1)            completed turns, as a part of `horizon`
    result (3)          won, drawn, lost; all 0 until the game is over

    on a track of squares 0 … length, each plane one number a square:
    my_position, their_position      one-hot
    left                             the square just left, while its trap question is open
    secret                           the traps I have chosen to hide, also while I choose
    my_traps, their_traps            live traps that I know of, by whose they are
    my_sprung, their_sprung          traps that were triggered, live or removed
    public_traps                     traps that act on both
    my_doubt                         where a trap may lie that I have not found
    their_doubt                      the same for the other player, by what everybody sees
    returning (2)                    do I, do they go back to 0 before the next move

    on a grid, each plane one number a cell, row by row:
    seeker, my_goal, their_goal      one-hot; a goal is there when I may see it
    my_visits, their_visits          cells that I, they have carried the Seeker to

The observation tells which moves are legal and which hidden traps or goals are still possible,
so it is enough to play well. It is not Markov against an opponent whose moves betray their
secret: it forgets in which order things happened. The information state (`recall`) forgets
nothing.

Draw offers, resignations and claims are not actions: an agent's match ends by the rules.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from trapline.adapters.actions import all_choices, name_of
from trapline.core import Moved, Track, TrapTried, other

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from trapline.adapters.actions import Choice
    from trapline.core import Game, Grid, Move, Seat, Secret, View
    from trapline.match import Asks

Chosen = tuple[int, ...]
"""The part of a secret that its owner has chosen so far."""

ASKS = ("secret", "move", "trap")
USUAL_TURNS = 200
"""The scale of `turn` where a game has no limit; the number stays at 1 from then on."""

TRACK_PLANES = (
    "my_position", "their_position", "left", "secret", "my_traps", "their_traps", "my_sprung",
    "their_sprung", "public_traps", "my_doubt", "their_doubt",
)  # fmt: skip
GRID_PLANES = ("seeker", "my_goal", "their_goal", "my_visits", "their_visits")


class Encoding:
    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        board = game.board(game.start(1, {}), None, False)
        self.choices: tuple[Choice, ...] = tuple(all_choices(game, board))
        self.actions = len(self.choices)
        self._action = {choice: action for action, choice in enumerate(self.choices)}
        self.names = tuple(name_of(game, choice) for choice in self.choices)
        self.horizon: int = _most_turns(game) or USUAL_TURNS
        planes = TRACK_PLANES if isinstance(board, Track) else GRID_PLANES
        self._width = 1 if isinstance(board, Track) else board.size
        self.places = board.length + 1 if isinstance(board, Track) else board.size**2
        sizes = {"seat": 2, "first": 1, "asks": 3, "to_move": 2, "ready": 2, "turn": 1, "result": 3}
        sizes |= dict.fromkeys(planes, self.places)
        sizes |= {"returning": 2} if isinstance(board, Track) else {}
        self.layout: dict[str, slice] = {}
        self.size = 0
        for part, size in sizes.items():
            self.layout[part] = slice(self.size, self.size + size)
            self.size += size
        self._at = {part: place.start for part, place in self.layout.items()}
        self.secret_parts = {"traps": getattr(game.options, "traps", 0), "cell": 1, None: 0}[
            game.secret
        ]
        """How many actions the choice of a secret takes."""
        self._trappable = (1 << self.places) - 2 if game.secret == "traps" else 0
        self._passing = getattr(game.options, "trigger", "landing") == "passing"

    # --- actions ------------------------------------------------------------------------

    def action(self, choice: Choice) -> int:
        return self._action[choice]

    def legal(
        self, seat: Seat, asks: Asks | None, answers: Iterable[Move], chosen: Chosen = ()
    ) -> list[int]:
        """The actions that a seat may take in answer to the referee's question, in rising order."""
        if asks is None:
            return []
        values = self._secret_parts(seat, chosen) if asks == "secret" else answers
        return sorted(self._action[asks, value] for value in values)

    def mask(self, legal: list[int]) -> NDArray[np.int8]:
        """1 for each legal action, 0 for each other one."""
        mask = np.zeros(self.actions, np.int8)
        mask[legal] = 1
        return mask

    def _secret_parts(self, seat: Seat, chosen: Chosen) -> tuple[int, ...]:
        if self.game.secret == "traps":
            return self.game.next_traps(chosen)
        return tuple(cell[1] for cell in self.game.secrets(seat))

    def secret(self, seat: Seat, chosen: Chosen) -> Secret | None:
        """The secret, once all its parts are chosen."""
        if self.game.secret == "cell":
            return next((cell for cell in self.game.secrets(seat) if cell[1:] == chosen), None)
        return None if self.game.next_traps(chosen) else chosen

    # --- observations -------------------------------------------------------------------

    def observe(self, view: View, chosen: Chosen = ()) -> NDArray[np.float32]:
        """What the View's seat sees, laid out as `layout` says."""
        assert view.seat is not None  # spectators take no part
        me, at = view.seat, self._at
        rival = other(me)
        ones = [at["seat"] + me - 1]
        if view.first == me:
            ones.append(at["first"])
        if view.asks is not None:
            ones.append(at["asks"] + ASKS.index(view.asks))
        if view.to_move is not None:
            ones.append(at["to_move"] + (view.to_move != me))
        if view.ready[me - 1]:
            ones.append(at["ready"])
        if view.ready[rival - 1]:
            ones.append(at["ready"] + 1)
        if view.outcome is not None:
            winner = view.outcome.winner
            ones.append(at["result"] + (1 if winner is None else 0 if winner == me else 2))
        if isinstance(view.board, Track):
            self._observe_track(view, view.board, chosen, ones)
        else:
            self._observe_grid(view, view.board, ones)
        vector = np.zeros(self.size, np.float32)
        vector[ones] = 1
        vector[at["turn"]] = min(1.0, view.turn / self.horizon)
        return vector

    def _observe_track(self, view: View, board: Track, chosen: Chosen, ones: list[int]) -> None:
        at, me = self._at, view.seat or 1
        rival = other(me)
        ones.append(at["my_position"] + board.positions[me - 1])
        ones.append(at["their_position"] + board.positions[rival - 1])
        if view.asks == "trap":
            ones.append(at["left"] + _left(view))
        ones += [at["secret"] + square for square in view.secret or chosen]
        for trap in board.traps:
            whose = "my" if trap.owner == me else "their"
            if trap.owner is None:
                ones.append(at["public_traps"] + trap.at)
            elif trap.live:
                ones.append(at[f"{whose}_traps"] + trap.at)
            if trap.sprung:
                ones.append(at[f"{whose}_sprung"] + trap.at)
        doubts = self._doubts(view)
        ones += [at["my_doubt"] + square for square in _squares(doubts[me])]
        ones += [at["their_doubt"] + square for square in _squares(doubts[rival])]
        if board.returning[me - 1]:
            ones.append(at["returning"])
        if board.returning[rival - 1]:
            ones.append(at["returning"] + 1)

    def _doubts(self, view: View) -> dict[Seat, int]:
        """Where the other's traps may lie for each seat, as bits: as far as the viewer knows.

        A square is cleared by landing on it or by trying to trap it; in Trap Runner it comes
        into doubt when the other leaves it.
        """
        doubts: dict[Seat, int] = {1: self._trappable, 2: self._trappable}
        if self.game.secret is None and not self.game.hides_turns:
            return doubts
        events: tuple[Any, ...] = view.events
        for event in events:
            kind = type(event)
            if kind is Moved:
                start, to = event.start, event.to
                doubts[event.by] &= ~(_span(start, to) if self._passing else 1 << to)
                if self.game.hides_turns:
                    doubts[other(event.by)] |= 1 << start & ~1
            elif kind is TrapTried:
                doubts[event.by] &= ~(1 << event.at)
        return doubts

    def _observe_grid(self, view: View, board: Grid, ones: list[int]) -> None:
        at, me = self._at, view.seat or 1
        ones.append(at["seeker"] + self.index(board.seeker))
        for part, seat in (("my_goal", me), ("their_goal", other(me))):
            goal = board.goals[seat - 1]
            if goal is not None:
                ones.append(at[part] + self.index(goal))
        mine, theirs = at["my_visits"], at["their_visits"]
        ones += [
            (mine if event.by == me else theirs) + self.index(event.to)
            for event in view.events
            if isinstance(event, Moved)
        ]

    def described(self, observation: NDArray[np.float32]) -> str:
        """An observation as text: the parts that are not all 0."""
        parts = []
        for part, place in self.layout.items():
            numbers = observation[place]
            if len(numbers) == 1:
                parts.append(f"{part} {numbers[0]:.6g}")
            elif numbers.any():
                parts.append(f"{part} {' '.join(map(str, np.flatnonzero(numbers)))}")
        return "; ".join(parts)

    def index(self, place: int | tuple[int, ...]) -> int:
        """The number of a square or of a cell in its plane."""
        return place if isinstance(place, int) else (place[0] - 1) * self._width + place[1] - 1


@lru_cache(maxsize=4096)
def _squares(mask: int) -> tuple[int, ...]:
    """The squares of a set held as bits; the same few sets come up again and again."""
    return tuple(square for square in range(mask.bit_length()) if mask >> square & 1)


def _span(start: int, to: int) -> int:
    """All squares from one to another, both included, as bits."""
    low, high = min(start, to), max(start, to)
    return (1 << high + 1) - (1 << low)


def _most_turns(game: Game[Any, Any]) -> int:
    """More turns than this no match can have; 0 where there is no such number."""
    options: Any = game.options
    if hasattr(options, "turn_limit"):
        return int(options.turn_limit)
    # Both runners may go the whole way by single steps, once more for each trap they meet.
    return 2 * int(options.length) * (int(options.traps) + 1)


def _left(view: View) -> int:
    """Where the open turn began."""
    for event in reversed(view.events):
        if isinstance(event, Moved) and event.by == view.seat:
            assert isinstance(event.start, int)
            return event.start
    raise AssertionError("a trap question follows a move")
