"""A position of a finished match, tried again against the computer."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.rooms import KEYS, Spied, play_at_random, read_again
from tests.server.running import Game, finish
from trapline.core import OptionsError
from trapline.games import GAMES
from trapline.referee import parse_record, verify
from trapline.server.messages import Again, NewMatch, Request, Resign
from trapline.server.offers import bot_to_act
from trapline.server.room import Room
from trapline.server.seating import opening_from

if TYPE_CHECKING:
    from tests.server.running import Server
    from trapline.core import Seat
    from trapline.referee import Record


def finished(name: str) -> Record:
    """A match of some turns that somebody has given up."""
    for seed in range(50):
        spied = Spied(name, {})
        play_at_random(spied, Random(seed), 30)
        if not spied.room.over:
            spied.act(1, Resign())
        record = parse_record(spied.room.record())
        if len(record.moves) > 3:
            return record
    raise AssertionError(f"no match of {name} was long enough")


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("name", GAMES)
def test_a_match_goes_on_from_any_of_its_turns(name: str, seat: Seat) -> None:
    record = finished(name)
    for turn in range(len(record.moves)):
        again = Again("0" * 16, turn, seat)
        opening = opening_from(record, NewMatch(name, "casual", again=again), again, KEYS[1])
        room = Room("1" * 16, opening)
        assert room.view(None).turn == turn
        assert room.seating.seats_of(KEYS[1]) == (seat,)
        assert [sitter and sitter.bot for sitter in room.seating.sitters][2 - seat] == "casual"
        asked = bot_to_act(room)
        assert (asked is not None) == (room.match.to_move not in (None, seat))
        assert read_again(room, [opening]).state(seat) == room.state(seat)
        room.act(seat, Request("k", room.version(seat), Resign()))
        kept = parse_record(room.record())
        assert kept.moves == record.moves[:turn]
        assert not [check for check in verify(kept) if check.fault]
    with pytest.raises(OptionsError, match="before the last"):
        opening_from(record, NewMatch(name, "casual"), Again("0", len(record.moves), 1), KEYS[1])


def test_only_what_is_over_is_tried_again(server: Server) -> None:
    """While a match goes on, nothing of it can be had by trying it."""
    match = Game(server.address, "numeric-maze")
    with server.client() as client:
        wanted: dict[str, Any] = {
            "game": "numeric-maze",
            "against": "casual",
            "again": {"match": match.match, "turn": 0, "seat": 1},
        }
        answer = client.post("/api/matches", json=wanted)
        assert (answer.status_code, answer.json()["reason"]) == (409, "over")
        finish(match, Random(1))
        match.close()
        for change in ({"against": "link"}, {"game": "hidden-path"}):
            answer = client.post("/api/matches", json={**wanted, **change})
            assert (answer.status_code, answer.json()["reason"]) == (422, "invalid")
        nothing = {"match": "f" * 16, "turn": 0, "seat": 1}
        assert client.post("/api/matches", json={**wanted, "again": nothing}).status_code == 404
        opened = client.post("/api/matches", json=wanted).json()
        assert opened["seats"] == [1]
