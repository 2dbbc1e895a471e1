"""Replies kept on disk, so that a run that is repeated, or resumed, asks nothing twice."""

from __future__ import annotations

import contextlib
import hashlib
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.home import replace_file
from trapline.players.llm.endpoint import Reply

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def cache_key(url: str, request: Mapping[str, Any], sample: int) -> str:
    """A digest of all that decides a reply.

    The same question is asked again and again to learn how a model mixes its answers, so the
    number of the sample is part of it.
    """
    parts = {"url": url, "request": request, "sample": sample}
    return hashlib.sha256(msgspec.json.encode(parts, order="sorted")).hexdigest()


class Cache:
    """One file a reply, in folders by the key's first letters; the request is not kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> Reply | None:
        """The kept reply; a file that cannot be read, or was damaged, is as good as none."""
        try:
            return msgspec.json.decode(self._path(key).read_bytes(), type=Reply)
        except (OSError, msgspec.MsgspecError):
            return None

    def put(self, key: str, reply: Reply) -> None:
        """Where nothing can be written, the next run has to ask again."""
        path = self._path(key)
        with contextlib.suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(path, msgspec.json.encode(reply))

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"
