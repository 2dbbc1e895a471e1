"""Which simple strategy keeps most, by a linear program, and what one keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from trapline.games.hidden_path.solving.routes.in_time import home_within
from trapline.games.hidden_path.solving.routes.routes import RoutePlan, Times
from trapline.solve.interface import TooLarge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scipy.sparse import coo_array

    from trapline.games.hidden_path.solving.routes.blocks import Arrangement, Floats
    from trapline.games.hidden_path.solving.routes.routes import Ints, Route

    Term = tuple[Ints, int, int, int, int, Floats]
    """Secrets, an arrangement, a route, a landing and a new route, −1 where nothing is drawn anew;
    and the chances of the other with each of these secrets."""

TOO_MUCH = "There is too much to count for somebody who runs past blocks of traps; fewer make less."


def losses(
    arrangements: Sequence[Arrangement],
    times: Times,
    max_step: int,
    *,
    moves_first: bool,
    turning: bool,
) -> Iterator[Term]:
    """With which chances the other is home before, by all that the strategy draws."""
    late = 1 if moves_first else 0  # whoever moves first wins with the last move of as many
    every = np.arange(times.repeated.shape[1])
    for at, arrangement in enumerate(arrangements):
        within = home_within(arrangement, times.length, max_step, times.most)
        if within is None:
            raise TooLarge(TOO_MUCH)
        for route in range(len(times.routes)):
            if not turning:
                yield every, at, route, -1, -1, within[times.repeated[route] - late]
                continue
            trap = times.first_trap(route)
            for landing in np.unique(trap).tolist():
                secrets = np.flatnonzero(trap == landing)
                if landing == times.moves[route] - 1:
                    spent = times.repeated[route, secrets]
                    yield secrets, at, route, -1, -1, within[spent - late]
                    continue
                for new, spent in enumerate(times.turning(route, landing, secrets)):
                    yield secrets, at, route, landing, new, within[spent - late]


def lost(plan: RoutePlan, secrets: Sequence[int], max_step: int, *, moves_first: bool) -> Floats:
    """For each secret of the other, the most that the other can win against a plan."""
    found = np.zeros(len(secrets))
    used = [at for at, row in enumerate(plan.starts) if row.any()]
    parts = losses(
        [plan.arrangements[at] for at in used],
        Times(plan.routes, secrets),
        max_step,
        moves_first=moves_first,
        turning=plan.turns.size > 0,
    )
    for numbers, part, route, landing, new, chances in parts:
        at = used[part]
        drawn = plan.starts[at, route] * (plan.turns[at, route, landing, new] if new >= 0 else 1.0)
        found[numbers] += drawn * chances
    return found


def best_plan(
    arrangements: Sequence[Arrangement],
    routes: Sequence[Route],
    secrets: Sequence[int],
    max_step: int,
    *,
    moves_first: bool,
    turning: bool,
) -> RoutePlan:
    """The plan against which the best of these secrets wins least."""
    # Programs bring a library along, which whoever loads a solution need not wait for.
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    times = Times(routes, secrets)
    counted = (home_within(a, times.length, max_step, times.most) for a in arrangements)
    arrangements = [
        a for a, within in zip(arrangements, counted, strict=True) if within is not None
    ]
    if not arrangements:
        raise TooLarge(TOO_MUCH)
    landings = max(len(route) for route in routes) - 1 if turning else 0
    shape = (len(arrangements), len(routes), landings, len(routes))
    drawn = len(arrangements) * len(routes)
    columns = drawn + int(np.prod(shape)) + 1
    turn = drawn + np.arange(columns - drawn - 1).reshape(shape)
    every = np.arange(len(secrets))
    rows, places, values = [every], [np.full(len(every), columns - 1)], [np.full(len(every), -1.0)]
    for numbers, at, route, landing, new, chances in losses(
        arrangements, times, max_step, moves_first=moves_first, turning=turning
    ):
        column = turn[at, route, landing, new] if new >= 0 else at * len(routes) + route
        rows.append(numbers)
        places.append(np.full(len(numbers), column))
        values.append(chances)
    worst = coo_array(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(places))),
        shape=(len(every), columns),
    )
    solved = linprog(
        np.eye(1, columns, columns - 1)[0],
        A_ub=worst,
        b_ub=np.zeros(len(every)),
        A_eq=_sums(drawn, turn, columns),
        b_eq=np.eye(1, turn.size // len(routes) + 1)[0],
        bounds=[(0, None)] * columns,
        method="highs",
    )
    starts = np.maximum(solved.x[:drawn], 0.0).reshape(shape[:2])
    turns = np.maximum(solved.x[turn], 0.0)
    return RoutePlan(tuple(arrangements), tuple(routes), starts / starts.sum(), _shares(turns))


def _sums(drawn: int, turn: Ints, columns: int) -> coo_array:
    """All chances make 1; and those of new routes as much as what they follow."""
    from scipy.sparse import coo_array

    rows = [np.zeros(drawn, np.int64)]
    places, values = [np.arange(drawn)], [np.ones(drawn)]
    if turn.size:
        groups = turn.reshape(-1, turn.shape[-1])
        number = 1 + np.arange(len(groups))
        rows += [np.repeat(number, groups.shape[1]), number]
        places += [groups.ravel(), np.repeat(np.arange(drawn), turn.shape[2])]
        values += [np.ones(groups.size), -np.ones(len(groups))]
    parts = (np.concatenate(part) for part in (values, rows, places))
    data, row, place = parts
    return coo_array((data, (row, place)), shape=(1 + turn.size // max(1, turn.shape[-1]), columns))


def _shares(turns: Floats) -> Floats:
    """Chances of new routes; where a plan never comes, all alike."""
    whole = turns.sum(axis=-1, keepdims=True)
    return np.where(whole > 0.0, turns / np.where(whole > 0.0, whole, 1.0), 1.0 / turns.shape[-1])
