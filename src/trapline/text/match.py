"""A seeded match in text: one seat reads and writes, the other is played by the computer.

    match = trapline.TextMatch("hidden-path", opponent="perfect", length=6, traps=1)
    text, info = match.reset(seed=7)
    while not match.over:
        text, reward, over, info = match.step("I wonder ... [2]")

The same seed and the same replies give the same texts, rewards and infos, byte for byte. `info`
holds nothing that the seat may not know: what a choice cost is judged from its own View.
"""

from __future__ import annotations

import secrets
from random import Random
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from trapline.core import SEATS, OptionsError, TraplineError, brief, other
from trapline.games import make_game
from trapline.measures.policies import drawing, policy_of
from trapline.measures.regret import AgainstEquilibrium, AgainstOpponent
from trapline.players import find_player
from trapline.players.replies import read_reply
from trapline.referee import Match, Player
from trapline.text.seat import DRAW, RESIGN, AgainstProgram

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import First, Form, Game, Seat, View
    from trapline.measures.policies import Policy
    from trapline.measures.regret import Judge
    from trapline.players import Choose
    from trapline.referee import Record

Info = dict[str, Any]
Reward = Literal["result", "regret", "opponent"]
REWARDS: tuple[Reward, ...] = ("result", "regret", "opponent")
SEATING = (1, 2, "alternate", None)


class Step(NamedTuple):
    """What follows a reply."""

    text: str
    reward: float
    over: bool
    info: Info


class TextMatch:
    def __init__(
        self,
        game: str | Game[Any],
        *,
        opponent: str | Policy = "casual",
        seat: Seat | Literal["alternate"] | None = None,
        first: First | None = None,
        reward: Reward = "result",
        mistakes: int = 3,
        **options: Any,
    ) -> None:
        """`opponent` is a player's name, or a policy: a function from a View to chances. `seat`
        is 1, 2, "alternate", or None for one drawn by lot. `mistakes` is how many refused replies
        in a row are forgiven. `reward` is the result at the end, or, after each choice, minus the
        share of the match that it cost, against the equilibrium or against this opponent.
        """
        if seat not in SEATING:
            raise OptionsError(f'seat must be 1, 2, "alternate" or None, not {brief(seat)}.')
        if first not in (None, *SEATS, "toss"):
            raise OptionsError(f'first must be 1, 2 or "toss", not {brief(first)}.')
        if reward not in REWARDS:
            known = ", ".join(REWARDS)
            raise OptionsError(f"There is no reward {brief(reward)}; there are {known}.")
        self.game = make_game(game, options) if isinstance(game, str) else game
        self.mistakes = mistakes
        self._seating, self._first, self._reward = seat, first, reward
        self._opponent: Choose = (
            find_player(opponent).choose if isinstance(opponent, str) else drawing(opponent)
        )
        self._name = opponent if isinstance(opponent, str) else "policy"
        self._judge: Judge = AgainstEquilibrium(self.game)
        if reward == "opponent":
            policy = policy_of(opponent) if isinstance(opponent, str) else opponent
            self._judge = AgainstOpponent(self.game, policy)
        self._episodes = 0

    # --- an episode ---------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> tuple[str, Info]:
        """Begin a match; the seed decides the seat, the toss, chance, and all that the other
        leaves to it. Without one, they are drawn."""
        if seed is not None:
            self._episodes = 0
        rng = Random(secrets.randbits(62) if seed is None else seed)
        self.seat: Seat = self._next_seat(rng)
        self._episodes += 1
        players = {self.seat: Player("you"), other(self.seat): Player(self._name, bot=self._name)}
        match = Match(self.game, self._first, rng=rng, match_id="text", players=players, seed=seed)
        self._text_seat = AgainstProgram(match, self.seat, self._opponent, rng)
        self._refused = 0
        self.regrets: list[float] = []
        """What each choice of this match has cost so far, where that is known."""
        prompt = self._text_seat.prompt(self.mistakes)
        return "\n\n".join([prompt, self._told()]), self._info()

    def step(self, reply: str) -> Step:
        """Give the referee one reply; after the end it changes nothing."""
        if self.over:
            return Step(self._text_seat.position(), 0.0, True, self._info())
        before = self._text_seat.match.fork()
        try:
            self._text_seat.obey(reply)
        except TraplineError as refusal:
            return self._refuse(str(refusal), before)
        self._refused = 0
        lost = list(self._judged(before, read_reply(reply)))
        return self._after(lost)

    @property
    def match(self) -> Match:
        """The referee; it holds what the other hides, so it is not for whoever plays."""
        return self._text_seat.match

    @property
    def over(self) -> bool:
        return self.match.outcome is not None

    @property
    def result(self) -> float:
        """What the match was worth to the seat: 1 for a plain win, 0 until it is over."""
        outcome = self.match.outcome
        return 0.0 if outcome is None else outcome.result(self.seat)

    def record(self) -> Record:
        """The whole record, once the match is over."""
        return self.match.record()

    # --- inside -------------------------------------------------------------------------

    def _next_seat(self, rng: Random) -> Seat:
        if self._seating == "alternate":
            return SEATS[self._episodes % 2]
        return rng.choice(SEATS) if self._seating is None else self._seating

    def _told(self) -> str:
        news, position = self._text_seat.hear()
        return "\n".join([*news, position])

    def _refuse(self, sentence: str, before: Match) -> Step:
        """Explain, or end it: who gives no usable answer loses all that could still be had."""
        self._refused += 1
        if self._refused <= self.mistakes:
            text = f"{sentence} Please answer again."
            return Step(text, 0.0, False, {**self._info(), "refused": sentence})
        self.match.resign(self.seat)
        lost = self._judge.forfeited(before.view(self.seat))
        step = self._after([lost])
        return step._replace(info={**step.info, "refused": sentence, "forfeit": True})

    def _judged(self, before: Match, text: str) -> Iterator[float | None]:
        """What the answers in a reply cost, one by one; giving up costs all there is."""
        if text == RESIGN:
            yield self._judge.forfeited(before.view(self.seat))
        elif text != DRAW:
            for view, answer in self._choices(before, text):
                yield self._judge.lost(view, answer)

    def _choices(self, before: Match, text: str) -> Iterator[tuple[View, Form]]:
        for answer in before.read(self.seat, text):
            view = before.view(self.seat)
            question = view.question
            if question is not None and not question.forced:
                yield view, question.record(question.value(answer))
            before.play(self.seat, answer)

    def _after(self, lost: list[float | None]) -> Step:
        known = [cost for cost in lost if cost is not None]
        self.regrets += known
        info = {**self._info(), "regret": sum(known) if known else None}
        if self._reward == "result":
            return Step(self._told(), self.result, self.over, info)
        if len(known) < len(lost):
            raise TraplineError(
                f"What a choice costs is not known here: {self.game.title} is too large to be "
                "solved under these options, or the opponent never lets it come to this."
            )
        share = 0.0 - sum(known) / (2 * self.game.stake)
        return Step(self._told(), share, self.over, info)

    def _info(self) -> Info:
        """What a program wants to know beside the text."""
        view = self._text_seat.view()
        asked, outcome = view.question, view.outcome
        listed = [] if asked is None or asked.choose else [a.text for a in asked.answers]
        return {
            "game": view.game,
            "seat": self.seat,
            "turn": view.turn,
            "asks": view.asks,
            "legal": listed,
            "regret": None,
            "refused": None,
            "forfeit": False,
            "over": outcome is not None,
            "winner": outcome.winner if outcome else None,
            "reason": str(outcome.reason) if outcome else None,
            "result": self.result,
        }
