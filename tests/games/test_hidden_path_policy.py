"""The policy of Hidden Path's race, against the public tree where that can be built."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

from tests.solve import plain
from trapline import solve as solving
from trapline.coach import analyse, hint
from trapline.core import SEATS, Moved, Seat, other
from trapline.games import make_game
from trapline.games.hidden_path.solving.method import RaceSolution
from trapline.games.hidden_path.solving.policy import Decision, RacePolicy
from trapline.games.hidden_path.solving.races import RaceBounds, journey_of
from trapline.games.hidden_path.solving.training import bound_hidden_path
from trapline.players import perfect
from trapline.referee import Match
from trapline.solve import TooLarge, load, solved, storage, tree
from trapline.solve.best_response import Profile, certify, root_values
from trapline.solve.interface import Certificate
from trapline.solve.model import GameModel
from trapline.solve.public_policy import PublicPolicy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from trapline.core import View
    from trapline.solve import Outlook

    Chances = Callable[[Decision], dict[Any, float]]

SMALL = [
    (3, 2, 2, True, 1 / 2),
    (3, 1, 3, True, 1.0),
    (4, 1, 2, True, 1.0),
    (5, 1, 3, False, 1 / 2),
    (4, 2, 3, True, 5 / 9),
]


class Both(NamedTuple):
    """A small game solved as a race, and its public tree."""

    game: Any
    value: float
    policy: RacePolicy
    model: GameModel
    tree: tree.Tree


@cache
def solve_both(length: int, traps: int, max_step: int, goal_traps: bool, value: float) -> Both:
    options = {"length": length, "traps": traps, "max_step": max_step, "goal_traps": goal_traps}
    game: Any = make_game("hidden-path", options)
    model = GameModel(game)
    policy = RacePolicy(game, bound_hidden_path(game))
    return Both(game, value, policy, model, tree.build(model))


@pytest.fixture(params=SMALL, ids=lambda size: "-".join(map(str, size[:4])))
def both(request: pytest.FixtureRequest) -> Both:
    return solve_both(*request.param)


def blind(policy: RacePolicy) -> Chances:
    def chances(decision: Decision) -> dict[Any, float]:
        row = policy._strategies[decision.role].policy[decision.mine]
        return {m + 1: float(chance) for m, chance in enumerate(row)}

    return chances


def as_profile(both: Both, chances: Chances) -> Profile:
    """The same play on the public tree."""
    model, built, journeys = both.model, both.tree, both.policy.journeys
    table = np.zeros(built.entries)

    def walk(node: int, state: Any, masks: tuple[int, int], at: tuple[int, int]) -> None:
        if not built.nodes.mover[node]:
            return
        role: Seat = model.mover(state)
        actions = list(model.actions(state))
        for column, secret in enumerate(built.live(node, role).tolist()):
            mix = chances(Decision(role, secret, at[role - 1], at[2 - role]))
            built.table(table, node)[:, column] = [mix[action] for action in actions]
        children = iter(built.children(node))
        for action in actions:
            for branch in model.branches(state, action):
                kept = masks[0] & branch.masks[0], masks[1] & branch.masks[1]
                if not all(kept):
                    continue
                child, after = next(children), branch.state
                if after is None or not built.nodes.mover[child]:
                    continue
                trapped = after.sprung != state.sprung  # type: ignore[attr-defined]
                to = int((journeys.trap if trapped else journeys.safe)[at[role - 1], action - 1])
                walk(child, after, kept, (to, at[1]) if role == 1 else (at[0], to))

    everything = (1 << len(model.holdings[0])) - 1
    walk(0, model.root, (everything, everything), (0, 0))
    mixes = tuple(both.policy._strategies[role].mixture for role in SEATS)
    return Profile((mixes[0], mixes[1]), table)


# --- against the public tree -------------------------------------------------------------


def test_the_policy_cannot_be_exploited(both: Both) -> None:
    found = certify(both.tree, as_profile(both, lambda d: both.policy.decide(d).chances))
    assert found == pytest.approx(Certificate(both.value, both.value), abs=1e-9)


def test_secrets_are_worth_what_the_tree_says(both: Both) -> None:
    profile = as_profile(both, blind(both.policy))
    for seat in SEATS:
        by_tree = root_values(both.tree, seat, profile)
        for first in SEATS:
            viewer: Seat = seat if first == 1 else other(seat)
            values = both.policy.look(Match(both.game, first).view(viewer)).values
            assert list(values.values()) == pytest.approx(by_tree.tolist(), abs=1e-9)


def test_every_secret_in_use_is_worth_the_game(both: Both) -> None:
    for seat, value in ((SEATS[0], both.value), (SEATS[1], -both.value)):
        outlook = both.policy.look(Match(both.game, 1).view(seat))
        values = outlook.values
        assert max(values.values()) == pytest.approx(value, abs=1e-9)
        for secret, chance in outlook.chances.items():
            if chance > 1e-6:
                assert values[secret] == pytest.approx(value, abs=1e-9)


def matches(both: Both, *, solves: tuple[bool, bool]) -> Iterator[View]:
    """Matches to look into, before every move; who does not play the solution plays anything."""
    rng = Random(8)
    for number in range(80):
        match = Match(both.game, SEATS[number % 2])
        for seat in SEATS:
            chances = both.policy.chances(match.view(seat))
            weights = list(chances.values()) if solves[seat - 1] else None
            match.play(seat, rng.choices(list(chances), weights)[0])
        while (mover := match.to_move) is not None:
            view = match.view(mover)
            yield view
            chosen = both.policy.look(view).chances
            if not solves[mover - 1]:
                chosen = dict.fromkeys(chosen, 1.0)
            match.play(mover, rng.choices(list(chosen), list(chosen.values()))[0])


def test_values_and_beliefs_are_those_of_the_tree(both: Both) -> None:
    """On the path of the solution, also where the tree ends because all is decided."""
    by_tree = PublicPolicy(both.model, as_profile(both, blind(both.policy)), both.tree)
    compared = {False: 0, True: 0}
    for view in matches(both, solves=(True, True)):
        outlook, expected = both.policy.look(view), by_tree.look(view)
        decided = by_tree.place(view).decided
        compared[decided] += 1
        assert max(outlook.values.values()) == pytest.approx(max(expected.values.values()))
        told = {secret: chance for secret, chance in expected.beliefs.items() if chance > 0}
        likely = {secret: chance for secret, chance in outlook.beliefs.items() if chance > 0}
        assert likely == pytest.approx(told)
        if not decided:
            assert outlook.chances == pytest.approx(expected.chances)
    assert compared[False] > 30
    assert compared[True] > 30


@pytest.mark.parametrize("solves", [(True, False), (False, True), (False, False)])
def test_values_are_those_of_plain_recursion(both: Both, solves: tuple[bool, bool]) -> None:
    """Anywhere, over the real rules, against the other's fixed strategy."""
    for count, view in enumerate(matches(both, solves=solves)):
        outlook = both.policy.look(view)
        assert sum(outlook.chances.values()) == pytest.approx(1)
        assert sum(outlook.beliefs.values()) == pytest.approx(1)
        assert set(outlook.chances) == set(outlook.values) == set(view.legal)
        if count < 60:
            assert outlook.values == pytest.approx(by_recursion(both, view, outlook))


