"""One match as its kept entries make it: by the referee alone, without a room or a hub.

It counts versions anew: one for each viewer, which rises exactly when what they are shown changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import SEATS, IllegalMove
from trapline.games import make_game
from trapline.referee import Match
from trapline.server import log, messages
from trapline.server.showing import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.seeded.loop import Scheduler
    from trapline.core import Seat, View, Viewer

VIEWERS: tuple[Viewer, ...] = (1, 2, None)
SIMPLE: dict[type[Any], Callable[[Match, Seat], None]] = {
    messages.Resign: Match.resign,
    messages.OfferDraw: Match.offer_draw,
    messages.AcceptDraw: Match.accept_draw,
    messages.DeclineDraw: Match.decline_draw,
    messages.Claim: Match.claim,
    messages.WaiveClaim: Match.waive_claim,
}


class Falsehood(Exception):
    """Something that must not be."""


class Shown:
    """What a viewer is shown at one version of theirs."""

    def __init__(self, view: View, table: tuple[Any, ...], entries: int, kept_at: float) -> None:
        self.kept_at = kept_at
        self.view = view
        self.table = table
        self.entries = entries
        self._plain: tuple[dict[str, Any], list[Any]] | None = None

    def as_sent(self) -> tuple[dict[str, Any], list[Any]]:
        """The view without its events, and the events, as a client decodes them."""
        if self._plain is None:
            view = msgspec.json.decode(msgspec.json.encode(shown(self.view)))
            self._plain = view, view.pop("events")
        return self._plain


class Truth:
    def __init__(self, match_id: str, decided: dict[str, int], clock: Scheduler) -> None:
        """`decided`: for each command by its key, the version that its player had seen."""
        self.id = match_id
        self._decided = decided
        self._clock = clock
        self._asked_since: dict[Viewer, int] = {}
        self.entries: list[bytes] = []
        self.carried_out: dict[tuple[int, str], tuple[log.Act, int]] = {}
        """Commands by seat and key, each with how many entries there were with it."""
        self.versions: dict[Viewer, list[Shown]] = {viewer: [] for viewer in VIEWERS}
        self.acknowledged = 0
        """Entries that somebody outside has seen something of."""
        self.seated: tuple[str, str | None] = "", None

    def add(self, version: int, data: bytes) -> None:
        """Take in what has just been kept; Falsehood if it cannot follow what was."""
        if version != len(self.entries) + 1:
            raise Falsehood(f"{self.id}: version {version} after {len(self.entries)}")
        entry = log.decode(data)
        self.entries.append(data)
        if isinstance(entry, log.Open):
            self._open(entry)
        elif isinstance(entry, log.Join):
            if self.seated[1] is not None:
                raise Falsehood(f"{self.id}: a second player was let in to a seat that was taken")
            self.seated = (self.seated[0], entry.holder.name)
        elif isinstance(entry, log.Act):
            self._act(entry)
        else:
            raise Falsehood(f"{self.id}: nobody has played against a clock, and it holds {entry}")
        self._look()

    def _open(self, opening: log.Open) -> None:
        if len(self.entries) > 1:
            raise Falsehood(f"{self.id}: a match was opened twice")
        game = make_game(opening.game, opening.options)
        self.opening = opening
        self.match = Match(game, opening.first, match_id=self.id, chance=opening.chance or None)
        self.match.tossed = opening.tossed
        one, two = opening.holders
        self.seated = one.name if one else "", two.name if two else None
        self.wanted: set[Seat] = set()

    def _act(self, entry: log.Act) -> None:
        if (entry.seat, entry.key) in self.carried_out:
            raise Falsehood(f"{self.id}: the command {entry.key} was carried out twice")
        self.carried_out[entry.seat, entry.key] = entry, len(self.entries)
        if self._decided.get(entry.key, len(self.entries)) < self._asked_since[entry.seat]:
            raise Falsehood(f"{self.id}: {entry.key} was decided about something else")
        try:
            self._carry_out(entry)
        except IllegalMove:
            if not entry.refused:
                raise
        else:
            if entry.refused:
                raise Falsehood(f"{self.id}: a legal move was kept as a refused one")
            if isinstance(entry.command, messages.Play):
                self._look()
                self._asked_since[entry.seat] = len(self.versions[entry.seat])

    def _carry_out(self, entry: log.Act) -> None:
        seat, command, match = entry.seat, entry.command, self.match
        if isinstance(command, messages.Play):
            match.play(seat, *match.read(seat, command.turn), salt=entry.salt)
        elif isinstance(command, messages.Rematch):
            self._want_rematch(seat)
        else:
            SIMPLE[type(command)](match, seat)

    def _want_rematch(self, seat: Seat) -> None:
        if self.match.outcome is None:
            raise Falsehood(f"{self.id}: a rematch before the end")
        one, two = self.opening.holders
        shared = bool(one and two and (two.bot or two.key == one.key))
        self.wanted |= set(SEATS) if shared else {seat}

    def _look(self) -> None:
        """Count what has changed for whom."""
        over = self.match.outcome is not None
        public = (
            self.seated,
            dict(self.match.commitments),
            (1 in self.wanted, 2 in self.wanted),
            len(self.wanted) == 2,
        )
        for viewer in VIEWERS:
            view, seen = self.match.view(viewer), self.versions[viewer]
            link = viewer == 1 and self.seated[1] is None and not over
            table = (*public, link)
            if not seen or seen[-1].view != view or seen[-1].table != table:
                if not seen or _decision(seen[-1].view) != _decision(view):
                    self._asked_since[viewer] = len(seen) + 1
                seen.append(Shown(view, table, len(self.entries), self._clock.now))

    @property
    def newest(self) -> dict[Viewer, int]:
        return {viewer: len(seen) for viewer, seen in self.versions.items()}

    def check_state(self, viewer: Viewer, state: dict[str, Any]) -> None:
        """Falsehood unless this is what the viewer is to be shown at this version."""
        seen, version = self.versions[viewer], state["version"]
        who = f"{self.id}, viewer {viewer}, version {version}"
        if version > len(seen):
            raise Falsehood(f"{who}: shown before it was kept")
        truth = seen[version - 1]
        self.acknowledged = max(self.acknowledged, truth.entries)
        view, events = truth.as_sent()
        for name in {**view, **state["view"]}:
            found, wanted = state["view"].get(name), view.get(name)
            if found != wanted and name != "events":
                raise Falsehood(f"{who}: {name} is {found}, not {wanted}")
        since = state["since"]
        if not 0 <= since <= version:
            raise Falsehood(f"{who}: the events since {since}")
        known = len(seen[since - 1].as_sent()[1]) if since else 0
        if state["view"]["events"] != events[known:]:
            raise Falsehood(f"{who}: other events than the referee's")
        self._check_table(who, truth, state["table"])

    def _check_table(self, who: str, truth: Shown, table: dict[str, Any]) -> None:
        players, commitments, wanted, following, link = truth.table
        shown_players = tuple(sitter and sitter["name"] for sitter in table["players"])
        found = (
            shown_players,
            table["commitments"],
            tuple(table["rematch"]),
            table["next"] is not None,
            table["link"] is not None,
        )
        if found != (players, commitments, wanted, following, link):
            raise Falsehood(f"{who}: around the match stands {found}, not {truth.table}")


def _decision(view: View) -> tuple[object, ...]:
    return view.question, view.turn, view.draw_offer, view.may_claim, view.outcome
