"""The command line: thin, and slow to import the rest."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

from trapline.cli import admin, authoring, learning, playing, records, serving, study
from trapline.cli.reading import Plain
from trapline.core import TraplineError
from trapline.games import outside_fault

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


def run() -> None:
    _open_missing_streams()
    # A name that the terminal cannot show, or a stray byte, must not end the game. And where
    # the locale is plain C, Python speaks UTF-8 all the same, but the terminal need not.
    variables = ("LC_ALL", "LC_CTYPE", "LANG")
    locale = next((os.environ[name] for name in variables if os.environ.get(name)), "")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
            if locale in ("C", "POSIX") and stream is not sys.stdin:
                stream.reconfigure(encoding="ascii", errors="replace")
    _leave_out_all_but(sys.argv[1:2])
    try:
        app()
    except TraplineError as error:
        sys.stderr.write(f"trapline: {error}\n")
        sys.exit(2)
    except BrokenPipeError:
        # Whoever read our output has enough; Python must not complain while it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:
        sys.stderr.write("trapline: stopped.\n")
        sys.exit(130)
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        sys.stderr.write(f"trapline: {name}{error.strerror or error}.\n")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:
        sentence = outside_fault(error)
        if not sentence:
            raise
        sys.stderr.write(f"trapline: {sentence}\n")
        sys.exit(2)


def _leave_out_all_but(wanted: list[str]) -> None:
    """Typer takes its time over every command: where one is named, the others are not built."""
    named = [command for command in COMMANDS if [command.__name__] == wanted]
    if named:
        app.registered_commands = [c for c in app.registered_commands if c.callback in named]
        app.registered_groups = []


def _open_missing_streams() -> None:
    """Whoever starts us with closed streams gets none of their words, but no crash either."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            mode = "r" if number == 0 else "w"
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 (for good)
            setattr(sys, name, stream)


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
        from trapline.terminal.menu import open_menu
        from trapline.terminal.saves import Saves

        raise typer.Exit(open_menu(Saves(), plain=plain))
