"""A race past hidden traps for two players in Gymnasium, as text with places for leaks."""

from __future__ import annotations

TEXT = '''
import gymnasium
import numpy as np
from gymnasium import spaces


class SnareEnv(gymnasium.Env):
    """A race to square 4 by 1 or 2; moves 2 and 3 do so and leave a trap behind, which nobody sees.

    Each also has a code of three digits, so that hardly two deals are alike.
    """

    def __init__(self):
        self.action_space = spaces.Discrete(4)
        self.observation_space = spaces.Box(-1, 9, (11,), np.int64)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.player_codes = {me: self.np_random.integers(5, size=3) for me in (1, -1)}
        self.current_player = int(self.np_random.choice([1, -1]))
        self.positions = {1: 0, -1: 0}
        self.player_traps = {1: set(), -1: set()}
        return self.seen(), {}

    def seen(self):
        me = self.current_player
        mine = [at in self.player_traps[me] for at in range(5)]
        places = self.positions[me], self.positions[-me]
        return np.array([*places, me, *self.player_codes[me], *mine])

    def valid_moves(self):
        me = self.current_player
        at = self.positions[me]
        free = at not in self.player_traps[me]
        return [move for move in range(4) if at + 1 + move % 2 <= 4 and (move < 2 or free)]

    def step(self, action):
        if action not in self.valid_moves():
            return self.seen(), -10, True, False, {}
        me = self.current_player
        if action > 1:
            self.player_traps[me].add(self.positions[me])
        self.positions[me] += 1 + action % 2
        if self.positions[me] == 4:
            return self.seen(), 1, True, False, {}
        if self.positions[me] in self.player_traps[-me]:
            return self.seen(), -1, True, False, {}
        self.current_player = -me
        return self.seen(), 0, False, False, {}
'''

BELONGINGS: dict[str, tuple[tuple[str, str], tuple[int, ...], str]] = {
    "the other's code is shown in place of one's own": (
        ("*self.player_codes[me], *mine", "*self.player_codes[-me], *mine"),
        (),
        "before anybody has moved: observation[3]",
    ),
    "no trap may be set where the other has one": (
        (
            "        free = at not in self.player_traps[me]\n",
            "        free = at not in self.player_traps[me] | self.player_traps[-me]\n",
        ),
        (2,),
        "by valid moves",
    ),
    "the other's traps are shown": (
        ("[at in self.player_traps[me] for", "[at in self.player_traps[-me] for"),
        (2,),
        "by observation",
    ),
}
"""What is wrong → what is replaced, the play that shows it, and what tells."""
