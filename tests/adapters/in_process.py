"""The protocol's own client and a server of ours in one process, with every line between them."""

from __future__ import annotations

import asyncio
import math
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from trapline.adapters.tool_server import ToolServer


@asynccontextmanager
async def linked(server: ToolServer) -> AsyncIterator[Any]:
    """The streams of a client, as its package wants them; what is said is read as from a pipe."""
    loop = asyncio.get_running_loop()
    answer, answers = anyio.create_memory_object_stream[SessionMessage | Exception](math.inf)
    ask, asked = anyio.create_memory_object_stream[SessionMessage](math.inf)

    def tell(line: bytes) -> None:
        said = SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
        loop.call_soon_threadsafe(answer.send_nowait, said)

    async def listen() -> None:
        async for heard in asked:
            line = heard.message.model_dump_json(by_alias=True, exclude_unset=True)
            server.hear(line.encode(), tell)

    async with anyio.create_task_group() as group, answer, answers, ask, asked:
        group.start_soon(listen)
        yield answers, ask
        group.cancel_scope.cancel()
