"""Numbers for an operator's graphs, in the text format that Prometheus reads."""

from __future__ import annotations

import ipaddress
import time
from bisect import bisect_left
from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING

from trapline import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from starlette.requests import Request

    from trapline.server.hub import Hub
    from trapline.server.settings import Settings
    from trapline.server.wire import Door

BOUNDS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
"""Seconds that requests are sorted by."""
MEDIA_TYPE = "text/plain; version=0.0.4"


class Metrics:
    def __init__(self) -> None:
        self._begun = time.time()
        self._requests: Counter[tuple[str, int]] = Counter()
        self._by_time = [0] * (len(BOUNDS) + 1)
        """Requests up to each bound and above the one before; and those above all."""
        self._seconds = 0.0

    def count(self, route: str, status: int, seconds: float) -> None:
        """A request has been answered."""
        self._requests[route, status] += 1
        self._seconds += seconds
        self._by_time[bisect_left(BOUNDS, seconds)] += 1

    def text(self, hub: Hub, door: Door | None) -> str:
        return "\n".join(self._lines(hub, door)) + "\n"

    def _lines(self, hub: Hub, door: Door | None) -> Iterator[str]:
        yield from _lines(
            "info", "gauge", "Which program this is.", {f'version="{__version__}"': 1}
        )
        yield from _lines("start_time_seconds", "gauge", "When it began.", {"": self._begun})
        answered = {
            f'route="{route}",status="{status}"': number
            for (route, status), number in self._requests.items()
        }
        yield from _lines("requests_total", "counter", "Requests that were answered.", answered)
        yield from self._histogram()
        places = {'kind="player"': hub.places.players, 'kind="watcher"': hub.places.watchers}
        yield from _lines("connections", "gauge", "Open connections to matches.", places)
        yield from _lines("matches", "gauge", "Matches in memory.", {"": len(hub.matches())})
        thinking = sum(live.thinking for live in hub.matches())
        yield from _lines(
            "thinking", "gauge", "Matches in which the computer thinks.", {"": thinking}
        )
        failures = {
            'of="store"': hub.trouble.failures,
            'of="computer"': hub.bots.failures,
            'of="request"': door.given_up if door else 0,
            'of="socket"': door.cut if door else 0,
        }
        yield from _lines("failures_total", "counter", "What went wrong, or too far.", failures)

    def _histogram(self) -> Iterator[str]:
        total = sum(self._requests.values())
        quicker = zip(BOUNDS, accumulate(self._by_time), strict=False)
        buckets: dict[str, float] = {f'le="{bound}"': number for bound, number in quicker}
        name = "request_seconds"
        yield from _lines(
            f"{name}_bucket",
            "",
            "",
            {**buckets, 'le="+Inf"': total},
            header=(name, "histogram", "How long requests took."),
        )
        yield f"trapline_{name}_sum {self._seconds:.6f}"
        yield f"trapline_{name}_count {total}"


def _lines(
    name: str,
    kind: str,
    says: str,
    values: Mapping[str, float],
    header: tuple[str, str, str] | None = None,
) -> Iterator[str]:
    family, kind, says = header or (name, kind, says)
    yield f"# HELP trapline_{family} {says}"
    yield f"# TYPE trapline_{family} {kind}"
    for labels, value in values.items():
        yield f"trapline_{name}{f'{{{labels}}}' if labels else ''} {value:g}"


def may_read(request: Request, settings: Settings) -> bool:
    """Whether whoever asks is somebody for whom the operator has opened the numbers."""
    if settings.metrics != "local":
        return settings.metrics == "all"
    if "x-forwarded-for" in request.headers:
        return False  # a proxy asks for somebody else, who may be anywhere
    try:
        return ipaddress.ip_address(request.client.host if request.client else "").is_loopback
    except ValueError:
        return False
