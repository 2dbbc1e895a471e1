"""The page's scripts in packs: modules that are needed together are sent together.

A pack is the modules one after the other, each in a scope of its own, exporting all that they
export; no two modules export the same name. The page says which module lies in which pack by an
import map, so modules name each other as if they were sent one by one, and a browser that knows no
import maps fetches them so.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path, PurePosixPath

SCRIPTS = Path(__file__).parent / "static" / "js"
ADDRESS = "/static/js/"
PACKS = {
    "core": ("api", "dom", "language", "store", "time", "week", "words"),
    "board": (
        "clock", "director", "effects", "frame", "picture", "scenery", "scenes", "screens/ask",
        "shapes", "stagecraft", "story",
    ),
    "table": (
        "connection", "screens/actions", "screens/hint", "screens/invite", "screens/log",
        "screens/match", "screens/panel", "screens/players", "screens/reactions", "screens/table",
    ),
    "locked": ("choosing", "device", "locked", "trails", "transfer"),
    "seals": ("seals", "sha256"),
    "after": ("screens/coach", "screens/finish", "screens/replay", "screens/verify"),
    "shared": ("screens/here", "veiled"),
}  # fmt: skip
NAMES = {f"packs/{pack}.js": pack for pack in PACKS}
PACK_OF = {f"{module}.js": f"packs/{pack}.js" for pack in PACKS for module in PACKS[pack]}
_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_LATER = re.compile(r'\bimport\("(\.[^"]+)"\)')
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^ *(?://[^\n]*|/\*\*.*?\*/)\n", re.MULTILINE | re.DOTALL)
_ASIDE = re.compile(r"(?<=[;,{}]) // [^\n]*$", re.MULTILINE)


@cache
def source(module: str) -> str:
    return (SCRIPTS / module).read_text("utf-8")


def imported(module: str) -> dict[str, list[str]]:
    """The modules that one imports from the beginning, and which names."""
    found: dict[str, list[str]] = {}
    for match in _IMPORT.finditer(source(module)):
        names = [name.strip() for name in match[1].split(",") if name.strip()]
        found[beside(module, match[2])] = names
    return found


def exported(module: str) -> list[str]:
    return [match[1] for match in _EXPORT.finditer(source(module))]


def beside(module: str, specifier: str) -> str:
    """The module that another one calls so."""
    parts: list[str] = []
    for part in (PurePosixPath(module).parent / specifier).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def bare(text: str) -> str:
    """A script without what is written in it for whoever changes it."""
    return _ASIDE.sub("", _COMMENT.sub("", text))


@cache
def pack(name: str) -> str:
    """The text of a pack."""
    inside = _in_order([f"{module}.js" for module in PACKS[name]])
    outside: dict[str, set[str]] = {}
    for module in inside:
        for other, names in imported(module).items():
            if other not in inside:
                outside.setdefault(other, set()).update(names)
    heads = [
        f'import {{ {", ".join(sorted(names))} }} from "{ADDRESS}{other}";\n'
        for other, names in sorted(outside.items())
    ]
    return "".join(heads + [_scoped(module) for module in inside])


def _in_order(modules: list[str]) -> list[str]:
    """What a module imports stands before it."""
    placed: list[str] = []

    def place(module: str) -> None:
        if module in modules and module not in placed:
            for other in imported(module):
                place(other)
            placed.append(module)

    for module in modules:
        place(module)
    return placed


def _scoped(module: str) -> str:
    text = bare(_EXPORT.sub("", _IMPORT.sub("", source(module))))
    text = _LATER.sub(lambda match: f'import("{ADDRESS}{beside(module, match[1])}")', text)
    names = ", ".join(exported(module))
    return (
        f"export const {{ {names} }} = (() => {{\n{text.strip()}\nreturn {{ {names} }};\n}})();\n"
    )


@cache
def import_map() -> str:
    """Where a browser finds the modules that lie in packs."""
    places = {ADDRESS + module: ADDRESS + pack for module, pack in sorted(PACK_OF.items())}
    return json.dumps({"imports": places}, separators=(",", ":"))
