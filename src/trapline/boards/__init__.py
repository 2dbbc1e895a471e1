"""Boards, one file for each kind: how it is told, drawn, laid out as numbers, and mirrored."""

from __future__ import annotations

import msgspec

from trapline.boards.grid import Grid, Mark, grid
from trapline.boards.panel import Fact, Panel
from trapline.boards.track import Track, Trap, track
from trapline.core import Board, View

AnyBoard = Track | Grid | Panel

__all__ = [
    "AnyBoard", "Fact", "Grid", "Mark", "Panel", "Track", "Trap", "decode_view", "grid", "track",
]  # fmt: skip


def decode_view(data: bytes) -> View:
    """A View from its JSON, its board as the kind it is, those of games from outside included."""
    fields = msgspec.json.decode(data)
    tag = fields["board"]["board"]
    kind = next(kind for kind in Board.__subclasses__() if kind.__struct_config__.tag == tag)
    kept = {name: msgspec.convert(fields[name], sort) for name, sort in _SORTS.items()}
    return View(**kept, board=msgspec.convert(fields["board"], kind))


_SORTS = {f.name: f.type for f in msgspec.structs.fields(View) if f.name != "board"}
