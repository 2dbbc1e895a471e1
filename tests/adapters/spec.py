"""What a player of an environment may know, from the actions taken.

For the rulebooks the naive referee says it, for games from outside their own events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests import leaks
from trapline.core import CHANCE, SEATS
from trapline.games import GAMES
from trapline.testing import Played, heard

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trapline.core import Actor, Seat
    from trapline.simulate.encoding import Encoding
    from trapline.testing import Episode


def knows(encoding: Encoding, first: Seat, steps: Iterable[tuple[Actor, int]], seat: Seat) -> Any:
    """What the rules say, and the parts of a set that the player has chosen."""
    game, state = encoding.game, encoding.game.start(first)
    answered: list[tuple[Actor, int]] = []
    open_set = (0, 0)
    for actor, action in steps:
        if actor == CHANCE:
            state = game.dealt(state, action)
            answered.append((actor, action))
            continue
        question = game.question(state, actor)
        assert question is not None
        chosen, complete = encoding.take(question, open_set[1], action)
        open_set = (actor, chosen)
        if complete:
            open_set = (0, 0)
            answered.append((actor, chosen))
            state = game.apply(state, actor, chosen)
    played = Played(game, first, tuple(answered))
    known = leaks.knows if game.name in GAMES else heard
    return open_set if open_set[0] == seat else None, known(played, seat)


def of_state(state: Any, player: int) -> Any:
    """For OpenSpiel's positions."""
    game = state.get_game()
    steps = [(max(step.player + 1, CHANCE), step.action) for step in state.full_history()]
    first = game.first
    if first == 0:
        if not steps:
            return "before the toss"
        first = steps.pop(0)[1] + 1
    return knows(game.encoding, first, steps, SEATS[player])


def of_episode(episode: Episode, agent: str) -> Any:
    """For PettingZoo's. Who moves first is known to all, so the environment may be asked."""
    raw = episode.env.unwrapped
    match = raw.numbered.match
    steps = _with_chance(raw.encoding, match.first, match.sealed_record().chance, episode.steps)
    return knows(raw.encoding, match.first, steps, _seat(agent))


def _with_chance(
    encoding: Encoding, first: Seat, dealt: list[Any], taken: Iterable[tuple[str, int]]
) -> Iterator[tuple[Actor, int]]:
    """The actions of an episode, and what the referee has dealt between them."""
    game, state, chosen = encoding.game, encoding.game.start(first), 0
    deals = iter(dealt)
    actions = iter(taken)
    while state.outcome is None:
        chance = game.chance(state) if game.draws else None
        if chance is not None:
            value = chance.value(next(deals))
            yield CHANCE, value
            state = game.dealt(state, value)
            continue
        agent, action = next(actions, ("", 0))
        if not agent:
            return
        seat = _seat(agent)
        question = game.question(state, seat)
        assert question is not None
        yield seat, action
        chosen, complete = encoding.take(question, chosen, action)
        if complete:
            state, chosen = game.apply(state, seat, chosen), 0


def _seat(agent: str) -> Seat:
    return 1 if agent == "player_1" else 2
