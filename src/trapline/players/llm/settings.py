"""How language models are asked: the settings, and the endpoint that the environment names.

The address and the key come from the environment alone. A file of settings that somebody
else wrote can so never send a key anywhere, and a key is never part of what is stored.
"""

from __future__ import annotations

import os
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from trapline.core import TraplineError, brief

PREFIX = "TRAPLINE_LLM_"
Positive = Annotated[float, Meta(gt=0)]
Price = Annotated[float, Meta(ge=0)]


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    temperature: Annotated[float, Meta(ge=0, le=2)] | None = 1.0
    """None leaves it out of the request, for models that refuse it."""
    max_tokens: Annotated[int, Meta(ge=1)] | None = None
    """The longest reply, in tokens; None leaves it to the endpoint."""
    timeout: Positive = 60.0
    """Seconds for one reply."""
    retries: Annotated[int, Meta(ge=0, le=20)] = 5
    """How often a request that failed is sent again."""
    backoff: Positive = 1.0
    """Seconds before the first of these; each wait is about twice as long as the last."""
    corrections: Annotated[int, Meta(ge=0, le=20)] = 3
    """How often an answer that cannot be used is sent back with the reason."""
    theme: int | None = None
    """A number that draws other names and words for the game; None leaves the rulebook's."""
    prices: dict[str, tuple[Price, Price]] = {}
    """By model: what a million tokens cost, of the prompt and of the reply."""


class Address(NamedTuple):
    url: str
    key: str | None

    def __repr__(self) -> str:
        """Without the key, which must not reach a log by accident."""
        return f"Address({self.url!r})"


def find_address(endpoint: str | None = None) -> Address:
    """The usual endpoint, or the one of this name, and its key. A key is only ever sent where it
    was meant to go: each endpoint has its own, and that of OPENAI_API_KEY goes with
    OPENAI_BASE_URL, and not to another address."""
    after = f"_{endpoint.upper()}" if endpoint else ""
    url = os.environ.get(f"{PREFIX}URL{after}")
    key = os.environ.get(f"{PREFIX}KEY{after}") or None
    if not url and not endpoint and (url := os.environ.get("OPENAI_BASE_URL")):
        key = key or os.environ.get("OPENAI_API_KEY") or None
    if not url:
        named = f" called {endpoint}" if endpoint else ""
        raise TraplineError(
            f"A language model needs an endpoint{named}: set {PREFIX}URL{after} to the base "
            "address of a chat-completions API, such as http://127.0.0.1:8080/v1."
        )
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
        raise TraplineError(
            f"{PREFIX}URL{after} must be an address that begins with http or https."
        )
    if key is not None and not (key.isascii() and key.isprintable()):
        raise TraplineError(f"The key in {PREFIX}KEY{after} holds characters that no key has.")
    return Address(url.rstrip("/"), key)


def settings_from_environment() -> Settings:
    """TRAPLINE_LLM_TIMEOUT and so on, one variable for each setting."""
    given: dict[str, Any] = {}
    for field in msgspec.structs.fields(Settings):
        name = PREFIX + field.name.upper()
        text = os.environ.get(name)
        if text is None:
            continue
        try:
            value = msgspec.json.decode(text) if field.name == "prices" else text
            given[field.name] = msgspec.convert(value, field.type, strict=False)
        except msgspec.MsgspecError as error:
            raise TraplineError(f"{name} cannot be {brief(text)}: {error}.") from None
    return Settings(**given)
