"""Where this program keeps its files, unless TRAPLINE_HOME names another folder."""

from __future__ import annotations

import contextlib
import os
import tempfile
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


def write_atomically(file: Path, data: bytes, *, durable: bool = False) -> None:
    """Write a file so that whoever reads it finds the old or the new, and never a half.

    `durable` waits until it is on disk. Folders are made, for nobody else to look into.
    """
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{file.stem}-", suffix=".tmp", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        Path(name).replace(file)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
