"""Check a proof of what a game is worth: python check.py FILE

A certificate holds a strategy for whoever moves first and one for whoever moves second, in
fractions. This program states the rules of the five rulebooks once more, in its own words, lets
the best possible opponent play against each strategy, and says what is proven. It needs nothing
but Python, believes nothing that the certificate says about the result, and is meant to be read.

A strategy is a machine. It hides a secret by chance and then stands on a node. A node says how
often each move is made there, and where each thing that the player sees leads; what is not
listed leads nowhere. What is seen is written "1:2" for two steps of player 1, "1:2!" if they
ended on a trap, "1:3,4" for a cell, "1:t" for a trap set and "1:x" for one that failed.
"""

from __future__ import annotations

import json
import sys
import threading
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import gcd, lcm

DEFAULTS = {
    "hidden-path": {"length": 10, "traps": 3, "max_step": 3, "goal_traps": True, "walls": True},
    "trap-builder": {"length": 10, "traps": 3, "max_step": 3, "trigger": "landing", "walls": True},
    "trap-runner": {"length": 10, "max_step": 3, "turn_limit": 200},
    "secret-paths": {"size": 5, "turn_limit": 200},
    "numeric-maze": {"length": 20, "traps": [5, 10, 15], "max_step": 3, "turn_limit": 200},
}


class Wrong(Exception):
    """A part of the certificate that does not hold."""


# --- the rules ----------------------------------------------------------------------------
# A state is (mover, turn, rest); seats are 0 and 1, and seat 0 moves first. `after` gives the
# next state, or the result for seat 0, and what each of the two sees of the move.


class Rules:
    def __init__(self, game: str, options: dict) -> None:
        unknown = set(options) - set(DEFAULTS[game])
        if unknown:
            raise Wrong(f"{game} has no option {min(unknown)}")
        self.__dict__.update(DEFAULTS[game] | options)

    def secrets(self, seat: int) -> list:
        return [()]

    def steps(self, at: int) -> list:
        return [str(n) for n in range(1, min(self.max_step, self.length - at) + 1)]

    def quick(self, machine: "Machine") -> "Fraction | None":
        return None

    def limit(self, turn: int) -> bool:
        return turn == getattr(self, "turn_limit", 0)


def walls(traps: tuple, width: int) -> bool:
    return any(all(t + k in traps for k in range(width)) for t in traps)


class HiddenPath(Rules):
    def secrets(self, seat: int) -> list:
        last = self.length if self.goal_traps else self.length - 1
        sets = combinations(range(1, last + 1), self.traps)
        return [s for s in sets if self.walls or not walls(s, self.max_step)]

    def start(self, one: tuple, two: tuple) -> tuple:
        return 0, 0, ((0, 0), (frozenset(one), frozenset(two)))

    def moves(self, state: tuple) -> list:
        return self.steps(state[2][0][state[0]])

    def after(self, state: tuple, move: str) -> tuple:
        me, turn, (at, traps) = state
        to, theirs, mark = at[me] + int(move), traps[1 - me], ""
        if to in theirs:
            theirs, to, mark = theirs - {to}, 0, "!"
        seen = f"{me + 1}:{move}{mark}"
        if to == self.length:
            return 1 - 2 * me, seen, seen
        at = (to, at[1]) if me == 0 else (at[0], to)
        traps = (traps[0], theirs) if me == 0 else (theirs, traps[1])
        return (1 - me, turn + 1, (at, traps)), seen, seen


    def quick(self, machine: "Machine") -> "Fraction | None":
        """What a strategy keeps that runs by its own journey alone, against an opponent who is
        even told how many moves it will need: an easy bound, and often the best there is."""
        me, nodes = machine.seat, {node for _, _, node in machine.secrets}
        if len(nodes) > 1 or any(not seen.startswith(f"{me + 1}:") for _, following in machine.nodes
                                 for seen in following):  # fmt: skip
            return None
        hidden = tuple((frozenset(secret), chance) for secret, chance, _ in machine.secrets)

        @cache
        def arrives(at: int, worlds: tuple, left: int) -> Fraction:
            """The best chance to be home within so many moves."""
            best = Fraction(0)
            for to in range(at + 1, min(at + self.max_step, self.length) + 1) if left else ():
                safe = tuple((traps, chance) for traps, chance in worlds if to not in traps)
                met = tuple((traps - {to}, chance) for traps, chance in worlds if to in traps)
                home = to == self.length
                won = sum(c for _, c in safe) if home else safe and arrives(to, safe, left - 1) or 0
                best = max(best, won + (arrives(0, met, left - 1) if met else 0))
            return best

        @cache
        def loses(node: int, at: int, traps: frozenset, moves: int) -> Fraction:
            """The chance to lose from here on, against these traps."""
            total = Fraction(0)
            for move, chance in machine.play(node, self.steps(at)):
                to = at + int(move)
                if to not in traps and to == self.length:
                    total += chance * arrives(0, hidden, moves + me)
                    continue
                caught = to in traps
                after = machine.follow(node, f"{me + 1}:{move}{'!' if caught else ''}")
                total += chance * loses(after, 0 if caught else to, traps - {to}, moves + 1)
            return total

        return 1 - 2 * max(loses(*nodes, 0, frozenset(s), 0) for s in self.secrets(1 - me))


