"""Matches that follow each other: series, rematches, and what is said on leaving."""

from __future__ import annotations

import secrets
import signal
import sys
from random import Random
from typing import TYPE_CHECKING, Any

from trapline.core import SEATS, First, GameError, Seat, Unavailable, other
from trapline.players import is_player
from trapline.referee import Match, Player, Series
from trapline.terminal.asking import Quit
from trapline.terminal.play import Session
from trapline.terminal.saves import SaveError, Saves, new_match_id
from trapline.terminal.screen import LineScreen, Page, Screen, make_screen

if TYPE_CHECKING:
    from types import FrameType

    from trapline.core import Game

LONGEST_NAME = 24


def make_player(text: str | None, seat: Seat) -> Player:
    """A computer opponent by its name, or a person by theirs."""
    if text is not None and is_player(text):
        return Player(text, bot=text)
    # In a locale that knows ASCII alone, other letters arrive as raw bytes.
    decoded = (text or "").encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    name = "".join(character for character in decoded if character.isprintable()).strip()
    return Player(name[:LONGEST_NAME] or f"Player {seat}")


def make_players(one: str | None, two: str | None) -> dict[Seat, Player]:
    return {1: make_player(one, 1), 2: make_player(two, 2)}


def new_match(
    game: Game[Any],
    players: dict[Seat, Player],
    first: First | None,
    seed: int | None,
    series: Series | None,
) -> Match:
    seed = secrets.randbits(48) if seed is None else seed
    return Match(
        game,
        first,
        rng=Random(f"{seed} toss"),
        match_id=new_match_id(),
        players=_tell_apart(players),
        seed=seed,
        series=series,
    )


def _tell_apart(players: dict[Seat, Player]) -> dict[Seat, Player]:
    """Two of the same name get numbers."""
    if players[1].name != players[2].name:
        return players
    return {
        seat: Player(f"{player.name} {seat}", bot=player.bot) for seat, player in players.items()
    }


def play_on(match: Match, saves: Saves, *, plain: bool, first: First | None = None) -> int:
    """Play a match and what follows it; returns the exit status."""
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _leave)
    screen = make_screen(plain=plain)
    current: Match | None = match
    last = Farewell(match)
    try:
        while current is not None:
            session = Session(current, screen, saves, in_words=plain)
            last = Farewell(current)
            saves.lock(current.id)
            try:
                session.play()
            finally:
                saves.unlock(current.id)
            last = Farewell(current, session)
            current = _next_match(session, screen, first)
    except Quit:
        return last.say(screen, 0)
    except EOFError:
        return last.say(screen, 0 if last.finished else 1)
    except KeyboardInterrupt:
        return last.say(screen, 130)
    except (SaveError, Unavailable, GameError) as error:
        last.problem = str(error)
        return last.say(screen, 1)
    except BaseException:
        screen.close()
        raise
    return last.say(screen, 0)


def _leave(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


class Farewell:
    """What stays on the terminal when the program ends."""

    def __init__(self, match: Match, session: Session | None = None) -> None:
        self.match = match
        self.session = session
        self.problem = ""

    @property
    def finished(self) -> bool:
        return self.match.outcome is not None

    def say(self, screen: Screen, status: int) -> int:
        screen.close()
        if self.finished and self.session is not None:
            if screen.wipes:
                LineScreen().show(_last_page(self.session, self.session.farewell()))
            return status
        where = f"'trapline resume {self.match.id}' goes on with it"
        if self.problem:
            print(f"{self.problem} The turns before it are kept: {where}.", file=sys.stderr)
        else:
            print(f"\nThe game is kept: {where}.")
        return status


def _next_match(session: Session, screen: Screen, first: First | None) -> Match | None:
    match = session.match
    closing = session.farewell()
    series = match.series
    if series is not None:
        wins = _with_result(series.wins, match)
        if max(wins) * 2 <= series.best_of and series.number < series.best_of:
            _pause(session, screen, closing)
            following = Series(series.best_of, series.number + 1, wins)
            seed = (match.seed or 0) + 1
            return new_match(match.game, match.players, other(match.first), seed, following)
        closing.append(_series_result(session, wins))
    if not _wants_rematch(session, screen, closing):
        return None
    swapped: dict[Seat, Player] = {
        seat: _moved_to(match.players[other(seat)], seat) for seat in SEATS
    }
    fresh = Series(series.best_of, 1, (0, 0)) if series is not None else None
    return new_match(match.game, swapped, first, (match.seed or 0) + 1, fresh)


def _moved_to(player: Player, seat: Seat) -> Player:
    """The same player on the other side of the table; a name that is only a number changes."""
    nameless = player.name == f"Player {other(seat)}"
    return Player(f"Player {seat}") if nameless and player.bot is None else player


def _with_result(wins: tuple[int, int], match: Match) -> tuple[int, int]:
    winner = match.outcome.winner if match.outcome is not None else None
    return (wins[0] + (winner == 1), wins[1] + (winner == 2))


def _series_result(session: Session, wins: tuple[int, int]) -> str:
    score = f"{wins[0]}:{wins[1]}"
    if wins[0] == wins[1]:
        return f"The series ends level, {score}."
    winner: Seat = 1 if wins[0] > wins[1] else 2
    return f"{session.pages.names[winner]} wins the series, {score}."


def _pause(session: Session, screen: Screen, closing: list[str]) -> None:
    if screen.people and session.audience.people:
        session.asker.answer(session.audience.people[0], "Press Enter for the next game: ", closing)
    else:
        screen.show(_last_page(session, closing))


def _wants_rematch(session: Session, screen: Screen, closing: list[str]) -> bool:
    """Ask, where somebody is there to answer."""
    if not screen.people or not session.audience.people:
        screen.show(_last_page(session, closing))
        return False
    return bool(session.asker.yes(1, "Rematch with seats swapped? (y/n): ", closing))


def _last_page(session: Session, closing: list[str]) -> Page:
    """All that may be seen when a match is over."""
    return session.pages.page(session.audience.looking, closing, session.asker.notice)
