"""The rules of a game as source that Numba compiles: the same bodies, with numbers for values.

The functions of a game (`question`, `apply`, …) and all functions that they call are
taken from their source. What is not a number becomes one: a question its number, an outcome a
code, a reason its index, `self` a tuple of the attributes that are read, a state a tuple of its
fields, a board a call that writes its planes. What cannot be put so raises `NotCompilable` with
a sentence, and the game is stepped in plain Python.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.core import TraplineError, drawn, mark_parts, mark_place, mark_places, won

if TYPE_CHECKING:
    from trapline.core import Game

BITS = {"bit_count", "bit_length"}
"""Methods of whole numbers that compiled code has functions for."""
JIT = "@inlined"


class NotCompilable(TraplineError):
    """Why rules cannot be compiled, in a sentence."""


class Source:
    """What a game's functions become."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.state_type = type(game.start(1))
        self.texts: list[str] = []
        self.reasons: list[str | None] = [None]
        self.attributes: dict[str, Any] = {}
        """What is read of the game: names of fields, and their values."""
        self._names: dict[object, str] = {}

    def add_method(self, name: str, extra: str = "") -> None:
        """One of the game's own functions, under its own name."""
        function = getattr(type(self.game), name)
        self._names[function] = name
        self._write(function, name, method=True, extra=extra)

    def include(self, function: Any, *, method: bool = False) -> str:
        """A function that the rules call; returns what it is called here."""
        function = inspect.unwrap(function)
        if function not in self._names:
            name = f"{function.__name__}_{len(self._names)}"
            self._names[function] = name
            self._write(function, name, method=method)
        return self._names[function]

    def reason(self, text: object) -> int:
        if not isinstance(text, str):
            raise NotCompilable("a match ends for a reason that is not a fixed text")
        if text not in self.reasons:
            self.reasons.append(text)
        return self.reasons.index(text)

    def _write(self, function: Any, name: str, *, method: bool, extra: str = "") -> None:
        if not isinstance(function, FunctionType):
            raise NotCompilable(f"{name} is not a function written in Python")
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        except (OSError, SyntaxError):
            raise NotCompilable(f"the source of {name} cannot be read") from None
        defined = tree.body[0]
        if not isinstance(defined, ast.FunctionDef):
            raise NotCompilable(f"{name} is not a plain function")
        body = Body(self, function, defined, method=method)
        lowered = body.lowered(name, extra)
        self.texts.append(f"{JIT}\n{ast.unparse(ast.fix_missing_locations(lowered))}\n")


