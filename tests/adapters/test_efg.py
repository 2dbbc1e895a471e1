"""Gambit files, read back by a reader that knows nothing of the games."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import pyspiel
import pytest
from typer.testing import CliRunner

from tests.adapters.outside import ANY_GAME, SMALLER
from trapline.adapters.efg import TreeTooLarge, extensive_form
from trapline.cli.commands import app
from trapline.games import make_game
from trapline.solve import solve

if TYPE_CHECKING:
    from pathlib import Path

SMALL: dict[str, dict[str, Any]] = {
    "hidden-path": {"length": 3, "traps": 1, "max_step": 2},
    "trap-builder": {"length": 6, "traps": 2, "max_step": 2, "walls": False},
    "trap-runner": {"length": 4, "max_step": 2, "turn_limit": 6},
    "secret-paths": {"size": 3, "turn_limit": 3},
    "numeric-maze": {"length": 5, "traps": [2, 3], "turn_limit": 6},
    **SMALLER,
}


class Node(NamedTuple):
    kind: str
    player: int
    infoset: int
    name: str
    actions: list[str]
    chances: list[Fraction]
    payoffs: list[Fraction]
    children: list[Any]


def read(lines: list[str]) -> Node:
    """The tree of a file: nodes come in prefix order, each with as many children as actions."""
    rest = iter(lines[1:])

    def node() -> Node:
        line = next(rest)
        text = re.findall(r'"([^"]*)"', line)
        bare = re.sub(r'"[^"]*"', "", line)
        inside = bare[bare.index("{") + 1 : bare.rindex("}")]
        numbers = [Fraction(word) for word in inside.split()]
        kind = line[0]
        first, *others = (int(word) for word in re.findall(r"\d+", line.split('"')[2]))
        if kind == "t":
            return Node(kind, 0, 0, "", [], [], numbers, [])
        names = text[2:]
        children = [node() for _ in names]
        if kind == "c":
            return Node(kind, 0, first, text[1], names, numbers, [], children)
        return Node(kind, first, others[0], text[1], names, [], [], children)

    tree = node()
    assert next(rest, None) is None
    return tree


def walk(node: Node) -> Any:
    yield node
    for child in node.children:
        yield from walk(child)


@pytest.mark.parametrize("first", [1, 2, "toss"])
@pytest.mark.parametrize("name", ANY_GAME)
def test_a_file_is_a_zero_sum_game_with_sound_information_sets(name: str, first: Any) -> None:
    game = make_game(name, SMALL.get(name))
    tree = read(list(extensive_form(game, first)))
    infosets: dict[tuple[int, int], tuple[str, list[str]]] = {}
    for node in walk(tree):
        if node.kind == "p":
            assert len(node.actions) > 1
            known = infosets.setdefault((node.player, node.infoset), (node.name, node.actions))
            assert known == (node.name, node.actions)
        elif node.kind == "c":
            assert sum(node.chances) == 1
        else:
            assert sum(node.payoffs) == 0
            assert abs(node.payoffs[0]) <= game.stake
    assert (tree.name == "who moves first") == (first == "toss")
    assert tree.name != "who moves first" or tree.chances == [Fraction(1, 2), Fraction(1, 2)]
    assert len({name for name, _ in infosets.values()}) == len(infosets)


@pytest.mark.parametrize("name", ANY_GAME)
def test_open_spiel_solves_the_file_to_our_value(name: str) -> None:
    game = make_game(name, SMALL.get(name))
    read_back = pyspiel.load_efg_game("\n".join(extensive_form(game, 1)) + "\n")
    solver = pyspiel.CFRPlusSolver(read_back)
    for _ in range(400):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = pyspiel.expected_returns(read_back.new_initial_state(), policy, -1, True)[0]
    assert value == pytest.approx(solve(game).value, abs=1e-3)


def test_a_tree_that_is_too_large_is_refused_with_the_limit() -> None:
    with pytest.raises(TreeTooLarge, match="more than 500 nodes, the most that are written out"):
        list(extensive_form(make_game("hidden-path"), most=500))


def test_the_command_writes_the_file(tmp_path: Path) -> None:
    settings = ["--set", "length=3", "--set", "traps=1", "--set", "max_step=2"]
    shown = CliRunner().invoke(app, ["efg", "hidden-path", *settings, "--first", "1"])
    assert shown.exit_code == 0
    path = tmp_path / "game.efg"
    written = CliRunner().invoke(
        app, ["efg", "hidden-path", *settings, "--first", "1", "-o", str(path)]
    )
    assert (written.exit_code, written.stdout) == (0, "")
    assert path.read_text("utf-8") == shown.stdout
    assert read(shown.stdout.splitlines()).kind == "p"
