"""What asking a player who reads text has cost, and what was said."""

from __future__ import annotations

import msgspec


class Exchange(msgspec.Struct, frozen=True):
    """One question as it was put, and what came back."""

    prompt: str
    reply: str


class Spent(msgspec.Struct, frozen=True):
    """Replies, and what they cost when they were given, whether that was now or before."""

    replies: int = 0
    cached: int = 0
    """How many of them were kept from before, and cost nothing this time."""
    requests: int = 0
    """How many were sent this time, those that failed included."""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = 0.0
    """None once there was a reply of a model whose price is not known."""

    def __add__(self, more: Spent) -> Spent:
        known = self.cost is not None and more.cost is not None
        return Spent(
            self.replies + more.replies,
            self.cached + more.cached,
            self.requests + more.requests,
            self.tokens_in + more.tokens_in,
            self.tokens_out + more.tokens_out,
            (self.cost or 0.0) + (more.cost or 0.0) if known else None,
        )
