"""The full screen around a match: what follows it, the menu, practice, and motion."""

from __future__ import annotations

import gc
import re
from random import Random
from typing import TYPE_CHECKING, Any

from textual.widgets import Static

from tests.terminal.pilots import Person, a_match, at_the_table, plays_to_the_end, run
from trapline.games import make_game
from trapline.players import PLAYERS
from trapline.referee import Series
from trapline.terminal.full.board import BoardView
from trapline.terminal.saves import Saves

if TYPE_CHECKING:
    import pytest

# --- after a match ----------------------------------------------------------------------


async def resigns(person: Person) -> None:
    await person.asked()
    await person.answer("x")
    await person.answer("y")
    await person.reads("What next?")


def test_rematch_watch_and_another_game() -> None:
    async def play() -> None:
        async with at_the_table(a_match("numeric-maze", one="Ann", two="random")) as person:
            await person.asked()
            await person.answer("3")
            await resigns(person)
            await person.answer("w")
            await person.reads("Before the first turn")
            await person.press("right")
            await person.reads("Ann moves to position 3.")
            await person.press("end")
            await person.reads("Ann resigns. random wins the game!")
            await person.press("home")
            await person.reads("Before the first turn")
            await person.press("escape")
            await person.reads("What next?")
            await person.asked()
            await person.answer("r")
            await person.reads("random against Ann")
            await resigns(person)
            await person.press("m")
            await person.reads("Mind where you step")

    run(play())
    assert len(list(Saves().all())) == 2


def test_the_coach_speaks_beside_the_board() -> None:
    async def play() -> None:
        match = a_match("trap-builder", two="random", seed=4)
        async with at_the_table(match) as person:
            await plays_to_the_end(person, Random(1))
            await person.answer("a")
            await person.reads("analysed")
            await person.until(lambda: re.search("best|fine|mistake|blunder|lucky", person.sees))
            await person.reads("┌")
            await person.press("down")
            await person.press("escape")
            await person.reads("What next?")

    run(play())


def test_a_series_goes_on_and_is_kept_between_games() -> None:
    async def play() -> None:
        match = a_match("numeric-maze", series=Series(3, 1, (0, 0)), length=2, traps=())
        async with at_the_table(match) as person:
            await person.reads("game 1 of 3, 0:0")
            await person.answer("2")
            await person.reads("Press Enter for the next game")
            assert len(list(Saves().all())) == 2
            await person.answer("enter")
            await person.reads("game 2 of 3, 1:0")

    run(play())


# --- the menu ---------------------------------------------------------------------------


def test_a_game_in_two_keys() -> None:
    async def play() -> None:
        async with at_the_table(size=(40, 24)) as person:
            menu = await person.reads("Numeric Maze")
            assert "Continue" not in menu
            await person.press("5")
            await person.reads("Opponent")
            await person.press(str(2 + list(PLAYERS).index("random")))
            await person.reads("Numeric Maze: Player 1 against random")
            await person.asked()
            await person.press("q")
            await person.reads("Continue")
            await person.press("c")
            await person.reads("Numeric Maze: Player 1 against random")

    run(play())


def test_options_are_explained_and_impossible_ones_refused_while_choosing() -> None:
    async def play() -> None:
        async with at_the_table() as person:
            await person.reads("Secret Paths")
            await person.press("4")
            await person.reads("Variant")
            for _ in range(5):
                await person.press("down")
            await person.reads("Rows and columns of the grid")
            await person.press("right")
            await person.reads("so that there is a centre cell")
            await person.press("up", "up", "up", "up", "up", "enter")
            assert "against casual" in person.sees  # it does not start
            for _ in range(5):
                await person.press("down")
            await person.press("right")
            await person.reads("your own")
            await person.press("3")
            await person.asked()
            options = person.table.match.game.options
            assert options == make_game("secret-paths", {"size": 7}).options

    run(play())


def test_presets_are_offered_with_their_verdicts() -> None:
    kind = type(make_game("secret-paths"))
    assert kind.presets

    async def play() -> None:
        async with at_the_table() as person:
            await person.reads("Secret Paths")
            await person.press("4")
            await person.reads("Variant")
            await person.press("down", "down", "down", "down")
            for preset in kind.presets:
                await person.reads(f"‹ {preset.name} ›")
                await person.reads(" ".join(preset.verdict.split()[:4]))
                await person.press("right")
            await person.reads("your own")

    run(play())


