"""A sound game of Nim for two players in Gymnasium, as text with places for faults.

`written` puts a fault into it: each is a replacement of one line or more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """
import random
import gymnasium
import numpy as np
from gymnasium import spaces

KEPT = []


class HeapEnv(gymnasium.Env):
    def __init__(self):
        self.action_space = spaces.Discrete(4)
        self.observation_space = spaces.Box(-1, 9, (2,), np.int64)
        self.heap = 6

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.heap = 6
        self.current_player = 1
        self.winner = None
        self.done = False
        return self.seen(), {}

    def seen(self):
        return np.array([self.heap, self.current_player])

    def valid_moves(self):
        return [move for move in (1, 2, 3) if move <= self.heap]

    def step(self, action):
        if action not in self.valid_moves():
            self.done = True
            return self.seen(), -10, True, False, {}
        self.heap -= action
        if self.heap == 0:
            self.done = True
            self.winner = self.current_player
            return self.seen(), 1, True, False, {}
        self.current_player = -self.current_player
        return self.seen(), 0, False, False, {}
"""

MOVE = "        self.heap -= action\n"

HEAP = "        self.heap = 6\n        self.current_player"
NOTHING_ELSE: dict[str, tuple[set[str], *tuple[tuple[str, str], ...]]] = {
    "a heap that no seed decides": (
        {"chance"},
        (HEAP, HEAP.replace("6", "int(np.random.default_rng().integers(5, 9))")),
    ),
    "a deal that outlives a reset, and shows only with another seed": (
        {"reset"},
        (
            HEAP,
            "        if not getattr(self, 'moved', False):\n"
            "            self.dealt = int(self.np_random.integers(5, 9))\n"
            + HEAP.replace("6", "self.dealt"),
        ),
        (MOVE, MOVE + "        self.moved = True\n"),
    ),
    "moves that a file keeps, of which only many make a difference": (
        {"shared state"},
        (
            MOVE,
            MOVE
            + "        KEPT.append(action)\n        self.heap -= len(KEPT) > 9 < self.heap + 9\n",
        ),
    ),
    "two moves in a row that a file keeps, whoever has made them": (
        {"shared state"},
        (
            MOVE,
            MOVE
            + "        KEPT.append(action)\n"
            + "        self.heap -= KEPT[-2:] == [1, 2] and self.heap > 0\n",
        ),
    ),
    "a listed move that ends everything, of which nothing is kept": (
        {"refused", "rewards"},
        (
            "        if action not in self.valid_moves():\n            self.done = True\n",
            "        if action == 2 and self.heap == 2 or action not in self.valid_moves():\n",
        ),
    ),
}
"""What is found, and nothing beside it; with the changes that make it so."""

FAULTS: dict[str, tuple[str, str, str]] = {
    "a division by zero": ("crash", MOVE, MOVE + "        6 // (self.heap - 3)\n"),
    "a reset that fails": ("crash", "        self.current_player = 1\n", "        1 // 0\n"),
    "a constructor that fails": ("crash", "        self.heap = 6\n\n", "        1 // 0\n\n"),
    "a list of moves that fails": ("crash", "move <= self.heap]", "move <= 6 // (self.heap - 2)]"),
    "an exit": ("crash", MOVE, MOVE + "        exit(3) if self.heap == 3 else None\n"),
    "nobody may move": ("deadlock", "(1, 2, 3) if move", "(2, 3) if move"),
    "a listed move is punished and ends": (
        "refused",
        "        if action not in self.valid_moves():",
        "        if action not in self.valid_moves() or action == 3:",
    ),
    "a listed move ends as if somebody had lost": (
        "refused",
        "        if action not in self.valid_moves():",
        (
            "        if action == 3:\n            return self.seen(), -1, True, False, {}\n"
            "        if action not in self.valid_moves():"
        ),
    ),
    "a listed move raises": (
        "refused",
        MOVE,
        "        if action == 3:\n            raise ValueError('invalid move')\n" + MOVE,
    ),
    "a listed move is ignored and punished": (
        "refused",
        MOVE,
        "        if action == 3:\n            return self.seen(), -1, False, False, {}\n" + MOVE,
    ),
    "too much may be taken": (
        "accepted",
        "        if action not in self.valid_moves():",
        "        if action == 0:",
    ),
    "nothing may be taken": ("endless", "for move in (1, 2, 3)", "for move in (0, 1, 2, 3)"),
    "a heap that grows": ("endless", MOVE, "        self.heap = 6\n"),
    "a step that never comes back": (
        "endless",
        MOVE,
        MOVE + "        while self.heap == 3:\n            pass\n",
    ),
    "a winner with ten points": (
        "rewards",
        "1, True, False, {}\n        self",
        "10, True, False, {}\n        self",
    ),
    "a loser who is called the winner": (
        "rewards",
        "self.winner = self.current_player\n            return self.seen(), 1,",
        "self.winner = self.current_player\n            return self.seen(), -1,",
    ),
    "a loser whom the info calls the winner": (
        "rewards",
        "            return self.seen(), 1, True, False, {}\n",
        (
            "            called = {'winner': np.int64(-self.winner)}\n"
            "            self.winner = None\n"
            "            return self.seen(), 1, True, False, called\n"
        ),
    ),
    "every move is punished": (
        "rewards",
        "        return self.seen(), 0,",
        "        return self.seen(), -0.1,",
    ),
    "a reward that is no number": (
        "rewards",
        "            return self.seen(), 1, T",
        "            return self.seen(), float('nan'), T",
    ),
    "a heap from Python's generator": (
        "chance",
        "        self.heap = 6\n        self.c",
        "        self.heap = random.choice([5, 6, 6, 6, 6, 6])\n        self.c",
    ),
    "a heap from NumPy's generator": (
        "chance",
        "        self.heap = 6\n        self.c",
        "        self.heap = np.random.randint(5, 7)\n        self.c",
    ),
    "a step with a coin": ("chance", MOVE, MOVE + "        self.heap += random.random() < 0.3\n"),
    "a heap that all share": (
        "shared state",
        "class HeapEnv(gymnasium.Env):\n",
        (
            "class HeapEnv(gymnasium.Env):\n"
            "    heap = property(lambda s: KEPT[0], lambda s, n: KEPT.__setitem__(slice(1), [n]))\n"
        ),
    ),
    "a heap that is not filled again": (
        "reset",
        "        self.heap = 6\n        self.c",
        "        self.c",
    ),
    "a reset that waits for the end": (
        "reset",
        "        self.heap = 6\n        self.current_player = 1\n",
        (
            "        if getattr(self, 'done', True):\n"
            "            self.heap, self.current_player = 6, 1\n"
        ),
    ),
    "a heap larger than its space": ("space", "Box(-1, 9,", "Box(-1, 5,"),
    "numbers of another type": ("space", "(2,), np.int64)", "(2,), np.int8)"),
    "a move outside the space": ("space", "spaces.Discrete(4)", "spaces.Discrete(3)"),
    "a list for an array": (
        "space",
        "return np.array([self.heap, self.current_player])",
        "return [self.heap, self.current_player]",
    ),
}
"""What is wrong → which check finds it, what is replaced, and by what."""

SECRET = '''
import gymnasium
import numpy as np
from gymnasium import spaces


class GuessEnv(gymnasium.Env):
    """Each has a number; whoever names the other's first wins."""

    def __init__(self):
        self.action_space = spaces.Discrete(4)
        self.observation_space = spaces.Box(-1, 20, (2,), np.int64)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        numbers = self.np_random.integers(4, size=2)
        self.player1_secret, self.player2_secret = map(int, numbers)
        self.current_player = 1
        self.turns = 0
        return self.seen(), {}

    def seen(self):
        mine = self.player1_secret if self.current_player == 1 else self.player2_secret
        return np.array([mine, self.turns])

    def valid_moves(self):
        return [0, 1, 2, 3]

    def step(self, action):
        if action not in self.valid_moves():
            return self.seen(), -10, True, False, {}
        right = self.player2_secret if self.current_player == 1 else self.player1_secret
        self.turns += 1
        if action == right:
            return self.seen(), 1, True, False, {}
        if self.turns == 6:
            return self.seen(), 0, True, False, {}
        self.current_player = -self.current_player
        return self.seen(), 0, False, False, {}
