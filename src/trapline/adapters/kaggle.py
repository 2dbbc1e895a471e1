"""Any game for language models in Kaggle's environments: the three functions of a harness.

    name = register("trapline_trap_builder(length=8)")
    env = kaggle_environments.make(name, configuration={"includeLegalActions": True})
    agent = create_agent_fn(Harness("trap-builder", length=8))

The games are those of `open_spiel`, by the names that `open_spiel.register` gives to others. A
prompt is made of the rules and of the player's own observation. Where something is hidden, Kaggle
hands no agent the state, and this never asks for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.adapters import needs
from trapline.core.pages import deciding, in_this_variant
from trapline.games import make_game

with needs("Kaggle's environments", extra="kaggle"):
    import kaggle_environments
    import pyspiel
    from kaggle_environments.core_harness import ParseResult, parse_json_action
    from kaggle_environments.envs.open_spiel_env import open_spiel_env as kaggles

    import trapline.adapters.open_spiel  # noqa: F401 (registers ours)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HOW = (
    'Think as long as you like, then end with your move as JSON, such as {{"move": "{example}"}}.\n'
    "Legal moves now, each in quotes: {legal}."
)


def register(game: str) -> str:
    """The name under which Kaggle makes a game of OpenSpiel's from now on."""
    pyspiel.load_game(game)  # an error here, since Kaggle only passes over it
    ((name, made),) = kaggles._register_game_envs([game]).items()  # noqa: SLF001 (its own way)
    kaggle_environments.register(name, made)
    return str(name)


class Harness:
    def __init__(self, game: str, **options: Any) -> None:
        self.game = make_game(game, options)

    def get_legal_moves(self, observation: Mapping[str, Any]) -> dict[int, str]:
        actions = observation.get("legalActions") or []
        return dict(zip(actions, observation.get("legalActionStrings") or [], strict=True))

    def generate_prompt(
        self,
        observation: Mapping[str, Any],
        move_history: Sequence[str],
        previous_response: str | None = None,
        previous_action: str | None = None,
    ) -> str:
        legal = list(self.get_legal_moves(observation).values())
        parts = [deciding(self.game), "\n".join(in_this_variant(self.game))]
        parts.append(f"You are Player {int(observation.get('playerId', 0)) + 1}.")
        parts.append(f"What you see, in numbers:\n{observation.get('observationString', '')}")
        parts.append(f"Your own moves so far: {', '.join(move_history) or 'none'}.")
        parts.append(
            HOW.format(example=legal[0] if legal else "", legal=", ".join(f'"{m}"' for m in legal))
        )
        if previous_response is not None:
            refused = f'"{previous_action}" is not legal' if previous_action else "it held no move"
            parts.append(f"Your last reply could not be used: {refused}. Answer again.")
        return "\n\n".join(filter(None, parts))

    make_prompt = generate_prompt

    def parse_response(
        self, response: str, legal_action_strings: Sequence[str], **_: Any
    ) -> ParseResult:
        return parse_json_action(response, legal_action_strings)
