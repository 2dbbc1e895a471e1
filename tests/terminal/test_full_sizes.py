"""The full screen from the smallest to the largest: nothing that matters is cut off."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.terminal.pilots import a_match, at_the_table, run
from trapline.core import Suspicion
from trapline.games import GAMES, finding
from trapline.terminal.full.overlays import CLOSE
from trapline.terminal.full.replay import ReplayScreen
from trapline.terminal.full.widgets import OfferButton
from trapline.terminal.saves import Saves
from trapline.terminal.screen import SMALLEST

if TYPE_CHECKING:
    from tests.terminal.pilots import Person
    from trapline.referee import Match
    from trapline.terminal.full.board import BoardView

SIZES = [(40, 20), (60, 24), (80, 24), (120, 30), (200, 50)]


@pytest.fixture(autouse=True)
def _only_rulebooks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A menu of these, whatever was loaded before."""
    monkeypatch.setattr(finding, "_loaded", {})


def maze() -> Match:
    match = a_match("numeric-maze", one="Ann", two="casual")
    for step in (3, 3, 3, 3, 2, 3, 3):
        match.play(1, 1)
        match.play(2, step)
    return match


def right(person: Person) -> str:
    """What stands beside the names of the games, however its lines are broken."""
    return " ".join(line[20:].strip() for line in person.sees.splitlines())


@pytest.mark.parametrize("size", SIZES)
def test_the_menu_says_whole_sentences(size: tuple[int, int]) -> None:
    async def look() -> None:
        async with at_the_table(size=size) as person:
            await person.reads("Mind where you step")
            summaries = [kind.summary for kind in GAMES.values()]
            await person.reads(summaries[0])  # what the cursor stands on is told whole
            if size[0] >= 80:
                await person.until(lambda: all(told in right(person) for told in summaries))
            assert "…" not in person.sees

    run(look())


@pytest.mark.parametrize("size", SIZES[:3])
def test_the_history_says_how_each_match_ended_and_a_replay_goes_to_its_end(
    size: tuple[int, int],
) -> None:
    match = maze()
    Saves().save(match)

    async def look() -> None:
        async with at_the_table(size=size) as person:
            await person.press("h")
            await person.reads("casual won (goal)")
            assert "…" not in person.sees
            await person.press("enter")
            await person.reads("Before the first turn")
            await person.press("right", "right", "right", "right", "right", "right")
            await person.press("end")
            await person.reads("reached position 20 and wins the game!")
            await person.press("home")
            await person.reads("Before the first turn")
            assert isinstance(person.app.screen, ReplayScreen)

    run(look())


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES[::2])
@pytest.mark.parametrize("game", ["secret-paths", "numeric-maze"])
def test_the_whole_board_is_seen_when_somebody_moves_and_when_the_match_is_over(
    game: str, size: tuple[int, int]
) -> None:
    async def play() -> None:
        async with at_the_table(a_match(game, two="random"), size=size) as person:
            offers = await person.asked()
            if person.table.choice.wanted:
                await person.press("space", "enter")
                await person.until(lambda: len(person.table.choice.offers) > len(offers))
            await person.asked()
            await person.until(lambda: _whole(person.table.board), "showed the whole board")
            await person.answer("x")
            await person.answer("y")
            await person.reads("What next?")
            await person.pilot.pause()
            await person.until(lambda: _whole(person.table.board), "showed the whole board")
            assert person.sees.count("Player 1 resigns.") == 1, "told in the log alone"

    run(play())


def _whole(board: BoardView) -> bool:
    """Every place is on the screen, none of it scrolled away."""
    seen = board.screen.find_widget(board).visible_region
    return all(spot.line + spot.height <= seen.height for spot in board.spots.values())


def test_a_hint_is_named_at_the_usual_size_and_does_not_shrink_the_board() -> None:
    async def play() -> None:
        async with at_the_table(a_match("secret-paths", two="random"), size=(80, 24)) as person:
            await person.asked()
            await person.press("space", "enter")
            await person.reads("Player 1's turn.")
            await person.asked()
            before = person.table.board.spots
            await person.until(lambda: "hint" in person.sees.splitlines()[-2], "named the hint")
            await person.answer("h")
            await person.reads("Perfect play answers")
            await person.asked()
            await person.until(lambda: person.table.board.spots == before, "kept the board's size")

    run(play())