'''

PUNISHED = ("        return self.seen(), 0,", "        return self.seen(), -10,")
NOT_REFUSED: dict[str, tuple[tuple[str, str], ...]] = {
    "a mistake costs what every move costs": (
        PUNISHED,
        (
            "            self.done = True\n            return self.seen(), -10,",
            "            self.done = self.mistake = True\n            return self.seen(), -10,",
        ),
    ),
    "the turn is passed on": (
        PUNISHED,
        ("for move in (1, 2, 3)", "for move in (0, 1, 2, 3)"),
        ("[self.heap, self.current_player]", "[self.heap, self.heap]"),
    ),
    "one array is shown again and again": (
        PUNISHED,
        (
            "        self.heap = 6\n\n",
            "        self.heap = 6\n        self.array = np.zeros(2, int)\n\n",
        ),
        (
            "        return np.array([self.heap, self.current_player])",
            "        self.array[:] = self.heap\n        return self.array",
        ),
        ("        self.current_player = 1\n", ""),
        ("            self.winner = self.current_player\n", ""),
        ("        self.current_player = -self.current_player\n", ""),
    ),
}
"""Every move is punished, which is a fault, and yet none is refused; mistakes are not accepted."""

LEAKS: dict[str, tuple[str, str]] = {
    "the other's number is shown": (
        "return np.array([mine, self.turns])",
        "return np.array([mine, self.player1_secret + self.player2_secret])",
    ),
    "the other's number is in the info": (
        "        return self.seen(), {}\n",
        "        return self.seen(), {'hint': self.player2_secret}\n",
    ),
    "whether the other's number is odd is shown": (
        "return np.array([mine, self.turns])",
        "return np.array([mine, (self.player1_secret + self.player2_secret) % 2])",
    ),
    "only good moves are listed": (
        "        return [0, 1, 2, 3]\n",
        "        return [0, 1, 2, 3][: 4 if self.turns else self.player2_secret + 1]\n",
    ),
}

ALONE = '''
import gymnasium
import numpy as np
from gymnasium import spaces


