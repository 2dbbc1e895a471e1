"""Actions that are more than one number, and masks that a wrapper knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from gymnasium import spaces

from tests.audit.heaps import written
from tests.audit.looks import found_in, looked, reproduced
from trapline.testing import assert_no_leak
from trapline.worlds.spaces import MANY, allowed

if TYPE_CHECKING:
    from pathlib import Path

TEXT = '''
import gymnasium
import numpy as np
from gymnasium import spaces


class Doors(gymnasium.Env):
    """Three steps, in each a door and a key; the last door and the last key come later."""

    def __init__(self):
        self.action_space = spaces.MultiDiscrete([2, 3])
        self.observation_space = spaces.Discrete(10)

    def action_masks(self):
        return np.array([True, self.count > 0, True, True, self.count > 1])

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.count = self.first = int(self.np_random.integers(1))
        return self.count, {}

    def step(self, action):
        door, key = action
        if not (self.action_masks()[door] and self.action_masks()[2 + key]):
            raise ValueError("no such door, or no such key")
        self.count += 1
        return self.count, 0.0, self.count == self.first + 3, False, {}
'''
SEEDS = ("integers(1)", "integers(3)")
SWITCHES = (
    ("spaces.MultiDiscrete([2, 3])", "spaces.MultiBinary(2)"),
    ("True, self.count > 0, True, True, self.count > 1", "True, True, True, self.count > 0"),
)
WRAPPED = """

class ActionMasker(gymnasium.Wrapper):
    def __init__(self):
        super().__init__(Doors())

    def action_masks(self):
        return self.unwrapped.masks()
"""
MOVE = "        self.count += 1\n"
FAILS = (MOVE, "        6 // (action.tolist() != [1, 1])\n" + MOVE)


@pytest.mark.parametrize("changes", [(), (SEEDS,), SWITCHES])
def test_actions_of_several_parts_are_all_taken(
    changes: tuple[tuple[str, str], ...], tmp_path: Path
) -> None:
    report = looked(written(tmp_path, TEXT, *changes))
    assert report.ok, report.findings
    assert report.exhaustive == (SEEDS not in changes)


@pytest.mark.parametrize("changes", [(), SWITCHES])
def test_a_fault_of_one_combination_is_found(
    changes: tuple[tuple[str, str], ...], tmp_path: Path
) -> None:
    found = found_in(written(tmp_path, TEXT, FAILS, *changes))
    assert found.keys() == {"crash"}
    assert found["crash"].play[-1] == [1, 1]
    reproduced(found["crash"])


def test_the_mask_of_a_wrapper_counts(tmp_path: Path) -> None:
    target = written(tmp_path, TEXT.replace("action_masks", "masks") + WRAPPED)
    assert not found_in(f"{target}:ActionMasker")


def test_where_actions_are_drawn_not_everything_was_looked_at(tmp_path: Path) -> None:
    box = (
        ("spaces.MultiDiscrete([2, 3])", "spaces.Box(0, 1, (2,))"),
        ("        door, key = action\n", "        door = key = 0\n"),
        ("action_masks", "masks"),
    )
    report = looked(written(tmp_path, TEXT, *box))
    assert report.ok, report.findings
    assert not report.exhaustive


def test_of_too_many_actions_some_are_drawn() -> None:
    space = spaces.MultiDiscrete([10, 10, 10], start=[1, 0, 0])
    mask = np.zeros(30, np.int8)
    mask[[9, 10, 19, 20, 21]] = 1
    listed, whole = allowed(space, mask, 0)
    assert sorted(map(list, listed)) == [[10, 0, 0], [10, 0, 1], [10, 9, 0], [10, 9, 1]]
    assert whole
    drawn, whole = allowed(space, None, 0)
    assert len(drawn) < MANY
    assert not whole
    assert all(map(space.contains, [*listed, *drawn]))


def test_actions_that_are_arrays_are_searched_for_leaks() -> None:
    """In more positions than are looked at one by one, so that twins are tried."""
    made: dict[str, type] = {}
    exec(TEXT.replace("self.count == self.first + 3", "self.count == 7"), made)  # noqa: S102 - it is ours
    report = assert_no_leak(made["Doors"], lambda episode, _: episode.env.count, budget=40)
    assert report.pairs
    assert not report.complete
