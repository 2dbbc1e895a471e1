"""The page's own translator, asked outside a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from trapline.server.languages import messages

if TYPE_CHECKING:
    from collections.abc import Iterable

NODE = shutil.which("node")


class Spoken(NamedTuple):
    told: list[str]
    missing: list[str]
    """What the catalogue has no words for."""


def speak(code: str, texts: Iterable[str], known: dict[str, str] | None = None) -> Spoken:
    assert NODE, "Node is not installed (on Debian: apt install nodejs)."
    words = messages(code) if known is None else known
    asked = json.dumps({"language": code, "messages": words, "texts": [*texts]})
    script = Path(__file__).with_name("translate.mjs")
    found = subprocess.run([NODE, script], input=asked, capture_output=True, text=True, check=True)
    return Spoken(**json.loads(found.stdout))
