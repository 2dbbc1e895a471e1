"""What is played with locked secrets is what would be played openly; whoever cheats is named."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests.locked.playing import GAMES, Devices, finished, written
from trapline.coach import analyse
from trapline.core import (
    NotNow,
    OptionsError,
    Outcome,
    Reason,
    SecretError,
    View,
    WrongOpening,
    other,
)
from trapline.games import make_game
from trapline.games.hidden_path.game import HiddenPath, Options
from trapline.referee import parse_record, replay_answer, verify
from trapline.referee.locked.box import place_lock
from trapline.referee.locked.device import Device
from trapline.referee.locked.secrets import LockedSecrets

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.core import Seat

each_game = pytest.mark.parametrize(("name", "options"), GAMES)
MATCHES = 25


def faults(match: LockedSecrets | Any) -> list[str]:
    record = written(match) if isinstance(match, LockedSecrets) else match
    return [check.fault for check in verify(record) if check.fault]


@each_game
def test_a_locked_match_goes_as_the_open_one_does(name: str, options: dict[str, Any]) -> None:
    for seed in range(MATCHES):
        rng = Random(seed)
        both = Devices(name, options, rng)
        both.lock()
        while both.locked.decided is None:
            both.move(rng)
            both.answer()
            assert both.locked.view(None).events == both.open.view(None).events
            if both.open.outcome is None:
                assert both.locked.view(None).board == both.open.view(None).board
        assert both.locked.decided == both.open.outcome
        both.open_the_rest()
        assert both.locked.outcome == both.open.outcome
        assert both.locked.view(None).board == both.open.view(None).board
        assert both.locked.view(1).secrets == both.open.view(1).secrets
        assert faults(both.locked) == []
        openly, locked = both.open.record(), written(both.locked)
        assert (locked.secrets, locked.moves) == (openly.secrets, openly.moves)
        assert replay_answer(locked.to_json().encode()) == replay_answer(openly.to_json().encode())


@each_game
def test_worlds_that_differ_in_the_secret_look_alike_until_it_is_opened(
    name: str, options: dict[str, Any]
) -> None:
    """Whoever referees, watches or plays is shown the same, but for commitments that look alike."""
    for seed in range(MATCHES):
        worlds = [_watched(name, options, seed, secrets) for secrets in (1, 2)]
        for shown, twin in zip(*worlds, strict=False):
            if _public(shown) != _public(twin):
                assert _opened(shown) != _opened(twin)  # what was opened differs, and was different
                break
            assert _opened(shown) == _opened(twin)


def _watched(name: str, options: dict[str, Any], seed: int, secrets: int) -> list[LockedSecrets]:
    """A match at every moment before its end, with moves by one seed and secrets by another."""
    rng = Random(seed)
    both = Devices(name, options, Random(secrets))
    both.locked = LockedSecrets(both.game, 1, match_id="twin")
    both.lock()
    moments: list[LockedSecrets] = []
    while both.locked.decided is None:
        seat = both.locked.to_move
        assert seat is not None
        question = both.locked.question(seat)
        assert question is not None
        both.locked.play(seat, question.record(question.random(rng)))
        moments.append(_copied(both.locked))
        while (asked := both.locked.awaited) is not None:
            holds, salt = both.devices[asked.seat].holds[asked.place], "ab" * 32
            key = f"{asked.seat} at {asked.place}"
            lock = place_lock(name, "twin", asked.seat, asked.place, holds, salt)
            both.locked.commitments[key] = lock  # the same salts in both worlds
            both.locked.open(asked.seat, asked.place, holds, salt)
            moments.append(_copied(both.locked))
    return moments


def _copied(match: LockedSecrets) -> LockedSecrets:
    twin = LockedSecrets.__new__(LockedSecrets)
    vars(twin).update(vars(match.fork()))
    twin.evidence = msgspec.structs.replace(match.evidence)
    return twin


def _public(match: LockedSecrets) -> tuple[Any, ...]:
    views: list[View] = [match.view(viewer) for viewer in (1, 2, None)]
    locks = {key: len(lock) for key, lock in match.commitments.items()}
    return [msgspec.json.encode(view) for view in views], locks, match.awaited, _opened(match)


def _opened(match: LockedSecrets) -> list[tuple[int, str, bool]]:
    return [(one.seat, one.place, one.holds) for one in match.evidence.opened]


@each_game
def test_only_what_a_move_depends_on_is_opened_before_the_end(
    name: str, options: dict[str, Any]
) -> None:
    both = finished(name, options, 3)
    record = both.locked.record()
    assert record.locked is not None
    during = [one for one in record.locked.opened if one.turn is not None]
    assert len({(one.seat, one.place) for one in during}) == len(during)
    places = sum(len(device.holds) for device in both.devices.values())
    assert len(during) < places
    assert len(record.locked.opened) == places


# --- mutations ----------------------------------------------------------------------------


def _flip(one: dict[str, Any]) -> None:
    one["holds"] = not one["holds"]


def _resalt(one: dict[str, Any]) -> None:
    one["salt"] = "0" * 64


@each_game
@pytest.mark.parametrize("change", [_flip, _resalt])
def test_an_opening_that_was_changed_names_its_player(
    name: str, options: dict[str, Any], change: Callable[[dict[str, Any]], None]
) -> None:
    record = json.loads(finished(name, options, 5).locked.record().to_json())
    for index, one in enumerate(record["locked"]["opened"]):
        changed = json.loads(json.dumps(record))
        change(changed["locked"]["opened"][index])
        found = faults(parse_record(json.dumps(changed).encode()))
        wrong = [f for f in found if "with what was not committed to" in f]
        assert len(wrong) == 1
        assert f"Player {one['seat']} opened" in wrong[0]
        assert one["place"] in wrong[0]


@each_game
def test_whatever_is_taken_out_of_a_record_or_put_into_it_is_found(
    name: str, options: dict[str, Any]
) -> None:
    record = json.loads(finished(name, options, 6).locked.record().to_json())
    changes: list[Callable[[dict[str, Any]], None]] = [
        lambda r: r["locked"]["opened"].pop(),
        lambda r: r["locked"]["opened"].pop(0),
        lambda r: r["moves"].pop(),
        lambda r: r["moves"].append(1),
        lambda r: r["commitments"].update({"1 at 99": "0" * 64}),
        lambda r: r["commitments"].pop(next(iter(r["commitments"]))),
        lambda r: r.update(id="another"),
        lambda r: r.update(result={"winner": 3 - (r["result"]["winner"] or 1), "reason": "goal"}),
        lambda r: r["secrets"].update({"1": r["secrets"]["2"] + [1]}),
        lambda r: r["locked"].update(decided={"winner": 1, "reason": "resigned"}),
    ]
    for number, change in enumerate(changes):
        changed = json.loads(json.dumps(record))
        change(changed)
        assert faults(parse_record(json.dumps(changed).encode())), number


def _waiting(seed: int = 0) -> tuple[Devices, Seat, str]:
    """A match of Hidden Path in which somebody is to open a place."""
    rng = Random(seed)
    both = Devices("hidden-path", {}, rng)
    both.lock()
    both.move(rng)
    asked = both.locked.awaited
    assert asked is not None
    return both, asked.seat, asked.place


def test_a_lie_is_refused_kept_as_evidence_and_changes_nothing() -> None:
    both, seat, place = _waiting()
    before = both.locked.view(None)
    _, holds, salt = both.devices[seat].open(place, 0)
    with pytest.raises(WrongOpening, match=f"does not open step {place}"):
        both.locked.open(seat, place, not holds, salt)
    assert both.locked.view(None) == before
    both.answer()
    both.locked.resign(1)
    both.open_the_rest()
    said = "empty" if holds else "hiding something"
    blame = f"Player {seat} tried to open step {place} as {said}, against the commitment"
    assert faults(both.locked) == [blame]


def test_who_does_not_open_in_time_has_lost_and_is_named() -> None:
    both, seat, place = _waiting()
    both.locked.run_out_of_time(seat)
    both.locked.open_rest(other(seat), *both.devices[other(seat)].rest(()))
    both.locked.run_out_of_time(seat)
    assert both.locked.outcome == Outcome(other(seat), Reason.UNOPENED)
    found = faults(both.locked)
    assert f"Player {seat} did not open step {place} in the time allowed" in found
    assert all(f"Player {seat}" in fault for fault in found)
    assert replay_answer(written(both.locked).to_json().encode())["ok"]


def test_whoever_wins_must_open_the_rest() -> None:
    for seed in range(10):
        rng = Random(seed)
        both = Devices("trap-builder", {}, rng)
        both.lock()
        while both.locked.decided is None:
            both.move(rng)
            both.answer()
        winner = both.locked.decided.winner
        assert winner is not None
        loser: Seat = 2 if winner == 1 else 1
        both.locked.open_rest(loser, *both.devices[loser].rest(both.locked.boxes[loser].known))
        assert both.locked.opening == (winner,)
        both.locked.run_out_of_time(winner)
        assert both.locked.outcome == Outcome(loser, Reason.UNOPENED)
        assert all(f"Player {winner}" in fault for fault in faults(both.locked))


def test_the_coach_judges_only_what_was_opened() -> None:
    both, seat, _ = _waiting()
    both.locked.run_out_of_time(seat)
    both.locked.run_out_of_time(*both.locked.opening)
    with pytest.raises(NotNow, match="not all that was hidden was opened"):
        analyse(written(both.locked))


def test_the_loser_who_leaves_changes_nothing() -> None:
    rng = Random(2)
    both = Devices("hidden-path", {}, rng)
    both.lock()
    both.locked.resign(2)
    both.locked.open_rest(1, *both.devices[1].rest(()))
    both.locked.run_out_of_time(2)
    assert both.locked.outcome == Outcome(1, Reason.RESIGNED)
    assert [f for f in faults(both.locked) if "Player 1" in f] == []
    assert any("Player 2 never opened step 1, 2" in fault for fault in faults(both.locked))


@pytest.mark.parametrize("held", [(), (4,), (3, 4, 5, 6), tuple(range(1, 11))])
def test_a_secret_that_the_rules_do_not_allow_is_found_and_never_wins(
    held: tuple[int, ...],
) -> None:
    """Four traps, or one, or all: found when everything is open, or when no allowed secret fits."""
    both = Devices("hidden-path", {}, Random(1))
    both.devices[1].holds = {str(step): step in held for step in range(1, 11)}
    both.lock()
    rng = Random(4)
    while both.locked.decided is None:
        seat = both.locked.to_move
        assert seat is not None
        question = both.locked.question(seat)
        assert question is not None
        both.locked.play(seat, question.record(question.random(rng)))
        both.answer()
    both.open_the_rest()
    outcome = both.locked.outcome
    assert outcome is not None
    assert outcome.winner == 2
    found = faults(both.locked)
    assert any(fault.startswith("Player 1: ") for fault in found)
    assert not any("Player 2" in fault for fault in found)
    assert replay_answer(written(both.locked).to_json().encode())["ok"]


# --- what is refused ------------------------------------------------------------------------


def test_nobody_tells_a_secret_to_the_referee() -> None:
    match = LockedSecrets(make_game("hidden-path"), 1)
    with pytest.raises(NotNow, match="stay on the players' own devices"):
        match.play(1, (1, 2, 3))


def test_commitments_are_wanted_for_each_place_with_salts_of_their_own() -> None:
    match = LockedSecrets(make_game("hidden-path"), 1)
    for locks in (["0" * 64] * 10, ["0" * 64], []):
        with pytest.raises(SecretError, match="each of the 10 steps"):
            match.lock(1, locks)


def test_commitments_copied_from_the_other_open_nothing() -> None:
    """A seat is part of every commitment, so an echo of the other's secret is worth nothing."""
    both, seat, place = _waiting()
    mine, theirs = both.devices[seat], both.devices[other(seat)]
    echo = LockedSecrets(both.game, both.locked.first, match_id=both.locked.id)
    echo.lock(other(seat), theirs.locks())
    echo.lock(seat, theirs.locks())
    awaited = both.locked.awaited
    assert awaited is not None
    echo.play(awaited.by, awaited.move)
    for device in (mine, theirs):
        with pytest.raises(WrongOpening):
            echo.open(seat, *device.open(place, 0))


