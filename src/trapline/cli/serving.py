"""Commands that serve others: people in browsers, and assistants."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from trapline.cli import opening


def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to listen at; 0.0.0.0 for all of this machine's.")
    ] = None,
    port: Annotated[int | None, typer.Option(help="0 takes any that is free.")] = None,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="sqlite:PATH or postgresql://...")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Processes; more than one need PostgreSQL.")
    ] = None,
    public_url: Annotated[
        str | None, typer.Option(metavar="URL", help="The address that links shall show.")
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GAME", help="Offer this game from outside too; may be given more than once."
        ),
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open a browser.")] = False,
) -> None:
    """Serve the page: play in the browser, on one device or two."""
    from trapline.server.serving import serve as run_server
    from trapline.server.settings import read_settings

    settings = read_settings(
        os.environ,
        host=host,
        port=port,
        database=database,
        workers=workers,
        public_url=public_url,
        games=tuple(game) if game else None,
    )
    run_server(settings, open_browser=open_browser)


def mcp(
    server: Annotated[
        str, typer.Option(metavar="URL", help="Where people play whom the assistant challenges.")
    ] = opening.SERVER,
    game: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GAME", help="Offer this game from outside too; may be given more than once."
        ),
    ] = None,
) -> None:
    """Let an assistant play: serve the Model Context Protocol on standard input and output."""
    raise typer.Exit(opening.mcp(server=server, game=game))
