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
        """What each is shown, without events: those only ever grow, and are counted."""
        self._views: dict[Viewer, View] = {}
        self._states: dict[Viewer, dict[bool, State]] = {viewer: {} for viewer in VIEWERS}
        self._frames: dict[Viewer, dict[bool, tuple[int, bytes]]] = {v: {} for v in VIEWERS}
        self._tables: dict[Viewer, tuple[Surroundings, msgspec.Raw]] = {}
        self._decisions: dict[Viewer, tuple[object, ...]] = {}
        self._told: dict[Viewer, list[tuple[str, ...]]] = {viewer: [] for viewer in VIEWERS}
        self._marks: dict[Viewer, list[int]] = {viewer: [0] for viewer in VIEWERS}
        self._asked_at: dict[Viewer, int] = {}

    def asked_at(self, seat: Seat) -> int:
        """The version at which a seat was first shown what it decides on now."""
        return self._asked_at[seat]

    def asks(self, seat: Seat) -> str | None:
        """What a seat is asked for now, in a word."""
        return self._seen[seat][0].asks

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
        if viewer not in self._views:
            self._views[viewer] = self._match.view(viewer)
        return self._views[viewer]

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
            known = frames[plain] = since, self._encoded(viewer, since, plain)
        return known[1]

    def _encoded(self, viewer: Viewer, since: int, plain: bool) -> bytes:
        view, around = self._seen[viewer]
        if not plain or view.asks == SECRET:
            return encode(self.state(viewer, since, plain=plain))
        heard = showing.heard_by(self._marks[viewer], since)
        events = self._match.events(viewer, heard or 0)
        table = self._tables.get(viewer)
        if table is None or table[0] is not around:
            table = self._tables[viewer] = around, msgspec.Raw(encode(around))
        begin = since if heard is not None else 0
        version = self.version(viewer)
        return encode(showing.slim(self._match.id, version, begin, view, events, table[1]))

    def _shown(self, viewer: Viewer, plain: bool) -> State:
        """The state of a viewer who has seen nothing yet."""
        states = self._states[viewer]
        if plain not in states:
            view, around = self.view(viewer), self._seen[viewer][1]
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
        match = self._match
        for viewer in VIEWERS:
            mine, before, marks = around[viewer], self._seen.get(viewer), self._marks[viewer]
            heard = match.heard(viewer)
            view = match.view(viewer, heard)
            if before is not None and view.turn == before[0].turn:
                same = heard == marks[-1] and view == before[0]
                if same and (mine is before[1] or mine == before[1]):
                    continue
            elif before is not None and view.turn < before[0].turn:  # one was taken back
                self._marks[viewer] = marks = [NEVER] * len(marks)
                self._told[viewer].clear()
            self._seen[viewer] = view, mine
            self._views.pop(viewer, None)
            self._states[viewer].clear()
            self._frames[viewer].clear()
            marks.append(heard)
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
