"""Computer opponents: functions from what a seat may know, and a source of chance, to an answer.

A player answers any question that its View holds, in the form of a record. It sees the View
and nothing else, so what it does not know it cannot use.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.core import Form, Game, OptionsError, View
from trapline.players import blended, casual, perfect, sharp, uniform

if TYPE_CHECKING:
    from trapline.players.llm.settings import Settings
    from trapline.players.llm.spending import Exchange, Spent

Choose = Callable[[View, Random], Form]


class Opponent(NamedTuple):
    choose: Choose
    summary: str
    prepare: Callable[[Game[Any]], None] | None = None
    """Does beforehand what would make the first choice slow."""
    stand_in: Callable[[Game[Any]], str] | None = None
    """Who plays a game in its place, where it cannot play it itself; empty where it can."""
    spent: Callable[[], Spent] | None = None
    """What its choices have cost so far; a player without this costs nothing."""
    said: Callable[[], list[Exchange]] | None = None
    """What it was asked and what it wrote so far, for a player who reads text."""


def of_strength(strength: int, summary: str) -> Opponent:
    """A player between `random`, 0, and `perfect`, 100."""
    return Opponent(
        blended.chooser(strength),
        summary,
        blended.preparer(strength),
        blended.stand_in(strength),
    )


PLAYERS: dict[str, Opponent] = {
    "random": Opponent(uniform.choose, "plays anything the rules allow; for a first look"),
    "casual": Opponent(casual.choose, "plays sensibly, like a friend who knows the rules"),
    "keen": of_strength(blended.STRENGTHS["keen"], "finds the best answer more often than not"),
    "sharp": Opponent(sharp.choose, "thinks ahead in worlds that fit what it has seen"),
    "expert": of_strength(blended.STRENGTHS["expert"], "seldom misses the best answer"),
    "perfect": Opponent(
        perfect.choose,
        "plays the solution of the game, and waits for mistakes",
        perfect.prepare,
        perfect.stand_in,
    ),
}

STRENGTH = "strength:"
"""What the name of a player of some strength begins with; a number from 0 to 100 follows."""
LLM = "llm"
"""What the name of a language model begins with: `llm:NAME`, or `llm@ENDPOINT:NAME`."""
OWN = ("python:", "command:", "http://", "https://")
"""What the name of somebody's own agent begins with; `module:function` needs no such thing."""
HOW_TO_NAME = (
    "llm:NAME or llm@ENDPOINT:NAME for a language model, and MODULE:FUNCTION, "
    "command:PROGRAM or an address that begins with http for an agent of your own"
)

_MODEL = re.compile(r"llm(?:@([a-z0-9_]+))?:(.+)")
_FUNCTION = re.compile(r"(?!llm:)[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")


def is_model(name: str) -> bool:
    """Whether a name is that of a language model."""
    return name.isprintable() and _MODEL.fullmatch(name) is not None


def is_own(name: str) -> bool:
    """Whether a name says where to find somebody's own agent."""
    if _FUNCTION.fullmatch(name):
        return True
    return name.isprintable() and any(name.startswith(p) and name != p for p in OWN)


def is_player(name: str) -> bool:
    """Whether a name is that of a program, as opposed to a person's.

    Agents of one's own are not among them: a name that runs a program is taken from whoever
    holds a tournament, and from nobody else.
    """
    return name in PLAYERS or strength_of(name) is not None or is_model(name)


def strength_of(name: str) -> int | None:
    """How strong a level is, from 0 to 100; None for one that does not lie on that scale."""
    number = name.removeprefix(STRENGTH)
    if number != name and number.isascii() and number.isdecimal() and len(number) <= 3:
        return int(number) if int(number) <= blended.PERFECT else None
    return blended.STRENGTHS.get(name)


def find_player(name: str, settings: Settings | None = None) -> Opponent:
    """The player of this name; a language model is asked under `settings`."""
    if name in PLAYERS:
        return PLAYERS[name]
    strength = strength_of(name)
    if strength is not None:
        return of_strength(strength, f"plays with a strength of {strength} in 100")
    found = _MODEL.fullmatch(name) if is_model(name) else None
    if found is not None:
        from trapline.players.llm.player import make_player  # nobody else needs HTTP

        return make_player(name, found[2], settings, found[1])
    known = ", ".join(PLAYERS)
    raise OptionsError(
        f"There is no computer level {name!r}; there are {known}, strength:N for any strength "
        "from 0 to 100, and llm:NAME for a model."
    )


def find_contestant(name: str, settings: Settings | None = None) -> Opponent:
    """The same for whoever holds a tournament, whose file may name agents to be run."""
    if not is_own(name):
        return find_player(name, settings)
    from trapline.players.own import make_player  # nobody else starts programs

    return make_player(name, settings)
