"""Commands for playing in the terminal."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import Annotated

import typer

from trapline.cli.reading import GameName, Plain, PresetName, Settings, read_first, read_game
from trapline.core import OptionsError, TraplineError
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
    from trapline.players import find_player
    from trapline.players.learner import EQUAL
    from trapline.referee import Series
    from trapline.terminal.saves import Saves
    from trapline.terminal.series import make_players, new_match, rival_named
    from trapline.terminal.sitting import play_on

    rules, saves = read_game(game, settings, preset), Saves()
    if vs not in (None, EQUAL):
        find_player(vs)
    p1, p2, vs = (rival_named(name, rules, saves) for name in (p1, p2, vs))
    if vs is not None:
        if p2 is not None:
            raise OptionsError("--vs already says who Player 2 is; leave out --p2.")
        p2 = vs
    if best_of is not None and best_of < 1:
        raise OptionsError("--best-of needs a number of games, such as 3.")
    who_first = read_first(first)
    series = Series(best_of, 1, (0, 0)) if best_of is not None else None
    match = new_match(rules, make_players(p1, p2), who_first, seed, series)
    raise typer.Exit(play_on(match, saves, plain=plain, first=who_first))


def resume(
    match_id: Annotated[
        str | None, typer.Argument(metavar="MATCH", help="The latest unfinished one by default.")
    ] = None,
    plain: Plain = False,
) -> None:
    """Go on with an unfinished match."""
    from trapline.referee import Match
    from trapline.referee.record import rules_changed
    from trapline.terminal.saves import LAST, Saves
    from trapline.terminal.sitting import play_on

    saves = Saves()
    if match_id in (None, LAST):
        latest = saves.latest_unfinished()
        if latest is None:
            raise TraplineError("No match is unfinished; 'trapline play GAME' starts one.")
        match_id = latest.id
    record = saves.reopen(match_id)
    if record.result is not None:
        raise TraplineError(f"Match {record.id} is over; 'trapline replay {record.id}' shows it.")
    match = Match.restore(record)
    if changed := rules_changed(record, match.game):
        typer.echo(changed)
    raise typer.Exit(play_on(match, saves, plain=plain))


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
