"""Plays that show a fault are made short, even by who has no time left."""

from __future__ import annotations

import pytest

from trapline.audit.replaying import Play, shortest


@pytest.mark.parametrize(("needed", "kept"), [(1, 1), (3, 4), (9, 40)])
def test_what_shows_early_is_short_however_late_it_is(needed: int, kept: int) -> None:
    """A play costs as much as it is long, and anything else than its beginning is illegal."""
    whole, spent = tuple(range(40)), 0

    def shows(play: Play) -> bool:
        nonlocal spent
        spent += len(play.actions)
        return len(play.actions) >= needed and play.actions == whole[: len(play.actions)]

    found = shortest(Play(0, whole), shows, lambda: True)
    assert len(found.actions) == kept
    assert spent <= len(whole) / 2
