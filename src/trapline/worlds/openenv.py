"""Positions of OpenEnv's environments: one agent, whose actions and observations are typed.

What an action may hold, its own schema says; a list of legal actions in the observation narrows it
down. What an observation's fields tell is what the agent acts on; its metadata is looked at, too.
"""

from __future__ import annotations

import inspect
from itertools import islice, product
from typing import TYPE_CHECKING, Any, get_type_hints

from trapline.worlds.live import SOME, Live

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

AGENT = "agent"
LISTS = ("legal_actions", "valid_actions", "legal_moves", "valid_moves", "available_actions")
"""Under these names an observation lists what may be done."""
BESIDE = ("done", "reward", "metadata")
"""What every observation has beside what it tells."""
WIDEST, MOST = 12, 200
"""Where a number has no upper bound, so many are tried; and so many actions in all."""


def action_type(env: Any) -> Any:
    """The class of an environment's actions, as `step` or the class itself declares it; or None."""
    try:
        declared = get_type_hints(type(env).step).get("action")
    except (NameError, TypeError):
        declared = None
    for base in getattr(type(env), "__orig_bases__", ()):
        if not hasattr(declared, "model_fields"):
            declared = next(iter(getattr(base, "__args__", ())), None)
    return declared if hasattr(declared, "model_fields") else None


class Served(Live):
    """How long it may go on is for whoever calls to say, so no length is a fault."""

    longest = 0
    open_moves = True
    viewers = (AGENT,)

    def begin(self) -> None:
        self._total = 0.0
        self._hear(self.env.reset(seed=self.seed))

    def act(self, action: Any) -> None:
        self._hear(self.env.step(self._written(action)))

    def _hear(self, observation: Any) -> None:
        self.observed = observation
        self.over = bool(observation.done)
        self._total += float(observation.reward or 0)

    def _written(self, action: Any) -> Any:
        names = self._fields()
        values = action if len(names) > 1 else (action,)
        return action_type(self.env)(**dict(zip(names, values, strict=True)))

    def _fields(self) -> list[str]:
        return [name for name in action_type(self.env).model_fields if name not in BESIDE]

    @property
    def actor(self) -> str | None:
        return None if self.over else AGENT

    def actions(self) -> list[Any]:
        """Each a value of the action's only field, or a tuple of values."""
        listed = self._listed()
        return self._written_down() if listed is None else list(listed)

    def _listed(self) -> Any:
        names = self._fields()
        found = (getattr(self.observed, name, None) for name in LISTS)
        return next((held for held in found if held is not None), None) if len(names) == 1 else None

    def _written_down(self) -> list[Any]:
        """What the schema of an action allows, as far as it can be counted."""
        schema = action_type(self.env).model_json_schema()
        parts = [_values(schema["properties"][name], schema) for name in self._fields()]
        if len(parts) == 1:
            return parts[0][:MOST]
        return list(islice(product(*parts), MOST))

    def unlisted(self) -> Sequence[Any]:
        listed = self._listed()
        if listed is None:
            return ()
        return [action for action in self._written_down() if action not in listed][:SOME]

    def _told(self) -> dict[str, Any]:
        return {
            name: getattr(self.observed, name)
            for name in type(self.observed).model_fields
            if name not in BESIDE
        }

    def shown(self, viewer: Any) -> dict[str, Any]:  # there is one
        return {
            "observation": self._told(),
            "metadata": self.observed.metadata,
            "reward": self.observed.reward,
        }

    def information(self, viewer: Any) -> dict[str, Any]:  # likewise
        return {"observation": self._told()}

    def rewards(self) -> Mapping[Any, float]:
        return {AGENT: self._total}

    def strays(self) -> Iterator[str]:
        if not hasattr(type(self.observed), "model_fields"):
            yield f"the observation is a {type(self.observed).__name__}, not a typed one"
            return
        try:
            type(self.observed).model_validate(self.observed.model_dump(warnings=False))
        except ValueError as error:
            said = str(error).splitlines()[-1].strip()
            yield f"the observation does not fit its own type: {said}"


def _values(part: Mapping[str, Any], schema: Mapping[str, Any]) -> list[Any]:
    """What a field may hold; its default where nobody can count it."""
    if "$ref" in part:
        part = schema["$defs"][part["$ref"].rpartition("/")[2]]
    if "const" in part:
        return [part["const"]]
    if "enum" in part:
        return list(part["enum"])
    if part.get("type") == "boolean":
        return [False, True]
    if part.get("type") == "integer":
        low = part.get("minimum", part.get("exclusiveMinimum", -1) + 1)
        high = part.get("maximum", part.get("exclusiveMaximum", low + WIDEST) - 1)
        return list(range(low, high + 1))
    if "anyOf" in part:
        return [value for each in part["anyOf"] for value in _values(each, schema)]
    return [part["default"]] if "default" in part else []


def is_served(env: Any) -> bool:
    """Whether this is an environment of OpenEnv's: typed actions, and a state beside `step`."""
    has_state = isinstance(inspect.getattr_static(type(env), "state", None), property)
    return has_state and hasattr(env, "step") and action_type(env) is not None
