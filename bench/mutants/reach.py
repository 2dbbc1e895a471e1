"""A plugin of pytest (`-p bench.mutants.reach`): which functions of ours each test runs.

And how long it takes. It sees what runs in the tests' own process; `$TRAPLINE_REACH` names the
file to write.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, FrameType

OURS = f"{os.sep}trapline{os.sep}"

_found: dict[str, tuple[float, list[str]]] = {}
_running: set[CodeType] = set()


def _note(frame: FrameType, event: str, _: Any) -> None:
    if event == "call":
        _running.add(frame.f_code)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """With what is set up and put away around the test."""
    _running.clear()
    begun = time.perf_counter()
    threading.setprofile(_note)
    sys.setprofile(_note)
    try:
        return (yield)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        functions = {
            f"{code.co_filename.rpartition(OURS)[2]} {code.co_qualname.replace('.<locals>', '')}"
            for code in _running
            if OURS in code.co_filename
        }
        _found[item.nodeid] = (time.perf_counter() - begun, sorted(functions))


def pytest_sessionfinish() -> None:
    Path(os.environ["TRAPLINE_REACH"]).write_text(json.dumps(_found), "utf-8")
