"""A search for what a part asks that only a game, or a board, may know."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

import trapline
from trapline.boards import AnyBoard
from trapline.core import SEATS, SECRET
from trapline.games import RULEBOOKS, make_game

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PACKAGE = Path(trapline.__file__).parent
FRONT_DOOR = PACKAGE / "__init__.py"
"""It hands boards out and asks nothing."""

NAMES = {kind.name for kind in RULEBOOKS} | {kind.name.replace("-", "_") for kind in RULEBOOKS}
TITLES = {kind.title for kind in RULEBOOKS}
CLASSES = {kind.__name__ for kind in RULEBOOKS}
OPTIONS = {f.name for kind in RULEBOOKS for f in msgspec.structs.fields(kind.options_type)}
BOARDS = {kind.__name__ for kind in AnyBoard.__args__}
BOARD_KINDS = {str(kind.__struct_config__.tag) for kind in AnyBoard.__args__}
PLAIN_WORDS = {"length", "size", "traps", "walls", "trigger"}
"""Options whose names are words that mean other things elsewhere."""


def _question_kinds() -> set[str]:
    """What the rulebooks ask for, beside what the protocol itself asks."""
    kinds = set()
    for kind in RULEBOOKS:
        game = make_game(kind)
        state = game.start(1)
        for _ in range(6):
            for seat in SEATS:
                question = game.question(state, seat) if state.outcome is None else None
                if question is not None:
                    kinds.add(question.asks)
                    state = game.apply(state, seat, next(question.values()))
    return kinds - {SECRET}


QUESTIONS = _question_kinds()


class Finding(NamedTuple):
    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"


def search(source: str, file: str) -> list[Finding]:
    """Where Python source asks for a game, its class, an option, a board or a question by name."""
    tree = ast.parse(source)
    prose = _docstrings(tree)
    found = []
    for node in ast.walk(tree):
        if id(node) not in prose:
            found += [Finding(file, node.lineno, what) for what in _asks(node)]  # type: ignore[attr-defined]
    return sorted(set(found))


def _docstrings(tree: ast.Module) -> set[int]:
    """Text that stands by itself says something and asks nothing."""
    return {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def _asks(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield from _text(text)
        case ast.ImportFrom(module=str(module)):
            yield from _imported(module, [alias.name for alias in node.names])
        case ast.Import(names=names):
            for alias in names:
                yield from _imported(alias.name, [])
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in CLASSES:
            yield f"the class {name}"
        case ast.Attribute(value=value, attr=name):
            if name in OPTIONS and _last(value) in ("options", "_options"):
                yield f"the option {name}"
            if name in BOARDS and _last(value) in ("boards", "trapline", "core"):
                yield f"the board class {name}"
        case ast.Subscript(value=value, slice=ast.Constant(value=str(name))):
            if name in OPTIONS and "options" in _last(value):
                yield f"the option {name}"
        case ast.Call(
            func=ast.Attribute(value=value, attr="get"), args=[ast.Constant(value=name), *_]
        ):
            if name in OPTIONS and "options" in _last(value):
                yield f"the option {name}"
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=name), *_]):
            if name in OPTIONS:
                yield f"the option {name}"
        case ast.Compare(left=left, comparators=others):
            yield from _compared([left, *others])
        case ast.MatchValue(value=value):
            yield from _kinds([value])
        case ast.MatchClass(cls=kind) if _last(kind) in BOARDS:
            yield f"the board class {_last(kind)}"


def _text(text: str) -> Iterator[str]:
    for name in sorted(NAMES):
        if re.search(rf"(?<![\w-]){name}(?![\w-])", text):
            yield f"the game {name}"
    for title in sorted(TITLES):
        if title in text:
            yield f"the game {title}"
    if text in OPTIONS - PLAIN_WORDS:
        yield f"the option {text}"


def _imported(module: str, names: list[str]) -> Iterator[str]:
    room = re.match(r"trapline\.games\.(\w+)", module)
    if room and (room[1] in NAMES or room[1] == "tracks"):
        yield f"the room of {room[1]}"
    if module == "trapline.games":
        yield from (f"the room of {name}" for name in names if name in NAMES)
    board = re.match(r"trapline\.boards\.(\w+)", module)
    if board and board[1] in BOARD_KINDS:
        yield f"the board module {module}"
    if module in ("trapline", "trapline.boards", "trapline.core"):
        yield from (f"the board class {name}" for name in names if name in BOARDS)


def _compared(parts: list[ast.expr]) -> Iterator[str]:
    """A question's kind, or a board's, beside text."""
    if any(_last(part) in ("asks", "kind", "board", "tag", "secret") for part in parts):
        yield from _kinds(parts)


def _kinds(parts: Iterable[ast.expr]) -> Iterator[str]:
    for part in parts:
        for node in ast.walk(part):
            if isinstance(node, ast.Constant) and node.value in QUESTIONS:
                yield f"the question kind {node.value}"
            if isinstance(node, ast.Constant) and node.value in BOARD_KINDS:
                yield f"the board kind {node.value}"


def _last(node: ast.AST) -> str:
    """The last name of a dotted one."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=func):
            return _last(func)
    return ""


def search_script(source: str, file: str) -> list[Finding]:
    """Where a script of the page asks for a game, a board or a question by name."""
    code = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), source, flags=re.DOTALL)
    found = []
    for number, line in enumerate(code.splitlines(), 1):
        text = re.sub(r"(^|\s)//.*", "", line)
        found += [Finding(file, number, what) for what in _text(text)]
        for kind in re.findall(r"""["'`]([\w-]+)["'`]""", text):
            if kind in BOARD_KINDS and re.search(r"board|kind|draw", text):
                found.append(Finding(file, number, f"the board kind {kind}"))
            if kind in QUESTIONS and re.search(r"asks|question", text):
                found.append(Finding(file, number, f"the question kind {kind}"))
            if kind in OPTIONS - PLAIN_WORDS:
                found.append(Finding(file, number, f"the option {kind}"))
        found += [
            Finding(file, number, f"the option {name}")
            for name in re.findall(r"options\.(\w+)", text)
            if name in OPTIONS
        ]
    return sorted(set(found))


def between_games() -> list[Finding]:
    """Where one rulebook enters another's room."""
    found = []
    for path in sorted((PACKAGE / "games").glob("*/**/*.py")):
        own = path.relative_to(PACKAGE / "games").parts[0]
        for finding in search(path.read_text("utf-8"), str(path.relative_to(PACKAGE))):
            room = finding.what.removeprefix("the room of ")
            if room != finding.what and room not in (own, "tracks"):
                found.append(finding)
    return found


def everywhere() -> list[Finding]:
    """All of it in this package, outside the rooms where games and boards live."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        inside = path.relative_to(PACKAGE)
        if inside.parts[0] in ("games", "boards") or path == FRONT_DOOR:
            continue
        found += search(path.read_text("utf-8"), str(inside))
    for path in sorted((PACKAGE / "server" / "static").rglob("*.js")):
        found += search_script(path.read_text("utf-8"), str(path.relative_to(PACKAGE)))
    return found
