"""A finished match turn by turn: from its beginning, with what was hidden, told to everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tests.server.rooms import Spied
from trapline import core
from trapline.boards import Fact, Panel
from trapline.core import NO_QUESTION, ONGOING, ask_chance, ask_word, won
from trapline.games import find_game
from trapline.referee import parse_record, verify
from trapline.server.messages import Resign

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Actor, AnyEvent, Question, Seat, Viewer


def test_a_replay_begins_before_the_first_turn_with_what_was_hidden() -> None:
    began = []
    for traps in ((2, 3, 4), (6, 7, 8)):
        spied = Spied("hidden-path", {})
        spied.choose(1, traps)
        spied.choose(2, (1, 9, 10))
        spied.play((2,))
        spied.play((3,))
        spied.act(1, Resign())
        frames = spied.room.frames().frames
        assert [(frame.turn, frame.by) for frame in frames] == [(0, None), (1, 1), (2, 2)]
        began.append(frames[0].picture)
    assert began[0] != began[1]


def test_a_replay_tells_nothing_that_was_told_to_one_alone() -> None:
    spied = Spied("trap-runner", {})
    for turn in ((3,), (3,), (1, "t"), (1, "t")):
        spied.play(turn)
    alone = [event for event in spied.room.view(2).events if event.private]
    assert alone  # that the other's trap is there already
    spied.act(1, Resign())
    told = [event for frame in spied.room.frames().frames for event in frame.events]
    assert told
    assert not [event for event in told if event.private]


class State(core.State, frozen=True, gc=False):
    coin: int


class Coin(core.Game[State]):
    """Each gives a sealed word; a coin is tossed when the first is given."""

    name = "coin"
    title = "Coin"
    summary = "Two words, and a coin between them."
    draws = True
    seals_turns = True

    def __init__(self, options: core.Options) -> None:
        self.options = options
        self.word = ask_word("word", ("heads", "tails"))
        self.toss = ask_chance("toss", (1, 1))

    def start(self, first: Seat) -> State:
        return State(first, 0, ONGOING, -1)

    def chance(self, state: State) -> Question | None:
        return self.toss if state.turn == 1 and state.coin < 0 else NO_QUESTION

    def dealt(self, state: State, answer: int) -> State:
        return msgspec.structs.replace(state, coin=answer)

    def question(self, state: State, seat: Seat) -> Question | None:
        return self.word if seat == state.mover else NO_QUESTION

    def apply(self, state: State, seat: Seat, answer: int) -> State:
        outcome = won(seat, "said") if state.turn else ONGOING
        return State(3 - seat, state.turn + 1, outcome, state.coin)

    def events(self, before: State, seat: Actor, answer: int, after: State) -> Iterator[AnyEvent]:
        return iter(())

    def board(self, state: State, seat: Viewer, over: bool) -> Panel:
        return Panel((Fact("coin", state.coin, 1),))


def test_what_chance_draws_in_a_sealed_turn_is_no_part_of_what_a_player_sealed() -> None:
    spied = Spied(find_game(f"{__name__}:Coin")(core.Options()), {})
    spied.play(("heads",))
    spied.play(("tails",))
    room = spied.room
    assert [(seal.seat, seal.key) for seal in room.frames().seals] == [
        (core.CHANCE, "chance"),
        (1, "turn 1"),
        (2, "turn 2"),
    ]
    assert [check.fault for check in verify(parse_record(room.record())) if check.fault] == []
