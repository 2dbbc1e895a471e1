"""A track in words."""

from __future__ import annotations

from tests.languages.speaking import speak
from trapline.boards.track import Track, Trap
from trapline.core import BY_SEAT


def test_a_place_where_both_had_a_trap_is_told_once_as_both() -> None:
    sprung = (Trap(6, 1, True, False), Trap(9, 1, True, False), Trap(6, 2, True, False))
    told = Track(10, (0, 0), (10, 10), sprung).words(BY_SEAT, "step")
    german = speak("de", told)
    assert german.told[-1] == "Zugeschnappt, jetzt sicher: 6 (beide), 9."
    assert told[-1] == "Sprung, safe now: 6 (both), 9."
