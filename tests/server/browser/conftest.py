"""A real server on a free port, and one real browser for all tests."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import sync_playwright

from tests.server.browser.driver import Visitor
from tests.server.browser.hands import pointer
from tests.server.running import Server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser

    from tests.server.browser.hands import Hand

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

# Chromium loads two pages of its own into every new window, which cost about as much as ours. The
# other names are Playwright's, as far as they matter here: this list takes the place of its list.
TURNED_OFF = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "AimEnabled",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
ARGUMENTS = ["--no-sandbox", "--disable-features=" + ",".join(TURNED_OFF)]


# Both end with this package's tests: while Playwright runs, no other test of the same process
# could have an event loop of its own.


@pytest.fixture(scope="package")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the server is. The computer answers at once, so that tests need not wait."""
    with Server(tmp_path_factory.mktemp("server"), opens_per_minute="1000") as server:
        yield server.address


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    assert CHROMIUM, "Chromium is not installed (on Debian: apt install chromium)."
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Callable[..., Visitor]]:
    """Opens browsers that share nothing: each call is another person. Faults of the page fail."""
    visitors: list[Visitor] = []

    def come(hand: Hand = pointer, **settings: object) -> Visitor:
        visitor = Visitor(browser, address, settings, hand)
        visitors.append(visitor)
        return visitor

    yield come
    faults = [fault for visitor in visitors for fault in visitor.faults]
    for visitor in visitors:
        visitor.leave()
    assert not faults
