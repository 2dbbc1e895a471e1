"""Commands for learning: lessons and puzzles."""

from __future__ import annotations

import datetime
import sys
from typing import Annotated

import typer

from trapline.cli.parameters import AsJson, GameName
from trapline.core import OptionsError
from trapline.games import GAMES, find_game, recall


def learn(game: GameName) -> None:
    """Play a guided first match of a game, in less than a minute."""
    from trapline.terminal.lessons import teach

    recall(game)
    raise typer.Exit(teach(find_game(game)))


def puzzle(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="All games in turn, if none is named.")
    ] = None,
    date: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="The puzzle of that day; today's.")
    ] = None,
    count: Annotated[int, typer.Option(min=1, metavar="N", help="So many of that day.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Find the best answer under hidden information: one puzzle a day, the same for everybody."""
    from trapline.coach.puzzles import daily

    if game is not None and game not in GAMES:
        recall(game)
    puzzles = daily(_read_date(date), game, count)
    if as_json:
        import msgspec

        for found in puzzles:
            sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
            sys.stdout.flush()
        return
    from trapline.terminal.puzzling import ask_all

    raise typer.Exit(ask_all(puzzles, _read_date(date)))


def _read_date(text: str | None) -> str:
    if text is None:
        return datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise OptionsError(f"--date needs a day such as 2026-11-16, not {text!r}.") from None
