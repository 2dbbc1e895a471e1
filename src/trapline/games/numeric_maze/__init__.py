"""The fifth rulebook: its rules and its words."""

from __future__ import annotations

from trapline.games.numeric_maze.game import NumericMaze

__all__ = ["NumericMaze"]
