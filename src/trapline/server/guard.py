"""Who may come in, how fast, and what every answer carries to keep browsers safe."""

from __future__ import annotations

import re
import secrets
import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from trapline.server.refusals import Refusal

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection, Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "trapline"
COOKIE_DAYS = 365
LARGEST_BODY = 16 * 1024
_KEY = re.compile(r"[A-Za-z0-9_-]{43}")

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


def new_key() -> str:
    return secrets.token_urlsafe(32)


def key_of(connection: HTTPConnection) -> str | None:
    """The player's key, from where a bot or a browser puts it; never from the address."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    key = token.strip() if scheme.lower() == "bearer" else connection.cookies.get(COOKIE, "")
    return key if _KEY.fullmatch(key) else None


def cookie(request: Request, key: str) -> str:
    secure = "; Secure" if request.url.scheme == "https" else ""
    age = COOKIE_DAYS * 24 * 3600
    return f"{COOKIE}={key}; HttpOnly; SameSite=Strict; Path=/; Max-Age={age}{secure}"


def check_origin(connection: HTTPConnection, public_url: str) -> None:
    """A page from elsewhere must not use the cookies of a browser that also plays here."""
    origin = connection.headers.get("origin")
    if origin is None:
        return  # no browser; it has no cookie that it was not given
    own = {connection.headers.get("host", ""), urlsplit(public_url).netloc}
    if origin.partition("://")[2] not in own - {""}:
        raise Refusal("not yours", "This page is not from here, so it cannot act here.")


async def read_body(request: Request) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            raise Refusal("too large", f"A request is at most {LARGEST_BODY} bytes.")
    return body


class Bucket:
    """How much somebody may still do now: it fills up with time, and each act takes one."""

    __slots__ = ("_burst", "_level", "_rate", "_seen")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._level, self._seen = burst, time.monotonic()

    def take(self) -> bool:
        now = time.monotonic()
        self._level = min(self._burst, self._level + (now - self._seen) * self._rate)
        self._seen = now
        if self._level < 1:
            return False
        self._level -= 1
        return True

    @property
    def full(self) -> bool:
        return self._level + (time.monotonic() - self._seen) * self._rate >= self._burst


class Openings:
    """How many matches and keys each address may still ask for."""

    def __init__(self, per_minute: float) -> None:
        self._per_minute = per_minute
        self._buckets: dict[str, Bucket] = {}

    def check(self, request: Request) -> None:
        address = request.client.host if request.client else ""
        if len(self._buckets) > 10_000:
            self._buckets = {k: b for k, b in self._buckets.items() if not b.full}
        fresh = Bucket(self._per_minute / 60, self._per_minute)
        if not self._buckets.setdefault(address, fresh).take():
            raise Refusal("too fast", "That were too many new matches at once: wait a minute.")


class SafeHeaders:
    """Adds the security headers to every answer, whoever gives it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._headers = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self._headers]
            await send(message)

        await self._app(scope, receive, send_safely)
