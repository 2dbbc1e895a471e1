"""The menu that `trapline` opens: a game in two keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table as RichTable
from rich.text import Text

from trapline.core import GameError
from trapline.games import all_games, known_game, make_game
from trapline.players.learner import level_names
from trapline.referee import Match
from trapline.terminal import listing
from trapline.terminal.screen import KEYS, kind_of_screen, make_console
from trapline.terminal.series import make_players, new_match, rival_named
from trapline.terminal.sitting import play_on

if TYPE_CHECKING:
    from rich.console import Console

    from trapline.terminal.saves import Saves


TITLE = "Trapline: games of hidden traps and secret goals"


def open_menu(saves: Saves, *, plain: bool) -> int:
    if kind_of_screen(plain=plain) == KEYS:
        from trapline.terminal.full import open_full

        return open_full(saves)
    console = make_console()
    try:
        while True:
            match = _choose(console, saves)
            if match is None:
                return 0
            status = play_on(match, saves, plain=plain)
            if status:
                return status
            console.print()
    except (EOFError, KeyboardInterrupt):
        console.print()
        return 0


def _choose(console: Console, saves: Saves) -> Match | None:
    games = [kind for kind in all_games() if not isinstance(kind, GameError)]
    names = [kind.name for kind in games]
    unfinished = saves.latest_to_go_on_with()
    entries = {str(number): (kind.title, kind.summary) for number, kind in enumerate(games, 1)}
    more = {"h": ("history", "past matches"), "q": ("quit", "")}
    if unfinished is not None:
        players = listing.player_names(unfinished)
        title = known_game(unfinished.game).title
        more = {"c": ("continue", f"{title}, {players[1]} against {players[2]}"), **more}
    _print_choices(console, TITLE, entries | more)
    while True:
        answer = input("Your choice: ").strip().lower()
        if answer in ("q", "quit", "exit"):
            return None
        if answer in ("c", "r") and unfinished is not None:
            return Match.restore(saves.reopen(unfinished.id))
        if answer in ("h", "history"):
            if not listing.history(saves.all(), console):
                console.print("No matches yet.")
        elif answer in ("help", "?"):
            _print_choices(console, TITLE, entries | more)
        elif answer in entries or answer in names:
            name = answer if answer in names else names[int(answer) - 1]
            return _against(console, name, saves)
        else:
            console.print(f"Please type a number from 1 to {len(names)}, h or q.")


def _print_choices(console: Console, title: str, entries: dict[str, tuple[str, str]]) -> None:
    grid = RichTable.grid(padding=(0, 2))
    for key, (name, summary) in entries.items():
        grid.add_row(Text(f" {key}", "bold"), Text(name), Text(summary, "dim"))
    console.print(Text(title, "bold"))
    console.print(grid)


def _against(console: Console, name: str, saves: Saves) -> Match | None:
    game, bots = make_game(name), list(level_names())
    entries = {"1": ("a friend", "here, on this device")}
    entries |= {str(n): (bot, level_names()[bot]) for n, bot in enumerate(bots, 2)}
    _print_choices(console, f"{game.title}: against whom?", entries)
    while True:
        answer = input("Your choice: ").strip().lower()
        if answer in ("q", "quit", "exit"):
            return None
        opponent = _opponent(answer, bots)
        if opponent is not None:
            rival = rival_named(opponent, game, saves)
            return new_match(game, make_players(None, rival), None, None, None)
        console.print(f"Please type a number from 1 to {len(bots) + 1}, or q.")


def _opponent(answer: str, bots: list[str]) -> str | None:
    if answer in bots:
        return answer
    if answer == "1":
        return ""
    if answer.isdecimal() and 2 <= int(answer) <= len(bots) + 1:
        return bots[int(answer) - 2]
    return None
