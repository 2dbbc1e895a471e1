"""The full screen from the first key to the answer: only what was chosen is given."""

from __future__ import annotations

import pytest

from tests.terminal.pilots import a_match, at_the_table, run
from trapline.terminal.full.choice import CHOOSE_FIRST


@pytest.mark.parametrize("key", ["enter", "space"])
@pytest.mark.parametrize("game", ["numeric-maze", "trap-runner"])
def test_enter_gives_nothing_that_nobody_chose(game: str, key: str) -> None:
    async def play() -> None:
        match = a_match(game, two="random")
        async with at_the_table(match) as person:
            await person.asked()
            await person.press(key, key)
            await person.reads(CHOOSE_FIRST)
            assert match.view(1).turn == 0
            await person.press("right")
            assert CHOOSE_FIRST not in person.sees
            await person.answer(key)
            await person.until(lambda: match.view(1).events, "moved")

    run(play())


def test_the_first_arrow_points_from_the_middle_of_what_is_offered() -> None:
    async def play() -> None:
        match = a_match("secret-paths", two="random")
        async with at_the_table(match) as person:
            await person.asked()
            await person.press("space")
            await person.answer("enter")
            await person.asked()
            assert person.table.board.cursor_spot is None
            await person.press("up")
            board = person.table.board
            assert board.cursor_spot is not None
            assert board.cursor_spot.line == min(board.spots[at].line for at in board._candidates)

    run(play())


def test_enter_alone_neither_resigns_nor_begins_a_rematch() -> None:
    async def play() -> None:
        match = a_match("numeric-maze", two="random")
        async with at_the_table(match) as person:
            await person.asked()
            await person.answer("x")
            await person.reads("do you really resign")
            await person.asked()
            await person.press("enter")
            await person.reads(CHOOSE_FIRST)
            assert match.outcome is None
            await person.answer("y")
            await person.reads("What next?")
            await person.asked()
            await person.press("enter")
            await person.reads(CHOOSE_FIRST)

    run(play())


def test_enter_takes_the_only_answer_there_is() -> None:
    async def play() -> None:
        match = a_match("numeric-maze", two="random", length=4, traps=())
        match.play(1, 3)
        match.play(2, 1)
        async with at_the_table(match) as person:
            await person.asked()
            await person.answer("enter")
            await person.reads("Player 1 has reached position 4")

    run(play())


def test_what_is_marked_stays_marked_whatever_else_is_pressed() -> None:
    async def play() -> None:
        async with at_the_table(a_match("hidden-path", two="random")) as person:
            await person.asked()
            await person.press("4", "7")
            await person.press("z")
            await person.answer("enter")
            await person.reads("Type the steps as numbers")
            await person.reads("Chosen: 4 7 (2 of 3)")
            await person.answer("x")
            await person.reads("do you really resign")
            await person.answer("n")
            await person.reads("Chosen: 4 7 (2 of 3)")
            await person.asked()
            await person.press("9")
            await person.answer("enter")
            await person.until(lambda: person.table.match.view(1).secret == (4, 7, 9), "kept")

    run(play())


def test_what_one_has_marked_never_reaches_the_other() -> None:
    async def play() -> None:
        match = a_match("hidden-path", one="Ann", two="Ben")
        async with at_the_table(match) as person:
            await person.answer("enter")
            await person.asked()
            await person.press("4", "7")
            await person.answer("d")
            await person.reads("Ben, accept the draw?")
            assert "Chosen" not in person.sees
            assert "●" not in person.sees
            await person.answer("n")
            await person.answer("enter")
            await person.reads("Chosen: 4 7 (2 of 3)")
            await person.asked()
            await person.press("9")
            await person.answer("enter")
            await person.reads("Pass the device to Ben")
            await person.answer("enter")
            await person.reads("Chosen: nothing yet (0 of 3)")

    run(play())


def test_a_rematch_begins_with_nothing_marked() -> None:
    async def play() -> None:
        async with at_the_table(a_match("hidden-path", two="random"), first=1) as person:
            await person.asked()
            await person.press("4", "7")
            await person.answer("x")
            await person.answer("y")
            await person.reads("What next?")
            await person.answer("r")
            await person.reads("Chosen: nothing yet (0 of 3)")

    run(play())


@pytest.mark.parametrize(
    ("game", "typed", "chosen"),
    [("hidden-path", "9 4 7", "4 7 9 (3 of 3)"), ("secret-paths", "5,2", "5,2 (1 of 1)")],
)
def test_a_secret_that_is_typed_unseen_is_seen_before_it_is_sealed(
    game: str, typed: str, chosen: str
) -> None:
    async def play() -> None:
        match = a_match(game, one="Ann", two="Ben")
        async with at_the_table(match) as person:
            await person.answer("enter")
            await person.asked()
            names = {" ": "space", ",": "comma"}
            await person.press("z", "backspace", *(names.get(sign, sign) for sign in typed))
            await person.reads("•" * len(typed))
            assert typed not in person.sees
            await person.press("enter")
            await person.reads(f"Chosen: {chosen}; Enter keeps it")
            assert match.view(1).secret is None
            await person.answer("enter")
            await person.reads("Pass the device to Ben")
            assert match.view(1).secret is not None

    run(play())


def test_what_is_typed_unseen_and_is_no_answer_is_refused() -> None:
    async def play() -> None:
        async with at_the_table(a_match("hidden-path", one="Ann", two="Ben")) as person:
            await person.answer("enter")
            await person.asked()
            await person.press("z", "backspace", "4", "space", "4", "space", "7")
            await person.answer("enter")
            await person.reads("Every step counts once")

    run(play())
