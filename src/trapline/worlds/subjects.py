"""Which kind of game something is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.core import Game, TraplineError, brief
from trapline.games import make_game
from trapline.worlds.live import Environments
from trapline.worlds.matches import Matches
from trapline.worlds.open_spiel import OpenSpielGame

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.worlds.live import Live
    from trapline.worlds.world import Subject


def subject_of(subject: Any) -> Subject:
    """The positions of a game, of whatever library."""
    if isinstance(subject, str):
        subject = make_game(subject)
    if isinstance(subject, Game):
        return Matches(subject)
    if hasattr(subject, "new_initial_state"):
        return OpenSpielGame(subject)
    if callable(subject):
        return environments(subject)
    raise TraplineError(
        "This checks a game of this project or its name, a pyspiel.Game, or a function that makes "
        "an environment of PettingZoo, Gymnasium, TextArena, Kaggle or OpenEnv, "
        f"not {brief(subject)}."
    )


def environments(make: Callable[[], Any]) -> Environments:
    """The positions of what a function makes, by what its environments can do."""
    env = make()
    kind = _kind(env)
    if kind is None:
        raise TraplineError(
            f"{type(env).__name__} is no environment of PettingZoo, Gymnasium, TextArena, Kaggle "
            "or OpenEnv."
        )
    return Environments(make, kind)


def _kind(env: Any) -> type[Live] | None:
    from trapline.worlds import envpool, gymnasium, kaggle, openenv, pettingzoo, textarena

    if isinstance(env, envpool.Pool):
        return envpool.Pooled
    if hasattr(env, "possible_agents"):
        return pettingzoo.InTurn if hasattr(env, "agent_iter") else pettingzoo.AtOnce
    if hasattr(env, "configuration") and hasattr(env, "specification"):
        return kaggle.Seats
    if hasattr(env, "step") and hasattr(env, "action_space"):
        inner = getattr(env, "unwrapped", env)
        return gymnasium.TwoPlayers if hasattr(inner, "valid_moves") else gymnasium.Alone
    if openenv.is_served(env):
        return openenv.Served
    if hasattr(env, "get_observation") and hasattr(env, "step"):
        return textarena.Talk
    return None
