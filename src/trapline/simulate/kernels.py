"""The loops over lanes that every game is stepped by, whatever its rules.

The text below the line goes into a module of its own for each game, beside the game's functions
(`question`, `apply`, …) as `lowering` puts them: kernels that call each other sit in one
file, so that Numba can keep what it has compiled. `rules` are few arrays, of which `opened` makes
what the game knows of itself and its `tables.Tables`. A lane is a row of whole numbers: the
columns here, and then the fields of its state. A question is its number, 0 is none; `asks` holds
those of all lanes side by side, so that who chooses actions need not go through the lanes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F")

# What stands for each game in its own module.
DRAWS = False
apply: Any = None
chance: Any = None
dealt: Any = None
fetch_lane: Any = None
load: Any = None
opened: Any = None
question: Any = None
store: Any = None
write_flags: Any = None

# ----------------------------------------------------------------------------------------

import numpy as np  # noqa: E402 - a game's own stand above
from numba import njit, types  # noqa: E402 - likewise
from numba.extending import overload  # noqa: E402 - likewise

# Nothing is allocated here: counting references to arrays would cost more than their use.
FLAGS: dict[str, Any] = {"error_model": "numpy", "_nrt": False}
kept: Callable[[F], F] = njit(cache=True, nogil=True, **FLAGS)
"""A loop that is called from outside, by several threads: what was compiled is kept on disk."""
UNWRAPPED: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
inlined: Callable[[F], F] = njit(forceinline=True, **UNWRAPPED, **FLAGS)
"""A part of such loops; nobody else calls it, which saves a third of the time to compile."""

FIRST, TO_ACT, ASKS, WINNER, REASON, SCORE, CHOSEN, LEFT, LAST, RUN, SECRET, SECRET_ASKS = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12,
)  # fmt: skip
"""Columns of a lane. Of a set that is being chosen: the bits so far, how many members are still
to come, the last one's place among the answers, and how many neighbours end there. Of each seat:
its secret, and the question that it answered."""
HEAD = 14

AHEAD = 24
"""So many lanes further on is asked for what will be stepped: about as long as memory takes."""

COUNT, CHOOSE, KIND, HIDDEN, MOST_RUN, IN_A_ROW = range(6)
"""Columns of `tables.rows`."""


# --- numbers ----------------------------------------------------------------------------


def item(found: Any, index: Any) -> Any:
    return found[index]


@overload(item, strict=False)
def _item(found: Any, index: Any) -> Any:  # noqa: ARG001 - Numba wants the same names
    """A pair's item by a choice of two registers, where a checked index would be a jump."""
    if isinstance(found, types.UniTuple) and found.count == 2:
        return lambda found, index: found[0] if index & 1 == 0 else found[1]
    return lambda found, index: found[index]


def item_of_table(table: Any, indices: Any) -> Any:
    return table[indices]


@overload(item_of_table, strict=False)
def _item_of_table(table: Any, indices: Any) -> Any:
    if isinstance(table, types.BaseTuple) and len(indices) == 2:
        return lambda table, indices: table[indices[0]][indices[1]]
    return lambda table, indices: table[indices]


@inlined
def bit_count(bits: Any) -> Any:
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@inlined
def bit_length(bits: Any) -> Any:
    length = 0
    while bits >> length:
        length += 1
    return length


@inlined
def outcome_code(winner: int, reason: int, score: int) -> int:
    """An outcome as one number; 0 is none."""
    return winner | reason << 2 | score << 18


@inlined
def advance(seed: Any) -> Any:
    """The next state of a lane's own SplitMix64 sequence (Steele et al., 2014)."""
    return seed + np.uint64(0x9E3779B97F4A7C15)