def by_recursion(both: Both, view: View, outlook: Outlook) -> dict[Any, float]:
    """The value of each move, by trying all that follows in every world that is possible."""
    game, journeys, me = both.game, both.policy.journeys, view.seat
    assert me is not None
    fixed = both.policy._strategies[2 if me == view.first else 1].policy
    worlds = []
    for theirs, chance in outlook.beliefs.items():
        state = game.start(view.first)
        for seat, secret in ((me, view.secret), (other(me), theirs)):
            state = game.apply(state, seat, game.hiding.value(secret))
        for seat, steps in order(view):
            assert state.mover == seat
            state = game.apply(state, seat, steps)
        worlds.append((chance, state))

    def after(worlds: list[Any], node: int, move: int) -> Any:
        seen: dict[bool, list[Any]] = defaultdict(list)
        for chance, state in worlds:
            to = game.apply(state, state.mover, move)
            seen[to.sprung != state.sprung].append((chance, to))
        mine = worlds[0][1].mover == me
        total = 0.0
        for trapped, left in seen.items():
            table = journeys.trap if trapped else journeys.safe
            total += best(left, node if mine else int(table[node, move - 1]))
        return total

    def best(worlds: list[Any], node: int) -> Any:
        state = worlds[0][1]
        whole = sum(chance for chance, _ in worlds)
        if state.outcome is not None:
            return whole if state.outcome.winner == me else -whole
        moves = game.question(state, state.mover).values()
        if state.mover == me:
            return max(after(worlds, node, move) for move in moves)
        return sum(fixed[node, m - 1] * after(worlds, node, m) for m in moves if fixed[node, m - 1])

    node = journeys.follow(journey_of(view, other(me)))
    return {move: after(worlds, node, int(str(move))) for move in view.legal}


def order(view: View) -> list[tuple[Seat, int]]:
    moved = [event for event in view.events if isinstance(event, Moved)]
    return [
        (2 if event.by == 2 else 1, int(str(event.to)) - int(str(event.start))) for event in moved
    ]


