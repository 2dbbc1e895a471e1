"""What takes longer to answer than to ask is answered only so often, each such thing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.server.running import Server

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    Asked = tuple[httpx.Client, str]


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """A server that answers each address once, and a match that is over."""
    with (
        Server(tmp_path_factory.mktemp("once"), asks_per_minute="1") as server,
        server.client() as http,
    ):
        body = {"game": "numeric-maze", "against": "here", "first": 1}
        match = http.post("/api/matches", json=body).json()["match"]
        resign = {"key": "k", "version": 1, "command": {"do": "resign"}}
        assert http.post(f"/api/matches/{match}/commands?seat=1", json=resign).status_code == 200
        yield http, match


@pytest.mark.parametrize(
    ("number", "address", "body"),
    [
        (1, "/api/lobby", None),
        (2, "/api/matches/{match}/qr", None),
        (3, "/api/matches/{match}/record", None),
        (4, "/api/matches/{match}/frames", None),
        (5, "/api/matches/{match}/analysis", None),
        (6, "/api/matches/{match}/hint?seat=1", None),
        (7, "/m/{match}/card.png", None),
        (8, "/api/games/numeric-maze/variant", {"options": {"length": 7}}),
    ],
)
def test_an_address_asks_only_so_often(once: Asked, number: int, address: str, body: Any) -> None:
    http, match = once
    headers = {"X-Forwarded-For": f"192.0.2.{number}"}
    where = address.format(match=match)
    answers = [
        http.request("POST" if body else "GET", where, json=body, headers=headers).status_code
        for _ in range(2)
    ]
    assert answers[0] not in (404, 405, 429)
    assert answers[1] == 429
