"""Certificates of anybody's game, given as a tree: the tree itself, both strategies, and the bounds
that `proofs/check_tree.py` finds them to keep.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from trapline.core import plural
from trapline.solve.certificates import FINE, PARTS, Written, program, short
from trapline.solve.extensive import shares_of
from trapline.solve.interface import Uncertified

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from trapline.core import Seat
    from trapline.solve.extensive import ExtensiveSolution, Node, Tree

KIND = "trapline tree 1"
MOST_NODES = 300_000
"""A file of some ten megabytes."""


def certificate(tree: Tree, solution: ExtensiveSolution) -> Written:
    """The proof of a solution's bounds, ready to be written as JSON; Uncertified where the checker
    does not take it."""
    walk = _Walk(tree)
    written: Written = {"certificate": KIND, "game": tree.name, "tree": tree.text or walk.text}
    for seat, part in PARTS.items():
        rows = zip(walk.names(seat), _weights(solution, seat), strict=True)
        written[part] = {name: row for name, row in rows if row}
    try:
        low, high = program("check_tree").proven(written)
    except (ValueError, IndexError) as error:
        raise Uncertified(f"The checker does not take this tree: {error}.") from None
    if solution.fraction is None:
        low, high = short(low), -short(-high)
    return written | {"bounds": [str(low), str(high)]}


def _weights(solution: ExtensiveSolution, seat: Seat) -> Iterator[list[str]]:
    """For each information set how likely each answer is, in fractions or rounded; nothing where
    its player never comes."""
    side = solution.form.sides[seat - 1]
    exact = None if solution.fraction is None or solution.plans is None else solution.plans
    for first, last in zip(side.first[:-1], side.first[1:], strict=True):
        if exact is not None:
            row = exact[seat - 1][first:last]
            yield [str(weight / sum(row)) for weight in row] if any(row) else []
        else:
            yield [
                str(weight)
                for weight in _rounded(solution.strategies[seat - 1][first:last].tolist())
            ]


def _rounded(chances: Sequence[float]) -> list[int]:
    """Whole numbers that add up to a power of ten: what is computed with them stays short."""
    weights = [round(chance * FINE) for chance in chances]
    likeliest = weights.index(max(weights))
    weights[likeliest] += FINE - sum(weights)
    return weights


class _Walk:
    """The tree in the order in which it was gathered: what its information sets are called, and,
    where it comes from a program, a Gambit file of it."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._known: tuple[dict[Hashable, int], dict[Hashable, int]] = ({}, {})
        lines, left, nodes = [f'EFG 2 R "{tree.title}" {{ "1" "2" }}'], [tree.root()], 0
        while left:
            node, nodes = left.pop(), nodes + 1
            if nodes > MOST_NODES:
                raise Uncertified(
                    f"The tree has more than {plural(MOST_NODES, 'node')}, too many to be written."
                )
            ways = self._ways(node)
            lines.append(self._line(node, ways, nodes))
            left += [node.after(way) for way in reversed(ways)]
        self.text = "\n".join(lines)

    def names(self, seat: Seat) -> list[str]:
        """Of a player's information sets, as the file has them."""
        known = self._known[seat - 1]
        return [str(name) for name in (known if self._tree.text else known.values())]

    def _ways(self, node: Node) -> list[int]:
        if node.mover != 0:
            return [*range(node.ways)]
        return [way for way, share in enumerate(shares_of(self._tree, node)) if share > 0]

    def _line(self, node: Node, ways: list[int], number: int) -> str:
        if node.mover is None:
            worth = Fraction(node.results[0])
            return f't "" {number} "" {{ {worth}, {-worth} }}'
        if node.mover == 0:
            shares = shares_of(self._tree, node)
            drawn = " ".join(f'"{way}" {shares[way]}' for way in ways)
            return f'c "" {number} "" {{ {drawn} }} 0'
        known = self._known[node.mover - 1]
        at = known.setdefault(node.known, len(known) + 1)
        answers = " ".join(f'"{way}"' for way in ways)
        return f'p "" {node.mover} {at} "" {{ {answers} }} 0'
