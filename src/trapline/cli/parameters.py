"""What several commands take on the command line, as Typer has it explained."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trapline.games import GAMES

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help=f"One of: {', '.join(GAMES)}; or ./pebbles.py, or package.module:Class.",
    ),
]
MoreGames = Annotated[
    list[str] | None,
    typer.Option(
        "--game", metavar="GAME", help="A game of somebody else's that may come up; repeatable."
    ),
]


def _or_before_the_command(context: typer.Context, plain: bool) -> bool:
    """`trapline --plain replay ...` means the same as `trapline replay ... --plain`."""
    return plain or bool(context.find_root().params.get("plain"))


Plain = Annotated[
    bool,
    typer.Option(
        "--plain",
        help="Line by line and in words, for screen readers.",
        callback=_or_before_the_command,
    ),
]
MatchName = Annotated[
    str,
    typer.Argument(
        metavar="MATCH",
        help="The id of a match, last, a record, a .jsonl file, or - for standard input.",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="An option of the game; repeatable."),
]
PresetName = Annotated[
    str | None,
    typer.Option("--preset", metavar="NAME", help="A named variant; 'trapline games' lists them."),
]
AsJson = Annotated[bool, typer.Option("--json", help="As JSON, for programs.")]
Page = Annotated[Path | None, typer.Option(help="Write one self-contained page to this file.")]
Scheduler = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler to run on.")
]
