"""What holds for the page as a whole: it keeps secrets, it survives, everybody can use it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.server.browser.driver import SECRETS, Visitor, finish_together
from tests.server.browser.secrecy import nothing_shows, nothing_was_heard

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_storage_holds_ids_a_name_and_seals_only(visit: Callable[..., Visitor]) -> None:
    us = visit()
    match = us.open("trap-builder", "here", name="Ann")
    for _ in range(6):
        us.act("trap-builder")
    stored = us.stored()
    assert set(stored["local"]) == {"trapline.name", "trapline.matches"}
    assert stored["local"]["trapline.matches"] == f'["{match}"]'
    assert list(stored["session"]) == [f"trapline.seen.{match}"]
    assert re.fullmatch(
        r'\{("(1|2)":"[0-9a-f]{64}",?)+\}', stored["session"][f"trapline.seen.{match}"]
    )


def test_two_on_one_device_have_two_names(visit: Callable[..., Visitor]) -> None:
    us = visit()
    us.open("numeric-maze", "here", name="Ann", mate="Ben")
    for name in ("Ann", "Ben"):
        us.page.get_by_text(name, exact=True).first.wait_for()


@pytest.mark.parametrize(("game", "wanted"), [("hidden-path", 2), ("trap-runner", 6)])
def test_the_curtain_leaves_nothing_behind(
    visit: Callable[..., Visitor], game: str, wanted: int
) -> None:
    """Behind it there is no connection, and nothing of the last seat's in the page."""
    us = visit()
    us.open(game, "here", first="1")
    curtains = 0
    while curtains < wanted:
        if us.wait() == "curtain":
            curtains += 1
            for socket in us.sockets:
                if not socket.is_closed():
                    socket.wait_for_event("close")
            expect(us.page.locator(".match, .trap, .board")).to_have_count(0)
            content = us.page.content()
            assert not [secret for secret in SECRETS["hidden-path"].values() if secret in content]
            expect(us.page.locator("#live")).to_have_text("", use_inner_text=True)
        us.act(game)


def test_by_keyboard_alone(visit: Callable[..., Visitor]) -> None:
    """A whole match without a pointer: the setup, both goals, a move by arrow keys, the end."""
    us = visit()
    us.go("/")
    us.page.wait_for_selector(".card")
    by_keys(us, "Secret Paths: two on this device", "Enter")
    by_keys(us, "Start", "Enter")
    for _ in range(2):
        us.page.wait_for_selector(".curtain")
        by_keys(us, "I am", "Enter")
        us.page.wait_for_selector(".match[data-asks=secret]")
        by_keys(us, "Row ", "ArrowRight", "Space")
        by_keys(us, "Confirm", "Enter")
        us.page.wait_for_selector(".match:is([data-asks=pass], [data-asks=move])")
        if us.asked() == "pass":
            by_keys(us, "Pass the device", "Enter")
    us.page.wait_for_selector(".match[data-asks=move]")
    by_keys(us, "Row ", "ArrowDown", "Enter")
    us.page.locator(".log-lines li", has_text="Seeker moved to (3,2).").wait_for()
    by_keys(us, "Resign", "Enter")
    by_keys(us, "Resign", "Enter")
    us.page.wait_for_selector(".verdict")
    us.expect_status(re.compile(r"wins\.$"))


def test_number_keys_are_steps(visit: Callable[..., Visitor]) -> None:
    us = visit()
    us.open("numeric-maze", "here", first="1")
    us.page.wait_for_selector(".match[data-asks=move].as-1")
    us.page.keyboard.press("3")
    us.page.wait_for_selector(".match[data-asks=move].as-2")
    us.page.keyboard.press("2")
    us.page.wait_for_selector(".match[data-asks=move].as-1")
    us.expect_told(["Player 1 moves to position 3.", "Player 2 moves to position 2."])


def by_keys(visitor: Visitor, label: str, *keys: str) -> None:
    """Press Tab until the control with this name has the focus, and then `keys`."""
    for _ in range(60):
        name = visitor.page.evaluate(
            "() => { const e = document.activeElement;"
            " return e.getAttribute('aria-label') ?? e.textContent; }"
        )
        if str(name).startswith(label):
            break
        visitor.page.keyboard.press("Tab")
    else:
        raise AssertionError(f"No way to {label} by Tab.")
    for key in keys:
        visitor.page.keyboard.press(key)


def test_whoever_has_no_seat_watches(visit: Callable[..., Visitor]) -> None:
    ann, eve = visit(), visit()
    match = ann.open("hidden-path", "computer", first="1")
    ann.act("hidden-path")
    assert ann.wait() == "move"
    eve.go(f"/m/{match}")
    eve.page.wait_for_selector("text=You are watching")
    expect(eve.page.locator("[role=button]")).to_have_count(0)
    nothing_shows(eve, "hidden-path", 1)
    nothing_was_heard(eve, 1)
    nothing_was_heard(eve, 2)


