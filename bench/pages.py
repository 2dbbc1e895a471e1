"""Parts of the pages in docs/ that a script writes: each lies between two comments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

DOCS = Path(__file__).resolve().parent.parent / "docs"


def write_part(page: str, part: str, lines: Iterable[str]) -> None:
    """Put lines in the place of what a script has written there before."""
    file = DOCS / page
    begin, end = f"<!-- begin {part} -->\n", f"<!-- end {part} -->\n"
    before, _, rest = file.read_text("utf-8").partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise SystemExit(f"docs/{page} has no part between {begin.strip()} and {end.strip()}.")
    written = "".join(f"{line}\n" for line in lines)
    file.write_text(f"{before}{begin}{written}{end}{after}", "utf-8")
    print(f"docs/{page}: {part}")
