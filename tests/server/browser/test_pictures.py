"""The page and the reports draw the same shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trapline.boards.outlines import OUTLINES
from trapline.core import Picture, Shape
from trapline.report import pictures

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


def _numbers(points: str) -> list[float]:
    return [float(number) for point in points.split() for number in point.split(",")]
