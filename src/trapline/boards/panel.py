"""A board without places: facts in a row, such as cards in hand, a pot, prizes, a score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trapline.core import Board, Drawing, Picture, Seat, Shape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from trapline.core import Names, Viewer


class Fact(msgspec.Struct, frozen=True):
    name: str
    """What it is: `{1}` and `{2}` stand for the players."""
    value: int
    """Its number, from 0 to `most`; −1 where the viewer may not see it."""
    most: int
    text: str = ""
    """How it is shown; the number itself if empty."""
    owner: Seat | None = None

    def __post_init__(self) -> None:
        """What is hidden has no text either, whatever the game has written there."""
        if self.value < 0:
            msgspec.structs.force_setattr(self, "text", "")

    def shown(self) -> str:
        return "hidden" if self.value < 0 else self.text or str(self.value)


class Panel(Board, frozen=True, tag="panel"):
    facts: tuple[Fact, ...]
    """Always the same facts in the same order, whoever looks and whenever."""

    def words(self, names: Names, place: str) -> list[str]:  # noqa: ARG002
        return [f"{_named(fact, names)}: {fact.shown()}." for fact in self.facts]

    def drawing(self, names: Names, viewer: Viewer, *, plain: bool, width: int) -> Drawing:  # noqa: ARG002
        wide = max((len(_named(fact, names)) for fact in self.facts), default=0)
        lines = (f"{_named(fact, names):<{wide}}  {fact.shown()}"[:width] for fact in self.facts)
        return Drawing(tuple(((line, ""),) for line in lines), ())

    def picture(self, names: Names, viewer: Viewer) -> Picture:  # noqa: ARG002
        shapes: list[Shape] = []
        for row, fact in enumerate(self.facts):
            look = "hidden" if fact.value < 0 else ""
            shapes.append(Shape("text", 4, 14 + 24 * row, text=_named(fact, names), look="faint"))
            shapes.append(
                Shape("text", 196, 14 + 24 * row, id=fact.name, text=fact.shown(), look=look)
            )
        return Picture(200, 24 * len(self.facts) + 4, tuple(shapes))

    def planes(self) -> Mapping[str, int]:
        return {fact.name: fact.most + 1 for fact in self.facts}

    def numbers(self, seat: Seat) -> Mapping[str, Sequence[int]]:  # noqa: ARG002
        return {fact.name: () if fact.value < 0 else (fact.value,) for fact in self.facts}

    def mirrored(self) -> Panel:
        return self


def _named(fact: Fact, names: Names) -> str:
    return fact.name.replace("{1}", names[1]).replace("{2}", names[2])
