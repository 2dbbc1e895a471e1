"""Checks for any game of hidden information: nobody is told too much, nobody forgets.

    from trapline.testing import assert_no_leak, assert_perfect_recall

    assert_no_leak(make_game("hidden-path", {"length": 3, "traps": 1}))

    def knows(state, player):                       # Kuhn poker: my card and all bets
        steps = state.full_history()
        return steps[player].action if len(steps) > player else None, [s.action for s in steps[2:]]

    assert_no_leak(pyspiel.load_game("python_kuhn_poker"), knows)
    assert_perfect_recall(pyspiel.load_game("python_kuhn_poker"))

    assert_no_leak(lambda: my_aec_env(render_mode="ansi"), knows=lambda episode, agent: ...)

**What a leak is.** A game cannot be asked what it may show, since a leaking one would approve of
its leak. So `knows(position, player)` says, from the full position, what the rules let a player
know; it is asked about every position, chance nodes included. Wherever two positions give a
player the same knowledge, everything that reaches the player must be the same: information
states, observations, strings and tensors, legal moves and action masks, infos, rewards, rendered
text, refusals. The first difference is reported with both histories and with what differs.

`hiding(hidden)` makes such a function for OpenSpiel's games from a simpler rule: which actions a
player may not see. Games written for this project's referee have a rule already: a player knows
their own answers, and the events that the game says they hear.

**What perfect recall is.** What a player knows when they act determines what they knew and did
at each of their earlier turns.

A game of no more than `budget` positions is searched completely. From a larger one, as many are
sampled besides: matches are played at random, and then played again with other hidden choices
wherever a player could not see the difference.
"""

from trapline.testing.check import (
    LeakFound,
    RecallLost,
    Report,
    assert_no_leak,
    assert_perfect_recall,
)
from trapline.testing.matches import Played, heard
from trapline.testing.open_spiel import hiding
from trapline.testing.pettingzoo import Episode

__all__ = [
    "Episode",
    "LeakFound",
    "Played",
    "RecallLost",
    "Report",
    "assert_no_leak",
    "assert_perfect_recall",
    "heard",
    "hiding",
]
