"""`trapline admin`: for whoever runs a server, to look after the matches it keeps."""

from __future__ import annotations

import os
import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trapline.core import TraplineError

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any, TextIO, TypeVar

    T = TypeVar("T")

app = typer.Typer(help="Look after the matches that a server keeps.", no_args_is_help=True)

Database = Annotated[
    str | None, typer.Option(metavar="URL", help="sqlite:PATH or postgresql://..., as for serve.")
]


def _address(database: str | None) -> str:
    from trapline.server.settings import read_settings

    return read_settings(os.environ, database=database).store_url()


def _run(work: Coroutine[Any, Any, T]) -> T:
    import asyncio  # no other command of the program has to wait for it

    return asyncio.run(work)


@app.command("list")
def list_matches(
    database: Database = None,
    limit: Annotated[int, typer.Option(min=1, help="How many, at most.")] = 1000,
) -> None:
    """List matches, the one that changed last first; nothing in the list is secret."""
    from trapline.server import admin

    async def run() -> None:
        async with admin.opened(_address(database)) as store:
            for line in await store.summaries(limit=limit):
                state = "finished" if line.over else "unfinished"
                typer.echo(f"{line.match}  {line.changed}  {line.game:<12}  {state}")

    _run(run())


@app.command("export")
def export_matches(
    file: Annotated[str, typer.Argument(help="A .jsonl file, or - for the output.")] = "-",
    database: Database = None,
    game: Annotated[
        list[str] | None, typer.Option(metavar="GAME", help="A game from outside, as for serve.")
    ] = None,
) -> None:
    """Write finished matches as records, one a line, as `trapline replay` reads them."""
    from trapline.games import load_specs
    from trapline.server import admin
    from trapline.server.settings import read_settings

    load_specs(read_settings(os.environ, games=tuple(game) if game else None).games)

    async def run(lines: TextIO) -> tuple[int, int, int]:
        written = broken = 0
        async with admin.opened(_address(database)) as store:
            async for _, record in admin.records(store):
                if isinstance(record, TraplineError):
                    broken += 1
                    sys.stderr.write(f"{record}\n")
                else:
                    written += 1
                    lines.write(record.to_json() + "\n")
            return written, broken, await admin.count_unfinished(store)

    if file == "-":
        written, broken, left_out = _run(run(sys.stdout))
    else:
        with Path(file).open("w", encoding="utf-8") as lines:
            written, broken, left_out = _run(run(lines))
    said = f"Exported {_count(written, 'finished')}; left out {_count(left_out, 'unfinished')}.\n"
    sys.stderr.write(said)
    raise typer.Exit(1 if broken else 0)


@app.command("delete")
def delete_matches(
    matches: Annotated[list[str], typer.Argument(metavar="MATCH...", help="As listed.")],
    database: Database = None,
) -> None:
    """Delete matches for good, finished or not."""
    from trapline.server import admin

    async def run() -> int:
        async with admin.opened(_address(database)) as store:
            return await store.delete(matches)

    wanted, deleted = len(set(matches)), _run(run())
    typer.echo(f"Deleted {deleted} of {_count(wanted)}.")
    raise typer.Exit(0 if deleted == wanted else 1)


@app.command("expire")
def expire_matches(
    days: Annotated[float, typer.Option(min=0, max=36500, help="How long untouched.")] = 30,
    database: Database = None,
) -> None:
    """Delete unfinished matches that nobody has touched for many days."""
    from trapline.server import admin

    async def run() -> int:
        async with admin.opened(_address(database)) as store:
            return await admin.expire(store, timedelta(days=days))

    typer.echo(f"Deleted {_count(_run(run()), 'unfinished')}.")


@app.command("backup")
def back_up(
    file: Annotated[Path, typer.Argument(help="A new file.")], database: Database = None
) -> None:
    """Copy an SQLite database to a file, checked, while a server may be writing to it."""
    from trapline.server import backup

    matches = backup.back_up(_address(database), file)
    typer.echo(f"Copied {_count(matches)} to {file}.")


@app.command("restore")
def restore(
    file: Annotated[Path, typer.Argument(help="What `backup` has written.")],
    database: Database = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Put aside what is there, and keep it.")
    ] = False,
) -> None:
    """Put a copy in its place again; the server must be stopped."""
    from trapline.server import backup

    matches = backup.restore(file, _address(database), replace=replace)
    typer.echo(f"Restored {_count(matches)}.")


@app.command("doctor")
def doctor(database: Database = None) -> None:
    """Look at everything a server needs, with the settings it would have; exit 1 if it is amiss."""
    from trapline.server.doctor import examine
    from trapline.server.settings import read_settings

    async def run() -> bool:
        well = True
        async for level, sentence in examine(read_settings(os.environ, database=database)):
            typer.echo(f"{level:<5}  {sentence}")
            well = well and level != "wrong"
        return well

    raise typer.Exit(0 if _run(run()) else 1)


@app.command("player")
def show_player(database: Database = None) -> None:
    """Write all that a player's key has done, a match a line; the key is read from the input."""
    import json

    from trapline.server import admin, personal

    key = _key()

    async def run() -> None:
        async with admin.opened(_address(database)) as store:
            any_match = False
            async for match in personal.played(store, key):
                any_match = True
                typer.echo(json.dumps(match.own(), ensure_ascii=False))
        if not any_match:
            typer.echo("No match here belongs to this key.", err=True)

    _run(run())


@app.command("forget")
def forget_player(database: Database = None) -> None:
    """Delete what a player's key has done, and its name elsewhere; the input is the key."""
    from trapline.server import admin, personal

    key = _key()

    async def run() -> tuple[int, int]:
        async with admin.opened(_address(database)) as store:
            return await personal.forget(store, key)

    deleted, renamed = _run(run())
    typer.echo(f"Deleted {_count(deleted)}; took the name out of {renamed} more.")


def _key() -> str:
    """A key must not stand in a list of processes, so it is no argument."""
    from trapline.server.guard import looks_like_key

    if sys.stdin.isatty():
        key: str = typer.prompt("The player's key", hide_input=True).strip()
    else:
        key = sys.stdin.readline().strip()
    if not looks_like_key(key):
        raise TraplineError(
            "This is no player's key: one has 43 letters, digits, hyphens and underscores, and is "
            "the first line of the input."
        )
    return key


def _count(number: int, kind: str = "") -> str:
    return " ".join(filter(None, [str(number), kind, "match" if number == 1 else "matches"]))