@inlined
def below(seed: Any, count: int) -> Any:
    """A number below `count` from a state of the sequence."""
    z = (seed ^ (seed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return np.int64(((z >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


@inlined
def entry(tables: Any, asked: Any, column: Any) -> Any:
    """A number about a question. Nothing is counted from the end, so nobody need ask whether."""
    return tables.rows[np.uint64(asked), np.uint64(column)]


# --- one match --------------------------------------------------------------------------


@inlined
def deal(game: Any, tables: Any, seed: Any, state: Any) -> Any:
    """Let chance answer as long as it is asked."""
    if DRAWS:
        while state.outcome == 0:
            asked = chance(game, state)
            if asked == 0:
                break
            seed = advance(seed)
            point = below(
                seed, entry(tables, asked, tables.weights_to + entry(tables, asked, COUNT) - 1)
            )
            drawn = 0
            while entry(tables, asked, tables.weights_to + drawn) <= point:
                drawn += 1
            state = dealt(game, state, entry(tables, asked, tables.values_to + drawn))
    return seed, state


@inlined
def start(game: Any, first: int) -> Any:
    return game.start_1 if first == 1 else game.start_2


@inlined
def begin(game: Any, tables: Any, seed: Any) -> Any:
    first = tables.first
    if first == 0:
        seed = advance(seed)
        first = 1 + below(seed, 2)
    seed, state = deal(game, tables, seed, start(game, first))
    return seed, first, state


@inlined
def next_asked(game: Any, state: Any) -> Any:
    """Who is to act, and the question: of two who are asked at once, Player 1."""
    if state.outcome != 0:
        return 0, 0
    asked = question(game, state, 1)
    if asked != 0:
        return 1, asked
    asked = question(game, state, 2)
    return (0 if asked == 0 else 2), asked


@inlined
def next_members(tables: Any, asked: int, left: int, last: int, run: int) -> Any:
    """The lowest and the highest of the answers that may be the next member of a set.

    All between are allowed as well. Members are chosen in rising order; the `last` one ends a
    run of `run` neighbours, and `left` are still to come.
    """
    latest = tables.latest_to + left * tables.runs
    near = last + 1
    fits = near <= entry(tables, asked, latest + min(run + 1, entry(tables, asked, MOST_RUN)))
    high = entry(tables, asked, latest + 1)
    return (near, max(near, high)) if fits else (near + 1, high)


@inlined
def begin_lane(game: Any, tables: Any, lanes: Any, seeds: Any, i: int) -> None:
    seed, first, state = begin(game, tables, seeds[i])
    seeds[i] = seed
    for column in range(HEAD):
        lanes[i, column] = 0
    lanes[i, FIRST] = first
    store(lanes, i, state)
    ask_next(game, tables, lanes, i, state)


@inlined
def ask_next(game: Any, tables: Any, lanes: Any, i: int, state: Any) -> None:
    seat, asked = next_asked(game, state)
    lanes[i, TO_ACT] = seat
    put_question(tables, lanes, i, asked)
    lanes[i, WINNER] = state.outcome & 3
    lanes[i, REASON] = state.outcome >> 2 & 0xFFFF
    lanes[i, SCORE] = state.outcome >> 18


@inlined
def put_question(tables: Any, lanes: Any, i: int, asked: int) -> None:
    lanes[i, ASKS] = asked
    lanes[i, CHOSEN] = 0
    lanes[i, LEFT] = entry(tables, asked, CHOOSE)
    lanes[i, LAST] = -1
    lanes[i, RUN] = 0


@inlined
def act(game: Any, tables: Any, lanes: Any, seeds: Any, i: int, action: int) -> None:
    """The lane after a legal action."""
    asked, seat = lanes[i, ASKS], lanes[i, TO_ACT]
    number = entry(tables, asked, tables.answers_to + action)
    value = entry(tables, asked, tables.values_to + number)
    if entry(tables, asked, CHOOSE):
        lanes[i, RUN] = lanes[i, RUN] * (number == lanes[i, LAST] + 1) + 1
        lanes[i, LAST] = number
        lanes[i, LEFT] -= 1
        lanes[i, CHOSEN] |= 1 << value
        if lanes[i, LEFT]:
            return
        value = lanes[i, CHOSEN]
    if entry(tables, asked, HIDDEN):
        lanes[i, np.uint64(SECRET + seat - 1)] = value
        lanes[i, np.uint64(SECRET_ASKS + seat - 1)] = asked
    state = apply(game, load(lanes, i), seat, value)
    seed, state = deal(game, tables, seeds[i], state)
    seeds[i] = seed
    store(lanes, i, state)
    ask_next(game, tables, lanes, i, state)


@inlined
def choose_answer(tables: Any, seed: Any, asked: int, lanes: Any, i: int) -> Any:
    """The place of a random answer among those to the lane's question."""
    if entry(tables, asked, CHOOSE):
        low, high = next_members(tables, asked, lanes[i, LEFT], lanes[i, LAST], lanes[i, RUN])
        return low + below(seed, high - low + 1)
    return below(seed, entry(tables, asked, COUNT))


# --- whole batches ----------------------------------------------------------------------


@inlined
def write_mask(tables: Any, lanes: Any, i: int, mask: Any) -> None:
    asked, short = lanes[i, ASKS], mask.shape[1] <= 64
    if entry(tables, asked, CHOOSE):
        low, high = next_members(tables, asked, lanes[i, LEFT], lanes[i, LAST], lanes[i, RUN])
        if short and entry(tables, asked, IN_A_ROW):
            members = (np.uint64(2) << np.uint64(high)) - (np.uint64(1) << np.uint64(low))
            write_flags(mask[i], members << np.uint64(entry(tables, asked, tables.actions_to)))
            return
        for action in range(mask.shape[1]):
            mask[i, action] = False
        for number in range(low, high + 1):
            mask[i, entry(tables, asked, tables.actions_to + number)] = True
    elif short:
        write_flags(mask[i], tables.bits[asked])
    else:
        for action in range(mask.shape[1]):
            mask[i, action] = tables.masks[asked, action]


@kept
def begin_all(rules: Any, lanes: Any, seeds: Any, asks: Any, which: Any, mask: Any) -> None:
    game, tables = opened(rules)
    for i in range(len(lanes)):
        if which[i]:
            begin_lane(game, tables, lanes, seeds, i)
            write_mask(tables, lanes, i, mask)
            asks[i] = lanes[i, ASKS]


@kept
def first_illegal(lanes: Any, mask: Any, actions: Any, where: Any) -> int:
    """The first lane whose action is not legal, or −1; one that is not stepped takes any."""
    for i in range(len(lanes)):
        legal = 0 <= actions[i] < mask.shape[1] and mask[i, actions[i]]
        if where[i] and not legal and lanes[i, ASKS] != 0:
            return i
    return -1


@kept
def step_all(
    rules: Any, lanes: Any, seeds: Any, asks: Any, actions: Any, where: Any, again: bool,
    mask: Any, rewards: Any, done: Any,
) -> None:  # fmt: skip
    """One action in every lane `where` it is asked for, unless its match is over.

    With `again` a match that is finished by it makes room for the next.
    """
    game, tables = opened(rules)
    for i in range(len(lanes)):
        step_lane(game, tables, lanes, seeds, asks, actions, where, again, mask, rewards, done, i)


@inlined
def step_lane(
    game: Any, tables: Any, lanes: Any, seeds: Any, asks: Any, actions: Any, where: Any,
    again: bool, mask: Any, rewards: Any, done: Any, i: int,
) -> None:  # fmt: skip
    fetch_lane(lanes, i + AHEAD)
    rewards[i, 0] = rewards[i, 1] = 0
    done[i] = lanes[i, ASKS] == 0
    if done[i] or not where[i]:
        return
    asked = lanes[i, ASKS]
    act(game, tables, lanes, seeds, i, actions[i])
    done[i] = lanes[i, ASKS] == 0
    if done[i]:
        winner = lanes[i, WINNER]
        if winner:
            rewards[i, winner - 1] = lanes[i, SCORE]
            rewards[i, 2 - winner] = -lanes[i, SCORE]
        if again:
            begin_lane(game, tables, lanes, seeds, i)
    if lanes[i, ASKS] != asked or entry(tables, asked, CHOOSE):
        write_mask(tables, lanes, i, mask)
        asks[i] = lanes[i, ASKS]


@kept
def choose_all(rules: Any, lanes: Any, seeds: Any, asks: Any, where: Any, actions: Any) -> None:
    _, tables = opened(rules)
    for i in range(len(lanes)):
        asked = asks[i]
        actions[i] = 0
        if asked != 0 and where[i]:
            seeds[i] = advance(seeds[i])
            number = choose_answer(tables, seeds[i], asked, lanes, i)
            actions[i] = entry(tables, asked, tables.actions_to + number)
