"""Boards look the same whoever draws them: the page, the server, and the reports."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
import pytest

from trapline.boards.outlines import OUTLINES
from trapline.core import Picture, Shape
from trapline.games import GAMES, make_game
from trapline.report import pictures
from trapline.server.catalogue import describe
from trapline.server.stills import CARD, still

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.server.browser.driver import Visitor

OUTLINE = """async kind => {
  const { drawShape } = await import('/static/js/shapes.js');
  const drawn = drawShape({ kind, width: 40, height: 20 });
  return drawn.querySelector('polygon').getAttribute('points');
}"""


def test_page_and_report_know_the_same_outlines(visit: Callable[..., Visitor]) -> None:
    me = visit()
    me.go("/")
    for kind in OUTLINES:
        text = pictures.board(Picture(40, 20, (Shape(kind, 0, 0, 40, 20),)), "")
        reported = text.partition('points="')[2].partition('"')[0]
        drawn = str(me.page.evaluate(OUTLINE, kind))
        assert _numbers(drawn) == pytest.approx(_numbers(reported), abs=0.11)


MINIATURE = """async picture => {
  const { miniature } = await import('/static/js/picture.js');
  return miniature(picture).outerHTML;
}"""
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-\d+)?")
LONG_STRIP = Picture(
    1500, 90, tuple(Shape("circle", 30 + 60 * i, 40, 30, 30, place=i) for i in range(25)), fold=60
)


def test_the_server_draws_cards_as_the_page_would(visit: Callable[..., Visitor]) -> None:
    me = visit()
    me.go("/")
    games = [describe(make_game(name), "rulebook").picture for name in GAMES]
    for picture in (*games, LONG_STRIP):
        sent = msgspec.to_builtins(picture)
        drawn = str(me.page.evaluate(MINIATURE, sent))
        written = me.page.evaluate(PARSED, still(picture, CARD))
        assert _attributes(drawn) == _attributes(written)
        ours, theirs = (
            [float(n) for n in NUMBER.findall(_without_names(t))] for t in (written, drawn)
        )
        assert ours == pytest.approx(theirs, abs=0.11)
        assert len(ours) > 100


PARSED = """svg => {
  const page = new DOMParser().parseFromString(svg, 'text/html');
  return page.querySelector('svg').outerHTML;
}"""


def _without_names(svg: str) -> str:
    return re.sub(r'(class|data-at)="[^"]*"', "", svg)


def _attributes(svg: str) -> list[str]:
    """Every element with what is seen of it, whatever the order and the numbers."""
    unseen = ("data-at=", "aria-hidden=", "role=")
    found = []
    for tag in re.findall(r"<[^>]+>", svg):
        head, *rest = re.split(r' (?=[\w-]+=")', tag.strip("</>"))
        kept = [NUMBER.sub("#", one) if "class=" not in one else one for one in rest]
        found.append(" ".join([head, *sorted(one for one in kept if not one.startswith(unseen))]))
    return found


def _numbers(points: str) -> list[float]:
    return [float(number) for point in points.split() for number in point.split(",")]
