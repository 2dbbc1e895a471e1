"""Best play of a game in sequence form, kept and proven anew."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import numpy as np

from trapline.solve import sequences
from trapline.solve.interface import confirms
from trapline.solve.linear import NotSolved

if TYPE_CHECKING:
    from trapline.solve.interface import Facts, Request
    from trapline.solve.sequences import SequenceForm, Strategies

QUICK_PROGRAM = 30_000
"""A linear program with so many pairs of sequences that meet takes a few seconds."""
LARGEST_PROGRAM = 300_000
"""The most for which one is tried, when no gap at all is asked for, and may take minutes."""
ROUGH = 1e-3
"""How near regret comes before a linear program takes over: enough to stop there if told."""


def find(form: SequenceForm, request: Request) -> Strategies:
    """By regret, and by a linear program where that is quick or no gap at all is asked for."""
    exact = form.payoffs.nnz <= (QUICK_PROGRAM if request.target > 0 else LARGEST_PROGRAM)
    near = max(request.target, ROUGH) if exact else request.target
    found = sequences.by_regret(
        form,
        target=near,
        deadline=request.deadline,
        progress=request.progress,
        checkpoint=request.checkpoint("sequences"),
    )
    if exact:
        # Without time for it, or on Ctrl-C, what regret has found must do.
        with contextlib.suppress(NotSolved, KeyboardInterrupt):
            found = sequences.by_program(form, request.deadline)
    return sequences.completed(form, found)


def packed(strategies: Strategies) -> bytes:
    return b"".join(part.astype(np.float64).tobytes() for part in strategies)


def unpacked(form: SequenceForm, facts: Facts, data: bytes) -> Strategies | None:
    """Strategies that were kept, believed only as far as best responses confirm their bounds."""
    one, two = form.sides
    if len(data) != 8 * (one.size + two.size):
        return None
    values = np.frombuffer(data)
    found = (values[: one.size].copy(), values[one.size :].copy())
    pairs = zip(form.sides, found, strict=True)
    if not all(sequences.is_strategy(side, strategy) for side, strategy in pairs):
        return None
    return found if confirms(facts, sequences.certify(form, found), form.most) else None
