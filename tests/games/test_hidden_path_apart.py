"""Hidden Path for two who draw their runs apart from their secrets: histories that meet are one."""

from __future__ import annotations

import time
import zlib
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pytest

from tests.games.paths import SMALL, asking, path
from tests.solve import plain
from trapline.core import SEATS, Seat
from trapline.games.hidden_path.solving import both
from trapline.games.hidden_path.solving.apart import search, training
from trapline.games.hidden_path.solving.apart.graph import Manner, connect
from trapline.games.hidden_path.solving.apart.keeping import Kept, kept_of, packed
from trapline.games.hidden_path.solving.apart.lines import Line
from trapline.games.hidden_path.solving.apart.lots import alone
from trapline.games.hidden_path.solving.apart.method import ApartMethod, ApartSolution
from trapline.games.hidden_path.solving.apart.policy import ApartPolicy
from trapline.games.hidden_path.solving.apart.side import Beliefs, Side, answered
from trapline.games.hidden_path.solving.apart.training import Learner
from trapline.games.hidden_path.solving.apart.trial import FIRST_LOOK, Trial
from trapline.games.hidden_path.solving.doubts import explore, in_a_hurry, one_way
from trapline.games.hidden_path.solving.duel.tree import measure
from trapline.games.hidden_path.solving.path_method import PathMethod
from trapline.games.hidden_path.solving.race.races import secrets_of
from trapline.solve.checkpoints import Checkpoints
from trapline.solve.interface import Certificate, Request, TooLarge

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


def never() -> bool:
    return False


def free(running: Hidden, knowing: int = 0) -> Manner:
    """To make any move."""
    doubts = running.doubts
    return Manner(np.full(doubts.fewest.shape, (1 << doubts.max_step) - 1, np.int16), knowing)


def test_histories_that_meet_are_one_state() -> None:
    running = every(4)
    game = path(SMALL[4])
    hiding = explore(game.length, 3, running.secrets, by_sprung=True)
    manner, whole = free(running), measure((running, running), 10_000)
    graph = connect(1, running, hiding, manner, 10_000)
    assert graph is not None
    assert whole is not None
    assert len(graph.states) < whole.nodes / 3
    for x, state in enumerate(graph.states):
        assert (graph.edges["after"][state["edge"] :][: state["moves"]] < x).all()
    assert connect(1, running, hiding, manner, len(graph.states)) is not None
    assert connect(1, running, hiding, manner, len(graph.states) - 1) is None


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
    graph = connect(1, running, hiding, free(running), 100_000)
    assert graph is not None
    assert len(graph.states) == states


@pytest.mark.parametrize("knowing", range(4))
def test_signals_are_given_by_choices_alone(knowing: int) -> None:
    """Each choice that is made by the secret gives one of its own signals, and states after it know
    all that were given; no more than so many were."""
    running = every(4)
    game = path(SMALL[4])
    hiding = explore(game.length, 3, running.secrets, by_sprung=True)
    graph = connect(1, running, hiding, free(running, knowing), 100_000)
    apart = connect(1, running, hiding, free(running), 100_000)
    assert graph is not None
    assert apart is not None
    assert (len(graph.states) > len(apart.states)) == (knowing > 0)
    before, begin, depth = graph.signals
    assert depth.max() == knowing
    assert (before[1:] < begin[1:]).all()
    assert (depth[1:] == depth[before[1:]] + 1).all()
    signal = graph.beliefs // len(hiding.left)
    told = set(range(1, len(before)))
    for state in graph.states[graph.states["knows"] > 0]:
        edges = graph.edges[state["edge"] :][: state["moves"]]
        given = range(state["knows"], state["knows"] + state["moves"])
        for e, number in zip(edges, given, strict=True):
            assert before[number] == signal[state["rivals"]]
            assert signal[e["doubt"]].tolist() == [number, number]
            told.remove(number)
    assert not told


def trained(seat: Seat, running: Hidden, manner: Manner, iterations: int) -> Side:
    hiding = explore(
        running.doubts.length, running.doubts.max_step, running.secrets, by_sprung=True
    )
    graph, count = connect(seat, running, hiding, manner, 100_000), len(running.secrets)
    assert graph is not None
    beliefs = Beliefs(hiding, graph)
    learner = Learner(graph, beliefs, np.full(count, 1 / count))
    for _ in range(iterations):
        learner.iterate()
    plan = learner.average()
    return Side(seat, running, hiding, manner, graph, plan, answered(graph, beliefs, plan))


