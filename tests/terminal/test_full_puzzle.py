"""The puzzle of the day on the full screen: its board, its answers, and nothing hidden."""

from __future__ import annotations

import msgspec
import pytest

from tests.terminal.pilots import at_the_table, run
from trapline.coach.puzzles import Posed, Puzzle, pose
from trapline.core import BY_SEAT, other
from trapline.games import make_game
from trapline.referee import Match
from trapline.terminal.full.board import BoardView
from trapline.terminal.puzzling import heading


def at_three() -> Posed:
    match = Match(make_game("numeric-maze"), 1)
    match.play(1, 3)
    match.play(2, 1)
    told = " ".join(match.view(1).board.words(BY_SEAT, "position"))
    puzzle = Puzzle(
        "numeric-maze", {}, 1, 1, {}, [3, 1], "move", ["1", "2", "3"], "3",
        {"1": 0.5, "2": 0.0, "3": 1.0}, 2, f"You move. {told} Which step?", "Because of the trap.",
    )  # fmt: skip
    return Posed(puzzle, match.view(1))


def test_a_variant_is_told_in_words() -> None:
    changed = {"length": 8, "traps": [3, 6], "walls": False}
    known = {"numeric-maze": ("length", "traps"), "hidden-path": ("walls",)}
    told = [
        heading(msgspec.structs.replace(at_three().puzzle, game=name, options=options), "a day")
        for name in known
        if (options := {option: changed[option] for option in known[name]})
    ]
    assert told == [
        "Puzzle of a day, ★★ · Positions to the goal: 8 · Positions of the traps: 3,6",
        "Puzzle of a day, ★★ · Traps may make a wall that no move can cross: no",
    ]


@pytest.mark.parametrize("size", [(40, 20), (80, 24), (200, 50)])
def test_a_puzzle_shows_its_board_is_answered_once_and_explained(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trapline.coach.puzzles.of_the_day", lambda _date: at_three())

    async def play() -> None:
        async with at_the_table(size=size) as person:
            await person.press("p")
            page = await person.reads("You move. Which step?")
            assert "★★" in page
            board = person.app.screen.query_one(BoardView)
            assert set(board.spots) == set(range(21))
            await person.until(lambda: board._cursor == 4, "showed where the first answer leads")
            await person.press("down", "down")
            await person.until(lambda: board._cursor == 6, "followed the second answer")
            await person.press("2")
            await person.reads("3 was best.")
            await person.reads("Because of the trap.")
            await person.press("3")  # the first answer counts
            await person.reads("missed")

    run(play())


@pytest.mark.parametrize("game", ["trap-builder", "secret-paths"])
def test_the_board_of_a_puzzle_is_the_same_whatever_the_other_hides(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every world that the player cannot tell from the real one has the same board."""
    posed = pose(game, "board")
    puzzle, view = posed
    rival = other(puzzle.seat)
    asked = make_game(game, puzzle.options).question(
        make_game(game, puzzle.options).start(puzzle.first), rival
    )
    assert asked is not None
    worlds = 0
    for value in asked.values():
        match = Match(make_game(game, puzzle.options), puzzle.first)
        match.play(puzzle.seat, *match.read(puzzle.seat, _typed(puzzle)))
        match.play(rival, asked.record(value))
        for move in puzzle.moves:
            if match.outcome is None and match.to_move is not None:
                match.play(match.to_move, *match.game.read_turn(move))
        if match.outcome is None and match.view(puzzle.seat).events == view.events:
            worlds += 1
            assert match.view(puzzle.seat).board == view.board
    assert worlds > 1, "something is hidden"
    monkeypatch.setattr("trapline.coach.puzzles.of_the_day", lambda _date: posed)

    async def look() -> None:
        async with at_the_table() as person:
            await person.press("p")
            await person.reads("Which?")
            board = person.app.screen.query_one(BoardView)
            assert (board._board, board._viewer) == (view.board, puzzle.seat)

    run(look())


def _typed(puzzle: Puzzle) -> str:
    (secret,) = puzzle.secrets.values()
    return (" " if puzzle.game == "trap-builder" else ",").join(map(str, secret))
