"""Rooms: what every viewer is sent, and that a log makes the same room again."""

from __future__ import annotations

import contextlib
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import leaks, worlds
from tests.server.rooms import KEYS, Spied, as_command, opened, play_at_random, read_again
from trapline.core import SEATS, Seat
from trapline.games import GAMES, changed_options, make_game
from trapline.referee import Match, parse_record, verify
from trapline.server import messages
from trapline.server.log import Act
from trapline.server.messages import ChooseSecret, GoOn, Play, Request
from trapline.server.offers import bot_to_act
from trapline.server.refusals import CountedRefusal, Refusal
from trapline.server.room import Room
from trapline.server.viewing import VIEWERS

SMALL: dict[str, dict[str, object]] = {
    "hidden-path": {"length": 3, "traps": 1, "max_step": 2},
    "trap-builder": {"length": 6, "traps": 2, "max_step": 2, "walls": False},
    "trap-runner": {"length": 4, "max_step": 2},
    "secret-paths": {"size": 3, "turn_limit": 3},
}
"""Games in which something is hidden, with options small enough to visit every match."""


def command_refusals(spied: Spied, viewer: Any) -> list[bytes]:
    if viewer is None or spied.room.over:
        return []
    view = spied.room.view(viewer)
    attempts: list[Any] = [messages.Claim(), messages.AcceptDraw(), messages.Rematch()]
    attempts += [Play("x"), ChooseSecret("x")]
    if not view.legal:
        attempts += [Play("1"), Play("y"), Play("1,1")]
    if view.question is None or not view.question.forced:
        attempts.append(GoOn())
    return [spied.refused(viewer, command) for command in attempts]


class Watch:
    """Remembers what was sent to whoever knew something, and compares."""

    def __init__(self) -> None:
        self.seen: dict[Any, tuple[list[bytes], list[bytes]]] = {}
        self.pairs = 0

    def look(self, spied: Spied, viewer: Any, known: Any) -> None:
        now = (list(spied.sent[viewer]), command_refusals(spied, viewer))
        before = self.seen.setdefault(known, now)
        if before is not now:
            self.pairs += 1
            for one, two in zip(before, now, strict=True):
                assert one == two, f"{viewer or 'a spectator'} can tell two worlds apart"


class Course:
    """One match, command by command, with a look at everybody where it matters."""

    def __init__(self, watch: Watch, game: Any, first: Seat, secrets: Any) -> None:
        self.watch, self.game, self.first, self.secrets = watch, game, first, secrets
        self.spied = Spied(game.name, changed_options(game), first)
        self.turns: list[Any] = []
        for seat, secret in secrets.items():
            self.spied.choose(seat, secret)

    def play(self, turn: Any) -> None:
        seat = self.spied.room.match.to_move
        assert seat is not None
        for number, answer in enumerate(turn):
            self.spied.act(seat, as_command(self.spied.room.view(seat), answer))
            if number + 1 < len(turn):
                pending = turn[: number + 1]
                self.look(*(viewer for viewer in VIEWERS if viewer != seat), pending=pending)
        self.turns.append(turn)

    def look(self, *viewers: Any, pending: Any = ()) -> None:
        for viewer in viewers:
            known = leaks.seen(self.game, self.first, self.secrets, self.turns, pending, viewer)
            self.watch.look(self.spied, viewer, known)


@pytest.mark.slow
@pytest.mark.parametrize("first", SEATS)
@pytest.mark.parametrize("name", SMALL)
def test_worlds_that_look_alike_send_the_same_bytes(name: str, first: Seat) -> None:
    """Every moment of every match on a small board: all messages so far, and all refusals."""
    game = make_game(name, SMALL[name])
    watch = Watch()
    for secrets in leaks.every_secret(game):
        for turns, pending in leaks.every_history(game, first, secrets):
            course = Course(watch, game, first, secrets)
            for turn in turns:
                course.play(turn)
            if pending:
                course.spied.play(pending)
            course.look(*VIEWERS, pending=pending)
    assert watch.pairs > 100


def test_a_question_with_one_answer_is_put_like_any_other() -> None:
    """Who comes back to a square with a trap of their own is asked too, and nobody can tell."""
    spied = Spied("trap-runner", {"length": 6, "max_step": 2}, 2)
    script: list[tuple[Any, ...]] = [(2,), (1,), (1, "t"), (1, "t"), (1, "n"), (1,), (1, "n")]
    for turn in script:  # Player 1 leaves a trap on 1, meets one on 2, and is on 1 again
        spied.play(turn)
    others = [list(spied.sent[viewer]) for viewer in (2, None)]
    before = spied.room.version(1)
    spied.act(1, Play("1"))
    question = spied.room.view(1).question
    assert question is not None
    assert question.forced
    assert b"already have a trap" in spied.refused(1, Play("y"))
    assert spied.room.version(1) == before + 1
    assert [spied.sent[viewer] for viewer in (2, None)] == others
    assert spied.refused(2, Play("1")) == spied.refused(2, Play("2")).replace(b"not 2", b"not 1")
    spied.act(1, Play("n"))
    assert len(spied.sent[2]) == len(others[0]) + 1


