"""What the solution of a path says, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.solve import sentences

if TYPE_CHECKING:
    from typing import Any

    from trapline.games.hidden_path.game import HiddenPath
    from trapline.solve.interface import Ranked


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
