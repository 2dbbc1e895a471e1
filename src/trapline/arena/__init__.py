"""The arena: any players against each other, and each of them against the equilibrium.

`config` reads what is wanted, `fixtures` are the matches to be played, `strategies` the mixed
strategies to be sampled, at all `decisions` of a game; `run` has both done and `results` keeps
them; `standings`, with `ratings` and `exploiting`, is what they amount to. Nothing here prints.
"""
