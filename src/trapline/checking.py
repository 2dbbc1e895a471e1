"""Is a game sound? A short look at its rules, its matches and what its players are shown.

Everything that is found is a sentence that names the place. `check` looks in a process of its
own, so that rules which crash, or never come back, take nothing with them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import (
    CHANCE,
    SEATS,
    SECRET,
    Board,
    Event,
    Game,
    GameError,
    Outcome,
    State,
    TraplineError,
    asked,
    forget,
)
from trapline.core.faults import called, held, rule_at
from trapline.games import make_game
from trapline.games.loading import check_question, check_state
from trapline.referee import Match, parse_record, replay_answer, verify
from trapline.testing import LeakFound, RecallLost, assert_no_leak, assert_perfect_recall

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

STATES = 3000
"""How many different states are looked at."""
MATCHES = 20
ANSWERS = 12
"""How many answers to one question are tried."""
TURNS = 2000
"""More turns of random play than this, and the match is taken to go on for ever."""
POSITIONS = 400
"""How many positions the search for leaks looks at."""


class Finding(msgspec.Struct, frozen=True):
    check: str
    """What was looked for: crash, deadlock, refused, endless, rewards, space, leak, ..."""
    sentence: str
    play: tuple[str, ...] = ()
    """The answers that led there."""


class Report(msgspec.Struct, frozen=True):
    game: str
    findings: tuple[Finding, ...]
    states: int = 0
    matches: int = 0

    @property
    def ok(self) -> bool:
        return not self.findings


class _Found(GameError):
    def __init__(self, check: str, sentence: str, play: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.finding = Finding(check, sentence, play)


def check(spec: str, options: Mapping[str, object] | None = None, seconds: float = 60) -> Report:
    """Look at a game in a process of its own, for no longer than this."""
    command = [sys.executable, "-m", "trapline.checking", spec, json.dumps(dict(options or {}))]
    try:
        done = subprocess.run(command, capture_output=True, timeout=seconds, check=False)  # noqa: S603 - our own program
        return msgspec.json.decode(done.stdout.splitlines()[-1], type=Report)
    except subprocess.TimeoutExpired:
        said = f"{spec} was not done after {seconds:g} seconds, and was stopped."
        return Report(spec, (Finding("endless", said),))
    except (IndexError, msgspec.MsgspecError):
        said = f"{spec} ended the process that looked at it (code {done.returncode})."
        return Report(spec, (Finding("crash", said),))


def look(spec: str, options: Mapping[str, object]) -> Report:
    """Look at a game in this process."""
    try:
        game = make_game(spec, options, from_text=True)
    except TraplineError as error:
        return Report(spec, (Finding("crash", str(error)),))
    findings, explored = [], _Explored(game)
    steps: tuple[Callable[[], None], ...] = (
        explored.states,
        partial(_matches, game),
        partial(_leaks, game),
    )
    for step in steps:
        try:
            step()
        except _Found as found:
            findings.append(found.finding)
            break  # what follows would only say the same in other words
        except GameError as error:
            findings.append(Finding("crash", str(error), explored.play))
            break
    return Report(game.name, tuple(findings), len(explored.seen), MATCHES)


class _Explored:
    """Every state that can be reached, as far as there is time for them."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.kind = type(game)
        self.seen: set[State] = set()
        self.play: tuple[str, ...] = ()
        self.planes: dict[str, int] | None = None

    def states(self) -> None:
        waiting: list[tuple[Any, tuple[str, ...]]] = []
        for first in SEATS:
            with held(self.kind):
                waiting.append((self.game.start(first), ()))
        while waiting and len(self.seen) < STATES:
            state, self.play = waiting.pop()
            if state in self.seen:
                continue
            self.seen.add(state)
            with held(self.kind):
                self._boards(state)
                waiting += list(self._following(state))

    def _following(self, state: Any) -> Iterator[tuple[Any, tuple[str, ...]]]:
        if state.outcome is not None:
            return
        game, askers = self.game, asked(self.game, state)
        if not askers:
            raise self._wrong("deadlock", "question", "asks nobody anything, but it is not over")
        for seat in askers:
            question = game.chance(state) if seat == CHANCE else game.question(state, seat)
            check_question(self.kind, question)
            assert question is not None  # it was checked
            if state.mover not in (0, seat) and seat != CHANCE and question.asks != SECRET:
                said = f"asks Player {seat} while it is Player {state.mover}'s turn"
                raise self._wrong("deadlock", "question", said)
            if seat == CHANCE and (
                len(question.weights) != len(question.answers) or min(question.weights) <= 0
            ):
                raise self._wrong(
                    "chance", "chance", "draws without a weight above 0 for each answer"
                )
            for number, value in enumerate(question.values()):
                if number == ANSWERS:
                    break
                text = question.text(value)
                if seat != CHANCE and question.value(question.parse(text)) != value:
                    said = f"lists the answer {text!r}, which means another one when it is typed"
                    raise self._wrong("space", "question", said)
                after = self._applied(state, seat, value, text)
                yield after, (*self.play, text)

    def _applied(self, state: Any, seat: Any, value: int, text: str) -> Any:
        game, rule = self.game, "dealt" if seat == CHANCE else "apply"
        before = msgspec.json.encode(state)

        def answered(given: Any) -> Any:
            return game.dealt(given, value) if seat == CHANCE else game.apply(given, seat, value)

        try:
            after, again = answered(state), answered(state)
        except TraplineError as error:
            said = f"refuses {text!r}, which question lists: {error}"
            raise self._wrong("refused", rule, said) from None
        if msgspec.json.encode(state) != before:
            raise self._wrong("shared state", rule, "changes the state that it is given")
        if type(after) is not type(state):
            raise self._wrong("space", rule, f"gives {type(after).__name__}, which is no state")
        check_state(after)
        if after != again:
            raise self._wrong("shared state", rule, "gives two different states for one answer")
        if after.turn not in (state.turn, state.turn + 1):
            raise self._wrong("space", rule, f"counts from turn {state.turn} to {after.turn}")
        if after.outcome is not None and not isinstance(after.outcome, Outcome):
            raise self._wrong("space", rule, "has an outcome that is none: use won() or drawn()")
        if after.outcome is not None and after.outcome.score > game.stake:
            said = f"is won by {after.outcome.score}, but stake says {game.stake} is the most"
            raise self._wrong("rewards", rule, said)
        if forget(answered(forget(state))) != forget(after):
            said = f"reads one of {', '.join(state.memory)}, which memory says no rule reads"
            raise self._wrong("space", rule, said)
        for event in game.events(state, seat, value, after):
            if not isinstance(event, Event):
                raise self._wrong("space", "events", "tells something that is no event")
        return after

    def _boards(self, state: Any) -> None:
        for viewer in (*SEATS, None):
            for over in {False, state.outcome is not None}:
                board = self.game.board(state, viewer, over)
                if not isinstance(board, Board):
                    raise self._wrong("space", "board", "gives no Board")
                planes = dict(board.planes())
                self.planes = self.planes or planes
                if planes != self.planes:
                    said = "shows other things than before: list the same ones all through a match"
                    raise self._wrong("space", "board", said)
                for name, cells in board.numbers(viewer or 1).items():
                    if any(not 0 <= cell < planes[name] for cell in cells):
                        said = f"shows more of {name!r} than the most it says there can be"
                        raise self._wrong("space", "board", said)

    def _wrong(self, check: str, rule: str, says: str) -> _Found:
        sentence = f"{called(self.kind)} ({rule_at(self.kind, rule)}): {rule} {says}."
        return _Found(check, sentence, self.play)


