"""Puzzles: one best answer by a margin, checked by programs that share nothing with the maker."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests.languages.speaking import speak
from trapline.coach.puzzles import MARGIN, Puzzle, daily, grade, make_puzzle
from trapline.core import NotNow, other
from trapline.games import GAMES, make_game
from trapline.players import perfect
from trapline.referee import Match
from trapline.server.languages import CODES
from trapline.terminal.puzzling import keep_streak

if TYPE_CHECKING:
    from pathlib import Path

    from trapline.core import Form, Seat

FIELDS = [
    "game", "options", "first", "seat", "secrets", "moves", "asks", "answers", "best", "chances",
    "grade", "sentence", "reason",
]  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_one_answer_is_best_by_the_margin(name: str) -> None:
    for number in range(2):
        puzzle = make_puzzle(name, f"test {number}")
        assert list(puzzle.chances) == puzzle.answers
        ranked = sorted(puzzle.chances.values(), reverse=True)
        assert puzzle.chances[puzzle.best] == ranked[0]
        assert ranked[0] - ranked[1] >= MARGIN - 1e-6
        assert all(0.0 <= chance <= 1.0 for chance in ranked)
        assert set(puzzle.secrets) <= {str(puzzle.seat)}
        assert 1 <= puzzle.grade <= 3
        assert puzzle.best in puzzle.reason or puzzle.best.replace(",", "") in puzzle.reason
        question = replayed(puzzle, None).question(puzzle.seat) if not puzzle.secrets else None
        if question is not None:
            assert [answer.text for answer in question.answers] == puzzle.answers


@pytest.mark.parametrize(
    ("seed", "variant"),
    [
        (
            "2026-11-06 0",
            "Squares to the goal = 20. Longest move, in squares = 2.",
        ),
        ("2026-11-01 0", "Squares to the goal = 6."),
    ],
)
def test_a_puzzle_says_what_is_not_as_in_the_rulebook(seed: str, variant: str) -> None:
    puzzle = make_puzzle("trap-runner", seed)
    assert f"and to move. This is a variant. {variant} Player 1 is on" in puzzle.sentence
    for code in CODES:
        assert not speak(code, [puzzle.sentence]).missing


def test_a_puzzle_of_the_rulebook_is_no_variant() -> None:
    puzzle = make_puzzle("numeric-maze", "2026-11-08 0")
    assert not puzzle.options
    assert "variant" not in puzzle.sentence


def replayed(puzzle: Puzzle, hidden: Form | None) -> Match:
    """The match of a puzzle, with something that the other may hide."""
    match = Match(make_game(puzzle.game, puzzle.options), puzzle.first)
    if hidden is not None:
        match.play(puzzle.seat, puzzle.secrets[str(puzzle.seat)])
        match.play(other(puzzle.seat), hidden)
    for move in puzzle.moves:
        assert match.to_move is not None
        match.play(match.to_move, *match.game.read_turn(move))
        if match.to_move is not None and match.in_turn(match.to_move):
            match.play(match.to_move, "n")
    return match


# --- nothing hidden: who needs fewer moves --------------------------------------------------------


def test_the_maze_by_a_search_of_its_own() -> None:
    """Nobody can hold the other up, so whoever needs fewer moves wins, and the mover wins ties."""
    for number in range(15):
        puzzle = make_puzzle("numeric-maze", f"minimax {number}")
        match = replayed(puzzle, None)
        needed = moves_needed(match.game)
        for text, chance in puzzle.chances.items():
            fork = match.fork()
            fork.play(puzzle.seat, int(text))
            if fork.outcome is not None:
                assert chance == 1.0
                continue
            mine, theirs = (
                needed[fork.view(None).board.stand(seat)]  # type: ignore[attr-defined]
                for seat in (puzzle.seat, other(puzzle.seat))
            )
            assert chance == float(mine < theirs)


def moves_needed(game: Any) -> dict[int, int]:
    """By breadth first search over the rules themselves, one runner alone."""
    found: dict[int, int] = {}
    goal, layer, count = game.length, {game.length}, 0
    ways = defaultdict(set)
    for at in range(goal):
        for value in game.steps[at].values():
            state = msgspec.structs.replace(game.start(1), positions=(at, 0))
            ways[game.apply(state, 1, value).positions[0]].add(at)
    while layer:
        found |= dict.fromkeys(layer, count)
        layer = {before for at in layer for before in ways[at]} - found.keys()
        count += 1
    return found


# --- hidden: a best response by recursion over worlds -------------------------------------

Worlds = list[tuple[Match, float]]


def possible(puzzle: Puzzle) -> Worlds:
    """Every world that fits, as likely as the solution's own play makes it (Bayes)."""
    game = make_game(puzzle.game, puzzle.options)
    solution = perfect.solution_of(game)
    assert solution is not None
    rival = other(puzzle.seat)
    mix = solution.policy.chances(Match(game, puzzle.first).view(rival))
    found: Worlds = []
    for hidden, likely in mix.items():
        match = Match(game, puzzle.first)
        match.play(puzzle.seat, puzzle.secrets[str(puzzle.seat)])
        match.play(rival, hidden)
        for move in puzzle.moves:
            if match.outcome is not None or likely == 0.0:
                break
            if match.to_move == rival:
                likely *= solution.policy.chances(match.view(rival)).get(move, 0.0)
            if match.to_move is not None:
                match.play(match.to_move, move)
        if match.outcome is None and likely > 0.0:
            found.append((match, likely))
    looks = [match.view(puzzle.seat).events for match, _ in found]
    true = replay_seen(puzzle, looks)
    return [world for world, look in zip(found, looks, strict=True) if look == true]


