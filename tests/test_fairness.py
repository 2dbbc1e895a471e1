"""The fairness report, on this machine's cores and on a real cluster."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

import pytest

from tests.outside import examples
from trapline import fairness
from trapline.cluster import executor
from trapline.fairness import Duel, Score
from trapline.games import GAMES, make_game
from trapline.report import fairness_page

if TYPE_CHECKING:
    from pathlib import Path


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


@pytest.mark.parametrize("path", examples.FILES, ids=examples.IDS)
def test_the_report_of_any_game_from_a_file(path: Path) -> None:
    game = make_game(str(path))
    with ThreadPoolExecutor(2) as pool:
        report = fairness.report(game, pool, levels=["random"], rounds=1)
    assert report.game == game.name
    assert report.value is not None
    assert report.first_mover["random"].matches == fairness.ROUNDS
    assert len(report.variants) == len(fairness.variants_of(game)) >= 1
    assert fairness_page.plot(report).count("<circle") == len(report.variants)
    assert fairness_page.advice(report)


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
            sys.executable, "-m", "trapline", "fairness", "secret-paths", "--rounds", "1",
            "--levels", "random,casual", "--json", "--plot", str(plot),
        ],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    values = {item["options"]["size"]: item["value"] for item in found["variants"]}
    assert values == {3: 1.0, 5: 0.0, 7: 0.0, 9: 0.0}
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