class TrapBuilder(Rules):
    def secrets(self, seat: int) -> list:
        sets = combinations(range(1, self.length), self.traps)
        return [s for s in sets if self.walls or not walls(s, self.max_step)]

    def start(self, one: tuple, two: tuple) -> tuple:
        return 0, 0, ((0, self.length), (one, two))

    def moves(self, state: tuple) -> list:
        me, _, (at, _) = state
        way = 1 - 2 * me
        targets = {n: at[me] + way * n for n in range(1, self.max_step + 1)}
        return [
            str(n) for n, to in targets.items() if 0 <= to <= self.length and to != at[1 - me]
        ]

    def after(self, state: tuple, move: str) -> tuple:
        me, turn, (at, traps) = state
        way, seen = 1 - 2 * me, f"{me + 1}:{move}"
        to = at[me] + way * int(move)
        passed = range(at[me] + way, to + way, way) if self.trigger == "passing" else [to]
        if any(place in traps[1 - me] for place in passed):
            return 2 * me - 1, seen, seen
        if to == self.length * (1 - me):
            return 1 - 2 * me, seen, seen
        return (1 - me, turn + 1, ((to, at[1]) if me == 0 else (at[0], to), traps)), seen, seen


class NumericMaze(Rules):
    def start(self, one: tuple, two: tuple) -> tuple:
        return 0, 0, (0, 0)

    def moves(self, state: tuple) -> list:
        return self.steps(state[2][state[0]])

    def after(self, state: tuple, move: str) -> tuple:
        me, turn, at = state
        to, seen = at[me] + int(move), f"{me + 1}:{move}"
        if to == self.length:
            return 1 - 2 * me, seen, seen
        to = 0 if to in self.traps else to
        if self.limit(turn + 1):
            return 0, seen, seen
        return (1 - me, turn + 1, (to, at[1]) if me == 0 else (at[0], to)), seen, seen


class SecretPaths(Rules):
    def secrets(self, seat: int) -> list:
        return [(self.size if seat == 0 else 1, column) for column in range(1, self.size + 1)]

    def start(self, one: tuple, two: tuple) -> tuple:
        middle = (self.size + 1) // 2
        return 0, 0, ((middle, middle), (one, two))

    def moves(self, state: tuple) -> list:
        row, column = state[2][0]
        around = [(r, c) for r in (row - 1, row, row + 1) for c in (column - 1, column, column + 1)]
        inside = range(1, self.size + 1)
        return [f"{r},{c}" for r, c in around
                if r in inside and c in inside and (r, c) != (row, column)]  # fmt: skip

    def after(self, state: tuple, move: str) -> tuple:
        me, turn, (_, goals) = state
        to, seen = tuple(map(int, move.split(","))), f"{me + 1}:{move}"
        if to == goals[me]:
            return 1 - 2 * me, seen, seen
        if self.limit(turn + 1):
            return 0, seen, seen
        return (1 - me, turn + 1, (to, goals)), seen, seen


