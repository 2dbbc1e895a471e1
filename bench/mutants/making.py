"""Small mistakes, made from the source itself: each is one place of it with another text."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

A_THOUSANDFOLD = 1000
OTHER_BOUND = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}
LEAVES = (ast.Raise, ast.Return, ast.Continue, ast.Break)
"""What a check does that holds something back."""
LOGS = ("logger.", "_logger.")
"""Calls without which nothing changes for players."""


class Mutant(NamedTuple):
    path: str
    where: str
    """The function, or nothing for what stands around all of them."""
    begin: int
    end: int
    """Bytes of the file between which its text is another."""
    old: str
    new: str

    @property
    def name(self) -> str:
        """By which it is known again when lines have moved."""
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.path} {self.where}: {old} -> {new}"

    def applied(self, source: bytes) -> bytes:
        return source[: self.begin] + self.new.encode() + source[self.end :]


def mutants(path: str, source: bytes) -> list[Mutant]:
    """All of a file, in its order, and none twice."""
    return list(dict.fromkeys(_Making(path, source).all()))


class _Making:
    def __init__(self, path: str, source: bytes) -> None:
        self._path = path
        self._source = source
        self._begins = [0]
        for line in source.splitlines(keepends=True):
            self._begins.append(self._begins[-1] + len(line))

    def all(self) -> Iterator[Mutant]:
        yield from self._below(ast.parse(self._source), "")

    def _below(self, node: ast.AST, where: str) -> Iterator[Mutant]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and _text_of_types(child):
                continue
            inside = where
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inside = f"{where}.{child.name}".strip(".")
            for place, new in _changes(child):
                yield self._mutant(place, new, inside)
            yield from self._below(child, inside)

    def _mutant(self, place: ast.expr | ast.stmt, new: str | ast.expr, where: str) -> Mutant:
        begin, end = self._span(place)
        text = new if isinstance(new, str) else f"({self._text(new)})"
        if text == NEGATED:
            text = f"(not ({self._text(place)}))"
        return Mutant(self._path, where, begin, end, self._text(place), text)

    def _text(self, place: ast.expr | ast.stmt) -> str:
        begin, end = self._span(place)
        return self._source[begin:end].decode()

    def _span(self, place: ast.expr | ast.stmt) -> tuple[int, int]:
        assert place.end_lineno is not None
        assert place.end_col_offset is not None
        begin = self._begins[place.lineno - 1] + place.col_offset
        return begin, self._begins[place.end_lineno - 1] + place.end_col_offset


NEGATED = "not"


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str | ast.expr]]:
    """Places in a node itself, each with what else could stand there."""
    match node:
        case ast.If(test=test, body=body, orelse=[]) if isinstance(body[-1], LEAVES):
            yield test, "False"
        case ast.If(test=test) | ast.IfExp(test=test):
            yield test, NEGATED
        case ast.comprehension(ifs=[test, *_]):
            yield test, "True"
        case ast.BoolOp(values=values) if len(values) == 2:
            yield node, values[0]
            yield node, values[1]
        case ast.BoolOp(values=values):
            neutral = str(isinstance(node.op, ast.And))
            yield from ((value, neutral) for value in values)
        case ast.Compare(ops=[op], left=left, comparators=[right]) if type(op) in OTHER_BOUND:
            yield node, f"({ast.unparse(left)} {OTHER_BOUND[type(op)]} {ast.unparse(right)})"
        case ast.Return(value=ast.Constant(value=bool(value)) as told):
            yield told, str(not value)
        case ast.Return(value=ast.Compare() | ast.BoolOp() as told):
            yield told, NEGATED
        case ast.Expr(value=ast.Call() | ast.Await() as call):
            if not ast.unparse(call).startswith(LOGS):
                yield node, "pass"
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=limit) as told):
            if name.isupper() and isinstance(limit, int | float) and limit > 1:
                yield told, str(limit * A_THOUSANDFOLD)


def _text_of_types(node: ast.If) -> bool:
    return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
