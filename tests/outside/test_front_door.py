"""`import trapline` gives the names that others may use, and costs nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

import trapline

PUBLIC = [
    "CHANCE",
    "GOAL",
    "NO_QUESTION",
    "ONGOING",
    "SEATS",
    "SECRET",
    "TRAP",
    "TURN_LIMIT",
    "Actor",
    "Answer",
    "AnyEvent",
    "Board",
    "Event",
    "Fact",
    "Game",
    "GameError",
    "Grid",
    "IllegalMove",
    "InvalidMove",
    "Mark",
    "Match",
    "Moved",
    "NotNow",
    "Options",
    "OptionsError",
    "Outcome",
    "Panel",
    "Player",
    "Question",
    "Record",
    "RecordError",
    "Returned",
    "Seat",
    "Solution",
    "State",
    "TextMatch",
    "Told",
    "Track",
    "Trap",
    "TraplineError",
    "Triggered",
    "Variant",
    "View",
    "Viewer",
    "Whispered",
    "Words",
    "__version__",
    "all_games",
    "analyse",
    "ask_cell",
    "ask_chance",
    "ask_number",
    "ask_places",
    "ask_word",
    "drawn",
    "exploitability",
    "find_game",
    "find_player",
    "make_game",
    "other",
    "parse_record",
    "solved",
    "verify",
    "won",
]


def test_the_public_names_are_pinned() -> None:
    """Other programs use these; a change here is a change of interface."""
    assert trapline.__all__ == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_there_and_described(name: str) -> None:
    assert getattr(trapline, name) is getattr(trapline, name)
    assert name in dir(trapline)
    assert trapline.__doc__ is not None
    assert name == "__version__" or f"`{name}`" in trapline.__doc__


def test_nothing_else_is() -> None:
    with pytest.raises(AttributeError, match="module 'trapline' has no attribute 'Referee'"):
        _ = trapline.Referee


def loaded_by(code: str) -> set[str]:
    code += "\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_version_is_told_without_loading_anything() -> None:
    modules = loaded_by("import trapline; trapline.__version__")
    assert {name for name in modules if name.startswith("trapline")} == {"trapline"}


def test_games_are_made_without_what_only_solvers_need() -> None:
    modules = loaded_by("import trapline; trapline.make_game('hidden-path'); trapline.Match")
    assert not modules & {"numpy", "numba", "scipy", "rich", "starlette", "typer"}