def test_a_long_hint_leaves_the_board_and_its_legend_in_sight() -> None:
    async def play() -> None:
        async with at_the_table(a_match("trap-builder", two="random"), size=(40, 20)) as person:
            await person.asked()
            await person.press("4", "5", "6", "enter")
            await person.reads("enter your move")
            await person.asked()
            await person.answer("h")
            await person.reads("Perfect play answers")
            await person.asked()
            board = person.table.board

            def whole() -> bool:
                seen = board.screen.find_widget(board).visible_region
                return bool(seen.height >= board._height())

            await person.until(whole, "showed the board with its legend")

    run(play())


@pytest.mark.parametrize("game", GAMES)
def test_board_question_and_answers_are_whole_in_the_smallest_terminal(game: str) -> None:
    async def play() -> None:
        async with at_the_table(a_match(game, two="random"), size=SMALLEST) as person:
            await person.asked()
            await _asks_in_sight(person)
            if wanted := person.table.choice.wanted:
                keys = "456"[:wanted] if person.table.choice.by_key("4") else ["space"]
                await person.press(*keys)
                await person.answer("enter")
                await person.asked()
                await _asks_in_sight(person)
            await person.press("9", "9")
            await person.answer("enter")
            await person.asked()
            await _asks_in_sight(person)

    run(play())


async def _asks_in_sight(person: Person) -> None:
    table = person.table
    assert table.asked is not None
    assert table.page is not None
    for sentence in (*table.page.notice, table.asked.prompt.strip()):
        await person.reads(sentence)
    await person.until(lambda: _whole(table.board), "showed the whole board")
    shown = {button.offer.text for button in table.query(OfferButton) if _in_sight(button)}
    places = table.choice.places(table.board.spots)
    missing = [o for o in table.choice.offers if o.text not in shown and o.place not in places]
    assert not missing, person.sees


def _in_sight(button: OfferButton) -> bool:
    return bool(button.screen.find_widget(button).visible_region.height)


@pytest.mark.parametrize("game", ["numeric-maze", "trap-runner", "secret-paths"])
def test_the_bar_names_every_key_of_a_move_at_the_usual_size(game: str) -> None:
    async def look() -> None:
        async with at_the_table(a_match(game, two="random"), size=(80, 24)) as person:
            await person.asked()
            if person.table.choice.wanted:
                await person.press("space")
                await person.answer("enter")
                await person.asked()
            named = [f"{key}  {label}" for key, label in person.table.keys().values()]
            assert len(named) == 8
            await person.until(lambda: not _not_in_bar(named, person), "named every key")

    run(look())


def _not_in_bar(named: list[str], person: Person) -> list[str]:
    bar = person.sees.splitlines()[-2:]
    return [key for key in named if not any(key in line for line in bar)]


def test_two_headings_on_one_line_are_told_apart() -> None:
    async def play() -> None:
        match = a_match("hidden-path", two="random", length=4, traps=1)
        async with at_the_table(match, size=(60, 24)) as person:
            await person.asked()
            await person.press("1", "enter")
            await person.reads("Turn 1: Player 1's Move · Current Position: 0")

    run(play())


def unframed(person: Person) -> str:
    lines = " ".join(line.strip(" │") for line in person.sees.splitlines())
    return " ".join(lines.split())


def test_an_overlay_says_how_it_is_closed_however_long_it_is() -> None:
    async def play() -> None:
        async with at_the_table(a_match("hidden-path"), size=(40, 18)) as person:
            await person.asked()
            for key in ("r", "question_mark"):
                await person.press(key)
                await person.until(lambda: CLOSE.rpartition(" ")[0] in unframed(person))
                await person.press("escape")

    run(play())


@pytest.mark.parametrize("size", [(140, 40), (80, 24), (40, 24)])
@pytest.mark.parametrize("game", GAMES)
def test_the_board_stays_where_it_is_when_its_legend_grows(
    game: str, size: tuple[int, int]
) -> None:
    """Beside the log all of it; above the log, where every line counts, it never goes sideways."""

    async def look() -> None:
        async with at_the_table(a_match(game, one="Ann", two="casual"), size=size) as person:
            await person.asked()
            board = person.table.board

            def places() -> object:
                if size[0] == 140:
                    return board.spots, board.region.offset
                left = board.region.x
                return {at: (left + spot.column, spot.width) for at, spot in board.spots.items()}

            before = await person.settled(places)
            legend = (board.drawing() or pytest.fail("no board")).legend
            board.suspect([Suspicion(next(iter(board.spots)), 0.5)])
            await person.reads("hidden there by best play")
            assert len((board.drawing() or pytest.fail("no board")).legend) == len(legend) + 1
            assert await person.settled(places) == before

    run(look())