def replay_seen(puzzle: Puzzle, looks: list[Any]) -> Any:
    """What the seat has seen: the history in which as many traps were met as the sentence says."""
    told = [look for look in looks if seen_sentence(puzzle, look)]
    return told[0]


def seen_sentence(puzzle: Puzzle, events: Any) -> bool:
    sprung = sorted(event.at for event in events if type(event).__name__ == "Triggered")
    said = puzzle.sentence.partition("Sprung, safe now: ")[2].partition(".")[0]
    both = [at.removesuffix(" (both)") for at in said.split(", ") if at.endswith(" (both)")]
    once = [at.removesuffix(" (both)") for at in said.split(", ") if at]
    return sorted(map(int, both + once)) == sprung


def best_response(worlds: Worlds, seat: Seat, budget: list[int]) -> float:
    """The most that the seat can win, weighed by likelihood, whoever else plays the solution."""
    budget[0] -= 1
    if budget[0] < 0:
        raise OverflowError
    question = worlds[0][0].question(seat)
    assert question is not None
    return max(after(worlds, seat, answer, budget) for answer in question.legal)


def after(worlds: Worlds, seat: Seat, answer: Form, budget: list[int]) -> float:
    """The same once an answer is given: worlds that look alike from then on are one decision."""
    total = 0.0
    alike: dict[Any, Worlds] = defaultdict(list)
    for match, likely in worlds:
        fork = match.fork()
        fork.play(seat, answer)
        for further, part in rivals_moves(fork, seat):
            if further.outcome is not None:
                total += likely * part * (1 + further.outcome.result(seat)) / 2
            else:
                alike[further.view(seat).events].append((further, likely * part))
    return total + sum(best_response(group, seat, budget) for group in alike.values())


def rivals_moves(match: Match, seat: Seat) -> list[tuple[Match, float]]:
    if match.outcome is not None:
        return [(match, 1.0)]
    rival = other(seat)
    solution = perfect.solution_of(match.game)
    assert solution is not None
    found = []
    for answer, chance in solution.policy.chances(match.view(rival)).items():
        if chance > 0.0:
            fork = match.fork()
            fork.play(rival, answer)
            found.append((fork, chance))
    return found


