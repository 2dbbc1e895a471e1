"""The page in other languages, in a real browser: every screen, every game, and what is sent."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.server.browser.driver import GOALS, TITLES, Visitor
from tests.server.browser.test_page import Inspection
from trapline.server.languages import CODES, messages

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Request

LOCALES = {"de": "de-DE", "fr": "fr-FR"}
PHONE = {"width": 360, "height": 740}
UNTRANSLATED = "async () => (await import('/static/js/language.js')).untranslated()"
TOO_WIDE = """() => [...document.querySelectorAll('main *, header *, footer *, dialog *')]
  .filter((one) => !one.closest('.scroll, svg, .unseen, .skip'))
  .filter((one) => {
    const { left, right, width } = one.getBoundingClientRect();
    return width && (left < -1 || right > innerWidth + 1);
  }).map((one) => one.outerHTML.slice(0, 120))"""
AWAY = "The coach is not here today."  # a stand-in of these tests
GAMES = list(TITLES)
SCREENS = (
    "/", "/matches", "/lobby", "/proof", "/puzzle", "/rules/trap-runner", "/learn/trap-builder",
    "/m/none",
)  # fmt: skip


def start(me: Visitor, game: str, level: str = "random") -> None:
    """Open a match against the computer, without reading a word."""
    me.coached = game != "hidden-path"
    me.go("/")
    me.page.locator(".card").nth(GAMES.index(game)).locator(".card-ways button").first.click()
    me.page.locator(f".level input[value={level}]").check()
    me.page.locator("select[name=first]").select_option("1")
    me.page.locator(".setup button[type=submit]").click()
    me.page.wait_for_selector(".match .board")


def all_is_said_in(code: str, me: Visitor) -> None:
    """Nothing that reached the page is left in English, seen or heard, and nothing sticks out."""
    missing = [text for text in me.page.evaluate(UNTRANSLATED) if text not in AWAY]
    assert missing == []
    shown = {" ".join(line.split()) for line in me.page.inner_text("body").splitlines()}
    english = {key for key, becomes in messages(code).items() if " " in key and key != becomes}
    assert not shown & english
    changed = {key for key, becomes in messages(code).items() if key != becomes}
    assert not set(me.page.locator("svg text").all_text_contents()) & changed
    assert len(shown) > 5
    assert me.page.evaluate(TOO_WIDE) == []


@pytest.mark.slow
@pytest.mark.parametrize("code", CODES)
def test_every_game_is_played_without_a_word_of_english(
    visit: Callable[..., Visitor], code: str, pictures: Path
) -> None:
    me = visit(locale=LOCALES[code], viewport=PHONE)
    for game in GAMES:
        start(me, game)
        me.wait()
        all_is_said_in(code, me)
        me.finish(game, GOALS.get(game))
        me.page.locator(".finish .graph" if me.coached else ".finish .seals").first.wait_for()
        all_is_said_in(code, me)
    me.page.screenshot(path=pictures / f"end-{code}.png", full_page=True)
    me.go("/matches")
    me.page.wait_for_selector("table")
    all_is_said_in(code, me)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("game", ["trap-builder", "secret-paths"])
def test_whoever_comes_to_a_table_hears_all_of_it_in_their_language(
    visit: Callable[..., Visitor], code: str, game: str
) -> None:
    """At first only what such a table says is fetched; the rest before it is said."""
    me = visit(locale=LOCALES[code], viewport=PHONE)
    start(me, game)
    fetched: list[str] = []
    me.page.on("request", lambda request: fetched.append(request.url))
    me.page.reload()
    me.wait()
    me.page.wait_for_load_state("networkidle")
    words = [url.rsplit("/", 1)[1] for url in fetched if "/lang/" in url]
    assert words == [f"{code}.{game}.json"]
    all_is_said_in(code, me)
    me.page.evaluate(SEND, "nonsense")
    me.page.locator(".fault:not(:empty)").wait_for()
    me.page.locator(".match-head button").click()
    me.page.locator("dialog h2").first.wait_for()
    all_is_said_in(code, me)
    me.page.locator("dialog .dialog-close").click()
    me.finish(game, GOALS.get(game))
    me.page.locator(".finish .graph").first.wait_for()
    all_is_said_in(code, me)


SEND = """text => {
  const line = document.querySelector('.typed input');
  line.value = text;
  line.form.requestSubmit();
}"""


@pytest.mark.slow
@pytest.mark.parametrize("code", CODES)
def test_every_screen_speaks_the_language(visit: Callable[..., Visitor], code: str) -> None:
    me = visit(locale=LOCALES[code], viewport=PHONE)
    for path in SCREENS:
        me.go(path)
        me.page.wait_for_selector("h1")
        me.page.wait_for_load_state("networkidle")
        all_is_said_in(code, me)
        expect(me.page.locator("html")).to_have_attribute("lang", code)
    me.go("/")
    for way in (0, 2):
        me.page.locator(".card-ways button").nth(way).click()
        me.page.locator("dialog summary").click()
        all_is_said_in(code, me)
        me.page.locator("dialog .dialog-close").click()


def test_the_language_is_chosen_and_kept(visit: Callable[..., Visitor]) -> None:
    """By a link, by hand, or by the browser; where none of ours is wanted, English."""
    me = visit(locale="sv-SE")
    asked: list[str] = []
    me.page.on("request", lambda request: asked.append(request.url))
    me.go("/")
    me.page.wait_for_selector("text=Mind where you step.")
    assert not [url for url in asked if "/lang/" in url or "translation" in url]
    me.go("/?lang=fr")
    me.page.wait_for_selector("text=Regarde où tu marches.")
    me.go("/")
    me.page.wait_for_selector("text=Regarde où tu marches.")
    me.page.get_by_label("Langue").select_option("Deutsch")
    me.page.wait_for_selector("text=Pass auf, wohin du trittst.")
    expect(me.page.get_by_label("Sprache")).to_have_value("de")
    me.page.get_by_label("Sprache").select_option("English")
    me.page.wait_for_selector("text=Mind where you step.")
    me.go("/?lang=xx")
    me.page.wait_for_selector("text=Mind where you step.")


def test_a_language_that_cannot_be_fetched_leaves_the_page_english(
    visit: Callable[..., Visitor],
) -> None:
    me = visit(locale="de-DE")
    me.page.route("**/lang/*.json", lambda route: route.abort())
    me.go("/")
    me.page.wait_for_selector("text=Mind where you step.")
    me.page.wait_for_function("() => document.documentElement.lang === 'en'")


def test_names_are_not_translated(visit: Callable[..., Visitor]) -> None:
    me = visit(locale="de-DE")
    me.go("/")
    me.page.evaluate("() => localStorage.setItem('trapline.name', JSON.stringify('Resign'))")
    start(me, "numeric-maze")
    expect(me.page.locator(".plate b").get_by_text("Resign", exact=True)).to_have_count(1)
    me.page.wait_for_selector("text=Resign und Computer stehen beide auf Position 0.")


def test_the_server_is_told_nothing_of_the_language(visit: Callable[..., Visitor]) -> None:
    """The same match in English and in German sends the same, but for what names the match."""
    english, german = (_sent(visit(), code) for code in ("en", "de"))
    assert [one for one in english if one not in german] == []
    more = [one for one in german if one not in english]
    words = {"/static/lang/de.page.json", "/static/lang/de.json"}
    assert {path for _, path, _ in more} == {"/static/js/translation.js", *words}


def _sent(me: Visitor, code: str) -> list[tuple[str, str, Any]]:
    sent: list[tuple[str, str, Any]] = []

    def note(request: Request) -> None:
        path = re.sub(r"/m(atches)?/[\w-]+", "/m/ID", request.url.removeprefix(me.address))
        body = request.post_data_json if request.post_data else None
        sent.append((request.method, path, body))

    def note_frame(frame: str | bytes) -> None:
        sent.append(("frame", "", {**json.loads(frame), "key": ""}))

    me.go("/matches")
    me.page.wait_for_load_state("networkidle")
    me.page.evaluate("c => localStorage.setItem('trapline.language', JSON.stringify(c))", code)
    me.page.on("request", note)
    me.page.on("websocket", lambda socket: socket.on("framesent", note_frame))
    start(me, "numeric-maze", "perfect")
    me.page.locator(".ask .answer").first.click()
    me.page.wait_for_function("() => document.querySelectorAll('.log-lines .by-2').length")
    me.wait()
    assert len([one for one in sent if one[0] == "frame"]) >= 1
    return sent


def test_axe_finds_nothing_in_german(visit: Callable[..., Visitor], pictures: Path) -> None:
    me = visit(locale="de-DE", viewport=PHONE)
    inspect = Inspection(me, pictures)
    me.go("/")
    me.page.wait_for_selector(".card")
    inspect("home-de")
    start(me, "trap-runner")
    me.wait()
    inspect("match-de")
    assert not inspect.faults
