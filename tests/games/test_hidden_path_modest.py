"""Hidden Path by modesty: two smaller trees, each of which proves one bound and no more."""

from __future__ import annotations

import time
from functools import cache
from random import Random
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import pytest

from tests.games.paths import SMALL, answers, asking, path
from tests.solve import plain
from trapline.contest import next_asked
from trapline.core import SEATS, Seat
from trapline.games import make_game
from trapline.games.hidden_path.solving import beginnings, both, sides
from trapline.games.hidden_path.solving.duel.method import DuelMethod, packed
from trapline.games.hidden_path.solving.duel.nodes import NO_SOURCE, OPEN
from trapline.games.hidden_path.solving.modest import growth, search
from trapline.games.hidden_path.solving.modest.growth import given
from trapline.games.hidden_path.solving.modest.method import ModestMethod, ModestSolution
from trapline.games.hidden_path.solving.path_method import PathMethod
from trapline.games.hidden_path.solving.race.method import RaceMethod
from trapline.players import PLAYERS
from trapline.referee import Match
from trapline.solve import TooLarge, linear, load, tree
from trapline.solve.checkpoints import Checkpoints
from trapline.solve.interface import Certificate, Request, bounds_facts
from trapline.solve.model import GameModel

if TYPE_CHECKING:
    from pathlib import Path


@cache
def solved(number: int) -> ModestSolution:
    return ModestMethod(path(SMALL[number])).solve(Request(target=1e-5))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("traps", "max_step", "goal_traps", "value"),
    [(1, 3, False, 3 / 7), (2, 3, False, 1 / 3), (3, 3, False, 1 / 3), (3, 2, True, 0.0)],
)
def test_paths_that_blind_runners_leave_open(
    traps: int, max_step: int, goal_traps: bool, value: float
) -> None:
    """From 0 to 1/2, from 0.227 to 0.611, from −0.020 to 0.461, and from −0.131 to 0.558."""
    options = {"traps": traps, "max_step": max_step, "goal_traps": goal_traps}
    found = ModestMethod(path({"length": 8, **options})).solve(Request(target=2e-3))
    assert found.bounds[0] <= value <= found.bounds[1]
    assert found.exploitability <= 2e-3


def test_a_kept_plan_is_proven_anew() -> None:
    found, way = solved(0), PathMethod(path(SMALL[0])).parts()[2]
    assert way.name == found.facts.method
    again = way.restore(found.facts, found.pack())
    assert again is not None
    assert again.bounds == found.bounds
    better = msgspec.structs.replace(found.facts, bounds=(found.bounds[0] + 1e-3, found.bounds[1]))
    assert way.restore(better, found.pack()) is None
    plans = msgspec.msgpack.decode(found.pack())
    for kept in (
        [],
        [[(0, 0), b"", [6]]] * 2,  # as it was kept before trees grew
        [[secrets, moves, b""] for secrets, moves, _ in plans],
        [[[], moves, plan] for _, moves, plan in plans],
        [[[*secrets, 1 << 9], moves, plan] for secrets, moves, plan in plans],
        [[[*secrets, *secrets], moves, plan] for secrets, moves, plan in plans],
        [[secrets, moves + b"\1\0", plan] for secrets, moves, plan in plans],
    ):
        with pytest.raises(ValueError, match="another game"):
            way.restore(found.facts, msgspec.msgpack.encode(kept))


def test_two_ways_prove_more_than_one() -> None:
    """The lower bound by one way, the upper by another, played, kept and proven together."""
    game = path(SMALL[1])
    blind, looking = RaceMethod(game).solve(Request(0.2)), DuelMethod(game).solve(Request(0.3))
    lower, upper = blind.bounds[0], looking.bounds[1]
    found = sides.SidesMethod(game, PathMethod(game).parts()[:3]).restore(
        msgspec.structs.replace(
            blind.facts, method="sides", **bounds_facts(Certificate(lower, upper))
        ),
        msgspec.msgpack.encode([(s.facts, s.pack()) for s in (blind, looking)]),
    )
    assert found is not None
    for seat in SEATS:
        got = plain.by_secret(game, seat, asking(found.policy), first=1)
        assert max(got.values()) == pytest.approx(upper if seat == 1 else -lower, abs=1e-6)
        assert found.policy.look(Match(game, 1).view(seat)).values == pytest.approx(got, abs=1e-6)
    again = PathMethod(game).parts()[4].restore(found.facts, found.pack())
    assert again is not None
    assert again.bounds == found.bounds


def test_the_better_sides_are_joined() -> None:
    game = path(SMALL[1])
    one, two = solved(1), RaceMethod(game).solve(Request(0.2))
    found = sides.joined(game, [one, two], Request())
    assert found.bounds[0] == max(one.bounds[0], two.bounds[0])
    assert found.bounds[1] == min(one.bounds[1], two.bounds[1])
    assert sides.joined(game, [one], Request()) is one


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("number", [1, 2, 3])
def test_who_keeps_to_a_short_list_of_secrets_gets_what_was_proven(
    monkeypatch: pytest.MonkeyPatch, number: int, seat: Seat
) -> None:
    """And no better list is told: the bounds may be wide, but hold before the referee."""
    game = path(SMALL[number])
    monkeypatch.setattr(beginnings, "LATEST", 2)
    monkeypatch.setattr(search.Told, "hides", lambda *_: set())
    monkeypatch.setattr(search.Told, "does", lambda *_: NO_SOURCE)
    found = ModestMethod(game).solve(Request(deadline=time.monotonic() + 0.5))
    lower, upper = found.bounds
    value = linear.solve(tree.build(GameModel(game))).value
    assert lower - 1e-9 <= value <= upper + 1e-9
    assert all(len(secrets) <= 2 for secrets, *_ in msgspec.msgpack.decode(found.pack()))
    got = plain.by_secret(game, seat, asking(found.policy), first=1)
    assert max(got.values()) == pytest.approx(upper if seat == 1 else -lower, abs=1e-6)
    assert list(answers(game, found.policy, Random(number)))
    again = ModestMethod(game).restore(found.facts, found.pack())
    assert again is not None
    assert again.bounds == found.bounds


