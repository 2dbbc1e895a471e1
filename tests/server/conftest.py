"""The real parts to test with: databases, and a server for all tests that do no harm to it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from tests.server import postgres as databases
from tests.server.running import Server
from tests.server.walls import Wall
from trapline.server import clocks, room, seating

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SCHEMAS = itertools.count()


@pytest.fixture(scope="session")
def postgres() -> Iterator[databases.Server]:
    server = databases.Server()
    try:
        yield server
    finally:
        server.remove()


@pytest.fixture(params=["sqlite", "postgres"])
def make_url(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Addresses of empty databases, a new one at each call."""
    if request.param == "sqlite":
        return lambda: f"sqlite:{tmp_path}/{next(SCHEMAS)}.db"
    server: databases.Server = request.getfixturevalue("postgres")
    return lambda: server.new_database(f"s{next(SCHEMAS)}")


@pytest.fixture
def url(make_url: Callable[[], str]) -> str:
    return make_url()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("server")
    with Server(home, opens_per_minute="100000", commands_per_second="1000") as running:
        yield running


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Wall:
    """The time of the server's modules that clocks go by."""
    clock = Wall()
    for module in (seating, room, clocks):
        monkeypatch.setattr(module, "now", clock)
    return clock
