"""Actions, masks and observations say what the rules say, in numbers."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import worlds
from tests.adapters.outside import ANY_GAME, OUTSIDE
from trapline.adapters.encoding import Encoding
from trapline.adapters.numbered import NumberedMatch
from trapline.boards import Track
from trapline.core import SEATS, IllegalMove, Moved, OptionsError, other
from trapline.games import GAMES, make_game
from trapline.simulate import recall

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Seat

SMALL = [(name, options) for name, variants in worlds.SMALL.items() for options in variants]


def moments(encoding: Encoding, rng: Random) -> Iterator[NumberedMatch]:
    """Every moment of one match of random play."""
    match = NumberedMatch(encoding, rng=rng)
    yield match
    while match.actor is not None:
        match.act(rng.choice(match.legal(match.actor)))
        yield match


@given(st.sampled_from(list(GAMES)), st.randoms(use_true_random=False))
def test_any_options_have_actions_and_observations(name: str, rng: Random) -> None:
    encoding = Encoding(make_game(name, worlds.random_options(name, rng)))
    assert len(set(encoding.names)) == encoding.actions
    for question in encoding.questions:
        for action, value in zip(encoding.legal(question), question.values(), strict=False):
            if not question.choose:
                assert encoding.take(question, 0, action) == (value, True)
    covered = [i for part in encoding.layout.values() for i in range(part.start, part.stop)]
    assert covered == list(range(encoding.size))
    match = NumberedMatch(encoding, rng=rng)
    for _ in range(40):
        if match.actor is None:
            break
        for seat in SEATS:
            seen = match.observe(seat)
            assert seen.shape == (encoding.size,)
            assert seen.dtype == np.float32
            assert (seen >= 0).all()
            assert (seen <= 1).all()
            legal = np.flatnonzero(match.mask(seat))
            assert bool(len(legal)) == (seat == match.actor)
        match.act(rng.choice(match.legal(match.actor)))


@given(st.sampled_from(["hidden-path", "trap-builder"]), st.randoms(use_true_random=False))
def test_every_secret_has_one_path_and_no_path_is_a_dead_end(name: str, rng: Random) -> None:
    options: dict[str, object] = {
        "length": rng.randint(3, 7),
        "traps": rng.randint(1, 3),
        "max_step": rng.randint(2, 3),
        "walls": rng.random() < 0.4,
    }
    game = worlds_game(name, options)
    if game is None:
        return
    encoding = Encoding(game)

    question = game.question(game.start(1), 1)

    def paths(chosen: int) -> Iterator[int]:
        following = encoding.legal(question, chosen)
        assert following
        for action in following:
            more, whole = encoding.take(question, chosen, action)
            assert whole == (more.bit_count() == encoding.secret_parts)
            if whole:
                yield more
            else:
                yield from paths(more)

    assert list(paths(0)) == list(question.values())


def worlds_game(name: str, options: dict[str, object]) -> Any:
    try:
        return make_game(name, options)
    except OptionsError:
        return None


def test_a_goal_cell_is_one_choice_in_ones_own_row() -> None:
    encoding = Encoding(make_game("secret-paths", {"size": 3}))
    assert encoding.names[-3:] == ("goal column 1", "goal column 2", "goal column 3")
    for seat, row in ((1, 3), (2, 1)):
        question: Any = encoding.game.question(encoding.game.start(1), seat)  # type: ignore[arg-type]
        legal = encoding.legal(question)
        assert [encoding.names[action] for action in legal] == list(encoding.names[-3:])
        values = [encoding.take(question, 0, action) for action in legal]
        assert [question.record(value) for value, _ in values] == [
            (row, column) for column in (1, 2, 3)
        ]
        assert all(whole for _, whole in values)


@pytest.mark.parametrize("name", GAMES)
def test_an_observation_shows_what_the_view_shows(name: str) -> None:
    rng = Random(name)
    encoding = Encoding(make_game(name))
    for _ in range(8):
        for match in moments(encoding, rng):
            for seat in SEATS:
                _compare(encoding, match, seat)


def _compare(encoding: Encoding, match: NumberedMatch, seat: Seat) -> None:
    view = match.view(seat)
    parts = {part: match.observe(seat)[place] for part, place in encoding.layout.items()}
    places = {part: list(np.flatnonzero(numbers)) for part, numbers in parts.items()}
    assert places["seat"] == [seat - 1]
    assert places["first"] == [0] * (view.first == seat)
    assert parts["turn"][0] == pytest.approx(min(1, view.turn / encoding.horizon))
    assert places["result"] == (
        [{1: 0, 0: 1, -1: 2}[int(match.result(seat))]] if view.outcome else []
    )
    if isinstance(view.board, Track):
        board, rival = view.board, other(seat)
        assert places["my_position"] == [board.positions[seat - 1]]
        assert places["their_position"] == [board.positions[rival - 1]]
        for whose, owner in (("my", seat), ("their", rival)):
            traps = [trap for trap in board.traps if trap.owner == owner]
            assert places[f"{whose}_traps"] == sorted(trap.at for trap in traps if trap.live)
            assert places[f"{whose}_sprung"] == sorted(trap.at for trap in traps if trap.sprung)
        if view.secret:
            secret: Any = view.secret
            assert places["secret"] == [square - 1 for square in secret]
        asked = view.asks == "trap"
        moves = [e.start for e in view.events if isinstance(e, Moved) and e.by == seat]
        assert places["left"] == (moves[-1:] if asked else [])
    else:
        grid: Any = view.board
        row, column = grid.seeker
        assert places["seeker"] == [(row - 1) * grid.size + column - 1]
        assert len(places["their_goal"]) == (view.outcome is not None)


@pytest.mark.parametrize(("name", "options"), [item for item in SMALL if item[0] != "secret-paths"])
def test_a_hidden_trap_lies_only_where_there_is_doubt(name: str, options: dict[str, Any]) -> None:
    """Compared with the other player's own observation, which knows."""
    encoding = Encoding(make_game(name, options))
    at, rng = encoding.layout, Random(name)
    hidden = 0
    for _ in range(60):
        for match in moments(encoding, rng):
            if match.actor is None or not match.match.ready:
                continue
            for seat in SEATS:
                mine, theirs = match.observe(seat), match.observe(other(seat))
                unknown = theirs[at["my_traps"]] - mine[at["their_traps"]] > 0
                # A trap set in a turn that is not over yet is news to nobody else.
                if match.actor == seat or not encoding.game.seals_turns:
                    assert (mine[at["my_doubt"]][unknown] == 1).all()
                    hidden += int(unknown.sum())
    assert hidden > 20 or name == "numeric-maze"


