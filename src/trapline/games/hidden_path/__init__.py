"""The first rulebook: its rules, its words, and the method that solves it."""

from __future__ import annotations

from trapline.games.hidden_path.game import HiddenPath

__all__ = ["HiddenPath"]
