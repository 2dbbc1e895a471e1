"""The pages for authors are true: their code runs, and no extension point is missing."""

from __future__ import annotations

import inspect
import re
from importlib import resources
from string import Template
from typing import TYPE_CHECKING, Any

import pytest

import trapline
from tests.outside.examples import ROOT
from trapline.checking import look
from trapline.core import Board, Game, State, Words
from trapline.games.finding import GROUP

if TYPE_CHECKING:
    from pathlib import Path

OWN_GAMES = (ROOT / "docs" / "own-games.md").read_text("utf-8")
EXTENDING = (ROOT / "docs" / "extending.md").read_text("utf-8")
CODE = re.findall(r"```python\n(.*?)```", OWN_GAMES, re.DOTALL)
GAME, USE, *RECIPES = CODE


def body(source: str) -> str:
    """Source without its docstring at the top."""
    return source[source.index("from __future__") :]


def test_the_page_shows_the_file_that_trapline_new_writes() -> None:
    text = (resources.files("trapline.cli") / "new_game.txt").read_text("utf-8")
    parts = {"slug": "pebbles", "file": "pebbles", "title": "Pebbles", "name": "Pebbles"}
    assert body(Template(text).substitute(parts)) == GAME


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The code of the page, as the reader's files."""
    (tmp_path / "pebbles.py").write_text(GAME, "utf-8")
    (tmp_path / "all_pebbles.py").write_text("\n\n".join([GAME, *RECIPES]), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_code_of_the_page_runs(folder: Path) -> None:
    exec(compile(USE, "own-games.md", "exec"), {"trapline": trapline})  # noqa: S102 (our own page)


@pytest.mark.parametrize("name", ["AnyHeap", "DrawnHeap", "Talking"])
def test_every_game_of_the_page_is_sound(name: str, folder: Path) -> None:
    report = look(f"./all_pebbles.py:{name}", {})
    assert report.findings == ()


def test_the_games_of_the_page_say_and_do_what_it_promises(folder: Path) -> None:
    other = trapline.make_game("./all_pebbles.py:AnyHeap", {"heap": 12})
    assert trapline.Match(other, 1).view(1).board.words({1: "A", 2: "B"}, "")[0] == "heap: 12."
    with pytest.raises(trapline.OptionsError, match=r"heap must be a whole number from 1 to 30"):
        trapline.make_game("pebbles-any-heap", {"heap": 31})
    drawn = trapline.Match(trapline.make_game("./all_pebbles.py:DrawnHeap"), 1)
    heaps = {f"There are {n} pebbles." for n in (6, 7, 8)}
    assert {event.text for event in drawn.view(None).events} <= heaps  # type: ignore[union-attr]


def section(title: str) -> str:
    return EXTENDING.split(f"\n## {title}")[1].split("\n## ")[0]


def own_names(kind: type[Any]) -> set[str]:
    """What a class offers to whoever builds on it."""
    named = {*vars(kind), *inspect.get_annotations(kind)}
    return {name for name in named if not name.startswith("_")}


@pytest.mark.parametrize("kind", [Game, Board, Words, State])
def test_every_extension_point_is_on_the_page_and_nothing_else(kind: type[Any]) -> None:
    text = section(f"`{kind.__name__}`")
    assert [name for name in sorted(own_names(kind)) if f"`{name}`" not in text] == []
    rows = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert listed <= own_names(kind)


def test_questions_are_on_the_page_field_by_field() -> None:
    text = section("`Question` and `Answer`")
    for kind in (trapline.Question, trapline.Answer):
        for name in kind.__struct_fields__:
            assert f"`{name}`" in text, name


def test_the_entry_point_group_is_on_the_page() -> None:
    assert f"`{GROUP}`" in EXTENDING
    assert f'[project.entry-points."{GROUP}"]' in OWN_GAMES


def test_every_public_name_of_the_pages_is_one() -> None:
    for name in re.findall(r"\btrapline\.([A-Z]\w+)", OWN_GAMES + EXTENDING):
        assert name in trapline.__all__, name
