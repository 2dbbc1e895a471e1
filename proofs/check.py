"""Check a proof of what a game is worth: python check.py FILE

A certificate holds a strategy for whoever moves first and one for whoever moves second, in
fractions. This program states the rules of the five rulebooks once more, lets the best possible
opponent play against each strategy, and says what is proven. It needs nothing but Python, and
believes nothing that the certificate says about the result.

A strategy is a machine. It hides a secret by chance and stands on a node. A node says how often
each move is made there, and to which node each thing that the player sees leads; what is not
listed leads nowhere. What is seen is written "1:2" for two steps of player 1, "1:2!" if they
ended on a trap, "1:3,4" for a cell; in Trap Runner, by the player alone, "1:n" for no trap, "1:t"
for one that was set and "1:x" for one that failed.
"""

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
# A state is (mover, turn, rest). Seats are 0 and 1; 0 moves first. `after` gives the next state,
# or the result for seat 0, and then what seats 0 and 1 see of the move.


class Rules:
    turn_limit = 0

    def __init__(self, game, options):
        if not set(options) <= set(DEFAULTS[game]):
            raise Wrong(f"{game} has no option {min(set(options) - set(DEFAULTS[game]))}")
        self.__dict__.update(DEFAULTS[game] | options)

    def secrets(self, seat):
        return [()]

    def sets(self, last):
        sets = combinations(range(1, last + 1), self.traps)
        return [traps for traps in sets if self.walls or not self.wall(traps)]

    def wall(self, traps):
        return any(all(t + k in traps for k in range(self.max_step)) for t in traps)

    def steps(self, at):
        return [str(n) for n in range(1, min(self.max_step, self.length - at) + 1)]

    def quick(self, machine):
        return None


def with_item(pair, seat, item):
    return (item, pair[1]) if seat == 0 else (pair[0], item)


class HiddenPath(Rules):
    def secrets(self, seat):
        return self.sets(self.length if self.goal_traps else self.length - 1)

    def start(self, one, two):
        return 0, 0, ((0, 0), (frozenset(one), frozenset(two)))

    def moves(self, state):
        return self.steps(state[2][0][state[0]])

    def after(self, state, move):
        me, turn, (at, traps) = state
        to, theirs = at[me] + int(move), traps[1 - me]
        caught = to in theirs  # before the win: a trapped last step sends the runner back
        seen = f"{me + 1}:{move}{'!' if caught else ''}"
        if to == self.length and not caught:
            return 1 - 2 * me, seen, seen
        rest = with_item(at, me, 0 if caught else to), with_item(traps, 1 - me, theirs - {to})
        return (1 - me, turn + 1, rest), seen, seen

    def quick(self, machine):
        """What a strategy keeps that runs by its own journey alone, against an opponent who is
        even told how many moves it will need: an easy bound, and often the best there is."""
        me, starts = machine.seat, {node for _, _, node in machine.secrets}
        own = all(seen.startswith(f"{me + 1}:") for _, next_ in machine.nodes for seen in next_)
        if len(starts) > 1 or not own:
            return None

        @cache
        def arrives(at, worlds, left):
            """The opponent's best chance to be home within so many moves."""
            best = Fraction(0)
            for to in range(at + 1, min(at + self.max_step, self.length) + 1) if left else ():
                safe = tuple((traps, chance) for traps, chance in worlds if to not in traps)
                met = tuple((traps - {to}, chance) for traps, chance in worlds if to in traps)
                won = arrives(0, met, left - 1) if met else Fraction(0)
                if safe:
                    home = to == self.length
                    won += sum(c for _, c in safe) if home else arrives(to, safe, left - 1)
                best = max(best, won)
            return best

        @cache
        def loses(node, at, traps, moves):
            """The chance to lose from here on, against these traps."""
            total = Fraction(0)
            for move, chance in machine.play(node, self.steps(at)):
                to = at + int(move)
                if to == self.length and to not in traps:
                    total += chance * arrives(0, hidden, moves + me)
                    continue
                after = machine.follow(node, f"{me + 1}:{move}{'!' if to in traps else ''}")
                total += chance * loses(after, 0 if to in traps else to, traps - {to}, moves + 1)
            return total

        hidden = tuple((frozenset(secret), chance) for secret, chance, _ in machine.secrets)
        return 1 - 2 * max(loses(*starts, 0, frozenset(s), 0) for s in self.secrets(1 - me))


