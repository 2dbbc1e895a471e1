"""How commands read what they were given; nothing here needs a framework."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trapline.core import First, OptionsError, RecordError, TraplineError
from trapline.games import (
    find_game,
    find_preset,
    load_specs,
    make_game,
    recall,
    remember,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Game
    from trapline.referee import Record


def read_game(spec: str, settings: list[str] | None, preset: str | None = None) -> Game[Any]:
    """The game that a command names, under what `--preset` and then `--set` say; one from a file
    is remembered."""
    recall(spec)
    named = find_preset(find_game(spec), preset).options if preset else {}
    game = make_game(spec, {**named, **read_settings(settings)}, from_text=True)
    remember(type(game))
    return game


def read_settings(settings: list[str] | None) -> dict[str, object]:
    values: dict[str, object] = {}
    for setting in settings or []:
        name, equals, value = setting.partition("=")
        if not equals:
            raise OptionsError(f"--set needs NAME=VALUE, such as length=12, not {setting!r}.")
        values[name.strip()] = value.strip()
    return values


def read_first(text: str | None) -> First | None:
    choices: dict[str | None, First | None] = {None: None, "1": 1, "2": 2, "toss": "toss"}
    if text not in choices:
        raise OptionsError(f"--first must be 1, 2 or toss, not {text!r}.")
    return choices[text]


def read_records(file: str, games: list[str] | None = None) -> Iterator[bytes]:
    """The bytes of one record after the other, never all of them at once.

    `games` are those from outside that may come up: what a record names is never loaded.
    """
    load_specs(games or ())
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
    from trapline.terminal.saves import Ambiguous, Saves

    try:
        record = Saves().find(name)
    except Ambiguous:
        raise
    except TraplineError:
        raise TraplineError(f"{name} is neither a file nor the id of a match.") from None
    recall(record.game)  # the user's own match, so its game is one that the user has played
    return record.to_json().encode()


def parsed(file: str, games: list[str] | None = None) -> Iterator[Record | RecordError]:
    from trapline.referee import parse_record

    for data in read_records(file, games):
        try:
            yield parse_record(data)
        except RecordError as error:
            yield error


def place(error: TraplineError) -> str:
    """Where a record breaks the rules, if that is what is wrong."""
    if not isinstance(error, RecordError):
        return ""
    return f"move {error.at + 1}: " if isinstance(error.at, int) else f"{error.at}: "