class TrapRunner(Rules):
    """rest: positions, who goes back, traps, and the step whose trap question is open."""

    def start(self, one: tuple, two: tuple) -> tuple:
        return 0, 0, ((0, 0), (False, False), (frozenset(), frozenset()), 0)

    def moves(self, state: tuple) -> list:
        me, _, (at, back, traps, step) = state
        here = 0 if back[me] else at[me]
        if not step:
            return self.steps(here)
        return ["n"] if here in traps[me] else ["n", "t"]

    def after(self, state: tuple, move: str) -> tuple:
        me, turn, (at, back, traps, step) = state
        here, theirs, mine = 0 if back[me] else at[me], traps[1 - me], traps[me]
        told = ["", ""]
        if not step:
            step = int(move)
            caught = "!" if here + step in theirs else ""
            told[me] = f"{me + 1}:{move}{caught}"
            if here > 0 and here + step < self.length:
                return (me, turn, (at, back, traps, step)), *told  # the other sees nothing yet
        else:
            told[me] = f"{me + 1}:{'x' if move == 't' and here in theirs else move}"
            mine = mine | {here} if told[me].endswith("t") else mine
        to = here + step
        told[1 - me] = f"{me + 1}:{step}{'!' if to in theirs else ''}"
        if to == self.length:
            return 1 - 2 * me, *told
        pair = lambda new, old: (new, old[1]) if me == 0 else (old[0], new)  # noqa: E731
        at, back, traps = pair(to, at), pair(to in theirs, back), pair(mine, traps)
        if self.limit(turn + 1) or all(self.shut(at, back, traps, seat) for seat in (0, 1)):
            return 0, *told
        return (1 - me, turn + 1, (at, back, traps, 0)), *told

    def shut(self, at: tuple, back: tuple, traps: tuple, seat: int) -> bool:
        here = 0 if back[seat] else at[seat]
        return walls(tuple(t for t in traps[1 - seat] if t > here), self.max_step)


GAMES = dict(zip(DEFAULTS, (HiddenPath, TrapBuilder, TrapRunner, SecretPaths, NumericMaze)))


# --- a strategy against everybody ---------------------------------------------------------


class Machine:
    """A strategy as the certificate writes it, every number checked."""

    def __init__(self, written: dict, rules: Rules, seat: int) -> None:
        self.seat = seat
        self.nodes = [
            (chances(node.get("moves", {})), dict(node.get("next", {}))) for node in written["nodes"]
        ]
        allowed = set(rules.secrets(seat))
        self.secrets = []
        for secret, chance, node in written["secrets"]:
            if tuple(secret) not in allowed:
                raise Wrong(f"player {seat + 1} cannot hide {secret}")
            self.secrets.append((tuple(secret), Fraction(chance), int(node)))
        if sum(c for _, c, _ in self.secrets) != 1 or any(c < 0 for _, c, _ in self.secrets):
            raise Wrong(f"the chances of player {seat + 1}'s secrets do not add up to 1")

    def play(self, node: int, legal: list) -> list:
        moves = self.nodes[node][0]
        if not moves or not set(moves) <= set(legal):
            raise Wrong(f"player {self.seat + 1}'s strategy has no legal move on node {node}")
        return [(move, chance) for move, chance in moves.items() if chance]

    def follow(self, node: int, seen: str) -> int:
        return self.nodes[node][1].get(seen, node) if seen else node


def chances(written: dict) -> dict:
    found = {move: Fraction(chance) for move, chance in written.items()}
    if found and (sum(found.values()) != 1 or min(found.values()) < 0):
        raise Wrong("the chances on a node do not add up to 1")
    return found