class TrapBuilder(Rules):
    def secrets(self, seat):
        return self.sets(self.length - 1)

    def start(self, one, two):
        return 0, 0, ((0, self.length), (one, two))

    def moves(self, state):
        me, _, (at, _) = state
        to = {n: at[me] + (n if me == 0 else -n) for n in range(1, self.max_step + 1)}
        return [str(n) for n in to if 0 <= to[n] <= self.length and to[n] != at[1 - me]]

    def after(self, state, move):
        me, turn, (at, traps) = state
        way, seen = 1 - 2 * me, f"{me + 1}:{move}"
        to = at[me] + way * int(move)
        met = range(at[me] + way, to + way, way) if self.trigger == "passing" else [to]
        if set(met) & set(traps[1 - me]):
            return -way, seen, seen
        if to == self.length * (1 - me):
            return way, seen, seen
        return (1 - me, turn + 1, (with_item(at, me, to), traps)), seen, seen


class TrapRunner(Rules):
    def start(self, one, two):
        """Positions, who goes back, traps, and the step whose trap question is open."""
        return 0, 0, ((0, 0), (False, False), (frozenset(), frozenset()), 0)

    def moves(self, state):
        me, _, (at, back, traps, step) = state
        here = 0 if back[me] else at[me]
        return self.steps(here) if not step else ["n"] if here in traps[me] else ["n", "t"]

    def after(self, state, move):
        me, turn, (at, back, traps, step) = state
        here, mine, theirs = 0 if back[me] else at[me], traps[me], traps[1 - me]
        told = ["", ""]
        if step:
            told[me] = f"{me + 1}:{'x' if move == 't' and here in theirs else move}"
            mine = mine | {here} if told[me].endswith("t") else mine
        to = here + (step or int(move))
        seen = f"{me + 1}:{to - here}{'!' if to in theirs else ''}"
        if not step:
            told[me] = seen
            if here > 0 and to < self.length:  # the other sees the turn when it is complete
                return (me, turn, (at, back, traps, int(move))), *told
        told[1 - me] = seen
        if to == self.length:
            return 1 - 2 * me, *told
        at, back = with_item(at, me, to), with_item(back, me, to in theirs)
        traps = with_item(traps, me, mine)
        walled = [self.wall([t for t in traps[1 - s] if t > (0 if back[s] else at[s])])
                  for s in (0, 1)]  # fmt: skip
        if all(walled) or turn + 1 == self.turn_limit:
            return 0, *told
        return (1 - me, turn + 1, (at, back, traps, 0)), *told


