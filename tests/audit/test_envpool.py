"""EnvPool's environments, by a stand-in with its interface: arrays of pools, a row for a player."""

from __future__ import annotations

import sys
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest

from tests.audit.looks import found_in, looked, reproduced
from trapline.audit.targets import subject_named
from trapline.core import TraplineError

KUHN = "envpool:KuhnPoker-v1"


class Kuhn:
    """A card each of three, to bet or to pass once each; the info may hold more than a row does."""

    alive = 0

    def __init__(self, name: str, seed: int, num_envs: int, **rest: Any) -> None:
        self.all_cards, self.at_once = name == "KuhnPoker-v1", name == "AtOnce-v1"
        self.spec = SimpleNamespace(config=SimpleNamespace(max_num_players=2))
        self.action_space = gymnasium.spaces.Discrete(2)
        self.observation_space = gymnasium.spaces.Box(0, 2, (3,), np.int32)
        self.rng = Random(seed)
        Kuhn.alive += 1

    def __del__(self) -> None:
        Kuhn.alive -= 1

    def reset(self) -> tuple[Any, Any]:
        self.cards = self.rng.sample(range(3), 2)
        self.bets = [0, 0]
        self.turn = 0
        return self._seen()

    def _seen(self) -> tuple[Any, Any]:
        rows = np.array([[card, *self.bets] for card in self.cards], np.int32)
        info = {"env_id": np.array([0]), "players": {"id": np.array([0, 1])}}
        info["legal_action_mask"] = np.array([[True, True]])
        if not self.at_once:
            info["current_player"] = np.array([self.turn % 2])
        if self.all_cards:
            info["cards"] = np.array([self.cards])
        return rows, info

    def step(self, action: Any) -> Any:
        self.bets[self.turn] = int(action[0])
        self.turn += 1
        over = self.turn == 2
        won = (1 if self.cards[0] > self.cards[1] else -1) * (1 + sum(self.bets)) * over
        rows, info = self._seen()
        return rows, np.array([won, -won], np.float32), np.array([over]), np.array([False]), info


@pytest.fixture(autouse=True)
def _stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    envpool = ModuleType("envpool")
    envpool.make = Kuhn  # type: ignore[attr-defined]  # that is what it has
    monkeypatch.setitem(sys.modules, "envpool", envpool)


def test_the_cards_of_both_in_an_info_are_a_leak() -> None:
    found = found_in(KUHN)  # Player 0 is to act, and sees the card of the other
    assert found.keys() == {"leak"}
    assert "info['cards'][1]" in found["leak"].sentence
    reproduced(found["leak"])


def test_without_them_there_is_nothing_to_find() -> None:
    report = looked("envpool:Sound-v1")
    assert report.ok
    assert report.figures.pairs > 0


def test_one_pool_is_all_that_is_kept() -> None:
    """Each has threads of its own: with a pool for every position no more can be started."""
    before = Kuhn.alive
    world = next(iter(subject_named(KUHN).starts()))
    following = [world.after(action).after(action) for action in (0, 1)]
    assert Kuhn.alive == before + 1
    assert [after.rewards()[0] for after in following] in ([1, 3], [-1, -3])


def test_players_who_act_at_once_are_refused_with_a_sentence() -> None:
    with pytest.raises(TraplineError, match="several players act at once"):
        next(iter(subject_named("envpool:AtOnce-v1").starts()))


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "envpool", None)
    with pytest.raises(TraplineError, match=r"pip install 'trapline\[envpool\]'"):
        subject_named(KUHN)
