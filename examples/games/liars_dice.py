"""Liar's Dice with one die each: bid on both dice while you see only your own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

import trapline
from trapline import (
    CHANCE,
    NO_QUESTION,
    ONGOING,
    SEATS,
    Actor,
    Answer,
    AnyEvent,
    Fact,
    Panel,
    Question,
    Seat,
    Told,
    Viewer,
    Whispered,
    ask_chance,
    won,
)

LIAR = 0


class Options(trapline.Options, frozen=True):
    sides: Annotated[int, Meta(ge=2, le=6, description="a whole number from 2 to 6")] = 4


class State(trapline.State, frozen=True, gc=False):
    dice: tuple[int, int]
    """What each player has rolled; 0 before."""
    bid: int
    """The highest bid so far, counted from 1; 0 for none."""


class LiarsDice(trapline.Game[State]):
    """Each player rolls one die of four sides and hides it.

    In turn they bid how many of the two dice show a number: 1x3 says that there is a 3. Each bid
    is higher than the one before: more dice, or as many of a higher number. A 4 counts as any
    number. Instead of bidding, a player may call the other a liar: then both dice are shown. Who
    made the last bid wins if it is true, and loses if it is not.
    """

    name = "liars-dice"
    title = "Liar's Dice"
    summary = "Bid on two dice while you see one of them. Will you be believed?"
    minutes = "1"
    draws = True
    options_type = Options

    options: Options

    def __init__(self, options: Options) -> None:
        self.options = options
        self.sides = sides = options.sides
        self.bids = ("none", *(f"{n}x{face}" for n in (1, 2) for face in range(1, sides + 1)))
        self.roll = ask_chance("roll", (1,) * sides**2)
        bids = [Answer(value, text, text) for value, text in enumerate(self.bids)]
        liar = Answer(LIAR, "liar", "liar", "Call the other a liar")
        self.bidding = tuple(
            Question("bid", (*bids[bid + 1 :], *([liar] if bid else [])), noun="bid")
            for bid in range(len(bids))
        )

    def start(self, first: Seat) -> State:
        return State(first, 0, ONGOING, (0, 0), 0)

    def chance(self, state: State) -> Question | None:
        return self.roll if state.dice[0] == 0 else NO_QUESTION

    def dealt(self, state: State, answer: int) -> State:
        dice = (answer // self.sides + 1, answer % self.sides + 1)
        return State(state.mover, 0, ONGOING, dice, 0)

    def question(self, state: State, seat: Seat) -> Question | None:
        return self.bidding[state.bid] if seat == state.mover else NO_QUESTION

    def apply(self, state: State, seat: Seat, answer: int) -> State:
        rival, turn = 3 - seat, state.turn + 1
        if answer != LIAR:
            return State(rival, turn, ONGOING, state.dice, answer)
        face = (state.bid - 1) % self.sides + 1
        wanted = (state.bid - 1) // self.sides + 1
        one = 1 if state.dice[0] == face or state.dice[0] == self.sides else 0
        two = 1 if state.dice[1] == face or state.dice[1] == self.sides else 0
        winner = rival if one + two >= wanted else seat
        return State(rival, turn, won(winner, "called"), state.dice, state.bid)

    def events(self, before: State, seat: Actor, answer: int, after: State) -> Iterator[AnyEvent]:
        if seat == CHANCE:
            for player in SEATS:
                yield Whispered(player, f"You roll a {after.dice[player - 1]}.")
        elif answer != LIAR:
            yield Told(seat, f"{{by}} bids {self.bids[answer]}.")
        else:
            yield Told(
                seat, f"{{by}} says: liar! The dice show {after.dice[0]} and {after.dice[1]}."
            )

    def board(self, state: State, seat: Viewer, over: bool) -> Panel:
        dice = (
            Fact(f"{{{who}}}'s die", die if over or seat == who else -1, self.sides, "", who)
            for who, die in zip(SEATS, state.dice, strict=True)
        )
        return Panel((*dice, Fact("bid", state.bid, 2 * self.sides, self.bids[state.bid])))
