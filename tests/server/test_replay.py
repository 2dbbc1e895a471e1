"""A finished match turn by turn: from its beginning, with what was hidden, told to everybody."""

from __future__ import annotations

from tests.server.rooms import Spied
from trapline.server.messages import Resign


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
