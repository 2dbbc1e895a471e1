"""Lessons on the full screen: the steps above the real board, answered by the keys of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.terminal.emulator import Terminal
from tests.terminal.pilots import at_the_table, run
from trapline.games import GAMES
from trapline.server.teaching import staged
from trapline.terminal.full.lesson import LessonScreen
from trapline.terminal.full.setup import SetupScreen

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.pilots import Person


async def answer(person: Person, text: str) -> None:
    """By its keys, or with the arrows; what is hidden is marked and then kept."""
    offers = await person.asked()
    choice, before = person.table.choice, person.table.page
    for part in text.split() if choice.wanted else [text]:
        offer = next(offer for offer in offers if offer.text == part)
        if offer.key:
            await person.press(offer.key)
        else:
            await person.walk_to(offer)
            await person.press("space")
    if choice.wanted:
        await person.press("enter")
    await person.until(lambda: person.table.page is not before, "took it")
    await person.asked()


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_is_played_to_its_end_by_keys(game: str) -> None:
    course = staged(GAMES[game])
    assert course is not None  # every rulebook has one
    stages = [stage for stage in course.stages if stage.question and not stage.question.forced]

    async def learn() -> None:
        async with at_the_table(size=(80, 30)) as person:
            await person.press(str(1 + list(GAMES).index(game)))
            await person.until(lambda: isinstance(person.app.screen, SetupScreen), "opened")
            await person.press("l")
            await person.until(lambda: isinstance(person.app.screen, LessonScreen), "began")
            corrected = 0
            for stage in stages:
                offers = await person.asked()
                await person.reads(stage.says)
                wrong = [offer.text for offer in offers if offer.text != stage.answer]
                if wrong and not person.table.choice.wanted:
                    await answer(person, wrong[0])
                    told = stage.hint if stage.finds else f"In this lesson, answer {stage.answer}."
                    await person.reads(told)
                    corrected += 1
                await answer(person, stage.answer)
            assert corrected
            await person.reads(course.closing)
            assert person.table.match.outcome is not None
            await person.press("p")
            await person.until(lambda: isinstance(person.app.screen, SetupScreen), "leads to play")
            assert not [*person.app.saves.all()], "nothing of a lesson is kept"

    run(learn())


def test_the_command_opens_the_lesson_where_keys_can_be_pressed(home: Path) -> None:
    with Terminal("learn", "numeric-maze", home=home, environment={"TRAPLINE_SCREEN": ""}) as it:
        it.wait_for("Choose your move")
        it.child.send("q")
        it.wait_for("Mind where you step")
        it.child.send("q")
        assert it.end() == 0


def test_a_lesson_can_be_left_at_any_question() -> None:
    async def leave() -> None:
        async with at_the_table(size=(40, 18)) as person:
            await person.press("1")
            await person.until(lambda: isinstance(person.app.screen, SetupScreen), "opened")
            await person.press("l")
            await person.asked()
            await person.press("q")
            await person.until(lambda: isinstance(person.app.screen, SetupScreen), "left")

    run(leave())
