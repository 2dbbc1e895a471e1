"""The games as environments for learning agents: thin, over `Match` and Views alone."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from trapline.core import TraplineError

if TYPE_CHECKING:
    from collections.abc import Iterator


class MissingExtra(TraplineError, ImportError):
    """A library that only researchers need is not installed."""


@contextmanager
def needs(library: str, extra: str = "adapters") -> Iterator[None]:
    """Around the import of a library that a plain install does not bring."""
    try:
        yield
    except ImportError as error:
        raise MissingExtra(
            f"This needs {library}: install it with  pip install 'trapline[{extra}]'."
        ) from error
