"""How Hidden Path is solved: as a race of blind runners, and as a duel of runners who look."""

from __future__ import annotations

from trapline.games.hidden_path.solving.path_method import PathMethod

__all__ = ["PathMethod"]
