"""The full screen: whole matches by keys, arrows and mouse, in every size."""

from __future__ import annotations

import re
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests.outside.examples import FILES, IDS
from tests.terminal.pilots import Person, a_match, at_the_table, plays_to_the_end, run
from trapline.games import GAMES
from trapline.referee import verify
from trapline.terminal.full.board import BoardView
from trapline.terminal.full.widgets import KeyBar, OfferButton
from trapline.terminal.saves import Saves

if TYPE_CHECKING:
    from pathlib import Path


def all_holds() -> bool:
    return not [check for record in Saves().all() for check in verify(record) if check.fault]


SHORT: dict[str, dict[str, Any]] = {
    "hidden-path": {"length": 4, "traps": 1},
    "trap-builder": {"length": 5, "traps": 1},
    "trap-runner": {"length": 5},
    "secret-paths": {"size": 3, "turn_limit": 12},
    "numeric-maze": {"length": 7, "traps": (5,)},
}
"""Games that are over soon: every key costs a screen."""


@pytest.mark.slow
@pytest.mark.parametrize(("seat", "size"), [(1, (40, 24)), (2, (200, 50))])
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_of_every_game_from_either_side(
    game: str, seat: int, size: tuple[int, int]
) -> None:
    async def play() -> None:
        one, two = ("random", None) if seat == 2 else (None, "random")
        match = a_match(game, one=one, two=two, **SHORT[game])
        async with at_the_table(match, size) as person:
            over = await plays_to_the_end(person, Random(f"{game} {seat}"))
            assert max(map(len, over.splitlines())) <= size[0]
            await person.until(lambda: re.search("wins|won|drawn", person.sees), "told the end")
            await person.press("m")
            await person.reads("Mind where you step")

    run(play())
    assert all_holds()


@pytest.mark.parametrize(
    ("game", "size"),
    [
        *((game, (40, 24)) for game in GAMES),
        ("hidden-path", (100, 40)),
        ("secret-paths", (200, 50)),
    ],
)
def test_board_log_question_and_keys_are_in_sight_at_once(game: str, size: tuple[int, int]) -> None:
    """The rulebook's own sizes, in the middle of a match."""

    async def look() -> None:
        match = a_match(game, two="random")
        rng = Random(game)
        while match.view(None).turn < 4 and match.outcome is None:
            seat = match.asked[0]
            question = match.question(seat)
            assert question is not None
            match.play(seat, question.record(question.random(rng)))
        async with at_the_table(match, size) as person:
            await person.asked()
            assert person.table.page is not None
            last = person.table.page.account[-1].split()[-1]
            await person.until(lambda: last in person.sees, "told what happened last")
            seen = await person.reads("leave")
            assert re.search("[┌│]", seen)
            assert person.table.asked is not None
            assert person.table.asked.prompt.split()[0] in seen
            assert max(map(len, seen.splitlines())) <= size[0]

    run(look())


@pytest.mark.parametrize("size", [(40, 24), (80, 24), (120, 40)])
@pytest.mark.parametrize(
    ("game", "pressed"), [("hidden-path", ["7", "0"]), ("secret-paths", ["space"])]
)
def test_what_is_marked_is_seen_without_colours(
    game: str, pressed: list[str], size: tuple[int, int]
) -> None:
    """Under the cursor too, which lies over the colour of what is marked."""

    async def look() -> None:
        async with at_the_table(a_match(game, two="casual"), size) as person:
            await person.asked()
            assert "●" not in person.sees
            await person.press(*pressed)
            await person.until(lambda: person.sees.count("●") == len(pressed), "showed all marks")
            await person.press(pressed[-1])
            await person.until(
                lambda: person.sees.count("●") == len(pressed) - 1, "took one mark off"
            )

    run(look())


@pytest.mark.parametrize("name", ["battleship", "liars_dice", "nim"])
def test_any_game_from_outside_is_played_too(name: str) -> None:
    path = FILES[IDS.index(name)]

    async def play() -> None:
        match = a_match(str(path), two="casual", first=None)
        async with at_the_table(match, (60, 30)) as person:
            await plays_to_the_end(person, Random(path.stem))

    run(play())
    assert all_holds()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kuhn", "goofspiel"])
def test_two_people_play_any_game_from_outside(name: str) -> None:
    """One deals and whispers, the other asks both at once."""
    path = FILES[IDS.index(name)]

    async def play() -> None:
        async with at_the_table(a_match(str(path), first=None), (80, 30)) as person:
            await plays_to_the_end(person, Random(path.stem))

    run(play())
    assert all_holds()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options", "key", "shows"),
    [
        ("secret-paths", {"size": 9}, "left", "9 │"),
        ("hidden-path", {"length": 99, "traps": 1}, "up", "99"),
    ],
)
def test_a_board_that_is_too_large_shows_where_the_cursor_is(
    game: str, options: dict[str, Any], key: str, shows: str
) -> None:
    async def play() -> None:
        async with at_the_table(a_match(game, two="random", **options), (40, 24)) as person:
            await person.asked()
            for _ in range(40):
                await person.press("down", "right")
            seen = await person.reads(shows)
            assert "Player 1" in seen
            assert re.search(r"sealed|moves first", " ".join(seen.split())), seen  # the log, too
            await person.press(key)

    run(play())


# --- ways to answer ---------------------------------------------------------------------


