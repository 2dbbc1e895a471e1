"""A whole state that is shown is a leak at first sight, and only where something is hidden."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
import pyspiel
import pytest

from trapline.audit.handed_over import handed_over
from trapline.audit.looking import Look
from trapline.worlds import subject_of


class Table(gymnasium.Env[Any, Any]):
    """A game of OpenSpiel for two players in turn, as Kaggle's environments wrap one."""

    name: ClassVar[str] = "gin_rummy"  # far too large for two deals to look alike
    shows: ClassVar[bool] = True

    def __init__(self) -> None:
        self.game = pyspiel.load_game(self.name)
        self.action_space = gymnasium.spaces.Discrete(self.game.num_distinct_actions())
        size = self.game.observation_tensor_size()
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float32)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, Any]:
        super().reset(seed=seed, options=options)
        self.state = self.game.new_initial_state()
        return self._seen()

    def _seen(self) -> tuple[Any, Any]:
        while self.state.is_chance_node():
            drawn = [action for action, _ in self.state.chance_outcomes()]
            self.state.apply_action(int(self.np_random.choice(drawn)))
        player = max(0, self.state.current_player())
        seen = np.array(self.state.observation_tensor(player), np.float32)
        info: dict[str, Any] = {"player": player}
        if self.shows:
            info["kept"] = [pyspiel.serialize_game_and_state(self.game, self.state)]
        return seen, info

    def step(self, action: Any) -> Any:
        self.state.apply_action(int(action))
        seen, info = self._seen()
        return seen, 0.0, self.state.is_terminal(), False, info

    def valid_moves(self) -> list[int]:
        return list(self.state.legal_actions())


class Discreet(Table):
    shows = False


class Open(Table):
    name = "tic_tac_toe"


def told(kind: Any) -> list[str]:
    world = next(iter(subject_of(kind).starts()))
    return list(handed_over(world))


def test_a_serialised_state_is_found_at_the_first_look() -> None:
    (sentence,) = told(Table)
    assert "is shown the whole state under info.kept[0]" in sentence


@pytest.mark.parametrize("kind", [Discreet, Open])
def test_nothing_is_said_where_nothing_is_given_away(kind: Any) -> None:
    assert told(kind) == []


def test_the_audit_tells_it() -> None:
    look = Look("gymnasium:tests.audit.test_handed_over:Table", subject_of(Table), 60)
    look._compare(lambda: True)  # not even time for one pair of twins
    assert [finding.check for finding in look.findings.values()] == ["leak"]
