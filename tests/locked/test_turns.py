"""Traps that only one device knows: the match goes as the open one does; who cheats is named."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests.locked.trails import OPTIONS, Trails, both_on_two, finished, hiding, perform
from trapline.coach import analyse
from trapline.core import (
    IllegalMove,
    InvalidMove,
    NotNow,
    Outcome,
    Reason,
    SecretError,
    WrongOpening,
    other,
)
from trapline.referee import parse_record, replay_answer, verify
from trapline.referee.locked.turns import transfer
from trapline.referee.locked.turns.trail import asking, giving, left_key, turn_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.core import Seat
    from trapline.referee import Record
    from trapline.referee.locked.evidence import Awaited
    from trapline.referee.locked.turns.match import LockedTurns

each_variant = pytest.mark.parametrize("options", OPTIONS)
MATCHES = 10


def written(match: LockedTurns) -> Record:
    return parse_record(match.record().to_json().encode())


def faults(record: Record) -> list[str]:
    return [check.fault for check in verify(record) if check.fault]


@each_variant
def test_a_locked_match_goes_as_the_open_one_does(options: dict[str, Any]) -> None:
    for seed in range(MATCHES):
        rng = Random(seed)
        both = Trails(options, rng)
        while both.locked.decided is None:
            both.move(rng)
            both.respond()
            assert both.locked.view(None).events == both.open.view(None).events
            if both.open.outcome is None:
                assert both.locked.view(None).board == both.open.view(None).board
        assert both.locked.decided == both.open.outcome
        both.open_the_rest()
        assert both.locked.outcome == both.open.outcome
        assert both.locked.view(None).board == both.open.view(None).board
        record = written(both.locked)
        assert record.moves == both.open.record().moves
        assert faults(record) == []
        openly = both.open.record().to_json().encode()
        assert replay_answer(record.to_json().encode()) == replay_answer(openly)


def test_what_was_opened_can_be_judged() -> None:
    assert analyse(written(finished({}, 3).locked)).judgements


@pytest.mark.parametrize("first_sets", [True, False])
@pytest.mark.parametrize("second_sets", [True, False])
def test_only_who_tries_learns_that_the_other_was_first(
    first_sets: bool, second_sets: bool
) -> None:
    both = both_on_two(first_sets=first_sets)
    both.give("t" if second_sets else "n")
    awaited = both.locked.awaited
    assert awaited is not None
    assert (awaited.seat, awaited.wants, awaited.place) == (1, "give", "2")
    both.respond()
    fails = first_sets and second_sets
    assert both.devices[2].found == ({2} if fails else set())
    assert both.devices[2].lies == ({2} if second_sets and not fails else set())
    assert both.devices[1].lies == ({2} if first_sets else set())


def test_worlds_that_differ_in_what_was_left_look_alike_until_it_is_opened() -> None:
    """Whoever referees, watches or plays is shown the same, but for what looks random."""
    worlds = [both_on_two(first_sets=first) for first in (True, True, False, False)]
    shown = []
    for both, second in zip(worlds, ("t", "n", "t", "n"), strict=True):
        moments = [_public(both.locked)]
        both.give(second)
        while (awaited := both.locked.awaited) is not None:
            moments.append(_public(both.locked))
            command = both.devices[awaited.seat].respond(awaited, both.locked.commitments)
            perform(both.locked, awaited.seat, command)
        both.turn(3, "n")
        shown.append([*moments, _public(both.locked)])
    assert shown[0] == shown[1] == shown[2] == shown[3]


def _public(match: LockedTurns) -> list[str]:
    views = [match.view(viewer) for viewer in (1, 2, None)]
    told = json.loads(msgspec.json.encode([views, match.commitments, match.evidence]))
    return [json.dumps(_hashless(told))]


def _hashless(told: Any) -> Any:
    if isinstance(told, dict):
        return {key: _hashless(value) for key, value in told.items()}
    if isinstance(told, list):
        return [_hashless(value) for value in told]
    return len(told) if isinstance(told, str) and len(told) >= 64 else told


def test_a_place_is_opened_alone_and_only_when_somebody_arrives_there() -> None:
    both = Trails({}, Random(7), first=1)
    for answers in ((2,), (1,), (3, "t"), (1, "n")):
        both.turn(*answers)
    (opened,) = both.locked.evidence.opened
    assert (opened.seat, opened.place, opened.holds, opened.turn) == (1, "2", True, 3)


# --- who is not honest ----------------------------------------------------------------------


def _end(both: Trails, resigns: Seat) -> list[str]:
    both.locked.resign(resigns)
    both.open_the_rest()
    record = written(both.locked)
    assert replay_answer(record.to_json().encode())["ok"]
    return faults(record)


def test_who_commits_to_what_does_not_follow_is_named_and_cannot_win() -> None:
    both = both_on_two(first_sets=True)
    both.give("t")
    awaited = both.locked.awaited
    assert awaited is not None
    both.respond = lambda: None  # type: ignore[method-assign]
    perform(both.locked, 1, both.devices[1].respond(awaited, both.locked.commitments))
    cheat = both.devices[2]
    perform(both.locked, 2, {"do": "lock", "locks": [cheat._leave(3, 2, sets=True)]})
    assert _end(both, resigns=1) == ["Player 2 committed in turn 4 to what does not follow from it"]
    assert both.locked.outcome == Outcome(1, Reason.BROKEN_SECRET)


def test_who_asks_without_trying_is_named() -> None:
    both = both_on_two(first_sets=True)
    device, view = both.devices[2], both.locked.view(2)
    command = hiding(device, view, "n")
    peeking = transfer.asked(transfer.derived(device.seed, asking(view.turn)), wanted=True)
    perform(both.locked, 2, {**command, "asks": peeking})
    both.respond()
    assert _end(both, resigns=1) == ["Player 2 asked in turn 4 for what only an attempt would show"]


def test_who_gives_something_else_is_named_and_not_who_was_misled() -> None:
    both = both_on_two(first_sets=True)
    both.give("t")
    awaited = both.locked.awaited
    assert awaited is not None
    salt = transfer.derived(both.devices[1].seed, giving(awaited.turn))
    both.locked.give(1, transfer.given(awaited.asks, "ab" * 32, salt))
    both.respond()
    assert both.devices[2].lies == {2}
    assert _end(both, resigns=2) == ["Player 1 gave something else in turn 4 than was hidden"]
    assert both.locked.outcome == Outcome(2, Reason.BROKEN_SECRET)


def test_who_sets_a_trap_where_one_has_one_is_named() -> None:
    both = Trails({}, Random(1), first=1)
    for answer in (1, 3, 1, "t", 1, "t", 1, "n", 2, "n", 1, 1, "n", 1):
        both.turn(answer)  # Player 1 was caught, and stands on the own trap on 1 again
    device, view = both.devices[1], both.locked.view(1)
    with pytest.raises(IllegalMove, match="lies there already"):
        hiding(device, view, "t")
    device.lies.clear()
    perform(both.locked, 1, hiding(device, view, "t"))
    both.respond()
    assert _end(both, resigns=2) == ["Player 1 gave an answer in turn 9 that is not allowed"]


def test_a_wrong_opening_is_refused_and_kept_as_evidence() -> None:
    both = Trails({}, Random(7), first=1)
    for answers in ((2,), (1,), (3, "t")):
        both.turn(*answers)
    both.give(1)
    awaited = both.locked.awaited
    assert awaited is not None
    honest = both.devices[1].respond(awaited, both.locked.commitments)
    with pytest.raises(WrongOpening, match="does not open square 2"):
        perform(both.locked, 1, {**honest, "holds": not honest["holds"]})
    perform(both.locked, 1, honest)
    assert _end(both, resigns=1) == ["Player 1 tried to open square 2, against the commitment"]


def test_a_seed_that_opens_nothing_is_refused() -> None:
    both = both_on_two(first_sets=True)
    both.locked.resign(2)
    with pytest.raises(WrongOpening, match="does not open what was committed to"):
        both.locked.open_seed(1, "0" * 64)
    both.open_the_rest()
    assert both.locked.outcome == Outcome(1, Reason.RESIGNED)
    assert faults(written(both.locked)) == [
        "Player 1 tried to open what was hidden, against the commitment"
    ]


@pytest.mark.parametrize("wants", ["open", "give", "lock"])
def test_whose_device_does_not_answer_loses_and_is_named(wants: str) -> None:
    both, late = _waiting(wants)
    both.locked.run_out_of_time(late)
    for seat in both.locked.opening:
        if seat != late:
            perform(both.locked, seat, both.devices[seat].rest())
    both.locked.run_out_of_time(*both.locked.opening)
    assert both.locked.outcome == Outcome(other(late), Reason.UNOPENED)
    found = faults(written(both.locked))
    assert f"Player {late}'s device did not answer for square 2 in time" in found
    assert all(f"Player {late}" in fault for fault in found)
    assert replay_answer(written(both.locked).to_json().encode())["ok"]


def _waiting(wants: str) -> tuple[Trails, Seat]:
    if wants == "open":
        both = Trails({}, Random(7), first=1)
        for answers in ((2,), (1,), (3, "t")):
            both.turn(*answers)
        both.give(1)
    else:
        both = both_on_two(first_sets=True)
        both.give("t")
    awaited = both.locked.awaited
    assert awaited is not None
    if wants == "lock":
        perform(both.locked, 1, both.devices[1].respond(awaited, both.locked.commitments))
        awaited = both.locked.awaited
        assert awaited is not None
    assert awaited.wants == wants
    return both, awaited.seat


def test_whoever_wins_must_open_everything() -> None:
    both = Trails({}, Random(7), first=1)
    for answers in ((2,), (1,), (3, "t"), (1, "t"), (3, "n"), (1,), (2,)):
        both.turn(*answers)
    assert both.locked.decided == Outcome(1, "goal")
    perform(both.locked, 2, both.devices[2].rest())
    both.locked.run_out_of_time(1)
    assert both.locked.outcome == Outcome(2, Reason.UNOPENED)
    record = written(both.locked)
    assert "Player 1 never opened what their turns left behind" in faults(record)
    assert replay_answer(record.to_json().encode())["ok"]
    with pytest.raises(NotNow, match="not all that was hidden was opened"):
        analyse(record)


# --- what a record shows --------------------------------------------------------------------


def test_whatever_is_changed_in_a_record_is_found() -> None:
    both = both_on_two(first_sets=True)
    both.turn("t")
    both.turn(3, "t")
    record = json.loads(_ended(both))
    assert faults(parse_record(json.dumps(record).encode())) == []
    changes: list[Callable[[dict[str, Any]], None]] = [
        lambda r: r["moves"].__setitem__(2, 1),
        lambda r: r["moves"].pop(),
        lambda r: r["moves"].append(1),
        lambda r: r["locked"]["transfers"].pop(),
        lambda r: r["locked"]["transfers"][0].update(asks="4".zfill(512)),
        lambda r: r["locked"]["transfers"][0].update(gives="4".zfill(512) + "0" * 64),
        lambda r: r["locked"]["seeds"].pop("1"),
        lambda r: r["locked"]["seeds"].update({"2": "0" * 64}),
        lambda r: r["commitments"].update({"turn 99": "0" * 64}),
        lambda r: r["commitments"].pop("turn 3"),
        lambda r: r["commitments"].update({"turn 3 leaves": "0" * 64}),
        lambda r: r["salts"].update({"turn 3": "0" * 64}),
        lambda r: r.update(id="another"),
        lambda r: r.update(result={"winner": 2, "reason": "goal"}),
        lambda r: r["locked"].update(decided={"winner": 2, "reason": "goal"}),
    ]
    for number, change in enumerate(changes):
        changed = json.loads(json.dumps(record))
        change(changed)
        assert faults(parse_record(json.dumps(changed).encode())), number


def _ended(both: Trails) -> str:
    both.locked.resign(2)
    both.open_the_rest()
    return both.locked.record().to_json()


# --- what is refused ------------------------------------------------------------------------


def test_nobody_tells_the_referee_what_a_turn_leaves() -> None:
    both = both_on_two(first_sets=True)
    with pytest.raises(NotNow, match="stays on the players' own devices"):
        both.locked.play(2, "t")
    both = Trails({}, Random(1), first=1)
    with pytest.raises(NotNow, match="stays on the players' own devices"):
        both.locked.play(1, 2, "t")


def test_devices_say_what_is_wanted_and_nothing_else() -> None:
    both = both_on_two(first_sets=True)
    match = both.locked
    good = hiding(both.devices[2], match.view(2), "t")
    with pytest.raises(SecretError, match="1 different commitments are wanted, not 2"):
        match.lock(2, ["0" * 64, "1" * 64], good["asks"])
    for asks in ("", "0" * 512, "f" * 512):
        with pytest.raises(InvalidMove, match="a number of the group"):
            match.lock(2, good["locks"], asks)
    with pytest.raises(NotNow, match="nothing for you to hide"):
        match.lock(1, good["locks"], good["asks"])
    perform(match, 2, good)
    with pytest.raises(NotNow, match="nothing for you to lock now"):
        match.lock(2, good["locks"])
    with pytest.raises(InvalidMove, match="A number of the group"):
        match.give(1, "0" * 576)
    with pytest.raises(NotNow, match="nothing for you to give now"):
        match.give(2, "0" * 576)
    both.respond()
    with pytest.raises(NotNow, match="nothing for you to open"):
        match.open_seed(1, "0" * 64)


def test_two_commitments_are_wanted_where_nobody_was_before() -> None:
    both = Trails({}, Random(7), first=1)
    for answers in ((2,), (1,), (3,)):
        both.turn(*answers)
    for locks in (["0" * 64], ["0" * 64] * 2, []):
        with pytest.raises(SecretError, match="2 different commitments"):
            both.locked.lock(1, locks)
    with pytest.raises(InvalidMove, match="nothing is to be asked"):
        both.locked.lock(1, ["0" * 64, "1" * 64], "4".zfill(512))


def test_a_device_answers_once_a_turn_and_only_about_what_it_has_left() -> None:
    both, _ = _waiting("give")
    awaited = both.locked.awaited
    assert awaited is not None
    device = both.devices[1]
    first = device.respond(awaited, {})
    assert device.respond(awaited, {}) == first  # the answer may have been lost
    asked: list[Awaited] = [
        msgspec.structs.replace(awaited, place="3"),
        msgspec.structs.replace(awaited, turn=awaited.turn + 1),
        msgspec.structs.replace(awaited, turn=awaited.turn - 2),
        msgspec.structs.replace(awaited, turn=awaited.turn + 2),
        msgspec.structs.replace(awaited, place="3", wants="open"),
        msgspec.structs.replace(awaited, asks=transfer.asked("5" * 64, wanted=True)),
    ]
    for more in asked:
        with pytest.raises(NotNow, match="More is asked for than moves can depend on"):
            device.respond(more, {})


@pytest.mark.parametrize("second", ["t", "n"])
def test_a_device_says_once_what_lies_there_whatever_it_is_given(second: str) -> None:
    """A second commitment, after another answer, would show whether something was tried."""
    both = both_on_two(first_sets=True)
    both.give(second)
    asked, device, seen = both.locked.awaited, both.devices[2], both.locked.commitments
    assert asked is not None
    perform(both.locked, 1, both.devices[1].respond(asked, seen))
    awaited = both.locked.awaited
    assert awaited is not None
    assert device.respond(awaited, seen) == device.respond(awaited, seen)
    strange = msgspec.structs.replace(awaited, gives=transfer.given(asked.asks, "0", "1"))
    with pytest.raises(NotNow, match="More is asked for than moves can depend on"):
        device.respond(strange, seen)


def test_a_draw_that_was_offered_in_a_turn_is_offered_when_it_is_complete() -> None:
    both = both_on_two(first_sets=False)
    both.locked.offer_draw(2)
    assert both.locked.view(1).draw_offer is None
    both.turn("n")
    assert both.locked.view(1).draw_offer == 2
    both.turn(3)
    assert both.locked.view(2).draw_offer == 2
    both.turn("n")
    assert both.locked.view(2).draw_offer is None


def test_what_was_hidden_has_the_names_that_any_record_uses() -> None:
    both = both_on_two(first_sets=True)
    assert set(both.locked.commitments) == {turn_key(2, 1), left_key(2)}
    assert turn_key(2, 1) == "turn 3"
