"""Rules from outside may fail or never end: a match says so, and stays as it was."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from trapline.core import GameError
from trapline.core.faults import held

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.referee.match import Match

P = ParamSpec("P")
R = TypeVar("R")


def holding(
    method: Callable[Concatenate[Match, P], R],
) -> Callable[Concatenate[Match, P], R]:
    """Where the rules fail in here, GameError says where."""

    @wraps(method)
    def call(match: Match, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if not match.wary:
            return method(match, *args, **kwargs)
        with held(type(match.game)):
            return method(match, *args, **kwargs)

    return call


def whole(
    method: Callable[Concatenate[Match, P], R],
) -> Callable[Concatenate[Match, P], R]:
    """Likewise, and then nothing has changed."""

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
