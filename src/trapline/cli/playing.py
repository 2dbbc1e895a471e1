"""Commands for playing in the terminal."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import Annotated

import typer

from trapline.cli import opening
from trapline.cli.parameters import GameName, Plain, PresetName, Settings
from trapline.games import find_game, recall


def play(
    game: GameName,
    vs: Annotated[
        str | None,
        typer.Option(
            metavar="BOT",
            help="Play against the computer: a level, or equal for your own strength.",
        ),
    ] = None,
    p1: Annotated[str | None, typer.Option(help="Player 1: a name, or a computer level.")] = None,
    p2: Annotated[str | None, typer.Option(help="Player 2: a name, or a computer level.")] = None,
    first: Annotated[str | None, typer.Option(help="Who moves first: 1, 2 or toss.")] = None,
    seed: Annotated[
        int | None, typer.Option(help="Makes the toss and the computer repeat themselves.")
    ] = None,
    preset: PresetName = None,
    settings: Settings = None,
    best_of: Annotated[
        int | None, typer.Option(metavar="N", help="A series; the first move alternates.")
    ] = None,
    plain: Plain = False,
) -> None:
    """Play a game: two people on this device, unless told otherwise."""
    raise typer.Exit(
        opening.play(
            game,
            vs=vs,
            p1=p1,
            p2=p2,
            first=first,
            seed=seed,
            preset=preset,
            settings=settings,
            best_of=best_of,
            plain=plain,
        )
    )


def resume(
    match_id: Annotated[
        str | None, typer.Argument(metavar="MATCH", help="The latest unfinished one by default.")
    ] = None,
    plain: Plain = False,
) -> None:
    """Go on with an unfinished match."""
    raise typer.Exit(opening.resume(match_id, plain=plain))


def history(
    search: Annotated[
        list[str] | None, typer.Argument(metavar="WORDS", help="Only matches with these words.")
    ] = None,
    _plain: Plain = False,
) -> None:
    """List past matches, the latest first."""
    from trapline.terminal import listing
    from trapline.terminal.saves import Saves
    from trapline.terminal.screen import make_console

    found = (record for record in Saves().all() if listing.fits(record, search or ()))
    if not listing.history(found, make_console()):
        typer.echo(
            "No match has these words; 'trapline history' lists all."
            if search
            else "No matches yet; 'trapline play GAME' starts one."
        )


def statistics(plain: Plain = False) -> None:
    """Count results by game and opponent."""
    from trapline.terminal import statistics as counting
    from trapline.terminal.saves import Saves
    from trapline.terminal.screen import make_console

    console = make_console()
    found = counting.tallies(Saves().all())
    if not found:
        typer.echo("No match is finished yet; 'trapline play GAME' starts one.")
    elif plain or console.width < counting.NARROW:
        for line in counting.lines(found):
            typer.echo(line)
    else:
        console.print(counting.table(found))


def rules(game: GameName, plain: Plain = False) -> None:
    """Show the rules of a game, how unclear points are decided, and the rulebook's errata."""
    from rich.markdown import Markdown

    from trapline.terminal.screen import make_console

    os.environ.setdefault("LESS", "FRX")  # what a pager needs to show colours
    recall(game)  # a name that this user has played from a file will do
    text = find_game(game).rules()
    console = make_console()
    if plain or not console.is_terminal:
        typer.echo(text)
        return
    with console.pager(styles=True) if console.height < text.count("\n") else nullcontext():
        console.print(Markdown(text), width=min(console.width, 88))
