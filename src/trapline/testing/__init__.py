"""Checks for any game of hidden information: nobody is told too much, nobody forgets.

    from trapline.testing import assert_no_leak, assert_perfect_recall

    assert_no_leak(make_game("hidden-path", {"length": 3, "traps": 1}))

    def knows(state, player):                       # Kuhn poker: my card and all bets
        steps = state.full_history()
        return steps[player].action if len(steps) > player else None, [s.action for s in steps[2:]]

    assert_no_leak(pyspiel.load_game("python_kuhn_poker"), knows)
    assert_perfect_recall(pyspiel.load_game("python_kuhn_poker"))

    assert_no_leak(lambda: my_env(render_mode="ansi"), knows=lambda episode, agent: ...)

A function makes an environment of PettingZoo (in turn or parallel), Gymnasium or TextArena;
`episode` is an `Episode`: the environment itself, its seed, and who did what.

**What a leak is.** A game cannot be asked what it may show, since a leaking one would approve of
its leak. So `knows(position, player)` says, from the full position, what the rules let a player
know; it is asked about every position, chance nodes included. Wherever two positions give a
player the same knowledge, everything that reaches the player must be the same: information
states, observations, strings and tensors, legal moves and action masks, infos, rewards, rendered
text, refusals. Type, order and length count: 1, 1.0 and True are three things. The first difference
is reported with both histories and by its name: which key, which index, which line.

`hiding(hidden)` makes such a function for OpenSpiel's games from a simpler rule: which actions a
player may not see. Games written for this project's referee have a rule already: a player knows
their own answers, and the events that the game says they hear.

**What perfect recall is.** What a player knows when they act determines what they knew and did
at each of their earlier turns.

**How sure a silence is.** A game of no more than `budget` positions is searched completely, shorter
histories first. From a larger one, as many are sampled besides: matches are played at random, and
then played again with other hidden choices wherever a player could not see the difference. Where
chance comes from a seed it can only be drawn again, so seeds are drawn until the budget is spent,
and the search is never called complete, unless no seed makes any difference. Where something may
be hidden and no two positions were met to compare, the check fails (`NothingCompared`).
"""

from trapline.testing.check import (
    LeakFound,
    NothingCompared,
    RecallLost,
    Report,
    assert_no_leak,
    assert_perfect_recall,
)
from trapline.worlds.live import Episode
from trapline.worlds.matches import Played, heard
from trapline.worlds.open_spiel import hiding

__all__ = [
    "Episode",
    "LeakFound",
    "NothingCompared",
    "Played",
    "RecallLost",
    "Report",
    "assert_no_leak",
    "assert_perfect_recall",
    "heard",
    "hiding",
]
