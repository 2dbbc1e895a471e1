"""Matches whose secrets stay on the players' own devices: whoever referees sees none of them.

Every place where something could be hidden is committed to on its own. When a move depends on
one, its owner's device opens that place and no other; the rest is opened at the end.
"""
