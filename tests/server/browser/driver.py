"""Drives the page as people do: it reads what is asked and presses what is offered."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.server.browser.hands import pointer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Route, WebSocket

    from tests.server.browser.hands import Hand

TITLES = {
    "hidden-path": "Hidden Path",
    "trap-builder": "Trap Builder",
    "trap-runner": "Trap Runner",
    "secret-paths": "Secret Paths",
    "numeric-maze": "Numeric Maze",
}
WAYS = {
    "computer": "play the computer",
    "here": "two on this device",
    "link": "challenge by link",
}
SECRETS = {
    "hidden-path": {1: "2 6 8", 2: "3 5 9"},
    "trap-builder": {1: "1 2 9", 2: "4 5 8"},
    "secret-paths": {1: "5,2", 2: "1,4"},
}
GOALS = {"secret-paths": "5,2"}
MOST_STEPS = 400
LOG, TOLD = ".log-lines li", ".log-lines [data-event]"
ENDED = re.compile("win|draw")
PATIENCE = 30_000  # milliseconds: a busy machine may be slow

# Whoever waits is impatient: a tap on the board brings what is being played to its end.
ASKED = """() => {
  document.querySelector('.playing .canvas')?.click();
  if (document.querySelector('.curtain')) return 'curtain';
  if (document.querySelector('.verdict')) return 'over';
  return document.querySelector('.match')?.dataset.asks ?? '';
}"""

expect.set_options(timeout=PATIENCE)


class Visitor:
    """One person's browser: a context of its own, with everything that reached it."""

    def __init__(
        self, browser: Browser, address: str, settings: dict[str, Any], hand: Hand = pointer
    ) -> None:
        self.address, self.hand = address, hand
        usual: dict[str, Any] = {
            "viewport": {"width": 1280, "height": 900},
            "reduced_motion": "reduce",
            "service_workers": "block",  # what they fetch could not be looked at on its way
        }
        self.context = browser.new_context(**{**usual, **settings})
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.heard: list[dict[str, Any]] = []
        self.sockets: list[WebSocket] = []
        self.faults: list[str] = []
        # Solving Hidden Path takes the coach half a minute, and is tested without a browser.
        self.page.route("**/analysis", self._analysis)
        self.coached = True
        self.page.on("websocket", self._listen)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._console)

    def _listen(self, socket: WebSocket) -> None:
        self.sockets.append(socket)
        socket.on("framereceived", lambda frame: self.heard.append(json.loads(frame)))

    def _console(self, message: Any) -> None:
        # A refused request or a lost connection is no fault of the page, and it says so itself.
        expected = ("Failed to load resource", "WebSocket connection to")
        if message.type == "error" and not message.text.startswith(expected):
            self.faults.append(message.text)

    def _analysis(self, route: Route) -> None:
        if self.coached:
            route.continue_()
        else:
            route.fulfill(status=503, json={"sentence": "The coach is not here today."})

    def leave(self) -> None:
        self.context.close()

    # --- going somewhere ----------------------------------------------------------------

    def go(self, path: str) -> None:
        self.page.goto(self.address + path)

    def open(self, game: str, way: str, **choices: str) -> str:
        """Open a match from the home page; the id of the match."""
        self.coached = game != "hidden-path"
        self.go("/")
        title = TITLES.get(game, game)
        self.press(f"{title}: {WAYS[way]}")
        if "preset" in choices:
            self.hand(self.page.locator("dialog summary"))
            self.page.get_by_label("Preset").select_option(choices["preset"])
        if "level" in choices:
            self.page.get_by_role("radio", name=choices["level"]).check()
        if "first" in choices:
            self.page.get_by_label("Who starts").select_option(choices["first"])
        if "name" in choices:
            label = "Player 1’s name" if way == "here" else "Your name"
            self.page.get_by_label(label).fill(choices["name"])
        if "mate" in choices:
            self.page.get_by_label("Player 2’s name").fill(choices["mate"])
        self.hand(self.page.locator(".setup button[type=submit]"))
        self.page.wait_for_url("**/m/*")
        self.page.wait_for_selector(".match .board, .curtain")
        return self.page.url.rsplit("/", 1)[1]

    def join(self, link: str, name: str = "") -> None:
        self.coached = False
        self.page.goto(link)
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Take the challenge").click()
        self.page.wait_for_selector(".match .board")

    def link(self) -> str:
        return self.page.get_by_label("The link for your friend").input_value()

    # --- looking ------------------------------------------------------------------------

    def asked(self) -> str:
        return str(self.page.evaluate(ASKED))

    def wait(self) -> str:
        """What is asked, as soon as anything is."""
        return str(self.page.wait_for_function(ASKED).json_value())

    def seat(self) -> int:
        return int(self.page.locator(".match").evaluate("e => Number(e.className.slice(-1))"))

    def status(self) -> str:
        return self.page.locator(".status").inner_text()

    def log(self) -> list[str]:
        return self.page.locator(LOG).all_inner_texts()

    def told(self) -> list[str]:
        """What has happened, without the welcome."""
        return self.page.locator(TOLD).all_inner_texts()

    def stored(self) -> dict[str, dict[str, str]]:
        read = "() => ({local: {...localStorage}, session: {...sessionStorage}})"
        found: dict[str, dict[str, str]] = self.page.evaluate(read)
        return found

    # --- expecting: a page is given the time that it needs -------------------------------

    def expect_status(self, words: str | re.Pattern[str]) -> None:
        expect(self.page.locator(".status")).to_have_text(words, use_inner_text=True)

    def expect_log(self, lines: list[str]) -> None:
        expect(self.page.locator(LOG)).to_have_text(lines, use_inner_text=True)

    def expect_told(self, lines: list[str]) -> None:
        expect(self.page.locator(TOLD)).to_have_text(lines, use_inner_text=True)

    # --- playing ------------------------------------------------------------------------

    def press(self, name: str) -> None:
        self.hand(self.page.get_by_role("button", name=name))

    def type(self, label: str, text: str) -> None:
        self.page.get_by_label(label).fill(text)
        self.page.keyboard.press("Enter")

    def choose_secret(self, secret: str) -> None:
        """On the board itself, as a hand would."""
        places = [secret] if "," in secret else secret.split()
        for place in places:
            self.hand(self.page.locator(f'.target[data-at="{place}"]'))
        self.hand(self.page.locator(".ask button.primary"))

    def hide_in_turn(self, game: str) -> None:
        """Two people on this device, one after the other."""
        for seat in (1, 2):
            self.press("I am Player")
            self.page.wait_for_selector(f".match.as-{seat}[data-asks=secret]")
            self.act(game)
            if seat == 1:
                self.press("Pass the device")

    def act(self, game: str, goal: str | None = None) -> str:
        """Answer whatever is asked now, in a way that brings the match to an end."""
        asks = self.wait()
        self.page.evaluate(f"() => {{ window.linesBefore = {LINES} }}")
        if asks == "curtain":
            self.hand(self.page.locator(".curtain button"))
        elif asks == "pass":
            self.press("Pass the device")
        elif asks == "secret" and game in SECRETS:
            self.choose_secret(SECRETS[game][self.seat()])
        elif self.page.locator(".target").count():
            self.choose_on_the_board(goal)
        elif asks != "over":
            self.hand(self.page.locator(".ask .answer").last)
        if asks != "over":
            self.page.wait_for_function(f"before => ({ASKED})() !== before || {MOVED}", arg=asks)
        return asks

    def choose_on_the_board(self, goal: str | None) -> None:
        """As many places as are wanted; most questions want one and need no confirmation."""
        count = self.page.locator(".ask .count")
        if not count.count():
            self.hand(self.target(goal))
            return
        wanted = int(re.findall(r"of (\d+) chosen", count.inner_text())[0])
        apart = self.page.locator(".target").count() // wanted
        for index in range(wanted):
            self.hand(self.page.locator(".target").nth(index * apart))
        self.hand(self.page.locator(".ask button.primary"))

    def target(self, goal: str | None) -> Locator:
        """The longest step that is not known to be trapped, or the cell nearest to a goal."""
        if goal is not None:
            cells = self.page.locator(".target")
            places = [
                str(place) for place in cells.evaluate_all("all => all.map(e => e.dataset.at)")
            ]
            # Player 2 only brings it near: on the goal itself it would not count for Player 1.
            wanted = 0 if self.seat() == 1 else 1
            best = min(places, key=lambda place: abs(_distance(place, goal) - wanted))
            return self.page.locator(f'.target[data-at="{best}"]')
        free = self.page.locator('.target:not([aria-label*="a trap"])')
        return free.last if free.count() else self.page.locator(".target").last

    def finish(self, game: str, goal: str | None = None) -> None:
        """Play alone until the end: against the computer, or both sides of one device."""
        for _ in range(MOST_STEPS):
            if self.act(game, goal) == "over":
                return
        raise AssertionError(f"{game} did not end: {self.log()[-6:]}")


# A move may be followed by the same question (the other answered at once): then the log is longer.
LINES = "document.querySelectorAll('.log-lines li').length"
MOVED = f"{LINES} !== window.linesBefore"


def _distance(place: str, goal: str) -> int:
    row, column = (int(part) for part in place.split(","))
    to_row, to_column = (int(part) for part in goal.split(","))
    return max(abs(row - to_row), abs(column - to_column))


def finish_together(game: str, one: Visitor, two: Visitor, goal: str | None = None) -> None:
    """Two people in two browsers, each answering when asked."""
    for _ in range(MOST_STEPS):
        for visitor in (one, two):
            if visitor.asked() not in ("", "over"):
                visitor.act(game, goal)
        if one.asked() == two.asked() == "over":
            return
    raise AssertionError(f"{game} did not end: {one.log()[-6:]}")
