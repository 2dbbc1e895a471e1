"""The server as an ASGI application: routes, the page, and what happens around every request."""

from __future__ import annotations

import contextlib
import logging
import time
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from trapline.home import proofs_folder
from trapline.server import guard
from trapline.server.api import MATCH, OPERATIONS, Context, Operation, refused
from trapline.server.hub import Hub
from trapline.server.offers import Offers
from trapline.server.openapi import description
from trapline.server.refusals import Refusal
from trapline.server.socket import talk
from trapline.server.store import StoreError, open_store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

    from trapline.server.settings import Settings

logger = logging.getLogger("trapline.server")

STATIC = Path(__file__).parent / "static"
PAGES = ("/", "/m/{match}", "/join/{match}", "/rules/{game}", "/proof")


def create(settings: Settings) -> Starlette:
    hub = Hub(open_store(settings.store_url()), Offers(settings), settings)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        await hub.stop()

    app = Starlette(
        routes=[
            *(_route(operation) for operation in OPERATIONS),
            Route("/api/openapi.json", _openapi),
            WebSocketRoute(MATCH + "/socket", talk),
            Mount("/static", StaticFiles(directory=STATIC)),
            Route("/proofs/", _proofs),
            Mount("/proofs", StaticFiles(directory=proofs_folder(), check_dir=False)),
            *(Route(path, _page) for path in PAGES),
            Route("/favicon.ico", _favicon),
        ],
        exception_handlers={HTTPException: _no_such_thing},
        middleware=[Middleware(guard.SafeHeaders)],
        lifespan=lifespan,
    )
    app.state.context = Context(hub, settings, guard.Openings(settings.opens_per_minute))
    return app


def _route(operation: Operation) -> Route:
    async def endpoint(request: Request) -> Response:
        begun = time.perf_counter()
        try:
            response = await operation.handler(request)
        except Refusal as refusal:
            response = refused(refusal)
        except StoreError as error:
            response = refused(Refusal("unavailable", str(error)))
        except Exception as error:  # noqa: BLE001 (a fault of ours must not cost anybody a match)
            response = _broken(error)
        response.headers["cache-control"] = "no-store"
        # The route, never the address: what stands in an address is nobody's business.
        facts = {
            "method": operation.method,
            "route": operation.path,
            "status": response.status_code,
            "ms": round(1000 * (time.perf_counter() - begun), 1),
        }
        logger.info("request", extra=facts)
        return response

    return Route(operation.path, endpoint, methods=[operation.method])


async def _openapi(_request: Request) -> Response:
    return Response(description(), media_type="application/json")


async def _page(_request: Request) -> Response:
    return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})


async def _proofs(_request: Request) -> Response:
    """Which certificates there are."""
    return JSONResponse(sorted(path.name for path in proofs_folder().glob("*.cert")))


async def _favicon(_request: Request) -> Response:
    return FileResponse(STATIC / "favicon.svg")


async def _no_such_thing(_request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException) and error.status_code == 405:
        response = refused(Refusal("unreadable", "This address does not take such a request."))
        response.status_code = 405
        response.headers.update(error.headers or {})
        return response
    return refused(Refusal("unknown", "There is nothing at this address."))


def _broken(error: Exception) -> Response:
    logger.error("a request failed", exc_info=error)
    response = refused(Refusal("unavailable", "Something went wrong here. Nothing has changed."))
    response.status_code = 500
    return response