OFFER, DECLINE = messages.OfferDraw(), messages.DeclineDraw()


@pytest.mark.parametrize(
    "middle",
    [
        [(1, OFFER)],
        [(1, OFFER), (1, OFFER)],
        [(2, OFFER)],
        [(2, OFFER), (1, DECLINE)],
        [(2, OFFER), (1, DECLINE), (1, OFFER)],
        [(1, OFFER), (2, OFFER)],
    ],
)
def test_draws_in_the_middle_of_a_turn_tell_nothing_of_it(middle: list[tuple[Seat, Any]]) -> None:
    """Player 1 has set a trap on 1 or not; back there, only the one without it has a choice."""
    worlds = []
    for answer in ("t", "n"):
        spied = Spied("trap-runner", {"length": 6, "max_step": 2}, 2)
        script: list[tuple[Any, ...]] = [
            (2,),
            (1,),
            (1, "t"),
            (1, answer),
            (1, "n"),
            (1,),
            (1, "n"),
        ]
        for turn in script:
            spied.play(turn)
        spied.act(1, Play("1"))
        question = spied.room.view(1).question
        assert question is not None
        assert question.forced == (answer == "t")
        for seat, command in middle:
            with contextlib.suppress(Refusal):  # of a second offer
                spied.act(seat, command)
        spied.act(1, Play("n"))
        worlds.append([spied.sent[viewer] for viewer in (2, None)])
    assert worlds[0] == worlds[1]


@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_a_log_makes_the_same_room_again(name: str, seed: int) -> None:
    rng = Random(seed)
    spied = Spied(name, worlds.random_options(name, rng), rng.choice(SEATS))
    play_at_random(spied, rng)
    again = read_again(spied.room, spied.log)
    for viewer in VIEWERS:
        assert msgspec.json.encode(again.state(viewer)) == msgspec.json.encode(
            spied.room.state(viewer)
        )
        assert again.version(viewer) == spied.room.version(viewer)
    assert again.match.sealed_record() == spied.room.match.sealed_record()


@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_updates_add_up_to_the_whole_view(name: str, seed: int) -> None:
    """Whoever was away for any time and resumes by version has all events, each once."""
    rng = Random(seed)
    spied = Spied(name, worlds.random_options(name, rng), rng.choice(SEATS))
    heard: dict[Any, list[Any]] = {viewer: [] for viewer in VIEWERS}
    seen: dict[Any, int] = dict.fromkeys(VIEWERS, 0)
    for _ in range(60):
        play_at_random(spied, rng, commands=3)
        for viewer in VIEWERS:
            if rng.random() < 0.5:
                state = spied.room.state(viewer, seen[viewer])
                assert state.since in (0, seen[viewer])
                heard[viewer] = [*(heard[viewer] if state.since else ()), *state.view.events]
                seen[viewer] = state.version
                assert tuple(heard[viewer]) == spied.room.view(viewer).events


def test_finished_matches_prove_themselves() -> None:
    for name in GAMES:
        for seed in range(5):
            spied = Spied(name, {})
            play_at_random(spied, Random(seed), 5000)
            if not spied.room.over:
                spied.act(1, messages.Resign())
            record = parse_record(spied.room.match.record().to_json().encode())
            assert [check for check in verify(record) if check.fault] == []


# --- commands ---------------------------------------------------------------------------


def ready(name: str = "numeric-maze") -> Spied:
    return Spied(name, {})


def test_a_command_under_an_old_key_is_not_carried_out_again() -> None:
    spied = ready()
    request = Request("once", spied.room.version(1), Play("2"))
    assert spied.room.act(1, request) is not None
    version = spied.room.version(1)
    assert spied.room.act(1, request) is None
    assert spied.room.act(1, Request("once", 99, Play("3"))) is None
    assert spied.room.version(1) == version


def test_the_same_key_of_the_other_seat_is_another_key() -> None:
    spied = ready()
    spied.room.act(1, Request("once", spied.room.version(1), Play("2")))
    assert spied.room.act(2, Request("once", spied.room.version(2), Play("2"))) is not None


def test_a_stale_command_is_refused_and_changes_nothing() -> None:
    spied = ready()
    old = spied.room.version(1)
    spied.act(1, Play("2"))
    spied.act(2, Play("2"))
    before = spied.room.state(1)
    with pytest.raises(Refusal, match="gone on") as caught:
        spied.room.act(1, Request("late", old, Play("1")))
    assert caught.value.reason == "stale"
    assert spied.room.state(1) == before


def test_only_one_friend_is_admitted() -> None:
    spied = ready()
    code = spied.room.opening.code or ""
    with pytest.raises(Refusal, match="already taken"):
        spied.room.join(code, "Eve", "e" * 43)
    with pytest.raises(Refusal, match="not complete"):
        spied.room.join("guess", "Eve", "e" * 43)
    assert spied.room.seating.seats_of("e" * 43) == ()
    assert spied.room.seating.seats_of(KEYS[2]) == (2,)