class DoorsEnv(gymnasium.Env):
    """One agent opens doors; `action_mask` says which are closed."""

    def __init__(self):
        self.action_space = spaces.Discrete(3)
        self.observation_space = spaces.MultiBinary(3)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.open = np.zeros(3, np.int8)
        self.prize = int(self.np_random.integers(3))
        return self.open.copy(), self.info()

    def info(self):
        return {"action_mask": 1 - self.open}

    def step(self, action):
        if self.open[action]:
            raise ValueError("this door is open")
        self.open[action] = 1
        over = action == self.prize
        return self.open.copy(), float(over), bool(over), False, self.info()
'''
ALONE_FAULTS: dict[str, tuple[str, str, str]] = {
    "an open door is listed": ("refused", "1 - self.open}", "np.ones(3, np.int8)}"),
    "an open door may be opened": (
        "accepted",
        '            raise ValueError("this door is open")',
        "            self.open[:] = 0",
    ),
    "the prize is in the info": ("leak", "1 - self.open}", '1 - self.open, "prize": self.prize}'),
    "the doors stay open": (
        "reset",
        "        self.open = np.zeros(3, np.int8)\n        self.prize",
        "        self.open = getattr(self, 'open', np.zeros(3, np.int8))\n        self.prize",
    ),
    "no door is listed": ("deadlock", "1 - self.open}", "(1 - self.open) * (self.open.sum() < 2)}"),
}


def written(folder: Path, text: str, *changes: tuple[str, str]) -> str:
    """The target of a file with this text, after some changes."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    path = folder / "env.py"
    path.write_text(text, "utf-8")
    return f"gymnasium:{path}"
