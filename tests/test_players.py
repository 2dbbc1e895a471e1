"""The computer opponents."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests import leaks, rules, worlds
from trapline.contest import act, next_asked, play_out
from trapline.core import SEATS, Forfeit, other
from trapline.games import GAMES, make_game
from trapline.players import PLAYERS
from trapline.players import worlds as possible
from trapline.referee import Match

if TYPE_CHECKING:
    from trapline.core import Form, Game, Seat, View

EXAMPLES = sorted((Path(__file__).parents[1] / "examples" / "games").glob("*.py"))
EVERY_GAME = [*GAMES, *map(str, EXAMPLES)]


def short(spec: str) -> str:
    return Path(spec).stem


def play(game: Game[Any], players: dict[Seat, str], first: Seat, rng: Random) -> Match:
    match = Match(game, first, rng=rng)
    choose = {seat: PLAYERS[players[seat]].choose for seat in SEATS}
    assert play_out(match, choose, lambda _view: rng) is None
    return match


@pytest.mark.parametrize("player", ["random", "casual", "sharp"])
@pytest.mark.parametrize("name", GAMES)
def test_plays_any_options_to_the_end(name: str, player: str) -> None:
    rng = Random(f"{name} {player}")
    for _ in range(3 if player == "sharp" else 40):
        game = make_game(name, worlds.random_options(name, rng))
        assert play(game, {1: player, 2: player}, 1, rng).outcome is not None


@pytest.mark.parametrize("player", ["random", "casual", "sharp"])
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_plays_games_from_outside_to_the_end(path: Path, player: str) -> None:
    rng = Random(f"{path.stem} {player}")
    game = make_game(str(path))
    for first in SEATS:
        assert play(game, {1: player, 2: player}, first, rng).outcome is not None


@pytest.mark.parametrize("name", GAMES)
def test_perfect_plays_small_options_to_the_end(name: str) -> None:
    rng = Random(name)
    for options in worlds.SMALL[name]:
        game = make_game(name, options)
        for first in SEATS:
            assert play(game, {1: "perfect", 2: "casual"}, first, rng).outcome is not None


def test_perfect_plays_what_is_too_large_to_solve_like_sharp() -> None:
    game = make_game("hidden-path", {"length": 30})
    rng = Random(3)
    assert play(game, {1: "perfect", 2: "random"}, 1, rng).outcome is not None


# --- how strong they are ----------------------------------------------------------------


def score(spec: str, better: str, worse: str, matches: int) -> float:
    """The mean result of one level against another, seats and first move alternating."""
    rng = Random(f"{short(spec)} {better} {worse}")
    game = make_game(spec)
    total = 0.0
    for number in range(matches):
        seat: Seat = 1 if number % 2 else 2
        players: dict[Seat, str] = {1: worse, 2: worse}
        players[seat] = better
        match = play(game, players, 1 if number % 4 < 2 else 2, rng)
        assert match.outcome is not None
        total += match.outcome.result(seat)
    return total / matches


@pytest.mark.parametrize("name", GAMES)
def test_casual_is_at_least_as_good_as_random(name: str) -> None:
    # Trap Builder between a beginner and a casual player is mostly luck.
    assert score(name, "casual", "random", 600) > (0.0 if name == "trap-builder" else 0.5)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_casual_is_better_than_random_where_a_game_calls_nothing_tempting(path: Path) -> None:
    assert score(str(path), "casual", "random", 200) > 0.0


@pytest.mark.slow
@pytest.mark.parametrize("spec", EVERY_GAME, ids=short)
def test_sharp_is_at_least_as_good_as_casual(spec: str) -> None:
    # Level play would stay above this; Secret Paths is mostly drawn, and its matches are long.
    matches = 4 if spec == "secret-paths" else 60
    assert score(spec, "sharp", "casual", matches) > -0.2


def test_sharp_takes_a_win_that_lies_before_it() -> None:
    game = make_game("numeric-maze")
    for seed in range(20):
        match = Match(game, 1)
        for step in (3, 1, 3, 1, 3, 1, 3, 1, 2, 1, 3, 1):
            seat = match.to_move
            assert seat is not None
            match.play(seat, step)
        assert match.view(None).board.positions == (17, 1)  # type: ignore[attr-defined]
        assert PLAYERS["sharp"].choose(match.view(1), Random(seed)) == 3


# --- what they may know -----------------------------------------------------------------


@pytest.mark.parametrize("spec", EVERY_GAME, ids=short)
def test_worlds_look_as_what_the_player_sees(spec: str) -> None:
    rng = Random(f"worlds {short(spec)}")
    game = make_game(spec)
    drawn, found, asked = 0, 0, 0
    for _ in range(12):
        match = Match(game, rng.choice(SEATS), rng=rng)
        while match.outcome is None and asked < 60:
            seat = rng.choice(match.asked)
            view = match.view(seat)
            asked += 1
            for state in (game.likely_world(view, rng), possible.search(game, view, rng)):
                if state is not None:
                    assert game.board(state, seat, False) == view.board
                    assert game.question(state, seat) == view.question
                    assert (state.turn, state.outcome) == (view.turn, None)
            found += state is not None
            drawn += possible.sample(view, rng) is not None
            match.play(seat, PLAYERS["random"].choose(view, rng))
    assert drawn == asked
    assert found > asked / 2


@pytest.mark.slow
@pytest.mark.parametrize("player", ["random", "casual", "sharp"])  # perfect: tests/solve
@pytest.mark.parametrize("name", [name for name in GAMES if name != "numeric-maze"])
def test_chooses_the_same_in_worlds_it_cannot_tell_apart(name: str, player: str) -> None:
    rng = Random(f"same {name} {player}")
    game = make_game(name)
    choose = PLAYERS[player].choose
    compared = 0
    while compared < 60:
        record = worlds.random_record(game, rng, rng.randint(2, 10))
        first: Seat = record["first"]
        turns = [game.read_turn(value) for value in record["moves"]]
        turns = [tuple(tuple(a) if isinstance(a, list) else a for a in turn) for turn in turns]
        secrets: dict[Seat, Any] = {
            seat: tuple(record["secrets"][str(seat)]) for seat in SEATS if "secrets" in record
        }
        mover: Seat = first if len(turns) % 2 == 0 else other(first)
        rival = other(mover)
        if rules.hides_secrets(game):
            other_world = {**secrets, rival: rules.random_secrets(game, rng)[rival]}
            other_turns = turns
        else:
            other_world = secrets
            other_turns = [
                turn[:1] if len(turn) == 2 and (index % 2 == 0) == (rival == first) else turn
                for index, turn in enumerate(turns)
            ]
        try:
            known = leaks.seen(game, first, secrets, turns, (), mover)
            if known != leaks.seen(game, first, other_world, other_turns, (), mover):
                continue
        except AssertionError:
            continue
        if known[0] == "over":
            continue
        seed = rng.random()
        choices = [
            choose(replayed(game, first, *world).view(mover), Random(seed))
            for world in ((secrets, turns), (other_world, other_turns))
        ]
        assert choices[0] == choices[1]
        compared += 1


def replayed(
    game: Game[Any], first: Seat, secrets: dict[Seat, Any], turns: list[tuple[Form, ...]]
) -> Match:
    match = Match(game, first)
    for seat, secret in secrets.items():
        match.play(seat, secret)
    for turn in turns:
        seat = next_asked(match) or 1
        match.play(seat, *turn)
        if next_asked(match) == seat:
            match.play(seat, "n")
    return match


# --- the loop that lets them act --------------------------------------------------------


def test_a_program_is_not_asked_what_has_one_answer() -> None:
    match = Match(make_game("trap-runner", {"max_step": 1}), 1)

    def never(view: View, rng: Random) -> Form:
        raise AssertionError

    assert act(match, 1, never, lambda _view: Random(1)) is None
    assert match.to_move == 2


def test_a_program_without_an_answer_resigns() -> None:
    match = Match(make_game("numeric-maze"), 1)

    def lost(view: View, rng: Random) -> Form:
        raise Forfeit("No answer came.")

    forfeit = play_out(match, {1: lost, 2: lost}, lambda _view: Random(1))
    assert str(forfeit) == "No answer came."
    assert match.outcome is not None
    assert match.outcome.winner == 2


def test_programs_stop_where_a_person_is_asked() -> None:
    match = Match(make_game("numeric-maze"), 2)
    play_out(match, {2: PLAYERS["random"].choose}, lambda _view: Random(1))
    assert match.asked == (1,)
    assert match.view(1).turn == 1
