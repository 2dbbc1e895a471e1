"""What a player may believe of each place, on the board with a hint, and nothing more than that."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.terminal.pilots import a_match, at_the_table, run
from trapline.coach import advise
from trapline.games import make_game
from trapline.referee import Match

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.pilots import Person
    from trapline.core import Spot


def test_the_chances_of_all_places_add_up_to_what_is_hidden() -> None:
    match = Match(make_game("trap-builder"), 1)
    match.play(1, (2, 4, 6))
    assert not advise(match.view(2)).suspected, "who hides something is told nothing yet"
    match.play(2, (1, 5, 7))
    suspected = advise(match.view(1)).suspected
    assert sum(found.chance for found in suspected) == pytest.approx(3, abs=0.01)


def test_a_trap_that_has_sprung_is_no_longer_suspected() -> None:
    match = Match(make_game("hidden-path"), 1)
    match.play(1, (1, 2, 7))
    match.play(2, (2, 5, 10))
    match.play(1, 2)
    match.play(2, 3)
    assert 2 not in {found.place for found in advise(match.view(1)).suspected}


@pytest.mark.parametrize("steps", [(1, 2), (1, 1), (3, 1)])
def test_beliefs_are_the_same_whatever_the_other_really_hides(
    steps: tuple[int, int],
) -> None:
    """The same moves against every secret under which they look the same."""
    game = make_game("trap-builder")
    asked = game.question(game.start(1), 2)
    assert asked is not None
    told: dict[Any, set[Any]] = {}
    for value in asked.values():
        match = Match(game, 1)
        match.play(1, (2, 4, 6))
        match.play(2, asked.record(value))
        for step in steps:
            if match.outcome is None and match.to_move is not None:
                match.play(match.to_move, step)
        if match.outcome is None and match.to_move == 1:
            view = match.view(1)
            told.setdefault(view.events, set()).add(advise(view).suspected)
    assert told, "in some world nobody was caught"
    assert all(len(versions) == 1 for versions in told.values())


def figures(person: Person) -> dict[Any, str]:
    """What stands at each place, as far as it is a figure."""
    board = person.table.board
    lines = [line.plain for line in board.render().renderables if hasattr(line, "plain")]

    def at(spot: Spot) -> str:
        rows = lines[spot.line : spot.line + spot.height]
        return " ".join(row[spot.column : spot.column + spot.width] for row in rows)

    found = {place: re.search(r"\d\d+%?|\d%", at(spot)) for place, spot in board.spots.items()}
    return {place: match.group() for place, match in found.items() if match}


@pytest.mark.parametrize("size", [(40, 20), (80, 24)])
def test_a_hint_writes_them_where_they_are_and_an_answer_wipes_them(size: tuple[int, int]) -> None:
    async def play() -> None:
        match = a_match("trap-builder", two="random")
        async with at_the_table(match, size=size) as person:
            await person.asked()
            await person.press("2", "4", "6", "enter")
            await person.reads("Player 1 is at Position 0.")
            await person.asked()
            assert not figures(person)
            expected = {
                found.place: f"{found.chance:.0%}" for found in advise(match.view(1)).suspected
            }
            await person.answer("h")
            await person.reads("Perfect play answers")
            await person.asked()
            await person.reads("hidden there by best play")
            if size[0] < 60:  # two characters a square: certain is 99
                expected = {at: str(min(99, int(told[:-1]))) for at, told in expected.items()}
            assert figures(person) == expected
            await person.answer("3")
            await person.until(lambda: not figures(person), "wiped them")

    run(play())


def test_practice_shows_them_until_it_is_switched_off() -> None:
    async def play() -> None:
        match = a_match("trap-builder", two="random")
        async with at_the_table(match) as person:
            await person.asked()
            await person.press("2", "4", "6", "enter")
            await person.reads("Player 1 is at Position 0.")
            await person.asked()
            await person.press("p")
            await person.until(lambda: figures(person), "showed them")
            await person.press("p")
            await person.until(lambda: not figures(person), "took them away")

    run(play())


def test_in_lines_they_are_told_place_by_place(home: Path) -> None:
    played = subprocess.run(
        [sys.executable, "-m", "trapline", "play", "trap-builder", "--vs", "random"],
        input="2 4 6\nhint\n",
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TRAPLINE_HOME": str(home)},
    )
    told = re.search(
        r"Place by place, how likely random hides something, .*: (.*)\.", played.stdout
    )
    assert told, played.stdout
    match = Match(make_game("trap-builder"), 1)
    match.play(1, (2, 4, 6))
    match.play(2, (1, 5, 7))
    expected = {f"{at.place} {at.chance:.0%}" for at in advise(match.view(1)).suspected}
    assert set(told.group(1).split("; ")) == expected
