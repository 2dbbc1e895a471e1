"""MaskablePPO of sb3-contrib on a small game, through the standard wrappers: does it learn?

`python -m bench.maskable_ppo` trains against the levels `random` and `perfect`, from both seats,
and prints the exact exploitability of what was learnt, by OpenSpiel, before, in between and at the
end: what an opponent who knew every choice would gain. It fails if that has not fallen to a
quarter. It needs `pip install sb3-contrib`, which brings PyTorch: `python -m bench.trainers
maskable_ppo` installs both in an environment of their own, and runs its test there.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms.exploitability import exploitability

import trapline.adapters.gymnasium
import trapline.adapters.open_spiel  # noqa: F401 (registers the games)

if TYPE_CHECKING:
    from collections.abc import Iterator

OPTIONS: dict[str, Any] = {"length": 6, "turn_limit": 8}
TRAPS = [3]
OPPONENTS = ("random", "perfect")
ENVIRONMENTS, PARTS, STEPS = 8, 4, 4_096


def make(number: int) -> Any:
    """One environment, as Gymnasium and Stable-Baselines wrap it."""
    from stable_baselines3.common.monitor import Monitor

    opponent = OPPONENTS[number % len(OPPONENTS)]
    made = gymnasium.make("trapline/NumericMaze-v0", opponent=opponent, traps=TRAPS, **OPTIONS)
    return Monitor(made)


class Learnt(policy.Policy):  # type: ignore[misc]  # OpenSpiel has no types
    """What a network does in each state of OpenSpiel: its observations are those of the other."""

    def __init__(self, game: Any, model: Any) -> None:
        super().__init__(game, list(range(game.num_players())))
        self._model = model
        self._known: dict[str, dict[int, float]] = {}

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        import torch

        player = state.current_player() if player_id is None else player_id
        key = f"{player} {state}"
        if key not in self._known:
            seen = np.array(state.observation_tensor(player), np.float32)[None]
            mask = np.array(state.legal_actions_mask(player), np.bool_)[None]
            with torch.no_grad():
                drawn = self._model.policy.get_distribution(torch.as_tensor(seen), mask)
            chances = drawn.distribution.probs[0].tolist()
            self._known[key] = {action: chances[action] for action in state.legal_actions(player)}
        return self._known[key]


def exploitabilities(parts: int, steps: int = STEPS) -> Iterator[float]:
    """Of a network before it has learnt anything, and after each part of its training."""
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import DummyVecEnv

    torch.set_num_threads(1)  # so small a network only waits for more of them
    traps = ";".join(map(str, TRAPS))
    game = pyspiel.load_game("trapline_numeric_maze", {"first": 0, "traps": traps, **OPTIONS})
    envs = DummyVecEnv([lambda number=number: make(number) for number in range(ENVIRONMENTS)])
    model = MaskablePPO("MlpPolicy", envs, n_steps=128, batch_size=256, gamma=1.0, seed=1)
    yield exploitability(game, Learnt(game, model))
    for _ in range(parts):
        model.learn(steps, reset_num_timesteps=False)
        yield exploitability(game, Learnt(game, model))


def main() -> None:
    begun = time.process_time()
    found = []
    try:
        for part, now in enumerate(exploitabilities(PARTS)):
            found.append(now)
            spent = time.process_time() - begun
            print(f"{part * STEPS:>6} steps, {spent:4.0f} s: exploitability {now:.3f}", flush=True)
    except ImportError as error:
        sys.exit(f"This needs sb3-contrib: {error}")
    if found[-1] > found[0] / 4:
        sys.exit("The exploitability has not fallen to a quarter.")


if __name__ == "__main__":
    main()
