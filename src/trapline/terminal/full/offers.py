"""What a question offers on a screen with keys: each answer with its key and its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trapline.core import Place
    from trapline.terminal.screen import Asked

ENTER = "enter"
TEN = "10"
"""What the key 0 stands for on any keyboard that counts from 1."""
COMMANDS = {
    "help": ("?", "f1", "help"),
    "rules": ("r", "f2", "rules"),
    "hint": ("h", "f3", "hint"),
    "draw": ("d", "f4", "draw"),
    "seals": ("s", "f5", "seals"),
    "claim": ("c", "f6", "claim"),
    "chance": ("p", "f7", "chance"),
    "resign": ("x", "f8", "resign"),
    "quit": ("q", "f10", "leave"),
}
"""The letter of each command, the key that always works, and what the bar says."""


class Offer(NamedTuple):
    text: str
    """The answer as one would type it."""
    label: str
    key: str
    """The key that gives it, if there is one."""
    place: Place | None = None


def offers(asked: Asked) -> list[Offer]:
    """Everything that may be answered, in order."""
    question = asked.question
    if question is None:
        keys = _keys([text for text, _ in asked.choices], several=False)
        return [
            Offer(text, label, key) for (text, label), key in zip(asked.choices, keys, strict=True)
        ]
    keys = _keys([answer.text for answer in question.answers], several=question.choose > 0)
    return [
        Offer(answer.text, answer.label or answer.text, key, answer.place)
        for answer, key in zip(question.answers, keys, strict=True)
    ]


def _keys(texts: list[str], *, several: bool) -> list[str]:
    """A key for each answer that one key can mean.

    A single answer is given at once, so a digit that begins a longer answer has to wait for it.
    """
    keys: list[str] = []
    for text in texts:
        longer = any(other != text and other.startswith(text) for other in texts)
        key = ""
        if not text:
            key = ENTER
        elif len(text) == 1 and (several or not longer):
            key = text.lower()
        elif text == TEN and several and "0" not in texts:
            key = "0"
        elif text.isalpha():
            key = next((letter for letter in text.lower() if letter not in keys), "")
        keys.append("" if key in keys else key)
    return keys


def command_keys(commands: Iterable[str], taken: Iterable[str]) -> dict[str, tuple[str, str]]:
    """For each command its best key, and what the bar says; an answer's key is never taken."""
    used = set(taken)
    found = {}
    offered = set(commands)
    for word, (letter, always, label) in COMMANDS.items():
        if word in offered:
            found[word] = (always if letter in used else letter, label)
    return found
