"""Every operation of the HTTP side, declared once with the types it takes and gives.

The routes and the OpenAPI description are both made from this list.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from trapline.server import afterwards, answers, api, messages, shelf
from trapline.server.daily import show_puzzle
from trapline.server.lobby import show_lobby

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

Handler = Callable[["Request"], Awaitable["Response"]]


class Operation(NamedTuple):
    method: str
    path: str
    handler: Handler
    answer: Any
    """The type of the answer, or its media type where it is no JSON of ours."""
    body: Any = None
    status: int = 200
    refusals: tuple[messages.Reason, ...] = ()
    query: tuple[str, ...] = ()
    later: Any = None
    """The type of the answer with status 202: not yet."""


MATCH = "/api/matches/{match}"
SEATED: tuple[messages.Reason, ...] = ("unreadable", "not yours", "unknown", "unavailable")

OPERATIONS = [
    Operation("GET", "/api/health", api.health, answers.Health, refusals=("unavailable",)),
    Operation("GET", "/api/games", api.list_games, shelf.Catalogue),
    Operation("GET", "/api/games/{game}/rules", api.show_rules, shelf.Rules, refusals=("unknown",)),
    Operation(
        "GET", "/api/games/{game}/lesson", api.show_lesson, shelf.Lesson, refusals=("unknown",)
    ),
    Operation(
        "POST", "/api/games/{game}/variant", api.check_variant, answers.Playable, messages.Variant,
        200,
        ("unreadable", "not yours", "too large", "invalid", "too fast", "broken", "unavailable"),
    ),
    Operation(
        "GET", "/api/puzzles/{date}", show_puzzle, shelf.DailyPuzzle,
        refusals=("unreadable", "unknown", "too fast", "unavailable"),
    ),
    Operation(
        "GET", "/api/lobby", show_lobby, answers.Lobby, refusals=("too fast", "unavailable")
    ),
    Operation(
        "POST", "/api/keys", api.make_key, answers.NewKey,
        status=201, refusals=("not yours", "too fast"),
    ),
    Operation(
        "POST", "/api/matches", api.open_match, answers.Opened, messages.NewMatch, 201,
        ("unreadable", "not yours", "too large", "invalid", "too fast", "broken", "unavailable",
         "over", "unknown"),
    ),
    Operation(
        "GET", MATCH, api.show_match, answers.MatchInfo, refusals=("unknown", "unavailable")
    ),
    Operation(
        "DELETE", MATCH, api.delete_match, answers.Deleted,
        refusals=("not yours", "unknown", "unavailable"),
    ),
    Operation(
        "POST", MATCH + "/join", api.join_match, answers.Opened, messages.Joining, 200,
        (*SEATED, "full", "too large", "too fast", "broken"),
    ),
    Operation(
        "GET", MATCH + "/qr", api.show_qr, "image/svg+xml",
        refusals=("not yours", "full", "too fast", "unknown", "unavailable"), query=("seat",),
    ),
    Operation(
        "GET", MATCH + "/links", api.show_links, answers.Links,
        refusals=("not yours", "unknown", "unavailable"),
    ),
    Operation(
        "GET", MATCH + "/record", afterwards.show_record, "application/json",
        refusals=("over", "too fast", "unknown", "unavailable"),
    ),
    Operation(
        "GET", MATCH + "/frames", afterwards.show_frames, messages.Frames,
        refusals=("over", "too fast", "broken", "unknown", "unavailable"),
    ),
    Operation(
        "GET", MATCH + "/analysis", afterwards.show_analysis, "application/json",
        refusals=("over", "invalid", "too fast", "unknown", "unavailable"), later=answers.Waiting,
    ),
    Operation(
        "GET", MATCH + "/hint", afterwards.show_hint, answers.Hint,
        refusals=(*SEATED, "not now", "invalid", "too fast"), query=("seat",),
    ),
    Operation(
        "POST", MATCH + "/commands", api.command, messages.State, messages.Request, 200,
        (*SEATED, "stale", "full", "too large", "illegal", "too fast", "broken"), ("seat", "plain"),
    ),
    Operation(
        "GET", MATCH + "/stream", api.stream, api.STREAMED,
        refusals=(*SEATED, "full"), query=("seat", "after", "plain"),
    ),
]  # fmt: skip
