"""Endpoints of language models that are slow, busy, broken, or away."""

from __future__ import annotations

import json
import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests.llm_server import Answer, Server
from tests.players.models import KEY, QUICK, maze
from trapline.core import Unavailable
from trapline.players.llm import endpoint
from trapline.players.llm.player import LlmPlayer
from trapline.players.llm.settings import Address, Settings

if TYPE_CHECKING:
    from collections.abc import Callable


def direct(server: Server, sleeps: list[float], settings: Settings = QUICK) -> LlmPlayer:
    asked = endpoint.Endpoint(Address(server.url, KEY), settings, sleeps.append)
    return LlmPlayer("llm:tiny", "tiny", settings, asked)


def then_good(*bad: Answer) -> Callable[[dict[str, Any], int], Answer]:
    return lambda _request, number: bad[number] if number < len(bad) else Answer("ANSWER: 3")


def test_too_many_requests_waits_as_long_as_it_is_told() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=40), usegmt=True)
    busy = [Answer(status=429, headers={"Retry-After": after}) for after in ("7", soon)]
    sleeps: list[float] = []
    with Server(then_good(*busy)) as server:
        assert direct(server, sleeps).choose(maze().view(1), Random(1)) == 3
    assert sleeps[0] == 7.0
    assert 30 < sleeps[1] <= 40


def test_an_endpoint_that_wants_more_patience_than_we_have_counts_as_away() -> None:
    sleeps: list[float] = []
    with (
        Server(then_good(Answer(status=429, headers={"Retry-After": "3600"}))) as server,
        pytest.raises(Unavailable, match="status 429"),
    ):
        direct(server, sleeps).choose(maze().view(1), Random(1))
    assert sleeps == []


@pytest.mark.parametrize(
    "bad",
    [
        Answer(status=500),
        Answer(status=503, raw=b"<html>"),
        Answer(raw=b"{"),
        Answer(raw=b'{"choices": []}'),
        Answer(raw=b"[]"),
        Answer(raw=b""),
        Answer(raw=b'{"choices": [{"message": {"content": [{"type": "text"}]}}]}'),
    ],
)
def test_a_passing_fault_is_asked_again_each_time_later(bad: Answer) -> None:
    sleeps: list[float] = []
    slow = Settings(retries=2, backoff=10.0)
    with Server(then_good(bad, bad)) as server:
        asked = direct(server, sleeps, slow)
        assert asked.choose(maze().view(1), Random(1)) == 3
    assert 5 <= sleeps[0] <= 10 <= sleeps[1] <= 20
    assert asked.spent().requests == 3


def completion(content: object, read: object, written: object) -> Answer:
    usage = {"prompt_tokens": read, "completion_tokens": written}
    return Answer(
        raw=json.dumps({"choices": [{"message": {"content": content}}], "usage": usage}).encode()
    )


def test_an_answer_in_parts_is_the_text_among_them() -> None:
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "ANSWER: 1"}]}
    parts = [thought, {"type": "text", "text": "ANS"}, {"type": "text", "text": "WER: 3"}]
    with Server(lambda *_: completion(parts, 5, 7)) as server:
        asked = direct(server, [])
        assert asked.choose(maze().view(1), Random(1)) == 3
    assert (asked.spent().tokens_in, asked.spent().tokens_out) == (5, 7)


@pytest.mark.parametrize("count", [-5, 1e300, 10**30, None])
def test_tokens_that_nobody_can_have_counted_are_on_no_bill(count: object) -> None:
    with Server(lambda *_: completion("ANSWER: 3", count, 7)) as server:
        asked = direct(server, [])
        assert asked.choose(maze().view(1), Random(1)) == 3
    assert (asked.spent().tokens_in, asked.spent().tokens_out) == (0, 7)


def test_a_lasting_fault_is_given_up_with_a_sentence() -> None:
    with (
        Server(
            lambda *_: Answer(status=500, raw=b'{"error": {"message": "out of order"}}')
        ) as server,
        pytest.raises(Unavailable, match=r"status 500: out of order \(asked 3 times\)"),
    ):
        direct(server, []).choose(maze().view(1), Random(1))
    assert len(server.bodies) == 3


def complaint(status: int, message: str) -> Answer:
    return Answer(status=status, raw=json.dumps({"error": {"message": message}}).encode())


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        (complaint(401, KEY), "does not accept the key"),
        (complaint(404, f"no {KEY}"), r"status 404: no \*\*\*"),
        (Answer(status=302, headers={"Location": "/elsewhere"}), "status 302"),
    ],
)
def test_a_hopeless_request_is_not_repeated_and_names_no_key(bad: Answer, sentence: str) -> None:
    with Server(lambda *_: bad) as server, pytest.raises(Unavailable, match=sentence) as refused:
        direct(server, []).choose(maze().view(1), Random(1))
    assert len(server.bodies) == 1
    assert KEY not in str(refused.value)


@pytest.mark.parametrize("late", [Answer("ANSWER: 3", delay=0.6), Answer("ANSWER: 3", trickle=0.1)])
def test_a_slow_endpoint_times_out(late: Answer) -> None:
    slow = Settings(timeout=0.3, retries=1, backoff=0.001)
    with Server(lambda *_: late) as server, pytest.raises(Unavailable, match=r"in 0.3 s \(asked 2"):
        direct(server, [], slow).choose(maze().view(1), Random(1))


def test_a_dead_endpoint_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = Address(f"http://127.0.0.1:{taken.getsockname()[1]}/v1", KEY)
        dead = LlmPlayer("llm:tiny", "tiny", QUICK, endpoint.Endpoint(address, QUICK))
        with pytest.raises(Unavailable, match=r"cannot be reached: .*refused"):
            dead.choose(maze().view(1), Random(1))
