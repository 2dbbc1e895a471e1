"""The coach: every choice judged from what its player could know."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests import worlds
from tests.outside import examples
from trapline.coach import Word, analyse, hint
from trapline.core import CHANCE, NotNow, RecordError, Seat
from trapline.games import make_game
from trapline.players import perfect
from trapline.referee import Match, Record, Walk, parse_record
from trapline.report import coach_page
from trapline.server.thinking import _hint as given_on_the_page
from trapline.solve import Outlook, solved

if TYPE_CHECKING:
    from pathlib import Path

    from trapline.solve import Solution

SMALL: dict[str, dict[str, object]] = {
    "hidden-path": {"length": 4, "traps": 1},
    "trap-builder": {"length": 6, "traps": 2, "walls": False},
    "trap-runner": {"length": 6},
    "secret-paths": {"turn_limit": 20},
    "numeric-maze": {"length": 10, "traps": [5]},
}


def played(name: str, turns: list[tuple[Any, ...]], secrets: dict[Seat, list[int]]) -> Record:
    match = Match(make_game(name), 1)
    for seat, secret in secrets.items():
        match.play(seat, secret)
    for turn in turns:
        assert match.to_move is not None
        match.play(match.to_move, *turn)
    return match.record()


ALL = [*SMALL.items(), *((str(path), {}) for path in examples.FILES)]


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "options"), ALL, ids=[*SMALL, *examples.IDS])
def test_every_choice_of_any_match_is_judged(spec: str, options: dict[str, object]) -> None:
    rng = Random(spec.rpartition("/")[2])
    game = make_game(spec, options)
    stake = 2 if game.name == "kuhn" else 1
    for _ in range(3):
        record = worlds.random_match(game, rng).record()
        analysis = analyse(record)
        asked = [
            (step.seat, step.turn + 1, step.question.asks)
            for step in Walk(record).steps()
            if step.seat != CHANCE and step.question.count() > 1
        ]
        assert [(item.by, item.turn, item.asks) for item in analysis.judgements] == asked
        for item in analysis.judgements:
            assert -stake - 1e-9 <= item.after <= item.before + 1e-9 <= stake + 2e-9
            gap = analysis.bounds[1] - analysis.bounds[0]
            assert item.lost == pytest.approx(item.before - item.after, abs=2e-6 + gap)
            assert sum(belief.chance for belief in item.beliefs[item.by - 1]) <= 1.001
            assert item.chosen
            assert 0.0 <= item.expected_after <= item.expected_before <= 1.0
            costs = max(item.lost / (2 * stake), item.expected_before - item.expected_after)
            assert (item.best == item.chosen) == (costs <= 0.01 + 1e-6)
            assert (item.word is Word.BEST) == (costs <= 0.01 + 1e-6)


def test_what_is_forced_is_not_judged() -> None:
    """Player 1 comes back to square 2, where a trap of theirs lies already."""
    turns = [
        (2,), (3,), (1, "t"), (1, "t"), (1, "n"), (2, "t"), (1, "n"), (1, "t"), (1, "n"),
        (1, "n"), (2,), (1, "n"), (1, "n"), (1,),
    ]  # fmt: skip
    judged = analyse(played("trap-runner", turns, {})).judgements
    asked = [(item.turn, item.asks) for item in judged if item.turn >= 11]
    assert asked == [(11, "move"), (12, "move"), (12, "trap"), (13, "move")]


class Rough:
    """A solution that proves less than it says."""

    def __init__(self, solution: Solution, gap: float) -> None:
        self.policy, self.forced, self.exact = solution.policy, False, False
        self.game, self.facts = solution.game, solution.facts
        self.bounds = (solution.value - gap / 2, solution.value + gap / 2)


@pytest.mark.parametrize(
    ("gap", "word"), [(0.0, Word.BLUNDER), (1.9, Word.BLUNDER), (2.0, Word.BEST)]
)
def test_nothing_within_the_gap_of_a_solution_is_a_mistake(gap: float, word: Word) -> None:
    record = played("trap-builder", [(2,), (3,)], {1: [7, 8, 9], 2: [3, 5, 6]})
    rough: Any = Rough(solved(make_game("trap-builder")), gap)
    chosen = {item.by: item for item in analyse(record, rough).judgements if item.asks == "secret"}
    assert chosen[2].word is word
    assert chosen[2].lost == (0.0 if word is Word.BEST else 2.0)


class Guessing:
    """A solution that means two answers, though it guesses that one of them is better."""

    exact, forced, bounds = True, False, (0.0, 0.0)

    def __init__(self, solution: Solution) -> None:
        self.game, self.facts = solution.game, solution.facts

    @property
    def policy(self) -> Guessing:
        return self

    def look(self, _view: object) -> Outlook:
        return Outlook({1: 0.5, 2: 0.495, 3: 0.005}, {1: 0.5, 2: 0.0, 3: 0.0}, {})


@pytest.mark.parametrize(
    ("move", "word", "best"),
    [(1, Word.BEST, "1 step"), (2, Word.BEST, "2 steps"), (3, Word.BLUNDER, "1 step")],
)
def test_whoever_plays_the_solution_makes_no_mistake(move: int, word: Word, best: str) -> None:
    match = Match(make_game("numeric-maze"), 1)
    match.play(1, move)
    match.resign(1)
    guessing: Any = Guessing(solved(make_game("numeric-maze")))
    (judged,) = analyse(match.record(), guessing).judgements
    assert (judged.word, judged.best) == (word, best)
    assert judged.lost == pytest.approx(judged.before - judged.after)


def test_a_choice_is_told_by_its_label() -> None:
    match = Match(examples.example("kuhn"), 1, chance="0" * 64)
    match.play(1, "bet")
    match.play(2, "call")
    judged = analyse(match.record()).judgements
    assert [item.chosen for item in judged] == ["bet one chip", "call"]
    assert "Player 1: bet one chip" in coach_page.lines(analyse(match.record()))[0]


def test_a_name_is_never_markup_in_the_terminal(home: Path) -> None:
    match = Match(make_game("numeric-maze"), 1, match_id="m1")
    match.players[1] = type(match.players[1])("[/x]Ann[bold]")
    match.play(1, 3)
    match.resign(2)
    done = run("analyse", "-", given=match.record().to_json() + "\n")
    assert done.returncode == 0, done.stderr
    assert "[/x]Ann[bold] won (resigned)." in done.stdout


def test_a_slip_that_wins_in_the_end_is_lucky() -> None:
    options = {"walls": False}
    match = Match(make_game("trap-builder", options), 1)
    match.play(1, [5, 7, 9])
    match.play(2, [5, 8, 9])
    for move in (1, 2, 1, 1):
        assert match.to_move is not None
        match.play(match.to_move, move)
    third = [item for item in analyse(match.record()).judgements if item.asks == "move"][2]
    assert third.word in (Word.LUCKY, Word.BEST, Word.FINE)


def test_a_lost_opening_secret_in_trap_builder_is_a_blunder() -> None:
    record = played("trap-builder", [(2,), (3,)], {1: [7, 8, 9], 2: [3, 5, 6]})
    chosen = {item.by: item for item in analyse(record).judgements if item.asks == "secret"}
    assert chosen[2].word is Word.BLUNDER  # 1 2 3 wins by force
    assert chosen[2].best == "1 2 3"
    assert chosen[2].lost == 2.0
    assert chosen[1].word is Word.BEST  # nothing helps the first player


def test_a_trap_runner_who_leads_never_goes_wrong_by_running() -> None:
    record = played("trap-runner", [(3,), (3,), (3, "n"), (3, "n"), (3, "n"), (3, "n"), (1,)], {})
    words = {item.word for item in analyse(record).judgements if item.by == 1}
    assert words == {Word.BEST}


def test_a_slow_start_is_named_and_a_slip_that_goes_unpunished_is_lucky() -> None:
    # Numeric Maze: the first player dawdles, the second dawdles too, so nothing was lost.
    moves = [move for move in (1, 3, 3, 2, 3, 2, 3) for _ in range(2)]
    record = played("numeric-maze", [(move,) for move in [*moves, 3]], {})
    judged = analyse(record).judgements
    assert judged[0].word is Word.LUCKY
    assert judged[1].word is Word.BLUNDER
    assert {item.word for item in judged[2:] if item.by == 1} == {Word.BEST}


def test_beliefs_rule_out_what_was_seen() -> None:
    game = make_game("trap-builder", SMALL["trap-builder"])
    match = Match(game, 1)
    match.play(1, [2, 4])
    match.play(2, [3, 5])
    match.play(1, 2)  # safe, so Player 2 has no trap on 2
    match.play(2, 1)
    match.play(1, 2)
    match.resign(2)
    third = [item for item in analyse(match.record()).judgements if item.asks == "move"][2]
    held = [belief.secret for belief in third.beliefs[0]]
    assert held
    assert not any("2" in secret.split() for secret in held)


def test_beliefs_are_in_what_the_solution_hides() -> None:
    record = played("trap-builder", [(2,), (3,)], {1: [7, 8, 9], 2: [3, 5, 6]})
    first = next(item for item in analyse(record).judgements if item.asks == "move")
    assert [(held.secret, held.chance) for held in first.beliefs[0]] == [("1 2 3", 1.0)]


def test_the_coach_is_silent_while_there_are_secrets() -> None:
    match = Match(make_game("numeric-maze"), 1)
    with pytest.raises(NotNow, match="when the match is over"):
        analyse(match.sealed_record())
    broken = parse_record(b'{"game": "numeric-maze", "first": 1, "moves": [9]}')
    with pytest.raises(RecordError):
        analyse(broken)


def test_a_match_that_ended_before_both_had_chosen_has_nothing_to_judge() -> None:
    match = Match(make_game("trap-builder"), 1)
    match.resign(1)
    assert analyse(match.record()).judgements == []


def test_the_page_is_self_contained() -> None:
    rng = Random(2)
    match = worlds.random_match(make_game("trap-builder", SMALL["trap-builder"]), rng)
    match.players[1] = type(match.players[1])("<b>Ann</b>")
    page = coach_page.page(analyse(match.record()))
    assert "<b>Ann</b>" not in page  # a name is text, not markup
    assert not re.search(r'(?:src|href)="|<script|url\(', page)
    assert page.count("<svg") == 1 + len(analyse(match.record()).judgements)


def run(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "trapline", *arguments],
        input=given, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_analyse_as_table_json_and_page(tmp_path: Path) -> None:
    record = played("trap-builder", [(2,), (3,)], {1: [7, 8, 9], 2: [3, 5, 6]})
    path = tmp_path / "match.json"
    path.write_text(record.to_json())
    table = run("analyse", str(path))
    assert table.returncode == 0
    assert "blunder" in table.stdout
    found = json.loads(run("analyse", str(path), "--json").stdout)
    assert [item["word"] for item in found["judgements"]][1] == "blunder"
    mixed = worlds.random_match(make_game("trap-builder", SMALL["trap-builder"]), Random(1))
    path.write_text(mixed.record().to_json() + "\nnonsense\n")
    done = run("analyse", "-", "--json", given=path.read_text())
    assert json.loads(done.stdout.splitlines()[0])["forced"] is False
    assert "Record 2: record: This is not JSON" in done.stdout
    assert done.returncode == 1
    path.write_text(record.to_json())
    page = tmp_path / "page.html"
    assert run("analyse", str(path), "--html", str(page)).returncode == 0
    assert page.read_text("utf-8").startswith("<!doctype html>")


def test_a_hint_at_the_prompt_against_the_computer_only() -> None:
    given = "hint\n1 2 3\nhint\nquit\n"
    done = run("play", "trap-builder", "--vs", "random", "--first", "2", given=given)
    assert "Perfect play chooses" in done.stdout
    assert "Perfect play answers" in done.stdout
    done = run("play", "trap-builder", given="hint\nquit\n")
    assert "Perfect play" not in done.stdout


def test_a_hint_tells_what_the_perfect_player_draws_from() -> None:
    match = Match(make_game("trap-builder"), 1)
    match.play(1, [7, 8, 9])
    match.play(2, [1, 2, 3])
    chances = perfect.chances(match.view(1))  # the game is lost by force
    usual = [f"{move} step{'s' * (move != 1)}" for move, chance in chances.items() if chance]
    assert all(name in hint(match.view(1)) for name in usual)
    assert "equally often" in hint(match.view(1))
    assert "against best play all is lost" in hint(match.view(1))


@pytest.mark.parametrize("path", examples.FILES, ids=examples.IDS)
def test_a_hint_in_any_game(path: Path) -> None:
    match = Match(make_game(str(path)), 1)
    seat = match.asked[0]
    assert re.match(
        r"Perfect play (answers|chooses) .+: (it wins|it can expect|against best play|it keeps) .+",
        hint(match.view(seat)),
    )


def test_a_hint_names_the_only_answer_and_needs_a_question() -> None:
    match = Match(examples.example("nim", piles=[1]), 1)
    assert hint(match.view(1)) == "There is only one answer: 1."
    with pytest.raises(NotNow):
        hint(match.view(2))


def test_no_hint_where_there_is_no_solution() -> None:
    match = Match(make_game("hidden-path", {"length": 30}), 1)
    assert "too large" in hint(match.view(1))


def test_a_hint_comes_from_the_view_alone() -> None:
    """As the server gives it, with the chance and what may be believed: in twin worlds the same."""
    game = make_game("trap-builder", SMALL["trap-builder"])
    hints = set()
    for hidden in ([3, 5], [1, 4]):
        match = Match(game, 1)
        match.play(1, [2, 4])
        match.play(2, hidden)
        hints.add(msgspec.json.encode(given_on_the_page(game.name, match.view(1))))
    assert len(hints) == 1
    assert b"Your chance with the best answer: " in hints.pop()
