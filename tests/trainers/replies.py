"""A model that takes the first answer it is told of, and hides its traps on the first places."""

from __future__ import annotations

import re

GAME = "trap-builder"
OPTIONS = {"length": 5, "traps": 1, "seat": 1, "first": 1}
"""Arguments of `TextMatch`; in this match the model is asked for a place first."""


def first_legal(text: str) -> str:
    listed = re.findall(r"Answer one of: (.*?)\.", text)
    return f"Let me think. [{listed[-1].split()[0] if listed else 2}]"
