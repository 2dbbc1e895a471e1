"""The fairness report, on this machine's cores and on a real cluster."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

import msgspec
import pytest

from tests.outside import examples
from trapline import fairness
from trapline.cluster import executor
from trapline.core import SEATS
from trapline.fairness import Duel, Score, trials
from trapline.fairness.best_play import Figures, best_play
from trapline.fairness.changes import Change, nearest_fair, neighbours
from trapline.fairness.figures import Pair
from trapline.fairness.replies import habits, ladder, sight
from trapline.fairness.restraints import NEVER_LOOKS, blindly, restraints
from trapline.games import GAMES, make_game
from trapline.referee import Match
from trapline.report import fairness_page
from trapline.solve import best_response, linear, solved
from trapline.solve.public import public_tree
from trapline.solve.public_policy import PublicPolicy

if TYPE_CHECKING:
    from pathlib import Path

    from trapline.solve import Solution


@pytest.fixture(autouse=True)
def few_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "MATCHES", 40)
    monkeypatch.setattr(trials, "FEWEST", 40)


def test_scores_add_up_and_know_their_margin() -> None:
    results = [1] * 60 + [0] * 10 + [-1] * 30 + [1] * 40 + [-1] * 60
    score = reduce(add, map(Score.of, results))
    assert (score.won, score.drawn, score.lost, score.matches) == (100, 10, 90, 200)
    assert score.mean == pytest.approx(0.05)
    assert 0.1 < score.margin < 0.15
    assert Score().margin == float("inf")


def test_scores_count_by_how_much_a_match_was_won() -> None:
    score = Score.of(2) + Score.of(-1) + Score.of(0) + Score.of(3)
    assert (score.won, score.drawn, score.lost) == (2, 1, 1)
    assert score.mean == 1.0
    assert score.margin == pytest.approx(1.96 * (2.5 / 4) ** 0.5)


@pytest.mark.parametrize("name", GAMES)
def test_the_grid_holds_only_games_and_the_rulebooks_own_where_it_can(name: str) -> None:
    variants = fairness.variants_of(make_game(name))
    assert len(variants) >= 4
    for options in variants:
        make_game(name, options)


def test_a_duel_is_the_same_wherever_it_is_played() -> None:
    duel = Duel("numeric-maze", {}, "casual", "random", 7, matches=40)
    assert fairness.play_duel(duel) == fairness.play_duel(duel)
    assert fairness.play_duel(duel).mean > 0.5


def test_the_report_of_trap_runner(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        report = fairness.report(make_game("trap-runner"), pool, levels=["random"], rounds=1)
    assert "Whoever moves first wins" in report.sentence
    assert report.value == 1.0
    assert report.first_mover["random"].matches == fairness.ROUNDS
    assert all(variant.value == 1.0 for variant in report.variants)
    assert "No variant" in fairness_page.advice(report)
    assert fairness_page.plot(report).count("<circle") == len(report.variants)


@pytest.mark.slow
@pytest.mark.parametrize("path", examples.FILES, ids=examples.IDS)
def test_the_report_of_any_game_from_a_file(path: Path) -> None:
    # Dice of three sides ask for the same figures as dice of four, from a tree that is far smaller.
    game = make_game(str(path), {"sides": 3} if path.stem == "liars_dice" else {})
    with ThreadPoolExecutor(2) as pool:
        report = fairness.report(game, pool, levels=["random"], rounds=1)
    assert report.game == game.name
    assert report.value is not None
    assert report.first_mover["random"].matches == fairness.ROUNDS
    assert len(report.variants) == len(fairness.variants_of(game)) >= 1
    assert fairness_page.plot(report).count("<circle") == len(report.variants)
    assert fairness_page.advice(report)


@pytest.mark.slow
def test_workers_know_a_game_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "tiny_nim.py"
    source = (examples.ROOT / "examples" / "games" / "nim.py").read_text("utf-8")
    path.write_text(source.replace('name = "nim"', 'name = "tiny-nim"'), "utf-8")
    done = subprocess.run(
        [
            sys.executable, "-m", "trapline", "fairness", str(path), "--rounds", "1",
            "--levels", "random", "--json",
        ],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["game"], found["value"]) == ("tiny-nim", -1.0)


def test_the_command_on_all_cores(tmp_path: Path) -> None:
    plot = tmp_path / "plot.svg"
    done = subprocess.run(
        [
            sys.executable, "-m", "trapline", "fairness", "numeric-maze", "--rounds", "1",
            "--levels", "random,casual", "--json", "--plot", str(plot),
        ],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {item["options"]["max_step"] for item in found["variants"]} == {2, 3, 4}
    assert {item["value"] for item in found["variants"]} == {1.0}
    assert plot.read_text("utf-8").startswith("<svg")


def test_a_level_that_is_not_there_is_refused_with_a_sentence() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "trapline", "fairness", "secret-paths", "--levels", "god"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "There is no computer level 'god'" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [(["--rounds", "0"], "--rounds"), (["--scheduler", "nonsense"], "no scheduler to reach")],
)
def test_bad_arguments_get_a_sentence(arguments: list[str], sentence: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "trapline", "fairness", "secret-paths", *arguments],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # what a cluster warns of while it closes is its own affair
def test_the_same_report_on_a_real_cluster_of_two_workers() -> None:
    import distributed

    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        executor(cluster.scheduler_address) as pool,
    ):
        there = fairness.report(make_game("trap-runner"), pool, levels=["random"], rounds=1)
    with ThreadPoolExecutor(1) as pool:
        here = fairness.report(make_game("trap-runner"), pool, levels=["random"], rounds=1)
    assert there == here


# --- measures that only a solved game has -----------------------------------------------------


def solution(name: str, options: dict[str, object]) -> Solution:
    return solved(make_game(name, options))


SMALL = [
    ("trap-builder", {"length": 5, "traps": 1}),
    ("trap-builder", {"length": 8, "traps": 1}),
    ("trap-builder", {}),
    ("numeric-maze", {"length": 8, "traps": [3, 6]}),
    ("trap-runner", {"length": 6}),
    ("hidden-path", {"length": 5, "traps": 1, "goal_traps": False}),
]


@pytest.mark.parametrize(("name", "options"), SMALL)
def test_what_is_followed_to_its_end_agrees_with_what_is_played(
    name: str, options: dict[str, object]
) -> None:
    found = best_play(solution(name, options))
    assert found.exact is not None
    for figure in Figures.__struct_fields__:
        exact, played = getattr(found.exact, figure), getattr(found.played, figure)
        assert exact == pytest.approx(played, abs=2 * getattr(found.margins, figure) + 1e-9), figure


def test_figures_that_can_be_told_by_hand() -> None:
    """Trap Builder as printed: 1 2 3 catches the first step, whichever it is."""
    lost = best_play(solution("trap-builder", {})).exact
    assert lost is not None
    assert lost.matter == pytest.approx(1 / 3)
    assert msgspec.structs.replace(lost, matter=0.0) == Figures(1.0, 0.0, 0.0, 0.0, 0.0)
    maze = best_play(solution("numeric-maze", {})).exact
    assert maze is not None
    assert (maze.turns, maze.bits, maze.drama) == (13.0, 0.0, 0.0)


def test_a_guessing_game_needs_chance_and_can_be_read() -> None:
    """One trap on 4 positions that can all be first steps, but for the last: a matter of luck."""
    fair = solution("trap-builder", {"length": 8, "traps": 1})
    played = best_play(fair).exact
    assert played is not None
    assert played.bits > 1
    known = habits(fair)
    costs = known["always hides the likeliest secret"]
    assert (costs.first, costs.second) == (0.5, 0.5)  # who knows the only trap never meets it
    assert all(min(pair.first, pair.second) >= 0 for pair in known.values())
    seen = sight(fair)
    assert seen is not None
    assert seen.first == 0.5  # who moves first and sees the trap walks past it
    for pair in (*known.values(), seen):
        agrees(pair)


def agrees(pair: Pair) -> None:
    """What was worked out is what came out before the referee."""
    assert pair.played is not None
    for exact, tried in zip((pair.first, pair.second), pair.played, strict=True):
        assert tried.matches == 40
        assert exact == pytest.approx(tried.mean, abs=2 * tried.margin)


def test_what_is_never_done_costs_what_the_best_without_it_loses() -> None:
    """One trap on a path of four: on the goal it sends the other back, whatever the other does."""
    trapped = solution("hidden-path", {"length": 4, "traps": 1})
    found = restraints(trapped)
    less, blind = found["never traps the goal"], found[NEVER_LOOKS]
    assert less is not None
    assert (less.first, less.second) == (1.0, 0.0)
    agrees(less)
    assert blind == Pair(0.0, 0.0)
    open_goal = solution("hidden-path", {"length": 3, "traps": 1, "goal_traps": False})
    assert list(restraints(open_goal)) == [NEVER_LOOKS]
    walls = solution("trap-builder", {"length": 5, "traps": 2, "walls": False})
    assert restraints(walls) == {}  # where the other stands one may not land: everybody looks


def test_the_best_that_never_looks_is_the_same_whatever_the_other_does() -> None:
    game = make_game("hidden-path", {"length": 3, "traps": 1})
    model, tree = public_tree(game, to_the_end=True)
    pairs = blindly(model, tree, 1)
    assert pairs
    plan = linear.bound(tree, 1, linear.Bonds((), tuple(pairs)))
    free = linear.solve(tree)
    kept = -best_response.best_response(tree, 2, plan)
    assert kept <= free.value + 1e-9
    policy = PublicPolicy(model, plan, tree)
    mixes = []
    for steps in (1, 2):
        match = Match(game, 1)
        for seat in SEATS:
            match.play(seat, [3])
        match.play(1, 1)
        match.play(2, steps)
        mixes.append(policy.chances(match.view(1)))
    assert mixes[0] == pytest.approx(mixes[1])


def test_a_forced_result_needs_no_secret() -> None:
    assert sight(solution("trap-builder", {})) == Pair(0.0, 0.0)
    assert habits(solution("numeric-maze", {})) == {}


def test_the_ladder_ends_where_best_play_is_and_goes_in_circles_where_it_is_mixed() -> None:
    climbed = ladder(solution("trap-builder", {}))
    assert climbed is not None
    # Of 84 secrets of three among nine, those that trap all of 1, 2 and 3 catch every first step;
    # the second mover's reply to any plan is to hide just that.
    assert climbed.results[0] == pytest.approx(1 / 3)
    assert climbed.results[1:] == [-1.0] * 5
    assert climbed.settles == 2
    for result, tried in zip(climbed.results, climbed.played, strict=True):
        assert result == pytest.approx(tried.mean, abs=2 * tried.margin)
    circles = ladder(solution("trap-builder", {"length": 8, "traps": 1}))
    assert circles is not None
    assert circles.settles is None
    assert ladder(solution("numeric-maze", {})) is None  # too large for a tree


def test_changes_differ_in_one_rule_and_the_first_fair_one_is_named() -> None:
    game = make_game("trap-builder", {"length": 8, "traps": 2})
    tried = neighbours(game)
    own = {name: getattr(game.options, name) for name in game.options.__struct_fields__}
    assert all(sum(options[name] != own[name] for name in own) == 1 for options in tried)
    proven = [(0.0, 0.0) if options["traps"] == 1 else (1.0, 1.0) for options in tried]
    assert nearest_fair(game, tried, proven) == Change("traps", 1, 0.0)
    assert nearest_fair(game, tried, [None] * len(tried)) is None


def test_measures_are_told_in_words() -> None:
    options: dict[str, object] = {"length": 5, "traps": 2, "walls": False}
    found = fairness.Report(
        "trap-builder", options, "", -3 / 7, {}, [], Change("traps", 1, 0.0), 9,
        *fairness.measure_task("trap-builder", options),
    )  # fmt: skip
    told = fairness_page.measures(found)
    assert told[0].startswith("The smallest change that makes it fair is ")
    assert any("bits a match" in line and "exactly" in line for line in told)
    assert any(line.startswith("Seeing the other's secret") for line in told)
    assert any("but hides anything at all" in line and "in 40 matches" in line for line in told)
    assert any("run in circles" in line for line in told)
    fair = msgspec.structs.replace(found, value=0.01)
    assert fairness_page.measures(fair)[0].startswith("It is fair as it is")
    unfair = msgspec.structs.replace(found, fairer=None)
    assert fairness_page.measures(unfair)[0].startswith("None of 9 variants")
    names: dict[str, Pair | None] = {"never traps the goal": None, NEVER_LOOKS: Pair(0.0, 0.0)}
    never = fairness_page.measures(msgspec.structs.replace(found, restraints=names))
    assert any("never traps the goal is not worked out" in line for line in never)
    assert any("the solution itself does without" in line for line in never)
    unsolved = msgspec.structs.replace(found, best_play=None)
    assert "not solved" in fairness_page.measures(unsolved)[0]