def test_the_log_holds_no_key() -> None:
    spied = ready()
    spied.act(1, Play("2"))
    written = b"".join(map(msgspec.json.encode, spied.log))
    assert not any(key.encode() in written for key in KEYS.values())


def test_the_link_is_shown_to_the_one_who_hands_it_out() -> None:
    wanted = messages.NewMatch("numeric-maze", "link")
    room = Room("0" * 16, opened(wanted))
    links = [room.state(viewer).table.link for viewer in VIEWERS]
    assert links == [f"/join/{'0' * 16}#{room.opening.code}", None, None]


def test_nobody_takes_the_other_seat_of_their_own_match() -> None:
    spied = ready()
    with pytest.raises(Refusal, match="already"):
        spied.room.join(spied.room.opening.code or "", "Ann", KEYS[1])


def test_refused_moves_that_count_are_part_of_the_log() -> None:
    spied = Spied("secret-paths", {})
    spied.choose(1, (5, 3))
    spied.choose(2, (1, 3))
    for _ in range(3):
        spied.act(1, Play("1,1"))
    assert spied.room.view(2).may_claim == 2
    again = read_again(spied.room, spied.log)
    assert again.view(2).may_claim == 2
    last = spied.log[-1]
    assert isinstance(last, Act)
    for room in (spied.room, again):  # sent once more, it is refused once more, but not counted
        with pytest.raises(Refusal, match="not next to"):
            room.act(1, Request(last.key, room.version(1), Play("1,1")))
        assert room.entries == len(spied.log)
    spied.act(2, messages.Claim())
    assert spied.room.over


def test_a_rematch_swaps_the_seats() -> None:
    spied = ready()
    spied.act(1, messages.Resign())
    spied.act(2, messages.Rematch())
    assert spied.room.next_match() is None
    spied.act(1, messages.Rematch())
    following = spied.room.next_match()
    assert following is not None
    match_id, opening = following
    assert spied.room.state(None).table.next == match_id
    second = Room(match_id, opening)
    assert second.seating.seats_of(KEYS[1]) == (2,)
    assert second.seating.seats_of(KEYS[2]) == (1,)
    assert second.opening.code is None


def test_the_computers_turn_without_a_choice_takes_two_commands_too() -> None:
    """Each of its commands takes the same time; one less would tell that a trap is there."""
    wanted = messages.NewMatch("trap-runner", "random", {"length": 6, "max_step": 2}, 1)
    room = Room("0" * 16, opened(wanted, bot=True))
    # The computer leaves a trap on 1, meets one on 2, and is on 1 again.
    turns = [["2"], ["1"], ["1", "y"], ["1", "y"], ["1", "n"], ["1"], ["1", "n"]]
    for number, turn in enumerate(turns):
        for answer in turn:
            seat: Seat = 1 if number % 2 == 0 else 2
            room.act(seat, Request(f"{number}{answer}", room.version(seat), Play(answer)))
    before = room.state(1)
    room.act(2, Request("step", room.version(2), Play("1")))
    assert room.state(1) == before
    assert bot_to_act(room) == (2, "random", room.view(2))
    room.act(2, Request("answer", room.version(2), Play("n")))
    assert room.view(1).turn == before.view.turn + 1
    assert bot_to_act(room) is None


def test_a_move_does_not_replay_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a log would take the square of its length, while nobody else is served."""
    spied = Spied("trap-runner", {})
    monkeypatch.setattr(Match, "restore", lambda _: pytest.fail("replayed"))
    spied.play((2,))
    spied.play((2,))
    spied.play((1, "t"))
    read_again(spied.room, spied.log)


def test_a_match_that_became_too_long_can_only_be_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything about a match costs time with its length, and options allow endless ones."""
    monkeypatch.setattr("trapline.server.room.LONGEST", 12)
    spied = Spied("secret-paths", {"turn_limit": 0})
    spied.choose(1, (5, 3))
    spied.choose(2, (1, 3))
    for number in range(8):
        spied.play(((3, 2 + number % 2),))
    seat = spied.room.match.to_move or 1
    for command in (Play("3,2"), Play("9,9"), messages.OfferDraw()):
        with pytest.raises(Refusal, match="too long") as caught:
            spied.act(seat, command)
        assert caught.value.reason == "full"
    again = read_again(spied.room, spied.log)
    assert again.entries == spied.room.entries == 12
    spied.act(seat, messages.Resign())
    assert spied.room.over
    with pytest.raises(Refusal, match="too long"):
        spied.act(seat, messages.Rematch())


def test_a_secret_that_cannot_be_is_refused_and_not_counted() -> None:
    """Only refused moves may be claimed; what is typed wrongly before the first stays out of it."""
    spied = Spied("secret-paths", {})
    before = spied.room.entries
    with pytest.raises(Refusal) as refused:
        spied.room.act(1, Request("k", spied.room.version(1), Play("1,1")))
    assert not isinstance(refused.value, CountedRefusal)
    assert spied.room.entries == before
