"""What computes for too long is interrupted, wherever it is and however often it takes."""

from __future__ import annotations

import sys
import time

import pytest

from trapline.core.faults import deadline, is_late


def compute(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


class LongFinaliser:
    def __del__(self) -> None:
        compute(0.3)  # what is raised in here, Python drops


def test_who_goes_on_for_ever_is_interrupted() -> None:
    with pytest.raises(BaseException) as error, deadline(0.05):  # noqa: PT011 - no Exception
        compute(60)
    assert is_late(error.value)


def test_who_is_done_in_time_is_left_alone() -> None:
    with deadline(5):
        compute(0.05)
    compute(0.05)


def test_a_first_ring_is_a_warning() -> None:
    with deadline(0.2):
        compute(0.22)  # late, and done before it rings again


def test_an_alarm_that_nobody_hears_rings_again() -> None:
    with pytest.raises(BaseException) as error, deadline(0.05):  # noqa: PT011, PT012 - no Exception
        LongFinaliser()
        compute(60)
    assert is_late(error.value)


def test_what_else_is_lost_in_a_finaliser_is_still_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Failing:
        def __del__(self) -> None:
            while sys.unraisablehook == before:
                compute(0.01)  # until the deadline listens
            raise ValueError

    reported: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: reported.append(lost.exc_type))
    before = sys.unraisablehook
    with deadline(0.2):
        Failing()
    assert reported == [ValueError]
    assert sys.unraisablehook == before
