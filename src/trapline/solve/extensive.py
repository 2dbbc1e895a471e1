"""Anybody's game, given as a tree: chance, two players, what each knows, and results.

The tree may come from a file or from another program (`adapters`). It is walked once and gathered
into sequence form, and what the method assumes is checked on the way: two players, results that
add up to nothing, and nobody who forgets. What does not fit is refused in a sentence.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from trapline.core import plural
from trapline.home import cache_folder
from trapline.solve import equilibrium, exactly, sentences, sequences, storage
from trapline.solve.checkpoints import Checkpoints
from trapline.solve.interface import (
    SOLVER_VERSION,
    Facts,
    Request,
    TooLarge,
    Unsuited,
    bounds_facts,
    facts_json,
)
from trapline.solve.memory import Budget
from trapline.solve.sequences import EMPTY, SequenceForm, Side

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from pathlib import Path

    from trapline.solve.exactly import Plan
    from trapline.solve.interface import Progress
    from trapline.solve.sequences import Strategies

METHOD = "extensive form"
MOST_NODES = 3_000_000
"""Walking a larger tree takes minutes."""
LEAST_SECONDS = 5.0
"""What a walk may take in any case: without it not even a kept solution can be told."""
NODES_A_LOOK = 256
"""Memory and time are looked at so often; a state of somebody else's may take milliseconds."""
NODE_BYTES = 400
"""What a node may cost, ends and information sets included."""
SIMPLE = 1_000_000
"""A chance with a larger denominator stays the number that it was given as."""
NOTHING = 1e-9
"""Results that add up to no more than this add up to nothing."""


class Node(Protocol):
    """One place in the tree."""

    @property
    def mover(self) -> int | None:
        """1 or 2; 0 where chance draws; None at an end."""

    @property
    def known(self) -> Hashable:
        """What the mover knows: the same in all places that look alike."""

    @property
    def shares(self) -> Sequence[float]:
        """How likely chance draws each way."""

    @property
    def ways(self) -> int:
        """How many ways lead on."""

    @property
    def results(self) -> Sequence[float | Fraction]:
        """At an end, what each player gets."""

    def after(self, way: int) -> Node:
        """Where a way leads."""


class Tree(Protocol):
    """A game of somebody else's."""

    name: str
    """As it was asked for."""
    title: str
    digest: str
    """What tells it from all other games."""
    text: str
    """A Gambit file of it, where it is one."""

    def root(self) -> Node: ...


class Known(NamedTuple):
    """An information set while the tree is walked."""

    number: int
    parent: int
    first: int
    ways: int


@dataclass
class _Side:
    known: dict[Hashable, Known]
    parents: list[int]
    firsts: list[int]
    size: int = 1

    def finish(self) -> Side:
        return Side(np.array(self.parents, np.int64), np.array([*self.firsts, self.size], np.int64))


def sequence_form(
    tree: Tree, most_nodes: int = MOST_NODES, until: float | None = None
) -> SequenceForm:
    """The tree in sequence form; Unsuited where it is not such a game, TooLarge where too large,
    or larger than can be walked until then."""
    from scipy.sparse import coo_array

    sides = (_Side({}, [], []), _Side({}, [], []))
    ends: dict[tuple[int, int], Fraction] = {}
    largest, nodes, simple, budget = 0.0, 0, True, Budget(until)
    left: list[tuple[Node, int, int, Fraction]] = [(tree.root(), EMPTY, EMPTY, Fraction(1))]
    while left:
        node, one, two, chance = left.pop()
        nodes += 1
        if nodes > most_nodes:
            raise TooLarge(
                f"{tree.title} has a tree of more than {plural(most_nodes, 'node')}: a smaller "
                "game of its kind may be solved."
            )
        if nodes % NODES_A_LOOK == 0:
            budget.check(NODE_BYTES * nodes, f"the tree of {tree.title}")
        mover = node.mover
        if mover is None:
            worth = _worth(tree, node.results)
            largest = max(largest, abs(float(worth)))
            ends[one, two] = ends.get((one, two), 0) + chance * worth
        elif mover == 0:
            shares = shares_of(tree, node)
            simple = simple and sum(shares) == 1
            ways = [w for w in range(node.ways) if shares[w] > 0]
            left += [(node.after(w), one, two, chance * shares[w]) for w in reversed(ways)]
        elif mover in (1, 2):
            mine = one if mover == 1 else two
            known = _known(tree, sides[mover - 1], node, mine, mover)
            for way in range(node.ways - 1, -1, -1):
                made = known.first + way
                now = (made, two) if mover == 1 else (one, made)
                left.append((node.after(way), *now, chance))
        else:
            raise Unsuited(f"{tree.title} has more than two players.")
    rows, columns = zip(*ends, strict=True)
    shape = (sides[0].size, sides[1].size)
    where = (np.array(rows), np.array(columns))
    results = np.array([float(result) for result in ends.values()])
    payoffs = coo_array((results, where), shape=shape).tocsr()
    exact = ends if simple else None
    return SequenceForm((sides[0].finish(), sides[1].finish()), payoffs, largest, exact)


