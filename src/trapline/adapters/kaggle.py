"""Any game for language models in Kaggle's environments: the three functions of a harness.

    harness = Harness("./pebbles.py", length=8)
    agent = create_agent_fn(harness)

The games are those of `open_spiel`; an environment of one is made with `includeLegalActions`. A
prompt is made of the rules and of the player's own observation. Where something is hidden, Kaggle
hands no agent the state, and this never asks for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.adapters import needs
from trapline.core.pages import deciding, in_this_variant
from trapline.games import make_game

with needs("Kaggle's environments", extra="kaggle"):
    from kaggle_environments.core_harness import ParseResult, parse_json_action

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HOW = (
    'Think as long as you like, then end with your move as JSON, such as {{"move": "{example}"}}.\n'
    "Legal moves now, each in quotes: {legal}."
)


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
