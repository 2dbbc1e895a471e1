"""Random play of whole matches in one loop, which writes nothing but what they came to.

The text below the line goes into each game's module after that of `kernels`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from trapline.simulate.kernels import (
    ASKS,
    CHOOSE,
    CHOSEN,
    COUNT,
    FIRST,
    HIDDEN,
    LAST,
    LEFT,
    RUN,
    SECRET,
    SECRET_ASKS,
    TO_ACT,
    advance,
    ask_next,
    begin,
    begin_lane,
    below,
    deal,
    entry,
    inlined,
    kept,
    next_asked,
    next_members,
    write_mask,
)

# What stands for each game in its own module.
apply: Any = None
load: Any = None
opened: Any = None
store: Any = None

# ----------------------------------------------------------------------------------------


@kept
def play_all(
    rules: Any, lanes: Any, seeds: Any, asks: Any, turns: int, mask: Any, tally: Any
) -> None:
    """Random play: `turns` complete turns in every lane, one match after the other."""
    game, tables = opened(rules)
    for i in range(len(lanes)):
        play_lane(game, tables, lanes, seeds, i, turns, tally)
        write_mask(tables, lanes, i, mask)
        asks[i] = lanes[i, ASKS]


@inlined
def play_lane(
    game: Any, tables: Any, lanes: Any, seeds: Any, i: int, turns: int, tally: Any
) -> None:
    if lanes[i, ASKS] == 0:
        begin_lane(game, tables, lanes, seeds, i)
    state, seat, asked = load(lanes, i), lanes[i, TO_ACT], lanes[i, ASKS]
    seed, played = seeds[i], 0
    while played < turns:
        if entry(tables, asked, CHOOSE):
            seed, value = choose_set(tables, seed, asked, lanes, i)
        else:
            seed = advance(seed)
            value = entry(
                tables, asked, tables.values_to + below(seed, entry(tables, asked, COUNT))
            )
        if entry(tables, asked, HIDDEN):
            lanes[i, np.uint64(SECRET + seat - 1)] = value
            lanes[i, np.uint64(SECRET_ASKS + seat - 1)] = asked
        before = state.turn
        seed, state = deal(game, tables, seed, apply(game, state, seat, value))
        played += state.turn - before
        if state.outcome != 0:
            tally[state.outcome & 3] += 1
            seed, first, state = begin(game, tables, seed)
            forget_match(lanes, i, first)
        seat, asked = next_asked(game, state)
    seeds[i] = seed
    store(lanes, i, state)
    ask_next(game, tables, lanes, i, state)


@inlined
def forget_match(lanes: Any, i: int, first: int) -> None:
    lanes[i, FIRST] = first
    for column in range(SECRET, SECRET + 4):
        lanes[i, column] = 0


@inlined
def choose_set(tables: Any, seed: Any, asked: int, lanes: Any, i: int) -> Any:
    """All that is left of a set, at random; what the lane holds of it is used up."""
    chosen, left, last, run = 0, entry(tables, asked, CHOOSE), -1, 0
    if lanes[i, LEFT] and lanes[i, ASKS] == asked:
        chosen, left, last, run = lanes[i, CHOSEN], lanes[i, LEFT], lanes[i, LAST], lanes[i, RUN]
    while left:
        low, high = next_members(tables, asked, left, last, run)
        seed = advance(seed)
        number = low + below(seed, high - low + 1)
        run = run * (number == last + 1) + 1
        last = number
        left -= 1
        chosen |= 1 << entry(tables, asked, tables.values_to + number)
    lanes[i, LEFT] = 0
    return seed, chosen
