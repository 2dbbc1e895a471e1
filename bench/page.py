"""What a visit to the page costs: requests, bytes, and time over a slow network.

`python -m bench.page` starts a server and a real browser; `--write` puts what it finds into docs.
The network is slowed down by the browser itself, to 400 kbit/s and 400 ms there and back, which is
called slow 3G.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.server.running import Game, Server

from bench.pages import write_part

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SLOW = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
PAINTED = """() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"""
NOW = "() => performance.now()"
TIMES = 5
PAGES = (
    ("home", "/", ".card", "en"),
    ("home, in German", "/", ".card", "de"),
    ("rules", "/rules/hidden-path", "h1", "en"),
    ("puzzle", "/puzzle", "h1", "en"),
    ("lesson", "/learn/trap-builder", ".board", "en"),
    ("a match", "/m/MATCH", ".board", "en"),
    ("a match, in German", "/m/MATCH", ".board", "de"),
)
"""What is looked at, what shows that its content is there, and the language of the browser."""


def main() -> None:
    browser_path = shutil.which("chromium") or shutil.which("chromium-browser")
    with (
        Server(Path(tempfile.mkdtemp()), opens_per_minute="1000") as server,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        match = Game(server.address, "hidden-path")
        lines = [
            "| page | requests | compressed | first paint | content |",
            "| --- | --- | --- | --- | --- |",
        ]
        for name, path, sign, language in PAGES:
            address = server.address + path.replace("MATCH", match.match)
            quick = visit(browser, address, sign, language, slow=False)
            runs = [visit(browser, address, sign, language, slow=True) for _ in range(TIMES)]
            paint, there = (
                sorted(run[key] for run in runs)[TIMES // 2] for key in ("paint", "there")
            )
            weight = f"{quick['requests']} | {quick['bytes'] / 1000:.1f} kB"
            lines.append(f"| {name} | {weight} | {paint:.2f} s | {there:.2f} s |")
            print(lines[-1])
        match.close()
        browser.close()
    if "--write" in sys.argv:
        write_part("running.md", "page", ["", *lines, ""])


def visit(
    browser: Browser, address: str, sign: str, language: str, *, slow: bool
) -> dict[str, float]:
    """One visit by somebody who has never been there."""
    context = browser.new_context(service_workers="block", locale=language)
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    if slow:
        network.send("Network.emulateNetworkConditions", SLOW)
    sizes: list[float] = []
    # What is written into a page, such as a background, is loaded too, and nothing is sent for it.
    network.on("Network.loadingFinished", lambda event: sizes.extend(filter(None, [_size(event)])))
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
