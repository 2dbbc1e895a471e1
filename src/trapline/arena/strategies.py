"""A player's mixed strategy, found by asking it over and over at each of its decisions.

The decisions are the information sets of the public tree: what everybody has seen, and the
player's own secret. Those that the player's own earlier answers never lead to are not asked;
no opponent can bring them about either.
"""

from __future__ import annotations

import contextlib
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trapline.arena.fixtures import Unfinished, bills, digest
from trapline.core import SEATS, Forfeit, Seat, TraplineError, Unavailable
from trapline.games import make_game
from trapline.match import Match
from trapline.players import find_player
from trapline.players.llm.settings import Settings
from trapline.players.llm.spending import Spent
from trapline.solve import tree
from trapline.solve.model import GameModel, TooLarge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trapline.core import Game, View
    from trapline.players import Opponent
    from trapline.solve.tree import Tree

MOST_ENTRIES = 500_000
"""How large the tree may be that a player is asked through, in secrets at positions."""
MOST_DECISIONS = 5_000
"""How many information sets one seat may have."""
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
    """At one information set: how often each action was chosen."""

    node: int
    holding: int
    chosen: list[int]


class Strategy(msgspec.Struct, frozen=True, tag="strategy"):
    """How often each secret, and each action at each information set, was chosen."""

    key: str
    game: str
    options: dict[str, Any]
    player: str
    seat: Seat
    secrets: list[int]
    decisions: list[Counts]
    unusable: int
    """Samples without a usable answer: they are left out, and counted."""
    spent: dict[str, Spent]


@lru_cache(maxsize=8)
def full_tree(game: Game[Any, Any]) -> Tree:
    """The public tree with every mistake in it; TooLarge, with the limit, where it is too big."""
    if game.hides_turns:
        raise TooLarge(f"{game.title} hides choices within its turns, so it has no public tree.")
    try:
        built = tree.build(GameModel(game), most=MOST_ENTRIES, settle=False)
    except TooLarge:
        raise TooLarge(
            f"{game.title} has more than {MOST_ENTRIES:,} positions and secrets to ask about "
            "under these options; smaller options have fewer."
        ) from None
    for seat in SEATS:
        count = sum(len(built.live(n, seat)) for n in range(built.size) if _moves(built, n, seat))
        if count > MOST_DECISIONS:
            raise TooLarge(
                f"{game.title} has {count:,} information sets for one player under these options; "
                f"at most {MOST_DECISIONS:,} can be asked about."
            )
    return built


def _moves(built: Tree, node: int, seat: Seat) -> bool:
    return bool(built.nodes.mover[node] == seat)


# --- a task, run anywhere ---------------------------------------------------------------


def sample(task: Sampling) -> Strategy | Unfinished:
    """Ask a player everywhere; Unfinished if it could not be asked."""
    opponent = find_player(task.player, task.llm)
    asked = _Survey(task, opponent)
    try:
        secrets = asked.secrets()
        held = [holding for holding, count in enumerate(secrets) if count]
        # Only a player far away makes us wait; for others, processes are used, not threads.
        with ThreadPoolExecutor(ASKED_AT_ONCE if opponent.spent else 1) as threads:
            walks = list(threads.map(asked.walk, held))
    except Unavailable as error:
        return Unfinished(task.title, str(error), error.player)
    except Forfeit as error:
        return Unfinished(task.title, str(error))
    decisions = [counts for walk in walks for counts in walk]
    answers = [secrets, *(counts.chosen for counts in decisions)]
    return Strategy(
        task.key,
        task.game,
        task.options,
        task.player,
        task.seat,
        secrets,
        decisions,
        sum(task.samples - sum(chosen) for chosen in answers),
        bills({task.player: opponent}),
    )


class _Survey:
    """One player's answers, in one seat of one game."""

    def __init__(self, task: Sampling, opponent: Opponent) -> None:
        self.task = task
        self.choose = opponent.choose
        self.game = make_game(task.game, task.options)
        self.tree = full_tree(self.game)
        self.holdings = GameModel(self.game).holdings

    def secrets(self) -> list[int]:
        """How often each secret is chosen; where there are none, the one empty holding is."""
        held = self.holdings[self.task.seat - 1]
        if self.game.secret is None:
            return [self.task.samples]
        view = Match(self.game, 1).view(self.task.seat)
        return self._ask(view, held, "secret")

    def walk(self, holding: int) -> list[Counts]:
        """All decisions with one secret, parents before children."""
        paths: dict[int, tuple[Any, ...]] = {0: ()}
        found = []
        for node in range(self.tree.size):
            mover = int(self.tree.nodes.mover[node])
            if node not in paths or not mover:
                continue
            view = self._view(node, holding, paths[node])
            chosen = [1] * len(view.legal)
            if mover == self.task.seat:
                chosen = self._ask(view, view.legal, f"{node} {holding}")
                found.append(Counts(node, holding, chosen))
            for child, action in self._children(node, holding):
                if chosen[action]:
                    paths[child] = (*paths[node], view.legal[action])
        return found

    def _children(self, node: int, holding: int) -> Iterator[tuple[int, int]]:
        for child in self.tree.children(node):
            if holding in self.tree.live(child, self.task.seat):
                yield child, int(self.tree.nodes.action[child])

    def _view(self, node: int, holding: int, path: tuple[Any, ...]) -> View:
        """The mover's View at a node. Which of the other's possible secrets is behind it makes
        no difference to what the player sees, so any of them will do."""
        match = Match(self.game, 1)
        if self.game.secret is not None:
            rival: Seat = 2 if self.task.seat == 1 else 1
            theirs = int(self.tree.live(node, rival)[0])
            match.choose_secret(self.task.seat, self.holdings[self.task.seat - 1][holding])
            match.choose_secret(rival, self.holdings[rival - 1][theirs])
        for move in path:
            match.play(self._mover(match), move)
        return match.view(self._mover(match))

    @staticmethod
    def _mover(match: Match) -> Seat:
        assert match.to_move is not None  # the path ends at a decision
        return match.to_move

    def _ask(self, view: View, options: Sequence[Any], where: str) -> list[int]:
        chosen = [0] * len(options)
        task = self.task
        for number in range(task.samples):
            rng = Random(f"{task.key} {where} {number}")  # noqa: S311 (between programs)
            with contextlib.suppress(Forfeit):
                chosen[options.index(self.choose(view, rng))] += 1
        if not any(chosen):
            raise Forfeit(f"{task.player} gave no usable answer at one of its decisions.")
        return chosen


def refusal(game: Game[Any, Any]) -> str | None:
    """Why nobody can be asked through this game, if so."""
    try:
        full_tree(game)
    except TraplineError as error:
        return str(error)
    return None
