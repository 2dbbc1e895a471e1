"""A harness of verifiers that runs no program: one model call a segment, sent from here."""

from __future__ import annotations

from typing import Any

import httpx
import verifiers.v1 as vf
from verifiers.v1.dialects.chat import message_to_wire

__all__ = ["DirectHarness"]


class DirectHarness(vf.Harness[vf.HarnessConfig]):  # type: ignore[misc]  # not installed beside our checks
    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: Any,
        trace: Any,
        runtime: Any,
        endpoint: str,
        secret: str,
        urls: Any,
        data: Any,
        **_: Any,
    ) -> Any:
        _, prompt = self.resolve_prompt(data)
        said = (
            [{"role": "user", "content": prompt}]
            if isinstance(prompt, str)
            else [message_to_wire(m) for m in prompt]
        )
        async with httpx.AsyncClient() as client:
            request = {"model": ctx.model, "messages": said}
            headers = {"Authorization": f"Bearer {secret}"}
            answer = await client.post(
                f"{endpoint}/chat/completions", json=request, headers=headers
            )
        return vf.ProgramResult(
            exit_code=0 if answer.is_success else 1, stdout="", stderr=answer.text
        )
