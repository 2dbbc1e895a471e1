"""The numbers for an operator's graphs, each of what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client.parser import text_string_to_metric_families

from tests.server.stores import in_loop
from tests.server.tables import table
from trapline.server.metrics import Metrics
from trapline.server.settings import Settings
from trapline.server.wire import Door

if TYPE_CHECKING:
    from pathlib import Path


@in_loop
async def test_numbers_say_how_long_requests_took_and_what_goes_wrong(tmp_path: Path) -> None:
    metrics, door = Metrics(), Door(Settings(), 1000, lambda: False)
    for seconds in (0.001, 0.002, 0.5, 5.0):
        metrics.count("/api/games", 200, seconds)
    door.given_up, door.cut = 2, 3
    async with table(tmp_path) as at:
        live, _ = await at.open(), await at.open()
        at.hub.places.connect(live, None, 0)
        live.thinking = True
        at.hub.trouble.failures, at.hub.bots.failures = 4, 5
        text = metrics.text(at.hub, door)
    values = {
        (sample.name.removeprefix("trapline_"), *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    took = [value for (name, *_), value in values.items() if name == "request_seconds_bucket"]
    assert took == [1, 2, 2, 2, 2, 2, 3, 3, 4], "each up to a bound, and all that are quicker"
    assert values["request_seconds_sum",] == 5.503
    assert values["request_seconds_count",] == 4
    assert [values["connections", kind] for kind in ("player", "watcher")] == [0, 1]
    assert [values[name,] for name in ("matches", "thinking")] == [2, 1]
    failures = [values["failures_total", of] for of in ("store", "computer", "request", "socket")]
    assert failures == [4, 5, 2, 3]
