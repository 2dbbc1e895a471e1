"""A track of numbered squares from 0, along which two pieces run past traps."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import sin
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.boards.glyphs import glyphs
from trapline.boards.track_signs import EDGES, LARGE, SMALL, drawn
from trapline.core import (
    SEATS,
    Board,
    Drawing,
    Picture,
    Seat,
    Shape,
    laid_out_by,
    mark_parts,
    mark_places,
    other,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from trapline.core import Names, Viewer

Pair = tuple[int, int]

PLANES = (
    "my_position", "their_position", "left", "my_traps", "their_traps", "my_sprung",
    "their_sprung", "public_traps", "my_doubt", "their_doubt",
)  # fmt: skip
"""Each has one number a square."""

COLUMN = 52
"""The width of a square in a picture: every station can be met with a thumb."""
HEIGHT = 116


class Trap(msgspec.Struct, frozen=True, gc=False):
    at: int
    owner: Seat | None
    """Whose opponent it acts on; None acts on everybody."""
    sprung: bool
    """Has been triggered, so both players know it."""
    live: bool
    """Still acts on whoever lands on it."""


class Track(Board, frozen=True, tag="track"):
    length: int
    positions: tuple[int, int]
    goals: tuple[int, int]
    traps: tuple[Trap, ...]
    """The traps that the viewer knows of."""
    returning: tuple[bool, bool] = (False, False)
    """Who goes back to the start before their next move."""
    doubt: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """For each seat, where one of the other's traps may lie, as far as the viewer knows."""
    left: int | None = None
    """The square that the viewer has just left, while the turn is open."""

    # --- told ---------------------------------------------------------------------------

    def words(self, names: Names, place: str) -> list[str]:
        one, two = names[1], names[2]
        runners = _runners_in_words(self.positions, self.goals, one, two, place)
        return [*runners, *_traps_in_words(self.traps, one, two)]

    def stand(self, seat: Seat) -> int:
        """Where a player moves from."""
        return 0 if self.returning[seat - 1] else self.positions[seat - 1]

    # --- drawn in characters ------------------------------------------------------------

    def drawing(self, names: Names, viewer: Viewer, *, plain: bool, width: int) -> Drawing:
        """Player 1's things stand on the left of a square and Player 2's on the right."""
        return drawn(self, names, glyphs(plain), width, SMALL)

    def scene(
        self,
        names: Names,
        viewer: Viewer,
        *,
        plain: bool,
        width: int,
        height: int,
    ) -> Drawing:
        """One row of squares as wide as they can be; what has no room for that is folded."""
        wide = min(LARGE[0], (width - 1) // (self.length + 1) - 1)
        tall = min(LARGE[1], (wide + 1) // 2, height - EDGES)
        cell = (wide, max(tall, SMALL[1])) if wide > SMALL[0] else SMALL
        return drawn(self, names, glyphs(plain), width, cell)

    # --- drawn as shapes ----------------------------------------------------------------

    def picture(self, names: Names, viewer: Viewer, place: str = "place") -> Picture:
        """A trail with a station for each square; pieces stand above it and traps lie below."""
        spots = [_spot(square) for square in range(self.length + 1)]
        shapes = [Shape("line", *spots[0], look="trail", points=tuple(spots))]
        for square, (x, y) in enumerate(spots):
            shapes += self._goal_shapes(square, x, y)
            look = "place left" if square == self.left else "place"
            label = ", ".join([f"{place} {square}", *self._found_on(square, names)])
            shapes.append(
                Shape(
                    "circle", x, y, 44, 44, look=look, text=str(square), label=label, place=square
                )
            )
        shapes += [_trap_shape(trap, names, *spots[trap.at]) for trap in self.traps]
        for seat in SEATS:
            x, y = spots[self.positions[seat - 1]]
            kind, size, aside = ("circle", 26, -13) if seat == 1 else ("diamond", 32, 13)
            shapes.append(
                Shape(kind, x + aside, y - 25, size, size, f"piece {seat}", "piece", str(seat),
                      owner=seat)
            )  # fmt: skip
        return Picture(len(spots) * COLUMN, HEIGHT, tuple(shapes), COLUMN)

    def _goal_shapes(self, square: int, x: float, y: float) -> list[Shape]:
        """A goal is a star behind its station, clear of the pieces above and the traps below."""
        owners = [seat for seat in SEATS if self.goals[seat - 1] == square]
        if not owners:
            return []
        owner = owners[0] if len(owners) == 1 else None
        text = f"goal of {owner}" if owner else "goal"
        return [
            Shape("star", x, y, 59, 59, look="goal", owner=owner),
            Shape("text", x, HEIGHT - 5, look="faint", text=text),
        ]

    def _found_on(self, square: int, names: Names) -> list[str]:
        """What is on a square, in words."""
        found = [
            f"{names[seat]} stands here" for seat in SEATS if self.positions[seat - 1] == square
        ]
        for trap in self.traps:
            if trap.at == square:
                whose = f"{names[trap.owner]}'s trap" if trap.owner else "a trap"
                found.append(whose if trap.live else f"{whose}, sprung")
        goals = [seat for seat in SEATS if self.goals[seat - 1] == square]
        if len(goals) == 1:
            found.append(f"{names[goals[0]]}'s goal")
        elif goals:
            found.append("the goal")
        return found

    # --- as numbers ---------------------------------------------------------------------

    def planes(self) -> Mapping[str, int]:
        return dict.fromkeys(PLANES, self.length + 1) | {"returning": 2}

    def numbers(self, seat: Seat) -> Mapping[str, Sequence[int]]:
        rival = other(seat)
        parts: dict[str, Any] = {
            "my_position": (self.positions[seat - 1],),
            "their_position": (self.positions[rival - 1],),
            "left": () if self.left is None else (self.left,),
            "my_doubt": self.doubt[seat - 1],
            "their_doubt": self.doubt[rival - 1],
            "public_traps": tuple(trap.at for trap in self.traps if trap.owner is None),
            "returning": tuple(i for i, who in enumerate((seat, rival)) if self.returning[who - 1]),
        }
        for whose, owner in (("my", seat), ("their", rival)):
            known = [trap for trap in self.traps if trap.owner == owner]
            parts[f"{whose}_traps"] = tuple(trap.at for trap in known if trap.live)
            parts[f"{whose}_sprung"] = tuple(trap.at for trap in known if trap.sprung)
        return parts

    # --- mirrored -----------------------------------------------------------------------

    def mirrored(self) -> Track:
        """The runners exchanged; the track turned round where they run towards each other."""
        traps = (msgspec.structs.replace(
            trap, at=self.mirror(trap.at), owner=other(trap.owner) if trap.owner else None
        ) for trap in self.traps)  # fmt: skip
        return msgspec.structs.replace(
            self,
            positions=_exchanged(tuple(self.mirror(at) for at in self.positions)),
            goals=_exchanged(tuple(self.mirror(at) for at in self.goals)),
            traps=tuple(sorted(traps, key=_order)),
            returning=_exchanged(self.returning),
            doubt=_exchanged(tuple(tuple(sorted(map(self.mirror, d))) for d in self.doubt)),
            left=None if self.left is None else self.mirror(self.left),
        )

    def mirror(self, place: Any) -> Any:
        return self.length - place if self.goals[0] != self.goals[1] else place


def lay_out(
    row: Any,
    seat: int,
    length: int,
    positions: Pair,
    goals: Pair,  # noqa: ARG001 - the same all through a match
    live: Pair,
    sprung: Pair,
    public: int,
    returning: Pair,
    doubt: Pair,
    left: int,
) -> None:
    """What `numbers` says of such a `track`, as a row of 0s and 1s, for compiled rules."""
    size = length + 1
    me, them = seat - 1, 2 - seat
    # A part for each of PLANES.
    parts = (
        1 << positions[me], 1 << positions[them], (1 << left + 1) >> 1, live[me], live[them],
        sprung[me], sprung[them], public, doubt[me], doubt[them],
    )  # fmt: skip
    mark_parts(row, 0, parts, size)
    mark_places(row, 10 * size, returning[me] | returning[them] << 1, 2)


@laid_out_by(lay_out)
def track(
    length: int,
    positions: Pair,
    goals: Pair,
    live: Pair,
    sprung: Pair,
    public: int,
    returning: Pair,
    doubt: Pair,
    left: int,
) -> Track:
    """A Track from numbers: sets of squares are bits, `left` is −1 for none.

    `live` are the traps of each seat that act and that the viewer knows of, `sprung` those that
    were triggered.
    """
    return Track(
        length,
        positions,
        goals,
        _traps(live, sprung, public),
        (returning[0] != 0, returning[1] != 0),
        (squares(doubt[0]), squares(doubt[1])),
        None if left < 0 else left,
    )


@lru_cache(maxsize=4096)
def _traps(live: Pair, sprung: Pair, public: int) -> tuple[Trap, ...]:
    traps = [
        Trap(
            at, owner, sprung=sprung[owner - 1] >> at & 1 == 1, live=live[owner - 1] >> at & 1 == 1
        )
        for owner in SEATS
        for at in squares(live[owner - 1] | sprung[owner - 1])
    ]
    traps += [Trap(at, None, sprung=False, live=True) for at in squares(public)]
    return tuple(traps)


def bits(places: Sequence[int]) -> int:
    return sum(1 << place for place in places)


@lru_cache(maxsize=4096)
def squares(mask: int) -> tuple[int, ...]:
    """The squares of a set held as bits; the same few sets come up again and again."""
    return tuple([square for square in range(mask.bit_length()) if mask >> square & 1])


def _spot(square: int) -> tuple[float, float]:
    """Where a square lies: the trail sways a little, as trails do."""
    return (square + 0.5) * COLUMN, round(52 + 6 * sin(square * 1.7), 1)


def _trap_shape(trap: Trap, names: Names, x: float, y: float) -> Shape:
    """Player 1's traps point up and Player 2's down, so that nothing depends on colour."""
    kind, aside = {1: ("triangle", -12), 2: ("wedge", 12), None: ("diamond", 0)}[trap.owner]
    look = "trap sprung" if trap.sprung else "trap"
    label = f"{names[trap.owner]}'s trap" if trap.owner else "trap for both"
    text = str(trap.owner or "!")
    if not trap.live:
        look, label, text = "trap spent", "sprung, safe now", "×"
    return Shape(
        kind, x + aside, y + 33, 24, 22, f"trap {trap.owner or 0} {trap.at}", look, text, label,
        owner=trap.owner,
    )  # fmt: skip


def _order(trap: Trap) -> tuple[int, int]:
    return trap.owner or 3, trap.at


def _exchanged(pair: Any) -> Any:
    return pair[1], pair[0]


@lru_cache(maxsize=4096)
def _runners_in_words(
    positions: Pair, goals: Pair, one: str, two: str, place: str
) -> tuple[str, ...]:
    return (
        f"{one} is on {place} {positions[0]}, goal {goals[0]}.",
        f"{two} is on {place} {positions[1]}, goal {goals[1]}.",
    )


@lru_cache(maxsize=4096)
def _traps_in_words(traps: tuple[Trap, ...], one: str, two: str) -> tuple[str, ...]:
    """The same few sets come up again and again here, too."""
    lines = []
    for owner, whose in ((1, f"{one}'s traps"), (2, f"{two}'s traps"), (None, "Traps")):
        lines += _listed(f"{whose}: ", [t for t in traps if t.owner == owner and t.live])
    return (*lines, *_listed("Sprung, safe now: ", [t for t in traps if not t.live]))


def _listed(label: str, traps: list[Trap]) -> list[str]:
    places = Counter(trap.at for trap in traps)
    told = [f"{at} (both)" if places[at] > 1 else str(at) for at in sorted(places)]
    return [f"{label}{', '.join(told)}."] if told else []
