"""Commands for whoever writes a game."""

from __future__ import annotations

import json
import re
import sys
from importlib import resources
from keyword import iskeyword
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from trapline.cli.parameters import AsJson, GameName, MoreGames, Page, Settings
from trapline.cli.reading import read_settings
from trapline.core import TraplineError
from trapline.games import GAMES, all_games, load_specs, origin

if TYPE_CHECKING:
    from trapline.core import Game


def games(as_json: AsJson = False, more: MoreGames = None) -> None:
    """List all games: the rulebooks, and what installed packages offer."""
    load_specs(more or ())
    found = []
    for kind in all_games():
        if isinstance(kind, TraplineError):
            sys.stderr.write(f"trapline: {kind}\n")
        else:
            found.append(_described(kind))
    if as_json:
        typer.echo(json.dumps(found))
        return
    wide = max(len(entry["name"]) for entry in found)
    for entry in found:
        typer.echo(f"{entry['name']:<{wide}}  {entry['title']} ({entry['origin']})")
        for preset in entry["presets"]:
            verdict = preset["verdict"].removeprefix(f"{preset['name']}: ")  # most begin with it
            typer.echo(f"{'':<{wide}}    {preset['name']}: {verdict}")


def _described(kind: type[Game[Any]]) -> dict[str, Any]:
    usual = kind.options_type()
    options = {name: getattr(usual, name) for name in usual.__struct_fields__}
    return {
        "name": kind.name,
        "title": kind.title,
        "origin": origin(kind.name),
        "options": {k: list(v) if isinstance(v, tuple) else v for k, v in options.items()},
        "presets": [msgspec.to_builtins(preset) for preset in kind.presets],
    }


def check(
    game: GameName,
    settings: Settings = None,
    seconds: Annotated[float, typer.Option(min=1, help="Stop after this.")] = 60,
) -> None:
    """Look whether a game is sound: its rules, its matches, and what its players are shown."""
    from trapline.checking import check as look

    report = look(game, read_settings(settings), seconds)
    for finding in report.findings:
        typer.echo(f"{finding.check.upper()}  {finding.sentence}")
        if finding.play:
            typer.echo(f"  after: {', '.join(finding.play)}")
    if report.ok:
        typer.echo(
            f"{report.game} is sound, as far as {report.states} states and "
            f"{report.matches} matches can tell."
        )
    raise typer.Exit(0 if report.ok else 1)


def audit(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="A game, or pyspiel:NAME, pettingzoo:MODULE, gymnasium:MODULE:CLASS, "
            "gymnasium:FILE.py, kaggle:NAME, textarena:NAME, envpool:NAME, openenv:MODULE:CLASS.",
        ),
    ],
    settings: Settings = None,
    seconds: Annotated[float, typer.Option(min=1, help="How long to look.")] = 20,
    jobs: Annotated[int, typer.Option(min=1, max=64, help="How many look at once.")] = 1,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the proof of a small game's value to this file."),
    ] = None,
    html: Page = None,
    as_json: AsJson = False,
) -> None:
    """Look for faults in anybody's environment: crashes, dead ends, wrong rewards, leaks."""
    from rich.console import Console
    from rich.progress import Progress

    from trapline.audit import audit as look
    from trapline.audit import page

    with Progress(console=Console(stderr=True), transient=True, disable=as_json) as progress:
        bar = progress.add_task(target, total=1.0)
        report = look(
            target,
            seconds,
            options=read_settings(settings),
            jobs=jobs,
            told=lambda step, spent: progress.update(bar, completed=spent, description=step),
        )
    if certificate is not None:
        sys.stderr.write(f"{page.certified(report, certificate)}\n")
    if html is not None:
        html.write_text(page.page(report), "utf-8")
        sys.stderr.write(f"Written to {html}.\n")
    if as_json:
        typer.echo(json.dumps(report.to_json()))
    else:
        typer.echo(page.text(report))
    raise typer.Exit(0 if report.ok else 1)


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Such as pebbles, or 'Pebble Race'.")],
) -> None:
    """Write a small game to begin with, and its test, into this folder."""
    words = re.findall(r"[a-z]+|[0-9]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())
    slug, file = "-".join(words), "_".join(words)
    if not words or not slug[0].isalpha() or not re.fullmatch(r"[\w -]+", name):
        raise TraplineError(f"{name!r} is no name for a game: use letters and digits.")
    if slug in GAMES or iskeyword(file) or file in (*sys.stdlib_module_names, "trapline"):
        raise TraplineError(f"{slug} is taken: choose another name.")
    parts = {
        "slug": slug,
        "file": file,
        "title": " ".join(word.capitalize() for word in words),
        "name": "".join(word.capitalize() for word in words),
    }
    targets = {Path(f"{file}.py"): "new_game.txt", Path(f"test_{file}.py"): "new_test.txt"}
    for path in targets:
        if path.exists():
            raise TraplineError(f"{path} is there already, and is left as it is.")
    for path, template in targets.items():
        text = (resources.files("trapline.cli") / template).read_text("utf-8")
        path.write_text(Template(text).substitute(parts), "utf-8")
    typer.echo(f"{file}.py and test_{file}.py are written. Try:")
    typer.echo(f"  trapline check ./{file}.py\n  trapline play ./{file}.py --vs perfect")
