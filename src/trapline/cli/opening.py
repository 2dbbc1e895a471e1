"""Commands that somebody waits for, apart from how they are read: a screen, and the assistant's."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from trapline.cli.reading import read_first, read_game
from trapline.core import OptionsError, TraplineError

if TYPE_CHECKING:
    from trapline.terminal.saves import Saves

SERVER = "http://127.0.0.1:8000"
"""Where an assistant's challenges are played unless told otherwise."""


def menu(*, plain: bool = False) -> int:
    """All that can be done, to choose from; returns the exit status, as the others do."""
    from trapline.terminal.menu import open_menu
    from trapline.terminal.saves import Saves

    return open_menu(Saves(), plain=plain)


def play(
    game: str,
    *,
    vs: str | None = None,
    p1: str | None = None,
    p2: str | None = None,
    first: str | None = None,
    seed: int | None = None,
    preset: str | None = None,
    settings: list[str] | None = None,
    best_of: int | None = None,
    plain: bool = False,
) -> int:
    """A new match."""
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
    return play_on(match, saves, plain=plain, first=who_first)


def resume(match_id: str | None = None, *, plain: bool = False) -> int:
    """A match that was not finished."""
    from trapline.referee import Match
    from trapline.referee.record import rules_changed
    from trapline.terminal.saves import LAST, Saves
    from trapline.terminal.sitting import play_on

    saves = Saves()
    record = saves.reopen(_latest(saves) if match_id in (None, LAST) else match_id)
    if record.result is not None:
        raise TraplineError(f"Match {record.id} is over; 'trapline replay {record.id}' shows it.")
    match = Match.restore(record)
    if changed := rules_changed(record, match.game):
        saves.remarks.append(changed)
    return play_on(match, saves, plain=plain)


def _latest(saves: Saves) -> str:
    """The unfinished match to go on with; where each is played elsewhere, the latest of all."""
    unfinished = saves.unfinished()
    latest = next(unfinished, None)
    if latest is None:
        raise TraplineError("No match is unfinished; 'trapline play GAME' starts one.")
    free = next(filter(saves.is_free, chain([latest], unfinished)), latest)
    if free is not latest:
        saves.remarks.append(
            f"Match {latest.id} is being played in another window, so you go on with {free.id}."
        )
    return free.id


def mcp(*, server: str = SERVER, game: list[str] | None = None) -> int:
    """The tools of an assistant, until it hangs up."""
    from trapline.adapters.mcp import serve

    serve(server, game or ())
    return 0
