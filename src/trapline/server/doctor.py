"""`trapline admin doctor`: looks at everything that a server needs, and says what is amiss."""

from __future__ import annotations

import ipaddress
import os
import shutil
import sqlite3
import stat
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import urlsplit

from trapline.core import TraplineError
from trapline.home import data_folder
from trapline.server.admin import opened
from trapline.server.backup import check, path_of
from trapline.server.clocks import ALIVE
from trapline.server.hours import now, written
from trapline.server.names import Names
from trapline.server.store import StoreError
from trapline.server.store.sqlite_files import check_names, lock
from trapline.server.system import allow_files
from trapline.server.upkeep import BELIEVED, DOUBT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from trapline.server.settings import Settings
    from trapline.server.store import Store

LITTLE_ROOM = 200 * 2**20
SOME_ROOM = 2 * 2**30


class Finding(NamedTuple):
    level: Literal["fine", "note", "wrong"]
    sentence: str


async def examine(settings: Settings) -> AsyncIterator[Finding]:
    """Everything that can be seen without disturbing a server that runs."""
    url = settings.store_url()
    if url.startswith("sqlite:"):
        for finding in _file(path_of(url)):
            yield finding
    async for finding in _store(url, settings):
        yield finding
    for finding in (*_files(settings), *_names(settings), *_reach(settings), *_thinking(settings)):
        yield finding


def _file(path: Path) -> Iterator[Finding]:
    folder = path.parent if path.parent.exists() else Path(path.anchor)
    free = shutil.disk_usage(folder).free
    room = f"{free / 2**30:.1f} GiB are free where the database is"
    if free < LITTLE_ROOM:
        yield Finding("wrong", f"{room}: moves will soon be refused.")
    else:
        yield Finding("note" if free < SOME_ROOM else "fine", f"{room}.")
    if not path.exists():
        yield Finding("note", f"There is no {path} yet; a server makes it when it first starts.")
        return
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        yield Finding("wrong", f"Others may read {path}, which holds secrets: chmod 600 {path}.")
    try:
        check_names(path)
    except StoreError:
        return  # whoever opens it says so
    try:
        lock(path).release()
        yield Finding("note", "No server is running on this database.")
    except StoreError:
        yield Finding("fine", "A server is running on this database.")
    try:
        with closing(sqlite3.connect(path)) as log:
            log.execute("PRAGMA query_only = ON")
            yield Finding("fine", f"The database is whole; matches in it: {check(log, path)}.")
    except (StoreError, sqlite3.Error) as error:
        yield Finding("wrong", f"{str(error).rstrip('.')}.")


async def _store(url: str, settings: Settings) -> AsyncIterator[Finding]:
    try:
        async with opened(url) as store:
            await store.check()
            yield Finding("fine", "The database can be read and written.")
            if finding := await _clock(store, expires=bool(settings.expire_days)):
                yield finding
    except StoreError as error:
        if not url.startswith("sqlite:") or path_of(url).exists():
            yield Finding("wrong", str(error))


async def _clock(store: Store, *, expires: bool) -> Finding | None:
    """Where nothing expires, nobody looks whether the clock can be believed."""
    newest, kept = await store.newest(), await store.fact(BELIEVED if expires else ALIVE)
    times = [datetime.fromisoformat(told) for told in (newest, kept and kept.decode()) if told]
    if not times:
        return None
    present = datetime.fromisoformat(now())
    passed = present - max(times)
    if passed < timedelta(minutes=-5):
        sentence = f"What was kept last is {-passed} in the future: look at the clock."
        return Finding("wrong", sentence)
    if passed > timedelta(seconds=DOUBT):
        hours = round(passed.total_seconds() / 3600)
        sentence = (
            f"By the clock, {written(present)}, no server was here for {hours} "
            "hours: if that is not so, it is ahead."
        )
        later = " For a day after the start nothing expires." if expires else ""
        return Finding("note", sentence + later)
    last = f"The last move was {newest}" if newest else "No move was made yet"
    return Finding("fine", f"{last}; the clock fits what is kept.")


def _files(settings: Settings) -> Iterator[Finding]:
    wanted = settings.connections + 200
    allowed = allow_files(wanted)
    if allowed < wanted:
        yield Finding(
            "note",
            f"The system allows {allowed} open files; {settings.connections} connections "
            "need more: raise it (LimitNOFILE), or lower TRAPLINE_CONNECTIONS.",
        )
    else:
        yield Finding("fine", f"There are files for {settings.connections} connections.")


def _names(settings: Settings) -> Iterator[Finding]:
    try:
        Names(settings.names).clean("")
    except TraplineError as error:
        yield Finding("wrong", str(error))


def _reach(settings: Settings) -> Iterator[Finding]:
    public = urlsplit(settings.public_url)
    if not _is_local(settings.host) and not settings.public_url:
        yield Finding(
            "note",
            f"It listens at {settings.host} without a public address: people reach it by its "
            "address only, and nothing is encrypted. Put a proxy with TLS before it.",
        )
    if public.scheme == "http" and not _is_local(public.hostname or ""):
        yield Finding(
            "wrong", f"{settings.public_url} is not encrypted: keys can be read on the way."
        )
    if settings.metrics == "all":
        yield Finding("note", "/metrics is open to all who can reach the server.")
    if "*" in settings.hosts:
        yield Finding("note", "It answers to any name: pages from elsewhere can call it by theirs.")


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _thinking(settings: Settings) -> Iterator[Finding]:
    processes, cores = settings.thinkers + settings.coaches, os.cpu_count() or 1
    if processes > 2 * cores:
        yield Finding("note", f"{processes} processes think on {cores} cores: moves may be slow.")
    folder = data_folder()
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    if os.access(existing, os.W_OK):
        yield Finding("fine", f"Solutions are kept in {folder}.")
    else:
        yield Finding("wrong", f"{existing} cannot be written, so games are solved at every start.")
