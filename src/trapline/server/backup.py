"""Copies of a database: made while a server writes to it, checked, and put back in its place.

Copying the file itself would miss what is still in the log beside it.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from trapline.server.store import StoreError
from trapline.server.store.migrations import NEWEST, SQLITE, missing
from trapline.server.store.sqlite_files import check_names, lock, real, sync_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ELSEWHERE = (
    "This copies SQLite files. A PostgreSQL database has programs of its own for that: "
    "pg_dump and pg_restore."
)


def path_of(url: str) -> Path:
    if not url.startswith("sqlite:"):
        raise StoreError(ELSEWHERE)
    return real(url.removeprefix("sqlite:"))


def back_up(url: str, target: Path) -> int:
    """Copy all that is kept to a new file; how many matches that were.

    A server may go on writing meanwhile. The copy holds every move that was acknowledged
    before this was called, and it is there whole or not at all.
    """
    source = path_of(url)
    if not source.exists():
        raise StoreError(f"There is no database {source}; --database says where it is.")
    check_names(source)
    if target.exists():
        raise StoreError(f"{target} is there already; choose another name.")
    with _explained(source, target):
        return _copy(source, target)


def restore(copy: Path, url: str, *, replace: bool = False) -> int:
    """Put a copy in the place of a database; how many matches it holds.

    What was there before is kept beside it under another name.
    """
    target = path_of(url)
    if not copy.exists():
        raise StoreError(f"There is no file {copy}.")
    target.parent.mkdir(parents=True, exist_ok=True)
    held = lock(target)  # no server may be using it, and none can begin to
    try:
        with _explained(copy, target):
            fresh = target.with_name(f"{target.name}.restoring")
            fresh.unlink(missing_ok=True)
            matches = _copy(copy, fresh)
            if target.exists():
                if not replace:
                    fresh.unlink()
                    raise StoreError(
                        f"{target} is there already; --replace puts the copy in its place, and "
                        "keeps it under another name."
                    )
                _put_aside(target)
            fresh.rename(target)
            sync_folder(target.parent)
    finally:
        held.release()
    return matches


def _copy(source: Path, target: Path) -> int:
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(part)) as new:
            old.execute("PRAGMA query_only = ON")
            old.backup(new)
            new.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
            matches = check(new, source)
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.rename(target)
        sync_folder(target.parent)
    finally:
        part.unlink(missing_ok=True)
    return matches


def check(log: sqlite3.Connection, path: Path) -> int:
    """How many matches a database holds; StoreError if it is none of ours, or damaged."""
    (found,) = log.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise StoreError(f"{path} is damaged: {found}.")
    tables = {name for (name,) in log.execute("SELECT name FROM sqlite_master")}
    if not {"schema_version", "matches", "entries"} <= tables:
        raise StoreError(f"{path} is not a database of a Trapline server.")
    missing(SQLITE, log.execute(NEWEST).fetchone()[0])  # says so if it is from a newer one
    (lost,) = log.execute(
        """SELECT count(*) FROM matches WHERE entries !=
           (SELECT count(*) FROM entries WHERE entries.match_id = matches.match_id)"""
    ).fetchone()
    if lost:
        raise StoreError(f"{path} is damaged: {lost} matches lack some of their entries.")
    (matches,) = log.execute("SELECT count(*) FROM matches").fetchone()
    number: int = matches
    return number


def _put_aside(target: Path) -> None:
    with closing(sqlite3.connect(target)) as log:
        log.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # what is in the log goes into the file
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    target.rename(target.with_name(f"{target.name}.{stamp}"))
    for ending in ("-wal", "-shm"):
        target.with_name(target.name + ending).unlink(missing_ok=True)


@contextmanager
def _explained(source: Path, target: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"{source} could not be copied to {target}: {error}.") from None
    except OSError as error:
        reason = error.strerror or error
        raise StoreError(f"{source} could not be copied to {target}: {reason}.") from None
