"""The matches of a tournament, and how one of them is played, wherever that is."""

from __future__ import annotations

import hashlib
import json
from itertools import combinations, count
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.arena.costs import costs
from trapline.contest import play_out
from trapline.core import SEATS, Seat, Unavailable, other
from trapline.games import changed_options, make_game, rules_digest
from trapline.players import find_contestant, is_model, is_own
from trapline.players.llm.settings import Settings
from trapline.players.llm.spending import Exchange, Spent
from trapline.players.perfect import solution_of
from trapline.referee import Match, Player

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from trapline.arena.config import Config
    from trapline.core import View
    from trapline.players import Opponent


class Fixture(msgspec.Struct, frozen=True):
    """A match to be played. Its key names it by all that decides it, and by nothing else, so
    that a tournament that grows keeps what was played before."""

    game: str
    options: dict[str, Any]
    one: str
    two: str
    number: int
    seed: int
    llm: Settings | None = None
    rules: str = ""
    """For a game from outside: a digest of its rules."""
    paired: bool = False
    """Whether chance is common to the four matches in which two players take all parts."""

    @property
    def key(self) -> str:
        return digest("match", self, self.llm)

    @property
    def chance_key(self) -> str:
        """What decides chance: in a round of four, the same draws for the same part."""
        if not self.paired:
            return self.key
        text = msgspec.json.encode([self.game, self.options, self.seed, self.number // 4])
        return hashlib.sha256(text).hexdigest()[:24]

    @property
    def title(self) -> str:
        return f"{self.game}, {self.one} against {self.two}, match {self.number + 1}"

    @property
    def players(self) -> tuple[str, ...]:
        return self.one, self.two

    @property
    def seats(self) -> dict[Seat, str]:
        """Seats change with every match."""
        return {1: self.one, 2: self.two} if self.number % 2 == 0 else {1: self.two, 2: self.one}

    @property
    def first(self) -> Seat:
        """The first move changes with every other match, so that all four cases come up."""
        seat: Seat = 1 if self.number % 2 == 0 else 2
        return seat if self.number % 4 < 2 else other(seat)


class Played(msgspec.Struct, frozen=True, tag="match"):
    """A finished match, as the file of results holds it."""

    key: str
    game: str
    options: dict[str, Any]
    one: str
    two: str
    winner: str | None
    reason: str
    forfeit: str | None
    """Why the loser had to give up, if no answer of theirs could be used."""
    lost: dict[str, list[float]] | None
    """By player, what each choice cost against the equilibrium; None if that is not known."""
    spent: dict[str, Spent]
    record: dict[str, Any]
    score: int = 1
    """How much the winner won."""
    forfeited: float | None = None
    """What the loser's forfeit cost: all that could still be had."""
    said: dict[str, list[Exchange]] = {}
    """By player, what those who read text were asked and wrote; kept in a file of its own."""

    def result(self, player: str) -> float:
        """What the match was worth to one of its players."""
        if self.winner is None:
            return 0.0
        return float(self.score if player == self.winner else -self.score)


class Unfinished(msgspec.Struct, frozen=True):
    """What could not be done now, and is tried again by the next run."""

    title: str
    why: str
    away: str = ""
    """Who could not be asked, if that was the reason."""


def digest(kind: str, task: msgspec.Struct, llm: Settings | None) -> str:
    """The key of a task: prices and patience do not change what is played, so they are left
    out of it."""
    fields = {name: getattr(task, name) for name in task.__struct_fields__ if name != "llm"}
    for name in ("rules", "paired"):  # what was played before they were there keeps its key
        if not fields.get(name):
            fields.pop(name, None)
    asked: list[Any] | None = None
    if llm is not None:
        asked = [llm.temperature, llm.max_tokens, llm.corrections]
        asked += [llm.theme] * (llm.theme is not None)
    text = msgspec.json.encode([kind, fields, asked], order="sorted")
    return hashlib.sha256(text).hexdigest()[:24]


def schedule(config: Config) -> Iterator[Fixture]:
    """Every pair in every game; in a pair the names are in order, whatever the file's order."""
    for entry in config.games:
        game = make_game(entry.game, entry.options)
        options, rules = changed_options(game), rules_digest(type(game))
        for pair in combinations(sorted(config.players), 2):
            llm = config.llm_settings if any(map(reads_text, pair)) else None
            for number in range(entry.matches or config.matches):
                paired = config.evergreen is not None
                yield Fixture(game.name, options, *pair, number, config.seed, llm, rules, paired)


def reads_text(player: str) -> bool:
    """Whether the settings for language models are settings for this player too."""
    return is_model(player) or is_own(player)


# --- tasks, run anywhere ----------------------------------------------------------------


def solve(name: str, options: dict[str, Any]) -> None:
    """Solve a game and keep the solution, so that its matches find it."""
    for first in SEATS:
        solution_of(make_game(name, options), first)


def play(fixture: Fixture) -> Played | Unfinished:
    """Play a match and ask the coach; Unfinished if somebody could not be asked."""
    game = make_game(fixture.game, fixture.options)
    seats = fixture.seats
    players = {seat: find_contestant(seats[seat], fixture.llm) for seat in SEATS}
    names = {seat: Player(name, bot=name) for seat, name in seats.items()}
    dealt = hashlib.sha256(f"{fixture.chance_key} chance".encode()).hexdigest()
    match = Match(
        game,
        fixture.first,
        match_id=fixture.key,
        players=names,
        seed=fixture.seed,
        chance=dealt,
    )
    choose = {seat: player.choose for seat, player in players.items()}
    try:
        forfeit = play_out(match, choose, _chances(fixture))
    except Unavailable as error:
        return Unfinished(fixture.title, str(error), error.player)
    record = match.record()
    outcome = match.outcome
    assert outcome is not None  # it was played out
    judged = costs(record)
    return Played(
        fixture.key,
        fixture.game,
        fixture.options,
        fixture.one,
        fixture.two,
        seats[outcome.winner] if outcome.winner is not None else None,
        str(outcome.reason),
        str(forfeit) if forfeit is not None else None,
        judged.lost,
        bills({seats[seat]: player for seat, player in players.items()}),
        json.loads(record.to_json()),
        outcome.score,
        judged.forfeited,
        {seats[seat]: player.said() for seat, player in players.items() if player.said},
    )


def bills(players: dict[str, Opponent]) -> dict[str, Spent]:
    return {name: player.spent() for name, player in players.items() if player.spent is not None}


def _chances(fixture: Fixture) -> Callable[[View], Random]:
    """A generator for each decision: a match that is played again goes the same way. Where chance
    is common, whoever plays a part draws what everybody draws in that part."""
    numbers = count()
    key, paired = fixture.chance_key, fixture.paired

    def chance(view: View) -> Random:
        part = f" {view.seat} {view.turn} {len(view.events)}" if paired else f" {next(numbers)}"
        return Random(key + part)  # noqa: S311 (between programs)

    return chance
