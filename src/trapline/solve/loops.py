"""Loops over arrays, written once: run as they are where there is little to do, and compiled where
there is much. Loading a compiler takes a part of a second, and compiling takes several: nobody
should wait for that who only wants to be told what was found before.
"""

from __future__ import annotations

import sys
from functools import cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")


class Loop(Generic[P, R]):
    """A decorator. Whoever calls the loop itself has much to do."""

    def __init__(self, body: Callable[P, R]) -> None:
        assert isinstance(body, FunctionType)
        self._body = body
        self.__doc__ = body.__doc__

    def __call__(self, *args: P.args, **named: P.kwargs) -> R:
        return self.compiled(*args, **named)

    @cached_property
    def plain(self) -> Callable[P, R]:
        return self._calling(lambda inner: inner.plain)

    @cached_property
    def compiled(self) -> Callable[P, R]:
        import numba

        made: Callable[P, R] = numba.njit(cache=True, nogil=True)(
            self._calling(lambda inner: inner.compiled)
        )
        return made

    @property
    def at_hand(self) -> Callable[P, R]:
        """Compiled where a compiler is loaded anyway."""
        return self.compiled if "numba" in sys.modules else self.plain

    def _calling(self, choose: Callable[[Loop[..., Any]], Callable[..., Any]]) -> Callable[P, R]:
        """The body, in which other loops are called as `choose` says."""
        body, known = self._body, self._body.__globals__
        names = [name for name in body.__code__.co_names if isinstance(known.get(name), Loop)]
        inner = {name: choose(known[name]) for name in names}
        made = FunctionType(body.__code__, known | inner, body.__name__, body.__defaults__)
        made.__qualname__, made.__module__ = body.__qualname__, body.__module__
        return made
