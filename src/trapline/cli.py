"""The command line: thin, and slow to import the rest."""

from __future__ import annotations

import json
import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trapline import cli_admin
from trapline.core import First, OptionsError, RecordError, TraplineError
from trapline.games import GAMES, make_game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.record import Record

app = typer.Typer(
    name="trapline",
    help="Five two-player games of hidden traps and secret goals.",
    add_completion=False,
    no_args_is_help=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(cli_admin.app, name="admin")

GameName = Annotated[str, typer.Argument(metavar="GAME", help="One of: " + ", ".join(GAMES))]
Plain = Annotated[
    bool, typer.Option("--plain", help="Line by line and in words, for screen readers.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="An option of the game; repeatable."),
]


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


@app.command()
def play(
    game: GameName,
    vs: Annotated[
        str | None, typer.Option(metavar="BOT", help="Play against the computer.")
    ] = None,
    p1: Annotated[str | None, typer.Option(help="Player 1: a name, or a computer level.")] = None,
    p2: Annotated[str | None, typer.Option(help="Player 2: a name, or a computer level.")] = None,
    first: Annotated[str | None, typer.Option(help="Who moves first: 1, 2 or toss.")] = None,
    seed: Annotated[
        int | None, typer.Option(help="Makes the toss and the computer repeat themselves.")
    ] = None,
    settings: Settings = None,
    best_of: Annotated[
        int | None, typer.Option(metavar="N", help="A series; the first move alternates.")
    ] = None,
    plain: Plain = False,
) -> None:
    """Play a game: two people on this device, unless told otherwise."""
    from trapline.players import find_player
    from trapline.record import Series
    from trapline.terminal import table
    from trapline.terminal.saves import Saves

    rules = make_game(game, _read_settings(settings), from_text=True)
    if vs is not None:
        find_player(vs)
        if p2 is not None:
            raise OptionsError("--vs already says who Player 2 is; leave out --p2.")
        p2 = vs
    if best_of is not None and best_of < 1:
        raise OptionsError("--best-of needs a number of games, such as 3.")
    who_first = _read_first(first)
    players = table.make_players(p1, p2)
    series = Series(best_of, 1, (0, 0)) if best_of is not None else None
    match = table.new_match(rules, players, who_first, seed, series)
    raise typer.Exit(table.play(match, Saves(), plain=plain, first=who_first))


@app.command()
def resume(
    match_id: Annotated[
        str | None, typer.Argument(metavar="MATCH", help="The latest unfinished one by default.")
    ] = None,
    plain: Plain = False,
) -> None:
    """Go on with an unfinished match."""
    from trapline.match import Match
    from trapline.terminal import table
    from trapline.terminal.saves import Saves

    saves = Saves()
    latest = None if match_id else saves.latest_unfinished()
    if match_id is None and latest is None:
        raise TraplineError("No match is unfinished; 'trapline play GAME' starts one.")
    record = saves.reopen(match_id or (latest.id if latest else ""))
    if record.result is not None:
        raise TraplineError(f"Match {record.id} is over; 'trapline replay {record.id}' shows it.")
    raise typer.Exit(table.play(Match.restore(record), saves, plain=plain))


@app.command()
def history() -> None:
    """List past matches."""
    from trapline.terminal import listing
    from trapline.terminal.saves import Saves
    from trapline.terminal.screen import make_console

    if not listing.history(Saves().all(), make_console()):
        typer.echo("No matches yet; 'trapline play GAME' starts one.")


@app.command()
def replay(
    file: Annotated[
        str,
        typer.Argument(help="A record, a .jsonl file, - for standard input, or a match id."),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line a record.")] = False,
) -> None:
    """Play recorded matches again by the rules."""
    sound = True
    if as_json:
        from trapline.record import replay_answer

        for data in _read_records(file):
            answer = replay_answer(data)
            sound = sound and answer["ok"]
            sys.stdout.write(json.dumps(answer) + "\n")
    else:
        from trapline.terminal import listing
        from trapline.terminal.screen import make_console

        console = make_console()
        for record in _parsed(file):
            try:
                if isinstance(record, RecordError):
                    raise record
                listing.tell(record, console)
            except RecordError as error:
                sound = False
                typer.echo(f"This record breaks the rules ({_place(error)[:-2]}): {error}")
    raise typer.Exit(0 if sound else 1)


@app.command()
def verify(
    file: Annotated[str, typer.Argument(help="A record, a .jsonl file, - or a match id.")],
) -> None:
    """Check rules, result, and every commitment of recorded matches."""
    from trapline.terminal import listing
    from trapline.terminal.screen import make_console

    console = make_console()
    sound = True
    found = False
    for record in _parsed(file):
        found = True
        if isinstance(record, RecordError):
            typer.echo(f"FAULT  this is no record: {record}")
            sound = False
        else:
            sound = listing.check(record, console) and sound
    if not found:
        raise TraplineError(f"{file} holds no record.")
    typer.echo("Everything holds." if sound else "Something does not hold.")
    raise typer.Exit(0 if sound else 1)


@app.command()
def rules(game: GameName) -> None:
    """Show the rules of a game, how unclear points are decided, and the rulebook's errata."""
    from rich.markdown import Markdown

    from trapline.terminal.screen import make_console
    from trapline.words import rulebook

    os.environ.setdefault("LESS", "FRX")  # what a pager needs to show colours
    text = rulebook.page(make_game(game).name)
    console = make_console()
    if not console.is_terminal:
        typer.echo(text)
        return
    with console.pager(styles=True) if console.height < text.count("\n") else _no_pager():
        console.print(Markdown(text), width=min(console.width, 88))


@app.command()
def solve(
    game: GameName,
    settings: Settings = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    target: Annotated[
        float, typer.Option(min=0.0, help="Exploitability to reach; 0 asks for an exact value.")
    ] = 1e-4,
    seconds: Annotated[
        float | None, typer.Option("--time", min=0.0, metavar="SECONDS", help="Stop after this.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Solve again, whatever is kept.")] = False,
) -> None:
    """Work out who wins with best play, and prove it."""
    from trapline.terminal import solving

    rules = make_game(game, _read_settings(settings), from_text=True)
    found = solving.run(rules, target, seconds, fresh=fresh, quiet=as_json)
    if as_json:
        sys.stdout.write(json.dumps(found.to_json()) + "\n")
    else:
        solving.tell(found)


@app.command()
def efg(
    game: GameName,
    settings: Settings = None,
    first: Annotated[str | None, typer.Option(help="Who moves first: 1, 2 or toss.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to this file.")
    ] = None,
) -> None:
    """Write a small game's whole tree as a Gambit file, for other solvers."""
    from trapline.adapters.efg import extensive_form

    rules = make_game(game, _read_settings(settings), from_text=True)
    text = "\n".join(extensive_form(rules, _read_first(first))) + "\n"
    if output is None:
        sys.stdout.write(text)
    else:
        output.write_text(text, "utf-8")


@app.command()
def analyse(
    file: Annotated[str, typer.Argument(help="A record of a finished match, or its id.")],
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, for programs.")] = False,
    html: Annotated[
        Path | None, typer.Option(help="Write one self-contained page to this file.")
    ] = None,
) -> None:
    """Ask the coach what every choice of a finished match cost."""
    import msgspec

    from trapline.coach import analyse as ask_coach
    from trapline.record import parse_record
    from trapline.report import coach_page
    from trapline.terminal.screen import make_console

    console = make_console()
    sound, found = True, 0
    for found, data in enumerate(_read_records(file), 1):
        if html is not None and found > 1:
            raise TraplineError("--html takes one record; the first one is written.")
        try:
            analysis = ask_coach(parse_record(data))
        except TraplineError as error:
            sound = False
            typer.echo(f"Record {found}: {_place(error)}{error}")
            continue
        if html is not None:
            html.write_text(coach_page.page(analysis), "utf-8")
            sys.stderr.write(f"Written to {html}.\n")
        if as_json:
            typer.echo(msgspec.json.encode(analysis).decode())
        elif html is None:
            console.print(coach_page.table(analysis))
            console.print(coach_page.summary(analysis), markup=False)
    if not found:
        raise TraplineError(f"{file} holds no record.")
    raise typer.Exit(0 if sound else 1)


def _place(error: TraplineError) -> str:
    """Where a record breaks the rules, if that is what is wrong."""
    if not isinstance(error, RecordError):
        return ""
    return f"move {error.at + 1}: " if isinstance(error.at, int) else f"{error.at}: "


@app.command()
def fairness(
    game: GameName,
    settings: Settings = None,
    levels: Annotated[
        str, typer.Option(help="Computer levels to compare, separated by commas.")
    ] = "random,casual,perfect",
    rounds: Annotated[int, typer.Option(min=1, help="Hundreds of matches behind each figure.")] = 4,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler to run on.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Write the plot to this SVG file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, for programs.")] = False,
) -> None:
    """Say whether a game is fair, at every level, and which variants are fairer."""
    import msgspec
    from rich.progress import Progress

    from trapline import fairness as fair
    from trapline.cluster import executor
    from trapline.players import find_player
    from trapline.report import fairness_page
    from trapline.terminal.screen import make_console

    rules = make_game(game, _read_settings(settings), from_text=True)
    chosen = [level.strip() for level in levels.split(",")]
    for level in chosen:
        find_player(level)
    console = make_console()
    with executor(scheduler) as pool, Progress(transient=True, disable=as_json) as progress:
        task = progress.add_task("playing and solving", total=fair.tasks(game, chosen, rounds))
        found = fair.report(
            rules, pool, levels=chosen, rounds=rounds, advance=lambda: progress.advance(task)
        )
    if plot is not None:
        plot.write_text(fairness_page.plot(found), "utf-8")
    if as_json:
        typer.echo(msgspec.json.encode(found).decode())
        return
    console.print(found.sentence)
    console.print(fairness_page.levels_table(found))
    console.print()
    console.print(fairness_page.variants_table(found))
    console.print(fairness_page.advice(found))


@app.command()
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
    )
    run_server(settings, open_browser=open_browser)


@app.command()
def arena(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="A TOML file: docs/arena.md.")],
    html: Annotated[
        Path | None, typer.Option(help="Write one self-contained page to this file.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, for programs.")] = False,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler to run on.")
    ] = None,
) -> None:
    """Let players, language models too, play each other, and measure them by the equilibrium."""
    import msgspec

    from trapline.report import arena_page
    from trapline.terminal import arena as screen

    found = screen.hold(config, scheduler, quiet=as_json)
    if html is not None:
        html.write_text(arena_page.page(found), "utf-8")
        sys.stderr.write(f"Written to {html}.\n")
    if as_json:
        typer.echo(msgspec.json.encode(found).decode())
    else:
        screen.tell(found)
    raise typer.Exit(1 if found.unfinished else 0)


