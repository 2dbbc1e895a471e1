"""What a person has chosen for good: whether things move, and on which ground."""

from __future__ import annotations

import contextlib
from typing import Literal

import msgspec

from trapline.home import data_folder, replace_file

FILE = "terminal.json"


class Habits(msgspec.Struct):
    motion: bool = True
    """Whether moves are seen as they happen."""
    ground: Literal["auto", "light", "dark"] = "auto"
    """What the full screen is drawn on; as the terminal has it, unless somebody says otherwise."""

    @classmethod
    def load(cls) -> Habits:
        """As they were kept; as usual where nothing, or nonsense, was."""
        try:
            return msgspec.json.decode((data_folder() / FILE).read_bytes(), type=cls)
        except (OSError, msgspec.DecodeError):
            return cls()

    def save(self) -> None:
        """Keep them, if there is a place; a habit is not worth an error."""
        folder = data_folder()
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(folder / FILE, msgspec.json.encode(self))
