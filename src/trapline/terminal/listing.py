"""Looking back: finished matches told again, checked, and listed."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.text import Text

from trapline.core import CHANCE, SEATS, Board, Seat, plural
from trapline.core.faults import held
from trapline.games import GAMES, known_game
from trapline.referee import Match, Walk, verify
from trapline.referee.record import printable, rules_changed, say_outcome
from trapline.terminal import boards
from trapline.terminal.screen import knows_only_ascii

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import Console

    from trapline.core import Game, Names
    from trapline.referee import Record, Step


def player_names(record: Record) -> Names:
    names = {}
    for seat in SEATS:
        player = record.players.get(str(seat))
        names[seat] = player.name if player and player.name else f"Player {seat}"
    return names


def tell(record: Record, console: Console, *, in_words: bool = False) -> None:
    """A match from its first move to its last, as a spectator may see it."""
    match = Match.restore(record)
    game, view, names = match.game, match.view(None), player_names(record)
    said = game.words(game, view, names)
    console.print(Text(title(record), "bold"))
    if changed := rules_changed(record, game):
        console.print(Text(changed))
    for turn in turns(record):
        for answered in turn.answered:
            console.print(answered)
        for line in turn.told:
            console.print(Text(f"     {line}"))
    console.print()
    if in_words:
        for sentence in view.board.words(names, game.place):
            console.print(Text(sentence))
    else:
        width = min(console.width, 100)
        for row in boards.draw(view.board, names, None, ascii_only=knows_only_ascii(), width=width):
            console.print(row)
    if view.outcome is None:
        console.print("The match is not finished; what is hidden stays hidden.")
    else:
        for line in said.ending(view.outcome):
            console.print(line)


def title(record: Record) -> str:
    names = player_names(record)
    return f"{known_game(record.game).title}: {names[1]} against {names[2]}"


def game_title(record: Record) -> str:
    """What a game is called; one from outside by its name, for a list loads nobody's code."""
    kind = GAMES.get(record.game)
    return kind.title if kind is not None else printable(record.game)


class Turn(NamedTuple):
    """One turn of a record, as everybody may see it."""

    answered: list[Text]
    """What each player answered."""
    told: list[str]
    """What happened then."""
    board: Board
    """The board after it; all of it if the match is over."""


def turns(record: Record) -> Iterator[Turn]:
    """A record turn by turn, what came before the first one included."""
    walk = Walk(record)
    steps = list(walk.steps())
    match = Match.restore(record)
    game, view, names = match.game, match.view(None), player_names(record)
    over = view.outcome is not None
    told = iter(game.words(game, view, names).told({}))
    state = walk.start
    for turn in range(-1, len(record.moves) + 1):
        part = [step for step in steps if step.turn == turn]
        if not part and turn >= 0:
            continue
        state = part[-1].after if part else state
        heard = [next(told, []) for _ in range(sum(_seen(step, game) for step in part))]
        with held(type(game)):
            board = game.board(state, None, over)
        answered = list(_written(part, turn, names, game, over=over))
        yield Turn(answered, [line for lines in heard for line in lines], board)


def _written(
    steps: list[Step], turn: int, names: Names, game: Game[Any], *, over: bool
) -> Iterator[Text]:
    """What each player answered in a turn; what was hidden is shown when everything may be."""
    for number, seat in enumerate(sorted({step.seat for step in steps})):
        if seat == CHANCE:
            continue
        mine = [step for step in steps if step.seat == seat]
        if turn < 0:
            if over:
                yield Text(f"{names[seat]} chose {mine[0].question.spoken(mine[0].answer)}.")
            continue
        shown = [step for step in mine if over or not step.question.sealed]
        if shown:
            label = f"{turn + 1:>3}." if not number else " " * 4
            yield Text(f"{label} {names[seat]}: {_turn_text(shown, game)}", "bold")


def _turn_text(steps: list[Step], game: Game[Any]) -> str:
    written = game.write_turn(tuple(step.answer for step in steps))
    if isinstance(written, str):
        return written
    values = [(step.question, step.question.value(step.answer)) for step in steps]
    return " ".join(asked.text(value) for asked, value in values if value != asked.usual)


def _seen(step: Step, game: Game[Any]) -> int:
    """How many of a step's events a spectator hears."""
    value = step.question.value(step.answer)
    return sum(not e.private for e in game.events(step.before, step.seat, value, step.after))


def check(record: Record, console: Console, *, in_words: bool = False) -> bool:
    """Everything that can be verified, one line each; whether all of it holds."""
    sound = True
    for item in verify(record):
        if item.later:
            console.print(Text(f"later  {item.what}: the match is not finished"), soft_wrap=True)
        elif item.fault is None:
            console.print(Text(f"ok     {item.what}"), soft_wrap=True)
        else:
            sound = False
            line = Text(f"FAULT  {item.what}: {printable(item.fault)}", "bold")
            console.print(line, soft_wrap=True)
    if record.commitments and not in_words:
        console.print("Commitments, to compare with those that were shown during play:")
        for key, value in record.commitments.items():
            label = f"Player {key}" if key[:1] in ("1", "2") else printable(key)
            console.print(Text(f"  {label}: {printable(value)}"), soft_wrap=True)
    return sound


def history(records: Iterable[Record], console: Console) -> int:
    """Two lines a match; returns how many there are."""
    count = 0
    for record in records:
        count += 1
        heading, played = summary(record)
        console.print(Text(heading, "bold"), soft_wrap=True)
        console.print(Text(f"  {played}"), soft_wrap=True)
    return count


def summary(record: Record) -> tuple[str, str]:
    """Which match it was and when; who played what, and how it ended."""
    names = player_names(record)
    played = f"{game_title(record)}, {names[1]} - {names[2]}"
    heading = f"{printable(record.id)}  {local_time(record.started)}"
    length = plural(len(record.moves), "turn")
    return heading, f"{played}, {length}: {_result(record, names)}"


def fits(record: Record, words: Iterable[str]) -> bool:
    """Whether a match has all these words in its id, game, players, time or result."""
    names = player_names(record)
    told = [record.id, record.game, game_title(record), *names.values(), local_time(record.started)]
    text = " ".join([*told, _result(record, names)]).lower()
    return all(word.lower() in text for word in words)


def local_time(stamp: str) -> str:
    """When something was, by the clock on this wall; what is no time stays as it was written."""
    try:
        return f"{datetime.fromisoformat(stamp).astimezone():%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError):
        return printable(stamp)


def _result(record: Record, names: dict[Seat, str]) -> str:
    outcome = record.result
    if outcome is None:
        return "not finished"
    if outcome.winner is None:
        return say_outcome(outcome)
    return f"{names[outcome.winner]} won ({outcome.reason})"
