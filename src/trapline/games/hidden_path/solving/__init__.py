"""How Hidden Path is solved: a folder for each way, and which way when (`path_method`)."""

from __future__ import annotations

from trapline.games.hidden_path.solving.path_method import PathMethod

__all__ = ["PathMethod"]