def hurried(running: Hidden) -> Manner:
    return Manner(in_a_hurry(running.doubts) | one_way(running.doubts), 0)


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize(
    ("number", "knowing"),
    [
        (4, None),
        (3, 1),
        (3, 3),
        pytest.param(4, 3, marks=pytest.mark.slow),
    ],
)
def test_who_gives_something_up_keeps_what_was_proven(
    number: int, knowing: int | None, seat: Seat
) -> None:
    """And no more than there is: the other may make any move, and sees what moves tell. Without a
    number of choices that are made by the secret it is somebody who hurries."""
    game, running = path(SMALL[number]), every(number)
    manner = hurried(running) if knowing is None else free(running, knowing)
    one, two = (trained(role, running, manner, 50) for role in SEATS)
    lower, upper = solved(number).bounds
    assert one.bound <= upper
    assert lower <= two.bound
    got = plain.by_secret(game, seat, asking(ApartPolicy(game, (alone(one), alone(two)))), first=1)
    assert max(got.values()) == pytest.approx(two.bound if seat == 1 else -one.bound, abs=1e-6)
    if knowing:
        assert np.ptp((one if seat == 1 else two).plan.chances, axis=1).max() > 0.1


def test_to_know_the_own_traps_is_worth_something() -> None:
    """Nine steps with two traps, the goal free, are worth 0.24 (`docs/hidden-path-bounds.md`); who
    never looks at the own traps proves no more than 0.143 and 0.300."""
    game = path({"length": 9, "traps": 2, "goal_traps": False})
    lower, upper = ApartMethod(game).solve(Request(target=0.006)).bounds
    assert lower <= 0.2405 <= upper
    assert upper - lower <= 0.012


def test_another_graph_goes_on_from_what_was_learnt() -> None:
    """With one choice less by the secret, and a secret more: what was kept is soon kept again."""
    running = every(4)
    some, most = running.secrets[-5:], running.secrets[-6:]
    hidden = [explore(8, 3, secrets, by_sprung=True) for secrets in (some, most)]
    trials: list[Trial] = []
    for hiding, manner in zip(hidden, (free(running, 2), free(running, 1)), strict=True):
        graph = connect(1, running, hiding, manner, 100_000)
        assert graph is not None
        mix, before = dict.fromkeys(hiding.secrets, 1.0), trials[-1] if trials else None
        trials.append(Trial(1, (running, hiding), manner, graph, mix, before))
        looks = iter(trials[-1].train(never))
        while trials[-1].iterations < (200 if before is None else 60):
            next(looks)
    graph = connect(1, running, hidden[1], free(running, 1), 100_000)
    assert graph is not None
    mix = dict.fromkeys(most, 1.0)
    anew = Trial(1, (running, hidden[1]), free(running, 1), graph, mix, None)
    next(iter(anew.train(never)))
    assert trials[1].kept > anew.kept + 0.05


def on_eight_steps(depth: int, before: Trial | None = None, traps: int = 1) -> Trial:
    """The first mover's graph, with five secrets."""
    running = explore(8, 3, secrets_of(path({"length": 8, "traps": traps, "goal_traps": False})))
    hiding = explore(8, 3, running.secrets[-5:], by_sprung=True)
    graph = connect(1, running, hiding, free(running, depth), 100_000)
    assert graph is not None
    mix = dict.fromkeys(hiding.secrets, 1.0)
    return Trial(1, (running, hiding), free(running, depth), graph, mix, before)


def test_who_may_choose_by_the_secret_from_now_on_is_as_sure_as_before() -> None:
    """Without regret for what it did, a secret would do something else at once; the same where a
    choice is no longer made by it."""
    before: Trial | None = None
    for depth in (0, 1, 0):
        trial = on_eight_steps(depth, before)
        if before is not None:
            chances, regrets = trial.learner.told if depth else trial.learner.run
            assert np.any(regrets > 0)
            graph = trial.learner.graph
            begins = graph.signals.begin if depth else None
            first = 1 if depth else int(graph.states["edge"][-1])
            moves = int((begins == 1).sum()) if begins is not None else len(regrets) - first
            one = slice(first, first + moves)
            positive = np.maximum(regrets[one], 0.0)
            assert np.allclose(positive / positive.sum(axis=0), chances[one])
        for _ in range(100):
            trial.learner.iterate()
        before = trial


def test_a_look_that_comes_too_soon_is_none_in_vain() -> None:
    """Who is trained a moment at a time is looked at after every moment, and not given up."""
    trial = on_eight_steps(1)
    for _ in range(FIRST_LOOK - 1):
        assert len(list(trial.train(lambda: True))) == 1
        assert trial.in_vain == 0


def looked_at(trial: Trial, iterations: int) -> Trial:
    """After as many, or a few more."""
    looks = trial.train(never)
    while trial.iterations < iterations:
        next(looks)
    return trial


