"""The tests of this folder, as `bench/trainers.py` runs them in the environments that hold them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from bench.trainers import ENVIRONMENTS, failing, passes

HERE = "learner"
"""`scripts/test` installs what it needs beside all other tests."""


@pytest.mark.early
@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in ENVIRONMENTS if name != HERE])
def test_every_project_that_an_environment_holds(name: str) -> None:
    """It is made anew or brought up to date, for which pip asks its index; the tests ask nobody."""
    assert failing(name) == []


def test_every_test_of_a_project_has_an_environment() -> None:
    """But that of TRL, whose class needs nothing of it."""
    tests = {path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py")}
    held = {project for made in ENVIRONMENTS.values() for project in made.projects}
    assert tests - {"environments", "trl"} == held


def test_they_run_with_what_all_tests_share(tmp_path: Path) -> None:
    assert passes("trl", Path(sys.executable), tmp_path)


def test_a_test_that_is_left_out_has_not_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = tmp_path / "transformers"
    missing.mkdir()
    (missing / "__init__.py").write_text("raise ImportError('it is not there')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert not passes("transformers", Path(sys.executable), tmp_path / "cache")
