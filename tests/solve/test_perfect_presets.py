"""At full size, for every rulebook and preset: what `perfect` plays is what was proven.

Where the tree of play is small, a best response plays against the player itself. Where it is
not, the player is shown to play the shipped certificate, whose guarantee `proofs/check.py`
proves; and where a draw is all that can be forced, every position that an opponent can bring
about is visited.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.solve import plain
from tests.solve.promised import CLOSE, conceded

from trapline.core import SEATS, Seat, Triggered, other
from trapline.games import GAMES, make_game
from trapline.players import perfect
from trapline.referee import Match

PROOFS = Path(__file__).parents[2] / "proofs"
PRESETS = {
    f"{name}.{preset.name}": (name, preset.options)
    for name, kind in GAMES.items()
    for preset in kind.presets
}
CERTIFIED = [
    label for label in PRESETS if label.startswith("hidden-path.") or label == "trap-builder.deep"
]
"""Too large for a best response through Views; their strategies are numbers, and certified."""
DRAWN = [
    f"secret-paths.{preset.name}"
    for preset in GAMES["secret-paths"].presets
    if preset.bounds == (0.0, 0.0)
]
SMALL = [label for label in PRESETS if label not in {*CERTIFIED, *DRAWN}]


@pytest.fixture(autouse=True, scope="module")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRAPLINE_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.mark.slow
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("label", SMALL)
def test_no_opponent_gets_more_than_was_proven(label: str, seat: Seat) -> None:
    name, options = PRESETS[label]
    game = make_game(name, options)
    promised = conceded(game, seat)
    if promised >= 1:
        return  # it is lost, and nothing is promised
    player = plain.remembering(perfect.chances)
    assert plain.best_response(game, other(seat), player) <= promised + CLOSE


# --- the player plays the certificate ---------------------------------------------------


class Script:
    """A strategy of a certificate, followed through one match."""

    def __init__(self, strategy: dict[str, Any]) -> None:
        self._nodes = strategy["nodes"]
        self._drawn = strategy["secrets"]
        self._standing: dict[int, float] = {}

    def secrets(self) -> dict[tuple[int, ...], float]:
        whole = sum(weight for _, weight, _ in self._drawn)
        chances: dict[tuple[int, ...], float] = {}
        for secret, weight, _ in self._drawn:
            chances[tuple(secret)] = chances.get(tuple(secret), 0.0) + weight / whole
        return chances

    def hides(self, secret: tuple[int, ...]) -> None:
        self._standing = {
            node: float(weight) for drawn, weight, node in self._drawn if tuple(drawn) == secret
        }

    def moves(self) -> dict[int, float]:
        """What it does next, over all nodes on which it may stand; nothing where it resigns."""
        whole = sum(self._standing.values())
        chances: dict[int, float] = {}
        for node, weight in self._standing.items():
            moves = self._nodes[node][0]
            for move, share in moves.items():
                part = weight / whole * share / sum(moves.values())
                chances[int(move)] = chances.get(int(move), 0.0) + part
        return chances

    def sees(self, mover: int, move: int, *, own: bool, met: bool) -> None:
        standing: dict[int, float] = {}
        for node, weight in self._standing.items():
            moves, leads = self._nodes[node]
            if own:
                weight *= moves.get(str(move), 0) / sum(moves.values()) if moves else 0.0
            after = leads.get(f"{mover}:{move}{'!' if met else ''}", node)
            standing[after] = standing.get(after, 0.0) + weight
        self._standing = {node: weight for node, weight in standing.items() if weight > 0}


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("label", CERTIFIED)
def test_the_player_plays_what_the_certificate_proves(label: str, seat: Seat) -> None:
    name, options = PRESETS[label]
    game = make_game(name, options)
    file = PROOFS / f"{label.removesuffix('.rulebook')}.cert"
    if conceded(game, seat) >= 1:
        return  # it is lost, and nothing is promised
    script = Script(json.loads(file.read_text())["first" if seat == 1 else "second"])
    start = _hides(game, seat)
    assert start == pytest.approx(dict.fromkeys(start, 0.0) | script.secrets(), abs=1e-5)
    rng, compared = Random(1), 0
    for _ in range(60):
        mine = rng.choices(list(start), list(start.values()))[0]
        match = _begun(game, seat, mine, rng.choice(plain.secrets(game, other(seat))))
        script.hides(mine)
        while (mover := match.to_move) is not None:
            chances = _chances(match, seat)
            if mover == seat:
                proven = script.moves()
                if not proven:
                    break  # the certificate resigns, and whoever plays on gets no less
                assert chances == pytest.approx(dict.fromkeys(chances, 0.0) | proven, abs=1e-5)
                compared += 1
            move = rng.choices(list(chances), list(chances.values()))[0]
            told = len(match.view(None).events)
            match.play(mover, move)
            met = any(isinstance(event, Triggered) for event in match.view(None).events[told:])
            script.sees(mover, move, own=mover == seat, met=met)
    assert compared >= 30


# --- where a draw can be forced ---------------------------------------------------------

LAST_TURNS = 7


@pytest.mark.slow
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("label", DRAWN[1:])  # of the rulebook's size is the quick one, too
def test_nobody_wins_against_a_player_who_can_hold_the_draw(label: str, seat: Seat) -> None:
    """Every position an opponent can bring about in the last turns, whatever it hides.

    How it was reached must not matter to the player: its answer is asked for again, and
    compared, wherever two ways meet.
    """
    name, options = PRESETS[label]
    game = make_game(name, {**options, "turn_limit": LAST_TURNS})
    hidden = [secret for secret, share in _hides(game, seat).items() if share]
    for mine, theirs in itertools.product(hidden, plain.secrets(game, other(seat))):
        answered: dict[tuple[int, bytes], dict[Any, float]] = {}
        waiting = [_begun(game, seat, mine, theirs)]
        while waiting:
            match = waiting.pop()
            if (mover := match.to_move) is None:
                assert match.outcome is not None
                assert match.outcome.result(seat) >= 0
                continue
            seen = match.view(seat)
            place = seen.turn, msgspec.json.encode(seen.board)
            chances = _chances(match, seat)
            if place not in answered:
                answered[place] = chances
                for move in (move for move, share in chances.items() if share > 0):
                    waiting.append(match.fork())
                    waiting[-1].play(mover, move)
            assert answered[place] == chances


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("label", DRAWN)
def test_the_player_holds_the_draw_in_the_same_way_all_along(label: str, seat: Seat) -> None:
    """A long match is a short one whose beginning does not matter: the answers are the same."""
    name, options = PRESETS[label]
    whole, short = (
        make_game(name, options),
        make_game(name, {**options, "turn_limit": LAST_TURNS}),
    )
    assert conceded(whole, seat) == 0
    assert _hides(whole, seat) == _hides(short, seat)
    rng = Random(2)
    for _ in range(60):
        mine = rng.choice([secret for secret, share in _hides(whole, seat).items() if share])
        theirs = rng.choice(plain.secrets(whole, other(seat)))
        pair = [_begun(game, seat, mine, theirs) for game in (whole, short)]
        while all(match.to_move is not None for match in pair):
            chances, same = (_chances(match, seat) for match in pair)
            assert chances == same
            move = rng.choices(list(chances), list(chances.values()))[0]
            for match in pair:
                match.play(match.to_move or 1, move)


def _hides(game: Any, seat: Seat) -> dict[Any, float]:
    return perfect.chances(Match(game, 1).view(seat))


def _begun(game: Any, seat: Seat, mine: Any, theirs: Any) -> Match:
    match = Match(game, 1)
    match.play(seat, mine)
    match.play(other(seat), theirs)
    return match


def _chances(match: Match, seat: Seat) -> dict[Any, float]:
    """What `perfect` does in its turn; anything in the other's."""
    view = match.view(match.to_move)
    return perfect.chances(view) if view.seat == seat else dict.fromkeys(view.legal, 1.0)
