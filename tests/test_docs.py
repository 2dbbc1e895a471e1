"""What the documents say is true: they are run, or compared with the program."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import trapline
from tests import oracle
from trapline import core
from trapline.cli.commands import app
from trapline.games import GAMES
from trapline.games.trap_runner.words import WALLED_OFF
from trapline.players import PLAYERS

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
SESSIONS = re.findall(r"```console\n\$ (.+?)\n(.*?)```", README, re.DOTALL)


def run(command: str) -> str:
    """Run a command of the README, with `trapline` being this very code."""
    command = command.replace("| trapline", f"| {sys.executable} -m trapline")
    done = subprocess.run(  # noqa: S602 (our own README)
        command, shell=True, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout


def mask(text: str) -> str:
    text = re.sub(r"\b[0-9a-f]{32}\b", "#", text)
    return re.sub(r"\b\d{6}-\d{6}-[0-9a-f]{6}\b", "MATCH", text)


@pytest.mark.parametrize(("command", "shown"), SESSIONS, ids=[command for command, _ in SESSIONS])
def test_the_sessions_in_the_readme_happen(command: str, shown: str) -> None:
    assert mask(run(command)) == mask(shown)


def test_the_readme_has_a_session_of_every_game() -> None:
    assert {re.findall(r"play (\S+)", command)[0] for command, _ in SESSIONS} == set(GAMES)


def test_the_python_in_the_readme_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102 (our own README)


def test_the_readme_names_every_command_and_level() -> None:
    for command in app.registered_commands:
        assert command.callback is not None
        assert f"trapline {command.callback.__name__}" in README
    for player in PLAYERS:
        assert f"`{player}`" in README


def test_files_that_the_documents_name_exist() -> None:
    for document in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        text = document.read_text("utf-8")
        for target in re.findall(r"\]\(([^)#]+)\)", text):
            assert (document.parent / target).exists(), f"{document.name}: {target}"
        for path in re.findall(r"`((?:src|tests|scripts|docs|bench)/[\w./]+)`", text):
            assert (ROOT / path).exists(), f"{document.name}: {path}"


def test_links_to_a_part_of_a_page_find_it() -> None:
    found = (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"))
    pages = {path.name: path.read_text("utf-8") for path in found}

    def parts(text: str) -> set[str]:
        heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
        return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}

    for name, text in pages.items():
        for page, part in re.findall(r"\]\((?:[^)#:]*?([\w.-]+\.md))?#([\w-]+)\)", text):
            assert part in parts(pages[page or name]), f"{name}: {page}#{part}"


def test_the_tests_that_hold_the_promises_exist() -> None:
    named = re.findall(r"`(tests/\S+\.py)::(\w+)`", (ROOT / "docs/security.md").read_text("utf-8"))
    assert named
    for path, name in named:
        assert f"def {name}(" in (ROOT / path).read_text("utf-8"), f"{path}::{name}"


def test_every_promise_names_a_test_that_holds_it() -> None:
    page = (ROOT / "docs/security.md").read_text("utf-8").split("## What is not promised")[0]
    page = re.sub(r"What this does not protect from:.*?(?=\n## )", "", page, flags=re.DOTALL)
    promises = re.split(r"^- (?=\*\*)", page, flags=re.MULTILINE)[1:]
    assert len(promises) > 40
    for promise in promises:
        assert re.search(r"^  - `tests/\S+\.py::\w+`$", promise, re.MULTILINE), promise


def test_the_architecture_page_names_every_part() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    package = Path(trapline.__file__).parent
    parts = [path.name for path in package.glob("*.py") if path.stem != "__init__"]
    parts += [f"{path.name}/" for path in package.iterdir() if (path / "__init__.py").exists()]
    assert [part for part in parts if part not in page] == []


def test_the_changelog_knows_this_version() -> None:
    assert f"## {trapline.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_name_every_option_with_its_default(name: str) -> None:
    page = GAMES[name].rules()
    for option, default in oracle.OPTIONS[name].items():
        shown = ",".join(map(str, default)) if isinstance(default, list) else str(default)
        assert re.search(rf"- `{option}` \(`?{shown.lower()}`?\)", page), option


def test_the_vocabulary_of_events_is_pinned() -> None:
    """Other programs will read these; a change here is a change of interface."""
    tags = {event.__struct_config__.tag for event in core.Event.__subclasses__()}
    assert tags == {
        "moved",
        "triggered",
        "returned",
        "trap tried",
        "told",
        "whispered",
        "move refused",
        "claim waived",
        "draw offered",
        "draw declined",
        "taken back",
    }
    assert [reason.value for reason in core.Reason] == [
        "resigned",
        "agreed draw",
        "forfeit",
        "time",
        "unopened",
        "broken secret",
    ]
    assert (core.GOAL, core.TRAP, core.TURN_LIMIT) == ("goal", "trap", "turn limit")
    assert WALLED_OFF == "walled off"


def test_the_project_speaks_of_itself_alone() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    for name in listed:
        path = ROOT / name
        if path.suffix in (".md", ".py", ".toml", ".txt") or path.parent.name in ("scripts", ".ci"):
            text = path.read_text("utf-8")
            assert not re.search(
                r"/(work|root|home)/|https?://(?!127|localhost|www\.w3\.org/|[^\w]|\w+\.example)",
                text,
            ), name
