"""Values, bounds and `perfect` against brute force over the real Match, on options drawn at random.

`python -m bench.brute_force` draws hundreds more.
"""

from __future__ import annotations

from random import Random

import pytest
from tests.solve import brute
from tests.solve.against import compare

DRAWS = 24


@pytest.mark.parametrize("seed", range(DRAWS))
def test_solving_agrees_with_brute_force(seed: int) -> None:
    rng = Random(seed)
    while True:
        name, options = brute.small_game(rng)
        try:
            compare(name, options, most=1_500)
        except brute.TooLong:
            continue
        break
