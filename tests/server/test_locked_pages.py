"""What the page's devices tell a server that is not honest, and what several tabs keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests.server.pages import Browser, Tab
from tests.server.test_locked_turns import Table
from trapline.core import Outcome, Reason, other
from trapline.referee.locked.turns import transfer
from trapline.referee.locked.turns.trail import left_key
from trapline.server import messages
from trapline.server.messages import Resign
from trapline.server.refusals import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Seat

GREEDY = "More is asked for than moves can depend on, so this device opens nothing more."
ALTERED = "What was opened does not fit what was committed to: this server cannot be trusted."
STRANGE = transfer.asked("5" * 64, wanted=True)
"""A question whose private key whoever puts it knows."""


@pytest.fixture
def browser() -> Iterator[Browser]:
    with Browser() as running:
        yield running


class Sitting:
    """A match of Trap Runner in which one seat sits before pages, and the other is `Table`'s."""

    def __init__(self, browser: Browser, seat: Seat, tabs: int = 1) -> None:
        self.table, self.seat = Table(), seat
        self.tabs = [Tab(browser, number, self.table.room.id, seat) for number in range(tabs)]
        self.answered: tuple[str, ...] = ()

    def state(self, **awaited: Any) -> dict[str, Any]:
        """What the pages are sent, or what a server sends them that asks for something else."""
        room = self.table.room
        shown = msgspec.json.encode(room.state(self.seat, answers=self.answered))
        state: dict[str, Any] = msgspec.json.decode(shown)
        if awaited:
            state["table"]["locked"]["awaited"] = awaited
        return state

    def hear(self) -> list[dict[str, Any]]:
        """Let every tab hear how it stands, and do what is wanted; what they show."""
        shown = [tab.hear(self.state()) for tab in self.tabs]
        for frame in [frame for one in shown for frame in one["said"]]:
            self.take(frame)
        return self.hear() if any(one["said"] for one in shown) else shown

    def take(self, frame: dict[str, Any]) -> None:
        """The server takes what a page says; what another tab has said already is refused."""
        self.answered = (*self.answered, frame["key"])
        try:
            self.table.act(self.seat, msgspec.convert(frame["command"], messages.AnyCommand))
        except Refusal as refusal:
            if refusal.reason != "not now":
                raise

    def give(self, answer: str, tab: int = 0) -> None:
        """An answer of whoever is to move, before any device has said something about it."""
        if self.table.room.match.to_move != self.seat:
            self.table.give(answer)
        else:
            for frame in self.tabs[tab].say(answer)["said"]:
                self.take(frame)

    def turn(self, *answers: str, tab: int = 0) -> None:
        for answer in answers:
            self.give(answer, tab)
            self.respond()

    def respond(self) -> list[dict[str, Any]]:
        shown = self.hear()
        while self.table.respond_once(other(self.seat)):
            shown = self.hear()
        return shown


def waiting(browser: Browser, seat: Seat, second: str) -> Sitting:
    """Player 2 has decided about square 2, on which both stood and which Player 1 left first."""
    sitting = Sitting(browser, seat)
    sitting.hear()
    sitting.turn("2", "2", "1", "t", "2")
    sitting.give(second)
    return sitting


def test_a_match_on_a_page_proves_itself(browser: Browser) -> None:
    for seat in (1, 2):
        sitting = waiting(browser, seat, "t")
        sitting.respond()
        sitting.turn("2", "n", "2", "n")
        sitting.table.act(2, Resign())
        sitting.respond()
        assert sitting.table.room.over
        assert sitting.table.faults() == []


@pytest.mark.parametrize(("text", "move"), [("1t", "1t"), ("1n", 1), ("1N", 1)])
def test_a_turn_is_typed_at_once_whatever_it_hides(
    browser: Browser, text: str, move: int | str
) -> None:
    """If only a trap could be set so quickly, the time that a turn takes would tell of it."""
    sitting = Sitting(browser, 1)
    sitting.hear()
    sitting.turn("2", "2", text)
    assert sitting.table.room.match.to_move == 2
    assert sitting.table.room.view(2).turn == 3
    sitting.table.act(2, Resign())
    sitting.respond()
    assert sitting.table.faults() == []
    assert sitting.table.room.match.record().moves == [2, 2, move]


