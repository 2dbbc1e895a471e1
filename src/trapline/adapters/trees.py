"""Games of other programs that can be solved: `FILE.efg` and `pyspiel:NAME`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trapline.solve.extensive import Tree

GAMBIT, OPEN_SPIEL = ".efg", "pyspiel:"


def tree_of(spec: str) -> Tree | None:
    """The tree that a command names; None where it names a game of ours."""
    if spec.startswith(OPEN_SPIEL):
        from trapline.adapters.spiel_tree import SpielTree

        return SpielTree(spec.removeprefix(OPEN_SPIEL))
    if spec.lower().endswith(GAMBIT):
        from trapline.adapters.efg_tree import EfgTree

        return EfgTree(Path(spec))
    return None
