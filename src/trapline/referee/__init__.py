"""The referee: matches, their records, and the proof that nobody changed what they hid."""

from __future__ import annotations

from trapline.referee.match import Match
from trapline.referee.record import Player, Record, Series, parse_record
from trapline.referee.verify import Check, verify
from trapline.referee.walk import Step, Walk, replay_answer

__all__ = [
    "Check", "Match", "Player", "Record", "Series", "Step", "Walk", "parse_record",
    "replay_answer", "verify",
]  # fmt: skip
