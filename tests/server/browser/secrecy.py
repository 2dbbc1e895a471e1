"""Looks everywhere a browser could hold what its player must not know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.server.browser.driver import SECRETS

if TYPE_CHECKING:
    from tests.server.browser.driver import Visitor


def nothing_shows(visitor: Visitor, game: str, seat: int) -> None:
    """Neither the page nor its storage holds the secret of `seat`."""
    grid = game == "secret-paths"
    mark = ".flag" if grid else ".trap"
    expect(visitor.page.locator(f".board {mark}.seat-{seat}")).to_have_count(0)
    # Every cell of a grid names its place, so there only the flags and the storage can tell.
    page = "" if grid else visitor.page.content()
    assert SECRETS[game][seat] not in page + str(visitor.stored())


def nothing_was_heard(visitor: Visitor, seat: int) -> None:
    """No frame that came before the end says what `seat` hides."""
    states = [frame.get("state") or frame for frame in visitor.heard]
    views = [state["view"] for state in states if state.get("type") == "state"]
    running = [view for view in views if not view["outcome"]]
    assert running
    # Who tries to trap a trapped square learns of that trap, and nobody else does.
    events = [event for view in running for event in view["events"]]
    found = {event["at"] for event in events if event["event"] == "trap tried"}
    for view in running:
        assert view["secrets"] is None
        assert view["seat"] != seat
        board = view["board"]
        if board["board"] == "grid":
            assert board["goals"][seat - 1] is None
        else:
            theirs = [trap for trap in board["traps"] if trap["owner"] == seat]
            assert all(trap["sprung"] or trap["at"] in found for trap in theirs)
    for state in states:
        if state.get("type") == "state" and not state["view"]["outcome"]:
            _not_drawn(state["picture"], seat, found)


def _not_drawn(picture: dict[str, Any], seat: int, found: set[int]) -> None:
    """Nothing that `seat` hides is among the shapes, unless both know of it."""
    hidden = [shape for shape in picture["shapes"] if shape.get("owner") == seat]
    assert not [shape for shape in hidden if "flag" in shape["look"].split()]
    for shape in hidden:
        looks = set(shape["look"].split())
        if "trap" in looks and not looks & {"sprung", "spent"}:
            assert int(shape["id"].split()[-1]) in found
