"""A match has a largest length, and nobody alone brings it there, nor loses by it what was won."""

from __future__ import annotations

import pytest

from tests.server.rooms import Spied
from tests.server.test_locked import SECRETS, Table
from trapline.server import messages
from trapline.server.messages import OpenPlace, OpenRest, Play
from trapline.server.refusals import CountedRefusal, Refusal
from trapline.server.room import MOST_WRONG


def test_nobody_makes_a_match_long_by_offering_draws_in_the_middle_of_a_turn() -> None:
    """In a match that is too long the other could not move any more, and lost on time."""
    spied = Spied("trap-runner", {})
    for turn in ((2,), (1,)):
        spied.play(turn)
    spied.act(1, Play("2"))
    spied.act(1, messages.OfferDraw())
    entries = spied.room.entries
    for _ in range(3):
        with pytest.raises(Refusal, match="Your draw offer still stands"):
            spied.act(1, messages.OfferDraw())
    assert spied.room.entries == entries
    spied.act(1, Play("n"))
    assert spied.room.view(2).draw_offer == 1


def test_nobody_makes_a_match_long_by_asking_for_a_rematch() -> None:
    """In a match that is too long the other could not agree to it any more."""
    spied = Spied("numeric-maze", {})
    spied.act(1, messages.Resign())
    spied.act(1, messages.Rematch())
    entries = spied.room.entries
    with pytest.raises(Refusal, match="You have asked already"):
        spied.act(1, messages.Rematch())
    assert spied.room.entries == entries
    spied.act(2, messages.Rematch())
    assert spied.room.next_match() is not None


def test_nobody_makes_a_match_long_by_what_opens_nothing() -> None:
    """In a match that is too long the other could not move any more, and lost on time."""
    table = Table("hidden-path", SECRETS["hidden-path"])
    table.lock()
    table.act(1, Play("3"))
    place, holds, salt = table.devices[2].open("3", 0)
    for _ in range(MOST_WRONG):
        with pytest.raises(CountedRefusal):
            table.act(2, OpenPlace(place, not holds, salt))
    entries = table.room.entries
    for wrong in (True, False):  # whoever has tried so often is not believed any more
        with pytest.raises(Refusal, match="opens nothing") as refused:
            table.act(2, OpenPlace(place, holds is not wrong, salt))
        assert refused.value.reason == "full"
    assert table.room.entries == entries
    table.act(2, messages.Resign())
    table.act(1, OpenRest(*map(tuple, table.devices[1].rest(()))))  # type: ignore[arg-type]  # bits, salts


def test_what_was_hidden_is_opened_in_a_match_that_became_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table("hidden-path", SECRETS["hidden-path"])
    table.lock()
    table.act(1, Play("3"))
    monkeypatch.setattr("trapline.server.room.LONGEST", table.room.entries)
    table.answer()
    with pytest.raises(Refusal, match="too long"):
        table.act(2, Play("1"))
    table.act(1, messages.Resign())
    table.answer()
    assert table.room.over
    assert table.faults() == []
