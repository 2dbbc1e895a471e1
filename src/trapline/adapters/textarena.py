"""Any game as a TextArena environment; importing this module registers the rulebooks.

    ta.make("Trapline-HiddenPath-v0", length=8)
    ta.make("Trapline-Game-v0", game="./pebbles.py")

Two things differ from TextArena's own games. What a player writes is read by the referee
alone: the other player is told the move, never the text around it. And a refused reply is
explained to its author only, so that it tells the other player nothing.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from trapline.adapters import needs
from trapline.core import BY_SEAT, SEATS, First, OptionsError, Outcome, Seat, TraplineError, brief
from trapline.games import GAMES, make_game
from trapline.referee import Match
from trapline.text.briefing import Briefing
from trapline.text.seat import TextSeat

with needs("TextArena"):
    import textarena as ta
    from textarena.envs import BOARDGAME_WRAPPERS, DEFAULT_WRAPPERS
    from textarena.envs.registration import ENV_REGISTRY, register_with_versions
    from textarena.wrappers import LLMObservationWrapper

if TYPE_CHECKING:
    from collections.abc import Callable

ANY_GAME = "Trapline-Game-v0"
IDS = {name: f"Trapline-{kind.title.replace(' ', '')}-v0" for name, kind in GAMES.items()}


class Scorer(ta.TwoPlayerState):  # type: ignore[misc]  # no types
    """TextArena's bookkeeping, with refusals in our words, which only their author reads."""

    later: Callable[[], None] | None = None
    """Tells both players the end; few loops look at it, so it waits until somebody does."""
    _told: dict[int, list[Any]]

    @property
    def observations(self) -> dict[int, list[Any]]:
        if self.later is not None:
            tell, self.later = self.later, None
            tell()
        return self._told

    @observations.setter
    def observations(self, told: dict[int, list[Any]]) -> None:
        self._told = told

    def set_invalid_move(self, reason: str) -> None:
        if self.error_count < self.error_allowance:
            self.error_count += 1
            self.made_invalid_move = True
            self.add_observation(
                f"{reason} Please answer again.",
                ta.ObservationType.GAME_ADMIN,
                to_id=self.current_player_id,
            )
        else:
            # Both may read this reason, so it holds nothing of the reply.
            name = self.role_mapping[self.current_player_id]
            super().set_invalid_move(f"{name} loses: too many replies were not allowed.")


class TraplineEnv(ta.Env):  # type: ignore[misc]  # no types
    """One match of two text players; TextArena's player 0 is Player 1, its player 1 Player 2."""

    def __init__(
        self, game: str, first: First | None = None, error_allowance: int = 1, **options: object
    ) -> None:
        if first not in (None, *SEATS, "toss"):
            raise OptionsError(f'first must be 1, 2 or "toss", not {brief(first)}.')
        self.game = make_game(game, options)
        self.first = first
        self.error_allowance = error_allowance

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Start a new match; the seed decides the toss and everything else that is drawn."""
        if num_players != len(SEATS):
            raise OptionsError(f"{self.game.title} is for 2 players, not {brief(num_players)}.")
        self.match = Match(self.game, self.first, rng=None if seed is None else Random(seed))
        self._seats = {seat: TextSeat(self.match, seat) for seat in SEATS}
        self.state = Scorer(num_players, seed=seed, error_allowance=self.error_allowance)
        names = {seat - 1: name for seat, name in BY_SEAT.items()}
        self.state.reset({}, self._prompt, role_mapping=dict(names), secret_roles=names)
        self.state.manually_set_current_player_id(self._ask() - 1)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Give the referee one reply of the player who was asked; after the end it says so."""
        if self.state.done:
            return True, {}
        seat = SEATS[self.state.current_player_id]
        following = seat
        try:
            self._seats[seat].obey(action)
        except TraplineError as refusal:
            self.state.set_invalid_move(str(refusal))
            if self.state.done:
                self.match.resign(seat)
        else:
            if self.match.outcome is None:
                following = self._ask()
        if self.match.outcome is not None:
            self._finish(self.match.outcome)
        done, info = self.state.step(rotate_player=following != seat)
        return done, info

    def get_board_str(self) -> str:
        """What TextArena draws for people who watch: nothing that a spectator may not see."""
        return "\n".join(Briefing(self.game, self.match.view(None)).position())

    # --- inside -------------------------------------------------------------------------

    def _ask(self) -> Seat:
        """Ask whoever has something to answer; where both have, one after the other."""
        seat = self.match.asked[0]
        self._tell(seat)
        return seat

    def _prompt(self, player_id: int, game_state: dict[str, Any]) -> str:  # theirs
        return self._seats[SEATS[player_id]].prompt(self.error_allowance)

    def _tell(self, seat: Seat, last: str | None = None) -> None:
        """Tell a player what they have not heard yet, the board as they see it, and a last line:
        the question if there is no other."""
        news, position = self._seats[seat].hear(last)
        if news:  # in one message: TextArena puts all messages together again at every step
            self._add(seat, "\n".join(news), ta.ObservationType.GAME_ACTION_DESCRIPTION)
        self._add(seat, position, ta.ObservationType.GAME_BOARD)

    def _add(self, seat: Seat, text: str, kind: ta.ObservationType) -> None:
        self.state.add_observation(text, kind, to_id=seat - 1)

    def _finish(self, outcome: Outcome) -> None:
        if not self.state.done:  # too many bad replies have ended it already
            reason = " ".join(Briefing(self.game, self.match.view(None)).ending())
            if outcome.winner is None:
                self.state.set_draw(reason)
            else:
                self.state.set_winner(outcome.winner - 1, reason)
                self.state.rewards = {seat - 1: int(outcome.result(seat)) for seat in SEATS}
        self.state.later = self._tell_the_end

    def _tell_the_end(self) -> None:
        for seat in SEATS:
            self._tell(seat, self.state.game_info[seat - 1]["reason"])


class Story(LLMObservationWrapper):  # type: ignore[misc]  # no types
    """TextArena's own wrapper writes the whole story anew at every look: this one goes on."""

    def __init__(self, env: ta.Env) -> None:
        super().__init__(env)
        self._stories: dict[int, tuple[int, str]] = {}
        """For each player, how many messages are in the text, and the text."""

    def _convert_obs_to_str(self, player_id: int) -> str:
        messages = self.full_observations.get(player_id, [])
        count, text = self._stories.get(player_id, (0, ""))
        if count > len(messages):
            count, text = 0, ""
        names = self.env.state.role_mapping
        for sender, message, _ in messages[count:]:
            name = "GAME" if sender == ta.GAME_ID else names.get(sender, f"Player {sender}")
            text += f"\n[{name}] {message}"
        self._stories[player_id] = len(messages), text
        return text


def register() -> None:
    """Add the games to TextArena's list, with its usual variants `-train` and `-raw`."""
    usual = [Story if wrapper is LLMObservationWrapper else wrapper for wrapper in DEFAULT_WRAPPERS]
    wrappers = {"default": usual, "-train": BOARDGAME_WRAPPERS}
    if ANY_GAME not in ENV_REGISTRY:
        register_with_versions(ANY_GAME, TraplineEnv, wrappers)
        for name, env_id in IDS.items():
            register_with_versions(env_id, TraplineEnv, wrappers, game=name)


register()
