"""A player's mixed strategy, found by asking it over and over at each of its decisions.

Decisions that the player's own earlier answers never lead to are not asked; no opponent can
bring them about either.
"""

from __future__ import annotations

import contextlib
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trapline.arena.fixtures import Unfinished, bills, digest
from trapline.core import Forfeit, Seat, Unavailable
from trapline.games import make_game
from trapline.measures.decisions import all_decisions
from trapline.players import find_contestant
from trapline.players.llm.settings import Settings
from trapline.players.llm.spending import Spent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.players import Opponent

ASKED_AT_ONCE = 8
"""Questions to a player who makes us wait for the answers."""


class Sampling(msgspec.Struct, frozen=True):
    """A task: ask a player, in one seat of a game in which Player 1 moves first."""

    game: str
    options: dict[str, Any]
    player: str
    seat: Seat
    samples: int
    seed: int
    llm: Settings | None = None
    rules: str = ""
    """For a game from outside: a digest of its rules."""

    @property
    def key(self) -> str:
        return digest("strategy", self, self.llm)

    @property
    def players(self) -> tuple[str, ...]:
        return (self.player,)

    @property
    def title(self) -> str:
        return f"{self.game}, the strategy of {self.player} as Player {self.seat}"


class Counts(NamedTuple):
    """At one decision, by its number: how often each answer was given."""

    decision: int
    chosen: list[int]


class Strategy(msgspec.Struct, frozen=True, tag="mixed strategy"):
    """How often each answer was given at each decision."""

    key: str
    game: str
    options: dict[str, Any]
    player: str
    seat: Seat
    decisions: list[Counts]
    unusable: int
    """Samples without a usable answer: they are left out, and counted."""
    spent: dict[str, Spent]


# --- a task, run anywhere ---------------------------------------------------------------


def sample(task: Sampling) -> Strategy | Unfinished:
    """Ask a player everywhere; Unfinished if it could not be asked."""
    opponent = find_contestant(task.player, task.llm)
    try:
        decisions = list(_survey(task, opponent))
    except Unavailable as error:
        return Unfinished(task.title, str(error), error.player)
    except Forfeit as error:
        return Unfinished(task.title, str(error))
    return Strategy(
        task.key,
        task.game,
        task.options,
        task.player,
        task.seat,
        decisions,
        sum(task.samples - sum(counts.chosen) for counts in decisions),
        bills({task.player: opponent}),
    )


def _survey(task: Sampling, opponent: Opponent) -> Iterator[Counts]:
    """What is answered at each decision that is reached, those with fewer answers before first."""
    known = all_decisions(make_game(task.game, task.options))
    decisions = known.of(task.seat)
    reached = {0}

    def ask(number: int) -> Counts:
        decision = decisions[number]
        view = known.view(task.seat, decision)
        chosen = [0] * len(decision.answers)
        for sample in range(task.samples):
            rng = Random(f"{task.key} {number} {sample}")  # noqa: S311 (between programs)
            with contextlib.suppress(Forfeit):
                chosen[decision.answers.index(opponent.choose(view, rng))] += 1
        if not any(chosen):
            raise Forfeit(f"{task.player} gave no usable answer at one of its decisions.")
        return Counts(number, chosen)

    waiting = set(range(len(decisions)))
    # Only a player far away makes us wait; for others, processes are used, not threads.
    with ThreadPoolExecutor(ASKED_AT_ONCE if opponent.spent else 1) as threads:
        while next_ones := sorted(n for n in waiting if decisions[n].before in reached):
            waiting.difference_update(next_ones)
            for counts in threads.map(ask, next_ones):
                first = decisions[counts.decision].first
                reached.update(first + i for i, count in enumerate(counts.chosen) if count)
                yield counts
