"""Databases to test with: the real ones."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from tests.server.postgres import Server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SCHEMAS = itertools.count()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    server = Server()
    try:
        yield server
    finally:
        server.remove()


@pytest.fixture(params=["sqlite", "postgres"])
def make_url(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Addresses of empty databases, a new one at each call."""
    if request.param == "sqlite":
        return lambda: f"sqlite:{tmp_path}/{next(SCHEMAS)}.db"
    server: Server = request.getfixturevalue("postgres")
    return lambda: server.new_database(f"s{next(SCHEMAS)}")


@pytest.fixture
def url(make_url: Callable[[], str]) -> str:
    return make_url()
