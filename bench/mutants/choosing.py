"""Which tests would notice a mistake: those that run its function, the quickest first."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bench.mutants.making import Mutant

IN_PROCESSES = {
    "server/api.py": ("asking", "again", "server", "bad_input", "keys"),
    "server/app.py": ("server", "wire"),
    "server/backup.py": ("running",),
    "server/connection.py": ("server", "faults"),
    "server/doctor.py": ("running",),
    "server/front.py": ("server",),
    "server/guard.py": ("keys", "server", "wire", "bad_input"),
    "server/heads.py": ("heads", "wire"),
    "server/limits.py": ("heads", "places", "bad_input", "server"),
    "server/live.py": ("server", "bad_input"),
    "server/lobby.py": ("lobby",),
    "server/logs.py": ("server", "wire", "operator"),
    "server/metrics.py": ("running",),
    "server/personal.py": ("running",),
    "server/places.py": ("places", "bad_input"),
    "server/presence.py": ("server",),
    "server/preview.py": ("preview",),
    "server/processes.py": ("thinking",),
    "server/prompt.py": ("server", "faults"),
    "server/requests.py": ("server", "bad_input"),
    "server/room.py": ("server",),
    "server/seating.py": ("lobby", "table", "server"),
    "server/serving.py": ("operator", "wire"),
    "server/socket.py": ("crowd", "bad_input", "server"),
    "server/store/sqlite_files.py": ("operator", "running"),
    "server/thinking.py": ("thinking",),
    "server/turns.py": ("turns", "wire"),
    "server/upkeep.py": ("operator",),
    "server/viewing.py": ("server",),
    "server/wire.py": ("wire", "heads", "bad_input"),
}
"""Tests of modules that run in servers of their own, which nobody can look into."""
PLAIN = re.compile(r"[\w./:-]+(\[[\w.-]+\])?", re.ASCII)


class Test(NamedTuple):
    seconds: float
    functions: frozenset[str]


def read(files: Iterable[Path]) -> dict[str, Test]:
    """What `bench.mutants.reach` has written."""
    found: dict[str, Test] = {}
    for file in files:
        for told, (seconds, functions) in json.loads(file.read_text("utf-8")).items():
            # What a test is given may have a name that no shell and no pytest takes as one.
            name = told if PLAIN.fullmatch(told) else told.partition("[")[0]
            before = found.get(name, Test(0.0, frozenset()))
            found[name] = Test(before.seconds + seconds, before.functions | set(functions))
    return found


def chosen(mutant: Mutant, tests: dict[str, Test], seconds: float) -> list[str]:
    """Tests for a mistake that take no longer than this together, the quickest of them first."""
    function = f"{mutant.path} {mutant.where}"
    files = {f"tests/server/test_{part}.py" for part in IN_PROCESSES.get(mutant.path, ())}
    within = [
        (test.seconds, function not in test.functions, name)
        for name, test in tests.items()
        if _runs(test, mutant, function) or name.partition("::")[0] in files
    ]
    left = seconds
    names: list[str] = []
    for took, _, name in sorted(within):
        left -= took
        if left < 0:
            break
        names.append(name)
    return names


def _runs(test: Test, mutant: Mutant, function: str) -> bool:
    if function in test.functions:
        return True
    # What stands outside of all functions, or in a class, runs with whatever is in there.
    inside = f"{function}." if mutant.where else f"{mutant.path} "
    return any(name.startswith(inside) for name in test.functions)
