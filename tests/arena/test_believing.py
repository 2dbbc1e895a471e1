"""What a file of somebody else's says of its matches is worked out again from their records."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.arena.tournaments import CUP, hold, lines
from trapline.arena.results import Results
from trapline.core import TraplineError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MUTE = "python:tests.arena.own_agents:mute"
WITH_FORFEITS = CUP.replace('"perfect"', f'"{MUTE}"').replace("samples = 5", "samples = 0")


def written(path: Path, text: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """The results of a tournament, as somebody has changed them."""
    hold(text, path)
    told = [json.dumps(change(line)) for line in lines(path)]
    path.write_text("\n".join(told) + "\n", "utf-8")


def costs(path: Path) -> dict[str, Any]:
    return {line["key"]: (line["lost"], line["forfeited"]) for line in lines(path)}


def flattered(line: dict[str, Any]) -> dict[str, Any]:
    """Nobody has ever made a mistake, and giving up was free."""
    lost = {name: [0.0 for _ in each] for name, each in line["lost"].items()}
    return line | {"lost": lost, "forfeited": None if line["forfeited"] is None else 0.0}


@pytest.mark.parametrize(
    "change",
    [
        flattered,
        lambda line: line | {"lost": None},
        lambda line: line | {"lost": {"nobody": [0.0]}},
        lambda line: line | {"forfeited": None},  # as earlier versions wrote it
    ],
    ids=["flattered", "left out", "of somebody else", "without what a forfeit cost"],
)
def test_what_choices_cost_is_worked_out_again(
    change: Callable[[dict[str, Any]], dict[str, Any]], tmp_path: Path
) -> None:
    hold(WITH_FORFEITS, tmp_path / "truly")
    written(tmp_path / "theirs", WITH_FORFEITS, change)
    assert costs(tmp_path / "theirs") != costs(tmp_path / "truly")
    with Results(tmp_path / "mine") as results:
        assert results.merge(tmp_path / "theirs") == len(lines(tmp_path / "truly"))
    assert costs(tmp_path / "mine") == costs(tmp_path / "truly")
    assert any(forfeited for _, forfeited in costs(tmp_path / "mine").values())
    hold(WITH_FORFEITS, tmp_path / "mine")  # and all of it can be counted


@pytest.mark.parametrize("said", [None, "It had nothing to say."], ids=["denied", "made up"])
def test_a_forfeit_is_what_the_record_says(said: str | None, tmp_path: Path) -> None:
    def change(line: dict[str, Any]) -> dict[str, Any]:
        return line | {"forfeit": said} if bool(line["forfeit"]) != bool(said) else line

    written(tmp_path / "theirs", WITH_FORFEITS, change)
    with (
        Results(tmp_path / "mine") as results,
        pytest.raises(TraplineError, match="cannot be believed, its forfeit and its record differ"),
    ):
        results.merge(tmp_path / "theirs")
