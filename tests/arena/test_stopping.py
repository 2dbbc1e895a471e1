"""Whoever stops a tournament waits for what is under way, but no longer than they want to."""

from __future__ import annotations

import shlex
import signal
import sys
import time
from typing import TYPE_CHECKING

from tests.arena.processes import children, command, linux, start, workers
from tests.arena.tournaments import lines

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

SLOW = """
players = ["random", "casual", {slow}]
matches = 1
out = "results.jsonl"
workers = 2
[llm]
timeout = 500
[[games]]
game = "trap-builder"
options = {{ length = 4, traps = 1 }}
"""
AT_MOST = 200.0
"""Seconds that leaving may take on a busy machine; the slow player would take twice as long."""


def slow_cup(folder: Path) -> Path:
    """Two programs play each other; everybody else waits for one who never answers."""
    sleeper = f"command:{shlex.join([sys.executable, '-c', 'import time; time.sleep(400)'])}"
    path = folder / "cup.toml"
    path.write_text(SLOW.format(slow=repr(sleeper)), "utf-8")
    return path


def asleep(running: subprocess.Popen[str]) -> list[int]:
    """The programs of the slow player, as soon as both matches wait for one."""
    found: list[int] = []
    while len(found) < 2:
        assert running.poll() is None
        every = [child for helper in workers(running.pid) for child in children(helper)]
        found = [child for child in every if "time.sleep" in command(child)]
        time.sleep(0.01)
    return found


@linux
def test_whoever_stops_it_twice_waits_no_longer_and_keeps_what_is_finished(tmp_path: Path) -> None:
    running = start(slow_cup(tmp_path))
    assert running.stderr is not None
    while not (tmp_path / "results.jsonl").exists() or not lines(tmp_path / "results.jsonl"):
        assert running.poll() is None
        time.sleep(0.01)
    asleep(running)
    time.sleep(1)  # a line can be read a moment before it counts
    helpers = workers(running.pid)
    assert len(helpers) == 2
    running.send_signal(signal.SIGINT)
    told = running.stderr.readline()
    assert "waiting for 2 under way" in told
    assert "Ctrl-C once more" in told
    begun = time.monotonic()
    running.send_signal(signal.SIGINT)
    _, complaint = running.communicate(timeout=2 * AT_MOST)
    assert time.monotonic() - begun < AT_MOST
    assert running.returncode == 130
    assert "1 of 3 are done and kept in results.jsonl. The same command goes on." in complaint
    assert "Traceback" not in complaint
    assert not any(command(helper) for helper in helpers)
    assert len(lines(tmp_path / "results.jsonl")) == 1


@linux
def test_programs_of_agents_do_not_outlive_a_tournament_that_was_killed(tmp_path: Path) -> None:
    running = start(slow_cup(tmp_path))
    programs = asleep(running)
    running.kill()
    running.communicate(timeout=AT_MOST)  # who holds a stream of ours open is still there
    until = time.monotonic() + AT_MOST
    while any(map(command, programs)):
        assert time.monotonic() < until
        time.sleep(0.01)
