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
    from trapline.referee.stand import Stand
    from trapline.server.messages import State, Surroundings

VIEWERS: tuple[Viewer, ...] = (1, 2, None)
NEVER = -1
"""The mark of a version whose events are not those that stand now: whoever saw it is told all."""
encode = msgspec.json.Encoder().encode


class Viewing:
    def __init__(self, match: Match) -> None:
        self._match = match
        self._stand: Stand = match.stand()
        self._around: dict[Viewer, Surroundings] = {}
        self._views: dict[Viewer, View] = {}
        """What each is shown, without events: those only ever grow, and are counted."""
        self._states: dict[Viewer, dict[bool, State]] = {viewer: {} for viewer in VIEWERS}
        self._frames: dict[Viewer, dict[bool, tuple[int, bytes]]] = {v: {} for v in VIEWERS}
        self._tables: dict[Viewer, tuple[Surroundings, msgspec.Raw]] = {}
        self._told: dict[Viewer, list[tuple[str, ...]]] = {viewer: [] for viewer in VIEWERS}
        self._marks: dict[Viewer, list[int]] = {viewer: [0] for viewer in VIEWERS}
        self._asked_at: dict[Viewer, int] = {}

    def asked_at(self, seat: Seat) -> int:
        """The version at which a seat was first shown what it decides on now."""
        return self._asked_at[seat]

    def asks(self, seat: Seat) -> str | None:
        """What a seat is asked for now, in a word."""
        question = self._stand.questions[seat - 1]
        return None if question is None else question.asks

    def answered(self, seat: Seat) -> None:
        """Whatever a seat decides from here on, it decides on what it is shown now."""
        self._asked_at[seat] = len(self._marks[seat]) - 1

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
        return self._match.seen(self._stand, viewer, 0, self._marks[viewer][-1])

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
        if not plain or (viewer is not None and self.asks(viewer) == SECRET):
            return encode(self.state(viewer, since, plain=plain))
        marks, around = self._marks[viewer], self._around[viewer]
        heard = showing.heard_by(marks, since)
        view = self._match.seen(self._stand, viewer, heard or 0, marks[-1])
        table = self._tables.get(viewer)
        if table is None or table[0] is not around:
            table = self._tables[viewer] = around, msgspec.Raw(encode(around))
        begin = since if heard is not None else 0
        return encode(showing.slim(self._match.id, len(marks) - 1, begin, view, table[1]))

    def _shown(self, viewer: Viewer, plain: bool) -> State:
        """The state of a viewer who has seen nothing yet."""
        states = self._states[viewer]
        if plain not in states:
            view, around = self.view(viewer), self._around[viewer]
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
        """Show everybody what has changed for them.

        Who moves on to another turn is shown something else in any case, so nothing is compared
        then, and what nobody looks at is never made.
        """
        stand, before, known = self._match.stand(), self._stand, self._around
        views, alike = self._views, stand.turn == before.turn and bool(known)
        self._stand, self._around, self._views = stand, around, {}
        for viewer, marks in self._marks.items():
            heard = self._match.heard(viewer)
            if alike:
                then = views.get(viewer) or self._bare(before, viewer)
                self._views[viewer] = self._bare(stand, viewer)
                same = heard == marks[-1] and self._views[viewer] == then
                if same and around[viewer] == known[viewer]:
                    continue
            elif stand.turn < before.turn:  # one was taken back
                marks[:] = [NEVER] * len(marks)
                self._told[viewer].clear()
            marks.append(heard)
            self._states[viewer].clear()
            self._frames[viewer].clear()
            decided = alike and _decision(before, known[viewer], viewer)
            if not alike or decided != _decision(stand, around[viewer], viewer):
                self._asked_at[viewer] = len(marks) - 1

    def _bare(self, stand: Stand, viewer: Viewer) -> View:
        """What a viewer is shown of a stand, without events."""
        return self._match.seen(stand, viewer, 0, 0)


def _decision(stand: Stand, around: Surroundings, viewer: Viewer) -> tuple[object, ...]:
    """What a player decides on. While it stays, a command does not become stale.

    So a friend who joins or hides their traps does not undo what one is about to say.
    """
    asked = around.takeback.asked_by if around.takeback else None
    question = stand.questions[viewer - 1] if viewer else None
    return stand.turn, question, stand.draw_offer, stand.may_claim, stand.outcome, asked