def test_history_is_searched_watched_and_gone_on_with() -> None:
    for game, name in (("numeric-maze", "Ann"), ("trap-runner", "Eve")):
        match = a_match(game, one=name)
        match.play(1, 3)
        if name == "Ann":
            match.resign(1)
        Saves().save(match)

    async def play() -> None:
        async with at_the_table() as person:
            await person.reads("History")
            await person.press("h")
            both = await person.reads("Ann - Player 2")
            assert "Eve - Player 2" in both
            await person.press("slash", *"ann")
            await person.until(lambda: "Eve" not in person.sees, "found")
            await person.press("enter", "enter")
            await person.reads("Before the first turn")
            await person.press("escape", "slash", *[*["backspace"] * 3, *"eve"])
            await person.until(lambda: "Ann" not in person.sees, "found")
            await person.press("enter", "enter")
            await person.reads("Trap Runner: Eve against Player 2")

    run(play())


def test_statistics_count_results() -> None:
    for winner in (1, 1, 2):
        match = a_match("numeric-maze", two="casual")
        match.resign(3 - winner)  # type: ignore[arg-type]
        Saves().save(match)

    async def play(size: tuple[int, int]) -> None:
        async with at_the_table(size=size) as person:
            await person.reads("Statistics")
            await person.press("s")
            page = await person.reads("casual")
            wide = re.search(r"Numeric Maze +casual +3 +2 +1 +0 +67%", page)
            narrow = "Numeric Maze against casual: 2 won, 1 lost, 0 drawn" in " ".join(page.split())
            assert wide or narrow

    for size in ((40, 24), (100, 40)):
        run(play(size))


# --- practice, and motion ---------------------------------------------------------------


def test_practice_shows_the_chance_against_the_computer_alone() -> None:
    async def alone() -> None:
        match = a_match("trap-builder", two="random", length=5, traps=1)
        async with at_the_table(match) as person:
            await person.asked()
            await person.press("p")
            await person.until(
                lambda: re.search(r"Your chance with the best answer: \d+%", person.sees), "told it"
            )
            await person.press("p")
            await person.until(lambda: "Your chance" not in person.sees, "hid it")

    async def shared() -> None:
        async with at_the_table(a_match("numeric-maze")) as person:
            await person.asked()
            assert "p  chance" not in person.sees
            await person.press("f7")
            assert not person.app.practice.on

    run(alone())
    run(shared())


def test_a_piece_walks_then_the_trap_snaps_then_the_page_tells_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The order of what is lit up, on the board as it was before."""
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "full")
    beats: list[tuple[dict[Any, str], str]] = []
    usual = BoardView._light

    async def light(board: BoardView, lit: dict[Any, str], seconds: float) -> None:
        beats.append((dict(lit), str(board.app.screen.query_one("#account", Static).render())))
        await usual(board, lit, 0)

    monkeypatch.setattr(BoardView, "_light", light)

    async def play() -> None:
        match = a_match("numeric-maze", first=1)
        match.play(1, 3)
        match.play(2, 1)
        async with at_the_table(match) as person:
            await person.asked()
            await person.answer("2")  # onto the trap on 5
            await person.reads("Player 2's turn.")
            await person.reads("Oh no!")

    run(play())
    places = [next(iter(lit), None) for lit, _ in beats]
    assert places == [3, 4, 5, 5, None, 5, None, 5, None]
    assert all("Oh no!" not in account for _, account in beats)


def test_motion_can_be_switched_off_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "full")

    async def switch() -> None:
        async with at_the_table() as person:
            await person.reads("moves are shown as they happen")
            assert person.app.moving
            await person.press("m")
            await person.reads("nothing moves")

    async def later() -> None:
        async with at_the_table() as person:
            await person.reads("nothing moves")
            assert not person.app.moving

    run(switch())
    run(later())


def test_garbage_is_looked_for_once_the_screen_is_there() -> None:
    """While it is loaded, nobody looks for any, so that it opens sooner."""

    async def play() -> None:
        async with at_the_table(a_match("numeric-maze")) as person:
            await person.until(gc.isenabled, "looked for garbage")

    gc.disable()
    try:
        run(play())
    finally:
        gc.enable()
