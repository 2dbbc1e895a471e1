"""Hidden Path for two who draw their runs apart from their secrets: histories that meet are one."""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pytest

from tests.games.paths import SMALL, asking, path
from tests.solve import plain
from trapline.core import SEATS, Seat
from trapline.games.hidden_path.solving import both
from trapline.games.hidden_path.solving.apart.graph import connect
from trapline.games.hidden_path.solving.apart.method import ApartMethod, ApartSolution
from trapline.games.hidden_path.solving.apart.policy import ApartPolicy
from trapline.games.hidden_path.solving.apart.side import Secrets, Side, answered
from trapline.games.hidden_path.solving.apart.training import Learner
from trapline.games.hidden_path.solving.doubts import explore
from trapline.games.hidden_path.solving.duel.tree import measure
from trapline.games.hidden_path.solving.path_method import PathMethod
from trapline.games.hidden_path.solving.race.races import secrets_of
from trapline.solve.checkpoints import Checkpoints
from trapline.solve.interface import Certificate, Request

if TYPE_CHECKING:
    from pathlib import Path

    from trapline.games.hidden_path.solving.doubts import Hidden


@cache
def solved(number: int) -> ApartSolution:
    return ApartMethod(path(SMALL[number])).solve(Request(target=1e-4))


def test_two_who_look_at_each_other_prove_what_blind_runners_leave_open() -> None:
    """3/7, where blind runners come from 0 to 1/2 (`docs/hidden-path-bounds.md`)."""
    lower, upper = solved(4).bounds
    assert lower <= 3 / 7 <= upper
    assert upper - lower <= 2e-4


def every(number: int) -> Hidden:
    game = path(SMALL[number])
    return explore(game.length, game.options.max_step, secrets_of(game))


def test_histories_that_meet_are_one_state() -> None:
    running = every(4)
    game = path(SMALL[4])
    hiding = explore(game.length, 3, running.secrets, by_sprung=True)
    graph, whole = connect(1, running, hiding, 10_000), measure((running, running), 10_000)
    assert graph is not None
    assert whole is not None
    assert len(graph.states) < whole.nodes / 3
    for x, state in enumerate(graph.states):
        assert (graph.edges["after"][state["edge"] :][: state["moves"]] < x).all()
    assert connect(1, running, hiding, len(graph.states)) is not None
    assert connect(1, running, hiding, len(graph.states) - 1) is None


def test_a_rival_knows_which_traps_were_sprung() -> None:
    """Secrets that leave the same traps may be unlike otherwise, and so may what is believed."""
    secrets = (0b0110, 0b1010, 0b1100, 0b10010)
    found, merged = explore(5, 2, secrets, by_sprung=True), explore(5, 2, secrets)
    assert len(found.left) > len(merged.left)
    for left, gone in zip(found.left, found.sprung, strict=True):
        assert set((left | gone).tolist()) <= set(secrets)


@pytest.mark.parametrize(
    ("options", "last", "states"),
    [
        ({"length": 8, "traps": 2, "goal_traps": False}, 0, 6_844),
        ({"length": 10, "traps": 4, "max_step": 2, "goal_traps": False}, 12, 74_384),
    ],
)
def test_as_many_states_as_the_docs_say(options: dict[str, Any], last: int, states: int) -> None:
    game = path(options)
    running = explore(game.length, game.options.max_step, secrets_of(game))
    listed = running.secrets[-last:]
    hiding = explore(game.length, game.options.max_step, listed, by_sprung=True)
    graph = connect(1, running, hiding, 100_000)
    assert graph is not None
    assert len(graph.states) == states


def hurried(seat: Seat, running: Hidden) -> Side:
    hiding = explore(
        running.doubts.length, running.doubts.max_step, running.secrets, by_sprung=True
    )
    graph, secrets = connect(seat, running, hiding, 10_000, hurries=True), Secrets(hiding)
    whole = connect(seat, running, hiding, 10_000)
    assert graph is not None
    assert whole is not None
    assert len(graph.states) < len(whole.states)
    count = len(running.secrets)
    learner = Learner(graph, secrets, np.full(count, 1 / count))
    for _ in range(50):
        learner.iterate()
    plan = learner.average()
    return Side(seat, running, hiding, True, graph, plan, answered(graph, secrets, plan))


