"""Environments of PettingZoo, OpenSpiel and TextArena with places for faults."""

PETTINGZOO = '''
from random import Random
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

AGENTS = ["ann", "ben"]


class RaceEnv(AECEnv):
    """Each holds a card. In turn they step 1 or 2 until somebody reaches 5 and wins."""

    metadata = {"name": "race_v0", "render_modes": []}
    render_mode = None
    kept = {}

    def __init__(self):
        self.possible_agents = list(AGENTS)
        self.rng = Random(0)

    def observation_space(self, agent):
        return spaces.Dict({
            "observation": spaces.Box(0, 9, (3,), np.int64),
            "action_mask": spaces.Box(0, 1, (3,), np.int8),
        })

    def action_space(self, agent):
        return spaces.Discrete(3)

    def reset(self, seed=None, options=None):
        if seed is not None:
            self.rng = Random(seed)
        self.agents = list(AGENTS)
        self.cards = {agent: self.rng.randrange(4) for agent in AGENTS}
        self.places = dict.fromkeys(AGENTS, 0)
        self.agent_selection = "ann"
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {} for agent in AGENTS}

    def other(self, agent):
        return "ben" if agent == "ann" else "ann"

    def legal(self):
        return [1, 2]

    def observe(self, agent):
        mask = np.zeros(3, np.int8)
        if agent == self.agent_selection:
            mask[self.legal()] = 1
        seen = [self.cards[agent], self.places[agent], self.places[self.other(agent)]]
        return {"observation": np.array(seen), "action_mask": mask}

    def step(self, action):
        agent = self.agent_selection
        if action not in self.legal():
            raise ValueError("no legal action")
        self.places[agent] = min(5, self.places[agent] + int(action))
        if self.places[agent] == 5:
            self.rewards = {agent: 1, self.other(agent): -1}
            self.terminations = dict.fromkeys(AGENTS, True)
        self.agent_selection = self.other(agent)
'''

PETTINGZOO_FAULTS: dict[str, tuple[str, str, str]] = {
    "a loser whom the infos call the winner": (
        "rewards",
        "            self.rewards = {agent: 1, self.other(agent): -1}\n",
        (
            "            self.rewards = {agent: 1, self.other(agent): -1}\n"
            "            self.infos = {each: {'winner': self.other(agent)} for each in AGENTS}\n"
        ),
    ),
    "a key that is missing": (
        "crash",
        "self.cards[agent], self.places",
        "self.cards[agent + '!'], self.places",
    ),
    "nobody may move from 4": (
        "deadlock",
        "        return [1, 2]",
        "        return [1, 2] if self.places['ann'] < 4 else []",
    ),
    "a masked action is refused": (
        "refused",
        "        if action not in self.legal():",
        "        if action != 1:",
    ),
    "an action that is not masked": (
        "accepted",
        "        if action not in self.legal():",
        "        if action > 2:",
    ),
    "an action that is not masked, and wins": (
        "accepted",
        '        if action not in self.legal():\n            raise ValueError("no legal action")\n',
        "        if action == 0:\n            self.places[agent] = 5\n",
    ),
    "a masked action is punished and ends": (
        "refused",
        '        if action not in self.legal():\n            raise ValueError("no legal action")\n',
        (
            "        if action != 1:\n"
            "            self.rewards = {agent: -1, self.other(agent): 0}\n"
            "            self.terminations = dict.fromkeys(AGENTS, True)\n"
            "            return\n"
        ),
    ),
    "nobody gets anywhere": ("endless", "min(5, self.places[agent] + int(action))", "int(action)"),
    "both lose when ann is on 3": (
        "rewards",
        "self.rewards = {agent: 1, self.other(agent): -1}",
        "self.rewards = {agent: 1, self.other(agent): -1 if self.places['ann'] != 3 else 1}",
    ),
    "cards from nowhere": ("chance", "self.rng = Random(seed)", "self.rng = Random()"),
    "places that are not reset": (
        "reset",
        "        self.places = dict.fromkeys(AGENTS, 0)\n",
        "        self.places = getattr(self, 'places', None) or dict.fromkeys(AGENTS, 0)\n",
    ),
    "a mask with a two": ("space", "mask[self.legal()] = 1", "mask[self.legal()] = 2"),
    "the other's card in the infos": (
        "leak",
        "self.infos = {agent: {} for agent in AGENTS}",
        "self.infos = {agent: {'c': self.cards[self.other(agent)]} for agent in AGENTS}",
    ),
    "the other's card instead of one's own": (
        "leak",
        "seen = [self.cards[agent],",
        "seen = [self.cards[self.other(agent)],",
    ),
    "places that all share": (
        "shared state",
        "        self.places = dict.fromkeys(AGENTS, 0)\n",
        "        self.places = RaceEnv.kept\n        self.places.update(ann=0, ben=0)\n",
    ),
}

