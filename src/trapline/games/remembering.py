"""Where the games lie that this user has played from files, kept in the user's own folder.

A saved match names its game and no more. So that it opens again, the name leads to the file
from which this user has played it; nothing that a record holds can add to this list.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import TraplineError
from trapline.games.finding import file_spec, find_game, is_known, rules_digest
from trapline.home import data_folder, replace_file

if TYPE_CHECKING:
    from pathlib import Path

    from trapline.core import Game


class Kept(msgspec.Struct, frozen=True):
    spec: str
    """The path, and the class after it if the file holds several games."""
    rules: str
    """The digest of the rules when it was last played."""


def remember(kind: type[Game[Any]]) -> None:
    """Keep where a game lies; only those from files can be lost."""
    spec = file_spec(kind.name)
    if spec is None:
        return
    kept = _all()
    now = Kept(spec, rules_digest(kind))
    if kept.get(kind.name) != now:
        with contextlib.suppress(OSError):  # a full disk must not end a game
            _file().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(_file(), msgspec.json.encode(kept | {kind.name: now}))


def is_remembered(name: str) -> bool:
    """Whether `recall` would find a game of this name, or it is known already."""
    return is_known(name) or name in _all()


def recall(name: str) -> None:
    """Load the game of this name from where this user has played it; GameError if it fails."""
    if is_known(name):
        return
    kept = _all().get(name)
    if kept is None:
        return
    found = find_game(kept.spec)
    if found.name != name:
        raise TraplineError(f"{kept.spec} held {name} once; now it holds {found.name}.")


def _file() -> Path:
    return data_folder() / "games.json"


def _all() -> dict[str, Kept]:
    try:
        return msgspec.json.decode(_file().read_bytes(), type=dict[str, Kept])
    except (OSError, msgspec.MsgspecError):
        return {}
