"""Beside the game: reactions, turns taken back, series; and that none of it tells a secret."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.rooms import KEYS, Spied, opened, read_again
from trapline.core import SEATS, TakenBack, other
from trapline.games import GAMES, make_game
from trapline.players import PLAYERS
from trapline.referee import parse_record, verify
from trapline.server import log
from trapline.server.messages import (
    AcceptTakeback,
    AskTakeback,
    DeclineTakeback,
    NewMatch,
    Play,
    React,
    Rematch,
    Request,
    Resign,
)
from trapline.server.refusals import Refusal
from trapline.server.room import Room
from trapline.server.sidelines import MOST_BACK, MOST_REACTIONS
from trapline.server.viewing import VIEWERS

if TYPE_CHECKING:
    from trapline.core import Seat
    from trapline.server.messages import AnyCommand

ASK, YES, NO = AskTakeback(), AcceptTakeback(), DeclineTakeback()


class Hearer:
    """A client that knows no more than the protocol: it appends what is new."""

    def __init__(self, room: Room, viewer: Any) -> None:
        self.room, self.viewer = room, viewer
        self.version = 0
        self.events: list[Any] = []
        self.hear()

    def hear(self) -> None:
        state = self.room.state(self.viewer, self.version)
        assert state.since in (0, self.version)
        self.events = [*(self.events if state.since else []), *state.view.events]
        self.version = state.version


def maze() -> Spied:
    return Spied("numeric-maze", {})


def position(spied: Spied) -> tuple[int, ...]:
    match = spied.room.match
    return match.game.positions(match._progress.state)


# --- taking back --------------------------------------------------------------------------


def test_a_turn_is_taken_back_when_the_other_agrees() -> None:
    spied = maze()
    hearers = [Hearer(spied.room, viewer) for viewer in VIEWERS]
    spied.act(1, Play("3"))
    before = spied.room.version(2)
    spied.act(1, ASK)
    table = spied.room.state(2).table
    assert table.takeback
    assert (table.takeback.asked_by, table.takeback.may_ask) == (1, (True, False))
    with pytest.raises(Refusal, match="gone on") as stale:  # it was decided before it was asked
        spied.room.act(2, Request("old", before, Play("1")))
    assert stale.value.reason == "stale"
    for hearer in hearers:
        hearer.hear()
    spied.act(2, YES)
    assert position(spied) == (0, 0)
    assert spied.room.match.to_move == 1
    for hearer in hearers:
        hearer.hear()
        assert hearer.events == [TakenBack(1)]
    state = spied.room.state(None)
    assert state.words
    assert state.words.told == (("Player 1 takes a turn back.",),)
    assert read_again(spied.room, spied.log).state(1) == spied.room.state(1)
    spied.act(1, Play("2"))
    spied.act(2, Resign())
    record = parse_record(spied.room.record())
    assert record.moves == [2]
    assert not [check for check in verify(record) if check.fault]


def test_an_answer_to_it_is_also_taken_back() -> None:
    spied = maze()
    for steps in (3, 2, 1, 1):
        spied.play((steps,))
    spied.act(1, ASK)
    spied.act(2, YES)
    assert position(spied) == (3, 2)
    assert spied.room.match.to_move == 1


def test_it_is_declined_by_a_word_or_by_a_move() -> None:
    spied = maze()
    spied.act(1, Play("3"))
    for answer in (NO, Play("2")):
        spied.act(1, ASK)
        with pytest.raises(Refusal, match="asked already"):
            spied.act(1, ASK)
        spied.act(2, answer)
        with pytest.raises(Refusal, match="Nobody has asked"):
            spied.act(2, YES)
    assert position(spied) == (3, 2)


def test_there_must_be_something_to_take_back() -> None:
    spied = maze()
    with pytest.raises(Refusal, match="no turn of yours"):
        spied.act(1, ASK)
    spied.act(1, Play("1"))
    with pytest.raises(Refusal, match="no turn of yours"):
        spied.act(2, ASK)
    with pytest.raises(Refusal, match="Nobody has asked"):
        spied.act(2, YES)
    spied.act(2, Resign())
    with pytest.raises(Refusal, match="no turn of yours"):
        spied.act(1, ASK)


def test_only_the_last_turns_are_remembered() -> None:
    spied = maze()
    for number in range(MOST_BACK + 4):
        spied.act(SEATS[number % 2], Play("1"))
    for _ in range(MOST_BACK // 2):
        spied.act(1, ASK)
        spied.act(2, YES)
    with pytest.raises(Refusal, match="no turn of yours"):
        spied.act(1, ASK)


@pytest.mark.parametrize("name", [n for n in GAMES if n not in ("numeric-maze", "secret-paths")])
def test_where_a_turn_tells_something_none_is_taken_back(name: str) -> None:
    """Who lands on a square learns whether a trap is there; that cannot be unlearnt."""
    spied = Spied(name, {})
    for seat in SEATS:
        question = spied.room.view(seat).question
        if question is not None and question.choose:
            spied.act(seat, Play(question.text(next(question.values()))))
    spied.act(1, Play("1"))
    assert spied.room.state(1).table.takeback is None
    with pytest.raises(Refusal, match="tells something"):
        spied.act(1, ASK)


def test_a_turn_that_is_taken_back_tells_no_secret() -> None:
    """Wherever the goals are, everybody else is sent the same bytes when a turn is taken back."""
    heard: dict[Any, list[bytes]] = {}
    for goal in ("5,1", "5,3", "5,5"):
        spied = Spied("secret-paths", {})
        spied.act(1, Play(goal))
        spied.act(2, Play("1,1"))
        spied.act(1, Play("4,2"))
        spied.act(1, ASK)
        spied.act(2, YES)
        spied.act(1, Play("4,3"))
        for viewer in (2, None):
            assert heard.setdefault(viewer, spied.sent[viewer]) == spied.sent[viewer]


@pytest.mark.parametrize("level", [*PLAYERS])
@pytest.mark.parametrize("game", ["numeric-maze", "secret-paths"])
def test_the_computer_agrees_at_once_and_plays_on(game: str, level: str) -> None:
    opening = opened(NewMatch(game, level, {}, 1), bot=True)
    room = Room("0" * 16, opening)
    number = 0

    def act(seat: Seat, command: AnyCommand) -> None:
        nonlocal number
        number += 1
        room.act(seat, Request(f"k{number}", room.version(seat), command))

    def answer(seat: Seat) -> None:
        view = room.view(seat)
        assert view.question is not None
        player = PLAYERS[level]
        if player.prepare is not None:
            player.prepare(room.game)
        chosen = player.choose(view, Random(1))
        act(seat, Play(view.question.text(view.question.value(chosen))))

    if game == "secret-paths":
        act(1, Play("5,5"))
        answer(2)
    act(1, Play("2" if game == "numeric-maze" else "4,3"))
    answer(2)
    act(1, ASK)
    assert room.match.to_move == 1
    assert room.state(1).view.events == (TakenBack(1),)
    act(1, Play("1" if game == "numeric-maze" else "2,3"))
    answer(2)
    assert room.view(None).turn == 2


# --- reactions ------------------------------------------------------------------------------


def test_a_reaction_is_seen_by_all_and_hurries_nobody() -> None:
    spied = Spied("hidden-path", {})
    seen = spied.room.version(2)
    spied.act(1, React("good luck"))
    for viewer in VIEWERS:
        said = spied.room.state(viewer).table.reactions
        assert said[0]
        assert (said[0].says, said[0].number, said[1]) == ("good luck", 1, None)
    entry = spied.room.act(2, Request("k", seen, Play("1 2 3")))  # nothing to decide has changed
    assert isinstance(entry, log.Act)
    # A reaction is never out of date.
    assert spied.room.act(1, Request("r", 0, React("nice"))) is not None


def test_reactions_in_the_middle_of_a_turn_tell_nothing_of_it() -> None:
    heard: list[list[bytes]] = []
    for rest in ("t", "n"):
        spied = Spied("trap-runner", {"length": 6, "max_step": 2})
        for turn in ((1,), (1,), (1,)):
            spied.play(turn)
        spied.act(1, React("let me think"))
        spied.act(1, Play(rest))
        heard.append([*spied.sent[2], *spied.sent[None]])
    assert heard[0] == heard[1]


def test_there_are_so_many_reactions_and_no_others() -> None:
    spied = maze()
    for _ in range(MOST_REACTIONS):
        spied.act(1, React("ouch"))
    with pytest.raises(Refusal, match="enough"):
        spied.act(1, React("ouch"))
    spied.act(2, React("ouch"))


def test_only_chosen_words_can_be_said(server: Any) -> None:
    with server.client() as client:
        body = {"game": "numeric-maze", "against": "here"}
        match = client.post("/api/matches", json=body).json()["match"]
        says = {"key": "k", "version": 1, "command": {"do": "react", "says": "you fool"}}
        answer = client.post(f"/api/matches/{match}/commands?seat=1", json=says)
        assert (answer.status_code, answer.json()["reason"]) == (400, "unreadable")


# --- series ---------------------------------------------------------------------------------


def play_series(best_of: Any, losers: list[Seat | None]) -> Room:
    """The last room of a series; in each match the one who began the series at `seat` resigns."""
    opening = opened(NewMatch("numeric-maze", "link", {}, 1, best_of=best_of))
    room = Room("0" * 16, opening)
    room.join(opening.code or "", "Ben", KEYS[2])
    for number, loser in enumerate(losers):
        if number:
            for seat in SEATS:
                room.act(seat, Request(f"again {seat}", room.version(seat), Rematch()))
            following = room.next_match()
            assert following is not None
            room = Room(*following)
        if loser is not None:
            seat = loser if number % 2 == 0 else other(loser)  # seats are swapped each time
            room.act(seat, Request("k", room.version(seat), Resign()))
    return room


def standing(room: Room) -> Any:
    series = room.state(None).table.series
    assert series
    return series.number, series.wins, series.decided


def test_a_series_goes_on_until_it_is_decided() -> None:
    assert standing(play_series(3, [None])) == (1, (0, 0), False)
    assert standing(play_series(3, [2])) == (1, (1, 0), False)
    assert standing(play_series(3, [2, 1])) == (2, (1, 1), False)
    assert standing(play_series(3, [2, 1, 1])) == (3, (1, 2), True)
    assert standing(play_series(3, [2, 2])) == (2, (0, 2), True)  # seats are swapped
    assert standing(play_series(3, [2, 2, None])) == (1, (0, 0), False)
    assert play_series(1, [2]).state(None).table.series is None


def test_records_of_a_series_say_which_match_they_are() -> None:
    record = parse_record(play_series(5, [1, 1]).record())
    assert record.series
    assert (record.series.best_of, record.series.number, record.series.wins) == (5, 2, (1, 0))
    assert make_game(record.game).name == "numeric-maze"


def test_nobody_declines_what_nobody_has_asked_of_them() -> None:
    spied = maze()
    spied.act(1, Play("1"))
    with pytest.raises(Refusal, match="Nobody has asked you"):
        spied.act(2, NO)
    spied.act(1, ASK)
    with pytest.raises(Refusal, match="Nobody has asked you"):
        spied.act(1, NO)
    spied.act(2, YES)
    assert position(spied) == (0, 0)


def test_nobody_plays_again_with_somebody_who_never_came() -> None:
    opening = opened(NewMatch("numeric-maze", "link", {}, 1))
    room = Room("0" * 16, opening)
    room.act(1, Request("k1", room.version(1), Resign()))
    with pytest.raises(Refusal, match="Nobody joined"):
        room.act(1, Request("k2", room.version(1), Rematch()))


def test_a_rematch_tosses_a_coin_only_if_the_match_did() -> None:
    for wanted in ((1, {1}), (2, {2}), ("toss", {1, 2})):
        first, firsts = wanted
        began = set()
        for number in range(40):
            opening = opened(NewMatch("numeric-maze", "here", {}, first))  # type: ignore[arg-type]  # one of the three
            room = Room(f"{number:016}", opening)
            room.act(1, Request("k1", room.version(1), Resign()))
            room.act(1, Request("k2", room.version(1), Rematch()))
            following = room.next_match()
            assert following is not None
            began.add(following[1].first)
        assert began == firsts
