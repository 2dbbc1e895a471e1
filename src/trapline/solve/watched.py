"""Numbers that notice who looks at them: how a method learns what a rule depends on.

A rule is a function, and nobody can tell from outside what it reads. So it is run with watched
numbers in place of the secrets. A watched number stands for all the values that it may have at
once; computing with it gives another one; and whenever a rule wants to know something of it,
the answer is given for one of the values, and it is written down for which others it would
have been the same. One run of a rule therefore tells its result for a whole set of secrets.

The count of turns, and fields that no rule may read, are watched in ways of their own.
"""

from __future__ import annotations

import operator
from operator import is_
from typing import TYPE_CHECKING, Any

import msgspec

from trapline.solve.interface import Unsuited

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class CountsTurns(Unsuited):
    """The rules look at the number of turns, other than for a limit."""


class Watch:
    """One thing whose value a rule may ask for: every value it may have, and one of them."""

    def __init__(self, values: Sequence[int]) -> None:
        self.index = 0
        self.same = -1
        """Bit i is set if the i-th value would have given all the same answers so far."""
        self._masks: dict[tuple[int, Any], int] = {}
        self._derived: dict[tuple[int, str, int, bool], Watched] = {}
        self._combined: dict[tuple[int, str, int], Watched] = {}
        self._kept: list[Watched] = []
        self.number = self._keep(tuple(values))

    def begin(self, index: int) -> None:
        """Answer for the value of that index from now on."""
        self.index, self.same = index, -1

    def tell(self, number: Watched) -> int:
        """The number's value; remembers for which others it is the same."""
        value = number.values[self.index]
        key = (number.key, value)
        mask = self._masks.get(key)
        if mask is None:
            mask = sum(1 << i for i, found in enumerate(number.values) if found == value)
            self._masks[key] = mask
        self.same &= mask
        return value

    def derive(self, number: Watched, name: str, with_number: int, *, reflected: bool) -> Watched:
        """The number combined with a plain one, for all its values."""
        key = (number.key, name, with_number, reflected)
        found = self._derived.get(key)
        if found is None:
            apply = _OPERATIONS[name]
            values = (
                (apply(with_number, value) for value in number.values)
                if reflected
                else (apply(value, with_number) for value in number.values)
            )
            found = self._derived[key] = self._keep(tuple(int(value) for value in values))
        return found

    def combine(self, one: Watched, name: str, two: Watched) -> Watched:
        key = (one.key, name, two.key)
        found = self._combined.get(key)
        if found is None:
            apply = _OPERATIONS[name]
            pairs = zip(one.values, two.values, strict=True)
            found = self._combined[key] = self._keep(tuple(int(apply(a, b)) for a, b in pairs))
        return found

    def _keep(self, values: tuple[int, ...]) -> Watched:
        number = Watched(self, len(self._kept), values)
        self._kept.append(number)
        return number


_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    name: getattr(operator, name)
    for name in (
        "add", "sub", "mul", "floordiv", "mod", "and_", "or_", "xor", "lshift", "rshift",
        "eq", "ne", "lt", "le", "gt", "ge",
    )
}  # fmt: skip


def _calculates(name: str, *, reflected: bool = False) -> Any:
    def method(self: Watched, other: Any) -> Any:
        if isinstance(other, Watched):
            if other.watch is self.watch:
                return self.watch.combine(self, name, other)
            other = int(other)
        if not isinstance(other, int):
            return NotImplemented
        return self.watch.derive(self, name, other, reflected=reflected)

    return method


def _compares(name: str) -> Any:
    calculate = _calculates(name)

    def method(self: Watched, other: Any) -> Any:
        found = calculate(self, other)
        return found if found is NotImplemented else found.__index__() != 0

    return method


