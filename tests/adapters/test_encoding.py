"""Actions, masks and observations say what the rules say, in numbers."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import worlds
from trapline.adapters.encoding import Encoding
from trapline.adapters.table import Table
from trapline.core import SEATS, IllegalMove, Moved, OptionsError, Track, other
from trapline.games import GAMES, make_game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Seat

SMALL = [(name, options) for name, variants in worlds.SMALL.items() for options in variants]


def moments(encoding: Encoding, rng: Random) -> Iterator[Table]:
    """Every moment of one match of random play."""
    table = Table(encoding, rng=rng)
    yield table
    while table.actor is not None:
        table.act(rng.choice(table.legal(table.actor)))
        yield table


@given(st.sampled_from(list(GAMES)), st.randoms(use_true_random=False))
def test_any_options_have_actions_and_observations(name: str, rng: Random) -> None:
    encoding = Encoding(make_game(name, worlds.random_options(name, rng)))
    assert len(set(encoding.names)) == encoding.actions
    assert [encoding.action(choice) for choice in encoding.choices] == list(range(encoding.actions))
    covered = [i for part in encoding.layout.values() for i in range(part.start, part.stop)]
    assert covered == list(range(encoding.size))
    table = Table(encoding, rng=rng)
    for _ in range(40):
        if table.actor is None:
            break
        for seat in SEATS:
            seen = table.observe(seat)
            assert seen.shape == (encoding.size,)
            assert seen.dtype == np.float32
            assert (seen >= 0).all()
            assert (seen <= 1).all()
            legal = np.flatnonzero(table.mask(seat))
            assert bool(len(legal)) == (seat == table.actor)
        table.act(rng.choice(table.legal(table.actor)))


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

    def paths(chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        secret = encoding.secret(1, chosen)
        if secret is not None:
            assert len(chosen) == encoding.secret_parts
            yield secret
            return
        following = game.next_traps(chosen)
        assert following
        for square in following:
            yield from paths((*chosen, square))

    assert list(paths(())) == list(game.secrets(1))


def worlds_game(name: str, options: dict[str, object]) -> Any:
    try:
        return make_game(name, options)
    except OptionsError:
        return None


def test_a_goal_cell_is_one_choice_in_ones_own_row() -> None:
    encoding = Encoding(make_game("secret-paths", {"size": 3}))
    for seat, row in ((1, 3), (2, 1)):
        assert [encoding.secret(seat, (column,)) for column in (1, 2, 3)] == [  # type: ignore[arg-type]
            (row, column) for column in (1, 2, 3)
        ]


@pytest.mark.parametrize("name", GAMES)
def test_an_observation_shows_what_the_view_shows(name: str) -> None:
    rng = Random(name)
    encoding = Encoding(make_game(name))
    for _ in range(8):
        for table in moments(encoding, rng):
            for seat in SEATS:
                _compare(encoding, table, seat)


def _compare(encoding: Encoding, table: Table, seat: Seat) -> None:
    view = table.view(seat)
    parts = {part: table.observe(seat)[place] for part, place in encoding.layout.items()}
    places = {part: list(np.flatnonzero(numbers)) for part, numbers in parts.items()}
    assert places["seat"] == [seat - 1]
    assert places["first"] == [0] * (view.first == seat)
    assert parts["turn"][0] == pytest.approx(min(1, view.turn / encoding.horizon))
    assert places["result"] == (
        [{1: 0, 0: 1, -1: 2}[int(table.result(seat))]] if view.outcome else []
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
            assert places["secret"] == list(view.secret)
        asked = view.asks == "trap"
        moves = [e.start for e in view.events if isinstance(e, Moved) and e.by == seat]
        assert places["left"] == (moves[-1:] if asked else [])
    else:
        row, column = view.board.seeker
        assert places["seeker"] == [(row - 1) * view.board.size + column - 1]
        assert len(places["their_goal"]) == (view.outcome is not None)


@pytest.mark.parametrize(("name", "options"), [item for item in SMALL if item[0] != "secret-paths"])
def test_a_hidden_trap_lies_only_where_there_is_doubt(name: str, options: dict[str, Any]) -> None:
    """Compared with the other player's own observation, which knows."""
    encoding = Encoding(make_game(name, options))
    at, rng = encoding.layout, Random(name)
    hidden = 0
    for _ in range(60):
        for table in moments(encoding, rng):
            if table.actor is None or not table.match.ready:
                continue
            for seat in SEATS:
                mine, theirs = table.observe(seat), table.observe(other(seat))
                unknown = theirs[at["my_traps"]] - mine[at["their_traps"]] > 0
                # A trap set in a turn that is not over yet is news to nobody else.
                if table.actor == seat or not encoding.game.hides_turns:
                    assert (mine[at["my_doubt"]][unknown] == 1).all()
                    hidden += int(unknown.sum())
    assert hidden > 20 or name == "numeric-maze"


def test_a_turn_of_trap_runner_takes_two_actions_whether_or_not_a_trap_could_be_set() -> None:
    encoding = Encoding(make_game("trap-runner", {"length": 5, "max_step": 2, "turn_limit": 9}))
    rng = Random(5)
    forced = 0
    for _ in range(200):
        table = Table(encoding, 1)
        while table.actor is not None:
            seat = table.actor
            before = {viewer: table.view(viewer) for viewer in (other(seat), None)}
            table.act(rng.choice(table.legal(seat)))
            if table.match.outcome is not None:
                break
            assert table.actor == seat
            assert {viewer: table.view(viewer) for viewer in before} == before
            legal = [encoding.names[action] for action in table.legal(seat)]
            assert legal in (["n"], ["n", "t"])
            forced += legal == ["n"]
            table.act(rng.choice(table.legal(seat)))
            assert table.actor != seat
    assert forced > 50


def test_what_is_not_legal_is_refused_with_a_sentence_and_changes_nothing() -> None:
    table = Table(Encoding(make_game("hidden-path")), 1)
    for action in (0, -1, 99):
        with pytest.raises(IllegalMove, match=r"is no legal action now; these are: 3 \(trap 1\)"):
            table.act(action)
    assert table.observe(1)[table.encoding.layout["secret"]].sum() == 0
    rng = Random(1)
    while table.actor is not None:
        table.act(rng.choice(table.legal(table.actor)))
    with pytest.raises(IllegalMove, match="over"):
        table.act(0)


@pytest.mark.parametrize("name", GAMES)
def test_a_fork_goes_its_own_way(name: str) -> None:
    rng = Random(name)
    for table in moments(Encoding(make_game(name)), rng):
        before = all_seen(table)
        twin = table.fork()
        assert all_seen(twin) == before
        for _ in range(4):
            if twin.actor is not None:
                twin.act(rng.choice(twin.legal(twin.actor)))
        assert all_seen(table) == before


def all_seen(table: Table) -> Any:
    actions = [table.legal(seat) for seat in SEATS]
    return [table.view(viewer) for viewer in (*SEATS, None)], actions, table.actor
