"""Check a proof of what a game is worth: python check.py FILE

It states the rules itself, lets the best opponent play, and believes no result: certificates.md.
"""

import json
import sys
from fractions import Fraction
from functools import cache
from itertools import combinations, product, zip_longest
from math import comb, gcd, lcm
from pathlib import Path

NUMBER, TURNS, SWITCH, WEIGHT = range(1, 100), range(1_000_001), (False, True), range(1, 2**53)


def must(holds, sentence):
    if not holds:
        raise ValueError(sentence)


def among(numbers, allowed):
    return all(type(number) is int and number in allowed for number in numbers)


def put(pair, seat, item):
    return (item, pair[1]) if seat == 0 else (pair[0], item)


class Strategy:
    # Secrets with nodes and weights; nodes with chances of moves, and where what is seen leads.
    def __init__(self, written, rules):
        places, hidden = range(len(written["nodes"])), rules.secrets(rules.hero)
        self.start, self.nodes, self.theirs = {}, [], (*rules.secrets(1 - rules.hero).values(),)
        for secret, weight, node in written["secrets"]:
            good = type(secret) is list and among(secret, NUMBER) and tuple(secret) in hidden
            must(good and among([weight], WEIGHT) and among([node], places), "a secret is wrong")
            self.start[hidden[tuple(secret)], node] = weight
        for moves, leads in written["nodes"]:
            must(among(moves.values(), WEIGHT) and among(leads.values(), places), "a node is wrong")
            whole, rules.work = sum(moves.values()), rules.work + rules.work_for_a_node
            self.nodes.append(({move: Fraction(w, whole) for move, w in moves.items()}, leads))
        must(self.start, "a strategy has no secrets")

    def chances(self, node, legal):  # a player for whom no move is listed resigns
        must(self.nodes[node][0].keys() <= set(legal), f"a move on node {node} is not legal")
        return self.nodes[node][0]

    def after(self, node, seat, seen):  # what is not listed changes nothing
        return self.nodes[node][1].get(f"{seat + 1}:{seen}", node)


def forced(rules, strategy):
    # The worst for the strategy's player, the hero, of all plays against one who knows everything.
    worst, turn, known, pairs = 1, 0, set(), product(strategy.start, strategy.theirs)
    layer = frozenset((rules.start, n, put((x, x), rules.hero, s)) for (s, n), x in pairs)
    while layer and (turn % 2, layer) not in known and turn != (rules.turn_limit or -1):
        mover, ahead, known = turn % 2, set(), known | {(turn % 2, layer)}
        for state, node, secrets in layer:
            turns = dict(rules.turns(state, mover, secrets[mover]))
            rules.spend(len(turns))
            moves = strategy.chances(node, turns) if mover == rules.hero else turns
            worst = worst if moves else -1
            for move, after in ((move, turns[move]) for move in moves):
                if type(after) is int:
                    worst = min(worst, after if mover == rules.hero else -after)
                else:
                    ahead.add((after, strategy.after(node, mover, move), secrets))
        layer, turn = frozenset(ahead), turn + 1
    return [min(worst, 0) if layer else worst] * len(strategy.theirs)  # what goes on is drawn


