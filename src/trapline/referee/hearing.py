"""Who hears what, and when: whoever acts at once, everybody else when a turn is complete.

So nobody else can tell from the rhythm of a turn what it held.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trapline.core import AnyEvent, Viewer

VIEWERS: tuple[Viewer, ...] = (1, 2, None)


class Hearing:
    def __init__(self) -> None:
        self._heard: dict[Viewer, list[AnyEvent]] = {1: [], 2: [], None: []}
        self._later: dict[Viewer, list[AnyEvent]] = {1: [], 2: [], None: []}

    def copy(self) -> Hearing:
        twin = Hearing()
        for viewer in VIEWERS:
            twin.by(viewer).extend(self._heard[viewer])
        twin.owe(self._later)
        return twin

    def bookmark(self) -> tuple[int, ...]:
        """How much each viewer has heard, before a turn in which nobody is owed anything."""
        heard = self._heard
        return len(heard[1]), len(heard[2]), len(heard[None])

    def go_back(self, heard: tuple[int, ...]) -> None:
        """Forget what was told since, and what is owed."""
        for events, length in zip(self._heard.values(), heard, strict=True):
            del events[length:]
        for owed in self._later.values():
            owed.clear()

    def owe(self, later: dict[Viewer, list[AnyEvent]]) -> None:
        """Add what will be told when the turn is complete."""
        for viewer, events in later.items():
            self._later[viewer].extend(events)

    def by(self, viewer: Viewer) -> list[AnyEvent]:
        """All that a viewer has heard."""
        return self._heard[viewer]

    def tell(self, actor: int, events: Iterable[AnyEvent]) -> None:
        """Tell who acted now, and the others later; what is private, only the one it is about."""
        heard, later = self._heard, self._later
        for event in events:
            if event.private:
                heard[2 if event.by == 2 else 1].append(event)
                continue
            (heard if actor == 1 else later)[1].append(event)
            (heard if actor == 2 else later)[2].append(event)
            later[None].append(event)

    def tell_the_rest(self) -> None:
        """A turn is complete: everybody hears what they have not heard yet."""
        for heard, later in zip(self._heard.values(), self._later.values(), strict=True):
            if later:
                heard += later
                later.clear()

    def tell_all(self, event: AnyEvent) -> None:
        for heard in self._heard.values():
            heard.append(event)
