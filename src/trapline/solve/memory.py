"""How much memory a search may take: what it needs is estimated beforehand, and compared.

A search that would not fit is refused in a sentence that says how much it would need, instead of
being killed after an hour. What counts as free is what the system says, and no more than a limit
on this process or its container leaves.
"""

from __future__ import annotations

import time
from pathlib import Path

from trapline.solve.interface import TooLarge

SHARE = 0.5
"""Of what is free, a search takes no more than this: it is not alone on the machine."""
UNKNOWN = 2 << 30
"""What is taken for free where the system does not say."""


class OutOfMemory(TooLarge):
    """It would need more memory than there is."""


def room() -> int:
    """How many bytes a search may take."""
    return int(SHARE * min(_free(), _left_in_container()))


class Budget:
    """What a search may take, as it was when the search began, and until when."""

    def __init__(self, until: float | None = None) -> None:
        self.room = room()
        self.until = until

    def check(self, needed: float, what: str) -> None:
        """Refuse what would not fit, or comes late; `what` says what needs so many bytes."""
        if self.until is not None and time.monotonic() > self.until:
            raise TooLarge(
                f"There was no time to list {what}; a smaller board, a shorter path or fewer traps "
                "need less."
            )
        if needed > self.room:
            raise OutOfMemory(
                f"To list {what} takes {told(needed)} of memory or more, and a search may have "
                f"{told(self.room)} here; a smaller board, a shorter path or fewer traps need less."
            )


def check_room(needed: float, what: str) -> None:
    """Refuse what would not fit now."""
    Budget().check(needed, what)


def told(count: float) -> str:
    """A number of bytes in words."""
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{max(1, round(count / 1e6))} MB"


def _free() -> int:
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        found = {
            name: words.split()[0] for name, _, words in (line.partition(":") for line in lines)
        }
        return 1024 * int(found["MemAvailable"])
    except (OSError, KeyError, IndexError, ValueError):
        return UNKNOWN


def _left_in_container() -> int:
    """What a control group leaves, where there is one."""
    folder = Path("/sys/fs/cgroup")
    try:
        most = (folder / "memory.max").read_text("ascii").strip()
        used = int((folder / "memory.current").read_text("ascii"))
        return 1 << 62 if most == "max" else max(0, int(most) - used)
    except (OSError, ValueError):
        return 1 << 62
