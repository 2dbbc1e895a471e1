"""Positions of Kaggle's environments: every agent has a status, an observation and a reward.

Agents who are asked at once are asked one after the other. What may be done is what the game of
OpenSpiel inside says, or what a copy of the environment does not call invalid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.worlds.live import SOME, Live, copied

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ACTIVE, INVALID = "ACTIVE", ("INVALID", "ERROR")
CLOCKS = {"remainingOverageTime"}
TEXT = "observationString"
WIDEST = 12
"""Where a number has no upper bound, so many are tried."""


class Seats(Live):
    recalls = False

    def begin(self) -> None:
        env = self.env
        env.configuration["seed"] = self.seed
        env.reset()
        self._chosen: dict[int, Any] = {}
        if self._submits() and TEXT not in env.state[0].observation:
            env.step([{"submission": -1}] * len(env.state))  # its interpreter sets itself up so

    def act(self, action: Any) -> None:
        chosen: dict[Any, Any] = {**self._chosen, self.actor: action}
        if len(chosen) < len(self._active()):
            self._chosen = chosen
            return
        self._chosen = {}
        self.env.step([self._written(chosen.get(seat)) for seat in self.viewers])

    def _written(self, action: Any) -> Any:
        return {"submission": -1 if action is None else action} if self._submits() else action

    def _submits(self) -> bool:
        usual = self.env.specification.action.get("default")
        return isinstance(usual, dict) and "submission" in usual

    def _spiel(self) -> Any:
        """The OpenSpiel state inside, if there is one."""
        return getattr(self.env, "os_state", None)

    def _active(self) -> list[int]:
        return [seat for seat in self.viewers if self.env.state[seat].status == ACTIVE]

    @property
    def viewers(self) -> Sequence[int]:  # type: ignore[override]  # as many as it takes
        return range(len(self.env.state))

    @property
    def visible(self) -> bool:  # type: ignore[override]  # nobody looks while others choose
        return not self._chosen

    def pending(self) -> Mapping[int, Any]:
        return self._chosen

    @property
    def at_once(self) -> bool:  # type: ignore[override]  # the environment says
        return len(self._active()) > 1

    @property
    def over(self) -> bool:  # type: ignore[override]  # the environment says
        return bool(self.env.done)

    @property
    def actor(self) -> int | None:
        waiting = [] if self.over else [seat for seat in self._active() if seat not in self._chosen]
        return waiting[0] if waiting else None

    def actions(self) -> list[Any]:
        actor = self.actor
        if actor is None:
            return []
        spiel = self._spiel()
        if spiel is not None:
            return list(spiel.legal_actions(actor))
        return [action for action in self._written_down() if self._accepts(action)]

    def _written_down(self) -> list[Any]:
        """What the specification of an action says."""
        said = self.env.specification.action
        if "enum" in said:
            return list(said["enum"])
        if said.get("type") == "integer":
            low = int(said.get("minimum", 0))
            return list(range(low, int(said.get("maximum", low + WIDEST)) + 1))
        return [said.get("default")]

    def _accepts(self, action: Any) -> bool:
        env, actor, usual = copied(self.env), self.actor, self._written_down()[0]
        others = dict.fromkeys(self._active(), usual) | self._chosen
        env.step([action if seat == actor else others.get(seat) for seat in self.viewers])
        return env.state[actor].status not in INVALID

    def unlisted(self) -> Sequence[Any]:
        spiel, actor = self._spiel(), self.actor
        if spiel is None or actor is None or len(self._active()) > 1:
            return ()
        listed = set(self.actions())
        every = range(spiel.get_game().num_distinct_actions())
        return [action for action in every if action not in listed][:SOME]

    def refused(self, before: Any) -> str:  # the environment keeps it
        status = self.env.state[self.steps[-1][0]].status
        return f"the status is {status}" if status in INVALID else ""

    def shown(self, viewer: Any) -> dict[str, Any]:
        shared = self.env.specification.observation.get("properties") or {}
        first, own = self.env.state[0].observation, self.env.state[viewer].observation
        seen = {
            name: first[name]
            for name, what in shared.items()
            if isinstance(what, dict) and what.get("shared") and name in first
        }
        return {str(name): value for name, value in {**seen, **own}.items() if name not in CLOCKS}

    def information(self, viewer: Any) -> dict[str, Any]:
        shown = self.shown(viewer)
        return {TEXT: shown[TEXT]} if TEXT in shown else {"observation": shown}

    def rewards(self) -> Mapping[int, float]:
        return {seat: float(self.env.state[seat].reward or 0) for seat in self.viewers}
