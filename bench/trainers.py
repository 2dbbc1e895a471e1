"""Games in trainers, mostly of language models, in environments of their own.

`python -m bench.trainers [NAME ...]` makes virtual environments, installs the released packages
of the projects with Trapline in them, and runs each project's test of `tests/trainers`. Their
pins shut out versions that our other tests need, and some shut out each other, so that two
environments are the fewest that hold them all; a learner's, which needs PyTorch, is a third.
`TRAINERS` names the folder of the environments, which are kept. `python -m bench.trainers --here
maskable_ppo` installs into the environment that runs it what the test needs beside Trapline, and
runs nothing: so `scripts/test` does on CI, where `tests/trainers/test_environments.py` does all
the rest.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[1]


def by_uv(python: Path, wanted: list[str]) -> None:
    """Where many pins have to agree, pip may try versions for a quarter of an hour."""
    _run("uv", "pip", "install", "-q", "--python", str(python), *wanted)


def by_pip(python: Path, wanted: list[str]) -> None:
    """Its own settings say whether PyTorch comes with CUDA or without. The tests load little of
    what is installed, so that the rest need not be compiled."""
    _run("pip", "--python", str(python), "install", "-q", "--no-compile", *wanted)


def _run(module: str, *words: str) -> None:
    subprocess.run([sys.executable, "-m", module, *words], check=True)


class Environment(NamedTuple):
    """Projects whose pins agree."""

    projects: tuple[str, ...]
    """Each has a test of its name."""
    extras: tuple[str, ...]
    """Of ours."""
    beside: tuple[str, ...] = ()
    """What else it needs."""
    install: Callable[[Path, list[str]], None] = by_uv


ENVIRONMENTS = {
    # OpenEnv needs mcp below 2, verifiers needs 2.0.0.
    "openenv": Environment(
        ("gem", "inspect", "openenv", "skyrl_gym"), ("gem", "inspect", "openenv", "skyrl")
    ),
    # TRL's own class needs PyTorch; transformers alone checks the schema of its tool.
    "verifiers": Environment(
        ("kaggle", "transformers", "verifiers"), ("kaggle", "verifiers"), ("transformers>=5.2",)
    ),
    "learner": Environment(
        ("maskable_ppo",), ("adapters",), ("torch==2.13.0", "sb3-contrib>=2.9"), by_pip
    ),
}
TESTING = ("pytest>=8.2", "pytest-timeout>=2.3", "hypothesis>=6.100")


def python_of(name: str, folder: Path) -> Path:
    """The Python of an environment, with everything in it that it needs."""
    wanted = ENVIRONMENTS[name]
    python = folder / name / "bin" / "python"
    if not python.exists():
        venv.create(folder / name, symlinks=True)
    ours = ["-e", f"{ROOT}[{','.join(wanted.extras)}]", *TESTING]
    wanted.install(python, [*ours, *wanted.beside])
    return python


def passes(project: str, python: Path, cache: Path) -> bool:
    """Whether the test of a project passes under this Python; it fails if it is left out."""
    test = ROOT / "tests" / "trainers" / f"test_{project}.py"
    # Other projects warn of what is their own affair, so warnings are no errors here.
    how = ["-q", "-o", f"cache_dir={cache}", "-W", "default", "-o", "addopts=", "--durations=3"]
    done = subprocess.run([python, "-m", "pytest", *how, str(test)], check=False, cwd=ROOT)
    return done.returncode == 0


def failing(name: str, projects: list[str] | None = None) -> list[str]:
    """The projects of an environment, or those of them that are named, whose tests fail there."""
    folder = Path(os.environ.get("TRAINERS") or ROOT / ".trainers")
    python, cache = python_of(name, folder), folder / name / "cache"
    held = ENVIRONMENTS[name].projects
    return [p for p in held if p in (projects or held) and not passes(p, python, cache)]


def main(names: list[str]) -> int:
    holding = {p: name for name, made in ENVIRONMENTS.items() for p in made.projects}
    here = names[:1] == ["--here"]
    if unknown := set(names[here:]) - set(holding):
        print(f"not known: {', '.join(sorted(unknown))}; known: {', '.join(holding)}")
        return 2
    if here:
        for project in names[1:]:
            by_pip(Path(sys.executable), list(ENVIRONMENTS[holding[project]].beside))
        return 0
    needed = dict.fromkeys(holding[project] for project in names or holding)
    failed = [project for name in needed for project in failing(name, names)]
    print(f"failed: {', '.join(failed)}" if failed else "all passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
