"""What a visit to the page costs: requests, bytes, and time over a slow network.

`python -m bench.page` starts a server and a real browser. The network is slowed down by the browser
itself, to 400 kbit/s and 400 ms there and back, which is called slow 3G.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.server.running import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SLOW = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
PAINTED = """() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"""
NOW = "() => performance.now()"
TIMES = 5


def main() -> None:
    browser_path = shutil.which("chromium") or shutil.which("chromium-browser")
    with (
        Server(Path(tempfile.mkdtemp()), opens_per_minute="1000") as server,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        for name, path, sign in (("home", "/", ".card"), ("rules", "/rules/hidden-path", "h1")):
            quick = visit(browser, server.address + path, sign, slow=False)
            print(f"{name}: {quick['requests']} requests, {quick['bytes'] / 1000:.1f} kB")
            runs = [visit(browser, server.address + path, sign, slow=True) for _ in range(TIMES)]
            paint, there = (
                sorted(run[key] for run in runs)[TIMES // 2] for key in ("paint", "there")
            )
            print(f"  slow 3G, median of {TIMES}: first paint {paint:.2f} s, content {there:.2f} s")
        browser.close()


def visit(browser: Browser, address: str, sign: str, *, slow: bool) -> dict[str, float]:
    """One visit by somebody who has never been there."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    if slow:
        network.send("Network.emulateNetworkConditions", SLOW)
    sizes: list[float] = []
    network.on("Network.loadingFinished", lambda event: sizes.append(_size(event)))
    page.goto(address, wait_until="commit")
    page.wait_for_selector(sign)
    there = float(page.evaluate(NOW))
    page.wait_for_load_state("networkidle")
    paint = float(page.evaluate(PAINTED))
    context.close()
    return {
        "requests": len(sizes), "bytes": sum(sizes), "paint": paint / 1000, "there": there / 1000
    }  # fmt: skip


def _size(event: dict[str, Any]) -> float:
    return float(event["encodedDataLength"])


if __name__ == "__main__":
    main()
