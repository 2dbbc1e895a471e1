"""Hidden Path, gone on with: from a solution that is kept, to closer bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from typer.testing import CliRunner

from tests.games.paths import path
from trapline.cli.commands import app
from trapline.core import SEATS, OptionsError
from trapline.games.hidden_path.solving import sides
from trapline.games.hidden_path.solving.apart.method import ApartMethod
from trapline.games.hidden_path.solving.apart.trial import Trial, gone_on_with
from trapline.games.hidden_path.solving.race.method import RaceMethod
from trapline.solve import load, solved, storage
from trapline.solve.interface import Request

if TYPE_CHECKING:
    from pathlib import Path

    from trapline.games.hidden_path.solving.apart.side import Side

OPTIONS = {"length": 8, "traps": 2, "goal_traps": False}
"""A third is what this path is worth."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAPLINE_HOME", str(tmp_path))


def after(trial: Trial, iterations: int) -> float:
    """What is kept after so many iterations of the seat."""
    return next(
        trial.kept
        for _ in trial.train(lambda: trial.learner.made >= iterations)
        if trial.learner.made >= iterations
    )


def anew(side: Side) -> Trial:
    """As `gone_on_with`, with nothing but the secrets and the graph."""
    mix = dict(zip(side.hiding.secrets, side.plan.mix.tolist(), strict=True))
    return Trial(side.seat, (side.running, side.hiding), side.manner, side.graph, mix, None)


def test_a_plan_is_gone_on_with_from_its_chances_alone() -> None:
    """It soon keeps about as much as it did, which a graph that is trained anew does not."""
    found = ApartMethod(path(OPTIONS)).solve(Request(target=0.01))
    for seat in SEATS:
        side = found.policy.lots(seat).sides[0]
        kept = float(side.first_values.min())
        assert after(gone_on_with(side), 4) > kept - 0.05
        assert after(anew(side), 4) < kept - 0.1


def test_more_is_asked_for_and_found() -> None:
    game = path(OPTIONS)
    rough = ApartMethod(game).solve(Request(target=0.1))
    rough.facts = msgspec.structs.replace(rough.facts, seconds=60.0)
    storage.save(rough)
    assert solved(game, target=1e-3).facts == rough.facts, "who does not ask has no more to wait"
    fine = solved(game, target=1e-3, more=True)
    assert fine.exploitability <= 1e-3 < rough.exploitability
    assert rough.bounds[0] <= fine.bounds[0] <= 1 / 3 <= fine.bounds[1] <= rough.bounds[1]
    assert fine.facts.seconds >= 60.0
    kept = load(game)
    assert kept is not None
    assert kept.facts == fine.facts


def test_what_two_ways_have_proven_is_gone_on_with_by_both() -> None:
    """The better side of each stays, and can be kept and proven once more."""
    game = path({"length": 9, "traps": 2, "goal_traps": False})
    graphs = ApartMethod(game).solve(Request(target=0.08))
    blind = RaceMethod(game).solve(Request(target=0.5))
    joined = sides.joined(game, [graphs, blind], Request())
    again = ApartMethod(game, None, sides.parts_of(joined)).solve(Request(target=0.05))
    both = sides.joined(game, [*sides.parts_of(joined), again], Request())
    assert joined.bounds[0] <= both.bounds[0] <= 0.2405 <= both.bounds[1] <= joined.bounds[1]
    storage.save(both)
    kept = load(game)
    assert kept is not None
    assert kept.bounds == both.bounds
    assert kept.pack() == both.pack(), "however often it is kept, it is the same plan"


def test_nobody_goes_on_and_begins_anew() -> None:
    refused = CliRunner().invoke(app, ["solve", "hidden-path", "--fresh", "--more"])
    assert isinstance(refused.exception, OptionsError)
    assert "choose one" in str(refused.exception)
