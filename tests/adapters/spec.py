"""What a player of an environment may know, from the actions taken, by the naive referee."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests import leaks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trapline.adapters.encoding import Encoding
    from trapline.core import Move, Seat, Secret
    from trapline.testing import Episode


def knows(encoding: Encoding, first: Seat, steps: Iterable[tuple[Seat, int]], seat: Seat) -> Any:
    """The naive referee's answer, and the parts of a secret that the player has chosen."""
    parts: dict[Seat, tuple[int, ...]] = {1: (), 2: ()}
    turns: list[tuple[Move, ...]] = []
    pending: tuple[Move, ...] = ()
    for actor, action in steps:
        asks, value = encoding.choices[action]
        if asks == "secret":
            assert isinstance(value, int)
            parts[actor] += (value,)
        else:
            pending += (value,)
            if asks == "trap" or not encoding.game.hides_turns:
                turns.append(pending)
                pending = ()
    secrets = {actor: _secret(encoding, actor, held) for actor, held in parts.items()}
    chosen = {actor: secret for actor, secret in secrets.items() if secret}
    return parts[seat], leaks.seen(encoding.game, first, chosen, turns, pending, seat)


def _secret(encoding: Encoding, seat: Seat, parts: tuple[int, ...]) -> Secret | None:
    if not parts or len(parts) < encoding.secret_parts:
        return None
    if encoding.game.secret == "cell":
        return ({1: encoding.game.options.size, 2: 1}[seat], *parts)  # type: ignore[attr-defined]
    return parts


def of_state(state: Any, player: int) -> Any:
    """For OpenSpiel's positions."""
    game = state.get_game()
    steps = [(step.player, step.action) for step in state.full_history()]
    if state.is_chance_node():
        return "before the toss"
    first: Any = steps.pop(0)[1] + 1 if game.first == 0 else game.first
    return knows(
        game.encoding, first, [(_seat(who), action) for who, action in steps], _seat(player)
    )


def of_episode(episode: Episode, agent: str) -> Any:
    """For PettingZoo's. Who moves first is known to all, so the environment may be asked."""
    raw = episode.env.unwrapped
    steps = [(_number(who), action) for who, action in episode.steps]
    return knows(raw.encoding, raw.table.match.first, steps, _number(agent))


def _seat(player: int) -> Seat:
    return 1 if player == 0 else 2


def _number(agent: str) -> Seat:
    return 1 if agent == "player_1" else 2
