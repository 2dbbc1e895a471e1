"""The OpenAPI description of the HTTP side, made from the operations and their types."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec

from trapline import __version__
from trapline.server.messages import Refused
from trapline.server.operations import OPERATIONS, Operation
from trapline.server.requests import STATUS

PARAMETERS: dict[str, dict[str, Any]] = {
    "date": {"type": "string", "format": "date"},
    "match": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
    "game": {"type": "string"},
    "seat": {"type": "string", "enum": ["0", "1", "2"]},
    "plain": {"type": "string", "enum": ["0", "1"]},
    "after": {"type": "string", "pattern": "^[0-9]{1,9}$"},
}


@cache
def description() -> bytes:
    named = (kind for each in OPERATIONS for kind in (each.answer, each.body, each.later))
    kinds = list(dict.fromkeys([*filter(_is_type, named), Refused]))
    schemas, components = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}"
    )
    references = dict(zip(kinds, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _describe(
            operation, references
        )
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {"title": "Trapline", "version": __version__},
            "paths": paths,
            "components": {
                "schemas": components,
                "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
            },
            "security": [{}, {"key": []}],
        }
    )


def _is_type(kind: Any) -> bool:
    return isinstance(kind, type)


def _describe(operation: Operation, references: dict[Any, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.handler.__name__,
        "summary": operation.handler.__doc__,
        "responses": _responses(operation, references),
    }
    named = re.findall(r"{(\w+)}", operation.path)
    parameters = [_parameter(name, "path") for name in named]
    parameters += [_parameter(name, "query") for name in operation.query]
    if parameters:
        described["parameters"] = parameters
    if operation.body is not None:
        content = {"application/json": {"schema": references[operation.body]}}
        described["requestBody"] = {"required": True, "content": content}
    return described


def _parameter(name: str, place: str) -> dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path", "schema": PARAMETERS[name]}


def _responses(operation: Operation, references: dict[Any, Any]) -> dict[str, Any]:
    if _is_type(operation.answer):
        content = {"application/json": {"schema": references[operation.answer]}}
    else:
        content = {operation.answer: {"schema": {"type": "string"}}}
        if operation.answer == "application/json":
            content = {operation.answer: {"schema": {"type": "object"}}}
    responses = {str(operation.status): {"description": "Done.", "content": content}}
    if operation.later is not None:
        waiting = {"application/json": {"schema": references[operation.later]}}
        responses["202"] = {"description": "Not yet.", "content": waiting}
    refusal = {"application/json": {"schema": references[Refused]}}
    for status in sorted({STATUS[reason] for reason in operation.refusals}):
        reasons = [reason for reason in operation.refusals if STATUS[reason] == status]
        responses[str(status)] = {"description": ", ".join(reasons), "content": refusal}
    return responses
