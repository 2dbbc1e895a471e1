"""Any game as a taskset and an environment of verifiers 0.4: a task is a seed.

    vf-eval trapline-verifiers --env.taskset.game ./pebbles.py --env.taskset.opponent perfect

The player's reward is that of `TextMatch`, summed over the match; what its choices cost, and how
the match ended, stand in the trace beside it.
"""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING, Any

from trapline.adapters import needs
from trapline.text.match import TextMatch

with needs("verifiers", extra="verifiers"):
    import verifiers.v1 as vf

if TYPE_CHECKING:
    from collections.abc import Iterator


class TraplineConfig(vf.TasksetConfig):  # type: ignore[misc]  # not installed beside our checks
    game: str = ""
    """Must be named; verifiers makes a configuration without it on the way to one with it."""
    match: dict[str, Any] = {}  # noqa: RUF012 (pydantic copies it)
    """Arguments of `TextMatch`: opponent, seat, first, reward, mistakes, and the game's options."""


class TraplineData(vf.TaskData):  # type: ignore[misc]  # likewise
    seed: int


class TraplineTask(vf.Task[TraplineData, vf.State, vf.TaskConfig]):  # type: ignore[misc]  # likewise
    pass


class TraplineTaskset(vf.Taskset[TraplineTask, TraplineConfig]):  # type: ignore[misc]  # likewise
    INFINITE = True

    def load(self) -> Iterator[TraplineTask]:
        match = TextMatch(self.config.game, **self.config.match)
        for seed in itertools.count():
            data = TraplineData(
                name=f"{match.game.name}#{seed}", prompt=match.reset(seed)[0], seed=seed
            )
            yield TraplineTask(data, self.config.task)


class TraplineEnvConfig(vf.EnvConfig):  # type: ignore[misc]  # likewise
    player: vf.AgentConfig = vf.AgentConfig()


class TraplineEnv(vf.Env[TraplineEnvConfig]):  # type: ignore[misc]  # likewise
    async def run(self, task: TraplineTask, agents: Any) -> None:
        config, reward = self.taskset.config, 0.0
        match = TextMatch(config.game, **config.match)
        match.reset(task.data.seed)
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                step = await asyncio.to_thread(match.step, segment.last_reply)
                reward += step.reward
                if step.over:
                    break
                segment = await interaction.turn(step.text)
        interaction.trace.record_reward("match", reward, 1.0)
        interaction.trace.record_metric("result", match.result)
        interaction.trace.record_metric("regret", sum(match.regrets))
