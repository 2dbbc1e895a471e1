"""What each viewer of a match is shown, and how often that has changed.

Each viewer has a version of their own, which rises exactly when what they are shown changes:
whatever they must not notice cannot be counted by them either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from trapline.core import SECRET
from trapline.server import showing

if TYPE_CHECKING:
    from trapline.core import Seat, View, Viewer
    from trapline.referee import Match
    from trapline.server.messages import State, Surroundings

VIEWERS: tuple[Viewer, ...] = (1, 2, None)
NEVER = -1
"""The mark of a version whose events are not those that stand now: whoever saw it is told all."""
encode = msgspec.json.Encoder().encode


class Viewing:
    def __init__(self, match: Match) -> None:
        self._match = match
        self._seen: dict[Viewer, tuple[View, Surroundings]] = {}
        self._states: dict[Viewer, dict[bool, State]] = {}
        self._frames: dict[Viewer, dict[bool, tuple[int, bytes]]] = {}
        self._decisions: dict[Viewer, tuple[object, ...]] = {}
        self._told: dict[Viewer, list[tuple[str, ...]]] = {viewer: [] for viewer in VIEWERS}
        self._marks: dict[Viewer, list[int]] = {viewer: [0] for viewer in VIEWERS}
        self._asked_at: dict[Viewer, int] = {}

    def asked_at(self, seat: Seat) -> int:
        """The version at which a seat was first shown what it decides on now."""
        return self._asked_at[seat]

    def answered(self, seat: Seat) -> None:
        """Whatever a seat decides from here on, it decides on what it is shown now."""
        self._asked_at[seat] = self.version(seat)

    def rename(self) -> None:
        """Somebody has got another name, so everything is told anew."""
        for told in self._told.values():
            told.clear()

    def version(self, viewer: Viewer) -> int:
        return len(self._marks[viewer]) - 1

    def marks(self, viewer: Viewer) -> list[int]:
        """How many events a viewer had heard at each version."""
        return self._marks[viewer]

    def view(self, viewer: Viewer) -> View:
        return self._seen[viewer][0]

    def state(
        self, viewer: Viewer, since: int = 0, answers: tuple[str, ...] = (), *, plain: bool = False
    ) -> State:
        """What a viewer is shown, with the events that were heard after version `since`."""
        return showing.cut(self._shown(viewer, plain), self._marks[viewer], since, answers)

    def frame(self, viewer: Viewer, since: int, *, plain: bool = False) -> bytes:
        """The same as it is sent: encoded once for all who are shown the same."""
        known = self._frames[viewer].get(plain)
        if known is None or known[0] != since:
            frame = encode(self.state(viewer, since, plain=plain))
            known = self._frames[viewer][plain] = since, frame
        return known[1]

    def _shown(self, viewer: Viewer, plain: bool) -> State:
        """The state of a viewer who has seen nothing yet."""
        states = self._states[viewer]
        if plain not in states:
            view, around = self._seen[viewer]
            version, game = self.version(viewer), self._match.game
            if plain and view.asks != SECRET:
                state = showing.whole(self._match.id, version, view, around)
            else:
                words = game.words(game, view, showing.names(self._match))
                around = showing.asking_for_secret(around, words)
                state = showing.whole(self._match.id, version, view, around)
                if not plain:
                    showing.tell(words, self._told[viewer])
                    state = showing.with_words(state, words, self._told[viewer])
            states[plain] = state
        return states[plain]

    def look(self, around: dict[Viewer, Surroundings]) -> None:
        """Show everybody what has changed for them."""
        for viewer in VIEWERS:
            view, mine, before = self._match.view(viewer), around[viewer], self._seen.get(viewer)
            same = before is not None and view == before[0]
            if same and before is not None and (mine is before[1] or mine == before[1]):
                continue
            self._seen[viewer] = view, mine
            if before is not None and view.turn < before[0].turn:  # one was taken back
                self._marks[viewer] = [NEVER] * len(self._marks[viewer])
                self._told[viewer].clear()
            self._states[viewer], self._frames[viewer] = {}, {}
            self._marks[viewer].append(len(view.events))
            decision = _decision(view, mine)
            if decision != self._decisions.get(viewer):
                self._decisions[viewer] = decision
                self._asked_at[viewer] = self.version(viewer)


def _decision(view: View, around: Surroundings) -> tuple[object, ...]:
    """What a player decides on. While it stays, a command does not become stale.

    So a friend who joins or hides their traps does not undo what one is about to say.
    """
    asked = around.takeback.asked_by if around.takeback else None
    return view.question, view.turn, view.draw_offer, view.may_claim, view.outcome, asked
