"""A game from a Gambit file (`.efg`), as a tree that can be solved.

The format: Gambit, "The extensive game (.efg) file format". A file lists the nodes of a tree,
parents before children. Information sets, chance moves and outcomes may be described where they
are met first, and named by their number alone later; an outcome on the way adds to the result.
"""

from __future__ import annotations

import hashlib
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.core import TraplineError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

MOST_BYTES = 200_000_000
"""A larger file takes minutes to read."""
UNWIELDY = re.compile(r".{99}|[eE][+-]?\d{3}")
"""Numbers beyond what can be computed with: some take forever just to be read."""
TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([{}])|([^\s{}",]+)|,', re.ASCII)


class BadTree(TraplineError):
    """A file that holds no such game; the text says what is wrong, and where."""


class Token(NamedTuple):
    text: str
    quoted: bool
    at: int
    """Where it begins in the text."""


class EfgNode:
    """One node; see `trapline.solve.extensive.Node`."""

    __slots__ = ("children", "known", "mover", "results", "shares")

    def __init__(self, mover: int | None, known: int, shares: Sequence[float]) -> None:
        self.mover, self.known, self.shares = mover, known, shares
        self.children: list[EfgNode] = []
        self.results: tuple[Fraction, ...] = ()

    @property
    def ways(self) -> int:
        return len(self.children)

    def after(self, way: int) -> EfgNode:
        return self.children[way]


class EfgTree:
    """A file, read whole."""

    def __init__(self, file: Path) -> None:
        try:
            data = file.read_bytes()
        except OSError as error:
            raise BadTree(f"{file} cannot be read: {error.strerror or error}.") from None
        if len(data) > MOST_BYTES:
            raise BadTree(f"{file} is larger than {MOST_BYTES // 1_000_000} MB.")
        self.name = str(file)
        self.digest = hashlib.sha256(data).hexdigest()
        self.text = data.decode("utf-8", "replace")
        reading = _Reading(self.text, self.name)
        self.title, self._root = reading.title, reading.root

    def root(self) -> EfgNode:
        return self._root


class _Reading:
    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name
        self._tokens = list(_tokens(text))
        self._next = 0
        self._sets: dict[tuple[int, int], int] = {}
        """For each player's information sets: how many answers there are."""
        self._draws: dict[int, list[float]] = {}
        self._outcomes: dict[int, tuple[Fraction, ...]] = {}
        self._prologue()
        self.root = self._tree()
        if self._next < len(self._tokens):
            raise self._wrong("there is more than one tree")

    def _prologue(self) -> None:
        if self._word() != "EFG" or self._word() != "2" or self._word() not in ("R", "D"):
            raise self._wrong("it does not begin with EFG 2 R")
        self.title = self._quoted()
        players = list(self._list())
        if len(players) != 2:
            raise self._wrong(f"there must be two players, not {len(players)}")
        if self._peek(quoted=True):
            self._quoted()  # a comment

    def _tree(self) -> EfgNode:
        """All nodes, each a child of the last one that still lacks some."""
        nothing = (Fraction(0), Fraction(0))
        root, ways, paid = self._node()
        self._close(root, nothing, paid)
        waiting = [(root, ways, _sum(nothing, paid))] if ways else []
        while waiting:
            above, left, so_far = waiting.pop()
            node, ways, paid = self._node()
            above.children.append(node)
            self._close(node, so_far, paid)
            if left > 1:
                waiting.append((above, left - 1, so_far))
            if ways:
                waiting.append((node, ways, _sum(so_far, paid)))
        return root

    @staticmethod
    def _close(node: EfgNode, so_far: tuple[Fraction, ...], paid: tuple[Fraction, ...]) -> None:
        if node.mover is None:
            node.results = _sum(so_far, paid)

    def _node(self) -> tuple[EfgNode, int, tuple[Fraction, ...]]:
        """A node, how many children it has, and what coming here pays."""
        kind = self._word()
        self._quoted()
        if kind == "t":
            return EfgNode(None, 0, ()), 0, self._outcome()
        if kind == "c":
            number = self._whole()
            shares = self._draw(number)
            return EfgNode(0, number, shares), len(shares), self._outcome()
        if kind != "p":
            raise self._wrong("a node begins with c, p or t", 2)
        player, number = self._whole(), self._whole()
        if player not in (1, 2):
            raise self._wrong(f"there is no player {player}", 2)
        ways = self._set(player, number)
        return EfgNode(player, number, ()), ways, self._outcome()

    def _set(self, player: int, number: int) -> int:
        if self._peek(quoted=True):
            self._quoted()
        if self._peek("{"):
            count = len(list(self._list()))
            if self._sets.setdefault((player, number), count) != count:
                raise self._wrong(f"information set {number} has other answers here")
        if not self._sets.get((player, number)):
            raise self._wrong(f"information set {number} has no answers")
        return self._sets[player, number]

    def _draw(self, number: int) -> list[float]:
        if self._peek(quoted=True):
            self._quoted()
        if self._peek("{"):
            words = list(self._list())
            shares = [float(self._number(word)) for word in words[1::2]]
            if len(words) % 2 or not words:
                raise self._wrong("a draw needs a chance for each of its names")
            if self._draws.setdefault(number, shares) != shares:
                raise self._wrong(f"draw {number} is described otherwise before")
        if number not in self._draws:
            raise self._wrong(f"draw {number} was never described")
        return self._draws[number]

    def _outcome(self) -> tuple[Fraction, ...]:
        number = self._whole()
        if self._peek(quoted=True):
            self._quoted()
        if self._peek("{"):
            paid = tuple(self._number(word) for word in self._list())
            if len(paid) != 2:
                raise self._wrong("an outcome needs a result for each of both players")
            if self._outcomes.setdefault(number, paid) != paid:
                raise self._wrong(f"outcome {number} is described otherwise before")
        if number and number not in self._outcomes:
            raise self._wrong(f"outcome {number} was never described")
        return self._outcomes.get(number, (Fraction(0), Fraction(0)))

    # --- words ----------------------------------------------------------------------------

    def _peek(self, text: str = "", *, quoted: bool = False) -> bool:
        if self._next >= len(self._tokens):
            return False
        token = self._tokens[self._next]
        return token.quoted == quoted and (quoted or token.text == text)

    def _take(self) -> Token:
        if self._next >= len(self._tokens):
            raise BadTree(f"{self.name} ends in the middle of a tree.")
        self._next += 1
        return self._tokens[self._next - 1]

    def _word(self) -> str:
        token = self._take()
        if token.quoted or token.text in "{}":
            raise self._wrong("a word is missing")
        return token.text

    def _quoted(self) -> str:
        token = self._take()
        if not token.quoted:
            raise self._wrong("a name in quotes is missing")
        return token.text

    def _whole(self) -> int:
        word = self._word()
        if not re.fullmatch(r"\d{1,9}", word):
            raise self._wrong(f"{word!r} should be a whole number")
        return int(word)

    def _number(self, word: str) -> Fraction:
        if UNWIELDY.search(word):
            raise self._wrong(f"{word[:20]!r} is too long, too large or too small a number")
        try:
            return Fraction(word)
        except (ValueError, ZeroDivisionError):
            raise self._wrong(f"{word!r} should be a number") from None

    def _list(self) -> Iterator[str]:
        if self._word_or_brace() != "{":
            raise self._wrong("a list in braces is missing")
        while not self._peek("}"):
            token = self._take()
            if not token.quoted and token.text == "{":
                raise self._wrong("a list in a list")
            yield token.text
        self._take()

    def _word_or_brace(self) -> str:
        return self._take().text

    def _wrong(self, why: str, back: int = 1) -> BadTree:
        at = self._tokens[min(max(self._next - back, 0), len(self._tokens) - 1)].at
        return BadTree(f"{self.name}, line {self.text.count(chr(10), 0, at) + 1}: {why}.")


def _tokens(text: str) -> Iterator[Token]:
    for found in TOKEN.finditer(text):
        if found[1] is not None:
            yield Token(found[1], True, found.start())
        elif found[2] or found[3]:
            yield Token(found[2] or found[3], False, found.start())


def _sum(one: tuple[Fraction, ...], two: tuple[Fraction, ...]) -> tuple[Any, ...]:
    return tuple(a + b for a, b in zip(one, two, strict=True))
