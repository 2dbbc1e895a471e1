"""How long the ways to solve a path may take, and when more time would not help."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

if TYPE_CHECKING:
    from trapline.solve.interface import Facts, Request, Solution

    S = TypeVar("S", bound=Solution)

PATIENCE = 540.0
"""Seconds for all ways together, unless somebody asks for more or less."""
BLIND = 0.1
"""The share of it that blind runners get: what they do not find early they never find."""
LONG = 100.0
"""After so many seconds, bounds that are `NARROW` are left at that."""
NARROW = 0.01
TRIED = 50.0
"""A search that took as many seconds is not made again for better bounds, unless asked for."""


NODES_A_SECOND = 50_000
"""A hundred iterations over so many nodes take a second or less, and fewer prove little."""


def worth_searching(most: int, seconds: float) -> int:
    """How large a tree may be of which something comes in so many seconds."""
    return min(most, int(NODES_A_SECOND * max(0.0, seconds)))


def is_final(facts: Facts) -> bool:
    """Whether nobody should wait for something better."""
    return facts.exact or facts.seconds >= TRIED


def took(solution: Solution, request: Request) -> Solution:
    """The same solution, with the time that all ways took together, and what is gone on from."""
    before = 0.0 if request.known is None else request.known.facts.seconds
    seconds = round(before + request.seconds, 3)
    solution.facts = msgspec.structs.replace(solution.facts, seconds=seconds)
    return solution
