"""Every command, for Typer."""

from __future__ import annotations

from typing import Annotated

import typer

from trapline.cli import admin, authoring, learning, opening, playing, records, serving, study
from trapline.cli.parameters import Plain

app = typer.Typer(
    name="trapline",
    help="Two-player games of hidden traps and secret goals: five rulebooks, and yours.",
    add_completion=False,
    no_args_is_help=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

COMMANDS = (
    playing.play,
    playing.resume,
    playing.history,
    playing.statistics,
    playing.rules,
    records.replay,
    records.verify,
    records.analyse,
    authoring.games,
    authoring.check,
    authoring.audit,
    authoring.new,
    study.solve,
    study.fairness,
    study.efg,
    study.arena,
    learning.learn,
    learning.puzzle,
    serving.serve,
    serving.mcp,
)
for command in COMMANDS:
    app.command()(command)
app.add_typer(admin.app, name="admin")


def leave_out_all_but(wanted: list[str]) -> None:
    """Typer takes its time over every command: where one is named, the others are not built."""
    named = [command for command in COMMANDS if [command.__name__] == wanted]
    if named:
        app.registered_commands = [c for c in app.registered_commands if c.callback in named]
        app.registered_groups = []


def _print_version(wanted: bool) -> None:
    if wanted:
        from trapline import __version__

        typer.echo(f"trapline {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def menu(
    context: typer.Context,
    plain: Plain = False,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Without a command: a menu that leads to a game."""
    if context.invoked_subcommand is None:
        raise typer.Exit(opening.menu(plain=plain))
