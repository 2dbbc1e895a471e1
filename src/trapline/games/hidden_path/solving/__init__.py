"""How Hidden Path is solved: two runners who meet only in the count of their moves."""

from __future__ import annotations

from trapline.games.hidden_path.solving.method import RaceMethod

__all__ = ["RaceMethod"]
