"""Commands about recorded matches."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from trapline.cli.parameters import AsJson, MatchName, MoreGames, Page, Plain
from trapline.cli.reading import parsed, place, read_records
from trapline.core import GameError, RecordError, TraplineError

NARROW = 72
"""Columns below which a table with sentences in it is a column of torn words."""

if TYPE_CHECKING:
    from rich.console import Console

    from trapline.coach import Analysis


def replay(
    file: MatchName,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line a record.")] = False,
    games: MoreGames = None,
    plain: Plain = False,
) -> None:
    """Play recorded matches again by the rules."""
    sound = True
    if as_json:
        from trapline.referee import replay_answer

        for data in read_records(file, games):
            answer = replay_answer(data)
            sound = sound and answer["ok"]
            sys.stdout.write(json.dumps(answer) + "\n")
    else:
        from trapline.terminal import listing
        from trapline.terminal.screen import make_console

        console = make_console()
        for record in parsed(file, games):
            try:
                if isinstance(record, RecordError):
                    raise record
                listing.tell(record, console, in_words=plain)
            except RecordError as error:
                sound = False
                typer.echo(f"This record breaks the rules ({place(error)[:-2]}): {error}")
            except GameError as error:
                sound = False
                typer.echo(f"This record cannot be replayed: {error}")
    raise typer.Exit(0 if sound else 1)


def verify(
    file: MatchName,
    games: MoreGames = None,
    plain: Plain = False,
) -> None:
    """Check rules, result, and every commitment of recorded matches."""
    from trapline.terminal import listing
    from trapline.terminal.screen import make_console

    console = make_console()
    sound, found, over = True, False, True
    for record in parsed(file, games):
        found = True
        if isinstance(record, RecordError):
            typer.echo(f"FAULT  this is no record: {record}")
            sound = False
        else:
            sound = listing.check(record, console, in_words=plain) and sound
            over = over and record.result is not None
    if not found:
        raise TraplineError(f"{file} holds no record.")
    holds = "Everything holds." if over else "Everything holds so far."
    typer.echo(holds if sound else "Something does not hold.")
    raise typer.Exit(0 if sound else 1)


def analyse(
    file: MatchName,
    as_json: AsJson = False,
    html: Page = None,
    games: MoreGames = None,
    plain: Plain = False,
) -> None:
    """Ask the coach what every choice of a finished match cost."""
    import msgspec

    from trapline.coach import analyse as ask_coach
    from trapline.referee import parse_record
    from trapline.report import coach_page
    from trapline.terminal.screen import make_console

    console = make_console()
    sound, found = True, 0
    for found, data in enumerate(read_records(file, games), 1):
        if html is not None and found > 1:
            raise TraplineError("--html takes one record; the first one is written.")
        try:
            analysis = ask_coach(parse_record(data))
        except TraplineError as error:
            sound = False
            typer.echo(f"Record {found}: {place(error)}{error}")
            continue
        if html is not None:
            html.write_text(coach_page.page(analysis), "utf-8")
            sys.stderr.write(f"Written to {html}.\n")
        if as_json:
            typer.echo(msgspec.json.encode(analysis).decode())
        elif html is None:
            _print_analysis(analysis, console, in_words=plain)
    if not found:
        raise TraplineError(f"{file} holds no record.")
    raise typer.Exit(0 if sound else 1)


def _print_analysis(analysis: Analysis, console: Console, *, in_words: bool) -> None:
    """A table where it fits, else the same in sentences."""
    from trapline.report import coach_page

    table = coach_page.table(analysis)
    if in_words or console.width < NARROW:
        for line in coach_page.lines(analysis):
            console.print(line, markup=False)
    else:
        console.print(table)
    console.print(coach_page.summary(analysis), markup=False)