def test_a_page_answers_one_question_a_turn(browser: Browser) -> None:
    """Whoever put one of their own in its place would read what it hides."""
    sitting = waiting(browser, 1, "n")
    (honest,) = sitting.tabs[0].hear(sitting.state())["said"]
    assert honest["command"]["do"] == "give"
    awaited = msgspec.to_builtins(sitting.table.locked.awaited)
    sitting.answered = (honest["key"],)
    (again,) = sitting.tabs[0].hear(sitting.state())["said"]
    assert again["command"] == honest["command"]  # what was said may have been lost
    sitting.answered = (again["key"],)
    for change in ({"asks": STRANGE}, {"place": "1"}):
        shown = sitting.tabs[0].hear(sitting.state(**{**awaited, **change}))
        assert (shown["said"], shown["alarm"]) == ([], GREEDY)


def test_a_page_opens_nothing_in_turns_of_its_own(browser: Browser) -> None:
    sitting = waiting(browser, 1, "n")
    sitting.respond()
    awaited = {"seat": 1, "place": "2", "by": 2, "move": 1, "turn": 4}
    shown = sitting.tabs[0].hear(sitting.state(**awaited))
    assert (shown["said"], shown["alarm"]) == ([], GREEDY)


@pytest.mark.parametrize("second", ["t", "n"])
def test_a_page_says_once_what_lies_there_whatever_it_is_given(
    browser: Browser, second: str
) -> None:
    """A second commitment, after another answer, would show whether something was tried."""
    sitting = waiting(browser, 2, second)
    sitting.hear()
    sitting.table.respond_once(1)
    (honest,) = sitting.tabs[0].hear(sitting.state())["said"]
    assert honest["command"]["do"] == "lock"
    awaited = msgspec.to_builtins(sitting.table.locked.awaited)
    sitting.answered = (*sitting.answered, honest["key"])
    strange = transfer.given(STRANGE, "0", "1")
    shown = sitting.tabs[0].hear(sitting.state(**{**awaited, "gives": strange}))
    assert (shown["said"], shown["alarm"]) == ([], GREEDY)


def test_a_page_is_shown_no_other_place_for_the_one_that_was_to_be_opened(browser: Browser) -> None:
    """What was committed to about square 2 would pass for a trap on square 4."""
    sitting = Sitting(browser, 2)
    sitting.turn("2", "1", "2", "t", "2", "n", "1", "n")
    sitting.give("1")
    sitting.table.respond_once(1)
    honest = sitting.state()
    (opened,) = honest["table"]["locked"]["opened"]
    assert (opened["place"], opened["holds"]) == ("4", False)
    assert sitting.tabs[0].hear(honest)["alarm"] == ""
    salt = transfer.derived(sitting.table.devices[1].seed, left_key(2))
    opened.update(holds=True, salt=salt)
    assert sitting.tabs[0].hear(honest)["alarm"] == ALTERED


def test_a_seat_on_two_tabs_keeps_what_it_hid_on_either(browser: Browser) -> None:
    """Each wrote over what the other had kept: the match could not be opened, and was lost."""
    sitting = Sitting(browser, 1, tabs=2)
    sitting.hear()
    sitting.turn("2", "1")
    sitting.turn("2", "t")
    sitting.turn("3", "n")
    sitting.turn("1", "t", tab=1)
    shown = sitting.respond()
    assert [one["alarm"] for one in shown] == ["", ""]
    assert shown[0]["drawn"] == shown[1]["drawn"]
    assert shown[0]["drawn"][-1] == "Your traps: 2, 4. Only this device knows."
    assert left_key(4) in sitting.table.room.match.commitments
    sitting.table.act(2, Resign())
    sitting.respond()
    assert sitting.table.room.match.outcome == Outcome(1, Reason.RESIGNED)
    assert sitting.table.faults() == []
