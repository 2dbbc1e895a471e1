"""Certificates: strategies in whole numbers, which programs that know nothing of ours can check.

docs/certificates.md says how they are written. What a certificate claims is computed by the very
program that others will check it with, so nothing is claimed that would be refused.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from errno import EISDIR, ENOENT
from fractions import Fraction
from functools import cache
from math import lcm
from os import strerror
from typing import TYPE_CHECKING, Any

from trapline.core import SEATS, plural
from trapline.games import GAMES, changed_options
from trapline.home import proofs_folder
from trapline.solve.interface import ROUNDING, Uncertified
from trapline.solve.memory import Budget, told

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from pathlib import Path
    from types import ModuleType

    from trapline.core import Form, Game, Seat
    from trapline.solve.interface import Machine, Solution

KIND = "trapline 1"
PARTS: dict[Seat, str] = {1: "first", 2: "second"}
SIMPLE = (60, 1_000, 100_000)
"""Denominators that are tried, one after the other, before a chance is rounded."""
CLOSE = (ROUNDING, 1e-5)
"""How far a chance may be from the fraction that it is taken for; which is best is tried out."""
FINE = 10**12
"""What chances that are no simple fractions are rounded to, and bounds, away from the value."""
LONGEST_FRACTION = 40
"""Bounds with more characters are rounded."""
NODE_BYTES = 2_000
"""What a node of a strategy takes until those that do the same are one."""
CHECKED_IN_A_MINUTE = 20_000
"""Nodes that the checker goes through, roughly; fewer are not worth a word beforehand."""
CLOSE_ENOUGH = 1e-4
"""A certificate rounds chances, which may cost it as much."""

Written = dict[str, Any]


def certificate(solution: Solution, say: Callable[[str], object] = lambda _: None) -> Written:
    """The proof of a solution's bounds, ready to be written as JSON; Uncertified where there is
    none that others could check. What will take minutes is said beforehand."""
    game = solution.game
    check_known(game.name, game.title)
    written = {
        "certificate": KIND,
        "game": game.name,
        "options": changed_options(game),
        "rules": rules_digest(game),
    }
    low, high = solution.bounds
    parts: Written = {}
    bounds = []
    for role, wanted in zip(SEATS, (low, -high), strict=True):
        bound = Fraction(-1)  # which needs no proof
        if wanted > -1 + ROUNDING:
            values, part = best_written(written, solution.machine(role), role, wanted, say)
            bound = min(values)
            said = {"values": [str(value) for value in values]}
            parts |= {PARTS[role]: said | part} if bound > -1 else {}
        bounds.append(bound if role == 1 else -bound)
    return written | {"bounds": [str(bound) for bound in bounds]} | parts


def check_known(name: str, title: str) -> None:
    """Raises Uncertified for a game whose rules the checkers do not state."""
    if name not in GAMES:
        raise Uncertified(
            "A certificate is checked by a program that states the rules itself, and it knows the "
            f"{len(GAMES)} rulebooks only: {title} is not one of them. If it is small, `trapline "
            "efg` writes it as a Gambit file, and the solution of that has a certificate."
        )


def check_folder(path: Path) -> None:
    """Raises OSError where no file of that name could be written."""
    if path.is_dir():
        raise IsADirectoryError(EISDIR, strerror(EISDIR), str(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(ENOENT, strerror(ENOENT), str(path))


def write(written: Written, path: Path) -> None:
    path.write_bytes(encoded(written))


def shortfall(written: Written, found: tuple[float, float]) -> str:
    """Says it where a certificate proves less than was found; else nothing."""
    low, high = (float(Fraction(bound)) for bound in written["bounds"])
    lower, upper = found
    if low >= lower - CLOSE_ENOUGH and high <= upper + CLOSE_ENOUGH:
        return ""
    return (
        "That is less than was found: a strategy as large takes the checker more work than it will "
        "do.\n"
    )


def encoded(found: Written) -> bytes:
    """One part a line, so that a person can look at it."""
    parts = (f"{json.dumps(k)}: {json.dumps(v, separators=(',', ':'))}" for k, v in found.items())
    return ("{" + ",\n ".join(parts) + "}\n").encode()


def rules_digest(game: Game[Any]) -> str:
    """Of the page of rules, as text."""
    return hashlib.sha256(type(game).rules().encode()).hexdigest()


# --- strategies in whole numbers ----------------------------------------------------------


def best_written(
    written: Written,
    machine: Machine,
    role: Seat,
    wanted: float,
    say: Callable[[str], object] = lambda _: None,
) -> tuple[list[Fraction], Written]:
    """The way to write a machine that keeps most, and what it keeps against each secret.

    Chances are meant to be simple fractions more often than their last digits show.
    """
    found: list[tuple[list[Fraction], Written]] = []
    for close in CLOSE:
        part = written_machine(machine, close)
        if not found and len(part["nodes"]) > CHECKED_IN_A_MINUTE // 2:
            say(foreseen(role, len(part["nodes"])))
        found.append((kept(written, part, role, wanted), part))
        if min(found[-1][0]) >= wanted:
            break
    return max(found, key=lambda pair: min(pair[0]))


def foreseen(role: Seat, nodes: int) -> str:
    """How long a checker will be busy with a strategy."""
    minutes = plural(max(1, round(nodes / CHECKED_IN_A_MINUTE)), "minute")
    return (
        f"The strategy of whoever moves {PARTS[role]} has {plural(nodes, 'node')}: to check it "
        f"takes about {minutes}, now and for everybody who does so later.\n"
    )


def written_machine(machine: Machine, close: float = ROUNDING) -> Written:
    """A machine as a certificate holds it: each node once, and no two that do the same."""
    begin = list(machine.begin())
    order: list[Hashable] = list(dict.fromkeys(node for _, _, node in begin))
    numbers = {node: i for i, node in enumerate(order)}
    moves: list[dict[str, int]] = []
    leads: list[dict[str, int]] = []
    budget = Budget()
    for node in order:  # which grows while it is gone through
        moves.append(weights(machine.moves(node), close))
        leads.append({})
        for seen, after in machine.leads(node).items():
            if after not in numbers:
                numbers[after] = len(order)
                order.append(after)
            leads[-1][seen] = numbers[after]
        if len(order) * NODE_BYTES > budget.room:
            raise Uncertified(
                f"The strategy has {plural(len(order), 'node')} or more, and to write them down "
                f"takes more than the {told(budget.room)} of memory that there is for it."
            )
    kinds = _alike(moves, leads)
    first = dict(zip(reversed(kinds), reversed(range(len(kinds))), strict=True))
    chances = weights({str(i): chance for i, (_, chance, _) in enumerate(begin)}, close)
    return {
        "secrets": [
            [_listed(secret), chances[str(i)], kinds[numbers[node]]]
            for i, (secret, _, node) in enumerate(begin)
            if str(i) in chances
        ],
        "nodes": [
            [moves[node], _changes(kinds, leads[node], kind)]
            for kind, node in sorted(first.items())
        ],
    }


def weights(chances: dict[str, float], close: float = ROUNDING) -> dict[str, int]:
    """Chances as whole numbers: those of the simplest fractions that fit, or else rounded."""
    used = {name: chance for name, chance in chances.items() if chance > close}
    for largest in SIMPLE:
        simple = {name: Fraction(c).limit_denominator(largest) for name, c in used.items()}
        fits = all(abs(float(simple[name]) - c) < close for name, c in used.items())
        if used and fits and sum(simple.values()) == 1:
            whole = lcm(*(chance.denominator for chance in simple.values()))
            return {name: int(chance * whole) for name, chance in simple.items()}
    return {name: round(chance * FINE) for name, chance in used.items()}


def _listed(secret: Form | None) -> list[Any]:
    return list(secret) if isinstance(secret, tuple) else []


def _alike(moves: list[dict[str, int]], leads: list[dict[str, int]]) -> list[int]:
    """For each node its kind, by number: nodes of one kind do the same, whatever is seen."""
    kinds = _numbered([tuple(sorted(node.items())) for node in moves])
    while True:
        signs = [
            (kind, tuple(sorted(_changes(kinds, seen, kind).items())))
            for kind, seen in zip(kinds, leads, strict=True)
        ]
        finer = _numbered(signs)
        if finer == kinds:
            return kinds
        kinds = finer


def _changes(kinds: list[int], leads: dict[str, int], kind: int) -> dict[str, int]:
    """What leads to a node of another kind: what is not listed changes nothing."""
    return {seen: kinds[node] for seen, node in leads.items() if kinds[node] != kind}


def _numbered(signs: list[Any]) -> list[int]:
    numbers: dict[Any, int] = {}
    return [numbers.setdefault(sign, len(numbers)) for sign in signs]


# --- what they keep -------------------------------------------------------------------------


@cache
def program(name: str) -> ModuleType:
    """A program that others check certificates with, loaded from where it lies."""
    spec = importlib.util.spec_from_file_location(f"proofs_{name}", proofs_folder() / f"{name}.py")
    if spec is None or spec.loader is None:
        raise Uncertified(f"The checker, proofs/{name}.py, is not where it should be.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def checker() -> ModuleType:
    """The one that states the rules of the rulebooks."""
    return program("check")


def kept(written: Written, part: Written, role: Seat, wanted: float) -> list[Fraction]:
    """The most that the checker finds a strategy to keep, in fractions that are not too long:
    against each secret of the other, in their order.

    The quicker of its proofs comes first, and is enough where it keeps all that is wanted.
    """
    rulebooks, seat = checker(), role - 1
    best: list[Fraction] | None = None
    for kind in rulebooks.GAMES[written["game"]]:
        try:
            rules = kind(written["options"], seat)
            proven = rules.proof(rules, rulebooks.Strategy(part, rules))
        except (ValueError, RecursionError) as error:
            if best is None:  # then the checker, too, gives up before it tries another proof
                raise Uncertified(f"The checker could not follow this proof: {error}.") from None
            break
        found = [Fraction(value) for value in proven]
        best = found if best is None else max(best, found, key=min)
        if min(best) >= wanted - ROUNDING:
            break
    assert best is not None
    return [short(value) for value in best]


def short(value: Fraction) -> Fraction:
    """No more than it, and quickly read."""
    return value if len(str(value)) <= LONGEST_FRACTION else Fraction(value * FINE // 1, FINE)