@app.command()
def mcp(
    server: Annotated[
        str, typer.Option(metavar="URL", help="Where people play whom the assistant challenges.")
    ] = "http://127.0.0.1:8000",
) -> None:
    """Let an assistant play: serve the Model Context Protocol on standard input and output."""
    from trapline.adapters.mcp import serve as run_server

    run_server(server)


# --- reading what the command line gives ------------------------------------------------


def _read_settings(settings: list[str] | None) -> dict[str, object]:
    values: dict[str, object] = {}
    for setting in settings or []:
        name, equals, value = setting.partition("=")
        if not equals:
            raise OptionsError(f"--set needs NAME=VALUE, such as length=12, not {setting!r}.")
        values[name.strip()] = value.strip()
    return values


def _read_first(text: str | None) -> First | None:
    choices: dict[str | None, First | None] = {None: None, "1": 1, "2": 2, "toss": "toss"}
    if text not in choices:
        raise OptionsError(f"--first must be 1, 2 or toss, not {text!r}.")
    return choices[text]


def _read_records(file: str) -> Iterator[bytes]:
    """The bytes of one record after the other, never all of them at once."""
    if file == "-":
        yield from (line for line in sys.stdin.buffer if line.strip())
        return
    path = Path(file)
    try:
        if file.endswith(".jsonl"):
            with path.open("rb") as lines:
                yield from (line for line in lines if line.strip())
        elif path.exists():
            yield path.read_bytes()
        else:
            yield _saved(file)
    except OSError as error:
        raise TraplineError(f"{file} cannot be read: {error.strerror or error}.") from None


def _saved(name: str) -> bytes:
    from trapline.terminal.saves import Saves

    try:
        return Saves().find(name).to_json().encode()
    except TraplineError:
        raise TraplineError(f"{name} is neither a file nor the id of a match.") from None


def _parsed(file: str) -> Iterator[Record | RecordError]:
    from trapline.record import parse_record

    for data in _read_records(file):
        try:
            yield parse_record(data)
        except RecordError as error:
            yield error


def _no_pager() -> Any:
    from contextlib import nullcontext

    return nullcontext()
