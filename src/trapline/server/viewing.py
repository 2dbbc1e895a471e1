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


class Eye:
    """What one viewer has been shown, and what was made of it for whoever asks again."""

    __slots__ = ("asked_at", "frames", "marks", "states", "table", "told")

    def __init__(self) -> None:
        self.marks = [0]
        """How many events were heard at each version."""
        self.asked_at = 0
        """The version at which the viewer was first shown what there is to decide on now."""
        self.told: list[tuple[str, ...]] = []
        self.states: dict[bool, State] = {}
        self.frames: dict[bool, tuple[int, bytes]] = {}
        self.table: tuple[Surroundings | None, msgspec.Raw] = None, msgspec.Raw()

    def show(self, heard: int) -> int:
        """Something else is shown, after so many events; the version of it."""
        version = len(self.marks)
        self.marks.append(heard)
        self.states, self.frames = {}, {}
        return version


class Viewing:
    def __init__(self, match: Match, stand: Stand) -> None:
        self._match = match
        self._stand = stand
        self._around: dict[Viewer, Surroundings] = {}
        self._views: dict[Viewer, View] = {}
        """What each is shown, without events: those only ever grow, and are counted."""
        self._eyes = {viewer: Eye() for viewer in VIEWERS}

    def asked_at(self, seat: Seat) -> int:
        """The version at which a seat was first shown what it decides on now."""
        return self._eyes[seat].asked_at

    def asks(self, seat: Seat) -> str | None:
        """What a seat is asked for now, in a word."""
        question = self._stand.questions[seat - 1]
        return None if question is None else question.asks

    def answered(self, seat: Seat) -> None:
        """Whatever a seat decides from here on, it decides on what it is shown now."""
        eye = self._eyes[seat]
        eye.asked_at = len(eye.marks) - 1

    def rename(self) -> None:
        """Somebody has got another name, so everything is told anew."""
        for eye in self._eyes.values():
            eye.told.clear()

    def version(self, viewer: Viewer) -> int:
        return len(self._eyes[viewer].marks) - 1

    def marks(self, viewer: Viewer) -> list[int]:
        """How many events a viewer had heard at each version."""
        return self._eyes[viewer].marks

    def view(self, viewer: Viewer) -> View:
        return self._match.seen(self._stand, viewer, 0, self._eyes[viewer].marks[-1])

    def state(
        self, viewer: Viewer, since: int = 0, answers: tuple[str, ...] = (), *, plain: bool = False
    ) -> State:
        """What a viewer is shown, with the events that were heard after version `since`."""
        return showing.cut(self._shown(viewer, plain), self._eyes[viewer].marks, since, answers)

    def frame(self, viewer: Viewer, since: int, *, plain: bool = False) -> bytes:
        """The same as it is sent: encoded once for all who are shown the same."""
        frames = self._eyes[viewer].frames
        known = frames.get(plain)
        if known is None or known[0] != since:
            known = frames[plain] = since, self._encoded(viewer, since, plain)
        return known[1]

    def _encoded(self, viewer: Viewer, since: int, plain: bool) -> bytes:
        stand = self._stand
        asked = None if viewer is None else stand.questions[viewer - 1]
        if not plain or (asked is not None and asked.asks == SECRET):
            return encode(self.state(viewer, since, plain=plain))
        eye, around, match = self._eyes[viewer], self._around[viewer], self._match
        marks, table = eye.marks, eye.table
        heard = showing.heard_by(marks, since)
        if heard is None:  # what was heard then is not what is to be told now
            heard = since = 0
        if table[0] is not around:
            table = eye.table = around, msgspec.Raw(encode(around))
        view = match.seen(stand, viewer, heard, marks[-1])
        return encode(showing.slim(match.id, len(marks) - 1, since, view, table[1]))

    def _shown(self, viewer: Viewer, plain: bool) -> State:
        """The state of a viewer who has seen nothing yet."""
        eye = self._eyes[viewer]
        if plain not in eye.states:
            view, around = self.view(viewer), self._around[viewer]
            version, game = self.version(viewer), self._match.game
            if plain and view.asks != SECRET:
                state = showing.whole(self._match.id, version, view, around)
            else:
                words = game.words(game, view, showing.names(self._match))
                around = showing.asking_for_secret(around, words)
                state = showing.whole(self._match.id, version, view, around)
                if not plain:
                    showing.tell(words, eye.told)
                    state = showing.with_words(state, words, eye.told)
            eye.states[plain] = state
        return eye.states[plain]

    def look(self, stand: Stand, around: dict[Viewer, Surroundings]) -> None:
        """Show everybody what has changed for them, now that the match stands so.

        Who moves on to another turn is shown something else in any case, so nothing is compared
        then, and what nobody looks at is never made.
        """
        before, known = self._stand, self._around
        if stand.turn == before.turn and known:
            self._compare(stand, around)
            return
        self._stand, self._around, self._views = stand, around, {}
        for eye, heard in zip(self._eyes.values(), self._match.heard_by_each(), strict=True):
            if stand.turn < before.turn:  # one was taken back
                eye.marks[:] = [NEVER] * len(eye.marks)
                eye.told.clear()
            eye.asked_at = eye.show(heard)

    def _compare(self, stand: Stand, around: dict[Viewer, Surroundings]) -> None:
        """Show something new to those only for whom this stand of the same turn is another."""
        before, known, views = self._stand, self._around, self._views
        self._stand, self._around, self._views = stand, around, {}
        heard_by_each = self._match.heard_by_each()
        for (viewer, eye), heard in zip(self._eyes.items(), heard_by_each, strict=True):
            same = heard == eye.marks[-1] and around[viewer] == known[viewer]
            if same:
                then = views.get(viewer) or self._bare(before, viewer)
                self._views[viewer] = self._bare(stand, viewer)
            if same and self._views[viewer] == then:
                continue
            version = eye.show(heard)
            decided = _decision(before, known[viewer], viewer)
            if decided != _decision(stand, around[viewer], viewer):
                eye.asked_at = version

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