@pytest.mark.parametrize("name", ["hidden-path", "trap-builder"])
def test_what_is_hidden_by_a_best_response_over_worlds(name: str) -> None:
    checked = 0
    for number in range(12):
        puzzle = make_puzzle(name, f"response {number}")
        if not puzzle.options or len(puzzle.moves) < 2:
            continue  # the whole rulebook takes too many worlds for plain recursion
        worlds = possible(puzzle)
        whole = sum(likely for _, likely in worlds)
        question = worlds[0][0].question(puzzle.seat)
        assert question is not None
        try:
            for answer in question.legal:
                text = question.text(question.value(answer))
                found = after(worlds, puzzle.seat, answer, [300]) / whole
                assert found == pytest.approx(puzzle.chances[text], abs=2e-4)
        except OverflowError:
            continue
        checked += 1
        if checked == 2:
            return
    assert checked >= 2


# --- days, grades, the command ------------------------------------------------------------


def test_a_day_has_the_same_puzzles_for_everybody() -> None:
    one, two = (list(daily("2026-11-16", count=5)) for _ in range(2))
    assert one == two
    assert {puzzle.game for puzzle in one} == set(GAMES)
    assert next(daily("2026-11-17", "trap-runner")) != next(daily("2026-11-18", "trap-runner"))


def test_grades_follow_the_failures_of_the_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = make_puzzle("trap-runner", "grades")
    match = replayed(puzzle, None)
    view = match.view(puzzle.seat)
    assert view.question is not None
    best = view.question.parse(puzzle.best)
    worst = next(form for form in view.legal if form != best)
    grades = []
    for answer in (best, worst):
        for level in ("casual", "sharp"):
            chooser = type("Always", (), {"choose": staticmethod(lambda *_, a=answer: a)})
            monkeypatch.setitem(sys.modules["trapline.players"].PLAYERS, level, chooser)
        grades.append(grade(view, best, Random(1)))
    assert grades == [1, 3]


def run(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "trapline", "puzzle", *arguments],
        input=given, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_command_prints_one_object_a_line() -> None:
    done = run("--json", "numeric-maze", "--date", "2026-11-16", "--count", "3")
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [list(line) for line in lines] == [FIELDS] * 3
    assert {line["game"] for line in lines} == {"numeric-maze"}


def test_a_puzzle_at_the_prompt_tells_why_and_leaves_a_line_to_share() -> None:
    puzzle = next(daily("2026-11-16", "numeric-maze"))
    wrong = next(answer for answer in puzzle.answers if answer != puzzle.best)
    done = run("numeric-maze", "--date", "2026-11-16", given=f"9\n{puzzle.best}\n")
    assert done.returncode == 0
    assert "Please type one of" in done.stdout
    assert "Right." in done.stdout
    assert puzzle.reason in " ".join(done.stdout.split())
    assert "Trapline 2026-11-16 Numeric Maze" in done.stdout
    missed = run("numeric-maze", "--date", "2026-11-16", given=f"{wrong}\n")
    assert missed.returncode == 1
    assert f"{puzzle.best} was best" in missed.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [(("--date", "yesterday"), "needs a day"), (("chess",), "no game called")],
)
def test_bad_arguments_get_a_sentence(
    arguments: tuple[str, ...], sentence: str, home: Path
) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert sentence in done.stderr


def test_streaks_count_days_in_a_row_and_survive_a_broken_file(home: Path) -> None:
    assert [keep_streak(f"2026-11-{day}", solved=True) for day in (14, 15, 15, 16)] == [1, 2, 2, 3]
    assert keep_streak("2026-11-18", solved=True) == 1
    assert keep_streak("2026-11-18", solved=False) == 0
    (home / "puzzles.json").write_bytes(b"\xff not json")
    assert keep_streak("2026-11-19", solved=True) == 1


def test_a_seed_that_had_no_puzzle_has_one() -> None:
    """In Secret Paths few matches hold a decision that fits: four hundred were not enough here."""
    assert make_puzzle("secret-paths", "bulk 153").game == "secret-paths"


def test_a_game_without_a_clear_answer_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trapline.coach.puzzles.MARGIN", 1.1)
    monkeypatch.setattr("trapline.coach.puzzles.ATTEMPTS", 3)
    with pytest.raises(NotNow, match="No puzzle was found"):
        make_puzzle("trap-runner", "none")
