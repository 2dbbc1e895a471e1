"""The second rulebook: its rules and its words."""

from __future__ import annotations

from trapline.games.trap_builder.game import TrapBuilder

__all__ = ["TrapBuilder"]