def kept(rules: Rules, machine: Machine) -> Fraction:
    """What the strategy gets at least, whatever the opponent hides and does."""
    memory: dict = {}

    def worst(worlds: dict) -> Fraction | int:
        """Worlds that the opponent cannot tell apart, with their weights; the result is the least
        that all of them together are worth to the strategy."""
        scale = gcd(*worlds.values())
        key = frozenset((world, weight // scale) for world, weight in worlds.items())
        if key not in memory:
            memory[key] = choose(dict(key))
        return scale * memory[key]

    def choose(worlds: dict) -> Fraction | int:
        state = next(iter(worlds))[0]
        if state[0] == machine.seat:
            branches = {}
            for (state, node), weight in worlds.items():
                for move, chance in machine.play(node, rules.moves(state)):
                    spread(branches, state, node, move, weight * chance)
            return total(branches)
        values = []
        for move in rules.moves(state):
            branches = {}
            for (state, node), weight in worlds.items():
                spread(branches, state, node, move, weight)
            values.append(total(branches))
        return min(values)

    def spread(branches: dict, state: tuple, node: int, move: str, weight: Fraction | int) -> None:
        """Add what a move leads to, apart by what the opponent sees."""
        result, *seen = rules.after(state, move)
        group = branches.setdefault(seen[1 - machine.seat], [0, {}])
        if isinstance(result, int):
            group[0] += weight * (result if machine.seat == 0 else -result)
        else:
            world = (result, machine.follow(node, seen[machine.seat]))
            group[1][world] = group[1].get(world, 0) + weight

    def total(branches: dict) -> Fraction | int:
        value: Fraction | int = 0
        for won, worlds in branches.values():
            value += won
            if worlds:
                whole = lcm(*(Fraction(w).denominator for w in worlds.values()))
                value += Fraction(worst({x: int(w * whole) for x, w in worlds.items()})) / whole
        return value

    values = []
    for other in rules.secrets(1 - machine.seat):
        memory.clear()
        branches: dict = {"": [0, {}]}
        for secret, chance, node in machine.secrets:
            pair = (secret, other) if machine.seat == 0 else (other, secret)
            if chance:
                branches[""][1][rules.start(*pair), node] = chance
        values.append(Fraction(total(branches)))
    return min(values)


def check(certificate: dict) -> tuple[Fraction, Fraction]:
    """What a certificate proves: the value for who moves first lies between these two."""
    if certificate.get("certificate") != "trapline 1":
        raise Wrong('this is not a certificate: it does not begin with "trapline 1"')
    game = certificate.get("game")
    if game not in GAMES:
        raise Wrong(f"this program does not know the rules of {game}")
    rules = GAMES[game](game, certificate.get("options", {}))
    bounds = [Fraction(-1), Fraction(1)]
    for seat, name in enumerate(("first", "second")):
        written = certificate.get(name)
        if written is not None:
            machine = Machine(written, rules, seat)
            for value in (rules.quick(machine), kept):  # the easy way, then the whole one
                value = kept(rules, machine) if value is kept else value
                bounds[seat] = value if seat == 0 or value is None else -value
                if str(bounds[seat]) == written.get("value"):
                    break
            else:
                raise Wrong(f"the strategy of who moves {name} proves {bounds[seat]}, "
                            f"not {written.get('value')}")  # fmt: skip
    return bounds[0], bounds[1]


def main() -> None:
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            low, high = check(json.load(file))
    except Wrong as wrong:
        sys.exit(f"not proven: {wrong}.")
    except (OSError, ValueError, KeyError, TypeError, IndexError, ZeroDivisionError,
            AttributeError, RecursionError) as error:  # fmt: skip
        sys.exit(f"not proven: the certificate cannot be read ({type(error).__name__}: {error}).")
    print(f"proven: value between {low} and {high}")


if __name__ == "__main__":
    sys.setrecursionlimit(20_000)
    threading.stack_size(512 * 1024 * 1024)
    done: list = []
    thread = threading.Thread(target=lambda: done.append(_guarded()))

    def _guarded() -> object:
        try:
            main()
        except SystemExit as leaving:
            return leaving.code
        return 0

    thread.start()
    thread.join()
    sys.exit(done[0] if done else 1)
