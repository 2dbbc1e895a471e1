"""Goofspiel with four cards: both bid at once for prizes that come in a known order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

import trapline
from trapline import (
    NO_QUESTION,
    ONGOING,
    SEATS,
    Actor,
    AnyEvent,
    Fact,
    Panel,
    Question,
    Seat,
    Told,
    Viewer,
    ask_number,
    drawn,
    won,
)


class Options(trapline.Options, frozen=True):
    cards: Annotated[int, Meta(ge=2, le=6, description="a whole number from 2 to 6")] = 4


class State(trapline.State, frozen=True, gc=False):
    hands: tuple[int, int]
    """The cards that each player still holds, as bits."""
    bids: tuple[int, int]
    """The cards that lie face down; 0 for none."""
    points: tuple[int, int]


class Goofspiel(trapline.Game[State]):
    """Each player holds the cards from 1 to 4. Prizes worth 4, 3, 2 and 1 are offered in turn.

    For each prize both choose a card at the same time. The higher card takes the prize, equal
    cards leave it. Both cards are gone. Whoever has more points in the end wins.
    """

    name = "goofspiel"
    title = "Goofspiel"
    summary = "Both bid a card at once for each prize. Who wins more points with the same cards?"
    minutes = "1"
    options_type = Options

    options: Options

    def __init__(self, options: Options) -> None:
        self.options = options
        self.cards = options.cards
        self.bidding = tuple(
            ask_number("bid", cards, "card", prompt="Your card", sealed=True) if cards else None
            for hand in range(2 << options.cards)
            for cards in [[c for c in range(1, options.cards + 1) if hand >> c & 1]]
        )

    def start(self, first: Seat) -> State:
        hand = (2 << self.cards) - 2
        return State(0, 0, ONGOING, (hand, hand), (0, 0), (0, 0))

    def question(self, state: State, seat: Seat) -> Question | None:
        return NO_QUESTION if state.bids[seat - 1] else self.bidding[state.hands[seat - 1]]

    def apply(self, state: State, seat: Seat, answer: int) -> State:
        one, two = (answer, state.bids[1]) if seat == 1 else (state.bids[0], answer)
        if one == 0 or two == 0:
            return State(0, state.turn, ONGOING, state.hands, (one, two), state.points)
        prize = self.cards - state.turn
        mine = state.points[0] + (prize if one > two else 0)
        theirs = state.points[1] + (prize if two > one else 0)
        turn, outcome = state.turn + 1, ONGOING
        if turn == self.cards:
            outcome = drawn("equal points")
            if mine != theirs:
                outcome = won(1 if mine > theirs else 2, "points")
        hands = (state.hands[0] & ~(1 << one), state.hands[1] & ~(1 << two))
        return State(0, turn, outcome, hands, (0, 0), (mine, theirs))

    def events(self, before: State, seat: Actor, answer: int, after: State) -> Iterator[AnyEvent]:
        if after.turn > before.turn:
            one, two = (answer, before.bids[1]) if seat == 1 else (before.bids[0], answer)
            prize = self.cards - before.turn
            yield Told(1, f"{{by}} bids {one}, {{other}} bids {two} for the prize of {prize}.")

    def board(self, state: State, seat: Viewer, over: bool) -> Panel:
        facts = [Fact("prize", max(0, self.cards - state.turn), self.cards)]
        for who in SEATS:
            held, bid = state.hands[who - 1], state.bids[who - 1]
            cards = " ".join(str(c) for c in range(1, self.cards + 1) if held >> c & 1) or "none"
            most = self.cards * (self.cards + 1) // 2
            # Whether the other has chosen is no secret; what they have chosen is.
            shown = bid if over or seat == who else 0
            facts += [
                Fact(f"{{{who}}}'s cards", held >> 1, (1 << self.cards) - 1, cards, who),
                Fact(f"{{{who}}}'s bid", shown, self.cards, str(shown or "none"), who),
                Fact(f"{{{who}}}'s points", state.points[who - 1], most, "", who),
            ]
        return Panel(tuple(facts))

    def longest(self) -> int:
        return self.cards
