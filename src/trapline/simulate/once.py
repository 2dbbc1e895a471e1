"""What takes seconds to compile is compiled by one process; others that want it wait and read it.

Numba keeps what it has compiled on disk, but processes that begin together would all find nothing
there, and all compile the same.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from threading import RLock
from typing import TYPE_CHECKING, Any

from filelock import FileLock
from numba.core.dispatcher import Dispatcher

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import ModuleType

_here = RLock()
_held: set[Path] = set()


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold a file that one process at a time can hold; loops that call others compile those too."""
    with _here:
        if path in _held:
            yield
            return
        lock = FileLock(path)
        with suppress(OSError):  # where nothing can be written, nothing is shared either
            lock.acquire()
        _held.add(path)
        try:
            yield
        finally:
            _held.discard(path)
            lock.release()


def compile_once(module: ModuleType, path: Path) -> None:
    """Let the functions of a module, which lies at `path`, be compiled by one process at a time."""
    lock = path.with_suffix(".lock")
    for function in vars(module).values():
        if isinstance(function, Dispatcher) and "compile" not in vars(function):
            _guard(function, lock)


def _guard(function: Any, lock: Path) -> None:
    compile_now = function.compile

    def guarded(signature: Any) -> Any:
        with _alone(lock):
            return compile_now(signature)

    function.compile = guarded
