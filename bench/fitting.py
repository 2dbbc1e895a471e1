"""Setting chances right: rising lines through how often each chance has really come true.

One line for each kind of moment in all variants of a game; and one for each preset, which stays
near the first where few moments lie. `bench.calibration --fit` writes them to the games' folders.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from scipy.optimize import nnls

from trapline import games
from trapline.coach.weighing import CLEAR

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

KNOTS = 11
SMOOTH = 3.0
"""How many moments it takes to outweigh that a line would rather stay level."""
ALIKE = 20.0
"""How many it takes to outweigh that a preset is taken to be like the other variants."""
HEADER = '''\
"""How often players of the computer levels have won: `python -m bench.calibration --fit`."""

from __future__ import annotations

THOUSANDTHS: dict[str, tuple[int, ...]] = {
'''
FOOTER = """}

EXPECTATIONS = {kind: tuple(part / 1000 for part in knots) for kind, knots in THOUSANDTHS.items()}
"""


class Counted(Protocol):
    """A moment, as far as it is counted."""

    @property
    def variant(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def raw(self) -> float: ...

    @property
    def won(self) -> float: ...


def fit(found: Iterable[Counted]) -> dict[str, tuple[int, ...]]:
    """For each kind of moment, and for each kind in each preset, its line in thousandths."""
    kinds: dict[str, list[Counted]] = defaultdict(list)
    presets: dict[tuple[str, str], list[Counted]] = defaultdict(list)
    for moment in found:
        if moment.kind == CLEAR:
            continue
        kinds[moment.kind].append(moment)
        presets[moment.variant, moment.kind].append(moment)
    lines = {kind: knots(part) for kind, part in sorted(kinds.items())}
    for (variant, kind), part in sorted(presets.items()):
        if variant:
            lines[f"{variant} {kind}"] = knots(part, lines[kind])
    return {kind: tuple(round(1000 * level) for level in line) for kind, line in lines.items()}


def knots(found: Sequence[Counted], like: Sequence[float] | None = None) -> tuple[float, ...]:
    """The rising line between even knots that comes nearest to what happened.

    Least squares over what the line gains at each knot, none of which may be a loss. Where no
    moments lie, it gains nothing, or what the line gains that it is to be `like`.
    """
    raw = np.array([moment.raw for moment in found])
    won = np.array([moment.won for moment in found])
    place = raw[:, None] * (KNOTS - 1) - np.arange(KNOTS)
    hats = np.clip(1 - np.abs(place), 0, 1)
    gains = np.tril(np.ones((KNOTS, KNOTS)))
    held, wanted = _held(like)
    system = np.vstack([hats @ gains, held])
    answer, _ = nnls(system, np.concatenate([won, wanted]))
    return tuple(float(min(1.0, level)) for level in np.cumsum(answer))


def _held(like: Sequence[float] | None) -> tuple[Floats, Floats]:
    """What holds a line back: rows over its gains, and what they should come to."""
    if like is None:
        return SMOOTH**0.5 * np.eye(KNOTS)[1:], np.zeros(KNOTS - 1)
    return ALIKE**0.5 * np.eye(KNOTS), ALIKE**0.5 * np.diff(like, prepend=0.0)


def write_expectations(name: str, lines: dict[str, tuple[int, ...]]) -> None:
    """Put what was found where the game has it."""
    folder = Path(games.__file__).parent / name.replace("-", "_")
    (folder / "expectations.py").write_text("".join(_written(lines)), "utf-8")
    print(f"{folder.name}/expectations.py: {len(lines)} lines")


def _written(lines: dict[str, tuple[int, ...]]) -> Iterator[str]:
    yield HEADER
    for kind, line in lines.items():
        yield f'    "{kind}": ({", ".join(map(str, line))}),\n'
    yield FOOTER
