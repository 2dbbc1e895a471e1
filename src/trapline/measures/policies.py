"""Policies: functions from what a seat may know to how often each answer is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from trapline.core import Form, OptionsError, View, brief
from trapline.players import perfect

if TYPE_CHECKING:
    from random import Random

    import numpy as np
    from numpy.typing import NDArray

    from trapline.core import Game, Question
    from trapline.players import Choose

    Network = Callable[[NDArray[np.float32], NDArray[np.int8]], Any]
    """From an observation and the mask of legal actions to how often each action is taken."""

Policy = Callable[[View], Mapping[Form, float]]

ROUNDING = 1e-6
"""How far chances may be from adding up to 1."""


def uniform(view: View) -> dict[Form, float]:
    """Everything that is allowed, equally often."""
    question = _asked(view)
    answers = [question.record(value) for value in question.values()]
    return dict.fromkeys(answers, 1 / len(answers))


KNOWN: dict[str, Policy] = {"random": uniform, "perfect": perfect.chances}
"""Players whose chances can be read off, and need not be found by asking."""


def policy_of(player: str) -> Policy:
    """The policy of a player of ours, where it is known."""
    if player not in KNOWN:
        known = " and ".join(KNOWN)
        raise OptionsError(
            f"How often {brief(player)} gives each answer is not known exactly, only of {known}; "
            "a function from a View to chances will do as well."
        )
    return KNOWN[player]


def by_network(game: Game[Any], network: Network) -> Policy:
    """The policy of a network that acts by numbers, as in the environments for learners.

    A set is chosen part by part there, so the chance of a set is that of all its parts.
    """
    from trapline.simulate.encoding import Encoding

    encoding = Encoding(game)

    def policy(view: View) -> dict[Form, float]:
        question = _asked(view)
        found: dict[Form, float] = {}
        waiting = [(0, 1.0)]
        while waiting:
            chosen, chance = waiting.pop()
            legal = encoding.legal(question, chosen)
            often = network(encoding.observe(view, chosen), encoding.mask(legal))
            if len(often) != encoding.actions:
                raise OptionsError(
                    f"A network must give a chance for each of the {encoding.actions} actions, "
                    f"not {len(often)} of them."
                )
            for action in legal:
                after, complete = encoding.take(question, chosen, action)
                if complete:
                    found[question.record(after)] = chance * float(often[action])
                else:
                    waiting.append((after, chance * float(often[action])))
        return found

    return policy


def drawing(policy: Policy) -> Choose:
    """A player who draws from a policy."""

    def choose(view: View, rng: Random) -> Form:
        chances = checked(policy(view), _asked(view))
        return rng.choices(list(chances), list(chances.values()))[0]

    return choose


def checked(chances: Mapping[Form, float], question: Question) -> Mapping[Form, float]:
    """Chances that are chances; OptionsError says what is wrong with others."""
    if not isinstance(chances, Mapping):
        raise OptionsError(f"A policy must give the chance of each answer, not {brief(chances)}.")
    allowed = {question.record(value) for value in question.values()}
    strange = [answer for answer in chances if answer not in allowed]
    if strange:
        raise OptionsError(f"A policy gives {brief(strange[0])}, which is not allowed there.")
    total = sum(chances.values())
    sound = abs(total - 1) <= ROUNDING  # which no NaN is
    if sound and min(chances.values()) < 0:
        raise OptionsError(f"A chance of a policy is below 0: {min(chances.values()):.6g}.")
    if not sound:
        raise OptionsError(f"The chances of a policy must add up to 1, not to {total:.6g}.")
    return chances


def _asked(view: View) -> Question:
    assert view.question is not None  # a policy is asked where there is a question
    return view.question
