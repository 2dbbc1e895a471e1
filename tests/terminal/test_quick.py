"""Commands that are read without Typer mean what Typer would have read."""

from __future__ import annotations

import pytest
from typer.main import get_group

from trapline.cli import opening, quick
from trapline.cli.commands import app

PLAYED = [
    ["play", "trap-runner"],
    ["play", "--plain", "trap-runner", "--vs", "casual", "--seed", "7", "--best-of", "3"],
    ["play", "x", "--p1", "Ann", "--p2", "Ben Bo", "--first", "toss", "--preset", "short"],
    ["play", "x", "--set", "length=30", "--set", "traps=7,14,21"],
    ["resume"],
    ["resume", "last", "--plain"],
]
LEFT = [
    ["play"], ["play", "-h"], ["play", "--help"], ["play", "x", "y"], ["play", "x", "--seed", "z"],
    ["play", "x", "--seed", "-1"], ["play", "x", "--vs"], ["play", "x", "--vs=casual"],
    ["play", "x", "--vs", "casual", "--vs", "sharp"], ["play", "x", "--fast"], ["play", "x", "--"],
    ["resume", "a", "b"], ["--plain"], ["--plain", "play", "x"], ["games"], ["rules", "x"],
]  # fmt: skip


@pytest.mark.parametrize("arguments", PLAYED, ids=" ".join)
def test_both_read_the_same(arguments: list[str]) -> None:
    name, *rest = arguments
    read = quick.read(arguments)
    assert read is not None
    assert read.act is getattr(opening, name)
    command = get_group(app).commands[name]
    thorough = command.make_context(name, rest).params
    assert {name: value for name, value in thorough.items() if value} == read.given


def test_every_option_is_known_to_both() -> None:
    for name, command in quick.COMMANDS.items():
        params = get_group(app).commands[name].params
        options = {option for param in params for option in param.opts if option[:2] == "--"}
        assert options - {"--help"} == set(command.options)


@pytest.mark.parametrize("arguments", LEFT, ids=" ".join)
def test_whatever_is_not_plain_is_left_to_typer(arguments: list[str]) -> None:
    assert quick.read(arguments) is None


def test_without_a_word_the_menu_is_meant() -> None:
    assert quick.read([]) == quick.Read(opening.menu, {})
