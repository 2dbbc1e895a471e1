"""A game of six letters for PettingZoo, in which a fault may show in one play of many."""

TEXT = '''
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

AGENTS = ["ann", "ben"]


class LettersEnv(AECEnv):
    """In turn they write one of three letters, six in all. If their sum is even, ann wins."""

    metadata = {"name": "letters_v0", "render_modes": []}
    render_mode = None
    kept = 0

    def __init__(self):
        self.possible_agents = list(AGENTS)

    def observation_space(self, agent):
        return spaces.Dict({
            "observation": spaces.Box(0, 3, (6,), np.int64),
            "action_mask": spaces.Box(0, 1, (3,), np.int8),
        })

    def action_space(self, agent):
        return spaces.Discrete(3)

    def reset(self, seed=None, options=None):
        self.agents = list(AGENTS)
        self.written = []
        self.agent_selection = "ann"
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {} for agent in AGENTS}

    def observe(self, agent):
        seen = [letter + 1 for letter in self.written] + [0] * (6 - len(self.written))
        mask = np.full(3, agent == self.agent_selection, np.int8)
        return {"observation": np.array(seen), "action_mask": mask}

    def step(self, action):
        if action not in (0, 1, 2):
            raise ValueError("no legal action")
        self.written.append(int(action))
        if len(self.written) == 6:
            won = 1 if sum(self.written) % 2 == 0 else -1
            self.rewards = {"ann": won, "ben": -won}
            self.terminations = dict.fromkeys(AGENTS, True)
        self.agent_selection = "ben" if self.agent_selection == "ann" else "ann"
'''
ENDS = '            self.rewards = {"ann": won, "ben": -won}\n'
BOTH_WIN = (ENDS, ENDS[:-1] + " if self.written != [2, 0, 1, 1, 0, 2] else dict(ann=1, ben=1)\n")
"""In one play of 729 both are winners."""
OFTEN = (ENDS, ENDS[:-1] + " if self.written[0] == 2 else dict(ann=won, ben=won)\n")
"""In two plays of three both win, or both lose: that is another game."""
WRITES = "        self.written.append(int(action))\n"
REMEMBERS = (
    WRITES,
    WRITES
    + "        if self.written == [1, 2, 0, 1]:\n"
    + "            self.written[0] += LettersEnv.kept\n"
    + "            LettersEnv.kept = 1\n",
)
"""What its class has kept of a play before matters in one of 81."""
LIBRARY = ("AGENTS =", "WORDS = {n: [n] * 9 for n in range(200)}\nAGENTS =")
"""A table beside it that nobody need watch."""
COUNTS = (WRITES, WRITES + "        LettersEnv.kept += 1\n")
"""What its class counts matters to nobody."""
