"""Everything real that the server stands on, replaced: worlds run where this is in force."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import importlib
import logging
import sqlite3
from typing import TYPE_CHECKING, Any

from tests.seeded.disk import Files, Queue, Thread
from tests.seeded.driver import Driver
from tests.seeded.system import here, replaced
from tests.seeded.thoughts import NoAlarms, Pool, nothing
from tests.seeded.world import EARS
from trapline.server import catalogue, offers, processes, thinking
from trapline.server.store import postgres, postgres_listener, sqlite, sqlite_writer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path


class SimulatedSqlite:
    """The names of sqlite3 that the store uses; all others are its own."""

    @staticmethod
    def connect(_path: Path, **_settings: Any) -> Any:
        return here().world.disk.connect()

    def __getattr__(self, name: str) -> Any:
        return getattr(sqlite3, name)


def noticed(read: Callable[..., Awaitable[list[bytes]]]) -> Callable[..., Awaitable[list[bytes]]]:
    """The same, and the model hears of it."""

    async def noticing(store: Any, match: str, after: int = 0) -> list[bytes]:
        if after == 0:
            here().world.model.reads(here(), match)
        return await read(store, match, after)

    return noticing


class Executor:
    """In the place of ThreadPoolExecutor: the loop lets the work happen."""

    def __init__(self, _threads: int, _name: str) -> None:
        pass

    def shutdown(self) -> None:
        pass


class Threading:
    Thread = Thread


def _no_list_of_tasks() -> list[tuple[Any, str, Any]]:
    """A loop knows its own tasks: asyncio's list of all is costly, where it is one of Python's."""
    every = getattr(asyncio.tasks, "_all_tasks", None)
    return [] if every is None else [(every, "add", id)]


@contextlib.contextmanager
def staged() -> Iterator[None]:
    logger, uvicorn = logging.getLogger("trapline.server"), logging.getLogger("uvicorn.error")
    level = logger.level
    logger.setLevel(logging.WARNING)
    logger.addHandler(EARS)
    uvicorn.addHandler(EARS)
    uvicorn.propagate = False
    logger.propagate, before = False, logger.propagate
    importlib.import_module("trapline.coach.offers")  # else the first who thinks would load it
    gc.collect()
    gc.freeze()  # what is there before a world is not looked through after each
    try:
        with replaced(
            (sqlite, "sqlite3", SimulatedSqlite()),
            (sqlite, "ThreadPoolExecutor", Executor),
            (sqlite, "Files", Files),
            (sqlite.SQLiteStore, "read", noticed(sqlite.SQLiteStore.read)),
            (postgres.PostgresStore, "read", noticed(postgres.PostgresStore.read)),
            (sqlite, "lock", lambda _path: here().world.disk.lock(here())),
            (sqlite, "sync_folder", lambda _folder: None),
            (sqlite_writer, "threading", Threading),
            (sqlite_writer, "SimpleQueue", Queue),
            (postgres, "asyncpg", Driver()),
            (postgres_listener, "asyncpg", Driver()),
            (processes, "_new_pool", lambda _megabytes: Pool()),
            (processes, "signal", NoAlarms),
            (thinking, "_warm_up", nothing),
            (thinking, "_solve_rulebooks", nothing),
            # What a game's card shows is the same in every process, and takes a while to draw.
            (offers, "describe", functools.cache(catalogue.describe)),
            *_no_list_of_tasks(),
        ):
            yield
    finally:
        logger.removeHandler(EARS)
        uvicorn.removeHandler(EARS)
        uvicorn.propagate = True
        logger.setLevel(level)
        logger.propagate = before
        gc.unfreeze()
