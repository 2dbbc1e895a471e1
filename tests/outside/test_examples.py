"""Games from outside: each is one file, and everything that a rulebook can do, it can."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pyspiel
import pytest

from tests.outside.examples import FILES, IDS, ROOT, example, random_match, random_step
from trapline.boards import decode_view
from trapline.checking import look
from trapline.core import SEATS
from trapline.games import find_game, make_game, origin, rules_digest
from trapline.referee import Match, parse_record, replay_answer, verify

if TYPE_CHECKING:
    from pathlib import Path

each = pytest.mark.parametrize("path", FILES, ids=IDS)


@each
def test_is_one_short_file_and_nothing_is_said_of_it_elsewhere(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 120
    kind = find_game(str(path))
    for file in (ROOT / "src").rglob("*.py"):
        text = file.read_text("utf-8")
        assert not re.search(rf"[\"']{re.escape(kind.name)}[\"']|\b{kind.__name__}\b\(", text), file
    assert origin(kind.name) == str(path)


@each
def test_random_matches_are_recorded_verified_and_replayed(path: Path) -> None:
    game, rng = make_game(str(path)), Random(1)
    for _ in range(40):
        match = random_match(game, rng)
        record = match.record()
        assert record.rules == rules_digest(type(game))
        assert [check for check in verify(record) if check.fault] == []
        data = record.to_json().encode()
        assert parse_record(data) == record
        answer = replay_answer(data)
        assert answer["ok"]
        assert answer["outcome"]["reason"] == record.result.reason  # type: ignore[union-attr]
        assert "rules" not in answer
        restored = Match.restore(parse_record(data))
        for seat in (*SEATS, None):
            assert restored.view(seat) == match.view(seat)


@each
def test_a_match_goes_on_from_every_moment(path: Path) -> None:
    game, rng = make_game(str(path)), Random(2)
    for _ in range(10):
        match = Match(game, rng=rng)
        while match.outcome is None:
            saved = match.sealed_record().to_json().encode()
            restored = Match.restore(parse_record(saved))
            for seat in (*SEATS, None):
                assert restored.view(seat) == match.view(seat)
            random_step(match, rng)


@each
def test_every_answer_survives_being_typed(path: Path) -> None:
    game, rng = make_game(str(path)), Random(3)
    match = Match(game, rng=rng)
    while match.outcome is None:
        for seat in match.asked:
            question = match.question(seat)
            assert question is not None
            for value in question.values():
                assert match.read(seat, question.text(value)) == (question.record(value),)
        random_step(match, rng)


@each
def test_views_are_told_drawn_and_survive_encoding(path: Path) -> None:
    game, rng = make_game(str(path)), Random(4)
    match = Match(game, rng=rng)
    names = {1: "Ann", 2: "Ben"}
    while match.outcome is None:
        for seat in (*SEATS, None):
            view = match.view(seat)
            said = game.words(game, view, names)  # type: ignore[arg-type]
            assert all(isinstance(line, str) for line in said.account({}))
            assert said.question()
            board: Any = view.board
            assert all(line.endswith(".") for line in board.words(names, game.place))
            assert board.drawing(names, seat, plain=True, width=40).lines
            assert board.picture(names, seat).shapes
            assert {*board.numbers(seat or 1)} == {*board.planes()}
            assert decode_view(msgspec.json.encode(view)) == view
        random_step(match, rng)


# --- the same games in OpenSpiel --------------------------------------------------------


def outcomes(match: Match) -> list[float]:
    assert match.outcome is not None
    return [match.outcome.result(seat) for seat in SEATS]


def test_kuhn_poker_is_open_spiels() -> None:
    other, rng = pyspiel.load_game("kuhn_poker"), Random(5)
    for _ in range(60):
        match, state = Match(example("kuhn"), 1, rng=rng), other.new_initial_state()
        for seat in SEATS:
            state.apply_action(match.view(seat).board.facts[seat - 1].value - 1)  # type: ignore[attr-defined]
        while match.outcome is None:
            (seat,) = match.asked
            assert state.current_player() == seat - 1
            question = match.question(seat)
            assert question is not None
            assert sorted(question.values()) == state.legal_actions()
            value = question.random(rng)
            match.play(seat, question.record(value))
            state.apply_action(value)
        assert state.returns() == outcomes(match)


def test_liars_dice_is_open_spiels() -> None:
    other, rng = pyspiel.load_game("liars_dice(numdice=1,dice_sides=4)"), Random(6)
    liar = 8
    for _ in range(200):
        match, state = Match(example("liars_dice"), 1, rng=rng), other.new_initial_state()
        for seat in SEATS:
            state.apply_action(match.view(seat).board.facts[seat - 1].value - 1)  # type: ignore[attr-defined]
        while match.outcome is None:
            (seat,) = match.asked
            question = match.question(seat)
            assert question is not None
            legal = sorted((value - 1) if value else liar for value in question.values())
            assert legal == sorted(state.legal_actions())
            value = question.random(rng)
            match.play(seat, question.record(value))
            state.apply_action((value - 1) if value else liar)
        assert state.returns() == outcomes(match)


def test_goofspiel_is_open_spiels() -> None:
    other = pyspiel.load_game(
        "goofspiel(num_cards=4,points_order=descending,returns_type=win_loss,imp_info=False)"
    )
    rng = Random(7)
    for _ in range(100):
        match, state = Match(example("goofspiel"), 1, rng=rng), other.new_initial_state()
        while match.outcome is None:
            bids = []
            for seat in SEATS:
                question = match.question(seat)
                assert question is not None
                if not state.is_terminal():
                    assert [v - 1 for v in question.values()] == state.legal_actions(seat - 1)
                bids.append(question.random(rng))
                match.play(seat, bids[-1])
            if not state.is_terminal():  # the last card is played by itself there
                state.apply_actions([bid - 1 for bid in bids])
        assert state.returns() == outcomes(match)


def test_battleship_is_open_spiels() -> None:
    other = pyspiel.load_game(
        "battleship(board_width=2,board_height=2,ship_sizes=[2],ship_values=[1],num_shots=3,"
        "allow_repeated_shots=False,loss_multiplier=1.0)"
    )
    rng = Random(8)
    for _ in range(100):
        match, state = Match(example("battleship"), 1, rng=rng), other.new_initial_state()
        while match.outcome is None:
            seat = match.asked[0]
            assert state.current_player() == seat - 1
            question = match.question(seat)
            assert question is not None
            known = {_named(state, action): action for action in state.legal_actions()}
            assert {question.text(value) for value in question.values()} == set(known)
            value = question.random(rng)
            match.play(seat, question.record(value))
            state.apply_action(known[question.text(value)])
        assert state.is_terminal()
        assert state.returns() == outcomes(match)


def _named(state: Any, action: int) -> str:
    """What OpenSpiel says of an action, in our words."""
    said = state.action_to_string(action)
    r, c = (int(digit) + 1 for digit in re.findall(r"\((\d), (\d)\)", said)[0])
    if "shoot" in said:
        return f"{r},{c}"
    return f"{r},{c}-{r},{c + 1}" if "horizontally" in said else f"{r},{c}-{r + 1},{c}"


@pytest.mark.parametrize("misere", [False, True])
def test_nim_is_open_spiels(misere: bool) -> None:
    other = pyspiel.load_game(f"nim(pile_sizes=3;4;5,is_misere={misere})")
    rng = Random(9)
    game = example("nim", piles=(3, 4, 5), misere=misere)
    for _ in range(60):
        match, state = Match(game, 1, rng=rng), other.new_initial_state()
        while match.outcome is None:
            (seat,) = match.asked
            assert state.current_player() == seat - 1
            piles = {int(action % 3) for action in state.legal_actions()}
            question = match.question(seat)
            assert question is not None
            assert {value - 1 for value in question.values()} == piles
            pile = question.random(rng)
            match.play(seat, pile)
            taking = match.question(seat)
            assert taking is not None
            take = taking.random(rng)
            match.play(seat, take)
            state.apply_action((pile - 1) + (take - 1) * 3)
        assert state.returns() == outcomes(match)


@pytest.mark.slow
@each
def test_is_sound(path: Path) -> None:
    """No crash, no dead end, no leak, nothing forgotten."""
    report = look(str(path), {})
    assert report.findings == ()
