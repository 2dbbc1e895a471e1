"""One Python module for each game, written once and compiled by Numba, which keeps the result.

The module holds the game's functions as `lowering` puts them, what loads a state from a lane and
stores it there, and the loops of `kernels`, `playing`, `rows` and `sights`. Options are data, so
that all variants of a game share what was compiled. Whole numbers have 64 bits in compiled code: a
game that needs more is not compiled.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from trapline.core import SEATS, Game, Question
from trapline.home import compiled_folder, replace_file
from trapline.simulate.lowering import JIT, NotCompilable, Source
from trapline.simulate.once import compile_once
from trapline.simulate.tables import ARRAYS, Tables, number_questions

if TYPE_CHECKING:
    from types import ModuleType

    from numpy.typing import NDArray

MOST_PLACES = 63
"""A set of places is the bits of one number, and its sign stays 0."""
LONGEST_TUPLE = 16
"""Longer tuples of numbers are arrays in compiled code."""
LOOPS = ("kernels.py", "playing.py", "rows.py", "sights.py")
"""Files whose text, below the marker, goes into every module."""
MARKER = "# " + "-" * 88 + "\n"
OWN = 1 + ARRAYS
"""Among the rules that are handed to a loop, what is the game's own comes after its tables."""


class Compiled(NamedTuple):
    module: Any
    game: tuple[NDArray[Any], ...]
    """What the compiled functions read of the game: its numbers in an array, and its arrays."""
    reasons: tuple[str | None, ...]
    """What the numbers of reasons stand for."""
    width: int
    """How many numbers a lane has."""
    why_no_board: str
    """Why boards are laid out in plain Python, if they are."""


def compile_game(game: Game[Any]) -> Compiled:
    """The game's module; NotCompilable with a sentence if it has none."""
    start = game.start(1)
    shapes = {name: _shape(getattr(start, name), name) for name in start.__struct_fields__}
    source = Source(game)
    for name in ("question", "apply", *(("chance", "dealt") if game.draws else ())):
        source.add_method(name)
    if type(game).positions is not Game.positions:
        source.add_method("positions")
    why_no_board = _add_board(source)
    numbers = number_questions(game)
    fields = {name: _numeric(value, numbers) for name, value in source.attributes.items()}
    packing = Packing()
    opened = [packing.add(value) for value in fields.values()]
    for seat in SEATS:
        parts = [packing.add(value) for value in _flat(game.start(seat), shapes)]
        opened.append(f"Fields({', '.join(parts)})")
    text = _module_text(source, shapes, ", ".join(opened), game.draws)
    module = _load(game.name.replace("-", "_"), text)
    width = module.HEAD + sum(_size(shape) for shape in shapes.values())
    return Compiled(module, packing.packed(), tuple(source.reasons), width, why_no_board)


def _add_board(source: Source) -> str:
    """The board, if it can be laid out in compiled code; otherwise why not."""
    written, attributes = len(source.texts), dict(source.attributes)
    try:
        source.add_method("board", extra="row_")
    except NotCompilable as why:
        del source.texts[written:]
        source.attributes = attributes
        return str(why)
    planes = source.game.board(source.game.start(1), None, False).planes()
    if max(planes.values(), default=0) > MOST_PLACES:
        raise NotCompilable(f"a board of more than {MOST_PLACES} places has too many bits")
    return ""


# --- values as numbers ------------------------------------------------------------------


def _shape(value: Any, name: str) -> Any:
    """1 for a number, and the shapes of its parts for a tuple."""
    if value is None or isinstance(value, int):
        return 1
    if isinstance(value, tuple) and value:
        return tuple(_shape(part, name) for part in value)
    raise NotCompilable(f"the state's {name} is neither a number nor a tuple of them")


def _flat(state: Any, shapes: dict[str, Any]) -> list[Any]:
    """The fields of a state, as compiled code has them."""
    held = {name: getattr(state, name) for name in shapes}
    if {name: _shape(value, name) for name, value in held.items()} != shapes:
        raise NotCompilable("the players begin with states of different shapes")
    return [0 if held[name] is None else held[name] for name in shapes]


def _size(shape: Any) -> int:
    return shape if isinstance(shape, int) else sum(_size(part) for part in shape)


def _numeric(value: Any, numbers: dict[Question, int]) -> Any:
    """An attribute of a game, as compiled code has it."""
    if value is None:
        return 0
    if isinstance(value, Question):
        return numbers[value]
    if isinstance(value, int):
        if not -(1 << 63) <= value < 1 << 63:
            raise NotCompilable("a number of the game has more than 64 bits")
        return int(value)
    if isinstance(value, tuple) and value:
        parts = tuple(_numeric(part, numbers) for part in value)
        return _table(parts) if _asks(value) or _size_of(parts) > LONGEST_TUPLE else parts
    raise NotCompilable("an attribute that the rules read is neither a number nor a question")


