"""How an answer is found in what somebody has written around it.

There are two habits, and both are read strictly, since a guess would play a move that nobody
meant: the answer follows `ANSWER:` on the last line, or stands in square brackets. Signs that
Markdown sets around a word belong to neither.
"""

from __future__ import annotations

import re

from trapline.core import InvalidMove

_MARKED = re.compile(r"ANSWER[*_`]*:(.*)", re.IGNORECASE)
_BRACKETED = re.compile(r"\[([^\[\]]*)\]")
_EMPHASIS = "*_`#> \t"
"""What Markdown may put around a line or a word."""


def marked(reply: str) -> str | None:
    """What follows ANSWER: on the last line; None where that line is no answer."""
    if ":" not in reply:
        return None
    lines = [line.strip(_EMPHASIS) for line in reply.splitlines()]
    last = next((line for line in reversed(lines) if line), "")
    found = _MARKED.fullmatch(last)
    return None if found is None else found[1].strip(_EMPHASIS)


def bracketed(reply: str) -> str | None:
    """What stands in brackets; None where nothing does."""
    answers = {answer.strip(_EMPHASIS).lower() for answer in _BRACKETED.findall(reply)}
    if len(answers) > 1:
        raise InvalidMove("Your reply has different answers in brackets: give one, such as [2].")
    return answers.pop() if answers else None


def read_reply(reply: str) -> str:
    """The answer in a reply, by either habit; a reply that has neither is an answer itself."""
    after = marked(reply)
    answer = bracketed(reply if after is None else after)
    return answer if answer is not None else (reply if after is None else after).strip().lower()
