"""One request to a chat-completions endpoint, repeated until it works or it is hopeless.

The standard library's client is enough for one kind of request, so a plain install can ask.
"""

from __future__ import annotations

import http.client
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from random import SystemRandom
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

import msgspec

from trapline.core import Unavailable
from trapline.referee.record import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.players.llm.settings import Address, Settings

LONGEST_WAIT = 120.0
"""Seconds; an endpoint that asks for more patience counts as not there."""
LARGEST_REPLY = 8_000_000
MOST_TOKENS = 1_000_000_000
CHUNK = 65_536
REFUSES_US = (401, 403)
TRANSIENT = (408, 409, 425, 429)


class Reply(msgspec.Struct, frozen=True):
    text: str
    tokens_in: int
    tokens_out: int
    requests: int = 1
    """How often it had to be asked for."""


class _Failure(Exception):
    """A request that did not work; `again` says whether another one may, and how soon."""

    def __init__(self, sentence: str, *, again: bool, after: float | None = None) -> None:
        super().__init__(sentence)
        self.again = again
        self.after = after


class NoRedirects(HTTPRedirectHandler):
    """Following one would carry the key to an address that nobody has named."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Endpoint:
    def __init__(
        self, address: Address, settings: Settings, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.address = address
        self.settings = settings
        self._sleep = sleep
        self._opener = build_opener(NoRedirects)

    def ask(self, request: dict[str, Any]) -> Reply:
        """The reply to a request; Unavailable, with half a sentence, when there is none."""
        body = msgspec.json.encode(request)
        for count in range(self.settings.retries + 1):
            try:
                return _read_reply(self._send(body), count + 1)
            except _Failure as failure:
                wait = self._wait(count, failure.after)
                if not failure.again or count == self.settings.retries or wait > LONGEST_WAIT:
                    times = "once" if count == 0 else f"{count + 1} times"
                    raise Unavailable(f"its {failure} (asked {times}).") from None
            self._sleep(wait)
        raise AssertionError  # the last round has returned or raised

    def _wait(self, count: int, asked_for: float | None) -> float:
        """Twice as long each time, a little different for everybody, and never too soon."""
        wait = self.settings.backoff * 2.0**count * SystemRandom().uniform(0.5, 1.0)
        return max(min(wait, LONGEST_WAIT), asked_for or 0.0)

    def _send(self, body: bytes) -> bytes:
        headers = {"Content-Type": "application/json", "User-Agent": "trapline"}
        if self.address.key is not None:
            headers["Authorization"] = f"Bearer {self.address.key}"
        url = f"{self.address.url}/chat/completions"
        try:
            return self._receive(Request(url, body, headers))  # noqa: S310 (checked to be HTTP)
        except HTTPError as error:
            with error:
                raise self._refusal(error) from None
        except TimeoutError:
            seconds = f"{self.settings.timeout:g} s"
            raise _Failure(f"endpoint did not answer in {seconds}", again=True) from None
        except (OSError, http.client.HTTPException) as error:
            why = error.reason if isinstance(error, URLError) else error
            if isinstance(why, TimeoutError):
                why = "no connection in time"
            said = printable(str(why) or type(why).__name__)
            raise _Failure(f"endpoint cannot be reached: {said}", again=True) from None

    def _receive(self, request: Request) -> bytes:
        """A reply that trickles in for ever ends at the timeout as well."""
        deadline = time.monotonic() + self.settings.timeout
        parts, size = [], 0
        with self._opener.open(request, timeout=self.settings.timeout) as response:
            while chunk := response.read1(CHUNK):
                parts.append(chunk)
                size += len(chunk)
                if size > LARGEST_REPLY:
                    raise _Failure("endpoint sends a reply without end", again=False)
                if time.monotonic() > deadline:
                    raise TimeoutError
        return b"".join(parts)

    def _refusal(self, error: HTTPError) -> _Failure:
        status = error.code
        if status in REFUSES_US:
            sentence = f"endpoint does not accept the key that it was sent (status {status})"
            return _Failure(sentence, again=False)
        again = status in TRANSIENT or status >= 500
        said = self._said(error)
        after = _seconds(error.headers.get("Retry-After")) if again else None
        return _Failure(f"endpoint answered with status {status}{said}", again=again, after=after)

    def _said(self, error: HTTPError) -> str:
        """What the endpoint says is wrong, short and without the key."""
        try:
            message = msgspec.json.decode(error.read(CHUNK))["error"]["message"]
        except (OSError, http.client.HTTPException, msgspec.MsgspecError, LookupError, TypeError):
            return ""
        text = str(message)
        if self.address.key is not None:
            text = text.replace(self.address.key, "***")
        return f": {printable(text)}"


def _seconds(text: str | None) -> float | None:
    """A Retry-After header: seconds, or a date."""
    if text is None:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None


def _read_reply(data: bytes, requests: int) -> Reply:
    try:
        answer = msgspec.json.decode(data)
        text = _text(answer["choices"][0]["message"]["content"])
        usage = answer.get("usage") or {}
        counts = [_tokens(usage.get(name)) for name in ("prompt_tokens", "completion_tokens")]
    except (msgspec.MsgspecError, LookupError, TypeError, ValueError, AttributeError):
        raise _Failure("endpoint answered with what is no chat completion", again=True) from None
    return Reply(text, counts[0], counts[1], requests)


def _text(content: Any) -> str:
    """What a model wrote: a text, or parts of which some are text and others its thoughts."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if part["type"] == "text")
    return content if isinstance(content, str) else ""


def _tokens(count: Any) -> int:
    """How many an endpoint says that it counted; nothing that no model could read or write."""
    tokens = int(count or 0)
    return tokens if 0 <= tokens <= MOST_TOKENS else 0
