"""What is compiled, what is not, and the sentence that says why."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pytest

from trapline import core
from trapline.adapters.vector import VectorGame
from trapline.boards import Fact, Panel
from trapline.core import ONGOING, ask_number, drawn, won
from trapline.games import GAMES, make_game
from trapline.simulate.compiled import MOST_PLACES, compile_game
from trapline.simulate.lowering import NotCompilable

if TYPE_CHECKING:
    from collections.abc import Iterator


class State(core.State, frozen=True, gc=False):
    total: int


class Sums(core.Game[State]):
    """Add 1 or 2 in turn; who reaches ten wins."""

    name, title, summary = "sums", "Sums", "A race to ten."

    def __init__(self, options: Any) -> None:
        self.options = options
        self.add = ask_number("add", (1, 2))

    def start(self, first: core.Seat) -> State:
        return State(first, 0, ONGOING, 0)

    def question(self, state: State, seat: core.Seat) -> core.Question | None:
        return self.add if seat == state.mover else None

    def apply(self, state: State, seat: core.Seat, answer: int) -> State:
        total = state.total + answer
        outcome = won(seat, "ten") if total >= 10 else ONGOING
        return State(3 - seat, state.turn + 1, outcome, total)

    def events(self, *_: Any) -> Iterator[core.AnyEvent]:
        yield from ()

    def board(self, state: State, seat: core.Viewer, over: bool) -> Panel:
        return Panel((Fact("total", state.total, 11),))


class ByList(Sums):
    def apply(self, state: State, seat: core.Seat, answer: int) -> State:
        numbers = [str(state.total), str(answer)]
        total = sum(int(number) for number in numbers)
        return State(3 - seat, state.turn + 1, won(seat, "ten") if total > 9 else ONGOING, total)


class ByMethod(Sums):
    """Rules may be spread over methods, keywords and copies."""

    def apply(self, state: State, seat: core.Seat, answer: int) -> State:
        """A docstring that is not compiled."""
        total: int = self._sum(state.total, more=answer)
        if total.bit_length() > 3 and total.bit_count() > 1:
            return msgspec.structs.replace(
                state, mover=3 - seat, turn=state.turn + 1, total=total,
                outcome=won(seat, reason="ten", score=3),
            )  # fmt: skip
        return State(mover=3 - seat, turn=state.turn + 1, outcome=ONGOING, total=total)

    def _sum(self, one: int, more: int = 0) -> int:
        return one + more


class Reasoning(Sums):
    def apply(self, state: State, seat: core.Seat, answer: int) -> State:
        return State(3 - seat, state.turn + 1, drawn(f"after {answer}"), state.total)


class Texts(Sums):
    def __init__(self, options: Any) -> None:
        super().__init__(options)
        self.word = "ten"

    def question(self, state: State, seat: core.Seat) -> core.Question | None:
        return self.add if self.word and seat == state.mover else None


def sums(kind: type[Sums]) -> Sums:
    return kind(core.Options())


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (ByList, "Numba says"),
        (Reasoning, "a match ends for a reason that is not a fixed text"),
        (Texts, "neither a number nor a question"),
    ],
)
def test_what_cannot_be_compiled_is_stepped_all_the_same(kind: type[Sums], why: str) -> None:
    games = VectorGame(sums(kind), 20, seed=1)
    assert not games.compiled
    assert games.why_plain.startswith("Sums is stepped in plain Python: ")
    assert why in games.why_plain
    assert games.why_plain.endswith(".")
    tally = games.play_random(30)
    assert tally.turns == 600
    assert sum(tally[1:]) > 20
    assert games.observe().shape == (20, games.features)


def test_methods_keywords_and_copies_compile() -> None:
    compiled = VectorGame(sums(ByMethod), 30, seed=2)
    plain = VectorGame(sums(ByMethod), 30, seed=2, compiled=False)
    assert compiled.compiled, compiled.why_plain
    for _ in range(40):
        actions = compiled.random_actions()
        for one, two in zip(
            compiled.step(actions), plain.step(plain.random_actions()), strict=True
        ):
            assert np.array_equal(one, two)
    assert [compiled.state(i) for i in range(30)] == [plain.state(i) for i in range(30)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "fits", "too_large"),
    [("hidden-path", {"length": 62}, {"length": 63}), ("secret-paths", {"size": 7}, {"size": 9})],
)
def test_boards_that_do_not_fit_into_64_bits_are_plain(
    name: str, fits: Any, too_large: Any
) -> None:
    large = VectorGame(name, 3, **too_large)
    assert not large.compiled
    assert f"more than {MOST_PLACES} places" in large.why_plain
    assert large.play_random(40).turns == 120
    one, two = (
        VectorGame(name, 9, seed=4, **fits),
        VectorGame(name, 9, seed=4, compiled=False, **fits),
    )
    assert one.compiled
    assert one.play_random(60) == two.play_random(60)
    assert np.array_equal(one.observe(), two.observe())


@pytest.mark.parametrize("name", GAMES)
def test_no_rule_is_restated(name: str) -> None:
    """What is compiled is the text of the game's own functions."""
    text = Path(compile_game(make_game(name)).module.__file__).read_text("utf-8")
    for function in ("question(self, state, seat)", "apply(self, state, seat, answer)"):
        assert f"@inlined\ndef {function}:" in text
    assert "@inlined\ndef board(self, state, seat, over, row_):" in text


def test_numbers_of_more_than_64_bits_are_refused() -> None:
    game = sums(Sums)
    game.add = ask_number("add", (1, 2))
    game.large = 1 << 64  # type: ignore[attr-defined]

    class Large(Sums):
        def apply(self, state: State, seat: core.Seat, answer: int) -> State:
            return State(3 - seat, state.turn + 1 + self.large, ONGOING, answer)  # type: ignore[attr-defined]

    game.__class__ = Large
    with pytest.raises(NotCompilable, match="64 bits"):
        compile_game(game)


def test_of_two_processes_one_compiles_and_the_other_takes_it(tmp_path: Path) -> None:
    """Even if they begin together; and neither needs more than a folder it may write to."""
    code = (
        "from trapline.adapters.vector import VectorGame\n"
        "games = VectorGame('numeric-maze', 4, seed=1)\n"
        "print(*games.play_random(99))\n"
        "print(sum(games._lanes.module.play_all.stats.cache_hits.values()))"
    )
    command, env = [sys.executable, "-c", code], {**os.environ, "TRAPLINE_COMPILED": str(tmp_path)}
    both = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    one, two = (process.communicate()[0].split() for process in both)
    assert one[:-1] == two[:-1]
    assert sorted([one[-1], two[-1]]) == ["0", "1"]
