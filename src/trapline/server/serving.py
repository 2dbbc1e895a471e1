"""`trapline serve`: bind, say where, serve, and stop without losing a word."""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from multiprocessing.connection import wait
from typing import TYPE_CHECKING

import uvicorn

from trapline.core import OptionsError
from trapline.server.app import create
from trapline.server.logs import log_to_stderr
from trapline.server.system import allow_files
from trapline.server.wire import LARGEST_BUFFERED_FRAME, Door

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.context import SpawnProcess

    from starlette.applications import Starlette

    from trapline.server.settings import Settings

logger = logging.getLogger("trapline.server")

SWITCHING = 0.0005
"""Seconds after which a thread that computes lets another have its turn."""


def serve(settings: Settings, *, open_browser: bool = False) -> None:
    """Serve until somebody stops us."""
    log_to_stderr(settings.log_level)
    listener = _bind(settings)
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    here = f"http://{shown}:{port}/"
    address = settings.public_url or here
    behind = f", from {here}" if settings.public_url else ""

    def announce() -> None:
        sys.stdout.write(f"Trapline is at {address}{behind} (Control-C stops it).\n")
        sys.stdout.flush()
        if open_browser:
            webbrowser.open(address)

    if settings.workers > 1:
        announce()
        supervise(settings, listener)
    else:
        run(settings, listener, announce)


def run(settings: Settings, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Serve in this process."""
    app = create(settings)
    store = app.state.context.hub.store
    app.state.door = Door(settings, _open_files(settings), lambda: store.writing)
    # Rooms live long: to look through all of them as often as Python does by itself would take
    # more than half of the time of a server with a thousand busy matches.
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    # The thread that writes needs Python a few times for each commit, and else would wait for it
    # as long each time while many are told something.
    sys.setswitchinterval(SWITCHING)
    Server(_config(app), app, ready).run(sockets=[listener])


def _open_files(settings: Settings) -> int:
    """How many files this process may have open, as many as the system gives it."""
    wanted = settings.connections + 200
    soft = allow_files(wanted)
    if soft < wanted:
        facts = {"files": soft, "wanted": wanted}
        logger.warning("the system allows fewer files than connections", extra=facts)
    return soft


def supervise(settings: Settings, listener: socket.socket) -> None:
    """Keep as many processes serving as were asked for; when we are stopped, stop them all."""
    context = multiprocessing.get_context("spawn")
    workers: list[SpawnProcess] = []

    def stop(_signal: int, _frame: object) -> None:
        raise SystemExit

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    try:
        while True:
            workers = [worker for worker in workers if worker.is_alive()]
            while len(workers) < settings.workers:
                worker = context.Process(target=_run_worker, args=(settings, listener))
                worker.start()
                workers.append(worker)
            wait([worker.sentinel for worker in workers])
            time.sleep(0.5)  # one that cannot start must not be started in a frenzy
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join(10)


def _run_worker(settings: Settings, listener: socket.socket) -> None:
    log_to_stderr(settings.log_level)
    threading.Thread(target=_follow_supervisor, daemon=True).start()
    run(settings, listener, lambda: None)


def _follow_supervisor() -> None:
    """Stop when nobody is left who could stop us: the port would be taken for ever."""
    supervisor = multiprocessing.parent_process()
    if supervisor is not None:
        supervisor.join()
        logger.error("the supervisor has ended, so this process stops too")
        os.kill(os.getpid(), signal.SIGTERM)


class Server(uvicorn.Server):
    """Uvicorn's, which says when it is ready, and says goodbye before it hangs up."""

    def __init__(self, config: uvicorn.Config, app: Starlette, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._app = app
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        # Not in the application's own startup: what goes wrong there ends in a traceback.
        await self._app.state.context.hub.start()
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._app.state.context.hub.goodbye()
        await super().shutdown(sockets)
        self._captured_signals.clear()  # we have stopped as asked, so that is no failure


def _config(app: Starlette) -> uvicorn.Config:
    http, socket_protocol = app.state.door.protocols()
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        http=http,  # h11: the faster parser would take headers without end
        ws=socket_protocol,
        ws_max_size=LARGEST_BUFFERED_FRAME,
        ws_per_message_deflate=False,  # sizes would then tell of repeated secrets
        timeout_graceful_shutdown=5,
    )


def _bind(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(2048)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OptionsError(
            f"Port {settings.port} of {settings.host} cannot be used ({reason}); "
            "choose another with --port, or --port 0 for any that is free."
        ) from None
    listener.set_inheritable(True)
    return listener