class SecretPaths(Rules):
    def secrets(self, seat):
        return [(self.size if seat == 0 else 1, column) for column in range(1, self.size + 1)]

    def start(self, one, two):
        middle = (self.size + 1) // 2
        return 0, 0, ((middle, middle), (one, two))

    def moves(self, state):
        row, column = state[2][0]
        near = [(row + r, column + c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]
        return [f"{r},{c}" for r, c in near if 1 <= r <= self.size and 1 <= c <= self.size]

    def after(self, state, move):
        me, turn, (_, goals) = state
        to, seen = tuple(map(int, move.split(","))), f"{me + 1}:{move}"
        if to == goals[me] or turn + 1 == self.turn_limit:
            return (1 - 2 * me if to == goals[me] else 0), seen, seen
        return (1 - me, turn + 1, (to, goals)), seen, seen


class NumericMaze(Rules):
    def start(self, one, two):
        return 0, 0, (0, 0)

    def moves(self, state):
        return self.steps(state[2][state[0]])

    def after(self, state, move):
        me, turn, at = state
        to, seen = at[me] + int(move), f"{me + 1}:{move}"
        if to == self.length or turn + 1 == self.turn_limit:
            return (1 - 2 * me if to == self.length else 0), seen, seen
        return (1 - me, turn + 1, with_item(at, me, 0 if to in self.traps else to)), seen, seen


GAMES = dict(zip(DEFAULTS, (HiddenPath, TrapBuilder, TrapRunner, SecretPaths, NumericMaze)))


# --- a strategy against everybody ---------------------------------------------------------


class Machine:
    """A strategy as the certificate writes it, every number checked."""

    def __init__(self, written, rules, seat):
        self.seat = seat
        self.nodes = [(dict(self.chances(node)), dict(node[1])) for node in written["nodes"]]
        self.secrets = [(tuple(s), Fraction(c), int(n)) for s, c, n in written["secrets"]]
        wrong = {secret for secret, _, _ in self.secrets} - set(rules.secrets(seat))
        if wrong:
            raise Wrong(f"player {seat + 1} cannot hide {min(wrong)}")
        self.must_be_chances([chance for _, chance, _ in self.secrets])

    def chances(self, node):
        found = [(move, Fraction(chance)) for move, chance in node[0].items()]
        if found:
            self.must_be_chances([chance for _, chance in found])
        return found

    def must_be_chances(self, numbers):
        if sum(numbers) != 1 or min(numbers) < 0:
            raise Wrong(f"chances of player {self.seat + 1} do not add up to 1")

    def play(self, node, legal):
        moves = self.nodes[node][0]
        if not moves or not set(moves) <= set(legal):
            raise Wrong(f"player {self.seat + 1} has no legal move on node {node}")
        return [(move, chance) for move, chance in moves.items() if chance]

    def follow(self, node, seen):
        return self.nodes[node][1].get(seen, node)


def kept(rules, machine):
    """What the strategy gets at least, whatever the opponent hides and does."""
    memory = {}

    def spread(branches, state, node, move, weight):
        """Add what a move leads to, apart by what the opponent sees."""
        result, *seen = rules.after(state, move)
        group = branches.setdefault(seen[1 - machine.seat], [0, {}])
        if isinstance(result, int):
            group[0] += weight * (result if machine.seat == 0 else -result)
        else:
            world = (result, machine.follow(node, seen[machine.seat]))
            group[1][world] = group[1].get(world, 0) + weight

    def least(branches):
        """What all branches are worth together, the opponent knowing in which one they are."""
        value = Fraction(0)
        for won, worlds in branches.values():
            value += won
            if worlds:
                whole = lcm(*(Fraction(weight).denominator for weight in worlds.values()))
                scale = gcd(*(int(weight * whole) for weight in worlds.values()))
                key = frozenset((w, int(weight * whole) // scale) for w, weight in worlds.items())
                if key not in memory:
                    memory[key] = choose(key)
                value += memory[key] * scale / whole
        return value

    def choose(worlds):
        """The same for worlds that the opponent cannot tell apart."""
        first = next(iter(worlds))[0][0]
        if first[0] == machine.seat:
            branches = {}
            for (state, node), weight in worlds:
                for move, chance in machine.play(node, rules.moves(state)):
                    spread(branches, state, node, move, weight * chance)
            return least(branches)
        values = []
        for move in rules.moves(first):
            branches = {}
            for (state, node), weight in worlds:
                spread(branches, state, node, move, weight)
            values.append(least(branches))
        return min(values)

    values = []
    for theirs in rules.secrets(1 - machine.seat):
        memory.clear()
        worlds = {}
        for mine, chance, node in machine.secrets:
            state = rules.start(*((mine, theirs) if machine.seat == 0 else (theirs, mine)))
            if chance:
                worlds[state, node] = worlds.get((state, node), 0) + chance
        values.append(least({"": [0, worlds]}))
    return min(values)


def check(certificate):
    """What a certificate proves: the value for who moves first lies between these two."""
    game, bounds = certificate["game"], [Fraction(-1), Fraction(1)]
    if certificate["certificate"] != "trapline 1" or game not in GAMES:
        raise Wrong("this is no certificate of a game whose rules this program knows")
    rules = GAMES[game](game, certificate["options"])
    for seat, who in enumerate(("first", "second")):
        if who not in certificate:
            continue  # then the bound is that nobody loses or wins more than one
        machine = Machine(certificate[who], rules, seat)
        for find in (rules.quick, lambda found: kept(rules, found)):  # the easy way, the whole one
            value = find(machine)
            bounds[seat] = -value if seat and value is not None else value
            if str(bounds[seat]) == certificate[who]["value"]:
                break
        else:
            raise Wrong(f"what who moves {who} does proves {bounds[seat]}, not what is claimed")
    return bounds


def main():
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            low, high = check(json.load(file))
    except Wrong as wrong:
        return f"not proven: {wrong}."
    except Exception as error:  # whatever a file holds, it gets a sentence
        return f"not proven: this cannot be read as a certificate ({type(error).__name__}: {error})."
    print(f"proven: value between {low} and {high}")
    return 0


if __name__ == "__main__":
    sys.setrecursionlimit(100_000)
    threading.stack_size(512 * 2**20)  # plays are followed by recursion
    ends = []
    thread = threading.Thread(target=lambda: ends.append(main()))
    thread.start()
    thread.join()
    sys.exit(ends[0])
