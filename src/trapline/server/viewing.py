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
        self._states: dict[Viewer, dict[bool, State]] = {viewer: {} for viewer in VIEWERS}
        self._frames: dict[Viewer, dict[bool, tuple[int, bytes]]] = {v: {} for v in VIEWERS}
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
        frames = self._frames[viewer]
        known = frames.get(plain)
        if known is None or known[0] != since:
            state = showing.cut(self._shown(viewer, plain), self._marks[viewer], since, ())
            known = frames[plain] = since, encode(state)
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
            if before is not None and view.turn == before[0].turn:
                if (mine is before[1] or mine == before[1]) and view == before[0]:
                    continue
            elif before is not None and view.turn < before[0].turn:  # one was taken back
                self._marks[viewer] = [NEVER] * len(self._marks[viewer])
                self._told[viewer].clear()
            self._seen[viewer] = view, mine
            self._states[viewer].clear()
            self._frames[viewer].clear()
            self._marks[viewer].append(len(view.events))
            if viewer is not None:
                self._note_decision(viewer, view, mine)

    def _note_decision(self, seat: Seat, view: View, around: Surroundings) -> None:
        decision = _decision(view, around)
        if decision != self._decisions.get(seat):
            self._decisions[seat] = decision
            self._asked_at[seat] = self.version(seat)


def _decision(view: View, around: Surroundings) -> tuple[object, ...]:
    """What a player decides on. While it stays, a command does not become stale.

    So a friend who joins or hides their traps does not undo what one is about to say.
    """
    asked = around.takeback.asked_by if around.takeback else None
    return view.turn, view.question, view.draw_offer, view.may_claim, view.outcome, asked