class Body(ast.NodeTransformer):
    """One function's syntax, lowered."""

    def __init__(
        self, source: Source, function: FunctionType, defined: ast.FunctionDef, *, method: bool
    ) -> None:
        self.source = source
        self.defined = defined
        self.parameters = [argument.arg for argument in defined.args.args]
        self.own = self.parameters[0] if method else None
        closed = inspect.getclosurevars(function)
        self.known = {**function.__globals__, **closed.nonlocals}
        stored = (node for node in ast.walk(defined) if isinstance(node, ast.Name))
        self.local = {node.id for node in stored if isinstance(node.ctx, ast.Store)}
        self.local |= set(self.parameters)
        self.out = ""

    def lowered(self, name: str, extra: str) -> ast.FunctionDef:
        """`extra` is one more parameter, into which a board is written."""
        self.out = extra
        arguments = [ast.arg(parameter) for parameter in self.parameters]
        arguments += [ast.arg(extra)] if extra else []
        defaults = [self.visit(value) for value in self.defined.args.defaults]
        defined = self.defined
        body = defined.body[1:] if ast.get_docstring(defined) is not None else defined.body
        defined.name, defined.decorator_list, defined.returns = name, [], None
        defined.args = ast.arguments([], arguments, None, [], [], None, defaults)
        defined.body = [self.visit(statement) for statement in body]
        return defined

    # --- names --------------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.local or not isinstance(node.ctx, ast.Load):
            return node
        if node.id not in self.known:
            if not hasattr(builtins, node.id):
                raise NotCompilable(f"{node.id} is not known where the rules use it")
            return node
        return self._constant(self.known[node.id], node.id)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        path = _path(node)
        if path and path[0] == self.own:
            return self._attribute(path[1:])
        found, value = self._static(node)
        if found:
            return self._constant(value, ast.unparse(node))
        return ast.Attribute(self.visit(node.value), node.attr, node.ctx)

    def _attribute(self, path: list[str]) -> ast.expr:
        """Something of the game itself, such as `self.length` or `self.options.max_step`."""
        value: Any = self.source.game
        for part in path:
            value = getattr(value, part)
        name = "_".join(path)
        self.source.attributes[name] = value
        return ast.Attribute(ast.Name(self.own or "", ast.Load()), name, ast.Load())

    def _static(self, node: ast.expr) -> tuple[bool, Any]:
        """What a name, or a dotted name, outside the function stands for."""
        path = _path(node)
        if not path or path[0] in self.local or path[0] not in self.known:
            return False, None
        value = self.known[path[0]]
        if len(path) > 1 and not isinstance(value, (ModuleType, type)):
            return False, None
        for part in path[1:]:
            value = getattr(value, part)
        return True, value

    def _constant(self, value: Any, name: str) -> ast.expr:
        if value is None:  # no question, no outcome
            return ast.Constant(0)
        if isinstance(value, (bool, int)):
            return ast.Constant(int(value))
        if isinstance(value, str):
            return ast.Constant(str(value))
        if isinstance(value, tuple):
            return ast.Tuple([self._constant(part, name) for part in value], ast.Load())
        raise NotCompilable(f"{name} is neither a number nor a function")

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.Constant(0) if node.value is None else node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt | None:
        if node.value is None:
            return ast.Pass()
        return ast.Assign([node.target], self.visit(node.value), lineno=node.lineno)

    # --- calls --------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> ast.expr:
        path = _path(node.func)
        if path and path[0] == self.own and len(path) == 2:
            return self._call_method(path[1], node)
        found, value = self._static(node.func)
        if found:
            return self._call_known(value, node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in BITS:
            return _call(node.func.attr, [self.visit(node.func.value)])
        if isinstance(node.func, ast.Attribute):
            raise NotCompilable(f"the rules call {ast.unparse(node.func)}")
        return self.generic_visit(node)  # type: ignore[return-value]  # the same kind of node

    def _call_method(self, name: str, node: ast.Call) -> ast.expr:
        function = getattr(type(self.source.game), name, None)
        if not isinstance(function, FunctionType):
            raise NotCompilable(f"the rules call self.{name}, which is no method of the game")
        called = self.source.include(function, method=True)
        return self._with_arguments(called, node, [ast.Name(self.own or "", ast.Load())])

    def _call_known(self, value: Any, node: ast.Call) -> ast.expr:
        if value in (won, drawn):
            return self._outcome(value, node)
        if value is self.source.state_type:
            return self._with_arguments("State", node)
        if value is msgspec.structs.replace:
            return self._replace(node)
        if hasattr(value, "lay_out"):
            return self._board(value, node)
        if value in (mark_place, mark_places, mark_parts):
            return self._with_arguments(value.__name__, node)
        if getattr(builtins, getattr(value, "__name__", ""), None) is value:
            return self.generic_visit(node)  # type: ignore[return-value]  # likewise
        if isinstance(value, type):
            raise NotCompilable(f"the rules make a {value.__name__}")
        return self._with_arguments(self.source.include(value), node)

    def _with_arguments(
        self, name: str, node: ast.Call, before: list[ast.expr] | None = None
    ) -> ast.Call:
        arguments = [*(before or ()), *(self.visit(argument) for argument in node.args)]
        keywords = [ast.keyword(word.arg, self.visit(word.value)) for word in node.keywords]
        return ast.Call(ast.Name(name, ast.Load()), arguments, keywords)

    def _outcome(self, function: Any, node: ast.Call) -> ast.expr:
        given = inspect.signature(function).bind(
            *node.args, **{word.arg or "": word.value for word in node.keywords}
        )
        given.apply_defaults()
        seat, reason, score = (given.arguments.get(part) for part in ("seat", "reason", "score"))
        found, text = self._static(reason)  # type: ignore[arg-type]  # checked above
        if not found and isinstance(reason, ast.Constant):
            text = reason.value
        code = ast.Constant(self.source.reason(text))
        if function is drawn:
            return _call("outcome_code", [ast.Constant(0), code, ast.Constant(0)])
        points = self.visit(score) if isinstance(score, ast.expr) else ast.Constant(score)
        return _call("outcome_code", [self.visit(seat), code, points])  # type: ignore[arg-type]  # likewise

    def _replace(self, node: ast.Call) -> ast.expr:
        given = {word.arg: self.visit(word.value) for word in node.keywords}
        state = self.visit(node.args[0])
        fields = self.source.state_type.__struct_fields__
        values = [given.get(name, ast.Attribute(state, name, ast.Load())) for name in fields]
        return _call("State", values)

    def _board(self, constructor: Any, node: ast.Call) -> ast.expr:
        if not self.out or node.keywords:
            raise NotCompilable("a board is made where none can be laid out")
        name = self.source.include(constructor.lay_out)
        viewer = ast.Name(self.parameters[2], ast.Load())
        return self._with_arguments(name, node, [ast.Name(self.out, ast.Load()), viewer])

    # --- items --------------------------------------------------------------------------

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """A pair's item without a check of its index; a table of the game's by all of them."""
        if isinstance(node.ctx, ast.Store):
            raise NotCompilable(
                "an item is written in place: rules make tuples, and boards write by `mark_place`"
            )
        if isinstance(node.slice, (ast.Slice, ast.Constant)) or not isinstance(node.ctx, ast.Load):
            return self.generic_visit(node)  # type: ignore[return-value]  # likewise
        indices: list[ast.expr] = [node.slice]
        inner = node.value
        while isinstance(inner, ast.Subscript):
            indices.insert(0, inner.slice)
            inner = inner.value
        path = _path(inner)
        if len(indices) > 1 and path and path[0] == self.own:
            table = self.visit(inner)
            parts: list[ast.expr] = [self.visit(index) for index in indices]
            return _call("item_of_table", [table, ast.Tuple(parts, ast.Load())])
        return _call("item", [self.visit(node.value), self.visit(node.slice)])


def _path(node: ast.expr) -> list[str]:
    """The parts of a dotted name; none for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    return [node.id, *parts] if isinstance(node, ast.Name) else []


def _call(name: str, arguments: list[ast.expr]) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), arguments, [])
