"""Which kind of world a subject is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.core import Game, TraplineError, brief
from trapline.games import make_game
from trapline.testing import matches, open_spiel, pettingzoo

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from trapline.testing.world import World

    Knows = Callable[[Any, Any], Any]


def worlds_of(subject: Any) -> tuple[Sequence[World], Knows | None]:
    """The positions to start from, and what players may know if the subject says so itself."""
    if isinstance(subject, str):
        subject = make_game(subject)
    if isinstance(subject, Game):
        return matches.starts(subject), matches.heard
    if hasattr(subject, "new_initial_state"):
        return [open_spiel.OpenSpielWorld(subject.new_initial_state())], None
    if callable(subject):
        return pettingzoo.starts(subject), None
    raise TraplineError(
        "This checks a game of this project or its name, a pyspiel.Game, or a function that makes "
        f"a PettingZoo environment, not {brief(subject)}."
    )
