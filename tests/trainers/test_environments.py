"""The tests of this folder, as `bench/trainers.py` runs them in the environment of a project."""

from __future__ import annotations

import sys
from pathlib import Path

from bench.trainers import passes


def test_they_run_with_what_all_tests_share(tmp_path: Path) -> None:
    assert passes("trl", Path(sys.executable), tmp_path)
