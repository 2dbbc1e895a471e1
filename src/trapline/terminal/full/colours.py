"""The colours of the full screen, on a dark ground and on a light one."""

from __future__ import annotations

from typing import NamedTuple

from rich.terminal_theme import TerminalTheme
from textual.theme import Theme

DARK, LIGHT = "dark", "light"


class Ink(NamedTuple):
    """Styles that a stylesheet cannot reach: they stand inside a text or a drawing."""

    key: str
    value: str
    asking: str
    may_be_chosen: str
    chosen: str
    cursor: str
    snap: str
    suspected: str


INKS = {
    DARK: Ink(
        key="bold black on #b9a26a",
        value="#e0b050",
        asking="bold #a9d18e",
        may_be_chosen="on #3d4a3a",
        chosen="bold black on #e0b050",
        cursor="bold black on #f5f0dc",
        snap="bold white on #c03028",
        suspected="on #5a2f28",
    ),
    LIGHT: Ink(
        key="bold #ffffff on #6b5a26",
        value="#7a4f00",
        asking="bold #2c5c1a",
        may_be_chosen="on #d3dfc4",
        chosen="bold #1c1a12 on #e8b64a",
        cursor="bold #ffffff on #3a4a34",
        snap="bold #ffffff on #b3261e",
        suspected="on #f6d3c8",
    ),
}

NAMED = {
    DARK: TerminalTheme(
        (29, 33, 28),
        (232, 226, 207),
        [
            (29, 33, 28), (255, 118, 104), (152, 204, 96), (240, 186, 80),
            (130, 160, 255), (250, 130, 200), (100, 210, 232), (200, 196, 178),
        ],
        [
            (140, 138, 122), (255, 118, 104), (160, 224, 90), (240, 200, 96),
            (130, 160, 255), (250, 130, 200), (100, 210, 232), (246, 246, 239),
        ],
    ),
    LIGHT: TerminalTheme(
        (251, 248, 239),
        (38, 36, 26),
        [
            (38, 36, 26), (160, 32, 24), (44, 98, 24), (122, 79, 0),
            (38, 74, 160), (138, 30, 112), (0, 92, 120), (96, 92, 76),
        ],
        [
            (96, 92, 76), (160, 32, 24), (36, 98, 14), (122, 79, 0),
            (38, 74, 160), (138, 30, 112), (0, 92, 120), (38, 36, 26),
        ],
    ),
}  # fmt: skip
"""What the named colours of boards and lines (cyan, magenta, ...) look like on each ground."""

THEMES = {
    DARK: Theme(
        "trapline-dark",
        primary="#b9a26a",
        warning="#e0b050",
        foreground="#e8e2cf",
        background="#1d211c",
        variables={
            "heading": "#33402f", "heading-ink": "#f5f0dc", "strip": "#2a3227", "edge": "#4a5a45",
            "here": "#5a6a52", "sheet": "#262d24", "aside": "#c9c0a4", "wrong": "#ff9d8a",
        },
    ),
    LIGHT: Theme(
        "trapline-light",
        primary="#6b5a26",
        warning="#e8b64a",
        foreground="#26241a",
        background="#fbf8ef",
        dark=False,
        variables={
            "heading": "#dfe6d2", "heading-ink": "#26241a", "strip": "#ebe7d8", "edge": "#b9c4a9",
            "here": "#cfdabf", "sheet": "#f5f1e3", "aside": "#565140", "wrong": "#9c1f14",
        },
    ),
}  # fmt: skip