def test_only_what_is_asked_for_can_be_opened() -> None:
    both, seat, place = _waiting()
    elsewhere = "1" if place != "1" else "2"
    with pytest.raises(NotNow, match=f"step {place} that is to be opened"):
        both.locked.open(seat, *both.devices[seat].open(elsewhere, 0))
    with pytest.raises(NotNow, match="nothing for you to open"):
        both.locked.open(other(seat), *both.devices[other(seat)].open(place, 0))
    with pytest.raises(NotNow, match="nothing for you to open"):
        both.locked.open_rest(seat, *both.devices[seat].rest(()))


def test_a_device_opens_one_place_a_turn_whoever_asks() -> None:
    """Whoever referees cannot have a secret opened by asking for more than moves depend on."""
    device = Devices("hidden-path", {}, Random(1)).devices[1]
    assert device.open("4", 3) == device.open("4", 3)  # the answer may have been lost
    for place, turn in (("5", 3), ("5", 1), ("5", 4)):
        with pytest.raises(NotNow, match="More is asked for than moves can depend on"):
            device.open(place, turn)
    assert device.open("5", 5)[0] == "5"


def test_a_device_opens_no_more_than_a_move_past_traps_can_meet() -> None:
    """As many places a turn as a move has steps, and none after one that holds something."""
    game = make_game("trap-builder", {"trigger": "passing"})
    device = Device(game, "0" * 16, 2, [2, 6, 9])
    assert [device.open(place, 0)[1] for place in ("4", "3", "4", "2")] == [False] * 3 + [True]
    for place, turn in (("1", 0), ("5", 1), ("6", 3)):
        with pytest.raises(NotNow, match="More is asked for than moves can depend on"):
            device.open(place, turn)
    assert [device.open(place, 2)[1] for place in ("5", "6")] == [False, True]
    with pytest.raises(NotNow, match="More is asked for than moves can depend on"):
        device.open("7", 2)


