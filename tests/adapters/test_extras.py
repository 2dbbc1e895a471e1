"""What only researchers need is not loaded by others, and is asked for by name when missing."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys

import pytest

from trapline.adapters import MissingExtra

NEEDED = {
    "pettingzoo": ("PettingZoo", "pettingzoo"),
    "gymnasium": ("Gymnasium", "gymnasium"),
    "open_spiel": ("OpenSpiel", "pyspiel"),
    "textarena": ("TextArena", "textarena"),
}


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("adapter", NEEDED)
def test_a_missing_library_is_named_with_the_extra_that_brings_it(adapter: str) -> None:
    library, module = NEEDED[adapter]
    told = run(f"""
import sys
sys.modules[{module!r}] = None
from trapline.core import TraplineError
try:
    import trapline.adapters.{adapter}
except TraplineError as error:
    print(isinstance(error, ImportError), error)
""")
    wanted = f"This needs {library}: install it with  pip install 'trapline[adapters]'."
    assert told == f"True {wanted}"


def test_the_command_line_and_gambit_files_need_none_of_them() -> None:
    modules = [module for _, module in NEEDED.values()]
    assert run(f"""
import sys, trapline.cli.commands, trapline.adapters.efg, trapline.testing
print([module for module in {modules!r} if module in sys.modules])
""") == "[]"  # fmt: skip


def test_an_assistant_is_answered_before_anything_heavy_is_loaded() -> None:
    heavy = ["numpy", "scipy", "numba", "trapline.solve", "asyncio", "mcp", "pydantic", "typer"]
    assert run(f"""
import io, json, sys
asked = ("initialize", {{"protocolVersion": "2025-06-18"}}), ("tools/list", {{}})
asked += ("tools/call", {{"name": "start", "arguments": {{"game": "hidden-path"}}}}),
asked = [{{"jsonrpc": "2.0", "id": 1, "method": method, "params": what}} for method, what in asked]
wire = io.BytesIO()
sys.stdin = io.TextIOWrapper(io.BytesIO("\\n".join(map(json.dumps, asked)).encode()))
sys.stdout, screen = io.TextIOWrapper(wire), sys.stdout
sys.argv = ["trapline", "mcp"]
from trapline.cli import run
try:
    run()
except SystemExit as ended:
    assert not ended.code
answers = wire.getvalue().count(b"result")
print(answers, [module for module in {heavy!r} if module in sys.modules], file=screen)
""") == "3 []"  # fmt: skip


TRAINERS = {
    "gem": ("GEM", "gem", "gem"),
    "inspect_ai": ("Inspect", "inspect_ai", "inspect"),
    "kaggle": ("Kaggle's environments", "kaggle_environments", "kaggle"),
    "openenv": ("OpenEnv", "openenv", "openenv"),
    "skyrl_gym": ("SkyRL-Gym", "skyrl_gym", "skyrl"),
    "verifiers": ("verifiers", "verifiers", "verifiers"),
}


@pytest.mark.parametrize("adapter", TRAINERS)
def test_a_missing_trainer_is_named_with_its_extra(
    adapter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    library, module, extra = TRAINERS[adapter]
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, f"trapline.adapters.{adapter}", raising=False)
    wanted = re.escape(f"This needs {library}: install it with  pip install 'trapline[{extra}]'.")
    with pytest.raises(MissingExtra, match=wanted):
        importlib.import_module(f"trapline.adapters.{adapter}")
