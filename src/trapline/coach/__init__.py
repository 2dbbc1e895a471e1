"""The coach: what choices cost against the solution of a game, and what it would do.

Every choice is judged from what its player could know when it was made, never from what the
other was hiding; so a bad choice that turned out well is called lucky, not good.
"""

from __future__ import annotations

from trapline.coach.hints import Advice, Option, advise, hint
from trapline.coach.judging import Analysis, Belief, Judgement, Loss, Word, analyse, losses
from trapline.coach.luck import Account
from trapline.coach.reasons import Reason
from trapline.coach.weighing import Settled

__all__ = [
    "Account", "Advice", "Analysis", "Belief", "Judgement", "Loss", "Option", "Reason", "Settled",
    "Word", "advise", "analyse", "hint", "losses",
]  # fmt: skip
