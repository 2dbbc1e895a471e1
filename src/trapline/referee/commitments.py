"""Fixing what is hidden without showing it: salted hashes, and chance from a sealed seed."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trapline.core import Question

COMMITMENT_TAG = "trapline commitment 1"
CHANCE_KEY = "chance"
"""Under this name a match commits to the seed of everything that chance decides."""

_compact = json.JSONEncoder(separators=(",", ":")).encode


def commitment(game: str, match_id: str, seat: int, subject: str, value: Any, salt: str) -> str:
    """The salted SHA-256 that fixes a secret without showing it.

    The hashed text is a compact JSON list, so that any language can recompute it.
    `subject` is "secret", "turn 7" for the hidden answers of a turn, or "chance".
    """
    held = list(value) if isinstance(value, tuple) else value
    parts = [COMMITMENT_TAG, game, match_id, seat, subject, held, salt]
    return hashlib.sha256(_compact(parts).encode()).hexdigest()


def drawn_value(question: Question, seed: str, number: int) -> int:
    """What chance answers when it is asked for the `number`th time, under a sealed seed."""
    digest = hashlib.sha256(f"{COMMITMENT_TAG} {seed} {number}".encode()).digest()
    left = int.from_bytes(digest) % sum(question.weights)
    for answer, weight in zip(question.answers, question.weights, strict=True):
        left -= weight
        if left < 0:
            return answer.value
    raise AssertionError("the weights were counted")


def sealed_key(turn: int, seat: int, *, alone: bool) -> str:
    """The name under which a turn's hidden answers are committed to."""
    return f"turn {turn}" if alone else f"turn {turn} of {seat}"
