"""Copy the rules of each game, which the program itself shows, into docs/rules/."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "trapline" / "rules"
TARGET = ROOT / "docs" / "rules"


def main() -> None:
    stale = []
    for page in sorted(SOURCE.glob("*.md")):
        copy = TARGET / page.name
        if not copy.exists() or copy.read_bytes() != page.read_bytes():
            stale.append(page.name)
            if "--check" not in sys.argv:
                TARGET.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(page.read_bytes())
    if stale and "--check" in sys.argv:
        sys.exit(f"docs/rules is behind src/trapline/rules: {', '.join(stale)}")


if __name__ == "__main__":
    main()
