"""Positions of TextArena's environments: players who read text and reply with text.

What may be replied stands in the text: in brackets, after words such as "available moves". Where
no text lists it, replies that the text mentions are tried on copies.
"""

from __future__ import annotations

import re
from copy import deepcopy
from itertools import chain
from typing import TYPE_CHECKING, Any

from trapline.core import TraplineError
from trapline.worlds.live import Live

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LISTS = re.compile(r"(?:available|valid|legal|allowed|possible)[^\n:]*:(.*)", re.IGNORECASE)
REPLY = re.compile(r"\[[^\[\]\n]{1,30}\]")
NUMBERS = [f"[{number}]" for number in range(10)]
NONSENSE = ("[there is no such reply]",)
PLAYERS = (2, 1, 3, 4, 5, 6, 8)
GAME = -1


class Talk(Live):
    pays_at_end = True
    recalls = True

    def begin(self) -> None:
        for count in PLAYERS:
            try:
                self.env.reset(num_players=count, seed=self.seed)
            except (AssertionError, ValueError):
                continue
            break
        else:
            raise TraplineError("This environment takes none of 1 to 8 players.")
        self._told: dict[int, tuple[Any, ...]] = {}
        self.over = False
        self._read()

    def act(self, action: Any) -> None:
        self.over = bool(self.env.step(action)[0])
        self._read()

    def _read(self) -> None:
        """The player who is to reply reads what has come for them."""
        if not self.over:
            player, fresh = self.inner().get_observation()
            self._told = {**self._told, player: (*self._told.get(player, ()), *_messages(fresh))}

    def inner(self) -> Any:
        env = self.env
        while "env" in vars(env):
            env = env.env
        return env

    @property
    def viewers(self) -> Sequence[int]:  # type: ignore[override]  # as many as it takes
        return range(self.inner().state.num_players)

    @property
    def actor(self) -> int | None:
        return None if self.over else int(self.inner().state.current_player_id)

    def actions(self) -> list[str]:
        listed = self.listed()
        if listed:
            return listed
        texts = [text for sender, text in self._told[self.actor or 0] if sender == GAME]
        mentioned = [reply for text in reversed(texts) for reply in REPLY.findall(text)]
        tried = [reply for reply in dict.fromkeys([*mentioned, *NUMBERS]) if self._accepts(reply)]
        if not tried and self._nothing_is_left():
            return []
        if not tried:
            raise TraplineError("No text says which replies are allowed, so nobody can be played.")
        return tried

    def listed(self) -> list[str]:
        """The replies in the newest list, if the newest words hold one."""
        for sender, text in reversed(self._told[self.actor or 0]):
            if sender == GAME and (lists := LISTS.findall(text)):
                return list(dict.fromkeys(REPLY.findall(lists[-1])))
        return []

    def _nothing_is_left(self) -> bool:
        """Whether the newest list is empty, where others have held replies."""
        lists = {
            player: [
                each for sender, text in told if sender == GAME for each in LISTS.findall(text)
            ]
            for player, told in self._told.items()
        }
        filled = any(REPLY.search(each) for each in chain(*lists.values()))
        return filled and bool(lists[self.actor or 0])

    def _accepts(self, reply: str) -> bool:
        twin = deepcopy(self.inner())
        try:
            twin.step(reply)
        except Exception:  # noqa: BLE001 - a reply that was only mentioned
            return False
        return not _refuses(twin, self.actor or 0)

    def unlisted(self) -> Sequence[str]:
        return NONSENSE

    def refused(self, before: Any) -> str:  # the environment keeps it
        told = _refuses(self.inner(), self.steps[-1][0])
        return "it is called an invalid move" if told else ""

    def shown(self, viewer: Any) -> dict[str, Any]:
        waiting = _messages(self.inner().state.observations.get(viewer, ()))
        return {"text": [*self._told.get(viewer, ()), *waiting]}

    def information(self, viewer: Any) -> dict[str, Any]:
        return self.shown(viewer)

    def rewards(self) -> Mapping[Any, float]:
        given = self.inner().state.rewards or {}
        return {player: float(given.get(player, 0)) for player in self.viewers}


def _messages(observation: Any) -> tuple[tuple[int, str], ...]:
    return tuple((int(sender), str(text)) for sender, text, *_ in observation or ())


def _refuses(env: Any, player: int) -> bool:
    """TextArena warns once, which it counts, and then ends the game, which it notes."""
    state = env.state
    warned = getattr(state, "error_count", 0) > 0 and state.current_player_id == player
    return bool(warned or state.game_info.get(player, {}).get("invalid_move"))
