"""Looking back: finished matches told again, checked, and listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table as RichTable
from rich.text import Text

from trapline.core import SEATS, Moved, Seat
from trapline.match import Match
from trapline.notation import format_secret, format_turn, turn_from_json
from trapline.record import Replay, say_outcome, verify
from trapline.terminal import boards
from trapline.terminal.phrases import phrases
from trapline.terminal.screen import best_glyphs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from trapline.record import Record


def clean(text: str) -> str:
    """Text from a file, fit to be shown: no control characters that a terminal would obey."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:200])


def player_names(record: Record) -> boards.Names:
    names = {}
    for seat in SEATS:
        player = record.players.get(str(seat))
        names[seat] = clean(player.name) if player and player.name else f"Player {seat}"
    return names


def tell(record: Record, console: Console) -> None:
    """A match from its first move to its last, as a spectator may see it."""
    for _ in Replay(record).states():
        pass  # raises RecordError where the record breaks the rules
    match = Match.restore(record)
    names = player_names(record)
    view = match.view(None)
    said = phrases(view, names)
    console.print(Text(f"{match.game.title}: {names[1]} against {names[2]}", "bold"))
    for seat in SEATS:
        if view.secrets is not None and (secret := view.secrets[seat - 1]):
            console.print(f"{names[seat]} chose {format_secret(match.game, secret)}.")
    turns = iter(record.moves)
    number = 0
    events = view.events
    for index, event in enumerate(events):
        if isinstance(event, Moved):
            number += 1
            typed = format_turn(turn_from_json(match.game, next(turns)))
            # The mark of a trap attempt is shown only when everything may be.
            shown = typed if view.outcome is not None else typed.rstrip("t")
            console.print(Text(f"{number:>3}. {names[event.by]}: {shown}", "bold"))
        for line in said.say(event, events[index + 1] if index + 1 < len(events) else None):
            console.print(Text(f"     {line}"))
    console.print()
    for drawn in boards.draw(view, names, min(console.width, 100), best_glyphs()):
        console.print(drawn)
    if view.outcome is None:
        console.print("The match is not finished; what is hidden stays hidden.")
    else:
        for line in said.ending(view.outcome):
            console.print(line)


def check(record: Record, console: Console) -> bool:
    """Everything that can be verified, one line each; whether all of it holds."""
    sound = True
    for item in verify(record):
        if item.fault is None:
            console.print(Text(f"ok     {item.what}"))
        else:
            sound = False
            console.print(Text(f"FAULT  {item.what}: {clean(item.fault)}", "bold"))
    if record.commitments:
        console.print("Commitments, to compare with those that were shown during play:")
        for key, value in record.commitments.items():
            label = f"Player {key}" if key in ("1", "2") else clean(key)
            console.print(Text(f"  {label}: {clean(value)[:16]}"))
    return sound


def history(records: Iterable[Record], console: Console) -> int:
    """A table of matches; returns how many there are."""
    table = RichTable(box=None, pad_edge=False)
    for column in ("match", "played", "game", "players", "turns", "result"):
        table.add_column(column, overflow="fold")
    count = 0
    for record in records:
        count += 1
        names = player_names(record)
        table.add_row(
            Text(clean(record.id)),
            Text(clean(record.started[:16].replace("T", " "))),
            Text(clean(record.game)),
            Text(f"{names[1]} - {names[2]}"),
            str(len(record.moves)),
            Text(_result(record, names)),
        )
    if count:
        console.print(table)
    return count


def _result(record: Record, names: dict[Seat, str]) -> str:
    outcome = record.result
    if outcome is None:
        return "not finished"
    if outcome.winner is None:
        return say_outcome(outcome)
    return f"{names[outcome.winner]} won ({outcome.reason.value})"
