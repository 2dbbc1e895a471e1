"""The server as an ASGI application: routes, the page, and what happens around every request."""

from __future__ import annotations

import contextlib
import logging
import time
from functools import cache
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from trapline.server import guard, page, preview
from trapline.server.hub import Hub
from trapline.server.limits import Rates
from trapline.server.logs import RequestIds
from trapline.server.metrics import MEDIA_TYPE, Metrics, may_read
from trapline.server.names import Names
from trapline.server.offers import Offers
from trapline.server.openapi import description
from trapline.server.operations import MATCH, OPERATIONS, Operation
from trapline.server.refusals import Refusal
from trapline.server.requests import Context, context, refused
from trapline.server.socket import talk
from trapline.server.store import StoreError, open_store
from trapline.server.trouble import UNREAD

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

    from starlette.requests import Request

    from trapline.server.settings import Settings

    Endpoint = Callable[[Request], Awaitable[Response]]

logger = logging.getLogger("trapline.server")

CLIENT_LEFT = 499
"""What logs say where there was nobody to answer; it is sent to nobody."""


def create(settings: Settings) -> Starlette:
    hub = Hub(open_store(settings.store_url(), serving=True), Offers(settings), settings)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        await hub.stop()

    app = Starlette(
        routes=_routes(),
        exception_handlers={HTTPException: _no_such_thing},
        middleware=[
            Middleware(RequestIds),
            Middleware(guard.SafeHeaders),
            Middleware(guard.KnownNames, settings),
        ],
        lifespan=lifespan,
    )
    app.state.context = Context(
        hub=hub,
        settings=settings,
        openings=Rates(settings.opens_per_minute),
        asks=Rates(settings.asks_per_minute),
        names=Names(settings.names),
        metrics=Metrics(),
    )
    return app


@cache
def _routes() -> tuple[BaseRoute, ...]:
    """They know no server: all that are made in one process have the same."""
    return (
        WebSocketRoute(MATCH + "/socket", talk),
        *_operations(),
        Route("/api/openapi.json", _openapi),
        Route("/metrics", _metrics),
        Route("/static/{path:path}", page.static),
        Route("/proofs/{path:path}", page.proof),
        *(Route(address, _page(address)) for address in page.SCREENS),
        Route(preview.CARD, preview.show_board),
        Route("/sw.js", _worker),
        Route("/favicon.ico", _favicon),
    )


def _operations() -> Iterator[Route]:
    """One for each address: whoever asks in a wrong way is told all that it takes."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for operation in OPERATIONS:
        by_path.setdefault(operation.path, {})[operation.method] = _endpoint(operation)
    for path, endpoints in by_path.items():
        yield Route(path, _by_method(endpoints), methods=[*endpoints])


def _by_method(endpoints: dict[str, Endpoint]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        return await endpoints["GET" if request.method == "HEAD" else request.method](request)

    return endpoint


def _endpoint(operation: Operation) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        begun = time.perf_counter()
        try:
            response = await operation.handler(request)
        except Refusal as refusal:
            response = refused(refusal)
        except StoreError as error:
            response = refused(context(request).hub.trouble.note(error, UNREAD))
        except ClientDisconnect:  # nobody is left to answer
            response = Response(status_code=CLIENT_LEFT)
        except Exception as error:  # noqa: BLE001 (a fault of ours must not cost anybody a match)
            response = _broken(error)
        response.headers["cache-control"] = "no-store"
        seconds = time.perf_counter() - begun
        context(request).metrics.count(operation.path, response.status_code, seconds)
        # The route, never the address: what stands in an address is nobody's business.
        facts = {
            "method": operation.method,
            "route": operation.path,
            "status": response.status_code,
            "ms": round(1000 * seconds, 1),
        }
        logger.info("request", extra=facts)
        return response

    return endpoint


async def _openapi(_request: Request) -> Response:
    return Response(description(), media_type="application/json")


async def _metrics(request: Request) -> Response:
    here = context(request)
    if not may_read(request, here.settings):
        raise HTTPException(404)
    door = getattr(request.app.state, "door", None)
    return Response(here.metrics.text(here.hub, door), media_type=MEDIA_TYPE)


def _page(address: str) -> Endpoint:
    async def show(request: Request) -> Response:
        first = context(request).hub.offers.home() if page.SCREENS[address] == "home" else ""
        return page.send(request, page.html(address, first))

    async def show_match(request: Request) -> Response:
        return await preview.show(request, address)

    return show_match if "{match}" in address else show


async def _worker(request: Request) -> Response:
    return page.send(request, page.worker())


async def _favicon(request: Request) -> Response:
    return page.send(request, page.find("favicon.svg"))


async def _no_such_thing(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException) and error.status_code == 405:
        response = refused(Refusal("unreadable", "This address does not take such a request."))
        response.status_code = 405
        response.headers.update(error.headers or {})
        return response
    if "text/html" in request.headers.get("accept", ""):  # a person: the page says it
        return page.send(request, page.html("nowhere"), 404)
    return refused(Refusal("unknown", "There is nothing at this address."))


def _broken(error: Exception) -> Response:
    logger.error("a request failed", exc_info=error)
    response = refused(Refusal("unavailable", "Something went wrong here. Nothing has changed."))
    response.status_code = 500
    return response