class Watched:
    """A number of a watch, or one computed from it. It cannot be a key: tables remember keys."""

    __slots__ = ("key", "values", "watch")
    __hash__ = None  # type: ignore[assignment]  # it must not be a key

    def __init__(self, watch: Watch, key: int, values: tuple[int, ...]) -> None:
        self.watch, self.key, self.values = watch, key, values

    def __index__(self) -> int:
        return self.watch.tell(self)

    __int__ = __index__

    def __bool__(self) -> bool:
        return bool(self != 0)  # which tells less than the number itself

    def __repr__(self) -> str:
        return repr(self.__index__())

    def __format__(self, spec: str) -> str:
        return format(self.__index__(), spec)

    def __neg__(self) -> Any:
        return 0 - self

    def __invert__(self) -> Any:
        return -1 - self

    def bit_count(self) -> int:
        return self.__index__().bit_count()

    def bit_length(self) -> int:
        return self.__index__().bit_length()

    __add__, __radd__ = _calculates("add"), _calculates("add", reflected=True)
    __sub__, __rsub__ = _calculates("sub"), _calculates("sub", reflected=True)
    __mul__, __rmul__ = _calculates("mul"), _calculates("mul", reflected=True)
    __floordiv__, __rfloordiv__ = (
        _calculates("floordiv"),
        _calculates("floordiv", reflected=True),
    )
    __mod__, __rmod__ = _calculates("mod"), _calculates("mod", reflected=True)
    __and__, __rand__ = _calculates("and_"), _calculates("and_", reflected=True)
    __or__, __ror__ = _calculates("or_"), _calculates("or_", reflected=True)
    __xor__, __rxor__ = _calculates("xor"), _calculates("xor", reflected=True)
    __lshift__, __rlshift__ = _calculates("lshift"), _calculates("lshift", reflected=True)
    __rshift__, __rrshift__ = _calculates("rshift"), _calculates("rshift", reflected=True)
    __eq__, __ne__ = _compares("eq"), _compares("ne")
    __lt__, __le__ = _compares("lt"), _compares("le")
    __gt__, __ge__ = _compares("gt"), _compares("ge")


class Turn:
    """The count of turns as a rule may use it: add to it, and compare it with a limit.

    It stands for every count below the last turn of a limit, or for any at all without one.
    """

    __slots__ = ("limit", "more")
    __hash__ = None  # type: ignore[assignment]  # likewise

    def __init__(self, limit: int, more: int = 0) -> None:
        self.limit, self.more = limit, more

    def __add__(self, other: Any) -> Turn:
        if type(other) is not int:
            raise CountsTurns("The rules compute with the number of turns.")
        return Turn(self.limit, self.more + other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Turn:
        return self.__add__(-other)

    def _compare(self, name: str, other: Any) -> bool:
        """The answer, where it is the same for every count that this stands for."""
        apply = _OPERATIONS[name]
        if isinstance(other, Turn):
            return bool(apply(self.more, other.more))
        if type(other) is int:
            few, many = self.more, self.more + self.limit - 2
            first, last = apply(few, other), apply(many, other)
            if not self.limit:
                first, last = apply(few, other), apply(max(few, other) + 1, other)
            between = name in ("eq", "ne") and few <= other and (not self.limit or other <= many)
            if first == last and not between:
                return bool(first)
        raise CountsTurns("The rules ask how many turns there have been.")

    def __eq__(self, other: object) -> bool:
        return self._compare("eq", other)

    def __ne__(self, other: object) -> bool:
        return self._compare("ne", other)

    def __lt__(self, other: object) -> bool:
        return self._compare("lt", other)

    def __le__(self, other: object) -> bool:
        return self._compare("le", other)

    def __gt__(self, other: object) -> bool:
        return self._compare("gt", other)

    def __ge__(self, other: object) -> bool:
        return self._compare("ge", other)

    def __bool__(self) -> bool:
        return self._compare("ne", 0)

    def _counts(self, *_: object) -> Any:
        raise CountsTurns("The rules compute with the number of turns.")

    __index__ = __int__ = __rsub__ = __mod__ = __rmod__ = __mul__ = __rmul__ = _counts
    __floordiv__ = __rfloordiv__ = __and__ = __rand__ = __or__ = __ror__ = _counts
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __xor__ = __rxor__ = _counts
    __neg__ = __invert__ = __repr__ = _counts


def _refuses(*_: object, **__: object) -> Any:
    raise Unsuited("The rules read something that is meant for boards alone.")


def _passes(self: Sealed, *_: object) -> Sealed:
    return self


class Sealed:
    """Something that rules may hand on, and put together, and not read."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]  # likewise
    __index__ = __int__ = __bool__ = __repr__ = __iter__ = __getattr__ = _refuses
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuses
    __add__ = __radd__ = __sub__ = __rsub__ = __invert__ = __neg__ = _passes
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _passes
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _passes


def seal(value: Any) -> Any:
    """The same shape, with nothing in it that can be read."""
    return tuple(seal(part) for part in value) if isinstance(value, tuple) else Sealed()


_USUAL = frozenset({int, bool, str, float, type(None)})


def plain(value: Any) -> Any:
    """The value as rules would have made it from plain numbers: what is watched is told."""
    kind = type(value)
    if kind in _USUAL:
        return value
    if kind is tuple:
        parts = tuple(map(plain, value))
        return value if all(map(is_, parts, value)) else parts
    if kind is Watched:
        return value.__index__()
    if kind in (Turn, Sealed):
        return 0
    if isinstance(value, msgspec.Struct):
        names = value.__struct_fields__
        fields = [getattr(value, name) for name in names]
        told = [plain(part) for part in fields]
        if not all(map(is_, told, fields)):
            return msgspec.structs.replace(value, **dict(zip(names, told, strict=True)))
    return value