def expected(rules, strategy):
    # The average against an opponent who knows the strategy, and sees what the rules show.
    @cache
    def kept(mover, at, worlds, theirs):
        """For each secret the other may have: what all worlds (own secret, node, weight) get."""
        rules.spend(len(worlds) + len(theirs))
        heros = mover == rules.hero
        if type(at) is int:  # the result for who has moved last
            return dict.fromkeys(theirs, (at if heros else -at) * sum(w for *_, w in worlds))
        landings, parts = dict(rules.landings(at, mover)), []
        rows = {n: strategy.chances(n, landings) for _, n, _ in worlds if heros}
        for move, (way, *afters) in landings.items():
            parts.append(part := dict.fromkeys(theirs, 0))
            for caught, (then, there, acting) in enumerate(afters):
                ours, others = {}, [x for x in theirs if not heros or bool(x & way) == caught]
                mine, yours = (-1, acting) if heros else (acting, -1)
                for s, n, w in worlds:
                    if move in rows[n] if heros else bool(s & way) == caught:
                        node = strategy.after(n, mover, move + "!" * caught) if acting else 0
                        share = w * rows[n][move] if heros else w
                        ours[s & mine, node] = ours.get((s & mine, node), 0) + share
                if ours and others:  # worlds that differ in a factor alone are looked at once
                    below = lcm(*(w.denominator for w in ours.values()))
                    top = gcd(*(int(w * below) for w in ours.values()))
                    like = tuple(sorted((*k, int(w * below) // top) for k, w in ours.items()))
                    found = kept(then, there, like, tuple(sorted({x & yours for x in others})))
                    part |= {x: part[x] + Fraction(top, below) * found[x & yours] for x in others}
        total, resigned = sum if heros else min, sum(w for _, n, w in worlds if rows.get(n) == {})
        return {x: total(part[x] for part in parts) - resigned for x in theirs}

    worlds, whole = (*((*k, w) for k, w in strategy.start.items()),), sum(strategy.start.values())
    return [Fraction(x, whole) for x in kept(*rules.start, worlds, strategy.theirs).values()]


# The rules. Seat 0 moves first. A result is 1 if the mover wins and -1 if the other does.
class Rules:
    work, work_for_a_node, goal_traps, proof = 500_000, 1_000, False, staticmethod(forced)

    def __init__(self, given, hero):
        for name, value in given.items():
            usual, allowed = self.options.get(name, (None, ()))
            good = type(value) is type(usual) and (allowed is None or value in allowed)
            must(good, "an option is none of this game's, or has a value that it cannot have")
        self.__dict__.update({n: v for n, (v, _) in self.options.items()} | given | {"hero": hero})
        must(self.secrets(hero), "with these options nothing can be hidden")

    def spend(self, work):
        self.work -= work
        must(self.work > 0, "the proof takes more work than this program will do")

    def secrets(self, _seat):  # as they are written, and as bits
        last = self.length if self.goal_traps else self.length - 1
        must(comb(last, self.traps) <= 20_000, "there are too many secrets to list")
        sets = combinations(range(1, last + 1), self.traps)
        return {t: sum(1 << x for x in t) for t in sets if self.walls or not self.is_wall(t)}

    def ahead(self, here):
        return range(here + 1, min(here + self.max_step, self.length) + 1)

    def is_wall(self, traps):
        return any(all(t + k in traps for k in range(self.max_step)) for t in traps)


class HiddenPath(Rules):
    options = {"length": (10, NUMBER), "traps": (3, NUMBER), "max_step": (3, NUMBER),
               "goal_traps": (True, SWITCH), "walls": (True, SWITCH)}  # fmt: skip
    start, proof = (0, (0, 0)), staticmethod(expected)  # who moves, and positions

    def landings(self, at, seat):
        """For each move: where traps would act, as bits; what follows without one, and with one:
        who moves then, positions or a result, and where the other's traps act from now on."""
        for to in self.ahead(at[seat]):
            free = (seat, 1, 0) if to == self.length else (1 - seat, put(at, seat, to), -1)
            yield str(to - at[seat]), (1 << to, free, (1 - seat, put(at, seat, 0), ~(1 << to)))


class Told(HiddenPath):
    # A harder game for a hero who does not look at the other: the hero runs alone until home, and
    # then the other, who has seen that, has as many moves as they would have had.
    start = property(lambda self: (self.hero, ((0, 0), 0)))

    def landings(self, state, seat):
        (at, moves), heros = state, seat == self.hero
        for move, (way, *afters) in super().landings(at, seat):
            home = (1 - seat, ((0, 0), moves + seat), 0) if heros and moves + seat else (seat, 1, 0)
            more = moves + 1 if heros else moves - 1
            on = [(seat, (x[1], more), x[2]) if more else (seat, -1, 0) for x in afters]
            yield move, (way, home if afters[0][1] == 1 else on[0], on[1])


class TrapBuilder(Rules):
    options = {"length": (10, NUMBER[1:]), "traps": (3, NUMBER), "max_step": (3, NUMBER[1:]),
               "trigger": ("landing", ("landing", "passing")), "walls": (True, SWITCH)}  # fmt: skip
    start, proof = property(lambda self: (0, (0, self.length))), staticmethod(expected)

    def landings(self, at, seat):
        for n in range(1, self.max_step + 1):
            to, first = at[seat] + (1 - 2 * seat) * n, 1 if self.trigger == "passing" else n
            if 0 <= to <= self.length and to != at[1 - seat]:
                acting = sum(1 << at[seat] + (1 - 2 * seat) * k for k in range(first, n + 1))
                home, on = to == self.length * (1 - seat), (1 - seat, put(at, seat, to), -1)
                yield str(n), (acting, (seat, 1, 0) if home else on, (seat, -1, 0))


class Maze(Rules):
    options = {"length": (20, NUMBER[1:]), "traps": ([5, 10, 15], None), "max_step": (3, NUMBER),
               "turn_limit": (200, TURNS)}  # fmt: skip
    start, leaves_traps = ((0, 0), 0), False

    def secrets(self, _seat):
        good = among(self.traps, range(1, self.length)) and not self.is_wall(self.traps)
        must(good and len(set(self.traps)) == len(self.traps), "traps are where they cannot be")
        here = moves = 0
        while here < self.length:
            here, moves = max(x for x in self.ahead(here) if x not in self.traps), moves + 1
        must(not 0 < self.turn_limit < 2 * moves - 1, "nobody can win before the limit")
        return {(): 0}  # nothing

    def turns(self, state, seat, _secret):
        (at, left), here, heros = state, state[0][seat], seat == self.hero
        far = max(left, here) if self.leaves_traps and not heros else left
        for to in self.ahead(here):
            on = -1 if heros and to <= left else (put(at, seat, 0 if to in self.traps else to), far)
            yield str(to - here), 1 if to == self.length else on


class TrapRunner(Maze):
    # The hero sets no trap. The other may have one on every square up to the last one that they
    # have left, and the hero counts as lost who lands on such a square: that helps the other.
    options = {"length": (10, NUMBER[1:]), "max_step": (3, NUMBER), "turn_limit": (200, TURNS)}
    traps, leaves_traps = (), True


class SecretPaths(Rules):
    options = {"size": (5, (3, 5, 7, 9)), "turn_limit": (200, TURNS)}
    start = property(lambda self: (self.size // 2 + 1, self.size // 2 + 1))

    def secrets(self, seat):
        must(not 0 < self.turn_limit < self.size // 2, "nobody can win before the limit")
        return {c: c for c in product([1 if seat else self.size], range(1, self.size + 1))}

    def turns(self, cell, _seat, goal):
        to = product(*(range(max(1, x - 1), min(self.size, x + 1) + 1) for x in cell))
        yield from ((f"{x[0]},{x[1]}", 1 if x == goal else x) for x in to if x != cell)


GAMES = {"hidden-path": [Told, HiddenPath], "trap-runner": [TrapRunner], "numeric-maze": [Maze],
         "trap-builder": [TrapBuilder], "secret-paths": [SecretPaths]}  # fmt: skip


def check(text):  # gives the bounds that are claimed, if the strategies keep them
    numbers = "parse_float", "parse_constant"
    found = json.loads(text, **dict.fromkeys(numbers, lambda x: must(0, f"{x[:9]} is not whole")))
    must(found["certificate"] == "trapline 1" and found["game"] in GAMES, "its game is not known")
    claims = {mover: found.get(mover, {}).get("values", []) for mover in ("first", "second")}
    texts = sum(claims.values(), found["bounds"])
    must(max(map(len, texts)) < 99 and {*"".join(texts)} <= {*"-/0123456789"}, "a bound is none")
    low, high = map(Fraction, found["bounds"])
    must(-1 <= low <= high <= 1, "its bounds are not from -1 to 1, in order")
    for seat, (mover, claim) in enumerate((("first", low), ("second", -high))):
        games = [kind(found["options"], seat) for kind in GAMES[found["game"]]]
        kept = (x.proof(x, Strategy(found[mover], x)) for x in games if mover in found)
        pairs = (zip_longest(x, map(Fraction, claims[mover]), fillvalue=claim) for x in kept)
        good = claim == -1 or any(all(kept >= max(claim, x) for kept, x in game) for game in pairs)
        must(good, f"who moves {mover} keeps too little")
    return low, high


if __name__ == "__main__":
    try:
        must(len(sys.argv) == 2, "give the name of one file")
        bounds = check(Path(*sys.argv[1:]).read_text("utf-8"))
        answer = "proven: value between {} and {}".format(*bounds)
    except Exception as error:  # whatever a file holds gets a sentence
        known = isinstance(error, (OSError, ValueError))
        answer = f"Not proven: {error if known else 'it is not written as a certificate is'}."
    print(answer)
    sys.exit(answer[0] == "N")
