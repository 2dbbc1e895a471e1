"""Rules of regret: how a choice is made anew from what every answer would have brought.

Each keeps count, answer by answer, of how much better it would have been, and plays in proportion
to that. They differ in what becomes of old counts, in whether the last gain is expected once more,
and in how much late iterations count in the average, which is what converges to equilibrium:

- CFR+: Tammelin, "Solving large imperfect information games using CFR+" (2014);
- DCFR: Brown and Sandholm, "Solving imperfect-information games via discounted regret
  minimization" (AAAI 2019), with their α = 3/2, β = 0, γ = 2;
- PCFR+: Farina, Kroer and Sandholm, "Faster game solving via predictive Blackwell
  approachability" (AAAI 2021), with quadratic averaging;
- PDCFR+: Xu, Li, Liu, Fu, Fu, Xing and Cheng, "Minimizing weighted counterfactual regret with
  optimistic online mirror descent" (IJCAI 2024), with their α = 2.3, γ = 5;
- SAPCFR+: Meng, Yang, Zhang, Ge and Gao, "Faster game solving via asymmetry of step sizes"
  (AAAI 2026): the prediction counts a third;
- HS-DCFR and HS-PCFR+: Zhang, McAleer and Sandholm, "Faster game solving via hyperparameter
  schedules" (2024): γ falls from 30 to 25, and in the former α rises from 1 to 4 and β falls from
  -1 to -3. Their schedules end with the run; as it is not known how long that will be, ours end
  after a thousand iterations.

All of them update the seats in turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.solve.loops import Loop

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SCHEDULED = 1_000
"""After so many iterations a schedule has come to its end."""


class Rule(NamedTuple):
    """What one iteration does; `choose_anew` reads it in compiled code."""

    averaging: float
    """γ: the weights of the iterations t grow in the average as tᵞ does."""
    keep_gain: float = 1.0
    """The share that a positive regret keeps."""
    keep_loss: float = 1.0
    """The share that a negative one keeps."""
    floor: bool = True
    """Whether regrets below zero are forgotten at once."""
    expected: float = 0.0
    """How much of the last gain is expected once more."""
    kept_next: float = 1.0
    """The share that regrets will keep in the iteration that is predicted."""


def cfr_plus(_: int) -> Rule:
    return Rule(averaging=1)


def dcfr(t: int) -> Rule:
    return Rule(averaging=2, keep_gain=_kept(t, 1.5), keep_loss=0.5, floor=False)


def pcfr_plus(_: int) -> Rule:
    return Rule(averaging=2, expected=1.0)


def pdcfr_plus(t: int) -> Rule:
    return Rule(averaging=5, keep_gain=_kept(t, 2.3), expected=1.0, kept_next=_kept(t + 1, 2.3))


def sapcfr_plus(_: int) -> Rule:
    return Rule(averaging=2, expected=1 / 3)


def hs_dcfr(t: int) -> Rule:
    done = min(t / SCHEDULED, 1.0)
    return Rule(
        averaging=30 - 5 * done,
        keep_gain=_kept(t, 1 + 3 * done),
        keep_loss=_kept(t, -1 - 2 * done),
        floor=False,
    )


def hs_pcfr_plus(t: int) -> Rule:
    return Rule(averaging=30 - 5 * min(t / SCHEDULED, 1.0), expected=1.0)


def _kept(t: int, exponent: float) -> float:
    """The discount of what was counted before iteration t."""
    if t == 1:
        return 0.0  # nothing was
    power: float = float(t - 1) ** exponent
    return power / (power + 1.0)


RULES: dict[str, Callable[[int], Rule]] = {
    "cfr+": cfr_plus,
    "dcfr": dcfr,
    "pcfr+": pcfr_plus,
    "pdcfr+": pdcfr_plus,
    "sapcfr+": sapcfr_plus,
    "hs-dcfr": hs_dcfr,
    "hs-pcfr+": hs_pcfr_plus,
}
USUAL = "pdcfr+"
"""The fewest iterations to 1e-6 on most games (`python -m bench.regret`), and never far behind."""


class Schedule:
    """The rules of one iteration after the other, and how much each weighs in the average."""

    def __init__(self, name: str) -> None:
        self._rule = RULES[name]
        self.iteration = 0
        self.weight = 1.0

    @property
    def numbers(self) -> dict[str, float]:
        """How far it has come."""
        return {"iteration": self.iteration, "weight": self.weight}

    def go_on_from(self, numbers: dict[str, float]) -> None:
        self.iteration, self.weight = int(numbers["iteration"]), numbers["weight"]

    def next(self) -> Rule:
        self.iteration += 1
        t, rule = self.iteration, self._rule(self.iteration)
        if t > 1:
            self.weight *= (t / (t - 1)) ** rule.averaging
        return rule


@Loop
def choose_anew(
    rule: Any, strategy: Floats, regret: Floats, begin: int, step: int, count: int, worth: Floats
) -> float:
    """Regret matching for one choice of `count` answers; returns what the old choice got.

    The answers stand `step` apart in `strategy` and `regret`, and side by side in `worth`.
    """
    mean = 0.0
    for a in range(count):
        mean += strategy[begin + a * step] * worth[a]
    whole = 0.0
    for a in range(count):
        at = begin + a * step
        gain = worth[a] - mean
        kept = regret[at] * (rule.keep_gain if regret[at] > 0.0 else rule.keep_loss) + gain
        if rule.floor and kept < 0.0:
            kept = 0.0
        regret[at] = kept
        wanted = max(kept * rule.kept_next + rule.expected * gain, 0.0)
        strategy[at] = wanted
        whole += wanted
    for a in range(count):
        at = begin + a * step
        strategy[at] = strategy[at] / whole if whole > 0.0 else 1.0 / count
    return mean