def _asks(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(_asks(part) for part in value)
    return isinstance(value, Question)


def _size_of(value: Any) -> int:
    return sum(_size_of(part) for part in value) if isinstance(value, (tuple, np.ndarray)) else 1


def _table(parts: tuple[Any, ...]) -> Any:
    """An array; shorter rows are filled up with 0, which is no question."""
    rows = [np.asarray(part, np.int64) for part in parts]
    if len({row.ndim for row in rows}) != 1:
        raise NotCompilable("a table of the game has rows of different depth")
    shape = np.max([row.shape for row in rows], axis=0).astype(int) if rows[0].ndim else ()
    table = np.zeros((len(rows), *shape), np.int64)
    for number, row in enumerate(rows):
        here: Any = (number, *(slice(size) for size in row.shape))
        table[here] = row
    return table


class Packing:
    """Values in few arrays: Numba asks of each that it is handed what it is, and at every call."""

    def __init__(self) -> None:
        self._numbers: list[int] = []
        self._arrays: list[NDArray[Any]] = []

    def add(self, value: Any) -> str:
        """What opens the value again in compiled code."""
        if isinstance(value, tuple):
            return f"({''.join(f'{self.add(part)}, ' for part in value)})"
        if isinstance(value, np.ndarray):
            self._arrays.append(value)
            return f"rules[{OWN + len(self._arrays)}]"
        self._numbers.append(int(value))
        return f"rules[{OWN}][{len(self._numbers) - 1}]"

    def packed(self) -> tuple[NDArray[Any], ...]:
        return np.array(self._numbers, np.int64), *self._arrays


# --- the module -------------------------------------------------------------------------


def _module_text(source: Source, shapes: dict[str, Any], opened: str, draws: bool) -> str:
    here = Path(__file__).parent
    loops = [(here / name).read_text("utf-8").split(MARKER, 1)[1] for name in LOOPS]
    names = ", ".join(shapes)
    column = iter(range(sum(_size(shape) for shape in shapes.values())))
    columns = {name: _columns(shape, column) for name, shape in shapes.items()}
    loaded = ", ".join(_written(c, "lanes[i, HEAD + {}]") for c in columns.values())
    stored = "\n".join(
        f"    lanes[i, HEAD + {number}] = state.{name}{path}"
        for name, c in columns.items()
        for number, path in _paths(c, "")
    )
    cast = ", ".join(_cast(shape, name) for name, shape in shapes.items())
    tables = [f"rules[{1 + k}]" for k in range(ARRAYS)]
    tables += [f"rules[0][{k}]" for k in range(len(Tables._fields) - ARRAYS)]
    return "\n".join(
        [
            "from __future__ import annotations\n\nfrom collections import namedtuple",
            "from typing import Any\n",
            "from trapline.simulate.tables import Tables\n",
            f"DRAWS = {draws}",
            *loops,
            f"Self = namedtuple('Self', {[*source.attributes, 'start_1', 'start_2']})",
            f"Fields = namedtuple('Fields', {list(shapes)})\n",
            f"{JIT}\ndef opened(rules):",
            f"    return Self({opened}), Tables({', '.join(tables)})\n",
            f"{JIT}\ndef State({names}):\n    return Fields({cast})\n",
            f"{JIT}\ndef load(lanes, i):\n    return Fields({loaded})\n",
            f"{JIT}\ndef store(lanes, i, state):\n{stored}\n",
            *source.texts,
        ]
    )


def _columns(shape: Any, column: Any) -> Any:
    return next(column) if shape == 1 else tuple(_columns(part, column) for part in shape)


def _written(columns: Any, template: str) -> str:
    if isinstance(columns, int):
        return template.format(columns)
    return f"({', '.join(_written(part, template) for part in columns)},)"


def _paths(columns: Any, path: str) -> list[tuple[int, str]]:
    if isinstance(columns, int):
        return [(columns, path)]
    return [found for k, part in enumerate(columns) for found in _paths(part, f"{path}[{k}]")]


def _cast(shape: Any, name: str) -> str:
    if shape == 1:
        return f"np.int64({name})"
    return f"({', '.join(_cast(part, f'{name}[{k}]') for k, part in enumerate(shape))},)"


@cache
def _load(name: str, text: str) -> ModuleType:
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    module_name = f"trapline_rules_{name}_{digest}"
    if module_name in sys.modules:
        return sys.modules[module_name]
    path = _write(f"{module_name}.py", text)
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None  # the file ends with .py
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    compile_once(module, path)
    return module


def _write(name: str, text: str) -> Path:
    """Where the module lies: in the cache, or for this process alone if there is none."""
    try:
        return _written_to(compiled_folder(), name, text)
    except OSError:
        return _written_to(Path(tempfile.mkdtemp(prefix="trapline-")), name, text)


def _written_to(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    if path.is_file() and path.read_text("utf-8") == text:
        return path  # untouched, so that what was compiled from it stays good
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(path, text.encode())
    return path
