"""Boards as pictures: whatever the game, the page can draw them and find every answer's place."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import msgspec
import pytest

from trapline.boards.outlines import OUTLINES
from trapline.core import BY_SEAT, SEATS, Picture
from trapline.games import GAMES, make_game
from trapline.referee import Match
from trapline.report import pictures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import View

EXAMPLES = sorted(str(path) for path in Path("examples/games").glob("[!_]*.py"))
KINDS = {"circle", "rect", "line", "text", *OUTLINES}


def views(spec: str) -> Iterator[View]:
    """What everybody sees in the course of a match by chance."""
    match, rng = Match(make_game(spec), 1, chance="1"), Random(5)
    while match.outcome is None:
        yield from (match.view(viewer) for viewer in (*SEATS, None))
        seat = rng.choice(match.asked)
        question = match.question(seat)
        assert question is not None
        match.play(seat, question.record(question.random(rng)))
    yield match.view(None)


@pytest.mark.parametrize("spec", [*GAMES, *EXAMPLES])
def test_pictures_can_be_drawn_and_answered_on(spec: str) -> None:
    for view in views(spec):
        picture = view.board.picture(BY_SEAT, view.seat, "square")
        assert msgspec.json.decode(msgspec.json.encode(picture), type=Picture) == picture
        ids = [shape.id for shape in picture.shapes if shape.id]
        places = [shape.place for shape in picture.shapes if shape.place is not None]
        assert len(set(ids)) == len(ids)
        assert len(set(places)) == len(places)
        assert {shape.kind for shape in picture.shapes} <= KINDS
        assert all(shape.label for shape in picture.shapes if shape.place is not None)
        assert all(0 <= shape.x <= picture.width for shape in picture.shapes)
        assert all(0 <= shape.y <= picture.height for shape in picture.shapes)
        if view.question is not None:
            asked = {answer.place for answer in view.question.answers} - {None}
            assert asked <= set(places)
        assert pictures.board(picture, "A board").count("<title>") == 1


def test_a_name_that_holds_markup_is_only_text() -> None:
    board = make_game("hidden-path").board(make_game("hidden-path").start(1), None, False)
    drawn = pictures.board(board.picture({1: "<b>", 2: "&"}, None), "<i>")
    assert "<b>" not in drawn
    assert "<i>" not in drawn
