"""The rules of the five games over arrays: one loop steps thousands of matches.

These kernels restate what `trapline.games` says, and what `table` says about turns, so that
nothing of Python is left in the loop; the lock-step tests hold them equal, action by action.
`game` is always one lane, a record laid out as `layout.LANE` says. Kernels that call each other
sit in one file, because Numba renews its cache when the file of a kernel changes, and only then.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

HIDDEN_PATH, TRAP_BUILDER, TRAP_RUNNER, SECRET_PATHS, NUMERIC_MAZE = range(5)
SECRET, MOVE, TRAP, OVER = range(4)
"""What a lane asks for."""
UNFINISHED, GOAL, TRAPPED, TURN_LIMIT, WALLED_OFF = range(5)
"""Why a match is over."""
LIVE, SPRUNG, FOUND, DOUBT, PUBLIC_DOUBT, VISITED = 1, 2, 4, 8, 16, 32
"""What a seat's mark on a square says: a trap of theirs acts there; the other has landed on
it, or met it when trying to trap the square; the other, or everybody, cannot rule one out.
On a grid: they have carried the Seeker to the cell."""


# --- chance -----------------------------------------------------------------------------


@numba.njit(cache=True)
def draw(game: Any, count: int) -> Any:
    """A number below `count`, from the lane's own SplitMix64 sequence (Steele et al., 2014)."""
    z = game.chance + np.uint64(0x9E3779B97F4A7C15)
    game.chance = z
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return np.int64(((z >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


# --- beginnings and ends ----------------------------------------------------------------


@numba.njit(cache=True)
def begin(rules: Any, game: Any) -> None:
    game.first = rules.first or 1 + draw(game, 2)
    game.turn = 0
    game.step = 0
    game.winner = 0
    game.reason = UNFINISHED
    game.last = 0
    game.run = 0
    for seat in range(2):
        game.at[seat] = rules.start[seat]
        game.back[seat] = 0
        game.chosen[seat] = 0
        game.goal[seat] = 0
        game.wall[seat] = 0
    for square in range(rules.squares):
        game.marks[square, 0] = rules.unmarked
        game.marks[square, 1] = rules.unmarked
    game.asks = SECRET if rules.parts else MOVE
    game.to_act = 1 if rules.parts else game.first


@numba.njit(cache=True)
def end(game: Any, winner: int, reason: int) -> None:
    game.winner = winner
    game.reason = reason
    game.asks = OVER


@numba.njit(cache=True)
def end_turn(rules: Any, game: Any) -> None:
    """The other's turn follows, unless this was the last."""
    game.turn += 1
    if game.asks != OVER and game.turn == rules.turn_limit:
        end(game, 0, TURN_LIMIT)
    game.to_act = 0 if game.asks == OVER else 3 - game.to_act


# --- secrets ----------------------------------------------------------------------------


@numba.njit(cache=True)
def hiding_places(rules: Any, left: int, last: int, run: int) -> tuple[int, int]:
    """The lowest and the highest place for the next of `left` traps, or for a goal's column.

    All places between are allowed as well. Traps are hidden in rising order; the `last` one
    ends a run of `run` neighbours.
    """
    if rules.kind == SECRET_PATHS:
        return 1, rules.length
    near = last + 1
    fits = near <= rules.latest[left, run + 1]
    return near + 1 - fits, max(near * fits, rules.latest[left, 1])


@numba.njit(cache=True)
def hide(rules: Any, game: Any, me: int, place: int) -> None:
    if rules.kind == SECRET_PATHS:
        game.goal[me] = place
    else:
        game.marks[place, me] |= LIVE


@numba.njit(cache=True)
def hide_one(rules: Any, game: Any, place: int) -> None:
    """One more part of a secret; after the last, the other hides, or the first move follows."""
    me = game.to_act - 1
    hide(rules, game, me, place)
    game.run = game.run * (place == game.last + 1) + 1
    game.last = place
    game.chosen[me] += 1
    if game.chosen[me] == rules.parts:
        close_secret(rules, game, me)


@numba.njit(cache=True)
def hide_the_rest(rules: Any, game: Any) -> None:
    """All that is left of a secret, at random: the same as `hide_one` by one, but faster."""
    me = game.to_act - 1
    last: Any = np.int64(game.last)
    run: Any = np.int64(game.run)
    for left in range(rules.parts - game.chosen[me], 0, -1):
        low, high = hiding_places(rules, left, last, run)
        place = low + draw(game, high - low + 1)
        hide(rules, game, me, place)
        run = run * (place == last + 1) + 1
        last = place
    close_secret(rules, game, me)


@numba.njit(cache=True)
def close_secret(rules: Any, game: Any, me: int) -> None:
    game.chosen[me] = rules.parts
    game.last = 0
    game.run = 0
    if me == 0:
        game.to_act = 2
    else:
        game.to_act = game.first
        game.asks = MOVE


# --- moves, game by game ----------------------------------------------------------------


@numba.njit(cache=True)
def walk_hidden_path(rules: Any, game: Any, step: int) -> None:
    me = game.to_act - 1
    to = game.at[me] + step
    mark = game.marks[to, 1 - me]
    game.marks[to, 1 - me] = mark & SPRUNG
    # The trap is checked before the win: a trapped last step sends the runner back.
    if mark & LIVE:
        game.marks[to, 1 - me] = SPRUNG
        to = 0
    elif to == rules.length:
        end(game, me + 1, GOAL)
    game.at[me] = to


@numba.njit(cache=True)
def walk_trap_builder(rules: Any, game: Any, step: int) -> None:
    me = game.to_act - 1
    to = game.at[me] + (-step if me else step)
    if rules.passing:
        to = pass_over(game, me, to)
    mark = game.marks[to, 1 - me] & LIVE
    game.marks[to, 1 - me] = mark * (LIVE | SPRUNG)
    game.at[me] = to
    if mark:
        end(game, 2 - me, TRAPPED)
    elif to == rules.start[1 - me]:
        end(game, me + 1, GOAL)


@numba.njit(cache=True)
def pass_over(game: Any, me: int, to: int) -> Any:
    """Where the piece stops: on the first trap on its way. The squares before it are clear."""
    at = game.at[me]
    while at != to and not game.marks[at, 1 - me] & LIVE:
        game.marks[at, 1 - me] = 0
        at += -1 if me else 1
    return at


@numba.njit(cache=True)
def walk_numeric_maze(rules: Any, game: Any, step: int) -> None:
    me = game.to_act - 1
    to = game.at[me] + step
    if rules.public_traps[to]:
        to = 0
    game.at[me] = to
    if to == rules.length:
        end(game, me + 1, GOAL)


@numba.njit(cache=True)
def walk_secret_paths(rules: Any, game: Any, cell: int) -> None:
    me = game.to_act - 1
    row, column = cell // rules.length + 1, cell % rules.length + 1
    game.at[0] = row
    game.at[1] = column
    game.marks[cell, me] = VISITED
    if column == game.goal[me] and row == (1 if me else rules.length):
        end(game, me + 1, GOAL)


# --- Trap Runner ------------------------------------------------------------------------


@numba.njit(cache=True)
def stand(game: Any, me: int) -> Any:
    """Where a player moves from."""
    return 0 if game.back[me] else game.at[me]


@numba.njit(cache=True)
def may_trap(rules: Any, game: Any, me: int) -> Any:
    """Whether a trap may go on the square just left: not on 0, on one's own trap, or at the end."""
    start = stand(game, me)
    won = start + game.step == rules.length
    return start > 0 and not game.marks[start, me] & LIVE and not won


@numba.njit(cache=True)
def take_step(rules: Any, game: Any, step: int) -> None:
    """A move. Its trap answer is due, unless there is nothing to ask and the match ends."""
    me = game.to_act - 1
    game.step = step
    if not may_trap(rules, game, me) and ends_untrapped(rules, game, me):
        finish_turn(rules, game, False)
    else:
        game.asks = TRAP


@numba.njit(cache=True)
def ends_untrapped(rules: Any, game: Any, me: int) -> Any:
    to = stand(game, me) + game.step
    caught = game.marks[to, 1 - me] & LIVE
    if to == rules.length or game.turn + 1 == rules.turn_limit:
        return True
    return walled(rules, game, me, to, caught) and walled(
        rules, game, 1 - me, game.at[1 - me], game.back[1 - me]
    )


@numba.njit(cache=True)
def finish_turn(rules: Any, game: Any, trap: bool) -> None:
    """The turn as everybody sees it, and its hidden trap."""
    me = game.to_act - 1
    start = stand(game, me)
    to = start + game.step
    game.step = 0
    game.asks = MOVE
    caught = (game.marks[to, 1 - me] & LIVE) != 0
    game.marks[to, 1 - me] &= LIVE | SPRUNG | FOUND
    if caught:
        game.marks[to, 1 - me] |= SPRUNG
    if start:
        game.marks[start, me] |= DOUBT | PUBLIC_DOUBT
    if trap:
        lay_trap(rules, game, me, start)
    game.at[me] = to
    game.back[me] = caught
    if to == rules.length:
        end(game, me + 1, GOAL)
    elif walled(rules, game, 0, game.at[0], game.back[0]) and walled(
        rules, game, 1, game.at[1], game.back[1]
    ):
        end(game, 0, WALLED_OFF)


@numba.njit(cache=True)
def lay_trap(rules: Any, game: Any, me: int, square: int) -> None:
    """Try to; where the other's trap is, the one who tries finds it."""
    game.marks[square, 1 - me] &= 255 - DOUBT
    if game.marks[square, 1 - me] & LIVE:
        game.marks[square, 1 - me] |= FOUND
        return
    game.marks[square, me] |= LIVE
    low = high = square
    while game.marks[low - 1, me] & LIVE:  # there is none on 0
        low -= 1
    while game.marks[high + 1, me] & LIVE:  # nor on the goal
        high += 1
    if high - low + 1 >= rules.max_step:
        game.wall[me] = max(game.wall[me], high)


@numba.njit(cache=True)
def walled(rules: Any, game: Any, seat: int, at: int, back: int) -> Any:
    """Whether a wall lies ahead; whoever is on the way back has all of them ahead."""
    top = game.wall[1 - seat]
    return top > 0 and (back or top - rules.max_step >= at)


# --- actions ----------------------------------------------------------------------------


@numba.njit(cache=True)
def legal(rules: Any, game: Any) -> tuple[int, int, int]:
    """The first and the last legal action, and one between that is not (or −1).

    Not for a move in Secret Paths, whose actions are in `rules.around`.
    """
    me = game.to_act - 1
    if game.asks == SECRET:
        left = rules.parts - game.chosen[me]
        low, high = hiding_places(rules, left, game.last, game.run)
        return rules.hide_at + low - 1, rules.hide_at + high - 1, -1
    if game.asks == TRAP:
        return rules.answer_at, rules.answer_at + may_trap(rules, game, me), -1
    here = stand(game, me)
    if rules.kind == TRAP_BUILDER:
        left = here if me else rules.length - here
        return 0, min(left, rules.max_step) - 1, game.at[1] - game.at[0] - 1
    return 0, min(rules.length - here, rules.max_step) - 1, -1


@numba.njit(cache=True)
def seeker_cell(rules: Any, game: Any) -> Any:
    return (game.at[0] - 1) * rules.length + game.at[1] - 1


@numba.njit(cache=True)
def choose(rules: Any, game: Any) -> Any:
    """One of the legal actions, each equally likely."""
    if rules.kind == SECRET_PATHS and game.asks == MOVE:
        cell = seeker_cell(rules, game)
        return np.int64(rules.around[cell, draw(game, rules.ways[cell])])
    low, high, hole = legal(rules, game)
    inside = low <= hole <= high
    action = low + draw(game, high - low + 1 - inside)
    return np.int64(action + (inside and action >= hole))


@numba.njit(cache=True)
def apply(rules: Any, game: Any, action: int) -> None:
    """The lane after a legal action."""
    if game.asks == SECRET:
        hide_one(rules, game, action - rules.hide_at + 1)
        return
    if rules.kind == HIDDEN_PATH:
        walk_hidden_path(rules, game, action + 1)
    elif rules.kind == TRAP_BUILDER:
        walk_trap_builder(rules, game, action + 1)
    elif rules.kind == SECRET_PATHS:
        walk_secret_paths(rules, game, action)
    elif rules.kind == NUMERIC_MAZE:
        walk_numeric_maze(rules, game, action + 1)
    elif game.asks == MOVE:
        take_step(rules, game, action + 1)
    else:
        finish_turn(rules, game, action > rules.answer_at)
    if game.asks != TRAP:
        end_turn(rules, game)


# --- whole batches ----------------------------------------------------------------------


@numba.njit(cache=True)
def write_mask(rules: Any, game: Any, mask: Any, i: int) -> None:
    low, high, hole = 0, -1, -1
    around = rules.kind == SECRET_PATHS and game.asks == MOVE
    if game.asks != OVER and not around:
        low, high, hole = legal(rules, game)
    for action in range(mask.shape[1]):
        mask[i, action] = low <= action <= high and action != hole
    if around:
        cell = seeker_cell(rules, game)
        for k in range(rules.ways[cell]):
            mask[i, rules.around[cell, k]] = True


@numba.njit(cache=True)
def begin_all(rules: Any, lanes: Any, which: Any, mask: Any) -> None:
    for i in range(len(lanes)):
        if which[i]:
            begin(rules, lanes[i])
            write_mask(rules, lanes[i], mask, i)


@numba.njit(cache=True)
def first_illegal(lanes: Any, mask: Any, actions: Any) -> int:
    """The first lane whose action is not legal, or −1; a finished lane takes any."""
    for i in range(len(lanes)):
        known = 0 <= actions[i] < mask.shape[1]
        if lanes[i].asks != OVER and not (known and mask[i, actions[i]]):
            return i
    return -1


@numba.njit(cache=True)
def step_all(
    rules: Any, lanes: Any, actions: Any, again: bool, mask: Any, rewards: Any, done: Any
) -> None:
    """One action in every lane; with `again` a finished match makes room for the next."""
    for i in range(len(lanes)):
        game = lanes[i]
        rewards[i, 0] = rewards[i, 1] = 0
        if game.asks == OVER:
            continue
        apply(rules, game, actions[i])
        done[i] = game.asks == OVER
        if done[i]:
            if game.winner:
                rewards[i, game.winner - 1] = 1
                rewards[i, 2 - game.winner] = -1
            if again:
                begin(rules, game)
        write_mask(rules, game, mask, i)


@numba.njit(cache=True)
def choose_all(rules: Any, lanes: Any, actions: Any) -> None:
    for i in range(len(lanes)):
        actions[i] = choose(rules, lanes[i]) if lanes[i].asks != OVER else 0


@numba.njit(cache=True)
def play_all(rules: Any, lanes: Any, turns: int, mask: Any, tally: Any) -> None:
    """Random play: `turns` complete turns in every lane, one match after the other."""
    for i in range(len(lanes)):
        game = lanes[i]
        played = 0
        while played < turns:
            if game.asks == OVER:
                begin(rules, game)
            while game.asks == SECRET:
                hide_the_rest(rules, game)
            before = game.turn
            apply(rules, game, choose(rules, game))
            played += game.turn - before
            if game.asks == OVER:
                tally[game.winner] += 1
        if game.asks == OVER:
            begin(rules, game)
        write_mask(rules, game, mask, i)
