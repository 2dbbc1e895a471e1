"""The rules of regret have the parameters that docs/solving.md says they have."""

from __future__ import annotations

from math import log
from pathlib import Path

import pytest

from trapline.solve.regret import RULES, SCHEDULED

PAGE = Path(__file__).parents[2] / "docs" / "solving.md"


def alpha(kept: float, t: int) -> float:
    """The exponent by which counts were discounted before iteration t."""
    return log(kept / (1 - kept)) / log(t - 1)


def table() -> dict[str, str]:
    lines = PAGE.read_text("utf-8").splitlines()
    begin = lines.index("| rule | parameters | from |")
    rows = [line.strip("| ").split(" | ") for line in lines[begin + 2 : begin + 2 + len(RULES)]]
    return {name.lower(): parameters for name, parameters, _ in rows}


def test_every_rule_is_listed() -> None:
    assert table().keys() == RULES.keys()


@pytest.mark.parametrize("name", ["dcfr", "pdcfr+", "hs-dcfr"])
def test_discounts_are_those_of_the_page(name: str) -> None:
    late = RULES[name](SCHEDULED)
    said = {"dcfr": "α = 3/2", "pdcfr+": "α = 2.3", "hs-dcfr": "α from 1 to 4"}[name]
    assert said in table()[name]
    assert alpha(late.keep_gain, SCHEDULED) == pytest.approx(
        {"dcfr": 1.5, "pdcfr+": 2.3, "hs-dcfr": 4.0}[name], abs=1e-3
    )


def test_averages_and_predictions_are_those_of_the_page() -> None:
    first, last = ({name: rule(t) for name, rule in RULES.items()} for t in (1, SCHEDULED))
    for name, parameters in table().items():
        if name.startswith("hs-"):
            assert "γ from 30 to 25" in parameters
            assert first[name].averaging == pytest.approx(30, abs=0.01)
            assert last[name].averaging == 25
        else:
            assert f"γ = {last[name].averaging:g}" in parameters
        assert ("a third" in parameters) == (last[name].expected == pytest.approx(1 / 3))
        assert ("predicts" in parameters) == (last[name].expected > 0)
    assert alpha(last["hs-dcfr"].keep_loss, SCHEDULED) == pytest.approx(-3)