def test_where_nobody_comes_it_is_enough_to_look_now_and_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As much is kept after as many iterations, and most of them pass most states by."""
    by_turns = looked_at(on_eight_steps(1, traps=2), 400)
    monkeypatch.setattr(training, "EVERYWHERE", 1)
    everywhere = looked_at(on_eight_steps(1, traps=2), 400)
    assert by_turns.kept == pytest.approx(everywhere.kept, abs=2e-3)
    come = [np.mean(trial.learner.where_both_come) for trial in (by_turns, everywhere)]
    assert come[0] < 0.1
    assert come[0] < come[1]


def test_a_promise_is_too_good_at_first_and_then_comes_true() -> None:
    trial = on_eight_steps(1, traps=2)
    assert looked_at(trial, FIRST_LOOK).promise == trial.kept
    early = looked_at(trial, 60).promise
    kept = trial.kept
    late = looked_at(trial, 2_000).kept
    assert kept + 0.002 < late < early
    assert late <= trial.promise < late + 1e-4


def test_a_graph_that_has_lost_is_trained_on_while_it_promises_more() -> None:
    best = looked_at(on_eight_steps(0, traps=2), 1_000)
    young = looked_at(on_eight_steps(2, traps=2), 100)
    assert young.kept < best.kept < young.promise
    line = Line({})
    for trial in (best, young):
        line.add(trial)
    assert (line.best, line.others, line.hopeful) == (best, [young], young)
    line.add(looked_at(young, 1_000))
    assert line.best is young
    assert line.hopeful is None


def test_a_kept_plan_is_proven_anew() -> None:
    found, way = solved(3), PathMethod(path(SMALL[3])).parts()[3]
    assert way.name == found.facts.method
    again = way.restore(found.facts, found.pack())
    assert again is not None
    assert again.bounds == found.bounds
    better = msgspec.structs.replace(found.facts, bounds=(found.bounds[0] + 1e-3, found.bounds[1]))
    assert way.restore(better, found.pack()) is None
    plans = msgspec.msgpack.decode(found.pack())
    running = found.policy.lots(1).sides[0].running
    nowhere = zlib.compress(one_way(running.doubts).tobytes())
    for kept in (
        [],
        plans[:1],
        [[*plan[:-1], b"no chances"] for plan in plans],
        [[[], *plan[1:]] for plan in plans],
        [[*plan[:3], zlib.compress(bytes(4)), *plan[4:]] for plan in plans],
        [[*plan[:2], zlib.compress(bytes(2)), *plan[3:]] for plan in plans],
        [[*plan[:2], nowhere, *plan[3:]] for plan in plans],
        [[[*plan[0], 1 << 9], *plan[1:]] for plan in plans],
    ):
        with pytest.raises(ValueError, match="another game"):
            way.restore(found.facts, msgspec.msgpack.encode(kept))


@pytest.mark.parametrize("knowing", [0, 2])
def test_a_plan_that_tells_more_or_less_is_another(knowing: int) -> None:
    """Where all moves are free: a search may find graphs that are the same whatever they tell."""
    running, way = every(3), ApartMethod(path(SMALL[3]))
    one, two = (trained(role, running, free(running, 1), 50) for role in SEATS)
    facts, kept = solved(3).facts, [Kept.of(side) for side in (one, two)]
    assert way.restore(facts, msgspec.msgpack.encode(kept)) is None  # it proves other bounds
    other = [msgspec.structs.replace(plan, knowing=knowing) for plan in kept]
    with pytest.raises(ValueError, match="another game"):
        way.restore(facts, msgspec.msgpack.encode(other))


def test_a_search_that_was_killed_goes_on_from_the_best_plan(tmp_path: Path) -> None:
    """Another search with the same files has a proof at once; a damaged file costs only time."""
    game, files = path(SMALL[4]), Checkpoints(tmp_path / "game.solution")
    whole = solved(4)
    for seat in SEATS:
        data = packed(kept_of(whole.policy.lots(seat)))
        files.of(f"apart {seat}").keep([np.frombuffer(data, np.uint8)], {})
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


def test_nothing_is_trained_for_which_there_is_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "room", lambda: 10_000.0)
    with pytest.raises(TooLarge, match="too many situations"):
        ApartMethod(path(SMALL[4])).solve(Request(target=1e-4))


@pytest.mark.slow
def test_a_path_of_which_trees_are_too_large() -> None:
    """Ten steps, four traps and `max_step` 2: exactly 0 is a bound that simple strategies prove."""
    game = path({"length": 10, "traps": 4, "max_step": 2, "goal_traps": False})
    lower, upper = ApartMethod(game).solve(Request(target=0.01)).bounds
    assert lower <= 0.0 <= upper
    assert upper - lower <= 0.02