def _matches(game: Game[Any]) -> None:
    """Whole matches before the referee: recorded, verified, replayed, and taken up again."""
    rng = Random(0)  # noqa: S311 - the same matches every time
    for _ in range(MATCHES):
        match = Match(game, rng=rng)
        play: list[str] = []
        while match.outcome is None:
            if len(play) > TURNS:
                said = f"had not ended after {TURNS} answers of random play: give it a turn_limit"
                raise _Found(
                    "endless", f"{called(type(game))} ({rule_at(type(game), 'apply')}) {said}."
                )
            seat = rng.choice(match.asked)
            question = match.question(seat)
            assert question is not None  # the seat is asked
            value = question.random(rng)
            match.play(seat, question.record(value))
            play.append(question.text(value))
        _same_again(game, match, tuple(play))


def _same_again(game: Game[Any], match: Match, play: tuple[str, ...]) -> None:
    record = match.record()
    data = record.to_json().encode()
    faults = [check.fault for check in verify(record) if check.fault]
    answer = replay_answer(data)
    why = faults[0] if faults else "" if answer["ok"] else answer.get("error", "it is refused")
    if not why:  # what cannot be replayed cannot be taken up again either
        restored = Match.restore(parse_record(data))
        same = all(restored.view(viewer) == match.view(viewer) for viewer in (*SEATS, None))
        why = "" if same else "the Views differ"
    if why:
        said = f"A match of {game.title} does not come back from its record: {why}"
        raise _Found("reset", said, play)


def _leaks(game: Game[Any]) -> None:
    at = f"{called(type(game))} ({rule_at(type(game), 'board')})"
    try:
        assert_no_leak(game, budget=POSITIONS)
        assert_perfect_recall(game, budget=POSITIONS)
    except LeakFound as error:
        raise _Found("leak", f"{at} shows what a player may not know. {error}") from None
    except RecallLost as error:
        raise _Found("recall", f"{at} lets a player forget. {error}") from None


if __name__ == "__main__":
    sys.stdout.write(
        msgspec.json.encode(look(sys.argv[1], json.loads(sys.argv[2]))).decode() + "\n"
    )
