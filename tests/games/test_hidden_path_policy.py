"""The policy of Hidden Path's race, against the public tree where that can be built."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

from tests.solve import plain
from trapline.core import SEATS, Moved, Seat, other
from trapline.games import make_game
from trapline.games.hidden_path.solving.race.policy import Decision, RacePolicy
from trapline.games.hidden_path.solving.race.races import journey_of
from trapline.games.hidden_path.solving.race.training import bound_hidden_path
from trapline.players import perfect
from trapline.referee import Match
from trapline.solve import tree
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


@pytest.mark.slow
def test_the_policy_cannot_be_exploited(both: Both) -> None:
    found = certify(both.tree, as_profile(both, lambda d: both.policy.decide(d).chances))
    assert found == pytest.approx(Certificate(both.value, both.value), abs=1e-9)


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


def test_nobody_hopes_where_the_other_arrives_for_certain() -> None:
    """The goal is free, and the other stands one step before it."""
    solution = perfect.solution_of(make_game("hidden-path"))
    assert solution is not None
    match = Match(solution.game, 1)
    match.play(1, (2, 5, 8))
    match.play(2, (7, 8, 9))
    for steps in (1, 3, 1, 3, 1, 3):
        assert match.to_move is not None
        match.play(match.to_move, steps)
    hopes = solution.policy.look(match.view(1)).hopes
    assert list(hopes.values()) == pytest.approx([-1.0] * 3)
