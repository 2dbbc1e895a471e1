"""Rules from outside may fail or never end: a match says so, and stays as it was.

Which methods have to be held is marked where they are written. Only matches of such rules are of
the kind that holds them: the others, which a server plays by the thousand, pay nothing for it.
"""

from __future__ import annotations

from functools import cache, wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from trapline.core import GameError
from trapline.core.faults import held

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.referee.match import Match

P = ParamSpec("P")
R = TypeVar("R")
Marked = TypeVar("Marked", bound="Callable[..., Any]")

GUARD = "_guard"
"""Under this name a method bears what holds it."""


def holding(method: Marked) -> Marked:
    """Where the rules fail in here, GameError says where."""
    setattr(method, GUARD, _hold)
    return method


def whole(method: Marked) -> Marked:
    """Likewise, and then nothing has changed."""
    setattr(method, GUARD, _undo)
    return method


def guarded(kind: Any) -> type[Any]:
    """The same kind of match, for rules that have to be held."""
    return _kind(kind)


@cache
def _kind(kind: type[Any]) -> type[Any]:
    methods = {
        name: _guarded(written)
        for base in reversed(kind.__mro__)
        for name, written in vars(base).items()
        if hasattr(_body(written), GUARD)
    }
    return type(f"Guarded{kind.__name__}", (kind,), methods)


def _body(written: Any) -> Any:
    return written.fget if isinstance(written, property) else written


def _guarded(written: Any) -> Any:
    body = _body(written)
    call = getattr(body, GUARD)(body)
    return property(call) if isinstance(written, property) else call


def _hold(
    method: Callable[Concatenate[Match, P], R],
) -> Callable[Concatenate[Match, P], R]:
    @wraps(method)
    def call(match: Match, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if not match.wary:
            return method(match, *args, **kwargs)
        with held(type(match.game)):
            return method(match, *args, **kwargs)

    return call


def _undo(
    method: Callable[Concatenate[Match, P], R],
) -> Callable[Concatenate[Match, P], R]:
    @wraps(method)
    def call(match: Match, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if not match.wary:
            return method(match, *args, **kwargs)
        before = vars(match.fork())
        match.wary = False  # for what is called in here
        try:
            with held(type(match.game)):
                return method(match, *args, **kwargs)
        except GameError:
            vars(match).update(before)
            raise
        finally:
            match.wary = True

    return call
