"""Any game for TRL's `environment_factory`: the model plays by calling the tool `play`.

    GRPOTrainer(..., environment_factory=environment_factory("./pebbles.py", reward="regret"))

A row of the dataset may hold a `seed`; without one, every rollout is another match. TRL itself is
not needed to make one.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from trapline.text.match import TextMatch

if TYPE_CHECKING:
    from collections.abc import Callable


class TraplineEnvironment:
    """TRL offers every public method to the model, except `reset` and `get_reward`."""

    def __init__(self, game: str, **match: Any) -> None:
        self._match = TextMatch(game, **match)
        self._reward = 0.0

    def reset(self, seed: int | None = None, **_: Any) -> str:
        """Begin a match; what is returned follows the prompt of the row."""
        self._reward = 0.0
        text, _info = self._match.reset(seed)
        return f"\n\n{text}\n\nGive your answers to the tool `play`."

    def play(self, answer: str) -> str:
        """
        Answer the question of the game.

        Args:
            answer: What the question asks for, as it lists the answers, such as 2 or 3 5 7.

        Returns:
            What has happened since, and the next question.
        """
        step = self._match.step(str(answer))
        self._reward += step.reward
        return step.text

    def get_reward(self) -> float:
        """Of the whole rollout; a match that was left unfinished earned what it earned so far."""
        return self._reward


def environment_factory(game: str, **match: Any) -> Callable[[], TraplineEnvironment]:
    """What makes one environment for each rollout; `match` are arguments of `TextMatch`."""
    return partial(TraplineEnvironment, game, **match)
