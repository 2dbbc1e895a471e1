"""Solving while people play: in another process, with a bar that can be believed.

What is shipped or kept is at hand at once. Anything else is worked out beside the match, and until
then another level answers and is named. A search that was stopped leaves nothing behind: nobody
ever plays what it had found by then.
"""

from __future__ import annotations

import sys
import time
from contextlib import redirect_stderr, suppress
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from trapline.cluster import settle_in
from trapline.core import TraplineError
from trapline.games import changed_options, loaded_specs, make_game
from trapline.home import replace_file
from trapline.solve import TooLarge, solved, solved_first, storage
from trapline.solve.memory import OutOfMemory
from trapline.solve.pace import Pace, Told

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from pathlib import Path

    from trapline.core import Game, Seat
    from trapline.solve import Certificate

TARGET = 1e-4
"""The exploitability that `perfect` plays with."""
LONGEST = 600.0
"""Seconds that a search may take; what it has found by then is proven, and kept."""
QUICK = 0.8
"""Seconds that somebody waits for a solution without being told."""
MEANWHILE = "sharp"
"""The level that answers as long as nothing is solved."""


class Preparation:
    """The solution of one game on its way."""

    def __init__(self, game: Game[Any], first: Seat) -> None:
        self.game, self.first = game, solved_first(game, first)
        self.too_large = ""
        """Why there will be no solution; empty while there may be one."""
        self._began = time.monotonic()
        self._pace = Pace(TARGET, LONGEST)
        self._process: Any = None
        self.ready = is_kept(game, self.first)
        if not self.ready:
            self.too_large = refusal(game, self.first)
        if self.open:
            self._begin()

    def _begin(self) -> None:
        context = get_context("spawn")  # forking a process that has started threads is not safe
        self._hears, tells = context.Pipe(duplex=False)
        work = (loaded_specs(), self.game.name, changed_options(self.game), self.first, tells)
        self._process = context.Process(target=_work, args=work, daemon=True)
        with redirect_stderr(
            sys.__stderr__
        ):  # a full screen has its own, which no process can take
            self._process.start()
        tells.close()

    @property
    def open(self) -> bool:
        """Whether it is not known yet what comes of it."""
        self._listen(0.0)
        return not self.ready and not self.too_large

    def wait(self, seconds: float = QUICK) -> bool:
        """Whether there is a solution, after at most so many seconds."""
        end = time.monotonic() + seconds
        while self.open and (left := end - time.monotonic()) > 0:
            self._listen(left)
        return self.ready

    def told(self) -> Told:
        """How far it has come."""
        return self._pace.told(time.monotonic() - self._began)

    def sentence(self) -> str:
        """Where it stands, for whoever waits for it."""
        if self.open:
            share, left, trend = self.told()
            how_far = f"{share:.0%} done, {_in_words(left)} to go"
            if not trend:
                passed = _in_words(time.monotonic() - self._began)
                how_far = f"{passed} so far, {_in_words(LONGEST)} at most"
            return f"This variant is being worked out: {how_far}."
        return too_large(self.game) if self.too_large else "This variant is solved."

    def stop(self) -> None:
        """Give up what is not finished."""
        if self._process is not None:
            self._process.terminate()
            self._process.join()
            self._process = None

    def _listen(self, seconds: float) -> None:
        """Take in what the search says, waiting for it if there is nothing yet."""
        if self._process is None:
            return
        try:
            while self._process is not None and self._hears.poll(seconds):
                self._hear(self._hears.recv())
                seconds = 0.0
        except EOFError:
            self.too_large = self.too_large or "The search ended without a word."
            self.stop()

    def _hear(self, said: Any) -> None:
        match said:
            case float(gap):
                self._pace.note(time.monotonic() - self._began, gap)
            case str(reason):
                self.ready, self.too_large = not reason, reason
                self.stop()


def is_kept(game: Game[Any], first: Seat) -> bool:
    """Whether a solution came with the game, or was found here before."""
    return storage.shipped(game, first).is_file() or storage.path(game, first).is_file()


def refusal(game: Game[Any], first: Seat) -> str:
    """Why a game is known to be too large: a search that was made here before has said so."""
    try:
        return _note(game, first).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _note(game: Game[Any], first: Seat) -> Path:
    return storage.path(game, first).with_suffix(".refused")


def too_large(game: Game[Any]) -> str:
    return (
        f"{game.title} is too large to be solved under these options: {MEANWHILE} plays where "
        "perfect should, and the coach has nothing to say."
    )


def beforehand(game: Game[Any], first: Seat = 1) -> str:
    """What whoever chooses options should know before the match; nothing where all is at hand."""
    if is_kept(game, solved_first(game, first)):
        return ""
    if refusal(game, solved_first(game, first)):
        return too_large(game)
    return (
        "perfect and the coach have to work this variant out first; "
        f"until then {MEANWHILE} answers for them."
    )


def _in_words(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} minutes"


# --- in the other process ---------------------------------------------------------------


def _work(
    specs: list[str], name: str, options: dict[str, Any], first: Seat, tells: Connection
) -> None:
    settle_in(specs)

    def progress(_iterations: int, certificate: Certificate) -> None:
        tells.send(float(certificate.exploitability))

    game = make_game(name, options)
    try:
        solved(game, first=first, target=TARGET, time_limit=LONGEST, progress=progress)
    except TooLarge as error:
        if not isinstance(error, OutOfMemory):  # which may be otherwise tomorrow
            with suppress(OSError):
                _note(game, first).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                replace_file(_note(game, first), str(error).encode())
        tells.send(str(error))
    except (TraplineError, MemoryError) as error:
        tells.send(str(error) or "There is not enough memory.")
    else:
        tells.send("")
