"""Agents of somebody's own: as a function, as a program, and what goes wrong with them."""

from __future__ import annotations

import json
import sys
from typing import Any


def first_legal(asked: dict[str, Any]) -> str:
    return f"I take the first. [{asked['legal'][0] if asked['legal'] else '1'}]"


def halved(asked: dict[str, Any]) -> str:
    """One half of a character that is written as two."""
    return f"\ud83d {first_legal(asked)}"


def mute(_asked: dict[str, Any]) -> str:
    return "I would rather not."


def broken(_asked: dict[str, Any]) -> str:
    raise RuntimeError("out of ideas")


if __name__ == "__main__":
    for line in sys.stdin:
        if "die" in sys.argv:
            sys.exit(1)
        print(first_legal(json.loads(line)), flush=True)  # noqa: T201 (it is how it answers)