# --- what nobody may know ----------------------------------------------------------------


def test_the_same_choice_whatever_the_other_hides() -> None:
    both = solve_both(*SMALL[-1])
    secrets = plain.secrets(both.game, 1)
    rng, compared = Random(3), 0
    for _ in range(300):
        mine, one, two = rng.choice(secrets), rng.choice(secrets), rng.choice(secrets)
        moves = [rng.randint(1, 2) for _ in range(rng.randint(0, 4))]
        views = [_seen(both.game, mine, theirs, moves) for theirs in (one, two)]
        if one != two and views[0] is not None and views[0] == views[1]:
            compared += 1
            assert both.policy.look(views[0]) == both.policy.look(views[1])
            assert perfect.choose(views[0], Random(1)) == perfect.choose(views[1], Random(1))
    assert compared > 20


def _seen(game: Any, mine: Any, theirs: Any, moves: list[int]) -> Any:
    """What the mover, who has `mine`, sees after these moves; None if they are not allowed."""
    match = Match(game, 1)
    mover: Seat = 1 if len(moves) % 2 == 0 else 2
    match.play(1, mine if mover == 1 else theirs)
    match.play(2, mine if mover == 2 else theirs)
    for move in moves:
        if match.to_move is None or move not in match.view(match.to_move).legal:
            return None
        match.play(match.to_move, move)
    return match.view(mover) if match.to_move == mover else None


# --- beside the path ---------------------------------------------------------------------


def test_traps_that_the_solution_never_sets_leave_any_that_fit() -> None:
    game: Any = make_game("hidden-path", {"length": 5, "traps": 2})
    policy = RacePolicy(game, bound_hidden_path(game))
    match = Match(game, 1)
    match.play(1, (1, 2))
    match.play(2, (1, 2))
    match.play(1, 3)
    assert policy.look(match.view(2)).beliefs[1, 2] == 0
    match.play(2, 1)
    match.play(1, 1)
    fitting = [secret for secret in plain.secrets(game, 1) if 1 in secret]
    assert policy.look(match.view(2)).beliefs == dict.fromkeys(fitting, 1 / len(fitting))


def test_what_seems_lost_is_run_like_anything_else() -> None:
    """Against the solution's other player this is lost, and against another it is not."""
    game: Any = make_game("hidden-path", {"length": 7, "traps": 1, "goal_traps": False})
    policy = RacePolicy(game, bound_hidden_path(game))
    seen = 0
    for mine in plain.secrets(game, 1):
        for theirs in plain.secrets(game, 2):
            match = Match(game, 1)
            match.play(1, mine)
            match.play(2, theirs)
            while match.to_move is not None:
                view = match.view(match.to_move)
                if view.seat == 1 and max(policy.look(view).values.values()) <= -1 + 1e-9:
                    node = policy.decision(view).mine
                    row = policy._strategies[1].policy[node]
                    assert policy.look(view).chances == {m: row[m - 1] for m in view.legal}  # type: ignore[operator]
                    seen += 1
                match.play(match.to_move, view.legal[0] if view.seat == 1 else view.legal[-1])
    assert seen > 10


def test_a_lost_player_still_hopes() -> None:
    both = solve_both(*SMALL[1])  # the first mover wins for certain
    match = Match(both.game, 1)
    assert sum(both.policy.chances(match.view(2)).values()) == pytest.approx(1)
    chances = both.policy.chances(match.view(1))
    match.play(1, max(chances, key=lambda secret: chances[secret]))
    match.play(2, (3,))
    match.play(1, 3)
    outlook = both.policy.look(match.view(2))
    assert sum(outlook.chances.values()) == pytest.approx(1)


# --- as a solution -----------------------------------------------------------------------


def small() -> Any:
    return make_game("hidden-path", {"length": 5, "traps": 2})


def test_the_race_is_kept_and_proven_anew() -> None:
    found = solved(small())
    assert found.to_json()["fraction"] == "1/2"
    assert (found.facts.method, found.exact) == ("race", True)
    assert found.value == pytest.approx(1 / 2)
    again = load(small())
    assert again is not None
    assert again.facts == found.facts
    opening = Match(small(), 1).view(2)
    assert again.policy.look(opening) == found.policy.look(opening)


@pytest.mark.parametrize("at", [10, 100, -100])
def test_a_damaged_race_is_worked_out_again(at: int) -> None:
    found = solved(small())
    file = storage.path(small())
    data = bytearray(file.read_bytes())
    data[at] ^= 1
    file.write_bytes(bytes(data))
    assert load(small()) is None
    assert solved(small()).bounds == found.bounds
    assert load(small()) is not None