def _worth(tree: Tree, results: Sequence[float | Fraction]) -> Fraction:
    if len(results) != 2:
        raise Unsuited(f"{tree.title} has {plural(len(results), 'player')}, not two.")
    one, two = (float(result) for result in results)
    if abs(one + two) > NOTHING:
        raise Unsuited(
            f"{tree.title} is not zero-sum: an end gives {one:g} to one player and {two:g} to the "
            "other."
        )
    return Fraction(results[0])


def shares_of(tree: Tree, node: Node) -> list[Fraction]:
    """Chances as the simple fractions that they stand for: 0.16666666666666666 is a sixth."""
    shares = node.shares
    if any(share < 0 for share in shares) or abs(sum(shares) - 1) > 1e-6:
        raise Unsuited(f"{tree.title} has chances that do not add up to one.")
    simple = [Fraction(share).limit_denominator(SIMPLE) for share in shares]
    if sum(simple) == 1 and all(
        abs(float(one) - two) < 1e-12 for one, two in zip(simple, shares, strict=True)
    ):
        return simple
    return [Fraction(share) for share in shares]


def _known(tree: Tree, side: _Side, node: Node, sequence: int, mover: int) -> Known:
    known = side.known.get(node.known)
    if known is None:
        if not node.ways:
            raise Unsuited(f"{tree.title} asks Player {mover} something without an answer.")
        known = Known(len(side.parents), sequence, side.size, node.ways)
        side.known[node.known] = known
        side.parents.append(sequence)
        side.firsts.append(side.size)
        side.size += node.ways
    elif known.parent != sequence:
        raise Unsuited(
            f"In {tree.title} Player {mover} forgets: what was known or done before {node.known!r} "
            "is not known there any more. Without perfect recall nothing can be proven."
        )
    elif known.ways != node.ways:
        raise Unsuited(
            f"In {tree.title} places that look alike to Player {mover} have other answers: "
            f"{node.known!r}."
        )
    return known


class ExtensiveSolution:
    """The value of a tree, and a strategy for each player that proves it."""

    def __init__(self, facts: Facts, form: SequenceForm, strategies: Strategies) -> None:
        self.facts, self.form, self.strategies = facts, form, strategies

    @cached_property
    def plans(self) -> tuple[Plan, Plan] | None:
        """Best play in fractions, where it is known so."""
        return exactly.plans(self.form, self.strategies) if self.facts.exact else None

    @cached_property
    def fraction(self) -> Fraction | None:
        """The value, where it is proven in fractions."""
        return None if self.plans is None else exactly.value_of(self.form, self.plans)

    def to_json(self) -> dict[str, Any]:
        found = facts_json(self.facts)
        return found if self.fraction is None else found | {"fraction": str(self.fraction)}


def solved(
    tree: Tree,
    *,
    target: float = 1e-4,
    time_limit: float | None = None,
    progress: Progress | None = None,
    fresh: bool = False,
) -> ExtensiveSolution:
    """A kept solution that is good enough, or else a new one, which is kept."""
    begin = time.monotonic()
    deadline = None if time_limit is None else begin + time_limit
    unfinished = Checkpoints(_file(tree))
    request = Request(target, deadline, progress, begin, unfinished)
    until = None if deadline is None else max(deadline, begin + LEAST_SECONDS)
    form = sequence_form(tree, until=until)
    kept = _load(tree, form)
    good = kept is not None and (kept.facts.exact or kept.facts.exploitability <= target)
    if kept is not None and good and not fresh:
        return kept
    if fresh:
        unfinished.drop()
    found = solve(tree, form, request)
    if found.facts.exact or found.facts.exploitability <= target:
        unfinished.drop()
    if kept is None or found.facts.exploitability <= kept.facts.exploitability:
        storage.write(_file(tree), found.facts, equilibrium.packed(found.strategies))
    return found


def solve(tree: Tree, form: SequenceForm, request: Request) -> ExtensiveSolution:
    found = equilibrium.find(form, request)
    proven = bounds_facts(sequences.certify(form, found), 1, form.most)
    facts = Facts(
        game=tree.name,
        options={},
        first=1,
        method=METHOD,
        seconds=request.seconds,
        sentence=sentences.on_average(proven["bounds"]),
        **proven,
    )
    return ExtensiveSolution(facts, form, found)


def _file(tree: Tree) -> Path:
    key = hashlib.sha256(repr((tree.digest, METHOD, SOLVER_VERSION)).encode()).hexdigest()
    return cache_folder() / f"tree-{key[:16]}.solution"


def _load(tree: Tree, form: SequenceForm) -> ExtensiveSolution | None:
    """The kept solution, if best responses confirm its bounds."""
    kept = storage.unpack(_file(tree))
    if kept is None or kept[0].solver != SOLVER_VERSION:
        return None
    facts, data = kept
    found = equilibrium.unpacked(form, facts, data)
    return None if found is None else ExtensiveSolution(facts, form, found)
