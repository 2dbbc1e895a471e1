"""The moment of the trap, frame by frame: nothing is shown before the piece has got there.

The page's clock stands still and is moved on by hand, so the order does not depend on how fast
the machine is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.server.browser.driver import SECRETS, Visitor

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Frame = dict[str, Any]
    Frames = list[Frame]

FRAME = 40  # milliseconds
MOST_FRAMES = 500
CLOSING = 120  # milliseconds after which the jaws of a trap are nearly shut

# What sounds and what shakes is counted; both go on as they would.
COUNTED = """
  window.sounds = 0;
  window.shakes = 0;
  for (const { prototype } of [OscillatorNode, AudioBufferSourceNode]) {
    const { start } = prototype;
    prototype.start = function (...when) {
      window.sounds += 1;
      return start.apply(this, when);
    };
  }
  const vibrate = Navigator.prototype.vibrate;
  Navigator.prototype.vibrate = function (pattern) {
    window.shakes += 1;
    return vibrate.call(this, pattern);
  };
"""
SEEN = """() => {
  const one = (selector) => document.querySelector(selector);
  const across = (seat) => {
    const placed = one(`.board .piece.seat-${seat}`).getAttribute('transform');
    return Math.round(Number(/translate\\(([-\\d.]+)/.exec(placed)[1]));
  };
  return {
    mine: across(1),
    theirs: across(2),
    jaws: Boolean(one('.jaws')),
    trap: document.querySelectorAll('.board .trap.seat-2').length,
    banner: one('.banner').textContent,
    status: one('.status').textContent,
    told: document.querySelectorAll('.log-lines [data-event]').length,
    targets: document.querySelectorAll('.target').length,
    over: Boolean(one('.verdict')),
    swing: one('.canvas').style.translate,
    sounds: window.sounds,
    shakes: window.shakes,
  };
}"""


class Stage:
    """Ann's screen, whose clock we hold; Bob plays on the other side, as fast as he can."""

    def __init__(self, visit: Callable[..., Visitor], game: str, **wishes: str) -> None:
        self.ann, self.bob = visit(**wishes), visit()
        self.ann.page.add_init_script(COUNTED)
        self.ann.page.clock.install(time=0)
        self.ann.open(game, "link", name="Ann", first="1")
        self.bob.join(self.ann.link(), "Bob")
        for visitor, seat in ((self.ann, 1), (self.bob, 2)):
            visitor.choose_secret(SECRETS[game][seat])
        self.ann.page.wait_for_selector(".match[data-asks=move]")
        self.ann.page.clock.pause_at(3_600_000)

    def step(self, steps: int) -> None:
        self.before: Frame = self.ann.page.evaluate(SEEN)
        heard = len(self.ann.heard)
        self.ann.page.keyboard.press(str(steps))
        self.wait_for_news(heard)

    def wait_for_news(self, heard: int) -> None:
        """Until the server has spoken to Ann's browser, whatever it shows of it."""
        while len(self.ann.heard) <= heard:
            self.ann.page.wait_for_timeout(20)

    def bob_answers(self, steps: int) -> None:
        heard = len(self.ann.heard)
        self.bob.wait()
        self.bob.page.keyboard.press(str(steps))
        self.wait_for_news(heard)

    def frames(self, until: Callable[[Frame], bool]) -> Frames:
        """Every frame up to the first in which something holds."""
        seen = [self.before, self.ann.page.evaluate(SEEN)]
        while not until(seen[-1]):
            assert len(seen) < MOST_FRAMES, f"it never came to that: {seen[-1]}"
            self.ann.page.clock.run_for(FRAME)
            seen.append(self.ann.page.evaluate(SEEN))
        return seen


def first(frames: Frames, holds: Callable[[Frame], bool], after: int = 0) -> int:
    """The number of the first frame in which something holds."""
    return next(i for i, frame in enumerate(frames) if i >= after and holds(frame))


def order(frames: Frames) -> list[int]:
    """When Ann stands on the trap, it snaps, she is back, it is said, and it is Bob's turn."""
    start = frames[0]["mine"]
    there = max(frame["mine"] for frame in frames)
    on_it = first(frames, lambda frame: frame["mine"] == there)
    snap = first(frames, lambda frame: frame["jaws"])
    back = first(frames, lambda frame: frame["mine"] == start, after=snap)
    said = first(frames, lambda frame: frame["banner"])
    turn = first(frames, lambda frame: frame["status"] != frames[0]["status"])
    return [on_it, snap, back, said, turn]


WISHES = pytest.mark.parametrize("motion", ["no-preference", "reduce"])


@pytest.mark.slow
@WISHES
def test_walk_then_snap_then_banner_then_the_others_move(
    visit: Callable[..., Visitor], motion: str
) -> None:
    stage = Stage(visit, "hidden-path", reduced_motion=motion)
    stage.step(3)
    stage.bob_answers(1)  # it has long come in, and must wait
    frames = stage.frames(lambda frame: bool(frame["targets"]))
    on_it, snap, back, said, turn = order(frames)
    walked = first(frames, lambda frame: frame["theirs"] != frames[0]["theirs"])
    assert on_it < snap < back <= said < turn < walked
    assert frames[0]["theirs"] == frames[walked - 1]["theirs"]
    for frame in frames[:snap]:
        assert (frame["trap"], frame["told"], frame["banner"]) == (0, 0, "")
    for frame in frames[:turn]:
        assert frame["status"] == frames[0]["status"]
        assert frame["targets"] == 0 or frame is stage.before
    assert {frame["mine"] for frame in frames[on_it:snap]} == {frames[on_it]["mine"]}  # a breath
    assert frames[said]["banner"].startswith("Snap! You are caught.")
    assert frames[-1]["status"] == "Your turn."
    if motion == "reduce":
        assert len({frame["mine"] for frame in frames}) == 2  # here or there, nowhere between
        assert nothing_shakes_or_sounds(frames)
    else:
        assert 0 < frames[snap - 1]["sounds"] < frames[snap]["sounds"]
        assert [bool(frame["shakes"]) for frame in frames[snap - 1 : snap + 1]] == [False, True]
        swinging = [index for index, frame in enumerate(frames) if frame["swing"]]
        assert snap <= swinging[0] <= swinging[-1] < said


def nothing_shakes_or_sounds(frames: Frames) -> bool:
    return not any(frame["swing"] or frame["sounds"] or frame["shakes"] for frame in frames)


def test_one_switch_for_sound_and_shaking(visit: Callable[..., Visitor]) -> None:
    stage = Stage(visit, "hidden-path", reduced_motion="no-preference")
    stage.ann.page.locator("#effects").click()
    stage.step(3)
    frames = stage.frames(lambda frame: frame["status"] != stage.before["status"])
    assert len({frame["mine"] for frame in frames}) > 10  # she walks all the same
    assert nothing_shakes_or_sounds(frames)
    stage.ann.go("/")
    expect(stage.ann.page.locator("#effects")).to_have_attribute("aria-pressed", "false")


@pytest.mark.slow
@WISHES
def test_the_verdict_comes_when_the_piece_is_there(
    visit: Callable[..., Visitor], motion: str
) -> None:
    """Bob's trap ends the match: walk, snap, banner, and only then the result."""
    stage = Stage(visit, "trap-builder", reduced_motion=motion)
    stage.step(3)
    stage.bob_answers(2)
    stage.frames(lambda frame: bool(frame["targets"]))
    stage.step(1)
    frames = stage.frames(lambda frame: bool(frame["over"]))
    there = frames[-1]["mine"]
    on_it = first(frames, lambda frame: frame["mine"] == there)
    snap = first(frames, lambda frame: frame["jaws"])
    said = first(frames, lambda frame: frame["banner"])
    over = len(frames) - 1
    assert on_it <= snap < said < over
    assert frames[said]["banner"].startswith("Bob wins.")
    assert all(frame["status"] == frames[0]["status"] for frame in frames[:over])
    assert frames[over]["status"] == "Bob wins."


def test_a_tap_on_the_board_hurries_it(visit: Callable[..., Visitor], pictures: Path) -> None:
    stage = Stage(visit, "hidden-path", reduced_motion="no-preference")
    stage.step(3)
    stage.frames(lambda frame: bool(frame["jaws"]))
    stage.ann.page.clock.run_for(CLOSING)
    stage.ann.page.screenshot(path=pictures / "trap.png")
    stage.ann.page.locator(".canvas").click()
    seen = stage.ann.page.evaluate(SEEN)
    assert seen["status"] != "Your turn."
    assert (seen["banner"], seen["told"], seen["trap"]) == ("", 3, 1)


def test_a_page_that_nobody_sees_does_not_wait(visit: Callable[..., Visitor]) -> None:
    """In the background no frames are drawn: what comes in must not pile up behind a scene."""
    stage = Stage(visit, "hidden-path", reduced_motion="no-preference")
    stage.step(3)
    stage.frames(lambda frame: bool(frame["jaws"]))
    stage.ann.page.evaluate(
        "() => { Object.defineProperty(document, 'hidden', { value: true });"
        " document.dispatchEvent(new Event('visibilitychange')); }"
    )
    stage.bob_answers(1)
    stage.ann.page.wait_for_selector(".match[data-asks=move]", state="attached")
