"""Whatever is changed in a certificate: it is refused, or proves no more than the truth."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from tests.proofs import mutants
from tests.proofs.checkers import (
    NODE,
    SHIPPED,
    SOURCE,
    checker,
    encloses,
    in_javascript,
    key,
    small,
    truths,
    verdict,
)
from tests.proofs.exploits import FAULTS, Fault
from trapline.games import make_game
from trapline.solve import solve

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tests.proofs.checkers import Bounds

SMALL_MUTANTS = 10_000
FULL_MUTANTS = 300


def untrue(pairs: Iterable[tuple[str, Bounds | None]]) -> list[str]:
    """The certificates that prove something of which the contrary is known."""
    found = []
    for text, proven in pairs:
        if proven is None or (proven[0] <= -1 and proven[1] >= 1):
            continue
        claimed = json.loads(text)
        if not encloses(proven, truth(claimed["game"], claimed["options"])):
            found.append(text)
    return found


def truth(game: str, options: dict[str, Any]) -> Bounds:
    """As it is known, or else by our solver, which shares nothing with the checker."""
    name = key(game, options)
    if name not in truths():
        low, high = solve(make_game(game, options)).bounds
        truths()[name] = Fraction(low), Fraction(high)
    return truths()[name]


@pytest.fixture(scope="module")
def drawn() -> list[tuple[str, Bounds | None]]:
    """Mutants of small games, of each of the five as many, and what the checker says."""
    rng = random.Random(1)
    bases = {name: [one for one in small() if one["game"] == name] for name in mutants.GAMES}
    texts: dict[str, None] = {}
    while len(texts) < SMALL_MUTANTS:
        game = mutants.GAMES[len(texts) % len(bases)]
        texts[mutants.mutant(rng.choice(bases[game]), rng)] = None
    return [(text, verdict(text)) for text in texts]


@pytest.mark.slow
def test_ten_thousand_mutants_prove_nothing_untrue(drawn: list[tuple[str, Bounds | None]]) -> None:
    assert untrue(drawn) == []


@pytest.mark.slow
def test_the_mutants_are_neither_all_refused_nor_all_harmless(
    drawn: list[tuple[str, Bounds | None]],
) -> None:
    refused = sum(proven is None for _, proven in drawn)
    games = Counter(json.loads(text)["game"] for text, proven in drawn if proven is not None)
    assert 0.5 < refused / len(drawn) < 0.97
    assert set(games) == set(mutants.GAMES)
    assert min(games.values()) > 50


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="Node is not installed; the browser runs it as well")
def test_both_checkers_agree_on_all_mutants(drawn: list[tuple[str, Bounds | None]]) -> None:
    said = in_javascript([text for text, _ in drawn])
    differ = [
        (text, python, javascript)
        for (text, python), javascript in zip(drawn, said, strict=True)
        if python != javascript
    ]
    assert differ == []


@pytest.mark.slow
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_mutants_of_the_shipped_certificates(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that take long to check are few; for all of them less work is done than usual."""
    monkeypatch.setattr(checker().Rules, "work", 20_000)
    monkeypatch.setattr(checker().Rules, "work_for_a_node", 0)
    base = json.loads(path.read_text("utf-8"))
    rng = random.Random(path.name)
    texts: list[str] = []
    count = FULL_MUTANTS // len(SHIPPED) if len(path.read_bytes()) < 3_000 else 6
    while len(texts) < count:
        text = mutants.mutant(base, rng)
        if f'"options": {json.dumps(base["options"])}' in text:  # others are worth something else
            texts.append(text)
    assert untrue((text, verdict(text)) for text in texts) == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_planted_in_the_checker_is_caught(fault: Fault) -> None:
    """What shows that the test above can fail: it does, for a checker with that fault."""
    text = json.dumps(fault.exploit)
    assert SOURCE.count(fault.was) == 1
    faulty = checker(SOURCE.replace(fault.was, fault.becomes))
    assert untrue([(text, verdict(text, faulty))]) == [text]
    assert verdict(text) is None


@pytest.mark.skipif(NODE is None, reason="Node is not installed; the browser runs it as well")
def test_no_exploit_gets_past_the_checker_in_javascript() -> None:
    texts = [json.dumps(fault.exploit) for fault in FAULTS]
    assert in_javascript(texts) == [None] * len(texts)


def with_another_value(base: dict[str, Any], rng: random.Random, step: Fraction) -> str:
    """The text of a certificate of which one claim about one secret is that much higher."""
    found = copy.deepcopy(base)
    movers = [mover for mover in ("first", "second") if mover in found]
    values = found[rng.choice(movers)]["values"]
    place = rng.randrange(len(values))
    values[place] = str(Fraction(values[place]) + step)
    return json.dumps(found)


def test_what_is_kept_against_each_secret_is_checked_too() -> None:
    rng, least = random.Random(2), Fraction(1, 10**9)
    bases = [one for one in small() if "first" in one or "second" in one]
    higher = [with_another_value(base, rng, least) for base in bases]
    lower = [with_another_value(base, rng, -least) for base in bases]
    without = [json.dumps(base).replace('"values":', '"of no account":') for base in bases]
    assert [verdict(text) for text in higher] == [None] * len(bases)
    assert None not in [verdict(text) for text in (*lower, *without)]
    careless = checker(SOURCE.replace("kept >= max(claim, x)", "kept >= claim"))
    assert None not in [verdict(text, careless) for text in higher]
    if NODE is not None:
        assert in_javascript(higher) == [None] * len(bases)
        assert None not in in_javascript([*lower, *without])
