"""Games in trainers, mostly of language models, each in an environment of its own.

`python -m bench.trainers [NAME ...]` makes a virtual environment for each project, installs the
released package with Trapline in it, and runs that project's test of `tests/trainers`: several
pin versions that shut out others, or bring gigabytes, so no single environment holds them all.
`TRAINERS` names the folder of the environments, which are kept. `python -m bench.trainers --here
maskable_ppo` installs into the environment that runs it what the test needs beside Trapline, and
runs nothing: so `scripts/test` does on CI.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXTRAS = {
    "gem": "gem",
    "inspect": "inspect",
    "kaggle": "kaggle",
    "maskable_ppo": "adapters",
    "openenv": "openenv",
    "skyrl_gym": "skyrl",
    "trl": "",  # its class needs nothing of TRL; transformers alone checks the tool's schema
    "verifiers": "verifiers",
}
"""By test, the extra of ours that it needs."""
BESIDE = {
    "maskable_ppo": ["torch==2.13.0", "sb3-contrib>=2.9"],
    "trl": ["transformers>=5.2"],
}
"""What else it needs; pip's own settings say whether PyTorch comes with CUDA or without."""
TESTING = ["pytest>=8.2", "pytest-timeout>=2.3", "hypothesis>=6.100"]


def environment(name: str, folder: Path) -> Path:
    """The Python of a project's environment, made if it is not there."""
    python = folder / name / "bin" / "python"
    if not python.exists():
        venv.create(folder / name, with_pip=True)
        ours = f"{ROOT}[{EXTRAS[name]}]" if EXTRAS[name] else str(ROOT)
        pip(python, ["-e", ours, *TESTING, *BESIDE.get(name, [])])
    return python


def pip(python: Path, wanted: list[str]) -> None:
    subprocess.run([python, "-m", "pip", "install", "-q", *wanted], check=True)


def passes(name: str, python: Path, cache: Path) -> bool:
    """Whether the test of a project passes under this Python."""
    test = ROOT / "tests" / "trainers" / f"test_{name}.py"
    # Other projects warn of what is their own affair, so warnings are no errors here.
    how = ["-q", "-o", f"cache_dir={cache}", "-W", "default", "-o", "addopts=", "--durations=3"]
    done = subprocess.run([python, "-m", "pytest", *how, str(test)], check=False, cwd=ROOT)
    return done.returncode == 0


def main(names: list[str]) -> int:
    if names[:1] == ["--here"]:
        for name in names[1:]:
            pip(Path(sys.executable), BESIDE[name])
        return 0
    folder = Path(os.environ.get("TRAINERS") or Path(tempfile.gettempdir()) / "trapline-trainers")
    failed = [
        name
        for name in names or list(EXTRAS)
        if not passes(name, environment(name, folder), folder / name / "cache")
    ]
    print(f"failed: {', '.join(failed)}" if failed else "all passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
