"""The one loop that lets programs act: the referee asks, they answer.

Whoever drives a match, a screen, a server, an adapter or an arena, asks the people itself and
leaves the programs to this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.core import SEATS, Forfeit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from random import Random

    from trapline.core import Form, Seat, View
    from trapline.players import Choose
    from trapline.referee import Match

    Chance = Callable[[View], Random]
    """The source of chance for one decision."""


def next_asked(match: Match, seats: Iterable[Seat] = SEATS) -> Seat | None:
    """The first of these seats that has something to answer now."""
    return next((seat for seat in seats if match.question(seat) is not None), None)


def forced_answer(match: Match, seat: Seat) -> Form | None:
    """The only possible answer of a seat, where there is only one."""
    question = match.question(seat)
    return question.answers[0].record if question is not None and question.forced else None


def act(match: Match, seat: Seat, choose: Choose, chance: Chance) -> Forfeit | None:
    """Let a program answer; without a usable answer it resigns, and why is returned.

    Where there is only one possible answer, nobody needs to be asked.
    """
    answer = forced_answer(match, seat)
    if answer is None:
        view = match.view(seat)
        try:
            answer = choose(view, chance(view))
        except Forfeit as forfeit:
            match.resign(seat)
            return forfeit
    match.play(seat, answer)
    return None


def play_out(match: Match, players: Mapping[Seat, Choose], chance: Chance) -> Forfeit | None:
    """Let these programs answer as long as one of them is asked: to the end if all are programs."""
    forfeit = None
    while (seat := next_asked(match, players)) is not None:
        forfeit = act(match, seat, players[seat], chance)
    return forfeit
