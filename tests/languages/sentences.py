"""What the server's own code says: every text that it gives to somebody, read from the source."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tests.languages.scripts import HOLE, is_prose
from trapline.server.page import STATIC

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROOT = STATIC.parents[1]
GAMES = ("words.py", "lesson.py", "presets.py", "game.py")
SAYING = (
    *(f"core/{name}.py" for name in ("words", "questions")),
    *(f"coach/{name}.py" for name in ("sentences", "reasons", "hints", "judging", "puzzles")),
    "games/tracks.py", "preparing.py", "server/solving.py", "server/trouble.py",
    "solve/sentences.py",
)  # fmt: skip
"""Modules whose every text is for players."""
REFUSING = ("server", "referee", "core", "coach", "games")
"""Packages that refuse something in words."""
ELSEWHERE = (
    "referee/walk.py", "server/logs.py", "server/names.py", "server/serving.py",
    "server/settings.py",
)  # fmt: skip
"""What is read in a terminal, by whoever runs a server or replays a record."""
NOT_ON_THE_PAGE = {
    "core/words.py": {
        f", hidden from {HOLE}", f"Answer one of: {HOLE}.", "Your opponent is choosing",
        f"It is {HOLE}'s turn", f"{HOLE}; you are not asked anything now.", "{by}", "{other}",
    },
    "coach/reasons.py": {"in sight", "gives away"},
    "server/trouble.py": {"the store failed"},
    "games/tracks.py": {"trap {0}"},
    "games/hidden_path/game.py": {"never traps the goal"},
    "games/secret_paths/game.py": {"goal column {1}"},
    "games/numeric_maze/words.py": {"Options"},
    "games/trap_runner/words.py": {
        "2t: two squares, and a trap on the square you leave; 2n: none there"
    },
}  # fmt: skip
"""What is for the terminal, for players that read text, or for programs."""
ERRORS = (
    "Refusal", "NotNow", "InvalidMove", "IllegalMove", "SecretError", "OptionsError", "BrokenRules"
)  # fmt: skip


def written() -> Iterator[tuple[str, str]]:
    """Each text with the file that says it; holes stand for what is put in."""
    for path in _saying():
        name = path.relative_to(ROOT).as_posix()
        for text in _texts(ast.parse(path.read_text("utf-8"))):
            if text not in NOT_ON_THE_PAGE.get(name, ()):
                yield name, text


def refused() -> Iterator[tuple[str, str]]:
    """The sentence of each refusal."""
    for package in REFUSING:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            for call in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(call, ast.Call) and _name(call.func) in ERRORS:
                    for text in _texts(_sentence_of(call)):
                        if name not in ELSEWHERE:
                            yield name, text


def _sentence_of(call: ast.Call) -> ast.AST:
    """What a refusal says; a word for programs may stand before it."""
    return call.args[1] if _name(call.func) == "Refusal" and len(call.args) > 1 else call


def _saying() -> Iterator[Path]:
    yield from (ROOT / name for name in SAYING)
    for folder in sorted((ROOT / "games").iterdir()):
        yield from (folder / name for name in GAMES if (folder / name).is_file())


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def _texts(tree: ast.AST) -> Iterator[str]:
    """Texts that look like prose, without docstrings and without what is inside another."""
    if isinstance(tree, ast.JoinedStr):
        parts = [p.value if isinstance(p, ast.Constant) else HOLE for p in tree.values]
        text = "".join(map(str, parts))
        if is_prose(text):
            yield text
        for part in tree.values:
            if isinstance(part, ast.FormattedValue):
                yield from _texts(part.value)
        return
    if isinstance(tree, ast.Constant):
        if isinstance(tree.value, str) and is_prose(tree.value):
            yield tree.value
        return
    if isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Constant):
        return  # a docstring
    for child in ast.iter_child_nodes(tree):
        yield from _texts(child)
