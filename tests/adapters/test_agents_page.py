"""Every block of Python on the agents page runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapline.adapters.efg import MOST_NODES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "agents.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize("code", BLOCKS, ids=[block.splitlines()[0] for block in BLOCKS])
def test_a_block_of_the_agents_page_runs(code: str, capfd: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, str(PAGE), "exec"), {"__name__": "agents"})  # noqa: S102 (our own page)
    assert capfd.readouterr().out


def test_the_page_gives_the_limit_of_gambit_files() -> None:
    assert f"{MOST_NODES:,} nodes are refused" in " ".join(PAGE.read_text("utf-8").split())
