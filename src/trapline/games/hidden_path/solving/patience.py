"""How long the ways to solve a path may take, and when more time would not help."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

if TYPE_CHECKING:
    from trapline.solve.interface import Facts, Request, Solution

    S = TypeVar("S", bound=Solution)

PATIENCE = 300.0
"""Seconds for all ways together, unless somebody asks for more or less."""
BLIND = 0.25
"""The share of it that blind runners get: what they do not find early they never find."""
LONG = 100.0
"""A search that took as many seconds is not made again for better bounds, unless asked for."""
NARROW = 0.01
"""Bounds that are no wider may be left at that when a search has taken long."""


def is_final(facts: Facts) -> bool:
    """Whether nobody should wait for something better."""
    return facts.exact or facts.seconds >= LONG


def took(solution: Solution, request: Request) -> Solution:
    """The same solution, with the time that all ways took together."""
    solution.facts = msgspec.structs.replace(solution.facts, seconds=request.seconds)
    return solution
