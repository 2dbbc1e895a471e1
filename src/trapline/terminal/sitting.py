"""One sitting at the terminal: a match, what follows it, and what is said on leaving."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

from trapline.core import First, GameError, Unavailable
from trapline.terminal.asking import NEXT, Quit
from trapline.terminal.keeping import Keeper
from trapline.terminal.lines import LineScreen
from trapline.terminal.play import Session
from trapline.terminal.saves import SaveError
from trapline.terminal.screen import KEYS, kind_of_screen, make_screen
from trapline.terminal.series import next_in_series, rematch, series_result

if TYPE_CHECKING:
    from types import FrameType

    from trapline.referee import Match
    from trapline.terminal.saves import Saves
    from trapline.terminal.screen import Page, Screen


def play_on(match: Match, saves: Saves, *, plain: bool, first: First | None = None) -> int:
    """Play a match and what follows it; returns the exit status."""
    kind = kind_of_screen(plain=plain)
    if kind == KEYS:
        from trapline.terminal.full import open_full

        return open_full(saves, match, first)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _leave)
    screen = make_screen(kind)
    try:
        last, status = _sit(match, saves, screen, first, in_words=plain)
    finally:
        screen.close()
    return last.say(status, wiped=screen.wipes)


def _sit(
    match: Match, saves: Saves, screen: Screen, first: First | None, *, in_words: bool
) -> tuple[Farewell, int]:
    """Match after match; how it ended, and the exit status."""
    current: Match | None = match
    last = Farewell(match)
    try:
        while current is not None:
            session = Session(current, screen, saves, in_words=in_words)
            last = Farewell(current)
            saves.lock(current.id)
            try:
                session.play()
            finally:
                saves.unlock(current.id)
            last = Farewell(current, session)
            following = next_in_series(current)
            if following is not None:
                # On disk before anybody can leave: whoever does goes on with the series.
                Keeper(following, saves, screen).keep(session.pages.title)
                last = Farewell(following)
                _pause(session, screen)
            current = following or _rematch(session, screen, saves, first)
    except Quit:
        return last, 0
    except EOFError:
        return last, 0 if last.finished else 1
    except KeyboardInterrupt:
        return last, 130
    except (SaveError, Unavailable, GameError) as error:
        last.problem = str(error)
        return last, 1
    return last, 0


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

    def say(self, status: int, *, wiped: bool) -> int:
        """Where pages were `wiped`, the last one is printed to stay."""
        if self.finished and self.session is not None:
            if wiped:
                LineScreen().show(_last_page(self.session))
            if self.problem:
                print(self.problem, file=sys.stderr)
            return status
        where = f"'trapline resume {self.match.id}' goes on with it"
        if self.problem:
            print(f"{self.problem} The turns before it are kept: {where}.", file=sys.stderr)
        else:
            LineScreen().say("", f"The game is kept: {where}.")
        return status


def _pause(session: Session, screen: Screen) -> None:
    people = session.audience.people
    if screen.people and people:
        choices = (("", "The next game"),)
        session.asker.answer(people[0], NEXT, session.farewell(), choices=choices)
    else:
        screen.show(_last_page(session))


def _rematch(session: Session, screen: Screen, saves: Saves, first: First | None) -> Match | None:
    """Ask for another, where somebody is there to answer."""
    closing = [*session.farewell(), *series_result(session.match)]
    if not screen.people or not session.audience.people:
        screen.show(_last_page(session))
        return None
    wanted = session.asker.yes(1, "Rematch with seats swapped? (y/n): ", closing)
    return rematch(session.match, saves, first) if wanted else None


def _last_page(session: Session) -> Page:
    """All that may be seen when a match is over."""
    closing = [*session.farewell(), *series_result(session.match)]
    return session.pages.page(session.audience.looking, closing, session.asker.notice)
