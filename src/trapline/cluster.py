"""Where tasks run: on all cores of this machine, or on the workers of a Dask cluster."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from typing import TYPE_CHECKING

from trapline.core import TraplineError
from trapline.games import load_specs, loaded_specs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Executor


class Abandoned(KeyboardInterrupt):
    """Nobody waits any longer for what is under way: whoever works at it is ended."""


CONNECTING = 10.0
"""Seconds to wait for a scheduler to answer."""


@contextmanager
def executor(scheduler: str | None, workers: int | None = None) -> Iterator[Executor]:
    """All cores of this machine, or the cluster behind a Dask scheduler's address."""
    if scheduler is None:
        others = {*active_children()}
        # Fresh processes: forking one that has started threads is not safe.
        with ProcessPoolExecutor(
            workers,
            mp_context=get_context("spawn"),
            initializer=_settle_in_a_group,
            initargs=(loaded_specs(),),
        ) as pool:
            try:
                yield pool
            except Abandoned:
                # The pool closes only when its workers have done what they do, unless they die.
                for worker in {*active_children()} - others:
                    assert worker.pid is not None  # it was started
                    _end_group(worker.pid)
                    worker.kill()
                raise
        return
    try:
        from dask.distributed import Client
    except ImportError:
        raise TraplineError(
            "A cluster needs Dask: install it with  pip install 'trapline[cluster]'."
        ) from None
    try:
        client = Client(scheduler, timeout=CONNECTING)
    except (ValueError, OSError) as error:
        raise TraplineError(f"There is no scheduler to reach at {scheduler}: {error}.") from None
    with client:
        client.register_worker_callbacks(partial(load_specs, loaded_specs(), leniently=True))
        yield client.get_executor()


def settle_in(games: Sequence[str] = ()) -> None:
    """A worker knows the games its parent has loaded, leaves Ctrl-C to it, and dies with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_follow_parent, daemon=True).start()
    load_specs(games, leniently=True)  # whoever needs a missing one will say so


def _settle_in_a_group(games: Sequence[str]) -> None:
    """Likewise, and the programs that a worker starts, such as somebody's agents, die with it."""
    if hasattr(os, "setpgrp"):
        os.setpgrp()
    settle_in(games)


def _follow_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        _end_group(os.getpid())
        os._exit(1)


def _end_group(leader: int) -> None:
    """End a process and all that it has started, if it leads a group of its own."""
    with suppress(AttributeError, ProcessLookupError):  # where there are no groups, or no such one
        os.killpg(leader, signal.SIGKILL)
