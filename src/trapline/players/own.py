"""Somebody's own agent as a player: a Python function, a program, or a bot behind an address.

All three are asked the same way. They are given a question (`Asked`, as a dictionary or as JSON),
which holds what the seat may know and nothing else, and give back a text with the answer in it,
as language models do.

    my_bot.agents:play                 a function from the dictionary to the text, also as
    python:my_bot.agents:play
    command:./my_bot --fast            a line of JSON on its input, a line of text on its output
    http://127.0.0.1:9000/move         a POST of the JSON, answered with the text
"""

from __future__ import annotations

import atexit
import importlib
import shlex
import subprocess
import sys
import time
from http.client import HTTPException
from pathlib import Path
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.request import Request, build_opener

import msgspec

from trapline.core import Forfeit, TraplineError, Unavailable, brief
from trapline.games import make_game
from trapline.players.llm import prompt
from trapline.players.llm.endpoint import LARGEST_REPLY, NoRedirects
from trapline.players.llm.settings import Settings, settings_from_environment
from trapline.players.llm.spending import Exchange
from trapline.players.replies import read_reply

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from trapline.core import Form, View
    from trapline.players import Opponent

PYTHON, COMMAND = "python:", "command:"


class Asked(msgspec.Struct, frozen=True):
    """What an agent is told; the text alone is enough to play."""

    text: str
    """The rules, what has happened, the board, the question."""
    game: str
    """Empty where the game is told under another name."""
    options: dict[str, Any]
    seat: int
    turn: int
    asks: str
    legal: list[str]
    """The answers as one would type them; none where a set is asked for."""
    draw: int
    """A number that a seed decides, for agents that leave something to chance."""
    refused: str = ""
    """Why the last answer to this question was, if it was."""


class OwnPlayer:
    def __init__(self, name: str, ask: Callable[[Asked], str], settings: Settings) -> None:
        self.name = name
        self._ask, self._settings = ask, settings
        self._said: list[Exchange] = []

    def choose(self, view: View, rng: Random) -> Form:
        game = make_game(view.game, view.options)
        question, theme = prompt.asked(view), self._settings.theme
        told = Asked(
            prompt.question(game, view, theme)[1]["content"],
            view.game if theme is None else "",
            view.options,
            view.seat or 0,
            view.turn,
            question.asks,
            [] if question.choose else [answer.text for answer in question.answers],
            rng.getrandbits(32),
        )
        for _ in range(self._settings.corrections + 1):
            reply = self._ask(told)
            self._said.append(Exchange(told.refused or told.text, reply))
            try:
                return prompt.understood(game, view, read_reply(reply))
            except TraplineError as refusal:
                why = prompt.refusal(game, str(refusal), theme)
                told = msgspec.structs.replace(told, refused=why)
        tries = self._settings.corrections + 1
        raise Forfeit(f"{self.name} forfeits: no answer of {tries} to one question could be used.")

    def said(self) -> list[Exchange]:
        return self._said


# --- ways to ask ------------------------------------------------------------------------


def by_function(name: str) -> Callable[[Asked], str]:
    """A function of a module that can be imported from the working directory, too."""
    module, _, attribute = name.removeprefix(PYTHON).partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        function = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise TraplineError(f"There is no agent {name}: {error}.") from None

    def ask(asked: Asked) -> str:
        try:
            reply = str(function(msgspec.to_builtins(asked)))
        except Exception as error:
            raise _away(name, f"it raised {type(error).__name__}: {error}") from error
        return reply.encode("utf-8", "replace").decode()  # half a character cannot be kept

    return ask


class ByCommand:
    """One process for all questions, started when the first is asked."""

    def __init__(self, name: str, seconds: float) -> None:
        self._name, self._seconds = name, seconds
        try:
            self._words = shlex.split(name.removeprefix(COMMAND))
        except ValueError as error:  # a quotation mark that is not closed
            raise TraplineError(f"There is no agent {name}: {error}.") from None
        self._process: subprocess.Popen[bytes] | None = None
        self._asking = Lock()

    def __call__(self, asked: Asked) -> str:
        with self._asking:
            process = self._running()
            assert process.stdin is not None  # both are pipes
            assert process.stdout is not None
            clock = Timer(self._seconds, process.kill)
            clock.start()
            try:
                process.stdin.write(msgspec.json.encode(asked) + b"\n")
                process.stdin.flush()
                line = process.stdout.readline(LARGEST_REPLY)
            except OSError:
                line = b""
            finally:
                clock.cancel()
            if not line.endswith(b"\n"):
                process.kill()
                process.wait()
                self._process = None
                raise _away(self._name, "its program ended, or gave no line in time")
            return line.decode("utf-8", "replace")

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            pipe = subprocess.PIPE
            try:
                self._process = subprocess.Popen(self._words, stdin=pipe, stdout=pipe)  # noqa: S603 (named by whoever holds the tournament)
            except OSError as error:
                raise _away(self._name, str(error.strerror or error)) from None
            atexit.register(self._process.kill)
        return self._process


def by_address(name: str, seconds: float) -> Callable[[Asked], str]:
    opener = build_opener(NoRedirects)

    def ask(asked: Asked) -> str:
        headers = {"Content-Type": "application/json", "User-Agent": "trapline"}
        request = Request(name, msgspec.json.encode(asked), headers)  # noqa: S310 (its name begins with http)
        deadline, parts, size = time.monotonic() + seconds, [], 0
        try:
            with opener.open(request, timeout=seconds) as response:
                while chunk := response.read1(65_536):
                    parts.append(chunk)
                    size += len(chunk)
                    if size > LARGEST_REPLY or time.monotonic() > deadline:
                        raise _away(name, "its reply does not end")
        except HTTPError as error:
            raise _away(name, f"it answered with status {error.code}") from None
        except (OSError, HTTPException) as error:
            raise _away(name, brief(str(getattr(error, "reason", error)).strip())) from None
        return b"".join(parts).decode("utf-8", "replace")

    return ask


def _away(name: str, why: str) -> Unavailable:
    return Unavailable(f"{name} cannot be asked: {why}.", name)


def make_player(name: str, settings: Settings | None = None) -> Opponent:
    """The agent behind a name; TraplineError where there can be none."""
    from trapline.players import Opponent  # which asks for this module when it is needed

    settings = settings or settings_from_environment()
    if name.startswith(("http://", "https://")):
        ask = by_address(name, settings.timeout)
    elif name.startswith(COMMAND):
        ask = ByCommand(name, settings.timeout)
    else:
        ask = by_function(name)
    player = OwnPlayer(name, ask, settings)
    return Opponent(player.choose, f"the agent {name}", said=player.said)
