"""The files behind an SQLite store: that they stay where they are, that one server has them, and
that the log has room."""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from trapline.server.store import Damaged, StoreError

if TYPE_CHECKING:
    from filelock import BaseFileLock


ROOM = 32 << 20
"""Bytes that the log comes to anyway before SQLite begins it anew."""
STEP = 1 << 20
LATER = 5.0
"""Seconds before room is made, so that a start has the disk for itself."""
PLENTY = 32
"""Times as much must be free on the disk before room is made ahead."""


class Files:
    """The database and its log as they were opened.

    An open file can be written to after somebody has deleted it or put another in its place,
    and all of that would be gone with the process.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._paths = (path, path.with_name(path.name + "-wal"))
        self._seen = [_identity(file) for file in self._paths]
        self._later: threading.Timer | None = None

    def look(self) -> None:
        """Damaged if one of them is not what it was."""
        for path, seen in zip(self._paths, self._seen, strict=True):
            if _identity(path) != seen:
                raise Damaged(
                    f"{path} was deleted or replaced while it was in use: stop the server, and "
                    f"put {self._path.name} back from a backup."
                )

    def begin_to_make_room(self) -> None:
        """Nobody waits for it, and it is no loss where it does not come to its end."""
        self._later = threading.Timer(LATER, self.make_room)
        self._later.daemon = True
        self._later.start()

    def leave(self) -> None:
        if self._later is not None:
            self._later.cancel()

    def make_room(self) -> None:
        """Let the log be longer than what is in it.

        A file that grows has to be made longer on the disk at every commit as well, which waits
        for the journal of the file system. SQLite reads a log up to the last entry that is sealed,
        so what lies behind it may be anything; and what is appended lies behind all that anybody
        has written, whoever writes meanwhile.
        """
        if shutil.disk_usage(self._path.parent).free < PLENTY * ROOM:
            return
        with contextlib.suppress(OSError):
            log = os.open(self._paths[1], os.O_WRONLY | os.O_APPEND)
            try:
                while os.fstat(log).st_size < ROOM:
                    os.write(log, bytes(STEP))
                    os.fsync(log)
            finally:
                os.close(log)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def real(name: str) -> Path:
    """The file itself, whatever links lead to it: SQLite keeps its log beside that."""
    return Path(os.path.realpath(name))


def check_names(path: Path) -> None:
    """StoreError if a file has two names: under each, SQLite would write a log of its own to it."""
    if path.exists() and path.stat().st_nlink > 1:
        raise StoreError(
            f"{path} has another name as well (a hard link), by which another program could write "
            "to it: make that a copy."
        )


def lock(path: Path) -> BaseFileLock:
    """The right to serve the matches of a file, which the system takes back when we end."""
    held = FileLock(path.with_name(path.name + ".lock"), mode=0o600)
    try:
        held.acquire(timeout=0)
    except Timeout:
        raise StoreError(
            f"Another server is using {path}: stop it first, or give --database another file."
        ) from None
    except OSError as error:
        raise StoreError(f"{path.parent} cannot be written: {error.strerror or error}.") from None
    return held


def sync_folder(folder: Path) -> None:
    """A new file outlives a power cut only when its folder's entry for it is on disk as well."""
    if os.name == "nt":  # does so by itself, and cannot open a folder
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
