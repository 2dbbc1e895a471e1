"""Hidden Path for two who look at each other, and draw most of their runs apart from their secrets.

Each seat's plan is searched on a graph of what both can see (`graph`), against a rival who may do
anything; what it keeps there is a bound. Often that is all there is: to use that one knows the own
traps would tell of them.
"""

from __future__ import annotations

import math
import time
from functools import cached_property
from typing import TYPE_CHECKING

from trapline.core import SEATS
from trapline.games.hidden_path.solving.apart.keeping import packed, played, restored, unpacked
from trapline.games.hidden_path.solving.apart.machine import LotsMachine
from trapline.games.hidden_path.solving.apart.policy import ApartPolicy
from trapline.games.hidden_path.solving.apart.search import search_apart
from trapline.games.hidden_path.solving.beginnings import first_lists, proven_by
from trapline.games.hidden_path.solving.both import above
from trapline.games.hidden_path.solving.doubts import explore
from trapline.games.hidden_path.solving.duel.nodes import MOST_BITS
from trapline.games.hidden_path.solving.patience import PATIENCE, is_final
from trapline.games.hidden_path.solving.race.races import secrets_of
from trapline.games.hidden_path.solving.telling import facts_of
from trapline.solve.interface import (
    Certificate,
    Facts,
    Solution,
    TooLarge,
    bounds_facts,
    confirms,
    ranked,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.core import Seat
    from trapline.games.hidden_path.game import HiddenPath
    from trapline.games.hidden_path.solving.apart.keeping import Kept
    from trapline.games.hidden_path.solving.apart.lots import Lots
    from trapline.games.hidden_path.solving.doubts import Hidden
    from trapline.solve.interface import Request


class ApartSolution(Solution):
    def __init__(
        self, game: HiddenPath, facts: Facts, kept: list[Kept], policy: ApartPolicy
    ) -> None:
        super().__init__(game, facts)
        self._kept, self._policy = kept, policy

    @property
    def policy(self) -> ApartPolicy:
        return self._policy

    @property
    def final(self) -> bool:
        return is_final(self.facts)

    def machine(self, role: Seat) -> LotsMachine:
        return LotsMachine(self.policy, role)

    def pack(self) -> bytes:
        """To the letter what was played and proven: to round once more would be another plan."""
        return packed(self._kept)


class ApartMethod:
    """Right for Hidden Path alone."""

    name = "apart"

    def __init__(
        self, game: HiddenPath, seconds: float | None = None, found: Sequence[Solution] = ()
    ) -> None:
        """`found` are solutions by other ways: what they hide is tried, and what they have
        proven need not be proven again."""
        self.game, self._found = game, found
        self._until = math.inf if seconds is None else time.monotonic() + seconds
        self.interrupted = False
        """Whether somebody has ended the search."""

    @cached_property
    def _running(self) -> Hidden:
        length, max_step = self.game.length, self.game.options.max_step
        return explore(length, max_step, secrets_of(self.game), self._until)

    def solve(self, request: Request) -> ApartSolution:
        now = time.monotonic()
        last = now + PATIENCE if request.deadline is None else request.deadline
        if self.game.options.max_step > MOST_BITS:
            raise TooLarge(f"There are more than {MOST_BITS} moves to choose from.")
        lists = first_lists(self.game, self._running.secrets, self._found)
        known = proven_by(self._found)
        begins = {seat: self._best_known(seat) for seat in SEATS}
        found, self.interrupted = search_apart(self._running, lists, begins, request, last, known)
        if len(found) < len(SEATS):
            raise TooLarge("There are too many situations that both runners can see on this path.")
        (one, ours), (two, theirs) = (played(found[seat]) for seat in SEATS)
        policy = ApartPolicy(self.game, (one, two))
        proven = bounds_facts(Certificate(one.bound, two.bound))
        hides = (ranked(policy.secrets(1)), ranked(policy.secrets(2)))
        facts = facts_of(self.game, self.name, request, proven, hides)
        return ApartSolution(self.game, facts, [*ours, *theirs], policy)

    def _best_known(self, seat: Seat) -> Lots | None:
        """What a seat goes on from."""
        known = [s.policy.lots(seat) for s in self._found if isinstance(s, ApartSolution)]
        return max(known, key=lambda lots: above(seat, lots.bound, 0.0), default=None)

    def restore(self, facts: Facts, data: bytes) -> ApartSolution | None:
        kept = unpacked(data)
        one, two = (restored(kept, seat, self._running, self._until) for seat in SEATS)
        if one is None or two is None:
            return None
        if not confirms(facts, Certificate(one.bound, two.bound)):
            return None
        return ApartSolution(self.game, facts, kept, ApartPolicy(self.game, (one, two)))
