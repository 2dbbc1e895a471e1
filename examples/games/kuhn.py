"""Kuhn poker: three cards, one bet. The smallest game of bluffing there is (Kuhn, 1950)."""

from __future__ import annotations

from collections.abc import Iterator

import trapline
from trapline import (
    CHANCE,
    NO_QUESTION,
    ONGOING,
    SEATS,
    Actor,
    AnyEvent,
    Fact,
    Options,
    Panel,
    Question,
    Seat,
    Told,
    Viewer,
    Whispered,
    ask_chance,
    ask_word,
    won,
)

CARDS = ("none", "jack", "queen", "king")
DEALS = ((1, 2), (1, 3), (2, 1), (2, 3), (3, 1), (3, 2))


class State(trapline.State, frozen=True, gc=False):
    cards: tuple[int, int]
    """1 to 3 for jack, queen and king; 0 before the deal."""
    bets: tuple[int, int]
    """Who has bet; everybody has put in one chip before."""


class Kuhn(trapline.Game[State]):
    """Both put one chip into the pot and get one of three cards: jack, queen or king.

    Who moves first checks or bets one chip more. After a check the other may check as well, or
    bet; a bet is called or passed. Who passes loses the pot; otherwise the higher card wins it.
    """

    name = "kuhn"
    title = "Kuhn Poker"
    summary = "One card each, one bet: the smallest game of bluffing there is."
    minutes = "1"
    draws = True
    stake = 2

    def __init__(self, options: Options) -> None:
        self.options = options
        self.deal = ask_chance("deal", (1,) * len(DEALS))
        self.bet = ask_word("bet", {"check": "Check", "bet": "Bet one chip"}, prompt="check or bet")
        self.call = ask_word("call", {"pass": "Pass", "call": "Call"}, prompt="pass or call")

    def start(self, first: Seat) -> State:
        return State(first, 0, ONGOING, (0, 0), (0, 0))

    def chance(self, state: State) -> Question | None:
        return self.deal if state.cards[0] == 0 else NO_QUESTION

    def dealt(self, state: State, answer: int) -> State:
        return State(state.mover, 0, ONGOING, DEALS[answer], (0, 0))

    def question(self, state: State, seat: Seat) -> Question | None:
        if seat != state.mover:
            return NO_QUESTION
        return self.call if state.bets[2 - seat] else self.bet

    def apply(self, state: State, seat: Seat, answer: int) -> State:
        rival = 3 - seat
        one, two = state.cards
        higher = 1 if one > two else 2
        bets, outcome = state.bets, ONGOING
        if answer:
            bets = (1, bets[1]) if seat == 1 else (bets[0], 1)
        if bets[0] + bets[1] == 2:
            outcome = won(higher, "showdown", 2)
        elif bets[rival - 1] and not answer:
            outcome = won(rival, "passed")
        elif state.turn == 1 and not answer:
            outcome = won(higher, "showdown")
        return State(rival, state.turn + 1, outcome, state.cards, bets)

    def events(self, before: State, seat: Actor, answer: int, after: State) -> Iterator[AnyEvent]:
        if seat == CHANCE:
            for player in SEATS:
                yield Whispered(player, f"Your card is the {CARDS[after.cards[player - 1]]}.")
        elif before.bets[2 - seat]:
            yield Told(seat, "{by} calls." if answer else "{by} passes.")
        else:
            yield Told(seat, "{by} bets one chip." if answer else "{by} checks.")

    def board(self, state: State, seat: Viewer, over: bool) -> Panel:
        cards = (
            Fact(f"{{{who}}}'s card", card if over or seat == who else -1, 3, CARDS[card], who)
            for who, card in zip(SEATS, state.cards, strict=True)
        )
        return Panel((*cards, Fact("pot", 2 + state.bets[0] + state.bets[1], 4)))

    def longest(self) -> int:
        return 3
