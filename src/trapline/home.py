"""Where this program keeps its files, unless TRAPLINE_HOME names another folder."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Callable

HOME_VARIABLE = "TRAPLINE_HOME"
COMPILED_VARIABLE = "TRAPLINE_COMPILED"


def data_folder() -> Path:
    """For what nobody can make again: matches."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return Path(home)
    import platformdirs

    return platformdirs.user_data_path("trapline", appauthor=False)


def cache_folder() -> Path:
    """For what only saves time or money: solutions, replies of language models."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return Path(home) / "cache"
    import platformdirs

    return platformdirs.user_cache_path("trapline", appauthor=False)


def compiled_folder() -> Path:
    """For rules that were compiled; TRAPLINE_COMPILED lets several homes share them."""
    shared = os.environ.get(COMPILED_VARIABLE)
    return Path(shared) if shared else cache_folder() / "rules"


def proofs_folder() -> Path:
    """For certificates and their checkers, which came with the program: beside its source, or
    where a wheel puts them."""
    package = Path(__file__).resolve().parent
    return package / "proofs" if (package / "proofs").is_dir() else package.parents[1] / "proofs"


def replace_file(path: Path, data: bytes) -> None:
    """Put a whole file in the place of another at once: a reader finds the old or the new one."""
    replace_file_by(path, lambda file: file.write(data))


def replace_file_by(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """The same for what is better written piece by piece.

    It is flushed to the disk before, so that a crash leaves one of the two as well.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