LOSES = ("{agent: 1, self.other(agent): -1}", "{agent: -1, self.other(agent): 0}")
"""Who comes to the end first loses, and nobody wins."""

TEXTARENA = '''
import random
import textarena as ta


class HeapEnv(ta.Env):
    """Six coins; whoever takes the last one wins."""

    def reset(self, num_players, seed=None):
        self.state = ta.TwoPlayerState(num_players=num_players, seed=seed)
        cards = {0: random.randrange(5), 1: random.randrange(5)}
        self.state.reset(game_state={"heap": 6, "hands": cards}, player_prompt_function=self.prompt)
        self.ask()

    def prompt(self, player_id, game_state):
        return f"You are player {player_id}; your card is {game_state['hands'][player_id]}."

    def moves(self):
        return [move for move in (1, 2) if move <= self.state.game_state["heap"]]

    def ask(self):
        listed = ", ".join(f"'[{move}]'" for move in self.moves())
        text = f"{self.state.game_state['heap']} coins. Available moves: {listed}"
        self.state.add_observation(text, ta.ObservationType.GAME_BOARD)

    def step(self, action):
        if action.strip("[]") not in [str(move) for move in self.moves()]:
            self.state.set_invalid_move(reason="Not a move.")
            return self.state.step()
        self.state.game_state["heap"] -= int(action.strip("[]"))
        if self.state.game_state["heap"] == 0:
            self.state.set_winner(self.state.current_player_id, reason="The last coin.")
        else:
            self.ask()
        return self.state.step()
'''

TEXTARENA_FAULTS: dict[str, tuple[str, str, str]] = {
    "a step that fails": (
        "crash",
        "            self.ask()\n        return",
        "            6 // (len(self.moves()) - 1)\n            self.ask()\n        return",
    ),
    "a listed reply is invalid": (
        "refused",
        "        if action.strip",
        "        if action == '[2]' or action.strip",
    ),
    "any reply will do": (
        "accepted",
        (
            '            self.state.set_invalid_move(reason="Not a move.")\n'
            "            return self.state.step()\n"
        ),
        "            action = '[1]'\n",
    ),
    "coins come back": ("endless", '["heap"] -= int', '["heap"] += 0 * int'),
    "the last coin may not be taken": ("deadlock", "if move <= self", "if move < self"),
    "both win by taking two": (
        "rewards",
        "            self.ask()\n        return self.state.step()\n",
        (
            "            self.ask()\n"
            "        if self.state.done and action == '[2]' and self.state.current_player_id:\n"
            "            self.state.rewards = {0: 1, 1: 1}\n"
            "        return self.state.step()\n"
        ),
    ),
    "coins by lot": ("chance", '{"heap": 6,', '{"heap": random.SystemRandom().randrange(5, 9),'),
    "the other's card is told": (
        "leak",
        "your card is {game_state['hands'][player_id]}",
        "cards are {game_state['hands']}",
    ),
}
