"""Commands for understanding the games and those who play them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from trapline.cli.parameters import AsJson, GameName, Page, PresetName, Scheduler, Settings
from trapline.cli.reading import read_first, read_game
from trapline.core import OptionsError

Solvable = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="A game, as everywhere; or a Gambit file FILE.efg; or pyspiel:NAME."
    ),
]


def solve(
    game: Solvable,
    preset: PresetName = None,
    settings: Settings = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    target: Annotated[
        float, typer.Option(min=0.0, help="Exploitability to reach; 0 asks for an exact value.")
    ] = 1e-4,
    seconds: Annotated[
        float | None, typer.Option("--time", min=0.0, metavar="SECONDS", help="Stop after this.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Solve again, whatever is kept.")] = False,
    more: Annotated[
        bool, typer.Option("--more", help="Go on from what is kept, for closer bounds.")
    ] = False,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the proof to this file: docs/certificates.md."),
    ] = None,
) -> None:
    """Work out who wins with best play, and prove it."""
    from trapline.adapters.trees import tree_of
    from trapline.solve import Solution, certificates, tree_certificates
    from trapline.terminal import solving

    tree = tree_of(game)
    if tree is not None and (settings or preset):
        raise OptionsError(
            f"--set and --preset are for Trapline's own games; {game} says all there is to say."
        )
    rules = read_game(game, settings, preset) if tree is None else tree
    if fresh and more:
        raise OptionsError("--fresh begins anew and --more goes on: choose one of them.")
    if certificate is not None:  # before anybody waits for a solution
        certificates.check_folder(certificate)
        if tree is None:
            certificates.check_known(rules.name, rules.title)
    found = solving.run(rules, target, seconds, fresh=fresh, more=more, quiet=as_json)
    if as_json:
        sys.stdout.write(json.dumps(found.to_json()) + "\n")
    else:
        solving.tell(found)
    if certificate is not None:
        if isinstance(found, Solution):
            written = certificates.certificate(found, sys.stderr.write)
        else:
            assert tree is not None  # games of ours have the other kind of solution
            written = tree_certificates.certificate(tree, found)
        certificates.write(written, certificate)
        low, high = written["bounds"]
        sys.stderr.write(f"Written to {certificate}: value between {low} and {high}.\n")
        sys.stderr.write(certificates.shortfall(written, found.facts.bounds))


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

    rules = read_game(game, settings)
    text = "\n".join(extensive_form(rules, read_first(first))) + "\n"
    if output is None:
        sys.stdout.write(text)
    else:
        output.write_text(text, "utf-8")


def fairness(
    game: GameName,
    preset: PresetName = None,
    settings: Settings = None,
    levels: Annotated[
        str, typer.Option(help="Computer levels to compare, separated by commas.")
    ] = "random,casual,perfect",
    rounds: Annotated[int, typer.Option(min=1, help="Hundreds of matches behind each figure.")] = 4,
    scheduler: Scheduler = None,
    plot: Annotated[Path | None, typer.Option(help="Write the plot to this SVG file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say whether a game is fair, at every level, and which variants are fairer."""
    import msgspec
    from rich.progress import Progress

    from trapline import fairness as fair
    from trapline.cluster import executor
    from trapline.players import find_player
    from trapline.report import fairness_page
    from trapline.terminal.screen import make_console

    rules = read_game(game, settings, preset)
    chosen = [level.strip() for level in levels.split(",")]
    for level in chosen:
        find_player(level)
    console = make_console()
    with executor(scheduler) as pool, Progress(transient=True, disable=as_json) as progress:
        task = progress.add_task("playing and solving", total=fair.tasks(rules, chosen, rounds))
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
    console.print()
    for sentence in fairness_page.measures(found):
        console.print(sentence)


def arena(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="A TOML file: docs/arena.md.")],
    html: Page = None,
    as_json: AsJson = False,
    scheduler: Scheduler = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Play nothing; say what it would ask and cost.")
    ] = False,
    evergreen: Annotated[
        int | None,
        typer.Option(metavar="SEED", help="Draw fresh variants under other names, by this seed."),
    ] = None,
    merge: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Take over results of others first; repeatable."),
    ] = None,
) -> None:
    """Let players, language models too, play each other, and measure them by the equilibrium."""
    import msgspec

    from trapline.report import arena_page
    from trapline.terminal import arena as screen

    if dry_run:
        foreseen = screen.foresee(config, merge or (), evergreen)
        if as_json:
            typer.echo(msgspec.json.encode(foreseen).decode())
        else:
            screen.tell_estimate(foreseen)
        return
    found = screen.hold(config, scheduler, quiet=as_json, merge=merge or (), seed=evergreen)
    if html is not None:
        html.write_text(arena_page.page(found), "utf-8")
        sys.stderr.write(f"Written to {html}.\n")
    if as_json:
        typer.echo(msgspec.json.encode(found).decode())
    else:
        screen.tell(found)
    raise typer.Exit(1 if found.unfinished else 0)
