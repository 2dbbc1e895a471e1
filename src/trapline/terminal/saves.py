"""Matches on disk: one record file each, replaced whole at every turn.

At any instant, whatever is killed or full, the file holds a complete record.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import filelock

from trapline.core import RecordError, TraplineError
from trapline.games import is_known, is_remembered, recall
from trapline.home import data_folder, replace_file
from trapline.referee import Record, parse_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from trapline.referee import Match

LARGEST = 50_000_000
"""Bytes of a file that may be a record; anything larger was not written by us."""


LAST = "last"
"""What stands for the latest match."""
MOST_NAMED = 3
"""So many matches are named when one was meant."""


class Ambiguous(TraplineError):
    """Several matches have an id like that."""


class SaveError(TraplineError):
    """A match could not be written anywhere."""


class BusyError(TraplineError):
    """Another process is playing this match."""


def new_match_id() -> str:
    """Tells when, by the clock on the wall, and is short enough to type."""
    return f"{datetime.now(UTC).astimezone():%y%m%d-%H%M%S}-{secrets.token_hex(3)}"


class Saves:
    """The matches kept for this user.

    Files go where the platform keeps a user's data. If nothing can be written there, a
    private folder among the temporary files takes its place; both are always searched.
    """

    def __init__(self) -> None:
        usual = data_folder()
        owner = os.getuid() if hasattr(os, "getuid") else "user"
        spare = Path(tempfile.gettempdir()) / f"trapline-{owner}"
        self.folders = [usual / "matches", spare]
        self._locks: dict[str, filelock.BaseFileLock] = {}
        self.remarks: list[str] = []
        """What has to be said of the match that is opened."""

    # --- writing ------------------------------------------------------------------------

    def save(self, match: Match) -> Path:
        """Write the match as it stands; SaveError says why when there is no place for it."""
        record = match.sealed_record()
        record.saved = time.time_ns()
        text = record.to_json() + "\n"
        problems = []
        for folder in self.folders:
            try:
                return self._write(folder, match.id, text)
            except OSError as error:
                problems.append(f"{folder}: {error.strerror or error}")
        raise SaveError("This turn could not be saved (" + "; ".join(problems) + ").")

    def _write(self, folder: Path, match_id: str, text: str) -> Path:
        _make_private(folder)
        path = folder / f"{match_id}.json"
        replace_file(path, text.encode())
        _sync_folder(folder)
        return path

    def lock(self, match_id: str) -> None:
        """Keep other processes out of this match until `unlock`, or until this one ends."""
        if match_id in self._locks:
            return
        for folder in self.folders:
            try:
                _make_private(folder)
                lock = filelock.FileLock(folder / f".{match_id}.lock", mode=0o600)
                lock.acquire(timeout=0)
            except filelock.Timeout:
                raise BusyError(f"Match {match_id} is being played in another window.") from None
            except OSError:
                continue
            self._locks[match_id] = lock
            return

    def unlock(self, match_id: str) -> None:
        lock = self._locks.pop(match_id, None)
        if lock is not None:
            with contextlib.suppress(OSError):
                Path(lock.lock_file).unlink(missing_ok=True)
            lock.release()

    def is_free(self, record: Record) -> bool:
        """Whether no other process plays this match."""
        if record.id in self._locks:
            return True
        try:
            self.lock(record.id)
        except BusyError:
            return False
        self.unlock(record.id)
        return True

    def reopen(self, name: str) -> Record:
        """A match to go on with: nobody else can play it from now on, so it is read after that."""
        match_id = self.find(name).id
        self.lock(match_id)
        record = self.find(match_id)
        recall(record.game)
        return record

    # --- reading ------------------------------------------------------------------------

    def find(self, name: str) -> Record:
        """The match whose id is `name`, or the only one whose id starts or ends so; or the last."""
        records = list(self.all())
        if name == LAST and records:
            return records[0]
        for record in records:
            if record.id == name:
                return record
        fitting = [r for r in records if name and (r.id.startswith(name) or r.id.endswith(name))]
        if not fitting:
            raise TraplineError(f"There is no match {name!r} here; 'trapline history' lists them.")
        if len(fitting) > 1:
            ids = ", ".join(record.id for record in fitting[:MOST_NAMED])
            more = f" and {len(fitting) - MOST_NAMED} more" * (len(fitting) > MOST_NAMED)
            raise Ambiguous(
                f"{name!r} fits {len(fitting)} matches: {ids}{more}. Type more of the one you mean."
            )
        return fitting[0]

    def unfinished(self) -> Iterator[Record]:
        """Those whose games are at hand, latest first."""
        return (r for r in self.all() if r.result is None and _opens(r))

    def latest_to_go_on_with(self) -> Record | None:
        return next(filter(self.is_free, self.unfinished()), None)

    def all(self) -> Iterator[Record]:
        """Every readable match, latest first."""
        newest: dict[str, Record] = {}
        for folder in self.folders:
            for record in _read_folder(folder):
                known = newest.get(record.id)
                if known is None or record.saved > known.saved:
                    newest[record.id] = record
        yield from sorted(newest.values(), key=lambda record: record.started, reverse=True)


def _read_folder(folder: Path) -> Iterator[Record]:
    try:
        paths = sorted(folder.glob("[!.]*.json")) if _is_ours(folder, stat.S_ISDIR) else []
    except OSError:
        return
    for path in paths:
        try:
            if not _is_ours(path, stat.S_ISREG) or path.stat().st_size > LARGEST:
                continue
            record = parse_record(path.read_bytes())
        except (OSError, RecordError):
            continue  # not one of ours: leave it alone
        if record.id == path.stem and is_remembered(record.game):
            yield record


def _opens(record: Record) -> bool:
    try:
        recall(record.game)
    except TraplineError:
        return False
    return is_known(record.game)


def _is_ours(path: Path, kind: Callable[[int], bool]) -> bool:
    """Whether a path is of this kind, no link, and made by this user."""
    status = path.lstat()
    return kind(status.st_mode) and (not hasattr(os, "getuid") or status.st_uid == os.getuid())


def _make_private(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_ours(folder, stat.S_ISDIR):
        raise PermissionError(None, "belongs to somebody else", str(folder))
    if folder.stat().st_mode & 0o077:
        folder.chmod(0o700)


def _sync_folder(folder: Path) -> None:
    """Make the rename itself durable, where the platform can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
