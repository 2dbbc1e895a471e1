"""Certificates with a fault in one place, drawn over all of their parts."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

from bench.proofs import FAMILIES

if TYPE_CHECKING:
    from random import Random

GAMES = tuple(FAMILIES)
NUMBERS = (0, 1, -1, 2, 3, 7, 60, 2**53 - 1, 2**53, 10**30, 1.5, 1.0, -0.0, True, False, None, "1")
STRANGE: tuple[Any, ...] = (None, True, "", "x", [], {}, [[]], [1], {"1": 1}, 5, -5, 0.1)
BOUNDS = (
    "1", "-1", "0", "1/3", "-1/3", "13/27", "14/27", "5/9", "-3/7", "1/2", "2", "-2", "1/0", "-0",
    "1/-2", "0.5", "1e2", "", "one", "1/3/5", " 1", "+1", "9" * 98, "9" * 200, 1, None, ["1"],
)  # fmt: skip
OPTIONS: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    3,
    99,
    100,
    10**20,
    2.0,
    "landing",
    "3",
    [],
    [3],
    {},
    [5, 5],
)


def mutant(base: dict[str, Any], rng: Random) -> str:
    """The text of a certificate with one fault; now and then with two, or three."""
    found = copy.deepcopy(base)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        rng.choice(WAYS)(found, rng)
    text = json.dumps(found)
    return rng.choice(TEXTS)(text, rng) if rng.random() < 0.05 else text


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a certificate: what holds it, and by which name or number."""
    found: list[tuple[Any, Any]] = []
    names = value.keys() if isinstance(value, dict) else range(len(value))
    for name in names:
        found.append((value, name))
        if isinstance(value[name], dict | list):
            found += _places(value[name])
    return found


def _inside(found: dict[str, Any]) -> list[tuple[Any, Any]]:
    """The places inside of the strategies, or all where there are none."""
    parts = [found[mover] for mover in ("first", "second") if isinstance(found.get(mover), dict)]
    return [place for part in parts for place in _places(part)] or _places(found)


def a_number(found: dict[str, Any], rng: Random) -> None:
    places = [(h, n) for h, n in _inside(found) if isinstance(h[n], int)]
    if places:
        holder, name = rng.choice(places)
        near = holder[name] + rng.choice((-1, 1, 2))
        holder[name] = near if rng.random() < 0.5 else rng.choice(NUMBERS)


def a_name(found: dict[str, Any], rng: Random) -> None:
    """Another name for a move, or for what is seen; the old place goes with it."""
    places = [(h, n) for h, n in _inside(found) if isinstance(h, dict)]
    if places:
        holder, name = rng.choice(places)
        seat, move = (
            rng.choice("123"),
            rng.choice(("1", "2", "3", "4", "9", "0", "1,1", "2,2", "x")),
        )
        new = rng.choice(
            (move, f"{seat}:{move}", f"{seat}:{move}!", name[:-1], name + "!", "nodes")
        )
        holder[new] = holder.pop(name)


def a_part(found: dict[str, Any], rng: Random) -> None:
    """Something is gone, doubled, or stands where something else was."""
    holder, name = rng.choice(_places(found) if rng.random() < 0.3 else _inside(found))
    other_holder, other_name = rng.choice(_inside(found))
    way = rng.randrange(4)
    if way == 0:
        del holder[name]
    elif way == 1 and isinstance(holder, list):
        holder.insert(name, copy.deepcopy(holder[name]))
    elif way == 2:
        kept = copy.deepcopy(holder[name])
        holder[name] = copy.deepcopy(other_holder[other_name])
        if other_name in other_holder if isinstance(other_holder, dict) else True:
            other_holder[other_name] = kept
    else:
        holder[name] = copy.deepcopy(rng.choice(STRANGE))


def an_option(found: dict[str, Any], rng: Random) -> None:
    """Of the small games, whose values are known; or nothing that any game allows."""
    family = FAMILIES.get(found["game"] if isinstance(found.get("game"), str) else "", {})
    options = found.get("options")
    if not isinstance(options, dict) or not family or rng.random() < 0.15:
        found["options"] = rng.choice(({}, {"length": 4}, [], None, {"x": 1}, {"size": "5"}))
        return
    if rng.random() < 0.6:
        for name, values in family.items():
            if rng.random() < 0.5:
                options[name] = rng.choice(values)
    else:
        options[rng.choice((*family, "lives"))] = rng.choice(OPTIONS)


def a_game(found: dict[str, Any], rng: Random) -> None:
    found["game"] = rng.choice((*GAMES, *GAMES, "chess", "", None, ["hidden-path"], 5))


def a_bound(found: dict[str, Any], rng: Random) -> None:
    bounds = found.get("bounds")
    if isinstance(bounds, list) and bounds and rng.random() < 0.9:
        bounds[rng.randrange(len(bounds))] = rng.choice(BOUNDS)
        if rng.random() < 0.2:
            bounds.reverse()
    else:
        found["bounds"] = rng.choice(
            ([], ["1"], ["1", "1", "1"], "11", None, {"0": "1"}, ["0", "0"])
        )


def a_swap(found: dict[str, Any], rng: Random) -> None:
    """The strategies change seats, or one stands in for both."""
    first, second = found.pop("first", None), found.pop("second", None)
    pairs = ((second, first), (first, first), (second, second), (None, second), (first, None))
    one, two = rng.choice(pairs)
    found |= {} if one is None else {"first": one}
    found |= {} if two is None else {"second": copy.deepcopy(two)}


def a_head(found: dict[str, Any], rng: Random) -> None:
    name = rng.choice(("certificate", "rules", "game", "options", "bounds", "first", "second"))
    if rng.random() < 0.5:
        found.pop(name, None)
    else:
        found[name] = rng.choice((*STRANGE, "trapline 1", "trapline 2"))


WAYS = (a_number, a_number, a_name, a_name, a_part, a_part, an_option, an_option, a_game, a_bound,
        a_bound, a_swap, a_head)  # fmt: skip


def _cut(text: str, rng: Random) -> str:
    return text[: rng.randrange(len(text))]


def _strewn(text: str, rng: Random) -> str:
    at = rng.randrange(len(text))
    return (
        text[:at] + rng.choice(('"', "{", "]", ",", "1", "é", "\x00", "NaN", "1e999")) + text[at:]
    )


def _doubled(text: str, rng: Random) -> str:
    """A name stands twice; the last one counts."""
    more = rng.choice(('"bounds":["1","1"]', '"first":{}', '"options":{"length":4}', '"x":1e999'))
    return text[:-1] + "," + more + "}"


TEXTS = (_cut, _strewn, _doubled)
