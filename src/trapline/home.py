"""Where this program keeps its files, unless TRAPLINE_HOME names another folder."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

HOME_VARIABLE = "TRAPLINE_HOME"


def data_folder() -> Path:
    """For what nobody can make again: matches."""
    home = os.environ.get(HOME_VARIABLE)
    return Path(home) if home else platformdirs.user_data_path("trapline", appauthor=False)


def cache_folder() -> Path:
    """For what only saves time or money: solutions, replies of language models."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return Path(home) / "cache"
    return platformdirs.user_cache_path("trapline", appauthor=False)
