"""Any game as a vector environment of Gymnasium: many matches at once, one seat in each.

    import gymnasium, trapline.adapters.gymnasium
    envs = gymnasium.make_vec("trapline/HiddenPath-v0", num_envs=1024, opponent="random")

It is the environment of `trapline.adapters.gymnasium`, lane by lane, on compiled rules: the same
seats, opponents, observations, masks and rewards. `autoreset_mode` is one of Gymnasium's three;
without autoreset, `reset(options={"reset_mask": lanes})` begins anew in some lanes. `opponent` may
name a player for each lane. `dtype` and `threads` are those of `trapline.adapters.vector`.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Literal

from trapline.adapters import needs
from trapline.adapters.rivals import Rivals, rival_seats
from trapline.adapters.vector import VectorGame
from trapline.core import OptionsError, TraplineError, brief

with needs("Gymnasium 1.1 or later"):
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from trapline.core import First, Seat
    from trapline.simulate.forms import Dtype

Info = dict[str, Any]


class TraplineVectorEnv(VectorEnv[Any, Any, Any]):
    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012  # Gymnasium's

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        opponent: str | Sequence[str] = "casual",
        seat: Seat | Literal["alternate"] | None = None,
        first: First | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        dtype: Dtype = "float32",
        threads: int = 1,
        render_mode: None = None,
        **options: Any,
    ) -> None:
        if seat not in (1, 2, "alternate", None):
            raise OptionsError(f'seat must be 1, 2, "alternate" or None, not {brief(seat)}.')
        if render_mode is not None:
            raise OptionsError("A batch of matches is not rendered: make a single environment.")
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.num_envs = num_envs
        self.games = VectorGame(
            game, num_envs, first=first, auto_reset=False, dtype=dtype, threads=threads, **options
        )
        self.encoding = self.games.encoding
        form = self.games.form
        most = 1 if dtype == "float32" else np.iinfo(form.dtype).max
        self.single_observation_space = spaces.Box(0, most, (form.width,), form.dtype.type)
        self.single_action_space = spaces.Discrete(self.encoding.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rivals = Rivals(self.games, opponent)
        self._seat = seat
        self._episodes = np.zeros(num_envs, np.int64)
        self.seats = np.ones(num_envs, np.int64)
        """The agent's seat in each lane."""
        self._over = np.ones(num_envs, np.bool_)
        self._rng = Random()

    # --- what Gymnasium asks for --------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], Info]:
        super().reset(seed=seed, options=options)
        where = (options or {}).get("reset_mask")
        if seed is not None:
            self._rng = Random(int(self.np_random.integers(1 << 62)))
            self._episodes[:] = 0
            self.games.reset(int(self.np_random.integers(1 << 62)))
        self._begin(np.ones(self.num_envs, np.bool_) if where is None else np.asarray(where))
        return self._observed(), self._info()

    def step(
        self, actions: Any
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.bool_], NDArray[np.bool_], Info]:
        given = self._read(actions)
        again = self._over.copy()
        if again.any() and self.autoreset_mode == AutoresetMode.DISABLED:
            raise TraplineError(
                f"The match in lane {np.flatnonzero(again)[0]} is over: begin anew with "
                'reset(options={"reset_mask": ...}).'
            )
        refused = self._refused(given, ~again)
        played = ~again & (refused == None)  # noqa: E711  # by elements
        rewards = np.where(again | played, 0.0, -1.0)
        rewards += self._act(played, given)
        ended = ~again & (~played | (self.games.to_act == 0))
        self._over = ended.copy()
        info: Info = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and ended.any():
            info |= _with_lanes("final_obs", self._observed(), ended)
            info |= _with_lanes("final_info", self._info(refused), ended)
            self._begin(ended)
        elif again.any():
            self._begin(again)
        info |= self._info(refused)
        return self._observed(), rewards, ended, np.zeros_like(ended), info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions may be taken in each lane; after the end all, so that one can be drawn."""
        masks: NDArray[np.bool_] = self.games.mask.copy()
        masks[self._over | (self.games.to_act == 0)] = True
        return masks

    # --- inside -------------------------------------------------------------------------

    def _read(self, actions: Any) -> NDArray[np.int64]:
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise TraplineError(f"step takes {self.num_envs} whole numbers, one for each lane.")
        return given.astype(np.int64)

    def _refused(self, actions: NDArray[np.int64], where: NDArray[np.bool_]) -> NDArray[Any]:
        """For each lane a sentence about an illegal action; None elsewhere."""
        known = (actions >= 0) & (actions < self.encoding.actions)
        legal = known & self.games.mask[np.arange(self.num_envs), np.where(known, actions, 0)]
        said = np.full(self.num_envs, None)
        for lane in np.flatnonzero(where & ~legal).tolist():
            said[lane] = self.games.why_illegal(lane, int(actions[lane]))
        return said

    def _begin(self, where: NDArray[np.bool_]) -> None:
        self.games.reset(where=where)
        if self._seat is None:
            seats = self.np_random.integers(1, 3, self.num_envs)
        elif self._seat == "alternate":
            seats = 1 + self._episodes % 2
        else:
            seats = np.full(self.num_envs, self._seat)
        self.seats = np.where(where, seats, self.seats)
        self._episodes += where
        self._over &= ~where
        self._rivals.begin(where)
        self._let_rivals_act()

    def _act(self, where: NDArray[np.bool_], actions: NDArray[np.int64]) -> NDArray[Any]:
        """The agents' actions and whatever the rivals answer; what that earns the agents."""
        rewards, _ = self.games.step(actions, where=where, validate=False)
        self._rivals.follow(where, actions)
        earned = self._let_rivals_act()
        earned += self._own(rewards)
        return earned

    def _let_rivals_act(self) -> NDArray[Any]:
        earned = np.zeros(self.num_envs)
        while (waiting := self.games.to_act == rival_seats(self.seats)).any():
            actions = self._rivals.actions(waiting, self._rng)
            rewards, _ = self.games.step(actions, where=waiting)
            self._rivals.follow(waiting, actions)
            earned += self._own(rewards)
        return earned

    def _own(self, rewards: NDArray[np.float32]) -> NDArray[Any]:
        own: NDArray[Any] = rewards[np.arange(self.num_envs), self.seats - 1]
        return own

    def _observed(self) -> NDArray[Any]:
        """What each agent sees: in most lanes it is to act, and that is what a batch shows."""
        seen = self.games.observe()
        late = (self.games.to_act == 0) & (self.seats == 2)
        if late.any():
            seen[late] = self.games.observe(2)[late]
        return seen

    def _info(self, refused: NDArray[Any] | None = None) -> Info:
        every = np.ones(self.num_envs, np.bool_)
        info = _with_lanes("action_mask", self.action_masks().astype(np.int8), every)
        info |= _with_lanes("seat", self.seats.copy(), every)
        if refused is not None and (where := refused != None).any():  # noqa: E711  # by elements
            info |= _with_lanes("refused", refused, where)
        return info


def _with_lanes(key: str, values: Any, where: NDArray[np.bool_]) -> Info:
    """An entry as Gymnasium's vectors hold it: with which lanes it is about."""
    return {key: values, f"_{key}": where.copy()}
