"""Loops that run as they are written, and compiled: they say the same."""

from __future__ import annotations

import subprocess
import sys

import numpy as np

from trapline.solve.loops import Loop


@Loop
def _square(number: float) -> float:
    return number * number


@Loop
def _squares(numbers: np.ndarray, power: int = 1) -> float:
    whole = 0.0
    for number in numbers:
        whole += _square(number) * power
    return whole


def test_plain_and_compiled_loops_say_the_same() -> None:
    numbers = np.arange(5.0)
    assert _squares.plain(numbers, 2) == _squares.compiled(numbers, 2) == _squares(numbers, 2) == 60
    assert _squares.plain(numbers) == 30


def test_a_loop_runs_as_it_is_where_no_compiler_is_loaded() -> None:
    asked = (
        "import sys; from trapline.solve.regret import choose_anew; "
        "assert choose_anew.at_hand is choose_anew.plain; "
        "import numba; assert choose_anew.at_hand is choose_anew.compiled"
    )
    subprocess.run([sys.executable, "-c", asked], check=True)
