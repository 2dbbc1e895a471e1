"""The third rulebook: its rules, its words, and the method that solves it."""

from __future__ import annotations

from trapline.games.trap_runner.game import TrapRunner

__all__ = ["TrapRunner"]
