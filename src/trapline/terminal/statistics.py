"""Results by game and opponent, counted from what is on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.table import Table
from rich.text import Text

from trapline.core import SEATS, other
from trapline.referee.record import printable
from trapline.terminal.listing import game_title

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trapline.referee import Record

FRIENDS = "a friend"
NARROW = 64
"""Columns below which results are told in sentences."""


class Tally(NamedTuple):
    won: int = 0
    lost: int = 0
    drawn: int = 0
    turns: int = 0

    @property
    def played(self) -> int:
        return self.won + self.lost + self.drawn


def tallies(records: Iterable[Record]) -> dict[tuple[str, str], Tally]:
    """For each game and opponent how it went for the person; for Player 1 between two people."""
    found: dict[tuple[str, str], Tally] = {}
    for record in sorted(records, key=lambda record: record.started):
        people = [seat for seat in SEATS if _bot(record, seat) is None]
        if record.result is None or not people:
            continue
        seat = people[0]
        key = (game_title(record), _bot(record, other(seat)) or FRIENDS)
        worth = record.result.result(seat)
        won, lost, drawn, turns = found.get(key, Tally())
        found[key] = Tally(
            won + (worth > 0), lost + (worth < 0), drawn + (worth == 0), turns + len(record.moves)
        )
    return dict(sorted(found.items()))


def _bot(record: Record, seat: int) -> str | None:
    player = record.players.get(str(seat))
    return printable(player.bot) if player is not None and player.bot is not None else None


def table(found: dict[tuple[str, str], Tally]) -> Table:
    grid = Table(box=None, pad_edge=False)
    grid.add_column("game")
    grid.add_column("against")
    for column in ("played", "won", "lost", "drawn", "won %", "turns"):
        grid.add_column(column, justify="right")
    for (game, rival), tally in found.items():
        share, length = tally.won / tally.played, tally.turns / tally.played
        grid.add_row(
            Text(game), Text(rival), str(tally.played), str(tally.won), str(tally.lost),
            str(tally.drawn), f"{share:.0%}", f"{length:.1f}",
        )  # fmt: skip
    return grid


def lines(found: dict[tuple[str, str], Tally]) -> list[str]:
    """The same as sentences, for ears and narrow screens."""
    return [
        f"{game} against {rival}: {tally.won} won, {tally.lost} lost, {tally.drawn} drawn."
        for (game, rival), tally in found.items()
    ]
