"""Any game as a TextArena environment; importing this module registers the rulebooks.

    ta.make("Trapline-HiddenPath-v0", length=8)
    ta.make("Trapline-Game-v0", game="./pebbles.py")

Two things differ from TextArena's own games. What a player writes is read by the referee
alone: the other player is told the move, never the text around it. And a refused reply is
explained to its author only, so that it tells the other player nothing.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

from msgspec.structs import replace

from trapline.adapters import needs
from trapline.adapters.briefing import Briefing
from trapline.core import (
    BY_SEAT,
    SEATS,
    First,
    InvalidMove,
    MoveRefused,
    NotNow,
    OptionsError,
    Outcome,
    Seat,
    TraplineError,
    View,
    brief,
)
from trapline.core.pages import deciding
from trapline.games import GAMES, changed_options, make_game
from trapline.referee import Match

with needs("TextArena"):
    import textarena as ta
    from textarena.envs import BOARDGAME_WRAPPERS, DEFAULT_WRAPPERS
    from textarena.envs.registration import ENV_REGISTRY, register_with_versions

ANY_GAME = "Trapline-Game-v0"
IDS = {name: f"Trapline-{kind.title.replace(' ', '')}-v0" for name, kind in GAMES.items()}

_BRACKETED = re.compile(r"\[([^\[\]]*)\]")

HOW_TO_ANSWER = """\
## How to answer

Put your answer in square brackets, as the question lists it, and nothing else into brackets.
Around it write what you like: the referee alone reads your text; your opponent is told what the
rules let them know of your answer, and nothing more. [resign] gives up the game. [draw] offers a
draw, or accepts your opponent's offer. A reply that is not allowed is explained to you, and you
answer again; after {mistakes} in a row the next one loses the game."""


class Scorer(ta.TwoPlayerState):  # type: ignore[misc]  # no types
    """TextArena's bookkeeping, with refusals in our words, which only their author reads."""

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
        self._told = dict.fromkeys(SEATS, 0)
        self._offered: dict[Seat, int] = {}
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
            self._obey(seat, read_reply(action))
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

    # --- what players are asked ---------------------------------------------------------

    def _ask(self) -> Seat:
        """Ask whoever has something to answer; where both have, one after the other."""
        seat = self.match.asked[0]
        view = self.match.view(seat)
        self._tell(seat, view, Briefing(self.game, view).question())
        return seat

    def _prompt(self, player_id: int, game_state: dict[str, Any]) -> str:  # noqa: ARG002 (theirs)
        seat = SEATS[player_id]
        changed = changed_options(self.game)
        settings = [f"In this match `{name}` is {value}." for name, value in changed.items()]
        settings.append(f"{BY_SEAT[self.match.first]} moves first.")
        how = HOW_TO_ANSWER.format(mistakes=self.error_allowance)
        you = f"You are {BY_SEAT[seat]} in a game of {self.game.title}."
        return "\n\n".join([you, deciding(self.game), "\n".join(settings), how])

    def _tell(self, seat: Seat, view: View, last: str) -> None:
        """Tell a player what they have not heard yet, the board as they see it, and a last line."""
        # A refused move is between its author and the referee; TextArena's own limit punishes it.
        fresh = view.events[self._told[seat] :]
        events = tuple(event for event in fresh if not isinstance(event, MoveRefused))
        for line in Briefing(self.game, replace(view, events=events)).news():
            self._add(seat, line, ta.ObservationType.GAME_ACTION_DESCRIPTION)
        self._told[seat] = len(view.events)
        board = "\n".join([*Briefing(self.game, view).position(), last])
        self._add(seat, board, ta.ObservationType.GAME_BOARD)

    def _add(self, seat: Seat, text: str, kind: ta.ObservationType) -> None:
        self.state.add_observation(text, kind, to_id=seat - 1)

    # --- what players answer ------------------------------------------------------------

    def _obey(self, seat: Seat, text: str) -> None:
        if text == "resign":
            self.match.resign(seat)
        elif text == "draw":
            self._offer_draw(seat)
        else:
            self.match.play(seat, *self.match.read(seat, text))

    def _offer_draw(self, seat: Seat) -> None:
        """Once a turn: in the middle of one, the referee would note offers for ever."""
        turn = self.match.view(seat).turn
        if self._offered.get(seat) == turn:
            raise NotNow("You have offered a draw in this turn already: answer the question.")
        self.match.offer_draw(seat)
        self._offered[seat] = turn

    def _finish(self, outcome: Outcome) -> None:
        if not self.state.done:  # too many bad replies have ended it already
            reason = " ".join(Briefing(self.game, self.match.view(None)).ending())
            if outcome.winner is None:
                self.state.set_draw(reason)
            else:
                self.state.set_winner(outcome.winner - 1, reason)
                self.state.rewards = {seat - 1: int(outcome.result(seat)) for seat in SEATS}
        for seat in SEATS:
            self._tell(seat, self.match.view(seat), self.state.game_info[seat - 1]["reason"])


def read_reply(text: str) -> str:
    """The answer in a reply: what is in its brackets, or all of it if it has none."""
    answers = {answer.strip().lower() for answer in _BRACKETED.findall(text)}
    if len(answers) > 1:
        raise InvalidMove("Your reply has different answers in brackets: give one, such as [2].")
    return answers.pop() if answers else text.strip().lower()


def register() -> None:
    """Add the games to TextArena's list, with its usual variants `-train` and `-raw`."""
    wrappers = {"default": DEFAULT_WRAPPERS, "-train": BOARDGAME_WRAPPERS}
    if ANY_GAME not in ENV_REGISTRY:
        register_with_versions(ANY_GAME, TraplineEnv, wrappers)
        for name, env_id in IDS.items():
            register_with_versions(env_id, TraplineEnv, wrappers, game=name)


register()
