"""Variants that are not shipped: solved in the background, and nobody waits for it."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.running import Server
from tests.server.stores import in_loop
from trapline.games import make_game
from trapline.referee import Match
from trapline.server.solving import LATER, READY, Variant
from trapline.server.thinking import Thinkers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from trapline.core import View

LONG = Variant("hidden-path", {"length": 12, "walls": False}, 1)
"""Its search goes on for as long as a test may take."""
SHORT = Variant("numeric-maze", {"length": 31}, 1)
SHIPPED = Variant("trap-runner", {"length": 6}, 2)
UNDER_WAY = re.compile(r"being worked out: .* (to go|at most)\.")


@pytest.fixture
def thinkers() -> Iterator[Thinkers]:
    processes = Thinkers(1)
    yield processes
    processes.stop()


def view_of(variant: Variant) -> View:
    match = Match(make_game(variant.game, variant.options), variant.first)
    return match.view(match.asked[0])


@in_loop
async def test_until_a_variant_is_solved_a_level_answers_and_is_named(thinkers: Thinkers) -> None:
    thought = await thinkers.thought("perfect", view_of(LONG), LONG)
    assert thought.text
    assert thought.instead == "sharp"
    assert UNDER_WAY.search(thought.why)
    assert UNDER_WAY.search((await thinkers.hint(view_of(LONG), "", LONG)).hint)
    later = await thinkers.thought("keen", view_of(SHORT), SHORT)
    assert (later.instead, later.why) == ("sharp", LATER), "one search at a time"
    own = await thinkers.thought("casual", view_of(LONG), LONG)
    assert not own.instead, "who plays no solution needs none"


@in_loop
async def test_what_was_solved_is_played(thinkers: Thinkers) -> None:
    while await thinkers.solving.stands(SHORT) != READY:
        await asyncio.sleep(0.05)
    thought = await thinkers.thought("perfect", view_of(SHORT), SHORT)
    assert (thought.instead, thought.why) == ("", "")
    assert await thinkers.hint(view_of(SHORT), "", SHORT)


@in_loop
async def test_what_is_shipped_needs_no_search_and_no_process(thinkers: Thinkers) -> None:
    assert await thinkers.solving.stands(SHIPPED) == READY
    assert await thinkers.solving.beforehand(SHIPPED) == ""
    assert thinkers.solving._process._pool is None


def test_the_page_is_told_beforehand_and_while_it_waits(tmp_path: Path) -> None:
    """At a server of its own, with which the search ends: it would go on for minutes beside other
    tests."""
    with Server(tmp_path) as server, server.client() as ann:
        asked = {"options": LONG.options}
        note = ann.post("/api/games/hidden-path/variant", json=asked).json()["note"]
        assert note.startswith("perfect and the coach have to work this variant out first")
        shipped = {"options": {"length": 6, "traps": 2}}
        assert not ann.post("/api/games/hidden-path/variant", json=shipped).json()["note"]
        body: dict[str, Any] = {"game": LONG.game, "options": LONG.options, "against": "here"}
        opened = ann.post("/api/matches", json=body).json()
        path = f"/api/matches/{opened['match']}"
        command = {"key": "k", "version": 1, "command": {"do": "resign"}}
        assert ann.post(f"{path}/commands?seat=1", json=command).status_code == 200
        answer = ann.get(f"{path}/analysis")
        assert answer.status_code == 202
        assert UNDER_WAY.search(answer.json()["waits"])
        assert answer.json()["share"] is None or 0.0 < answer.json()["share"] < 1.0
