"""Every variant that can be played can be judged: closely, by bounds, or by what is certain."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from trapline.cli.commands import app
from trapline.games import make_game
from trapline.solve import Request, TooLarge, guarantee, judged, load, memory, solve
from trapline.solve.public import PublicMethod

HUGE: list[tuple[str, dict[str, Any]]] = [
    ("hidden-path", {"length": 40, "traps": 6, "walls": False}),
    ("hidden-path", {"length": 99, "traps": 49}),
    ("trap-builder", {"length": 99, "traps": 49, "max_step": 50}),
    ("trap-builder", {"length": 99, "traps": 20, "walls": False}),
]


@pytest.mark.parametrize(("name", "options"), HUGE)
def test_what_no_method_reaches_gets_bounds_and_the_reason(
    name: str, options: dict[str, Any]
) -> None:
    game = make_game(name, options)
    found = judged(game)
    assert (found.bounds, found.exact) == ((-1.0, 1.0), False)
    assert "Nothing is proven but what cannot be otherwise." in found.facts.sentence
    with pytest.raises(TooLarge):
        _ = found.policy
    assert load(game) is None  # and it is not kept as if it were a solution


CERTAIN: list[tuple[str, dict[str, Any], float]] = [
    ("hidden-path", {"length": 99, "traps": 50, "max_step": 1}, 1.0),
    ("trap-builder", {"length": 99, "traps": 50, "max_step": 9}, -1.0),
    ("trap-builder", {"length": 99, "traps": 50, "trigger": "passing"}, -1.0),
]


@pytest.mark.parametrize(("name", "options", "value"), CERTAIN)
def test_what_needs_no_search_is_known_however_large(
    name: str, options: dict[str, Any], value: float
) -> None:
    found = judged(make_game(name, options))
    assert (found.bounds, found.exact) == ((value, value), True)
    assert " wins with best play, whatever the other hides." in found.facts.sentence


def test_who_is_told_that_a_game_is_too_large_is_not_sent_to_wait() -> None:
    """There is nothing to go on from."""
    options = ["--set", "length=99", "--set", "traps=49"]
    told = CliRunner().invoke(app, ["solve", "hidden-path", *options])
    assert told.exit_code == 0
    assert "bounds of the value" in told.stdout
    assert "--more" not in told.stdout


def test_a_proof_is_drawn_no_longer_than_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not drawn counts as lost for whoever would force something; the rest still holds."""
    drawn, expand = [], guarantee._Drawing._expand

    def counted(drawing: guarantee._Drawing, key: Any) -> None:
        drawn.append(key)
        expand(drawing, key)

    monkeypatch.setattr(guarantee._Drawing, "_expand", counted)
    game = make_game("trap-builder", {"length": 10, "traps": 1, "trigger": "passing"})
    assert solve(game).bounds == (-1.0, -1.0)
    assert len(drawn) > 2 * guarantee.STATES_A_LOOK
    drawn.clear()
    assert solve(game, time_limit=0.0).bounds == (-1.0, -1.0)
    assert len(drawn) < 2 * guarantee.STATES_A_LOOK


@pytest.mark.slow
def test_long_paths_full_of_traps_are_no_error() -> None:
    found = judged(
        make_game("hidden-path", {"length": 99, "traps": 98, "max_step": 9}), time_limit=1.0
    )
    assert -1.0 <= found.bounds[0] <= found.bounds[1] <= 1.0


def test_the_command_never_ends_in_an_error_for_a_game_that_can_be_played() -> None:
    name, options = HUGE[1]
    settings = [part for item in options.items() for part in ("--set", f"{item[0]}={item[1]}")]
    told = CliRunner().invoke(app, ["solve", name, *settings, "--json"])
    assert told.exit_code == 0
    assert json.loads(told.stdout)["bounds"] == [-1.0, 1.0]
    shown = CliRunner().invoke(app, ["solve", name, *settings])
    assert "bounds of the value for whoever moves first" in shown.stdout
    assert "\nvalue" not in shown.stdout


def test_what_is_stopped_before_anything_is_proven_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("trapline.solve.solve", interrupted)
    options = ["--set", "length=11", "--set", "walls=false", "--json"]
    told = CliRunner().invoke(app, ["solve", "trap-builder", *options])
    assert told.exit_code == 0
    assert json.loads(told.stdout)["bounds"] == [-1.0, 1.0]
    shown = CliRunner().invoke(app, ["solve", "trap-builder", *options[:-1]])
    assert "stopped before it had found anything" in " ".join(shown.stdout.split())


def test_a_tree_is_drawn_no_longer_than_there_is_time() -> None:
    game = make_game("trap-builder", {"length": 12, "walls": False})
    with pytest.raises(TooLarge, match="no time to list"):
        PublicMethod(game, 1).solve(Request(deadline=0.0))


def test_what_a_search_may_take_is_a_share_of_what_is_free() -> None:
    assert 0 < memory.room() < 1 << 62
    budget = memory.Budget()
    budget.check(budget.room, "this")
    with pytest.raises(memory.OutOfMemory, match="of memory or more, and a search may have"):
        budget.check(budget.room + 1, "that")


@pytest.mark.parametrize(("count", "words"), [(1, "1 MB"), (440e6, "440 MB"), (14e9, "14.0 GB")])
def test_bytes_in_words(count: float, words: str) -> None:
    assert memory.told(count) == words


def test_where_the_system_does_not_say_what_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: object) -> str:
        raise OSError

    monkeypatch.setattr("pathlib.Path.read_text", nothing)
    assert memory.room() == memory.UNKNOWN // 2
