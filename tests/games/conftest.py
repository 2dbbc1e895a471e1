"""What the tests of the games share."""

from __future__ import annotations

import math

import pytest

from trapline.games.hidden_path.solving import both
from trapline.games.hidden_path.solving.apart import method as apart
from trapline.games.hidden_path.solving.modest import method as modest


@pytest.fixture(autouse=True)
def all_the_time_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that is asked for close bounds goes on until it has them: on a busy machine it would
    leave narrow ones at that, or run out of patience."""
    monkeypatch.setattr(both, "LONG", math.inf)
    for method in (apart, modest):
        monkeypatch.setattr(method, "PATIENCE", math.inf)
