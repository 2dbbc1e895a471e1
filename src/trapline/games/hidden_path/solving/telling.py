"""What the solution of a path says: its facts, and a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.games import changed_options
from trapline.solve import sentences
from trapline.solve.interface import Facts

if TYPE_CHECKING:
    from typing import Any

    from trapline.games.hidden_path.game import HiddenPath
    from trapline.solve.interface import Ranked, Request


def facts_of(
    game: HiddenPath,
    method: str,
    request: Request,
    found: dict[str, Any],
    secrets: tuple[Ranked, Ranked],
) -> Facts:
    """All that is told of a solution, for what was found and what both hide."""
    return Facts(
        game=game.name,
        options=changed_options(game),
        first=1,
        method=method,
        seconds=request.seconds,
        sentence=sentence(game, found, secrets),
        secrets=secrets,
        **found,
    )


def sentence(game: HiddenPath, facts: dict[str, Any], secrets: tuple[Ranked, Ranked]) -> str:
    first = facts["value"] > 0
    named = {
        sentences.named(game.hiding, secret): chance
        for secret, chance in secrets[0 if first else 1]
    }
    hides = sentences.hides(first=first, secrets=named)
    if facts["exact"] and abs(facts["value"]) == 1:
        return sentences.certain(first=first) + hides
    return sentences.mixed(facts["bounds"]) + hides
