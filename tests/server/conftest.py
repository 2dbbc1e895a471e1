"""One real server for all tests of a process that do no harm to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.server.running import Server

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("server")
    with Server(home, opens_per_minute="100000", commands_per_second="1000") as running:
        yield running
