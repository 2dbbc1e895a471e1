"""Who may come in, by which name, and what every answer carries to keep browsers safe."""

from __future__ import annotations

import base64
import hashlib
import hmac
import ipaddress
import re
import secrets
import socket
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from trapline.server.messages import Refused
from trapline.server.packs import import_map
from trapline.server.page import INLINE, script, source_of, style_sheet
from trapline.server.refusals import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.requests import HTTPConnection, Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from trapline.core import Seat
    from trapline.server.seating import Seating
    from trapline.server.settings import Settings

COOKIE = "trapline"
SAFE_COOKIE = "__Host-trapline"
"""The same behind TLS: browsers take it from this very host alone, never from a neighbour."""
FORMER_COOKIE = "trapline-former"
"""A key that we did not make keeps the seats it has, beside the one that takes new ones."""
COOKIE_DAYS = 365
LARGEST_BODY = 16 * 1024
MOST_HOSTS = 256
"""Names by which we were called of which is remembered whether they are ours."""
RANDOM_BYTES = 20
_KEY = re.compile(r"[A-Za-z0-9_-]{43}")
_HOST = re.compile(r"(\[[^\[\]]*\]|[^\[\]:@/]*)(?::[0-9]*)?")
"""A name or an address, and perhaps a port."""

HEADERS = {
    "content-security-policy": (
        f"default-src 'none'; script-src 'self' "
        f"{' '.join(map(source_of, [*map(script, INLINE), import_map()]))}; "
        f"style-src 'self' {source_of(style_sheet())}; img-src 'self' data:; "
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
"""What every page carries."""
BESIDE_PAGES = {
    **{
        name: HEADERS[name]
        for name in (
            "x-content-type-options", "x-frame-options", "referrer-policy",
            "cross-origin-resource-policy",
        )
    },
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'"
    ),
}  # fmt: skip
"""What everything else carries: no more than a worker needs, and half a kilobyte less."""


# --- keys -------------------------------------------------------------------------------


class Keys:
    """Makes players' keys, and knows its own: nobody takes a seat with one that they chose.

    A key is 160 random bits and 96 that only who knows the server's secret can add to them.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def new(self) -> str:
        random = secrets.token_bytes(RANDOM_BYTES)
        return base64.urlsafe_b64encode(random + self._seal(random)).decode().rstrip("=")

    def is_ours(self, key: str) -> bool:
        if not looks_like_key(key):
            return False
        raw = base64.urlsafe_b64decode(key + "=")
        return hmac.compare_digest(raw[RANDOM_BYTES:], self._seal(raw[:RANDOM_BYTES]))

    def _seal(self, random: bytes) -> bytes:
        return hmac.digest(self._secret, random, hashlib.sha256)[: 32 - RANDOM_BYTES]


def looks_like_key(text: str) -> bool:
    """Whether it may be one; those that players once chose themselves look the same."""
    return _KEY.fullmatch(text) is not None


def keys_of(connection: HTTPConnection) -> tuple[str, ...]:
    """The player's keys, from where a bot or a browser puts them; never from the address."""
    if "authorization" in connection.headers:
        scheme, _, token = connection.headers["authorization"].partition(" ")
        found = [token.strip() if scheme.lower() == "bearer" else ""]
    else:
        cookies = connection.cookies
        found = [cookies.get(name, "") for name in (SAFE_COOKIE, COOKIE, FORMER_COOKIE)]
    return tuple(filter(looks_like_key, found))


def seats_of(connection: HTTPConnection, seating: Seating) -> tuple[Seat, ...]:
    """The seats of a match that belong to whoever asks."""
    return tuple(sorted({seat for key in keys_of(connection) for seat in seating.seats_of(key)}))


def key_for_new_seats(request: Request, keys: Keys) -> str | None:
    """The key under which somebody may take a seat; None for a browser that needs a new one."""
    if "authorization" in request.headers:
        if not any(map(keys.is_ours, keys_of(request))):
            raise Refusal("not yours", "This key was not made here: ask for one at /api/keys.")
        return keys_of(request)[0]
    name = SAFE_COOKIE if _is_safe(request) else COOKIE
    key: str = request.cookies.get(name, "")
    return key if keys.is_ours(key) else None


def cookies(request: Request, key: str) -> list[str]:
    """What a browser is told to keep: the new key, and the one it had if that was not ours."""
    if _is_safe(request):
        return [_cookie(SAFE_COOKIE, key, safe=True)]
    former = request.cookies.get(COOKIE, "")
    kept = [_cookie(FORMER_COOKIE, former, safe=False)] if looks_like_key(former) else []
    return [_cookie(COOKIE, key, safe=False), *kept]


def _is_safe(request: Request) -> bool:
    return request.url.scheme == "https"


def _cookie(name: str, key: str, *, safe: bool) -> str:
    age = COOKIE_DAYS * 24 * 3600
    secure = "; Secure" if safe else ""
    return f"{name}={key}; HttpOnly; SameSite=Strict; Path=/; Max-Age={age}{secure}"


# --- requests ---------------------------------------------------------------------------


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


# --- around every request ---------------------------------------------------------------


class KnownNames:
    """Refuses requests that call the server by a name that is not its own.

    A page from outside can make its own name point to this machine; its browser would then take
    us for the page's own server. Addresses cannot be made to point anywhere.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        here = socket.gethostname().lower()
        public = urlsplit(settings.public_url).hostname or ""
        self._names = {"localhost", here, f"{here}.local", settings.host.lower(), public}
        self._names |= {name.lower() for name in settings.hosts}
        self.knows = lru_cache(MOST_HOSTS)(self._knows)

    def _knows(self, host: str) -> bool:
        called = _HOST.fullmatch(host.lower())
        name = called[1] if called else ""
        if name and (name in self._names or "*" in self._names):
            return True
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        return True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        called = [value for name, value in scope.get("headers", ()) if name == b"host"]
        if scope["type"] == "lifespan" or (
            len(called) == 1 and self.knows(called[0].decode("latin-1"))
        ):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close"})
        else:
            sentence = (
                "This server does not answer to that name. Whoever runs it can allow it: "
                "TRAPLINE_HOSTS, or TRAPLINE_PUBLIC_URL."
            )
            headers = [(b"content-type", b"application/json")]
            await send({"type": "http.response.start", "status": 421, "headers": headers})
            body = msgspec.json.encode(Refused("not yours", sentence))
            await send({"type": "http.response.body", "body": body})


class SafeHeaders:
    """Adds the security headers to every answer, whoever gives it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._page, self._beside = (
            [(name.encode(), value.encode()) for name, value in headers.items()]
            for headers in (HEADERS, BESIDE_PAGES)
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                told = message.get("headers", [])
                safe = self._page if _is_page(told) else self._beside
                message["headers"] = [*told, *safe]
            await send(message)

        await self._app(scope, receive, send_safely)


def _is_page(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether a browser may show it as a page: what does not say what it is counts as one."""
    kinds = [value for name, value in headers if name.lower() == b"content-type"]
    return not kinds or kinds[0].startswith(b"text/html")
