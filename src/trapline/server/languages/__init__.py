"""The page in other languages: English patterns and what they become, as data.

A folder a language holds what the page and the server say; what a rulebook says lies with the
rulebook, as `words.de.json`. The page puts the words in (static/js/translation.js); the server
only hands the catalogue out, and is never told who reads it.
"""

from __future__ import annotations

import inspect
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from trapline.games import GAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HERE = Path(__file__).parent
CODES = tuple(sorted(folder.name for folder in HERE.iterdir() if [*folder.glob("*.json")]))
"""Every language besides English."""


PAGE = ("joints", "frame", "page")
"""The files with what is said before anybody plays."""
TABLE = ("joints", "frame", "match")
"""The files with what is said at a table, besides the words of its game."""


def sources(code: str) -> Iterator[Path]:
    """The files that make up a catalogue."""
    yield from sorted((HERE / code).glob("*.json"))
    for game in GAMES:
        if (words := _words(code, game)).is_file():
            yield words


@cache
def messages(code: str) -> dict[str, str]:
    """All that a language knows to say."""
    return _read(sources(code))


@cache
def page_messages(code: str) -> dict[str, str]:
    """What the page says before anybody plays, for whoever comes to the first screen."""
    return _read(path for path in sources(code) if path.stem in PAGE)


@cache
def table_messages(code: str, game: str) -> dict[str, str]:
    """What is said while somebody plays a game; what is refused or explained comes later."""
    return _read(path for path in sources(code) if path.stem in TABLE or path == _words(code, game))


def _words(code: str, game: str) -> Path:
    return Path(inspect.getfile(GAMES[game])).with_name(f"words.{code}.json")


def _read(files: Iterable[Path]) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in files:
        found |= json.loads(path.read_text("utf-8"))
    return found
