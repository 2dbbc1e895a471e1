"""Any game as a TextArena environment; importing this module registers the rulebooks.

    ta.make("Trapline-HiddenPath-v0", length=8)
    ta.make("Trapline-Game-v0", game="./pebbles.py")

Two things differ from TextArena's own games. What a player writes is read by the referee
alone: the other player is told the move, never the text around it. And a refused reply is
explained to its author only, so that it tells the other player nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trapline.adapters import needs
from trapline.core import BY_SEAT, SEATS, First, OptionsError, Outcome, Seat, TraplineError, brief
from trapline.games import GAMES, make_game
from trapline.text.table import TextTable

with needs("TextArena"):
    import textarena as ta
    from textarena.envs import BOARDGAME_WRAPPERS, DEFAULT_WRAPPERS
    from textarena.envs.registration import ENV_REGISTRY, register_with_versions
    from textarena.wrappers import LLMObservationWrapper

if TYPE_CHECKING:
    from trapline.referee import Match

NEWS, BOARD = ta.ObservationType.GAME_ACTION_DESCRIPTION, ta.ObservationType.GAME_BOARD
GAME = ta.GAME_ID
NAMES = {seat - 1: name for seat, name in BY_SEAT.items()}
ANY_GAME = "Trapline-Game-v0"
IDS = {name: f"Trapline-{kind.title.replace(' ', '')}-v0" for name, kind in GAMES.items()}


class Scorer(ta.TwoPlayerState):  # type: ignore[misc]  # no types
    """TextArena's bookkeeping, with refusals in our words, which only their author reads."""

    over: TextTable | None = None
    """Tells both players the end; few loops look at it, so it waits until somebody does."""
    _told: dict[int, list[Any]]

    @property
    def observations(self) -> dict[int, list[Any]]:
        if self.over is not None:
            table, self.over = self.over, None
            for seat in SEATS:
                self.tell(table, seat, self.game_info[seat - 1]["reason"])
        return self._told

    @observations.setter
    def observations(self, told: dict[int, list[Any]]) -> None:
        self._told = told

    def get_current_player_observation(self) -> list[Any]:
        """As theirs; the way to it that everybody takes at every step is short."""
        told = self._told if self.over is None else self.observations
        fresh = told[self.current_player_id]
        told[self.current_player_id] = []
        return fresh

    def tell(self, table: TextTable, seat: Seat, last: str | None = None) -> None:
        """Tell a player what they have not heard yet, the board as they see it, and a last line:
        the question if there is no other."""
        news, position = table.hear(seat, last)
        logs, told = self.logs, self._told[seat - 1]  # as `add_observation` does, and looks at more
        if news:  # in one message: TextArena puts all messages together again at every step
            text = "\n".join(news)
            logs.append((GAME, text))
            told.append((GAME, text, NEWS))
        logs.append((GAME, position))
        told.append((GAME, position, BOARD))

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
        self._table = TextTable(self.game, self.first, seed)
        # Theirs would seed Python's own generator, from which nothing is drawn here.
        self.state = Scorer(num_players, error_allowance=self.error_allowance)
        self.state.reset({}, self._prompt, role_mapping=NAMES.copy(), secret_roles=NAMES)
        self.state.manually_set_current_player_id(self._ask() - 1)

    @property
    def match(self) -> Match:
        """The referee; it holds every secret, so it is not for the players."""
        return self._table.match

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Give the referee one reply of the player who was asked; after the end it says so."""
        state = self.state
        if state.done:
            return True, {}
        seat = following = SEATS[state.current_player_id]
        try:
            self._table.obey(seat, action)
        except TraplineError as refusal:
            state.set_invalid_move(str(refusal))
            if state.done:
                self.match.resign(seat)
        outcome = self._table.outcome
        if outcome is not None:
            self._finish(outcome)
        elif not state.made_invalid_move:
            following = self._ask()
        done, info = state.step(following != seat)
        return done, info

    def get_board_str(self) -> str:
        """What TextArena draws for people who watch: nothing that a spectator may not see."""
        return "\n".join(self._table.position(None))

    # --- inside -------------------------------------------------------------------------

    def _ask(self) -> Seat:
        """Ask whoever has something to answer; where both have, one after the other."""
        seat = self._table.asked
        self.state.tell(self._table, seat)
        return seat

    def _prompt(self, player_id: int, game_state: dict[str, Any]) -> str:  # theirs
        return self._table.prompt(SEATS[player_id], self.error_allowance)

    def _finish(self, outcome: Outcome) -> None:
        if not self.state.done:  # too many bad replies have ended it already
            reason = self._table.ending()
            if outcome.winner is None:
                self.state.set_draw(reason)
            else:
                self.state.set_winner(outcome.winner - 1, reason)
                self.state.rewards = {seat - 1: int(outcome.result(seat)) for seat in SEATS}
        self.state.over = self._table


class Story(LLMObservationWrapper):  # type: ignore[misc]  # no types
    """TextArena's own wrapper writes the whole story anew at every look: this one goes on."""

    def __init__(self, env: ta.Env) -> None:
        super().__init__(env)
        self._stories: dict[int, tuple[int, str]] = {}
        """For each player, how many messages are in the text, and the text."""

    def observation(self, player_id: int, observation: list[Any] | None) -> str:
        messages = self.full_observations.setdefault(player_id, [])
        if observation:
            messages += observation
        count, text = self._stories.get(player_id, (0, ""))
        if count > len(messages):
            count, text = 0, ""
        for sender, message, _ in messages[count:]:
            if sender == GAME:
                name = "GAME"
            else:
                name = self.env.state.role_mapping.get(sender, f"Player {sender}")
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