def test_both_have_a_plan_also_where_one_of_them_has_proven_all() -> None:
    found = ModestMethod(path({"length": 6, "traps": 2})).solve(Request())
    lower, upper = found.bounds
    assert upper - lower <= 2e-4
    for seat in SEATS:
        assert sum(
            found.policy.chances(Match(path({"length": 6, "traps": 2}), 1).view(seat)).values()
        )


def test_an_interrupt_ends_both_searches_and_all_that_would_follow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was proven by then is the answer."""

    def interrupt(_iterations: int, _proven: object) -> None:
        raise KeyboardInterrupt

    way = ModestMethod(path(SMALL[4]))
    monkeypatch.setattr(both, "OFTEN", 0.0)
    lower, upper = way.solve(Request(0.0, progress=interrupt)).bounds
    assert way.interrupted
    assert lower <= 3 / 7 <= upper


def test_a_search_that_was_killed_goes_on_from_the_best_tree(tmp_path: Path) -> None:
    """Another search with the same files has a proof at once; a damaged file costs only time."""
    game, files = path(SMALL[4]), Checkpoints(tmp_path / "game.solution")
    whole = ModestMethod(game).solve(Request(target=1e-3))
    for seat, proof in zip(SEATS, whole._proofs, strict=True):
        moves, kept = given(proof.tree, seat), np.frombuffer(packed(proof.plan), np.uint8)
        files.of(f"modest {seat}").keep([np.array(proof.support), moves, kept], {"fine": 0.5})
    request = Request(target=1e-3, checkpoints=files)
    late = ModestMethod(game).solve(request._replace(deadline=time.monotonic()))
    assert late.bounds == pytest.approx(whole.bounds, abs=1e-6)
    for seat in SEATS:
        kept_file = files.of(f"modest {seat}").file
        assert kept_file is not None
        kept_file.write_bytes(kept_file.read_bytes()[:-1])
    assert ModestMethod(game).solve(request).exploitability <= 1e-3


def test_moves_that_are_kept_make_the_same_tree_again() -> None:
    """And others are refused: a move too many, one too few, and one that is not legal."""
    (proof, _), way = solved(4)._proofs, ModestMethod(path(SMALL[4]))
    pair, moves = way.pair(1, proof.support), given(proof.tree, 1)
    tree_again = growth.again(pair, 1, moves, 100_000)
    assert tree_again is not None
    assert (tree_again.nodes["bits"] == proof.tree.nodes["bits"]).all()
    for wrong in (moves[:-1], np.append(moves, moves[:1]), moves | 1 << 9):
        with pytest.raises(ValueError, match="another game"):
            growth.again(pair, 1, wrong, 100_000)


def test_a_seat_that_grows_takes_along_what_it_does_often() -> None:
    proof, _ = solved(4)._proofs
    found = growth.grown(proof.tree, proof.plan)
    decisions = (proof.tree.nodes["kind"] == OPEN) & (proof.tree.nodes["mover"] == 1)
    before = None
    for often in (0.0, 0.1, 0.6, 1.0):
        bits = found.does(1, often).bits
        assert not bits[~decisions].any()
        assert not (bits & ~proof.tree.nodes["bits"]).any()
        if before is not None:
            assert not (bits & ~before).any()
        before = bits
    assert not found.does(1, 1.0).bits.any()
    assert found.hides(1, 0.0) <= set(proof.support)
    assert not found.hides(1, 1.0)


@pytest.mark.parametrize("seat", SEATS)
def test_a_reply_is_the_best_that_a_seat_can_do_against_the_other(seat: Seat) -> None:
    """Who may make the moves of the reply gets as much against the other's plan as who may do
    anything."""
    proof = solved(4)._proofs[seat - 1]
    found = growth.reply(growth.grown(proof.tree, proof.plan), proof.tree.hidden, seat, 100_000)
    decisions = (found.nodes["kind"] == OPEN) & (found.nodes["mover"] == seat)
    assert found.bits[decisions][0]
    assert not found.bits[~decisions].any()
    assert (
        growth.reply(growth.grown(proof.tree, proof.plan), proof.tree.hidden, seat, 0).nodes.size
        == 0
    )


def test_too_many_moves_to_choose_from_are_refused() -> None:
    with pytest.raises(TooLarge, match="more than 15 moves"):
        ModestMethod(path({"length": 18, "traps": 1, "max_step": 16})).solve(Request())


def test_a_path_without_a_small_tree_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_NODES", 0)
    with pytest.raises(TooLarge, match="no small tree"):
        ModestMethod(path(SMALL[3])).solve(Request())


def test_what_is_told_of_a_small_plan_is_made_of_plain_numbers() -> None:
    """Whoever sends it on as JSON meets no number of an array."""
    rng, game = Random(5), make_game("hidden-path", {"length": 8, "max_step": 2})
    solution = load(game)
    assert solution is not None
    for _ in range(40):
        match = Match(game, rng.choice(SEATS), rng=rng)
        while (seat := next_asked(match)) is not None:
            view = match.view(seat)
            told = solution.policy.look(view)
            for numbers in (told.chances, told.values, told.beliefs):
                assert all(type(number) is float for number in numbers.values())
            match.play(seat, PLAYERS["random"].choose(view, rng))