def test_a_link_admits_one(visit: Callable[..., Visitor]) -> None:
    ann, bob, eve = visit(), visit(), visit()
    ann.open("numeric-maze", "link", name="<b>Ann</b>")
    link = ann.link()
    ann.page.wait_for_function("() => document.querySelector('.qr').naturalWidth > 0")
    bob.join(link, "Bob")
    expect(bob.page.locator(".players")).to_contain_text("<b>Ann</b>", use_inner_text=True)
    eve.page.goto(link)
    eve.page.get_by_role("link", name="Watch the match").click()
    eve.page.wait_for_selector("text=You are watching")


def test_variants_and_their_refusals(visit: Callable[..., Visitor]) -> None:
    us = visit()
    us.go("/")
    us.press("Secret Paths: two on this device")
    us.page.locator("summary").click()
    us.page.get_by_label("Cells on each side").fill("4")
    us.page.locator(".fault", has_text="size must be").wait_for()
    expect(us.page.get_by_role("button", name="Start")).to_be_disabled()
    us.page.get_by_label("Cells on each side").fill("3")
    us.press("Start")
    us.page.locator(".curtain button").click()
    us.page.wait_for_selector(".place.target")
    expect(us.page.locator(".place")).to_have_count(9)


def test_an_address_that_leads_nowhere_says_so(visit: Callable[..., Visitor]) -> None:
    me = visit()
    for path in ("/m/0123456789abcdef", "/rules/chess"):
        me.go(path)
        me.page.locator("h1", has_text="The trail ends here").wait_for()
    me.page.get_by_role("link", name="Back to the games").click()
    me.page.wait_for_selector(".card")


def test_a_theme_is_kept(visit: Callable[..., Visitor]) -> None:
    me = visit(color_scheme="light")
    me.go("/")
    for _ in range(2):
        me.page.locator("#theme").click()
    me.page.reload()
    expect(me.page.locator("html")).to_have_attribute("data-theme", "dark")


# --- accessible, and nothing spills over --------------------------------------------------


@pytest.mark.slow
def test_axe_finds_nothing(visit: Callable[..., Visitor], pictures: Path) -> None:
    """Every screen, in both themes, at a desk and on a phone."""
    me, friend = visit(viewport={"width": 360, "height": 740}), visit()
    inspect = Inspection(me, pictures)
    me.go("/")
    me.page.wait_for_selector(".card")
    inspect("home")
    me.press("Hidden Path: play the computer")
    me.page.locator("summary").click()
    inspect("setup")
    me.go("/rules/trap-runner")
    me.page.wait_for_selector(".prose h1")
    inspect("rules")
    me.open("trap-builder", "here", first="1")
    inspect("curtain")
    me.act("trap-builder")
    me.wait()
    me.page.locator('.target[data-at="3"]').click()
    inspect("secret")
    me.open("secret-paths", "link", first="1")
    inspect("invitation")
    friend.page.goto(me.link())
    friend.page.wait_for_selector("form")
    Inspection(friend, pictures)("join")
    friend.join(me.link(), "A friend with a rather long name indeed")
    me.act("secret-paths")
    friend.act("secret-paths")
    me.page.wait_for_selector(".match[data-asks=move]")
    inspect("grid")
    finish_together("secret-paths", me, friend, "5,2")
    me.page.locator(".graph").wait_for()
    me.page.locator(".finish summary").click()
    inspect("end")
    me.go("/matches")
    me.page.wait_for_selector(".match-list")
    inspect("matches")
    assert not inspect.faults


# What is pressed with a thumb measures 44 pixels; a link within a text is as high as its line.
SMALL = """() => [...document.querySelectorAll('button, select, input[type=text], g[role=button]')]
  .filter(e => !e.closest('.comments'))
  .map(e => [e.getBoundingClientRect(), e])
  .filter(([box]) => box.width && (box.width < 43.9 || box.height < 43.9))
  .map(([box, e]) => `${e.outerHTML.slice(0, 60)} (${box.width}x${box.height})`)
"""


class Inspection:
    def __init__(self, visitor: Visitor, pictures: Path) -> None:
        self.page = visitor.page
        self.pictures = pictures
        self.faults: list[str] = []

    def __call__(self, name: str) -> None:
        from axe_playwright_python.sync_playwright import Axe

        for theme in ("light", "dark"):
            self.page.emulate_media(color_scheme=theme)
            found = Axe().run(self.page)
            for violation in found.response["violations"]:
                where = [node["target"] for node in violation["nodes"]][:3]
                self.faults.append(f"{name}, {theme}: {violation['id']} at {where}")
            self.page.screenshot(path=self.pictures / f"{name}-{theme}.png")
        self.faults += [f"{name}: {what} is small" for what in self.page.evaluate(SMALL)]
        wide = self.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            self.faults.append(f"{name} is {wide} pixels too wide")