def test_a_move_past_traps_opens_its_way_up_to_the_first() -> None:
    game = make_game("trap-builder", {"trigger": "passing"})
    match = LockedSecrets(game, 1, match_id="0" * 16)
    devices: dict[Seat, Device] = {
        1: Device(game, match.id, 1, [1, 5, 9]),
        2: Device(game, match.id, 2, [2, 6, 8]),
    }
    for seat, device in devices.items():
        match.lock(seat, device.locks())
    match.play(1, 3)
    while (asked := match.awaited) is not None:
        match.open(asked.seat, *devices[asked.seat].open(asked.place, asked.turn))
    assert [(one.place, one.holds) for one in match.evidence.opened] == [("1", False), ("2", True)]
    assert match.decided is not None
    assert match.decided.winner == 2


class FromOutside(HiddenPath):
    """Rules that may fail in the middle: what devices have opened could not be taken back."""


def test_only_rulebooks_are_locked() -> None:
    with pytest.raises(OptionsError, match="Hidden Path cannot be played with secrets"):
        LockedSecrets(FromOutside(Options()))


def test_games_that_hide_nothing_in_a_secret_are_not_locked() -> None:
    with pytest.raises(OptionsError, match="Numeric Maze cannot be played with secrets"):
        LockedSecrets(make_game("numeric-maze"))
    with pytest.raises(OptionsError, match="at most 50"):
        LockedSecrets(make_game("hidden-path", {"length": 80}))
