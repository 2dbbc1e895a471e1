"""The checkers: shipped certificates, bad files, and their own statement of the rules."""

from __future__ import annotations

import hashlib
import inspect
import json
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from bench.proofs import FAMILIES

from tests.proofs.checkers import (
    NODE,
    PROOFS,
    SHIPPED,
    SOURCE,
    checker,
    in_javascript,
    read_sentence,
)
from trapline.core import OptionsError
from trapline.games import GAMES, changed_options, make_game
from trapline.solve import certificates

VALUES = {
    "hidden-path.cert": Fraction(13, 27),
    "trap-builder.cert": Fraction(-1),
    "trap-runner.cert": Fraction(1),
    "secret-paths.cert": Fraction(0),
    "numeric-maze.cert": Fraction(1),
}


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The checker alone: no folder of ours is on its path."""
    command = [sys.executable, "-I", str(PROOFS / "check.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_rulebook_has_its_certificate() -> None:
    assert set(VALUES) == {f"{name}.cert" for name in GAMES}
    assert set(VALUES) <= {path.name for path in SHIPPED}


@pytest.mark.slow
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_a_shipped_certificate_is_proven(path: Path) -> None:
    done = run(str(path))
    assert (done.returncode, done.stderr) == (0, "")
    proven = read_sentence(done.stdout.splitlines()[-1])
    assert proven is not None
    if path.name in VALUES:
        assert proven == (VALUES[path.name], VALUES[path.name])


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="Node is not installed; the browser runs it as well")
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_a_shipped_certificate_is_proven_in_javascript(path: Path) -> None:
    assert NODE is not None
    command = [NODE, str(PROOFS / "check.mjs"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == run(str(path)).stdout.splitlines()[-1]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_a_shipped_certificate_is_of_a_game_that_can_be_played(path: Path) -> None:
    found = json.loads(path.read_text("utf-8"))
    game = make_game(found["game"], found["options"])
    assert found["options"] == changed_options(game)
    assert len(bytes.fromhex(found["rules"])) == len(bytes.fromhex(certificates.rules_digest(game)))


@pytest.mark.parametrize("name", GAMES)
def test_the_digest_is_that_of_the_page_of_rules_in_the_games_folder(name: str) -> None:
    game = make_game(name)
    page = Path(inspect.getfile(type(game))).with_name("rules.md")
    assert hashlib.sha256(page.read_bytes()).hexdigest() == certificates.rules_digest(game)


def test_the_checker_is_one_page_that_needs_nothing_else() -> None:
    lines = SOURCE.splitlines()
    assert len(lines) <= 250
    imported = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names


# --- bad files ----------------------------------------------------------------------------

HEAD: dict[str, Any] = {
    "certificate": "trapline 1", "game": "numeric-maze", "options": {}, "bounds": ["1", "1"],
}  # fmt: skip
LONE: dict[str, Any] = {"secrets": [[[], 1, 0]], "nodes": [[{"3": 1}, {}]]}
BAD = {
    "nothing": "",
    "no JSON": "what is this?",
    "no object": "[]",
    "a number": "5",
    "deep": "[" * 100_000,
    "deep and closed": '{"game":' * 5_000 + "1" + "}" * 5_000,
    "not a number": json.dumps(HEAD | {"bounds": [float("nan"), 1]}),
    "a huge number": json.dumps(HEAD | {"first": LONE}).replace(
        "[[], 1, 0]", f"[[], {'9' * 5000}, 0]"
    ),
    "1e999": json.dumps(HEAD | {"first": LONE}).replace("[[], 1, 0]", "[[], 1e999, 0]"),
    "a huge exponent": json.dumps(HEAD | {"bounds": ["1e99999999999", "1"]}),
    "true for a number": json.dumps(HEAD | {"first": {**LONE, "secrets": [[[], True, 0]]}}),
    "no strategy": json.dumps(HEAD),
    "no nodes": json.dumps(HEAD | {"first": {"secrets": [[[], 1, 0]]}}),
    "no bounds": json.dumps({name: part for name, part in HEAD.items() if name != "bounds"}),
    "bounds that are none": json.dumps(HEAD | {"bounds": ["1/0", "1"]}),
    "one bound": json.dumps(HEAD | {"bounds": ["1"]}),
    "another kind": json.dumps(HEAD | {"certificate": "trapline 2"}),
    "another game": json.dumps(HEAD | {"game": "chess"}),
    "no such option": json.dumps(HEAD | {"options": {"lives": 3}}),
    "more secrets than can be listed": json.dumps(
        HEAD
        | {"game": "hidden-path", "options": {"length": 99, "traps": 40}, "bounds": ["-1", "1"]}
    ),
    "a proof without end": json.dumps(
        HEAD
        | {"game": "trap-runner", "options": {"length": 99, "max_step": 99}}
        | {"first": {"secrets": [[[], 1, 0]], "nodes": [[{"1": 1}, {}]]}}
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_whatever_a_file_holds_it_gets_one_sentence(name: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.cert"
    path.write_text(BAD[name], "utf-8")
    done = run(str(path))
    assert (done.returncode, done.stderr) == (1, "")
    (sentence,) = done.stdout.splitlines()
    assert read_sentence(sentence) is None
    assert len(sentence) < 200


def test_a_file_that_cannot_be_read_gets_one_too(tmp_path: Path) -> None:
    binary = tmp_path / "binary.cert"
    binary.write_bytes(b"\xff\xfe\x00{")
    for arguments in (
        (),
        ("a", "b"),
        (str(tmp_path / "none.cert"),),
        (str(tmp_path),),
        (str(binary),),
    ):
        done = run(*arguments)
        assert (done.returncode, done.stderr) == (1, "")
        assert len(done.stdout.splitlines()) == 1


@pytest.mark.skipif(NODE is None, reason="Node is not installed; the browser runs it as well")
def test_the_checker_in_javascript_refuses_the_same() -> None:
    assert in_javascript(list(BAD.values())) == [None] * len(BAD)


# --- the rules ----------------------------------------------------------------------------

WIDER: dict[str, dict[str, tuple[Any, ...]]] = {
    "hidden-path": {"length": (0, 7, 10, 99, 100), "traps": (0, 3, 4), "max_step": (0, 4, 99)},
    "trap-builder": {"length": (1, 8, 10, 99, 100), "traps": (0, 3, 4), "max_step": (0, 1, 4, 99)},
    "trap-runner": {"length": (1, 2, 99, 100), "max_step": (0, 1, 99), "turn_limit": (-1, 4, 6)},
    "secret-paths": {"size": (1, 2, 4, 7, 9, 11), "turn_limit": (-1, 2, 1_000_000, 1_000_001)},
    "numeric-maze": {
        "length": (1, 2, 99), "max_step": (0, 1, 4), "turn_limit": (-1, 8, 12, 13),
        "traps": ([1], [1, 2], [2, 3], [3, 3], [0], [6], [5, 6, 7], ["5"], [True], 5),
    },
}  # fmt: skip


def drawn_options(name: str, rng: random.Random) -> dict[str, Any]:
    """Some that make a game, and some that do not."""
    options = {}
    for option, values in FAMILIES[name].items():
        if rng.random() < 0.6:
            options[option] = rng.choice((*values, *WIDER[name].get(option, ())))
    return options


@pytest.mark.parametrize("name", GAMES)
def test_the_checker_refuses_the_options_that_the_game_refuses(name: str) -> None:
    rng = random.Random(name)
    kind, seen = checker().GAMES[name][-1], {True: 0, False: 0}
    for _ in range(300):
        options = drawn_options(name, rng)
        try:
            make_game(name, options)
            allowed = True
        except OptionsError:
            allowed = False
        try:
            kind(options, 0)
            known = True
        except ValueError as error:
            known = "too many secrets" in str(error)
        assert known == allowed, options
        seen[allowed] += 1
    assert min(seen.values()) > 20


@pytest.mark.parametrize("name", GAMES)
def test_the_checker_plays_by_the_rules_of_the_referee(name: str) -> None:
    """Random plays under random options: the same moves are legal, and end in the same way."""
    rng = random.Random(name)
    played = 0
    while played < 60:
        options = drawn_options(name, rng)
        try:
            game = make_game(name, options)
        except OptionsError:
            continue
        if options.get("length", 10) > 20:
            continue  # there would be too many secrets
        PLAYS[name](game, checker().GAMES[name][-1](options, 0), rng)
        played += 1


def with_hidden_traps(game: Any, rules: Any, rng: random.Random) -> None:
    secrets = [rng.choice(list(rules.secrets(seat).items())) for seat in (0, 1)]
    state = game.start(1)
    for seat, (written, bits) in enumerate(secrets):
        question = game.question(state, seat + 1)
        assert set(map(tuple, map(question.record, question.values()))) == set(rules.secrets(seat))
        assert question.value(written) == bits
        state = game.apply(state, seat + 1, question.value(written))
    left = [bits for _, bits in secrets]
    mover, at = rules.start
    while state.outcome is None:
        landings = dict(rules.landings(at, mover))
        question = game.question(state, mover + 1)
        assert [str(question.record(value)) for value in question.values()] == list(landings)
        move = rng.choice(list(landings))
        state = game.apply(state, mover + 1, int(move))
        way, *afters = landings[move]
        then, there, acting = afters[bool(left[1 - mover] & way)]
        if isinstance(there, int):
            winner = mover + 1 if there == 1 else 2 - mover
            assert state.outcome is not None
            assert state.outcome.winner == winner
        else:
            assert (then + 1, there) == (state.mover, state.positions)
            left[1 - mover] &= acting
            mover, at = then, there


def by_turns(game: Any, rules: Any, rng: random.Random) -> None:
    state = game.start(1)
    goals = [None, None]
    if game.question(state, 2) is not None:
        for seat in (0, 1):
            goals[seat] = rng.choice(list(rules.secrets(seat)))
            question = game.question(state, seat + 1)
            assert set(map(question.record, question.values())) == set(rules.secrets(seat))
            state = game.apply(state, seat + 1, question.value(goals[seat]))
    there, turn = rules.start, 0
    while state.outcome is None and turn < 60:
        mover = turn % 2
        turns = dict(rules.turns(there, mover, goals[mover]))
        question = game.question(state, mover + 1)
        shown = {
            ",".join(map(str, form)) if isinstance(form, tuple) else str(form): value
            for value in question.values()
            for form in [question.record(value)]
        }
        assert set(shown) == set(turns)
        move = rng.choice(list(turns))
        state = game.apply(state, mover + 1, shown[move])
        turn += 1
        if isinstance(turns[move], int):
            assert state.outcome is not None
            assert state.outcome.winner == mover + 1
        else:
            there = turns[move]
            if state.outcome is not None:
                assert (state.outcome.winner, turn) == (None, rules.turn_limit)
            else:
                assert game.positions(state) == (there[0] if there[0].__class__ is tuple else there)


def run_of_the_leader(game: Any, rules: Any, rng: random.Random) -> None:
    """Trap Runner is stated in part: the hero sets no trap, and is lost on any that may be there.

    So results are compared until the hero is, or until somebody arrives.
    """
    state, there, turn = game.start(1), rules.start, 0
    while state.outcome is None:
        mover = turn % 2
        turns = dict(rules.turns(there, mover, None))
        question = game.question(state, mover + 1)
        assert [str(value) for value in question.values()] == list(turns)
        move = rng.choice(list(turns))
        state = game.apply(state, mover + 1, int(move))
        if state.step:  # a trap is asked for
            wanted = rng.choice(list(game.question(state, mover + 1).values())) if mover else 0
            state = game.apply(state, mover + 1, wanted)
        turn += 1
        after = turns[move]
        if after == -1:
            return
        assert not any(state.returning)
        if after == 1:
            assert state.outcome is not None
            assert state.outcome.winner == mover + 1
        elif state.outcome is not None:
            assert (state.outcome.winner, turn) == (None, rules.turn_limit)
        else:
            there = after
            assert there[0] == state.positions


PLAYS = {
    "hidden-path": with_hidden_traps,
    "trap-builder": with_hidden_traps,
    "trap-runner": run_of_the_leader,
    "secret-paths": by_turns,
    "numeric-maze": by_turns,
}
