"""The fourth rulebook: its rules and its words."""

from __future__ import annotations

from trapline.games.secret_paths.game import SecretPaths

__all__ = ["SecretPaths"]
