"""Any game as a task of Inspect: a sample is a seed, the score a result and what choices cost.

inspect eval trapline/adapters/inspect_ai.py -T game=./pebbles.py -T matches=20
"""

from __future__ import annotations

import asyncio
from typing import Any

from trapline.adapters import needs
from trapline.text.match import TextMatch

with needs("Inspect", extra="inspect"):
    from inspect_ai import Task, task
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ChatMessageUser
    from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
    from inspect_ai.solver import Generate, Solver, TaskState, solver

FIGURES = ("result", "regret", "forfeit")


@task  # type: ignore[untyped-decorator]  # not installed beside our checks
def trapline(
    game: str, matches: int = 20, opponent: str = "casual", match: dict[str, Any] | None = None
) -> Task:
    """So many matches; `match` are further arguments of `TextMatch`."""
    how = {"game": game, "opponent": opponent, **(match or {})}
    first = TextMatch(**how)
    samples = [Sample(id=seed, input=first.reset(seed)[0]) for seed in range(matches)]
    return Task(dataset=samples, solver=play(how), scorer=figures(), name=f"trapline {game}")


@solver  # type: ignore[untyped-decorator]  # not installed beside our checks
def play(how: dict[str, Any]) -> Solver:
    """Play the match of the sample's seed to its end."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        match = TextMatch(**how)
        _, info = match.reset(int(state.sample_id))
        while not match.over and not state.completed:
            state = await generate(state)
            step = await asyncio.to_thread(match.step, state.output.completion)
            state.messages.append(ChatMessageUser(content=step.text))
            info = step.info
        regret = sum(match.regrets)
        state.metadata |= {"result": match.result, "regret": regret, "forfeit": info["forfeit"]}
        return state

    return solve


@scorer(metrics={name: [mean(), stderr()] for name in FIGURES})  # type: ignore[untyped-decorator]  # not installed beside our checks
def figures() -> Scorer:
    """The result, what all choices cost together, and whether the match was forfeited."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 (theirs)
        return Score(value={name: float(state.metadata[name]) for name in FIGURES})

    return score
