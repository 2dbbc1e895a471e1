"""Check a proof of what anybody's game is worth: python check_tree.py FILE

The game stands in the certificate as a Gambit file. Each strategy meets the best that the other
player could do, in fractions: certificates.md.
"""

import json
import re
import sys
from fractions import Fraction
from pathlib import Path

TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([{}])|([^\s{}",]+)', re.ASCII)
DECIMAL = r"-?\d{0,40}\.?\d{0,40}([eE][-+]?\d{1,2})?"
PLAYERS, FRACTION = (0, 1), re.compile(rf"-?\d{{1,400}}(/\d{{1,400}})?|{DECIMAL}", re.ASCII)


def must(holds, sentence):
    if not holds:
        raise ValueError(sentence)


def number(text):
    must(FRACTION.fullmatch(text), f"{text[:20]} is no number")
    return Fraction(text)


class Tree:
    # A Gambit file: node by node, parents before children.
    def __init__(self, text):
        self.words = [(m[1] is not None, m[1] or m[2] or m[3]) for m in TOKEN.finditer(text)][::-1]
        self.sets, self.draws, self.outcomes = {}, {}, {0: (Fraction(0), Fraction(0))}
        begin = [self.words.pop()[1] for _ in range(3)]
        must(begin in (["EFG", "2", "R"], ["EFG", "2", "D"]), "the tree does not begin with EFG 2")
        self.words.pop()  # its title
        must(len(self.list()) == 2, "the tree is not of two players")
        self.name()  # a comment

    def name(self):
        if self.words and self.words[-1][0]:
            self.words.pop()

    def list(self):  # what stands in braces, or None
        if self.words[-1:] != [(False, "{")]:
            return None
        found = []
        while (word := self.words.pop()) != (False, "}"):
            found.append(word[1])
        return found[1:]

    def described(self, known, at, read):  # things are described once, and then only named
        self.name()
        items = self.list()
        if items is not None:
            must(known.setdefault(at, read(items)) == read(items), f"{at} is described twice")
        must(at in known, f"{at} is never described")
        return known[at]

    def node(self):  # who moves, in which information set; how likely each way is; what it pays
        kind = self.words.pop()[1]
        must(self.words.pop()[0], "a node has no name")
        at, ways = None, ()
        if kind == "c":
            ways = self.described(self.draws, int(self.words.pop()[1]), self.chances)
        elif kind == "p":
            at = int(self.words.pop()[1]) - 1, int(self.words.pop()[1])
            must(at[0] in PLAYERS, "there is a third player")
            ways = range(self.described(self.sets, at, len))
        must(kind in ("c", "p", "t") and bool(ways) == (kind != "t"), "a node is wrong")
        paid = self.described(self.outcomes, int(self.words.pop()[1]), self.results)
        return at, ways, paid

    def chances(self, items):
        found = [number(item) for item in items[1::2]]
        must(min(found) >= 0 and sum(found) == 1, "chances do not add up to one")
        return found

    def results(self, items):
        found = tuple(number(item) for item in items)
        must(len(found) == 2 and sum(found) == 0, "an end is not zero-sum")
        return found


def most(tree, player, chances):
    # The most that a player gets against the other's chances. A sequence is all that the player
    # has done so far; worth is what the ends after it bring, as likely as chance and the other are.
    worth, places = [Fraction(0)], {}
    left = [(0, Fraction(1), Fraction(0))]
    while left:
        sequence, likely, so_far = left.pop()
        at, ways, paid = tree.node()
        so_far += paid[player]
        if not ways:
            worth[sequence] += likely * so_far
        elif at is not None and at[0] == player:
            known = places.setdefault(at, (sequence, len(worth), len(ways)))
            must(known[0] == sequence, f"player {player + 1} forgets what led to {at[1]}")
            worth += [Fraction(0)] * (known[1] + len(ways) - len(worth))
            left += [(known[1] + way, likely, so_far) for way in reversed(ways)]
        else:
            shares = ways if at is None else chances(at[1], len(ways))
            left += [(sequence, likely * share, so_far) for share in reversed(shares)]
    must(not tree.words, "there is more than one tree")
    for sequence, first, count in reversed(places.values()):  # what comes later is known first
        worth[sequence] += max(worth[first : first + count])
    return worth[0]


def chances_of(written):  # where nothing is written, the first answer is given
    known = {}
    for at, weights in written.items():
        found = [number(weight) for weight in weights]
        must(min(found) >= 0 < sum(found), f"the chances in {at} are wrong")
        known[int(at)] = [weight / sum(found) for weight in found]

    def chances(at, count):
        found = known.setdefault(at, [Fraction(way == 0) for way in range(count)])
        must(len(found) == count, f"there are {count} answers in {at}")
        return found

    return chances


def proven(found):  # the bounds of what the first player gets, if both play as it is written
    first, second = (chances_of(found[name]) for name in ("first", "second"))
    return -most(Tree(found["tree"]), 1, first), most(Tree(found["tree"]), 0, second)


def check(text):  # gives the bounds that are claimed, if the strategies keep them
    found = json.loads(text)
    must(found["certificate"] == "trapline tree 1", "it is not of this kind")
    low, high = map(number, found["bounds"])
    least, largest = proven(found)
    must(low <= least, f"the first player keeps {least} and not {low}")
    must(largest <= high, f"the second player lets the first have {largest} and not {high}")
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
