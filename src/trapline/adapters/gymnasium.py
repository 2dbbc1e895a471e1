"""Any game as a Gymnasium environment: one seat, the other played by a named bot.

    import gymnasium, trapline.adapters.gymnasium
    env = gymnasium.make("trapline/HiddenPath-v0", opponent="casual", seat=1, length=8)
    env = gymnasium.make("trapline/Game-v0", game="./pebbles.py")

Observations and actions are those of `encoding`; `info["action_mask"]` says which actions are
legal. The reward is 1, 0 or −1 at the end, or what the game says a win is worth. An illegal
action loses at once: reward −1, and `info["refused"]` says why. A turn limit is a draw by the
rules, so it terminates the episode and does not truncate it.

`seat` is 1, 2, "alternate" (a seed begins again with 1), or None for a seat drawn by lot each
time. `opponent` is one of the computer's levels: random, casual, sharp, perfect.

`gymnasium.make_vec` makes many at once, on compiled rules: see `gymnasium_vector`.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Literal

from trapline.adapters import needs
from trapline.adapters.numbered import NumberedMatch
from trapline.adapters.rendering import render
from trapline.core import SEATS, IllegalMove, OptionsError, TraplineError, brief, other
from trapline.games import GAMES, make_game
from trapline.players import PLAYERS
from trapline.simulate.encoding import Encoding

with needs("Gymnasium"):
    import gymnasium
    import numpy as np
    from gymnasium import spaces

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trapline.core import First, Seat

Info = dict[str, Any]


class TraplineEnv(gymnasium.Env[Any, Any]):
    metadata = {"render_modes": ["human", "ansi"], "render_fps": 4}  # noqa: RUF012  # Gymnasium's

    def __init__(
        self,
        game: str,
        *,
        opponent: str = "casual",
        seat: Seat | Literal["alternate"] | None = None,
        first: First | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if opponent not in PLAYERS:
            known = ", ".join(PLAYERS)
            raise TraplineError(f"There is no opponent {brief(opponent)}; there are {known}.")
        if seat not in (1, 2, "alternate", None):
            raise OptionsError(f'seat must be 1, 2, "alternate" or None, not {brief(seat)}.')
        self.encoding = Encoding(make_game(game, options))
        self.action_space = spaces.Discrete(self.encoding.actions)
        self.observation_space = spaces.Box(0.0, 1.0, (self.encoding.size,), np.float32)
        self.render_mode = render_mode
        self._opponent = PLAYERS[opponent]
        self._seat, self._first = seat, first
        self._episodes = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], Info]:
        super().reset(seed=seed, options=options)
        if seed is not None:
            self._episodes = 0
        self._rng = Random(int(self.np_random.integers(1 << 62)))
        self.seat: Seat = self._next_seat()
        self._episodes += 1
        self.numbered = NumberedMatch(self.encoding, self._first, rng=self._rng)
        self._let_opponent_act()
        return self._seen()

    def _next_seat(self) -> Seat:
        if self._seat == "alternate":
            return SEATS[self._episodes % 2]
        return self._rng.choice(SEATS) if self._seat is None else self._seat

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, Info]:
        try:
            self.numbered.act(int(action))
        except IllegalMove as refusal:
            observation, info = self._seen()
            return observation, -1.0, True, False, {**info, "refused": str(refusal)}
        self._let_opponent_act()
        if self.render_mode == "human":
            self.render()
        observation, info = self._seen()
        over = self.numbered.actor is None
        return observation, self.numbered.result(self.seat), over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """What sb3-contrib's MaskablePPO asks for: which actions may be taken now."""
        return self.numbered.mask(self.seat).astype(np.bool_)

    def _seen(self) -> tuple[NDArray[np.float32], Info]:
        mask = self.numbered.mask(self.seat)
        return self.numbered.observe(self.seat), {"action_mask": mask, "seat": self.seat}

    def _let_opponent_act(self) -> None:
        rival, numbered = other(self.seat), self.numbered
        while numbered.actor == rival:
            numbered.answer(self._opponent.choose(numbered.view(rival), self._rng))

    def render(self) -> str | None:
        return render(self.encoding.game, self.numbered.view(None), self.render_mode)


def environment_id(game: str) -> str:
    """hidden-path is called trapline/HiddenPath-v0"""
    return f"trapline/{game.title().replace('-', '')}-v0"


_ENTRY_POINTS: Any = {
    "entry_point": "trapline.adapters.gymnasium:TraplineEnv",
    "vector_entry_point": "trapline.adapters.gymnasium_vector:TraplineVectorEnv",
}

gymnasium.register("trapline/Game-v0", **_ENTRY_POINTS, order_enforce=True)
for _name in GAMES:
    gymnasium.register(
        environment_id(_name), **_ENTRY_POINTS, kwargs={"game": _name}, order_enforce=True
    )
