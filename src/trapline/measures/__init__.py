"""What a policy is worth: every decision of a game, what a choice there costs, what can be won
from whoever makes it.

A policy is a function from a View to how often each answer is given. `decisions` lists where it
can be asked, `policies` are those that are known, `regret` judges single choices, and
`exploitability` a whole policy.
"""

from __future__ import annotations

from trapline.measures.exploiting import exploitability
from trapline.measures.policies import Policy

__all__ = ["Policy", "exploitability"]