def test_strategies_that_prove_something_else_are_not_believed() -> None:
    solved(small())
    file = storage.path(small())
    kept = storage.unpack(file)
    assert kept is not None
    facts, numbers = kept
    storage.write(file, facts, numbers)
    assert load(small()) is not None
    race = RaceBounds.from_bytes(small(), numbers)
    equal = np.full(len(race.first.mixture), 1 / len(race.first.mixture))
    for changed in (equal.tobytes() + numbers[equal.nbytes :], numbers[:-8], b""):
        storage.write(file, facts, changed)
        assert load(small()) is None


def test_progress_is_told_and_time_respected() -> None:
    told: list[Certificate] = []
    solving.solve(small(), progress=lambda _, certificate: told.append(certificate))
    assert told
    assert told[-1].exploitability < 1e-9
    hurried = solving.solve(make_game("hidden-path", {"length": 6}), time_limit=0)
    assert hurried.bounds[0] <= hurried.value <= hurried.bounds[1]


@pytest.mark.parametrize("wrapped", [False, True])
def test_an_interrupt_leaves_what_was_proven(
    wrapped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_training: object) -> None:
        if wrapped:  # as compiled code raises it
            raise SystemError from KeyboardInterrupt()
        raise KeyboardInterrupt

    monkeypatch.setattr("trapline.games.hidden_path.solving.training.Training.step", interrupted)
    found = solving.solve(make_game("hidden-path", {"length": 6}))
    assert found.bounds[0] <= found.value <= found.bounds[1]
    assert not found.exact


def test_the_tree_helps_where_the_race_falls_short() -> None:
    options = {"length": 6, "traps": 1, "max_step": 2, "goal_traps": False}
    found = solving.solve(make_game("hidden-path", options))
    assert (found.facts.method, found.exact) == ("tree", True)
    assert found.value == pytest.approx(1 / 3)


@pytest.mark.parametrize("options", [{"length": 40, "traps": 6}, {"length": 99, "traps": 30}])
def test_what_cannot_be_listed_is_refused_at_once(options: dict[str, int]) -> None:
    with pytest.raises(TooLarge, match="shorter path or fewer traps"):
        solving.solve(make_game("hidden-path", options))


@pytest.mark.slow
def test_the_rulebooks_game() -> None:
    game = make_game("hidden-path")
    found = solved(game)
    assert isinstance(found, RaceSolution)
    assert found.exact
    assert found.to_json()["bounds"] == pytest.approx([13 / 27, 13 / 27], abs=1e-6)
    assert found.to_json()["fraction"] == "13/27"
    assert "74.1%" in found.facts.sentence
    assert [secret for secret, _ in found.facts.secrets[0]] == [(7, 8, 10), (7, 9, 10), (8, 9, 10)]
    for seat, value in ((SEATS[0], 13 / 27), (SEATS[1], -13 / 27)):
        outlook = found.policy.look(Match(game, 1).view(seat))
        for secret, chance in outlook.chances.items():
            if chance > 1e-6:
                assert outlook.values[secret] == pytest.approx(value, abs=1e-9)
    rng = Random(2)
    match = Match(game, 2)
    for seat in SEATS:
        match.play(seat, rng.choice(plain.secrets(game, seat)))
    assert "Perfect play answers" in hint(match.view(2))
    free = 0
    while (mover := match.to_move) is not None:
        view = match.view(mover)
        free += len(view.legal) > 1
        chances = found.policy.look(view).chances
        assert chances == perfect.chances(view)
        if runs(found.race, view):
            assert {m: c for m, c in chances.items() if c > 0} == found.race.move_chances(view)
        match.play(mover, rng.choice(view.legal))
    judged = analyse(match.sealed_record(), found)
    assert judged.exact
    assert len(judged.judgements) == 2 + free  # one answer alone is no choice
    for seed in range(20):
        match = Match(game, 1)
        for seat in SEATS:
            match.play(seat, perfect.choose(match.view(seat), Random(seed)))
        while (mover := match.to_move) is not None:
            outlook = found.policy.look(match.view(mover))
            best = max(outlook.values.values())
            usual = [m for m, c in outlook.chances.items() if c > 1e-6]
            assert all(outlook.values[m] > best - 1e-6 for m in usual)
            match.play(mover, rng.choice(usual))


def runs(race: Any, view: View) -> bool:
    """Whether the strategy of the seat that looks can have run as it did."""
    reach = race.journeys.reach(race.strategy(view).policy)
    return bool(reach[race.journeys.follow(journey_of(view, view.seat))] > 0)
