"""What every game must do; a game from outside is tested by lying in the folder of examples."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from tests import rules, worlds
from trapline.boards import decode_view
from trapline.core import CHANCE, SEATS, Game, InvalidMove, Seat, asked
from trapline.games import GAMES, changed_options, find_game, make_game
from trapline.referee import Match, Walk, parse_record, replay_answer, verify

EXAMPLES = sorted(Path(__file__).parent.parent.joinpath("examples", "games").glob("*.py"))
GAME_NAMES = [*GAMES, *map(str, EXAMPLES)]

pytestmark = pytest.mark.parametrize("name", GAME_NAMES, ids=lambda name: Path(name).stem)

MATCHES = 60


def games(name: str, rng: Random, count: int = MATCHES) -> list[Game[Any]]:
    """The game under different options; one from outside under its own."""
    if name not in worlds.SMALL:
        return [make_game(name)] * count
    return [make_game(name, worlds.random_options(name, rng)) for _ in range(count)]


def test_describes_itself(name: str) -> None:
    game = make_game(name)
    assert find_game(game.name) is type(game)
    assert game.title
    assert game.summary.endswith((".", "?", "!"))
    assert game.rules().startswith(f"# {game.title}\n")
    assert changed_options(game) == {}


def test_random_play_ends_with_a_typed_outcome(name: str) -> None:
    rng = Random(name)
    for game in games(name, rng):
        match = worlds.random_match(game, rng)
        assert match.outcome is not None
        assert match.outcome.winner in (1, 2, None)
        for seat in (*SEATS, None):
            view = match.view(seat)
            assert view.outcome == match.outcome
            assert view.question is None
            assert view.to_move is None


def test_somebody_is_asked_until_the_end_and_answers_are_distinct(name: str) -> None:
    rng = Random(name)
    for game in games(name, rng, 20):
        state = game.start(rng.choice(SEATS))
        while state.outcome is None:
            actors = asked(game, state)
            assert actors
            for actor in actors:
                question = game.chance(state) if actor == CHANCE else game.question(state, actor)
                assert question is not None
                assert question.count() > 0
                records = [answer.record for answer in question.answers]
                assert len(set(records)) == len(records)
                assert len({answer.text for answer in question.answers}) == len(records)
            state = _random_step(game, state, rng)


def _random_step(game: Game[Any], state: Any, rng: Random) -> Any:
    actor = rng.choice(asked(game, state))
    if actor == CHANCE:
        drawn = game.chance(state)
        assert drawn is not None
        return game.dealt(state, drawn.random(rng))
    question = game.question(state, actor)
    assert question is not None
    return game.apply(state, actor, question.random(rng))


def test_answers_given_at_once_may_come_in_either_order(name: str) -> None:
    rng = Random(name)
    for game in games(name, rng, 20):
        state = game.start(rng.choice(SEATS))
        while state.outcome is None:
            if asked(game, state) == SEATS:
                one, two = (game.question(state, seat) for seat in SEATS)
                assert one is not None
                assert two is not None
                first, second = one.random(rng), two.random(rng)
                forwards = game.apply(game.apply(state, 1, first), 2, second)
                assert forwards == game.apply(game.apply(state, 2, second), 1, first)
            state = _random_step(game, state, rng)


def test_a_turn_counts_once_and_belongs_to_one_or_to_both(name: str) -> None:
    rng = Random(name)
    for game in games(name, rng, 20):
        state = game.start(rng.choice(SEATS))
        acted: set[int] = set()
        while state.outcome is None:
            actors = asked(game, state)
            after = _random_step(game, state, rng)
            assert after.turn - state.turn in (0, 1)
            assert not (state.mover and set(actors) - {CHANCE, state.mover}) or state.turn == 0
            acted = set() if after.turn > state.turn else acted | set(actors)
            state = after


def test_states_are_values_that_rules_leave_alone(name: str) -> None:
    rng = Random(name)
    for game in games(name, rng, 10):
        state = game.start(1)
        while state.outcome is None:
            before = msgspec.json.encode(state)
            hash(state)
            after = _random_step(game, state, rng)
            for viewer in (*SEATS, None):
                game.board(state, viewer, False)
            assert msgspec.json.encode(state) == before
            state = after


def test_whatever_is_no_answer_is_refused_in_a_sentence(name: str) -> None:
    rng = Random(name)
    match = Match(make_game(name), rng=rng)
    while match.outcome is None:
        seat = rng.choice(match.asked)
        for text in ("", "nonsense", "?", "9" * 40, "\x1b[2J", "1,2,x"):
            with pytest.raises(InvalidMove, match=r"\.$") as caught:
                match.play(seat, *match.read(seat, text))
            assert str(caught.value).isprintable()
        question = match.question(seat)
        assert question is not None
        match.play(seat, question.record(question.random(rng)))


def test_answers_survive_text_and_record(name: str) -> None:
    rng = Random(name)
    for game in games(name, rng, 20):
        match = Match(game, rng=rng)
        while match.outcome is None:
            seat = rng.choice(match.asked)
            question = match.question(seat)
            assert question is not None
            value = question.random(rng)
            form, text = question.record(value), question.text(value)
            assert question.value(form) == value
            assert question.value(msgspec.json.decode(msgspec.json.encode(form))) == value
            assert match.read(seat, f"  {text.upper()} ") == (form,)
            match.play(seat, form)


def test_turns_survive_the_record(name: str) -> None:
    rng = Random(name)
    for game in games(name, rng, 20):
        record = worlds.random_match(game, rng).record()
        walk = Walk(parse_record(record.to_json().encode()))
        turns: dict[int, dict[Seat, tuple[Any, ...]]] = {}
        for step in walk.steps():
            if step.seat != CHANCE and step.turn >= 0:
                held = turns.setdefault(step.turn, {})
                held[step.seat] = (*held.get(step.seat, ()), step.answer)
        written = [
            game.write_turn(answers[seat])
            if len(answers) == 1
            else {str(s): game.write_turn(answers[s]) for s in sorted(answers)}
            for answers in turns.values()
            for seat in list(answers)[:1]
        ]
        assert written == record.moves


def test_a_record_brings_the_same_match_back(name: str) -> None:
    rng = Random(name)
    for game in games(name, rng):
        match = worlds.random_match(game, rng)
        record = match.record()
        assert [check.what for check in verify(record) if check.fault] == []
        data = record.to_json().encode()
        again = parse_record(data)
        assert again == record
        assert again.to_json().encode() == data
        restored = Match.restore(again)
        for seat in (*SEATS, None):
            assert restored.view(seat) == match.view(seat)
        answer = replay_answer(data)
        assert answer["ok"]
        assert answer["outcome"]["reason"] == match.outcome.reason  # type: ignore[union-attr]


def test_a_match_can_be_put_away_at_any_moment(name: str) -> None:
    rng = Random(name)
    for game in games(name, rng, 8):
        match = Match(game, rng=rng)
        while match.outcome is None:
            sealed = match.sealed_record()
            restored = Match.restore(parse_record(sealed.to_json().encode()))
            assert restored.sealed_record() == sealed
            for viewer in (*SEATS, None):
                assert restored.view(viewer) == match.view(viewer)
            seat = rng.choice(match.asked)
            question = match.question(seat)
            assert question is not None
            form = question.record(question.random(rng))
            for one in (match, restored):
                one.play(seat, form)
            for viewer in (*SEATS, None):
                assert restored.view(viewer) == match.view(viewer)


def test_views_survive_encoding(name: str) -> None:
    rng = Random(name)
    match = worlds.random_match(make_game(name), rng)
    for seat in (*SEATS, None):
        data = msgspec.json.encode(match.view(seat))
        assert msgspec.json.encode(decode_view(data)) == data


def test_a_spectator_is_asked_nothing_and_sees_no_secret_before_the_end(name: str) -> None:
    rng = Random(name)
    game = make_game(name)
    match = Match(game, 1)
    for seat, secret in rules.random_secrets(game, rng).items():
        match.play(seat, secret)
    view = match.view(None)
    assert view.secret is None
    assert view.secrets is None
    assert view.question is None


def test_boards_speak_and_draw_within_the_width(name: str) -> None:
    rng = Random(name)
    names = {1: "Ann", 2: "Ben"}
    for game in games(name, rng, 10):
        match = Match(game, rng=rng)
        while match.outcome is None:
            for viewer in (*SEATS, None):
                board = match.view(viewer).board
                assert all(line.endswith(".") for line in board.words(names, game.place))  # type: ignore[arg-type]
                for plain in (True, False):
                    drawing = board.drawing(names, viewer, plain=plain, width=40)  # type: ignore[arg-type]
                    lines = ["".join(text for text, _ in line) for line in drawing.lines]
                    assert all(len(line) <= 40 for line in lines)
                    assert not plain or all(line.isascii() for line in lines)
            seat = rng.choice(match.asked)
            question = match.question(seat)
            assert question is not None
            match.play(seat, question.record(question.random(rng)))


def test_numbers_of_a_board_stay_within_their_planes(name: str) -> None:
    rng = Random(name)
    for game in games(name, rng, 10):
        match = Match(game, rng=rng)
        planes = match.view(1).board.planes()
        while match.outcome is None:
            for seat in SEATS:
                board = match.view(seat).board
                assert board.planes() == planes
                numbers = board.numbers(seat)
                assert numbers.keys() == planes.keys()
                for part, ones in numbers.items():
                    assert all(0 <= one < planes[part] for one in ones)
            seat = rng.choice(match.asked)
            question = match.question(seat)
            assert question is not None
            match.play(seat, question.record(question.random(rng)))


def test_a_game_that_mirrors_is_the_same_for_both_seats(name: str) -> None:
    """Played with the seats exchanged and every place mirrored, a match looks the same."""
    rng = Random(name)
    for game in games(name, rng, 20):
        if not game.mirrors:
            continue
        match, twin = Match(game, 1), Match(game, 2)
        while match.outcome is None:
            for seat in SEATS:
                board = match.view(seat).board
                assert twin.view(3 - seat).board == board.mirrored()  # type: ignore[arg-type]
                assert board.mirrored().mirrored() == board
            seat = rng.choice(match.asked)
            question = match.question(seat)
            assert question is not None
            form = question.record(question.random(rng))
            match.play(seat, form)
            twin.play(3 - seat, _mirrored(question, form, match.view(seat).board))  # type: ignore[arg-type]
        assert twin.outcome is not None


def _mirrored(question: Any, form: Any, board: Any) -> Any:
    """Places are mirrored; what is no place, such as a number of steps, stays."""
    if question.choose:
        return tuple(sorted(board.mirror(part) for part in form))
    return board.mirror(form) if isinstance(form, tuple) else form


def test_open_turns_tell_no_secret(name: str) -> None:
    """Two people look at one board: with other secrets, the same questions are put to them."""
    rng = Random(17)
    for game in games(name, rng, 20):
        if not game.open_turns:
            continue
        worlds_apart = Match(game, 1), Match(game, 1)
        for match in worlds_apart:
            for seat in SEATS:
                question = match.question(seat)
                assert question is not None
                match.play(seat, question.record(question.random(rng)))
        one, two = worlds_apart
        while one.view(None).board == two.view(None).board and one.outcome is two.outcome is None:
            assert [one.question(seat) for seat in SEATS] == [two.question(seat) for seat in SEATS]
            (seat,) = one.asked
            question = one.question(seat)
            assert question is not None
            answer = question.record(question.random(rng))
            for match in worlds_apart:
                match.play(seat, answer)
