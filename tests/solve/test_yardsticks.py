"""Published values first: Kuhn and Leduc poker, by regret and by linear program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.solve.poker import Kuhn, Leduc

from trapline.solve import cfr, linear, tree
from trapline.solve.best_response import certify, uniform
from trapline.solve.regret import RULES

VALUES: dict[str, tuple[type[Kuhn | Leduc], float]] = {
    "kuhn": (Kuhn, -1 / 18),
    "leduc": (Leduc, -0.0856064),
}


@pytest.mark.parametrize("name", VALUES)
def test_the_linear_program_finds_the_published_value(name: str) -> None:
    model, value = VALUES[name]
    found = linear.solve(tree.build(model()))
    assert found.value == pytest.approx(value, abs=1e-7)
    assert found.certificate.exploitability < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", VALUES)
def test_regret_minimisation_finds_the_published_value(name: str, rule: str) -> None:
    model, value = VALUES[name]
    found = cfr.solve(tree.build(model()), target=1e-4, rule=rule)
    lower, upper = found.certificate
    assert lower <= value + 1e-7
    assert upper >= value - 1e-7
    assert found.certificate.exploitability <= 1e-4


def test_uniform_play_in_kuhn_can_be_exploited_by_a_known_amount() -> None:
    # 11/12 together: the NashConv that OpenSpiel, too, gives for uniform play in Kuhn poker.
    lower, upper = certify(built := tree.build(Kuhn()), uniform(built))
    assert upper == pytest.approx(1 / 2)
    assert lower == pytest.approx(-5 / 12)


def test_deals_are_whole() -> None:
    model: Any
    for model in (Kuhn(), Leduc()):
        assert model.tables[0].sum() == pytest.approx(1)
    assert np.sum(Leduc().tables[1:4]) == pytest.approx(1)


def test_ctrl_c_keeps_the_best_so_far() -> None:
    def stop(iterations: int, _certificate: Any) -> None:
        if iterations >= 20:
            raise KeyboardInterrupt

    found = cfr.solve(tree.build(Leduc()), target=0.0, progress=stop)
    assert found.iterations >= 20
    assert found.certificate.lower <= -0.0856064 <= found.certificate.upper


def test_the_deadline_ends_the_search() -> None:
    found = cfr.solve(tree.build(Leduc()), target=0.0, deadline=0.0)
    assert found.iterations == 1
