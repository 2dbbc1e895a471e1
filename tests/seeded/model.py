"""What must hold in every world, checked at every step against what is kept."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from tests.seeded.truth import Falsehood, Sent, Truth
from trapline.core import TraplineError

if TYPE_CHECKING:
    from tests.seeded.line import Line
    from tests.seeded.loop import ProcessLoop
    from tests.seeded.network import Link
    from tests.seeded.world import World

Rows = list[tuple[str, int, bytes]]
MOST_UNREAD = 40_000
"""Bytes that may wait for one slow reader: the state that was on its way, and one that is large."""
LIE = "it was committed to something else"
AGAIN = ("unavailable", "too fast")
COMPUTER = "The computer could not answer"
skim = msgspec.json.Decoder(Sent).decode


@lru_cache(maxsize=64)
def decode(text: bytes) -> dict[str, Any]:
    """Nobody changes what was decoded, and who is there is said again and again."""
    message: dict[str, Any] = msgspec.json.decode(text)
    return message


class Trace:
    """Everything that has left the server, and when: two runs of a seed must agree on it."""

    def __init__(self) -> None:
        self._sent: list[tuple[float, str, bytes]] = []
        self.add = self._sent.append

    @property
    def digest(self) -> str:
        """Of all of it; most worlds are never asked."""
        digest = hashlib.blake2b(digest_size=16)
        for now, to, text in self._sent:
            digest.update(f"{now!r} {to} ".encode() + text)
        return digest.hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trace) and self._sent == other._sent

    def __hash__(self) -> int:
        return len(self._sent)

    def __repr__(self) -> str:
        return self.digest


class Model:
    def __init__(self, world: World) -> None:
        self.world = world
        self.truths: dict[str, Truth] = {}
        self.decided: dict[str, int] = {}
        """For each command by its key, the version that its player had seen."""
        self.frames = 0
        self.trace = Trace()

    def note(self, to: str, text: bytes) -> None:
        """Something leaves the server."""
        now = self.world.scheduler.now
        self.trace.add((now, to, text))
        if self.world.on_frame is not None:
            self.world.on_frame(now, to, text)

    # --- what is kept -------------------------------------------------------------------

    def kept(self, rows: Rows) -> None:
        """Entries that are on disk now and were not before."""
        try:
            for match, version, entry in rows:
                if match not in self.truths:
                    self.truths[match] = Truth(match, self.decided, self.world.scheduler)
                self.truths[match].add(version, entry)
        except (Falsehood, TraplineError) as error:
            self.world.broken(f"kept what cannot be: {error}")

    def survived(self, rows: Rows) -> None:
        """All that is on disk after something has crashed."""
        there: dict[str, list[bytes]] = {}
        for match, _, entry in rows:
            there.setdefault(match, []).append(entry)
        for match, truth in list(self.truths.items()):
            entries = there.get(match, [])
            if truth.entries[: truth.acknowledged] != entries[: truth.acknowledged]:
                self.world.broken(f"{match}: lost what had been acknowledged")
            if truth.entries != entries[: len(truth.entries)]:  # it was written, and no one heard
                del self.truths[match]
        self.kept(
            [
                (match, version, entry)
                for match, log in there.items()
                for version, entry in enumerate(log, 1)
                if match not in self.truths or version > len(self.truths[match].entries)
            ]
        )

    # --- what is said -------------------------------------------------------------------

    def said(self, link: Link, text: bytes) -> dict[str, Any]:
        """A process says something to a client, who decodes this."""
        client, sent = link.client, skim(text)
        self.frames += 1
        self.note(f"{client.match} {client.seat}", text)
        truth = self.truths.get(sent.match)
        try:
            expected = truth and truth.read(client.seat or None, sent)  # type: ignore[arg-type] # 1, 2, or 0 to watch
            if truth and expected:
                self._check_order(link, expected)
                self._check_answers(truth, client.seat, sent.answers)
                return expected
            message = decode(text)
            if message["type"] == "state":
                self._check_order(link, message)
            elif message["type"] == "refused" and message["state"] is not None:
                self._check_order(link, message["state"])
            self._check_message(client.seat, message)
        except Falsehood as error:
            self.world.broken(str(error))
        return decode(text)

    def _check_order(self, link: Link, state: dict[str, Any]) -> None:
        """What comes over a socket continues what came before it."""
        if state["version"] < link.shown:
            raise Falsehood(f"{state['match']}: version {state['version']} after {link.shown}")
        if state["since"] not in (0, link.shown):
            raise Falsehood(f"{state['match']}: events since {state['since']}, not {link.shown}")
        link.shown = state["version"]

    def _check_message(self, seat: int, message: dict[str, Any]) -> None:
        if message["type"] == "state":
            self._check_state(seat, message)
        elif message["type"] == "refused":
            self._check_refusal(seat, message)

    def _check_state(self, seat: int, state: dict[str, Any]) -> None:
        truth = self.truths.get(state["match"])
        if truth is None:
            raise Falsehood(f"{state['match']}: shown before it was opened")
        truth.check_state(seat or None, state)  # type: ignore[arg-type] # 1, 2, or 0 to watch
        self._check_answers(truth, seat, state["answers"])

    def _check_answers(self, truth: Truth, seat: int, keys: list[str]) -> None:
        for key in keys:
            if (seat, key) not in truth.carried_out:
                raise Falsehood(f"{truth.id}: {key} was acknowledged and not kept")
            truth.acknowledged = max(truth.acknowledged, truth.carried_out[seat, key][1])

    def _check_refusal(self, seat: int, refusal: dict[str, Any]) -> None:
        news = refusal["reason"] == "unreadable" or refusal["sentence"].startswith(COMPUTER)
        if refusal["key"] is None and not news:
            raise Falsehood(f"a refusal answers no command: {refusal['sentence']}")
        if LIE in refusal["sentence"] and not any(
            (seat, refusal["key"]) in truth.carried_out for truth in self.truths.values()
        ):
            raise Falsehood(f"{refusal['key']} was a lie, and is not kept as evidence")
        if refusal["state"] is not None:
            self._check_state(seat, refusal["state"])
            truth = self.truths[refusal["state"]["match"]]
            kept = truth.carried_out.get((seat, refusal["key"]))
            if kept is not None and not kept[0].refused and refusal["reason"] not in AGAIN:
                raise Falsehood(
                    f"{truth.id}: {refusal['key']} was kept and is refused as {refusal['reason']}"
                )
            if refusal["reason"] == "stale":
                truth.check_stale(seat, refusal["key"])  # type: ignore[arg-type] # who plays

    def answered(
        self, whose: tuple[str, int] | None, body: bytes, found: tuple[int, Any], text: bytes
    ) -> None:
        """A process answers a request."""
        status, answer = found
        self.note(f"{whose[0]} {whose[1]}" if whose else "request", text)
        if status >= 500 and status != 503:
            self.world.broken(f"an answer {status} to {body!r}: {answer}")
        if whose is not None:
            try:
                self._check_message(whose[1], answer)
            except Falsehood as error:
                self.world.broken(str(error))
        if status in (200, 201) and "seats" in answer:
            truth = self.truths.get(answer["match"])
            if truth is None:
                self.world.broken(f"{answer['match']}: acknowledged and not kept")
            elif 2 in answer["seats"] and not truth.full:
                self.world.broken(f"{truth.id}: let in, and it is not kept")
            else:
                truth.acknowledged = max(truth.acknowledged, 1)

    def reads(self, loop: ProcessLoop, match: str) -> None:
        """A process reads a whole match: one that is in its memory need not be read."""
        for process in self.world.processes:
            if process.loop is loop and process.hub is not None:
                live = process.hub.find(match)
                if live is not None and live.certain:
                    self.world.broken(f"{loop.name}: {match} is in memory, and is read again")

    def closed(self, link: Link, code: int, reason: str) -> None:
        self.note(f"{link.client.match} {link.client.seat}", f"{code} {reason}".encode())
        if not reason:
            self.world.broken(f"closed with {code} and without a word")

    def watch_unread(self, unread: int) -> None:
        if unread > MOST_UNREAD:
            self.world.broken(f"{unread} bytes wait for one slow reader")

    # --- what is heard ------------------------------------------------------------------

    def heard(self, line: Line) -> None:
        """What a client has put together is what the referee has told that seat."""
        truth = self.truths.get(line.match)
        if truth is None:
            self.world.broken(f"{line.match}: heard of, and not kept")
            return
        seen = truth.versions[line.seat or None]  # type: ignore[index] # 1, 2, or 0 to watch
        if line.version > len(seen):
            self.world.broken(f"{line.match}: a client is at a version that is not kept")
        elif line.events != seen[line.version - 1].as_sent()[1]:
            self.world.broken(f"{line.match}: what seat {line.seat} has heard is not the truth")

    def check_settled(self, line: Line) -> str:
        """What is still owed to a client when all faults are over; nothing if nothing is."""
        truth = self.truths.get(line.match)
        if truth is None:
            return f"{line.match}: the match is gone"
        who = f"{line.match}, seat {line.seat}"
        if line.lost_for_good:
            return f"{who}: sent away with {line.lost_for_good}"
        if line.unanswered:
            return f"{who}: {len(line.unanswered)} commands were never answered"
        newest = len(truth.versions[line.seat or None])  # type: ignore[index] # as above
        if line.version != newest:
            return f"{who}: has version {line.version} of {newest}"
        return ""
