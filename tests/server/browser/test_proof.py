"""The page where a visitor checks the proofs in their own browser."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.proofs.checkers import PROOFS, SHIPPED, checker
from tests.proofs.exploits import FAULTS
from tests.server.browser.test_page import Inspection
from trapline.server.guard import HEADERS
from trapline.server.packs import import_map
from trapline.server.page import INLINE, script, source_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.server.browser.driver import Visitor

PROVEN = re.compile(r"Proven: value (?:between (\S+) and|exactly) (\S+)\.")


@pytest.fixture
def page(visit: Callable[..., Visitor]) -> Page:
    me = visit(viewport={"width": 360, "height": 740})
    me.go("/")
    me.page.get_by_role("link", name="your browser can check it").click()
    me.page.get_by_role("heading", name="Check the proofs").wait_for()
    return me.page


def test_every_shipped_certificate_is_proven_in_the_browser(page: Page) -> None:
    """And the page stays awake meanwhile: it is done beside it."""
    rows = page.locator(".claims li")
    expect(rows).to_have_count(len(SHIPPED))
    page.evaluate("() => { window.ticks = 0; setInterval(() => { window.ticks += 1; }, 20); }")
    for number, path in enumerate(sorted(SHIPPED, key=lambda path: path.stem.split("."))):
        rows.nth(number).get_by_role("button").click()
        verdict = rows.nth(number).locator(".verdict-line.ok")
        verdict.wait_for()
        said = PROVEN.search(verdict.inner_text())
        assert said is not None
        claimed = json.loads(path.read_text("utf-8"))["bounds"]
        low, high = said.groups()
        assert [low or high, high] == claimed
        assert low != high
    assert page.evaluate("ticks") > len(SHIPPED)


def test_a_file_of_ones_own_is_checked_and_sent_nowhere(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "mine.cert"
    verdict = page.locator(".own .verdict-line")
    page.locator(".claims li").first.get_by_role("button").click()  # the checker is loaded now
    page.locator(".claims .verdict-line.ok").first.wait_for()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    for fault in FAULTS:
        file.write_text(json.dumps(fault.exploit), "utf-8")
        page.locator("#own-proof").set_input_files(file)
        page.locator(".own .verdict-line.bad", has_text="Not proven: ").wait_for()
        page.locator("#own-proof").set_input_files([])
    file.write_bytes((PROOFS / "numeric-maze.cert").read_bytes())
    page.locator("#own-proof").set_input_files(file)
    page.locator(".own .verdict-line.ok").wait_for()
    expect(verdict).to_contain_text("Proven: value exactly 1.", use_inner_text=True)
    assert sent == []


DROP = """text => {
  const data = new DataTransfer();
  data.items.add(new File([text], "dropped.cert"));
  const drop = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
  document.querySelector(".own").dispatchEvent(drop);
}"""


def test_a_file_can_be_dropped(page: Page) -> None:
    page.evaluate(DROP, (PROOFS / "trap-builder.cert").read_text("utf-8"))
    page.locator(".own .verdict-line.ok", has_text="Proven: value exactly -1.").wait_for()
    page.evaluate(DROP, "what is this?")
    page.locator(".own .verdict-line.bad", has_text="Not proven: ").wait_for()


def test_the_checker_can_be_taken_home(page: Page) -> None:
    with page.expect_download() as download:
        page.get_by_role("link", name="check.py").click()
    taken = download.value.path().read_bytes()
    assert taken == (PROOFS / "check.py").read_bytes()
    assert checker().check((PROOFS / "trap-runner.cert").read_text("utf-8")) == (1, 1)


def test_it_needs_no_more_rights_than_the_rest_of_the_page() -> None:
    policy = HEADERS["content-security-policy"]
    texts = [*map(script, INLINE), import_map()]
    ours = " ".join(map(source_of, texts))
    assert f"script-src 'self' {ours};" in policy
    assert "worker-src" not in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("width", [360, 1280])
def test_it_can_be_read_by_everybody(
    visit: Callable[..., Visitor], pictures: Path, width: int
) -> None:
    me = visit(viewport={"width": width, "height": 900})
    me.go("/proof")
    me.page.locator(".claims li").nth(1).get_by_role("button").click()
    me.page.locator(".verdict-line.ok").wait_for()
    me.page.evaluate(DROP, "{}")
    me.page.locator(".own .verdict-line.bad").wait_for()
    inspect = Inspection(me, pictures)
    inspect(f"proof-{width}")
    assert not inspect.faults
