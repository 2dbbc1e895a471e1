"""What the page's scripts say, read from their text: every literal that a visitor may see."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trapline.server.page import STATIC

if TYPE_CHECKING:
    from collections.abc import Iterator

HOLE = "\0"
"""Where a script puts a value into a text."""
_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`|[{}]"""
    r"""|(?<=[(,=:?\[!&|;\n])\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[dgimsuvy]*""",
    re.DOTALL,
)
_UNSEEN = re.compile(
    r"(?:\b(?:class|type|name|role|href|id|rel|look|kind|method|credentials|land|d|transform|do"
    r"|autocomplete|autocapitalize|spellcheck|inputmode|translate|preserveAspectRatio|font|as|lang"
    r"|\"[\w-]+\"|tabindex|viewBox|result|reason)\s*:"
    r"|\b(?:import|from|case|h|s|new RegExp|new Error|import|querySelector|querySelectorAll|closest"
    r"|matches|getElementById|addEventListener|removeEventListener|setAttribute|removeAttribute"
    r"|toggle|add|remove|getItem|setItem|removeItem|key|read|write|register|test|getContext"
    r"|matchMedia|createElement|createElementNS|startsWith|endsWith|has|includes|setProperty"
    r"|replaceAll|split|join|toBlob|padStart)\s*\(?"
    r"|[=!]==)\s*$"
)
"""What stands before a literal that no visitor sees: an element's name, a class, an address."""
_PROSE = re.compile(r"[A-Za-z]{2}")
_WORD_OF_CODE = re.compile(r"^[a-z\d_./:#*-]*$|^[a-z]+[A-Z]\w*$|^[./#\[]|^https?:|^<|^[MLHVQ]-?\d")


def spoken() -> Iterator[tuple[str, str]]:
    """Every text of the page's scripts with the script's name; holes stand for what is put in."""
    for path in sorted((STATIC / "js").rglob("*.js")):
        source = path.read_text("utf-8")
        for before, literal in literals(source):
            if not _UNSEEN.search(before) and is_prose(literal):
                yield path.relative_to(STATIC / "js").as_posix(), literal


def is_prose(text: str) -> bool:
    bare = text.replace(HOLE, "").strip()
    return bool(_PROSE.search(bare)) and not _WORD_OF_CODE.match(bare) and "\\" not in bare


def literals(source: str) -> Iterator[tuple[str, str]]:
    """Each literal of a script, with what stands before it on its line."""
    place = 0
    while found := _TOKEN.search(source, place):
        place = found.end()
        token = found[0]
        before = source[max(0, found.start() - 60) : found.start()]
        if token == "`":
            text, place, inner = _template(source, place)
            yield before, text
            for code in inner:
                yield from literals(code)
        elif token[:1] in "\"'":
            yield before, re.sub(r"\\(.)", r"\1", token[1:-1])


def _template(source: str, place: int) -> tuple[str, int, list[str]]:
    """A template from behind its first mark: its text, where it ends, and the code within."""
    text, inner = "", []
    while source[place] != "`":
        if source.startswith("${", place):
            end = _closing(source, place + 2)
            inner.append(source[place + 2 : end])
            text += HOLE
            place = end + 1
        else:
            text += source[place]
            place += 1
    return text, place + 1, inner


def _closing(source: str, place: int) -> int:
    """Where the bracket closes that was opened before this place."""
    depth = 1
    while depth:
        found = _TOKEN.search(source, place)
        assert found is not None  # scripts that run have pairs of brackets
        place = found.end()
        if found[0] == "`":
            _, place, _ = _template(source, place)
        depth += {"{": 1, "}": -1}.get(found[0], 0)
    return place - 1
