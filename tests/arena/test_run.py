"""Tournaments as they are held: repeated, killed, resumed, on a cluster."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.arena.processes import LONG, command, linux, start, wait_for_lines, workers
from tests.arena.tournaments import CUP, decisive, hold, lines
from tests.outside import examples
from trapline.arena import config as configs
from trapline.arena.fixtures import Fixture
from trapline.arena.results import Results
from trapline.arena.run import run, tasks
from trapline.cluster import executor
from trapline.core import TraplineError
from trapline.referee import Check, parse_record, verify

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "arena.toml"


# --- results ----------------------------------------------------------------------------


def test_a_seed_decides_every_result(tmp_path: Path) -> None:
    reports = [hold(CUP, tmp_path / name) for name in ("one", "two")]
    assert reports[0] == reports[1]
    assert decisive(tmp_path / "one") == decisive(tmp_path / "two")
    other = hold(CUP.replace("seed = 3", "seed = 4"), tmp_path / "three")
    assert other != reports[0]
    assert decisive(tmp_path / "three").keys().isdisjoint(decisive(tmp_path / "one"))


def test_the_report_adds_up(tmp_path: Path) -> None:
    report = hold(CUP, tmp_path / "out")
    assert report.played == 3 * 4 + 3 * 2
    assert report.unfinished == []
    by_name = {standing.player: standing for standing in report.standings}
    assert sum(standing.score.matches for standing in report.standings) == 2 * report.played
    ratings = [s.rating.mean for s in report.standings if s.rating is not None]
    assert ratings == sorted(ratings, reverse=True)
    assert len(ratings) == 3
    for pair in report.pairs:
        assert pair.score.matches == 6
    perfect, random = by_name["perfect"].regret, by_name["random"].regret
    assert perfect is not None
    assert random is not None
    assert perfect.mean < 1e-6 < random.mean
    assert set(by_name["random"].exploitabilities) == {report.games[0]}


def test_every_record_in_the_file_holds(tmp_path: Path) -> None:
    hold(CUP, tmp_path / "out")
    matches = [line for line in lines(tmp_path / "out") if line["type"] == "match"]
    assert len(matches) == 18
    for line in matches:
        record = parse_record(json.dumps(line["record"]).encode())
        faults = [check for check in verify(record) if check.fault is not None]
        assert faults == list[Check]()
        seats = {seat: player.bot for seat, player in record.players.items()}
        assert set(seats.values()) == {line["one"], line["two"]}


def test_a_tournament_that_grows_plays_only_what_is_new(tmp_path: Path) -> None:
    out = tmp_path / "out"
    hold(CUP, out)
    before = out.read_bytes()
    hold(CUP.replace('"random", "casual"', '"casual", "random"'), out)
    assert out.read_bytes() == before
    hold(CUP.replace("matches = 4", "matches = 5"), out)
    assert out.read_bytes().startswith(before)
    assert len(lines(out)) == len(before.splitlines()) + 3


@pytest.mark.parametrize("torn", [b'{"type": "match", "key": "ab', b"\xff", b"{}"])
def test_a_torn_last_line_is_cut_off(torn: bytes, tmp_path: Path) -> None:
    out = tmp_path / "out"
    hold(CUP, out)
    whole = out.read_bytes()
    out.write_bytes(whole + torn)
    hold(CUP, out)
    assert out.read_bytes() == whole


def test_a_bad_line_in_the_middle_is_named_and_nothing_is_changed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_bytes(b'{"some": "other file"}\n')
    with pytest.raises(TraplineError, match=r"Line 1 of .* is no result of a tournament"):
        hold(CUP, out)
    assert out.read_bytes() == b'{"some": "other file"}\n'


def test_two_tournaments_do_not_write_to_one_file(tmp_path: Path) -> None:
    with (
        Results(tmp_path / "out"),
        pytest.raises(TraplineError, match="Another tournament is writing"),
        Results(tmp_path / "out"),
    ):
        pass


def test_strategies_of_older_versions_are_asked_for_again(tmp_path: Path) -> None:
    out = tmp_path / "out"
    old = b'{"type": "strategy", "key": "ab", "secrets": [5], "decisions": [[0, 0, [5]]]}\n'
    out.write_bytes(old)
    assert hold(CUP, out).unfinished == []
    assert len(lines(out)) == 1 + 18 + 6


@pytest.mark.slow
@pytest.mark.parametrize("path", examples.FILES, ids=examples.IDS)
def test_any_game_from_a_file(path: Path, tmp_path: Path) -> None:
    players = 'players = ["random", "casual", "perfect"]\nmatches = 4\nsamples = 4\n'
    text = f'{players}[[games]]\ngame = "{path}"\n'
    report = hold(text, tmp_path / "out")
    assert report.unfinished == []
    assert report.played == 12
    by_name = {standing.player: standing for standing in report.standings}
    perfect, random = by_name["perfect"].regret, by_name["random"].regret
    assert perfect is not None
    assert random is not None
    assert perfect.mean < 1e-6
    if path.stem != "phantom":  # on its smallest board one cell is as good as another
        assert random.mean > 1e-3
    asked = {name: standing.exploitabilities for name, standing in by_name.items()}
    label = report.games[0]
    assert bool(asked["perfect"]) == bool(asked["random"]) == (report.refused == [])
    if not report.refused:
        assert asked["perfect"][label].low < 1e-9
        assert asked["random"][label].claimed > asked["perfect"][label].held_out
    matches = [line for line in lines(tmp_path / "out") if line["type"] == "match"]
    for line in matches:
        record = parse_record(json.dumps(line["record"]).encode())
        assert [check for check in verify(record) if check.fault is not None] == []
    hold(text.replace("samples = 4", "samples = 0"), tmp_path / "again")
    again = decisive(tmp_path / "again")  # chance is decided by the seed as well
    assert again == {key: decisive(tmp_path / "out")[key] for key in again}
    assert len(again) == 12


def test_results_of_other_rules_do_not_count() -> None:
    """The same name and options, and other rules: the key of a match tells them apart."""
    one = Fixture("nim", {}, "casual", "random", 0, 1, rules="a")
    assert one.key != Fixture("nim", {}, "casual", "random", 0, 1, rules="b").key
    # Results of the rulebooks from before are found again.
    rulebook = Fixture("trap-builder", {}, "casual", "random", 0, 1)
    assert rulebook.key == "ef41859e3c9c2a6e9f70cdf1"


# --- killed and resumed -----------------------------------------------------------------


class Noting(ThreadPoolExecutor):
    """Knows what it was handed."""

    def __init__(self) -> None:
        super().__init__(2)
        self.handed: list[Future[Any]] = []

    def submit(self, *arguments: Any) -> Future[Any]:  # type: ignore[override]  # as it is called
        self.handed.append(super().submit(*arguments))
        return self.handed[-1]


def test_what_is_under_way_when_somebody_stops_it_is_finished_and_kept(tmp_path: Path) -> None:
    config = configs.parse(LONG)
    told: list[int] = []

    def stop() -> None:
        raise KeyboardInterrupt

    with Noting() as pool, Results(tmp_path / "out") as results:
        with pytest.raises(KeyboardInterrupt):
            run(config, results, pool, stop, told.append)
        found = [future.result() for future in pool.handed if not future.cancelled()]
        assert {each.key for each in found if hasattr(each, "key")} == results.done.keys()
        assert told == [len(results.done) - 1]
    assert len(lines(tmp_path / "out")) < 60


@pytest.mark.slow
@linux
def test_a_killed_tournament_goes_on_and_repeats_nothing(tmp_path: Path) -> None:
    path, out = tmp_path / "cup.toml", tmp_path / "results.jsonl"
    path.write_text(LONG, "utf-8")
    running = start(path)
    wait_for_lines(out, 5)
    helpers = workers(running.pid)
    assert len(helpers) == 2
    running.send_signal(signal.SIGKILL)
    running.communicate()
    before = out.read_bytes()
    assert 5 <= before.count(b"\n") < 60
    for _ in range(1000):  # workers do not outlive the program
        if not any(command(helper) for helper in helpers):
            break
        time.sleep(0.01)
    assert not any(command(helper) for helper in helpers)

    resumed = start(path)
    told, complaint = resumed.communicate()
    assert resumed.returncode == 0, complaint
    assert json.loads(told)["played"] == 60
    after = out.read_bytes()
    assert after.startswith(before[: before.rindex(b"\n") + 1])
    keys = [line["key"] for line in lines(out)]
    assert len(keys) == len(set(keys)) == 60

    fresh = tmp_path / "fresh"
    hold(LONG, fresh)
    assert decisive(fresh) == decisive(out)


@linux
def test_a_worker_that_dies_loses_no_finished_match(tmp_path: Path) -> None:
    path, out = tmp_path / "cup.toml", tmp_path / "results.jsonl"
    path.write_text(LONG, "utf-8")
    running = start(path)
    wait_for_lines(out, 5)
    os.kill(workers(running.pid)[0], signal.SIGKILL)
    told, complaint = running.communicate()
    assert running.returncode == 1, complaint
    found = json.loads(told)
    assert found["played"] == len(lines(out)) >= 5
    assert found["played"] + len(found["unfinished"]) == 60
    assert "A process died" in found["unfinished"][0]["why"]
    assert "Traceback" not in complaint
    assert hold(LONG, out).played == 60


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # what a cluster warns of while it closes is its own affair
def test_a_cluster_of_two_workers_finds_the_same(tmp_path: Path) -> None:
    import distributed

    here = hold(CUP, tmp_path / "here")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        executor(cluster.scheduler_address) as pool,
        Results(tmp_path / "there") as results,
    ):
        there = run(configs.parse(CUP), results, pool)
    assert there == here
    assert decisive(tmp_path / "there") == decisive(tmp_path / "here")


# --- the command ------------------------------------------------------------------------


def arena(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "trapline", "arena", *arguments],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_the_example_in_a_shorter_form(tmp_path: Path) -> None:
    text = EXAMPLE.read_text("utf-8")
    assert configs.parse(text).matches > 2
    text = re.sub(r"^matches = \d+", "matches = 2", text, flags=re.MULTILINE)
    text = re.sub(r"^samples = [1-9]\d*", "samples = 2", text, flags=re.MULTILINE)
    (tmp_path / "cup.toml").write_text(text.replace('"sharp", ', ""), "utf-8")
    page = tmp_path / "page.html"
    done = arena(str(tmp_path / "cup.toml"), "--html", str(page))
    assert done.returncode == 0, done.stderr
    assert "18 matches of trap-builder" in done.stdout
    told = re.findall(
        r"^In (\S+).*:\nplayer +regret of a choice( +exploitability)? *$", done.stdout, re.MULTILINE
    )
    assert [game for game, _ in told] == [entry.game for entry in configs.parse(text).games]
    assert any(exploitability for _, exploitability in told)
    html = page.read_text("utf-8")
    assert not re.search(r'(?:src|href)="|<script|url\(', html)
    assert html.count("<svg") == 3 + 3 * 3 + 3


def test_bad_files_and_schedulers_get_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(CUP.replace("seed", "sede"), "utf-8")
    done = arena(str(path))
    assert done.returncode == 2
    assert "cup.toml: there is no key 'sede' here" in done.stderr
    path.write_text(CUP, "utf-8")
    done = arena(str(path), "--scheduler", "nonsense")
    assert done.returncode == 2
    assert "no scheduler to reach" in done.stderr


def test_all_tasks_have_their_own_key() -> None:
    keys = [task.key for task in tasks(configs.parse(CUP))]
    assert len(keys) == len(set(keys)) == 18 + 6
