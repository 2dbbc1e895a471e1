"""How much a first visit costs, that nothing secret is compressed, and what works offline."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.server.running import Game
from trapline.games import GAMES
from trapline.server import packs
from trapline.server.languages import CODES, messages

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Route

    from tests.server.browser.driver import Visitor

MOST_REQUESTS = 15
MOST_BYTES = 60_000
PAGES = (
    "/", "/matches", "/lobby", "/proof", "/puzzle", "/rules/trap-runner", "/learn/trap-builder",
    "/join/MATCH", "/m/MATCH", "/table/MATCH",
)  # fmt: skip


FOREIGN = ("/", "/m/MATCH", "/lobby", "/matches", "/proof")
"""What is as light in every language; elsewhere all that a language knows comes with it."""


@pytest.mark.parametrize(("locale", "pages"), [("en", PAGES), *((code, FOREIGN) for code in CODES)])
def test_a_first_visit_is_light_wherever_it_leads(
    visit: Callable[..., Visitor], locale: str, pages: tuple[str, ...]
) -> None:
    """Everything that is fetched until the screen is there and the network is quiet."""
    me = visit(locale=locale)
    match = Game(me.address, "hidden-path")
    match.close()
    fetched: dict[str, float] = {}
    watch = me.context.new_cdp_session(me.page)
    watch.send("Network.enable")
    watch.send("Network.setCacheDisabled", {"cacheDisabled": True})
    # What is written into a page, such as a background, is loaded too, and nothing is sent for it.
    watch.on(
        "Network.loadingFinished",
        lambda e: fetched.update({e["requestId"]: _size(e)} if _size(e) else {}),
    )
    for page in pages:
        fetched.clear()
        me.go(page.replace("MATCH", match.match))
        me.page.wait_for_selector("h1")
        me.page.wait_for_load_state("networkidle")
        assert 5 < len(fetched) <= MOST_REQUESTS, page
        assert 10_000 < sum(fetched.values()) <= MOST_BYTES, page


def test_the_games_are_there_before_any_script_is(visit: Callable[..., Visitor]) -> None:
    """What is pressed meanwhile is not lost: it is done when the scripts have come."""
    me = visit()
    held: list[Route] = []
    me.page.route("**/*.js", lambda route: held.append(route))
    me.page.goto(me.address, wait_until="commit")
    me.page.locator(".card .scenery").nth(len(GAMES) - 1).wait_for()
    me.page.get_by_role("link", name="Learn Hidden Path in two minutes").wait_for()
    me.press("Trap Runner: play the computer")
    me.page.unroute("**/*.js")
    for script in held:
        script.continue_()
    me.page.get_by_role("dialog", name="Trap Runner").wait_for()


@pytest.mark.parametrize("code", CODES)
def test_nobody_sees_a_language_that_they_did_not_choose(
    visit: Callable[..., Visitor], code: str
) -> None:
    """What stands on the first screen comes in every language; elsewhere one waits for it."""
    words = messages(code)
    me = visit(locale=code)
    held: list[Route] = []
    me.page.route("**/lang/*.json", lambda route: held.append(route))
    with me.page.expect_request("**/lang/*.page.json"):
        me.page.goto(me.address, wait_until="commit")
    me.page.locator(".card").first.wait_for()
    expect(me.page.locator("h1")).to_have_text(words["Mind where you step."], use_inner_text=True)
    expect(me.page.locator(".card").first).to_contain_text(
        words["Play the computer"], use_inner_text=True
    )
    with me.page.expect_request("**/lang/*.json"):
        me.page.goto(f"{me.address}/puzzle", wait_until="commit")
    me.page.locator("footer").wait_for(state="attached")
    expect(me.page.locator("body")).not_to_be_visible()
    me.page.unroute("**/lang/*.json")
    held[-1].continue_()
    me.page.locator("h1").wait_for()
    expect(me.page.locator("body")).to_contain_text(words["Puzzle of the day"], use_inner_text=True)


def test_nothing_is_fetched_before_the_first_paint(visit: Callable[..., Visitor]) -> None:
    """What a page needs to be painted is in it, and the policy allows that and nothing else."""
    me = visit()
    me.go("/")
    me.page.wait_for_selector(".card")
    blocking = me.page.evaluate(
        "() => performance.getEntriesByType('resource')"
        ".filter((one) => one.renderBlockingStatus === 'blocking').map((one) => one.name)"
    )
    assert blocking == []
    assert me.page.evaluate("() => getComputedStyle(document.body).margin") == "0px"
    refused = "() => { document.head.append(Object.assign(document.createElement('style'),"
    refused += (
        " {textContent: 'body { margin: 7px }'})); return getComputedStyle(document.body).margin; }"
    )
    assert me.page.evaluate(refused) == "0px"
    assert any("Content Security Policy" in fault for fault in me.faults)
    me.faults.clear()  # it was refused, as it should be


def _size(event: dict[str, Any]) -> float:
    return float(event["encodedDataLength"])


@pytest.mark.parametrize("path", ["/", "/m/0", "/rules/x"])
def test_scripts_are_named_in_the_page_that_needs_them(
    visit: Callable[..., Visitor], path: str
) -> None:
    """Nothing is found out late: each script that runs stands in the page as it was sent."""
    me = visit()
    named = httpx.get(me.address + path).text
    scripts: list[str] = []
    me.page.on("request", lambda r: scripts.append(r.url) if r.url.endswith(".js") else None)
    me.go(path)
    me.page.wait_for_selector("h1")
    me.page.wait_for_load_state("networkidle")
    assert len(scripts) >= 3
    assert not [url for url in scripts if url.removeprefix(me.address) not in named]


def test_modules_of_a_pack_cannot_mean_each_other_s_names() -> None:
    names = [name for module in packs.PACK_OF for name in packs.exported(module)]
    assert len(names) > 100
    assert sorted(names) == sorted(set(names))
    for name, modules in packs.PACKS.items():
        for module in modules:
            source = packs.source(f"{module}.js")
            assert source.count("\nexport ") == len(packs.exported(f"{module}.js"))
            assert source.count("\nimport {") == len(packs.imported(f"{module}.js"))
            assert all(one in packs.pack(name) for one in packs.exported(f"{module}.js"))


def test_only_what_is_the_same_for_everybody_is_compressed(address: str) -> None:
    match = Game(address, "hidden-path")
    match.close()
    cookie = {"cookie": f"trapline={match.keys[0]}"}
    with httpx.Client(base_url=address, headers={"accept-encoding": "gzip"}) as client:
        packed = ["/", "/api/games", "/api/games/hidden-path/rules", "/static/js/main.js", "/sw.js"]
        for path in packed:
            answer = client.get(path)
            assert answer.headers["content-encoding"] == "gzip", path
            again = client.get(path, headers={"if-none-match": answer.headers["etag"]})
            assert (again.status_code, again.content) == (304, b"")
        private = f"/api/matches/{match.match}"
        command = {"key": "k", "version": 1, "command": {"do": "play", "turn": "1 2 3"}}
        answers = [
            client.get(private, headers=cookie),
            client.get(f"{private}/qr", headers=cookie),
            client.post(f"{private}/commands?seat=1", headers=cookie, json=command),
            client.get(f"{private}/record"),
        ]
    assert [answer.status_code for answer in answers] == [200, 409, 200, 409]
    assert not [answer for answer in answers if "content-encoding" in answer.headers]


@pytest.mark.parametrize(
    "path", ["../app.py", "%2e%2e/app.py", "js/../../app.py", "/etc/passwd", "js", "", "js/"]
)
def test_nothing_but_the_page_lies_below_static(address: str, path: str) -> None:
    answer = httpx.get(f"{address}/static/{path}", follow_redirects=False)
    assert answer.status_code == 404
    assert b"import" not in answer.content


def test_icons_are_pictures_of_their_size(address: str) -> None:
    manifest = httpx.get(f"{address}/static/manifest.webmanifest").json()
    pngs = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]
    assert {icon["sizes"] for icon in pngs} == {"192x192", "512x512"}
    assert any(icon.get("purpose") == "maskable" for icon in pngs)
    for icon in pngs:
        body = httpx.get(address + icon["src"]).content
        assert body.startswith(b"\x89PNG\r\n\x1a\n")
        assert "{}x{}".format(*struct.unpack(">II", body[16:24])) == icon["sizes"]


def test_without_a_server_the_rules_can_be_read(visit: Callable[..., Visitor]) -> None:
    me = visit(service_workers="allow")
    me.open("numeric-maze", "here")
    me.page.reload()
    me.page.evaluate("() => navigator.serviceWorker.ready")
    me.context.set_offline(True)
    me.go("/")
    me.page.locator(".away", has_text="No server can be reached").wait_for()
    expect(me.page.locator(".card")).to_have_count(len(GAMES))
    expect(me.page.get_by_role("button", name="play the computer")).to_have_count(0)
    me.page.get_by_role("link", name="Numeric Maze: how to play").click()
    me.page.locator(".prose h1", has_text="Numeric Maze").wait_for()
    kept = me.page.evaluate(KEPT)
    assert not [path for path in kept if path.startswith(("/api/matches", "/m/", "/join/"))]
    assert "/api/games" in kept


KEPT = """async () => {
  const store = await caches.open('trapline');
  return (await store.keys()).map((request) => new URL(request.url).pathname);
}"""
