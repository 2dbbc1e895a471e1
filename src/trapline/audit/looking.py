"""The whole audit of one target, in this process and within a number of seconds."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from trapline.audit import solving, twins
from trapline.audit.belongings import Chosen, Dealt, Seating
from trapline.audit.certifying import certificate
from trapline.audit.exploring import Graph, loop
from trapline.audit.faults import (
    Eve,
    Fault,
    Faulty,
    Hung,
    in_words,
    is_refusal,
    position_faults,
    step_faults,
    taken,
)
from trapline.audit.handed_over import handed_over
from trapline.audit.replaying import Play, again_faults, begun, plain, play_faults, shortest
from trapline.audit.report import CHECKS, Certificate, Figures, Finding, Report
from trapline.audit.secrets import secrets
from trapline.audit.seeing import all_is_seen
from trapline.audit.sums import ENOUGH, Sums
from trapline.core import TraplineError
from trapline.testing.check import RecallLost
from trapline.testing.search import search
from trapline.worlds import Stuck

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.worlds import Subject

MOST_STATES = 60_000
PLAYS = 400
TAKEN_AGAIN = 6
"""So many plays are also taken again, to see whether the same comes of the same."""
LONGEST_AGAIN = 40
CUT = 100
"""Moves of a play where it is known that there are plays without an end."""
POSITIONS = 4_000
"""So many positions are compared with their twins at first, and as many in samples."""
DEALS = 240
SHARES = {"graph": 0.4, "again": 0.5, "plays": 0.65, "chosen": 0.8, "twins": 0.9, "shrinking": 1.0}
"""Up to which part of the time each step may go on."""


BUSY = 3
"""So many times the seconds that were asked for may pass while others have the processor."""


def waited() -> float:
    """Seconds in which this process could have computed, but others had the processor."""
    try:
        return int(Path("/proc/self/schedstat").read_bytes().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0  # a platform that does not count them


class Late(Exception):
    """There is no time left for this."""


class Look:
    def __init__(
        self,
        target: str,
        subject: Subject,
        seconds: float,
        *,
        part: int = 0,
        options: dict[str, Any] | None = None,
        told: Callable[[str, float, Finding | None], None] = lambda *_: None,
        noted: Callable[[Play], None] = lambda _: None,
    ) -> None:
        """`told` hears of progress and findings, `noted` of every play before it is tried."""
        self.target, self.subject, self.seconds = target, subject, seconds
        self.options = options or {}
        self.rng = Random(part)
        self.begun, self._waited = time.monotonic(), waited()
        self.told, self._noted = told, noted
        self.last = Play(0)
        """The play that is being tried."""
        self.findings: dict[str, Finding] = {}
        self.graph = Graph(subject, self.found)
        self.graph.noted = self.noted
        self.plays = 0
        self.pairs = 0
        self.value: float | None = None
        self.certificate: Certificate | None = None
        self._sums = Sums()

    def run(self) -> Report:
        """Look for as long as was said, from now on: loading the target is not looking at it."""
        self.begun, self._waited = time.monotonic(), waited()
        steps: dict[str, Callable[[Callable[[], bool]], None]] = {
            "graph": self._explore,
            "again": self._again,
            "plays": self._play,
            "twins": self._compare,
        }
        for name, step in steps.items():
            self.told(name, self.spent, None)
            try:
                step(self._until(SHARES[name]))
            except Hung as hung:
                self.found_somewhere(hung.fault)
                break  # whatever else there is would take as long
            except Faulty as faulty:
                # Where a play led to it, it is known already, and with that play.
                if faulty.fault.check not in self.findings:
                    self._shrunk(faulty.fault, self.last)
            except (Late, Stuck):
                pass
            except TraplineError:
                raise
            except (Exception, SystemExit) as error:  # noqa: BLE001 - it came out of somebody's code
                # What is raised on purpose is most often a move that is refused elsewhere, too.
                check = "refused" if is_refusal(error) else "crash"
                self.found_somewhere(Fault(check, f"It fails: {in_words(error)}."))
        self._judge()
        return self.report()

    def noted(self, play: Play) -> None:
        self.last = play
        self._noted(play)

    @property
    def spent(self) -> float:
        """What part of the time is over; on a busy machine it may take up to four times as long."""
        elsewhere = min(waited() - self._waited, BUSY * self.seconds)
        return min(1.0, (time.monotonic() - self.begun - elsewhere) / self.seconds)

    def _until(self, share: float) -> Callable[[], bool]:
        return lambda: self.spent >= share

    def report(self) -> Report:
        ordered = sorted(self.findings.values(), key=lambda found: CHECKS.index(found.check))
        figures = Figures(
            states=len(self.graph.places),
            plays=self.plays,
            seconds=round(time.monotonic() - self.begun, 2),
            pairs=self.pairs,
            value=self.value,
        )
        complete = self.graph.complete
        return Report(self.target, tuple(ordered), complete, figures, self.certificate)

    # --- what is found ------------------------------------------------------------------

    def keep(self, finding: Finding) -> None:
        """Something that somebody else has found."""
        self.findings.setdefault(finding.check, finding)
        self.told("found", self.spent, finding)

    def found(self, fault: Fault, play: Play, beside: Play | None = None) -> None:
        known = self.findings.get(fault.check)
        if known is not None and len(known.play) <= len(play.actions):
            return
        finding = Finding(
            fault.check,
            fault.sentence,
            tuple(plain(action) for action in play.actions),
            self._line(fault.check, play, beside),
        )
        self.findings[fault.check] = finding
        self.told("found", self.spent, finding)

    def _line(self, check: str, play: Play, beside: Play | None) -> str:
        actions = [plain(action) for action in play.actions]
        more = f", seed={play.start}" if play.start else ""
        if self.options:
            more += f", options={self.options!r}"
        if beside is not None:
            other = [plain(action) for action in beside.actions]
            more += f", beside=({beside.start}, {other!r})"
        called = f"reproduce({self.target!r}, {check!r}, {actions!r}{more})"
        return f"from trapline.audit import reproduce; {called}"

    def found_somewhere(self, fault: Fault) -> None:
        """A fault in a play that nobody has noted: good enough if it is found nowhere else."""
        if fault.check not in self.findings:
            self.found(fault, self.last)

    def _shrunk(self, fault: Fault, play: Play) -> None:
        """Keep the shortest play that shows the same."""
        if fault.check in self.findings and len(self.findings[fault.check].play) <= 1:
            return
        sentence = {play: fault.sentence}

        def shows(fewer: Play) -> bool:
            self.noted(fewer)
            whole = fault.check in ("chance", "shared state", "reset")
            for each in play_faults(self.subject, fewer, whole=whole):
                if each.check == fault.check:
                    sentence[fewer] = each.sentence
                    return True
            return False

        if fault.check != "endless":
            play = shortest(play, shows, self._until(SHARES["shrinking"]))
        self.found(Fault(fault.check, sentence[play]), play)

    # --- the steps ----------------------------------------------------------------------

    def _again(self, late: Callable[[], bool]) -> None:
        """A few plays, and each of them again: does the same come of the same?"""
        telling = iter(self.graph.telling)
        for number in range(TAKEN_AGAIN + len(self.graph.telling)):
            if late() and number:
                return
            play = next(telling, None) or self._one_play(LONGEST_AGAIN)
            self.noted(play)
            try:
                for fault in again_faults(self.subject, play):
                    self._shrunk(fault, play)
            except Hung:
                raise
            except Faulty as faulty:  # on the way of another play, which is tried elsewhere
                self.found_somewhere(faulty.fault)

    def _explore(self, late: Callable[[], bool]) -> None:
        self.graph.explore(late, MOST_STATES)
        around = loop(self.graph) if self.subject.longest else None
        if around is not None:
            said = "Play comes back to a position it has been in, and can go on for ever."
            self.found(Fault("endless", said), around)

    def _play(self, late: Callable[[], bool]) -> None:
        """Plays to the end; where everything was seen, a few are enough."""
        for _ in range(ENOUGH if self.graph.complete else PLAYS):
            if late():
                break
            # Once it is known that play can go on for ever, another such play would say the same.
            known = "endless" in self.findings
            self._one_play(min(self.subject.longest, CUT) if known else self.subject.longest + 1)
        for number, place in enumerate(self.graph.places):
            if place.result is not None:
                self._sums.add(place.result, self.graph.play(number))
        if self.subject.total is None and self._sums.to_nothing:
            self.subject.total = 0.0  # type: ignore[misc]  # nobody has said so, but it shows
            for play in self._sums.plays:
                for fault in play_faults(self.subject, play, whole=False):
                    self._shrunk(fault, play)

    def _one_play(self, most: int) -> Play:
        """Random moves to the end, or the first `most` of them."""
        start = self.rng.randrange(1 << 20) if self.subject.seeded else 0
        if not self.subject.seeded:
            start = self.rng.randrange(sum(1 for _ in self.subject.starts()))
        self.noted(Play(start))
        world = begun(self.subject, start)
        actions: list[Any] = []
        while not world.over and len(actions) < (most or PLAYS):
            actor_sees = position_faults(self.subject, world, tries=False)
            if self._wrong(actor_sees, Play(start, tuple(actions))) or self.spent >= 1:
                break
            eve, action = Eve.of(world), world.draw(self.rng)
            actions.append(action)
            play = Play(start, tuple(actions))
            self.noted(play)
            try:
                world = taken(world, action, use_up=True)
            except Hung:
                raise
            except Faulty as faulty:
                self._shrunk(faulty.fault, play)
                return play._replace(actions=tuple(actions[:-1]))
            self._wrong(step_faults(self.subject, eve, action, world), play)
        self._ended(world, Play(start, tuple(actions)))
        return Play(start, tuple(actions))

    def _wrong(self, faults: Any, play: Play) -> bool:
        stuck = False
        for fault in faults:
            stuck |= fault.check == "deadlock"
            if fault.check not in self.findings:
                self._shrunk(fault, play)
        return stuck

    def _ended(self, world: Any, play: Play) -> None:
        self.plays += 1
        longest = self.subject.longest
        if not world.over:
            if longest and len(play.actions) > longest:
                self.found(Fault("endless", f"Play had not ended after {longest} moves."), play)
            return
        self._wrong(position_faults(self.subject, world), play)
        self._sums.add(world.rewards(), play)

    def _compare(self, late: Callable[[], bool]) -> None:
        """Twin worlds: for whoever acts on what they are told, and for what is called secret."""
        if self.subject.knows is not None or self.subject.hides is False:
            return
        first = begun(self.subject, 0)
        viewers = first.viewers
        self._hand_over(first)
        seating = Seating(first) if self.subject.seeded else None
        if seating is not None:
            self._deal(Dealt(seating), late)
            if seating.known and "leak" not in self.findings and self._anybodys():
                self._twin(Chosen(seating), "leak", self._until(SHARES["chosen"]))
        known = seating if seating is not None and seating.known else None
        channels = list(first.information(viewers[0])) if first.visible else self._channels()
        for channel in channels:
            self._twin(twins.Twins(self.subject, channel, known), "leak", late)
            if self.subject.recalls and self.subject.hides:
                self._twin(twins.recall_of(channel), "recall", late)

    def _hand_over(self, world: Any) -> None:
        """Whether anybody is shown a whole state, in the first position in which they look."""
        actions: list[Any] = []
        while not world.visible and not world.over:
            actions.append(world.draw(self.rng))
            world = taken(world, actions[-1])
        for sentence in handed_over(world):
            self.found(Fault("leak", sentence), Play(world.seed, tuple(actions)))
            return

    def _anybodys(self) -> bool:
        """Whether the environment keeps anything for one of its players, in some play of it."""
        world: Any = begun(self.subject, 0)
        for _ in range(CUT):
            if any(secret.owner is not None for secret in secrets(world.inner())):
                return True
            if world.over or not world.actions():
                break
            world = taken(world, world.draw(self.rng), use_up=True)
        return False

    def _channels(self) -> list[str]:
        """What players act on, in a position in which they look."""
        world = begun(self.subject, 0)
        while not world.visible and not world.over:
            world = taken(world, world.draw(self.rng), use_up=True)
        return list(world.information(world.viewers[0]))

    def _twin(self, watch: Any, check: str, late: Callable[[], bool]) -> None:
        plainly = watch.look

        def look(node: Any) -> None:
            if late():
                raise Late
            self.noted(Play(node.root().world.seed, tuple(node.play())))
            plainly(node)

        watch.look = look
        try:
            complete = search(self.subject, watch, POSITIONS, self.rng)
            dark = check != "leak" or watch.pairs or watch.at_once
            if complete and not dark and self.subject.hides:
                said = "It says that it hides something, but everybody can tell everything apart."
                self.found(Fault("leak", said), Play(0))
        except (twins.Told, RecallLost) as told:
            one, two = (
                Play(node.root().world.seed, tuple(node.play())) for node in (told.one, told.two)
            )
            other = [plain(action) for action in one.actions]
            beside = f"the other position: seed {one.start}, {other}"
            self.found(Fault(check, f"{told.sentence} ({beside})"), two, one)
        except Late:
            pass
        finally:
            self.pairs += watch.pairs

    def _deal(self, dealt: Dealt, late: Callable[[], bool]) -> None:
        for seed in range(DEALS):
            if late():
                break
            dealt.look(begun(self.subject, seed))
        for sentence in dealt.told():
            self.found(Fault("leak", sentence), Play(0))

    def _judge(self) -> None:
        """What the game itself is worth, where all of it was seen, by us and by its players."""
        if not self.graph.complete:
            return
        if self.subject.hides is not False and not all_is_seen(self.graph):
            return
        worth = solving.worths(self.graph)
        self.value = solving.value(worth)
        self.certificate = certificate(self.target, self.options, self.graph, worth)
        if sentences := " ".join(solving.decided(self.graph, worth)):
            self.found(Fault("decided", sentences), Play(0))
