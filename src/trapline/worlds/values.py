"""What two worlds hold, compared by content: values that freeze, differ, and are told apart."""

from __future__ import annotations

import difflib
import math
import pickle
import random
from array import array
from collections.abc import Mapping
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from trapline.worlds.world import Key

if TYPE_CHECKING:
    from collections.abc import Hashable

LINES = 20
"""So many lines of two texts that differ are shown."""


def frozen(value: Any) -> Hashable:
    """A value that compares and hashes by its content; 1, 1.0 and True are three things."""
    kind = type(value)
    if kind is str or kind is bytes or value is None:
        return value  # type: ignore[no-any-return]  # it can be hashed
    if kind in (bool, int, float, complex):
        return kind.__name__, "nan" if value != value else value
    if isinstance(value, Mapping):
        return kind.__name__, tuple((frozen(key), frozen(item)) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        if value and all(type(item) is float for item in value):
            return kind.__name__, array("d", value).tobytes()
        return kind.__name__, tuple(frozen(item) for item in value)
    if isinstance(value, (set, frozenset)):
        return kind.__name__, frozenset(frozen(item) for item in value)
    if hasattr(value, "tobytes") and hasattr(value, "shape"):
        return str(value.dtype), tuple(value.shape), value.tobytes()
    if getattr(kind, "__hash__", None) in (None, object.__hash__):
        key = fingerprint(value)
        return (kind.__name__, repr(value)) if key is None else key.position
    return value  # type: ignore[no-any-return]  # it can be hashed


# --- the first difference ---------------------------------------------------------------


def difference(one: Any, two: Any, path: str) -> list[str]:
    """The first place in which two values differ, by its name, and what each has there."""
    if isinstance(one, str) and isinstance(two, str):
        lines = difflib.ndiff(one.splitlines() or [""], two.splitlines() or [""])
        return [line for line in lines if line[0] in "+-"][:LINES]
    place, left, right = _first(one, two, path)
    if isinstance(left, str) and isinstance(right, str) and "\n" in left + right:
        return [f"{place}:", *difference(left, right, place)]
    return [f"{place} is {_short(left)}, and {_short(right)} in the other world"]


def _first(one: Any, two: Any, path: str) -> tuple[str, Any, Any]:
    if type(one) is not type(two):
        return f"the type of {path}", type(one).__name__, type(two).__name__
    if getattr(one, "dtype", None) != getattr(two, "dtype", None):
        return f"the type of {path}", str(one.dtype), str(two.dtype)
    one, two = _plain(one), _plain(two)
    if isinstance(one, Mapping):
        for key in [*one, *two]:
            if key not in one or key not in two:
                return f"{path}[{key!r}]", one.get(key, _NOTHING), two.get(key, _NOTHING)
            if frozen(one[key]) != frozen(two[key]):
                return _first(one[key], two[key], f"{path}[{key!r}]")
        return f"the order of {path}", list(one), list(two)
    if isinstance(one, (list, tuple)):
        for index, (left, right) in enumerate(zip(one, two, strict=False)):
            if frozen(left) != frozen(right):
                return _first(left, right, f"{path}[{index}]")
        return f"the length of {path}", len(one), len(two)
    return path, one, two


class _Nothing:
    def __repr__(self) -> str:
        return "missing"


_NOTHING = _Nothing()


def _plain(value: Any) -> Any:
    """Arrays and structs by their parts."""
    if hasattr(value, "tolist") and hasattr(value, "shape"):
        flat = value.tolist()
        return flat if isinstance(flat, list) else value
    if isinstance(value, msgspec.Struct):
        return {name: getattr(value, name) for name in value.__struct_fields__}
    return value


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


# --- what an object is ------------------------------------------------------------------


def fingerprint(value: Any) -> Key | None:
    """All that an object holds, and apart from it the generators it draws from.

    None for an object that holds something which cannot be looked into.
    """
    looked = _Look()
    try:
        held = looked.into(value)
    except _Opaque:
        return None
    return Key(held, tuple(looked.generators))


class _Opaque(Exception):
    pass


class _Look:
    def __init__(self) -> None:
        self.generators: list[Hashable] = []
        self.met: dict[int, int] = {}

    def into(self, value: Any) -> Hashable:
        kind = type(value)
        if kind in (str, bytes, bool, int, float) or value is None:
            return ("nan",) if kind is float and math.isnan(value) else value
        if isinstance(value, np.ndarray) and not value.dtype.hasobject:
            return str(value.dtype), value.shape, value.tobytes()
        if isinstance(value, np.generic):
            return str(value.dtype), value.tobytes()
        if self._draws(value):
            return "generator"
        if isinstance(value, (type, ModuleType, FunctionType, BuiltinFunctionType)):
            return getattr(value, "__qualname__", repr(value))
        if _is_scenery(kind):
            return kind.__name__
        if id(value) in self.met:
            return "met", self.met[id(value)]
        self.met[id(value)] = len(self.met)
        return kind.__qualname__, self._parts(value)

    def _draws(self, value: Any) -> bool:
        if isinstance(value, random.Random):
            self.generators.append(value.getstate())
        elif isinstance(value, np.random.Generator):
            self.generators.append(frozen(value.bit_generator.state))
        elif isinstance(value, np.random.RandomState):
            self.generators.append(frozen(value.get_state(legacy=False)))
        else:
            return False
        return True

    def _parts(self, value: Any) -> Hashable:
        if isinstance(value, Mapping):
            return tuple((self.into(key), self.into(item)) for key, item in value.items())
        if isinstance(value, (set, frozenset)):
            return frozenset(self.into(item) for item in value)
        if isinstance(value, np.ndarray):
            return value.shape, tuple(self.into(item) for item in value.flat)
        if isinstance(value, MethodType):
            return value.__func__.__qualname__, self.into(value.__self__)
        named = {name: getattr(value, name) for name in _slots(type(value)) if hasattr(value, name)}
        named |= dict(getattr(value, "__dict__", {}))
        seeds = [named.pop(name) for name in sorted(named) if name.endswith("seed")]
        self.generators += [frozen(seed) for seed in seeds]
        held = tuple((name, self.into(named[name])) for name in sorted(named))
        if isinstance(value, (list, tuple)):
            return tuple(self.into(item) for item in value), held
        if held or hasattr(value, "__dict__") or type(value).__module__ == "builtins":
            return held or self._pickled(value)
        return self._pickled(value)

    def _pickled(self, value: Any) -> Hashable:
        if type(value) is object:
            return "object"
        try:
            return pickle.dumps(value)
        except Exception:  # noqa: BLE001 - whatever it says, there is no looking into it
            raise _Opaque from None


def _slots(kind: type) -> list[str]:
    names: list[str] = []
    for base in kind.__mro__:
        slots = vars(base).get("__slots__", ())
        names += [slots] if isinstance(slots, str) else list(slots)
    return [name for name in names if not name.startswith("__")]


def _is_scenery(kind: type) -> bool:
    """Windows and spaces: nothing of a position is kept in them."""
    return kind.__module__.partition(".")[0] == "pygame" or kind.__module__.startswith(
        "gymnasium.spaces"
    )
