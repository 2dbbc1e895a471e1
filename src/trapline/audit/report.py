"""What an audit has found."""

from __future__ import annotations

from typing import Any

import msgspec

CHECKS = (
    "crash",
    "deadlock",
    "refused",
    "accepted",
    "endless",
    "rewards",
    "chance",
    "shared state",
    "reset",
    "space",
    "leak",
    "recall",
    "decided",
)
"""All that can be found; docs/audit.md says what each means."""
HARMLESS = "decided"
"""True of many good games: it is told, and is no fault."""


class Finding(msgspec.Struct, frozen=True):
    check: str
    sentence: str
    play: tuple[Any, ...] = ()
    """The shortest play that was found to show it, chance included."""
    reproduce: str = ""
    """A line of Python that shows it again."""


class Figures(msgspec.Struct, frozen=True, omit_defaults=True):
    states: int = 0
    plays: int = 0
    seconds: float = 0.0
    pairs: int = 0
    """Positions that a player should not tell apart, and that were compared."""
    value: float | None = None
    """The result of whoever moves first, if both play their best; where that is known."""


class Row(msgspec.Struct, frozen=True, array_like=True):
    """One position of a game that was seen whole."""

    actor: Any
    following: tuple[tuple[Any, int], ...]
    """Each move, and the number of the position after it; none at the end."""
    worth: float
    """What whoever moves first gets from here on, if both play their best."""
    left: int
    """No play from here has more moves: so all of them end."""


class Certificate(msgspec.Struct, frozen=True):
    """The value of a game: every position there is, the first one first."""

    target: str
    options: dict[str, Any]
    start: int
    rows: tuple[Row, ...]

    @property
    def value(self) -> float:
        return self.rows[0].worth


class Report(msgspec.Struct, frozen=True):
    target: str
    findings: tuple[Finding, ...]
    exhaustive: bool
    """Whether every position was looked at."""
    figures: Figures
    certificate: Certificate | None = None
    """Of the value, where the game is small, open, and every play of it ends."""

    @property
    def ok(self) -> bool:
        return all(finding.check == HARMLESS for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        figures = {"states": self.figures.states, "plays": self.figures.plays}
        return {
            "target": self.target,
            "ok": self.ok,
            "exhaustive": self.exhaustive,
            "findings": msgspec.to_builtins(self.findings),
            "figures": figures | msgspec.to_builtins(self.figures),
        }


def merged(reports: list[Report]) -> Report:
    """What several have found who looked at the same target: of each check the shortest play."""
    best: dict[str, Finding] = {}
    for finding in (finding for report in reports for finding in report.findings):
        known = best.get(finding.check)
        if known is None or len(finding.play) < len(known.play):
            best[finding.check] = finding
    ordered = sorted(best.values(), key=lambda finding: CHECKS.index(finding.check))
    figures = [report.figures for report in reports]
    return Report(
        reports[0].target,
        tuple(ordered),
        any(report.exhaustive for report in reports),
        Figures(
            states=max(figure.states for figure in figures),
            plays=sum(figure.plays for figure in figures),
            seconds=max(figure.seconds for figure in figures),
            pairs=sum(figure.pairs for figure in figures),
            value=next((figure.value for figure in figures if figure.value is not None), None),
        ),
        next((report.certificate for report in reports if report.certificate is not None), None),
    )