def test_a_turn_of_trap_runner_asks_for_a_trap_whether_or_not_one_could_be_set() -> None:
    """Only from 0, which everybody sees, and after the winning move there is no question."""
    encoding = Encoding(make_game("trap-runner", {"length": 12, "max_step": 2, "turn_limit": 60}))
    rng = Random(5)
    forced = 0
    for _ in range(200):
        match = NumberedMatch(encoding, 1)
        while match.actor is not None:
            seat: Any = match.actor
            board: Any = match.view(None).board
            from_start = board.stand(seat) == 0
            before = {viewer: match.view(viewer) for viewer in (other(seat), None)}
            match.act(rng.choice(match.legal(seat)))
            if match.match.outcome is not None:
                break
            if from_start:
                assert match.actor != seat
                continue
            assert match.actor == seat
            assert {viewer: match.view(viewer) for viewer in before} == before
            legal = [encoding.names[action] for action in match.legal(seat)]
            assert legal in (["n"], ["n", "t"])
            forced += legal == ["n"]
            match.act(rng.choice(match.legal(seat)))
            assert match.actor != seat
    assert forced > 20


def test_what_is_not_legal_is_refused_with_a_sentence_and_changes_nothing() -> None:
    match = NumberedMatch(Encoding(make_game("hidden-path")), 1)
    for action in (0, -1, 99):
        with pytest.raises(IllegalMove, match=r"is no legal action now; these are: 3 \(trap 1\)"):
            match.act(action)
    assert match.observe(1)[match.encoding.layout["secret"]].sum() == 0
    rng = Random(1)
    while match.actor is not None:
        match.act(rng.choice(match.legal(match.actor)))
    with pytest.raises(IllegalMove, match="over"):
        match.act(0)


def test_actions_of_the_rulebooks_are_called_as_ever() -> None:
    names = {name: Encoding(make_game(name)).names for name in GAMES}
    traps = tuple(f"trap {square}" for square in range(1, 11))
    cells = tuple(f"{row},{column}" for row in range(1, 6) for column in range(1, 6))
    assert names == {
        "hidden-path": ("1", "2", "3", *traps),
        "trap-builder": ("1", "2", "3", *traps[:9]),
        "trap-runner": ("1", "2", "3", "n", "t"),
        "secret-paths": (*cells, *(f"goal column {column}" for column in range(1, 6))),
        "numeric-maze": ("1", "2", "3"),
    }


@pytest.mark.parametrize("name", OUTSIDE)
def test_any_game_has_actions_and_information_states(name: str) -> None:
    """Whoever has seen and done the same has the same information, as text and as numbers."""
    rng = Random(name)
    encoding = Encoding(make_game(name))
    assert len(set(encoding.names)) == encoding.actions
    numbers: dict[str, bytes] = {}
    for _ in range(60):
        for match in moments(encoding, rng):
            for seat in SEATS:
                text = match.information_state(seat)
                tensor = match.information_tensor(seat)
                assert len(tensor) == recall.size(encoding)
                assert numbers.setdefault(text, tensor.tobytes()) == tensor.tobytes()
    assert len(set(numbers.values())) == len(numbers)


@pytest.mark.parametrize("name", ANY_GAME)
def test_a_fork_goes_its_own_way(name: str) -> None:
    rng = Random(name)
    for match in moments(Encoding(make_game(name)), rng):
        before = all_seen(match)
        twin = match.fork()
        assert all_seen(twin) == before
        for _ in range(4):
            if twin.actor is not None:
                twin.act(rng.choice(twin.legal(twin.actor)))
        assert all_seen(match) == before


def all_seen(match: NumberedMatch) -> Any:
    actions = [match.legal(seat) for seat in SEATS]
    return [match.view(viewer) for viewer in (*SEATS, None)], actions, match.actor
