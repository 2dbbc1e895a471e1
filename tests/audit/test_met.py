"""What a player's own move finds out by the rules is no leak; what it does not find out is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.audit import snares
from tests.audit.heaps import written
from tests.audit.looks import found_in, reproduced
from tests.audit.test_seldom import ENDS, GOES_ON, SEEN
from trapline.audit.meeting import says

if TYPE_CHECKING:
    from pathlib import Path

ENDLESS = (ENDS, "            pass\n" + GOES_ON)
LAST = "        return self.seen(), 0, False, False, {}"
HERE = "self.positions[me] in self.player_traps[-me]"
NEXT = "self.positions[me] + 1 in self.player_traps[-me]"
BITS = (
    ("{1: set(), -1: set()}", "{1: np.zeros(5, bool), -1: np.zeros(5, bool)}"),
    (
        "self.player_traps[me].add(self.positions[me])",
        "self.player_traps[me][self.positions[me]] = 1",
    ),
    ("at in self.player_traps[me]", "bool(self.player_traps[me][at])"),
    ("free = at not in self.player_traps[me]", "free = not self.player_traps[me][at]"),
    ("self.positions[me] in self.player_traps[-me]", "self.player_traps[-me][self.positions[me]]"),
)
"""The traps as a board of bits."""


def seen(what: str) -> tuple[str, str]:
    """An observation with something in place of one's own last trap."""
    return SEEN, SEEN.replace("*mine", f"*mine[:4], {what}")


def in_info(what: str) -> tuple[str, str]:
    """The same in the info of whoever is to move next."""
    then = "        me = self.current_player\n"
    return LAST, then + LAST.replace("{}", f"{{'trap': {what}}}")


APART = ("and (move < 2 or free)]", "and (move < 2 or free and at != self.positions[-me])]")
"""No trap is set where somebody stands."""

# Whoever has come to a trap stays on it, so that it can tell them where they stand.
TOLD_BY_RULES = {
    "in the observation": (seen(HERE), ENDLESS),
    "in the info": (in_info(HERE), ENDLESS),
    "of a board": (seen(HERE), ENDLESS, *BITS),
}
LEAKS = {
    "of the next square": (seen(NEXT), ENDLESS),
    "of the next square, in the info": (in_info(NEXT), ENDLESS),
    "of one that was set where they stand": (seen(HERE), ENDLESS),
    "of a trap anywhere": (seen("bool(self.player_traps[-me])"), ENDLESS),
}

FLEET = '''
from random import Random
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

AGENTS = ["ann", "ben"]


class FleetEnv(AECEnv):
    """Each hides two ships on six cells; they take turns to shoot at a cell, three times each."""

    metadata = {"name": "fleet_v0", "render_modes": []}
    render_mode = None

    def __init__(self):
        self.possible_agents = list(AGENTS)

    def observation_space(self, agent):
        return spaces.Dict({
            "observation": spaces.Box(0, 6, (6,), np.int64),
            "action_mask": spaces.Box(0, 1, (6,), np.int8),
        })

    def action_space(self, agent):
        return spaces.Discrete(6)

    def reset(self, seed=None, options=None):
        rng = Random(seed)
        self.agents = list(AGENTS)
        self.hidden_ships = {agent: set(rng.sample(range(6), 2)) for agent in AGENTS}
        self.shots = {agent: [] for agent in AGENTS}
        self.agent_selection = "ann"
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {} for agent in AGENTS}

    def other(self, agent):
        return "ben" if agent == "ann" else "ann"

    def hits(self, agent):
        return [cell for cell in self.shots[agent] if cell in self.hidden_ships[self.other(agent)]]

    def observe(self, agent):
        mask = np.array([cell not in self.shots[agent] for cell in range(6)], np.int8)
        seen = np.zeros(6, np.int64)
        for cell in self.shots[agent]:
            seen[cell] = 1 + (cell in self.hits(agent))
        return {"observation": seen, "action_mask": mask}

    def step(self, action):
        agent = self.agent_selection
        if action in self.shots[agent]:
            raise ValueError("no legal action")
        self.shots[agent].append(int(action))
        self.agent_selection = self.other(agent)
        if min(map(len, self.shots.values())) == 3:
            gained = len(self.hits("ann")) - len(self.hits("ben"))
            self.rewards = {"ann": np.sign(gained), "ben": -np.sign(gained)}
            self.terminations = dict.fromkeys(AGENTS, True)
'''


@pytest.mark.parametrize("how", TOLD_BY_RULES)
def test_that_one_has_come_to_a_trap_is_no_leak(how: str, tmp_path: Path) -> None:
    changes = (APART, *TOLD_BY_RULES[how])
    found = found_in(written(tmp_path, snares.TEXT, *changes), positions=400)
    assert found.keys() <= {"decided"}, found


@pytest.mark.parametrize("how", LEAKS)
def test_what_nobody_has_come_to_is_one(how: str, tmp_path: Path) -> None:
    found = found_in(written(tmp_path, snares.TEXT, *LEAKS[how]), positions=400)
    assert found.keys() - {"decided"} == {"leak"}, found
    reproduced(found["leak"])


NEXT_TURN = "        self.agent_selection = self.other(agent)\n"
IN_INFOS = "        self.infos = {each: {'hits': self.hits(each)} for each in AGENTS}\n"
HITS = (
    ("            seen[cell] = 1 + (cell in self.hits(agent))", "            seen[cell] = 1"),
    (NEXT_TURN, IN_INFOS + NEXT_TURN),
)
"""They are told in the infos, and nowhere else."""


@pytest.mark.parametrize("changes", [(), HITS], ids=["in the observation", "in the info"])
def test_what_a_shot_has_hit_is_no_leak(changes: Any, tmp_path: Path) -> None:
    target = written(tmp_path, FLEET, *changes).replace("gymnasium:", "pettingzoo:")
    found = found_in(target, positions=400)
    assert found.keys() <= {"decided"}, found


def test_the_neighbour_of_a_shot_is_one(tmp_path: Path) -> None:
    near = (
        "1 + (cell in self.hits(agent))",
        "1 + (cell ^ 1 in self.hidden_ships[self.other(agent)])",
    )
    target = written(tmp_path, FLEET, near).replace("gymnasium:", "pettingzoo:")
    found = found_in(target, positions=1_000)
    assert found.keys() - {"decided"} == {"leak"}, found
    reproduced(found["leak"])


@pytest.mark.parametrize(
    ("secret", "place", "said"),
    [
        ({1, 3}, 3, True),
        ([1, 3], 2, False),
        (np.array([1, 3, 4]), 4, True),
        ([False, True, False], 1, True),
        (np.array([0, 1, 0]), 2, False),
        (np.array([[0, 1], [0, 0]]), 1, True),
        (np.array([[0, 1], [0, 0]]), (0, 1), True),
        ([[0, 1], [0, 0]], (1, 1), False),
        ({(0, 1)}, (0, 1), True),
        ({2: "trap"}, 2, "trap"),
        (7, 7, None),  # a card or a number is no set of places
    ],
)
def test_what_a_secret_says_of_a_place(secret: object, place: object, said: object) -> None:
    assert says(secret, place) == said