@pytest.mark.parametrize("seat", SEATS)
def test_who_hurries_keeps_what_was_proven(seat: Seat) -> None:
    """And no more than there is: the other may make any move."""
    game, running = path(SMALL[4]), every(4)
    one, two = (hurried(role, running) for role in SEATS)
    assert one.bound <= 3 / 7 <= two.bound
    got = plain.by_secret(game, seat, asking(ApartPolicy(game, (one, two))), first=1)
    assert max(got.values()) == pytest.approx(two.bound if seat == 1 else -one.bound, abs=1e-6)


def test_a_kept_plan_is_proven_anew() -> None:
    found, way = solved(3), PathMethod(path(SMALL[3])).parts()[3]
    assert way.name == found.facts.method
    again = way.restore(found.facts, found.pack())
    assert again is not None
    assert again.bounds == found.bounds
    better = msgspec.structs.replace(found.facts, bounds=(found.bounds[0] + 1e-3, found.bounds[1]))
    assert way.restore(better, found.pack()) is None
    plans = msgspec.msgpack.decode(found.pack())
    for kept in (
        [],
        plans[:1],
        [[secrets, hurries, mix, b"no chances"] for secrets, hurries, mix, _ in plans],
        [[[], hurries, mix, moves] for _, hurries, mix, moves in plans],
        [[secrets, hurries, mix[4:], moves] for secrets, hurries, mix, moves in plans],
        [[secrets, hurries, bytes(len(mix)), moves] for secrets, hurries, mix, moves in plans],
        [[[*secrets, 1 << 9], hurries, mix, moves] for secrets, hurries, mix, moves in plans],
    ):
        with pytest.raises(ValueError, match="another game"):
            way.restore(found.facts, msgspec.msgpack.encode(kept))


def test_a_search_that_was_killed_goes_on_from_the_best_plan(tmp_path: Path) -> None:
    """Another search with the same files has a proof at once; a damaged file costs only time."""
    game, files = path(SMALL[4]), Checkpoints(tmp_path / "game.solution")
    whole = solved(4)
    for seat in SEATS:
        side = whole.policy.side(seat)
        arrays = [np.array(side.hiding.secrets), *side.plan]
        files.of(f"apart {seat}").keep(arrays, {"hurries": 0.0})
    request = Request(target=1e-4, checkpoints=files)
    late = ApartMethod(game).solve(request._replace(deadline=time.monotonic()))
    assert late.bounds == pytest.approx(whole.bounds, abs=1e-6)
    other = ApartMethod(path(SMALL[3])).solve(request)  # whose secrets and states are others
    assert other.exploitability <= 1e-4
    for seat in SEATS:
        kept_file = files.of(f"apart {seat}").file
        assert kept_file is not None
        kept_file.write_bytes(kept_file.read_bytes()[:-1])
    assert ApartMethod(game).solve(request).exploitability <= 1e-4


def test_an_interrupt_leaves_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_noted: int, _proven: Certificate) -> None:
        raise KeyboardInterrupt

    way = ApartMethod(path(SMALL[4]))
    monkeypatch.setattr(both, "OFTEN", 0.0)
    lower, upper = way.solve(Request(0.0, progress=interrupt)).bounds
    assert way.interrupted
    assert lower <= 3 / 7 <= upper


@pytest.mark.slow
def test_a_path_of_which_trees_are_too_large() -> None:
    """Ten steps, four traps and `max_step` 2: exactly 0 is a bound that simple strategies prove."""
    game = path({"length": 10, "traps": 4, "max_step": 2, "goal_traps": False})
    lower, upper = ApartMethod(game).solve(Request(target=0.01)).bounds
    assert lower <= 0.0 <= upper
    assert upper - lower <= 0.02
