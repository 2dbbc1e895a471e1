"""Numbers, bytes and bits; some lanes alone; several threads: always the same matches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.adapters.outside import KUHN
from trapline.adapters.vector import VectorGame
from trapline.core import SEATS, IllegalMove, TraplineError
from trapline.simulate import tables
from trapline.simulate.forms import LINE, Form
from trapline.simulate.tables import IN_A_ROW

DTYPES: list[Any] = ["float32", "uint8", "bits"]


def as_bytes(games: VectorGame, seen: Any) -> Any:
    """An observation in any form as `uint8` has it."""
    if games.form.packed:
        return games.unpacked(seen)
    if seen.dtype == np.uint8:
        return seen
    turn = games.encoding.layout["turn"].start
    share = 255 * np.minimum(games.turn, games.encoding.horizon) // games.encoding.horizon
    rows = seen.astype(np.uint8)
    rows[:, turn] = share
    return rows


@pytest.mark.parametrize("name", ["trap-runner", "secret-paths", KUHN])
def test_all_forms_show_the_same_compiled_or_not(name: str) -> None:
    """A track, a grid, and a board that is laid out in plain Python."""
    every = [VectorGame(name, 30, seed=3, dtype=dtype) for dtype in DTYPES]
    every += [VectorGame(name, 30, seed=3, dtype=dtype, compiled=False) for dtype in DTYPES]
    assert every[0].compiled, every[0].why_plain
    for _ in range(25):
        for games in every:
            games.step(games.random_actions())
        for seat in (*SEATS, None):
            seen = [as_bytes(games, games.observe(seat)) for games in every]
            assert all(np.array_equal(seen[0], other) for other in seen[1:])
            assert seen[0].any()


@pytest.mark.parametrize("batch", [1, 128, 129, 300])
def test_rows_are_those_of_their_lanes_however_many_blocks_there_are(batch: int) -> None:
    """Rows of a block are written while the next is stepped, the last ones after it."""
    for dtype in DTYPES:
        games = VectorGame("trap-runner", batch, seed=5, dtype=dtype)
        out = games.observe()
        for _ in range(40):
            out[:] = 7
            games.step(games.random_actions(), out=out)
            assert np.array_equal(out, games.observe())
            both = [games.observe(seat) for seat in SEATS]
            mine = np.where((games.to_act == 1)[:, None], *both)
            assert np.array_equal(out, mine)


@pytest.mark.parametrize("auto_reset", [True, False])
def test_a_whole_row_is_written_whatever_lay_there_and_nothing_beside_it(auto_reset: bool) -> None:
    """In lanes that were left out too, in an array that lies anywhere in memory."""
    for dtype in DTYPES:
        games = VectorGame("trap-builder", 150, seed=4, dtype=dtype, auto_reset=auto_reset)
        size = games.batch * games.form.width
        room = np.full(size + 2, 7, games.form.dtype)
        out = room[1:-1].reshape(games.batch, games.form.width)
        for step in range(40):
            out[:] = 7
            where = np.arange(games.batch) % 3 != step % 3
            _, done = games.step(games.random_actions(where), where=where, out=out)
            assert np.array_equal(out, games.observe())
            assert room[0] == room[-1] == 7
        assert auto_reset or done.any()


def test_rows_that_are_shorter_than_what_is_written_at_once_are_as_long_as_they_should_be() -> None:
    for dtype in DTYPES:
        short = VectorGame("trap-runner", 30, seed=3, dtype=dtype, length=3, max_step=1)
        plain = VectorGame(
            "trap-runner", 30, seed=3, dtype=dtype, length=3, max_step=1, compiled=False
        )
        assert short.features < LINE
        for _ in range(15):
            for games in (short, plain):
                games.step(games.random_actions())
            assert np.array_equal(short.observe(), plain.observe())


def test_turns_are_shown_alike_whether_looked_up_or_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tables, "MOST_LOOKED_UP", 3)
    for dtype in DTYPES:
        games = VectorGame("trap-runner", 40, seed=3, dtype=dtype)
        plain = VectorGame("trap-runner", 40, seed=3, dtype=dtype, compiled=False)
        for _ in range(25):
            for each in (games, plain):
                each.step(each.random_actions())
            assert np.array_equal(games.observe(), plain.observe())
        assert games.turn.max() > 3


@pytest.mark.slow
@pytest.mark.parametrize("name", ["trap-runner", KUHN])
@pytest.mark.parametrize("compiled", [True, False])
def test_one_pass_shows_what_a_second_look_shows(name: str, compiled: bool) -> None:
    for dtype in DTYPES:
        games = VectorGame(name, 90, seed=3, dtype=dtype, compiled=compiled)
        again = VectorGame(name, 90, seed=3, dtype=dtype, compiled=compiled)
        out = np.empty_like(games.observe())
        for _ in range(25):
            one = games.step(games.random_actions(), out=out)
            two = again.step(again.random_actions())
            assert np.array_equal(out, again.observe())
            assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def test_a_turn_fills_its_byte_and_no_more() -> None:
    """From nothing to 255 at the limit, in rising steps, beside the bits of the last feature."""
    forms: Any = {}
    for dtype in DTYPES:
        games = VectorGame("numeric-maze", 1, dtype=dtype, turn_limit=40, auto_reset=False)
        shares = []
        while games.to_act[0]:
            shares.append(int(as_bytes(games, games.observe(1))[0, _turn_at(games)]))
            games.step([int(np.flatnonzero(games.mask[0])[0])])
        shares.append(int(as_bytes(games, games.observe(1))[0, _turn_at(games)]))
        forms[dtype] = shares
    assert forms["float32"] == forms["uint8"] == forms["bits"]
    assert forms["bits"] == sorted(set(forms["bits"]))
    assert forms["bits"][0] == 0


def _turn_at(games: VectorGame) -> int:
    return int(games.encoding.layout["turn"].start)


@pytest.mark.parametrize("compiled", [True, False])
def test_only_some_lanes_are_stepped(compiled: bool) -> None:
    some = VectorGame("trap-runner", 40, seed=5, compiled=compiled, auto_reset=False)
    where = np.arange(40) % 3 == 0
    for _ in range(60):
        before = [some.observe(seat) for seat in SEATS], some.mask.copy(), some.to_act.copy()
        actions = np.where(where, some.random_actions(where), 10**6)  # the others' are ignored
        rewards, done = some.step(actions, where=where)
        assert not rewards[~where].any()
        assert not done[~where].any()
        for seat, shown in zip(SEATS, before[0], strict=True):
            assert np.array_equal(some.observe(seat)[~where], shown[~where])
        assert np.array_equal(some.mask[~where], before[1][~where])
        assert np.array_equal(some.to_act[~where], before[2][~where])
    assert (some.turn[~where] == 0).all()
    assert (some.turn[where] > 0).all()
    with pytest.raises(IllegalMove, match="in lane 1;"):
        some.step(np.full(40, 10**6), where=~where)


def test_nothing_is_drawn_for_lanes_that_are_left_out() -> None:
    games = VectorGame("hidden-path", 9, seed=1)
    seeds = games._lanes.seeds.copy()
    where = np.arange(9) == 4
    assert np.flatnonzero(games.random_actions(where)).tolist() == [4]
    assert np.flatnonzero(games._lanes.seeds != seeds).tolist() == [4]


@pytest.mark.parametrize("threads", [2, 3, 50])
def test_threads_change_nothing(threads: int) -> None:
    one = VectorGame("trap-runner", 37, seed=2, dtype="uint8")
    many = VectorGame("trap-runner", 37, seed=2, dtype="uint8", threads=threads)
    seen = [games.observe() for games in (one, many)]
    for _ in range(40):
        stepped = [
            games.step(games.random_actions(), out=out)
            for games, out in zip((one, many), seen, strict=True)
        ]
        assert np.array_equal(seen[0], seen[1])
        for a, b in zip(*stepped, strict=True):
            assert np.array_equal(a, b)
    assert one.play_random(30) == many.play_random(30)
    assert np.array_equal(one.observe(2), many.observe(2))


def test_what_does_not_fit_is_refused_before_anything_changes() -> None:
    games = VectorGame("hidden-path", 3, dtype="bits")
    before = games.observe()
    actions = games.random_actions()
    for wrong in (np.zeros((3, 3), np.float32), np.zeros((6, 3), np.uint64)[::2]):
        with pytest.raises(TraplineError, match=r"uint64 with shape \(3, 3\), in one piece"):
            games.step(actions, out=wrong)
    with pytest.raises(TraplineError, match="3 truth values"):
        games.step(actions, where=np.ones(2, np.bool_))
    assert np.array_equal(before, games.observe())
    with pytest.raises(TraplineError, match="rows of 3 numbers of 64 bits"):
        games.unpacked(np.zeros((3, 2), np.uint64))
    with pytest.raises(TraplineError, match="dtype must be one of float32, uint8, bits, not"):
        VectorGame("hidden-path", 3, dtype="float64")  # type: ignore[arg-type]
    with pytest.raises(TraplineError, match="threads must be a whole number of at least 1, not 0"):
        VectorGame("hidden-path", 3, threads=0)


def test_a_form_says_how_wide_it_is() -> None:
    encoding = VectorGame("hidden-path", 1).encoding
    widths = [Form(encoding, dtype).width for dtype in DTYPES]
    assert widths == [encoding.size, encoding.size, (encoding.size + 8 + 63) // 64]


@pytest.mark.parametrize("name", ["hidden-path", "secret-paths"])
def test_secrets_are_shown_alike_whether_or_not_their_places_lie_in_a_row(name: str) -> None:
    """Those of all our games do, which is quicker; others are looked up one by one."""
    quick, one_by_one = (VectorGame(name, 40, seed=8, dtype="uint8") for _ in range(2))
    rows: Any = one_by_one._lanes.tables.rows  # type: ignore[union-attr]  # they are compiled
    assert rows[:, IN_A_ROW].any()
    rows[:, IN_A_ROW] = 0
    for _ in range(20):
        for games in (quick, one_by_one):
            games.step(games.random_actions())
        for seat in SEATS:
            assert np.array_equal(quick.observe(seat), one_by_one.observe(seat))


@pytest.mark.parametrize("dtype", DTYPES)
def test_what_is_observed_begins_on_a_line_of_the_cache_and_can_be_written_again(
    dtype: Any,
) -> None:
    games = VectorGame("numeric-maze", 7, seed=1, dtype=dtype)
    for _ in range(4):
        seen = games.observe()
        assert seen.ctypes.data % LINE == 0
        games.step(games.random_actions(), out=seen)
        assert np.array_equal(seen, games.observe())
