"""Looking back: finished matches told again, checked, and listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from trapline.core import SEATS, Moved, Seat
from trapline.match import Match
from trapline.notation import format_secret, format_turn, turn_from_json
from trapline.record import printable, say_outcome, verify
from trapline.terminal import boards
from trapline.terminal.screen import best_glyphs
from trapline.words.phrases import phrases

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from trapline.record import Record
    from trapline.words.boards import Names


def player_names(record: Record) -> Names:
    names = {}
    for seat in SEATS:
        player = record.players.get(str(seat))
        names[seat] = player.name if player and player.name else f"Player {seat}"
    return names


def tell(record: Record, console: Console) -> None:
    """A match from its first move to its last, as a spectator may see it."""
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
            console.print(Text(f"ok     {item.what}"), soft_wrap=True)
        else:
            sound = False
            line = Text(f"FAULT  {item.what}: {printable(item.fault)}", "bold")
            console.print(line, soft_wrap=True)
    if record.commitments:
        console.print("Commitments, to compare with those that were shown during play:")
        for key, value in record.commitments.items():
            label = f"Player {key}" if key in ("1", "2") else printable(key)
            console.print(Text(f"  {label}: {printable(value)}"), soft_wrap=True)
    return sound


def history(records: Iterable[Record], console: Console) -> int:
    """Two lines a match; returns how many there are."""
    count = 0
    for record in records:
        count += 1
        names = player_names(record)
        when = printable(record.started[:16].replace("T", " "))
        turns = f"{len(record.moves)} turn{'' if len(record.moves) == 1 else 's'}"
        console.print(Text(f"{printable(record.id)}  {when} UTC", "bold"), soft_wrap=True)
        console.print(
            Text(f"  {record.game}, {names[1]} - {names[2]}, {turns}: {_result(record, names)}"),
            soft_wrap=True,
        )
    return count


def _result(record: Record, names: dict[Seat, str]) -> str:
    outcome = record.result
    if outcome is None:
        return "not finished"
    if outcome.winner is None:
        return say_outcome(outcome)
    return f"{names[outcome.winner]} won ({outcome.reason.value})"
