"""What the first screen says in every language, sent with it, so that nobody waits for a catalogue.

This follows static/js/translation.js as far as such a screen needs it: sentences, and those with
parts that are translated in their turn. What it cannot say is left to the page's own translator.
"""

from __future__ import annotations

import json
import re
from functools import cache
from html.parser import HTMLParser
from typing import NamedTuple

from trapline.server.languages import CODES, messages

SPOKEN = ("aria-label", "placeholder", "title", "alt")
SILENT = ("script", "style", "noscript", "select")
HOLE = re.compile(r"\{(\w+?)(\d*)\}")
KINDS = {"n": r"\d+", "name": r"(?:(?![.!?,:;] ).)+?", "text": r"(?:(?![.!?] ).)+?"}
BREAKS = re.compile(r"( · |(?:(?<=[.!?])|(?<=[.!?][”)]))(?<!e\.g\.) )")
JOINT = 7
"""A pattern that says no more than this only joins its parts, and is tried last."""


class Pattern(NamedTuple):
    test: re.Pattern[str]
    becomes: str
    rank: int


def first_words(page: str) -> str:
    """The texts of a page, and what they become, as the page reads it (static/js/early.js)."""
    reader = _Reader()
    reader.feed(page[page.index("<body>") :])
    said = [text for text in reader.texts if all(say(code, text) is not None for code in CODES)]
    words = {"en": said, **{code: [say(code, text) for text in said] for code in CODES}}
    return json.dumps(words, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


class _Reader(HTMLParser):
    """Collects what somebody reads or hears, each once, without the spaces around it."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: dict[str, None] = {}
        self._within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in SILENT:
            self._within.append(tag)
        for name, value in attrs:
            if name in SPOKEN:
                self._hear(value or "")

    def handle_endtag(self, tag: str) -> None:
        if self._within[-1:] == [tag]:
            self._within.pop()

    def handle_data(self, data: str) -> None:
        if not self._within:
            self._hear(data)

    def _hear(self, text: str) -> None:
        if re.search(r"[^\W\d_]", text):
            self.texts[" ".join(text.split())] = None


def say(code: str, text: str) -> str | None:
    """A text of any number of sentences; None where one of them is not known."""
    if not re.search(r"[^\W\d_]", text):
        return text
    parts = BREAKS.split(text)
    parts[::2] = told = [_sentence(code, part) for part in parts[::2]]
    return None if None in told else "".join(part or "" for part in parts)


def _sentence(code: str, text: str) -> str | None:
    whole, patterns = _known(code)
    if text in whole:
        return whole[text]
    for pattern in patterns:
        if found := pattern.test.fullmatch(text):
            return _filled(code, pattern.becomes, found.groupdict())
    return None


def _filled(code: str, pattern: str, parts: dict[str, str]) -> str | None:
    told = {name: say(code, part) if name[:4] == "text" else part for name, part in parts.items()}
    if None in told.values() or "plural" in pattern:
        return None
    return HOLE.sub(lambda hole: told[hole[1] + hole[2]] or "", pattern)


@cache
def _known(code: str) -> tuple[dict[str, str], list[Pattern]]:
    """Sentences, and patterns; the more one says, the sooner it is tried."""
    words = messages(code)
    whole = {english: becomes for english, becomes in words.items() if "{" not in english}
    simple = (pair for pair in words.items() if "{" in pair[0] and _is_simple(pair[0]))
    patterns = sorted((_pattern(*pair) for pair in simple), key=lambda one: -one.rank)
    return whole, patterns


def _is_simple(english: str) -> bool:
    return "plural" not in english and all(hole[1] in KINDS for hole in HOLE.finditer(english))


def _pattern(english: str, becomes: str) -> Pattern:
    source, last, weight = "", 0, 0
    for hole in HOLE.finditer(english):
        between = english[last : hole.start()]
        source += f"{re.escape(between)}(?P<{hole[1]}{hole[2]}>{KINDS[hole[1]]})"
        weight += len(between) + 2 * (hole[1] == "n")
        last = hole.end()
    weight += len(english) - last
    source += re.escape(english[last:])
    return Pattern(re.compile(source, re.DOTALL), becomes, weight if weight > JOINT else 0)