def test_traps_are_toggled_on_the_board(pictures: Path) -> None:
    async def play() -> None:
        async with at_the_table(a_match("hidden-path", two="random"), (100, 30)) as person:
            await person.asked()
            await person.press("right", "right", "space")  # step 3
            assert person.table.choice.marked == ["3"]
            await person.press("0", "5", "7")
            assert person.table.choice.marked == ["3", "10", "5"]
            await person.reads("All 3 are chosen")
            await person.press("5")  # off again
            await person.press("enter")
            await person.reads("1 more")
            await person.press("backspace")
            assert person.table.choice.marked == ["3"]
            await person.press("1", "2")
            await person.reads("Chosen: 1 2 3 (3 of 3)")
            await person.answer("enter")
            await person.asked()
            # Three traps and the legend.
            await person.until(lambda: person.sees.count("▲") == 4, "marked three traps")
            for _ in range(2):
                await person.answer("2")
                await person.asked()
            drawn = person.app.export_screenshot(title="trapline")
            fetched = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)  # it shall fetch nothing
            (pictures / "terminal.svg").write_text(fetched.sub("", drawn), "utf-8")

    run(play())


async def clicks(person: Person, place: object) -> None:
    board, spots = person.app.screen.query_one(BoardView), None
    while spots != board.spots:  # what is told above it may move it
        spots = board.spots
        await person.pilot.pause()
    spot = next(spot for at, spot in board.spots.items() if at == place)
    middle = (spot.column + spot.width // 2, spot.line + spot.height // 2)
    await person.pilot.click(BoardView, offset=middle)


@pytest.mark.parametrize("size", [(40, 24), (200, 50)])
def test_a_match_by_mouse_alone(size: tuple[int, int]) -> None:
    async def play() -> None:
        async with at_the_table(a_match("secret-paths", two="random"), size) as person:
            await person.asked()
            await clicks(person, (1, 1))
            await person.reads("That place cannot be chosen now.")
            await clicks(person, (5, 2))
            await person.until(lambda: person.table.choice.marked == ["5,2"], "marked by click")
            before = person.table.asked
            await person.pilot.click(KeyBar, offset=enter_in(person))
            await person.until(lambda: person.table.asked not in (before, None), "moved")
            await clicks(person, (4, 2))
            await person.until(lambda: "(4,2)" in person.sees, "moved by click")

    run(play())
    (record,) = Saves().all()
    assert record.secrets is not None
    assert record.secrets["1"] == [5, 2]
    assert record.moves[0] == [4, 2]


def enter_in(person: Person) -> tuple[int, int]:
    bar = person.app.screen.query_one(KeyBar)
    for row, line in enumerate(bar._lines(bar.content_size.width)):
        if "Enter" in line.plain:
            return line.plain.index("Enter") + 1, row
    raise AssertionError("no Enter in the bar")


def test_buttons_answer_too() -> None:
    async def play() -> None:
        async with at_the_table(a_match("numeric-maze", two="random")) as person:
            await person.asked()
            buttons = list(person.app.screen.query(OfferButton))
            assert [button.offer.text for button in buttons] == ["1", "2", "3"]
            await person.pilot.click(buttons[1])
            await person.reads("Player 1 moves to position 2.")

    run(play())


def test_while_an_answer_is_typed_the_bar_names_the_keys_that_still_work() -> None:
    async def play() -> None:
        async with at_the_table(a_match("numeric-maze"), size=(80, 24)) as person:
            await person.asked()
            await person.press("9")
            page = await person.reads("Enter  give this answer   Esc  drop it")
            assert "r  rules" not in page
            await person.press("r")
            await person.reads("9r")
            await person.press("escape")
            await person.reads("r  rules")
            assert "drop it" not in person.sees

    run(play())


def test_an_answer_can_be_typed_and_a_refusal_is_explained() -> None:
    async def play() -> None:
        async with at_the_table(a_match("secret-paths", two="random")) as person:
            await person.asked()
            await person.press("4")
            await person.reads("Chosen")
            await person.press("comma", "1", "enter")
            await person.reads("(4,1) cannot be your Goal Cell")
            await person.asked()
            await person.press("5", "comma", "3")
            await person.press("escape")  # thought better of it
            assert "5,3" not in person.sees
            await person.press("5", "comma", "2", "enter")
            await person.reads("Goal Cell selected.")

    run(play())


def named_in_bar(person: Person, key: str) -> bool:
    return any(key in line for line in person.sees.splitlines()[-2:])


def test_the_bar_names_the_keys_and_help_tells_them_all() -> None:
    async def play() -> None:
        async with at_the_table(a_match("trap-runner", two="random")) as person:
            await person.asked()
            for key in ("help", "rules", "resign", "leave", "hint", "draw"):
                bar = partial(named_in_bar, person, key)
                await person.until(bar, f"named {key}")
            await person.press("question_mark")
            await person.reads("2t: two squares")
            await person.press("escape")
            await person.press("r")
            await person.reads("Run to square 10 and leave hidden traps")
            await person.press("q")
            await person.reads("Your Position: Square 0")
            await person.answer("2")  # keys are answers again

    run(play())


def test_rules_on_the_screen_begin_with_what_the_variant_changes() -> None:
    async def play() -> None:
        match = a_match("hidden-path", two="random", length=6)
        async with at_the_table(match) as person:
            await person.asked()
            await person.press("r")
            await person.reads("length is 6 here, usually 10")

    run(play())


def test_a_command_never_takes_the_key_of_an_answer() -> None:
    """In a game of words the letters belong to the answers; the other keys still work."""

    async def play() -> None:
        path = FILES[IDS.index("liars_dice")]
        async with at_the_table(a_match(str(path), two="random", first=1)) as person:
            offers = await person.asked()
            keys = [offer.key for offer in offers if offer.key]
            assert len(keys) == len(set(keys))
            commands = [key for key, _ in person.table.keys().values()]
            assert not set(keys) & set(commands)
            await person.press("f8")
            await person.reads("do you really resign")
            await person.answer("y")
            await person.reads("What next?")

    run(play())
