"""The agents in the documents are real: they are run."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "agents.md"


def run_blocks(word: str) -> None:
    """Run every block of Python on the page that has this word in it."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    chosen = [block for block in blocks if word in block]
    assert chosen
    for block in chosen:
        exec(compile(block, "docs/agents.md", "exec"), {})  # noqa: S102 (our own page)
