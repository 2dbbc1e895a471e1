"""Faults that show in few plays, or only after a certain move, and what only looks like one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.audit import heaps, letters, rounds, snares
from tests.audit.heaps import written
from tests.audit.looks import found_in, looked, reproduced
from trapline.audit import looking
from trapline.audit.around import around
from trapline.audit.replaying import Play, again_faults
from trapline.audit.targets import subject_named
from trapline.testing import assert_no_leak

if TYPE_CHECKING:
    from pathlib import Path

ALL = 1_200
"""Positions of the game of letters, and more."""

RESET = "        self.player_traps = {1: set(), -1: set()}\n"
ENDS = "            return self.seen(), -1, True, False, {}\n        self.current_player = -me\n"
GOES_ON = "        self.current_player = -me\n"
SEEN = "        return np.array([*places, me, *self.player_codes[me], *mine])\n"
HIT = "        hit = self.positions[me] in self.player_traps[-me]\n"
PLACES = "        self.places = dict.fromkeys(AGENTS, 0)\n"
TOLD: dict[str, tuple[tuple[str, str], ...]] = {
    "in the info": (
        (ENDS, "            pass\n" + GOES_ON),
        (
            "        return self.seen(), 0, False, False, {}",
            HIT + "        return self.seen(), 0, False, False, {'trapped': hit}",
        ),
    ),
    "by a step back": ((ENDS, "            self.positions[me] -= 1\n" + GOES_ON),),
    "by a list of those that are sprung": (
        (RESET, RESET + "        self.sprung = set()\n"),
        (ENDS, "            self.sprung.add(self.positions[me])\n" + GOES_ON),
        (SEEN, SEEN.replace("*mine", "*(at in self.sprung for at in range(5))")),
    ),
    "to whoever has asked for it": (
        (RESET, RESET + "        self.revealed = {1: False, -1: False}\n"),
        (ENDS, "            pass\n" + GOES_ON),
        (
            GOES_ON + "        return",
            "        self.revealed[me] |= action == 1\n" + GOES_ON + "        return",
        ),
        (
            SEEN,
            "        whose = -me if self.revealed[me] else me\n"
            + SEEN.replace("codes[me]", "codes[whose]"),
        ),
    ),
}
"""How the rules may tell of what is the other's → what is replaced for that."""


def in_pettingzoo(folder: Path, text: str, *changes: tuple[str, str]) -> str:
    return written(folder, text, *changes).replace("gymnasium:", "pettingzoo:")


def test_rewards_that_are_wrong_in_one_play_of_729_are_found(tmp_path: Path) -> None:
    target = in_pettingzoo(tmp_path, letters.TEXT, letters.BOTH_WIN)
    found = found_in(target, states=ALL, positions=20)
    assert found["rewards"].play == (2, 0, 1, 1, 0, 2)
    reproduced(found["rewards"])


def test_a_game_in_which_some_plays_sum_to_nothing_is_left_alone(tmp_path: Path) -> None:
    target = in_pettingzoo(tmp_path, letters.TEXT, letters.OFTEN)
    assert found_in(target, states=ALL, positions=20).keys() <= {"decided"}


def test_what_a_class_has_kept_is_found_where_it_matters_in_one_play_of_81(tmp_path: Path) -> None:
    target = in_pettingzoo(tmp_path, letters.TEXT, letters.REMEMBERS)
    found = found_in(target, states=ALL, positions=20)
    assert found["shared state"].play == (1, 2, 0, 1)
    reproduced(found["shared state"])


def test_what_a_class_has_kept_is_no_fault_of_the_reset(tmp_path: Path) -> None:
    """It matters where 2 follows upon 1, in whatever play: after half of this one and a reset."""
    keeps = "        LettersEnv.kept = (3 * LettersEnv.kept + int(action)) % 9\n"
    differs = "        self.written[-1] += LettersEnv.kept == 5\n"
    change = (letters.WRITES, letters.WRITES + keeps + differs)
    subject = subject_named(in_pettingzoo(tmp_path, letters.TEXT, change))
    assert not [fault.check for fault in again_faults(subject, Play(0, (2, 1, 0, 0)))]
    assert "shared state" in {fault.check for fault in again_faults(subject, Play(0, (2, 1)))}


def test_what_a_class_counts_for_itself_is_no_fault(tmp_path: Path) -> None:
    target = in_pettingzoo(tmp_path, letters.TEXT, letters.COUNTS)
    assert found_in(target, states=200, positions=20).keys() <= {"decided"}


def test_a_seed_that_is_kept_and_asked_later_on_makes_a_difference(tmp_path: Path) -> None:
    """All begin with the same heap, and with one seed alone everything would seem decided."""
    keeps = "        super().reset(seed=seed)\n"
    less = "        self.heap -= self.heap == 4 and random.Random(self.drawn_seed).random() < 0.5\n"
    changes = (keeps, keeps + "        self.drawn_seed = seed\n"), (heaps.MOVE, heaps.MOVE + less)
    report = looked(written(tmp_path, heaps.TEXT, *changes))
    assert not report.exhaustive
    assert report.figures.value is None
    made = subject_named(f"gymnasium:{tmp_path / 'env.py'}").make  # type: ignore[attr-defined]  # it has seeds
    assert not assert_no_leak(made, lambda episode, _: episode.env.heap, budget=500).complete


def test_an_observation_that_leaks_after_a_certain_move_is_found(tmp_path: Path) -> None:
    seen = "        seen = [self.cards[agent],"
    turned = "        whose = self.other(agent) if self.places[agent] > 2 else agent\n"
    change = (seen, turned + seen.replace("[agent]", "[whose]"))
    found = found_in(in_pettingzoo(tmp_path, rounds.PETTINGZOO, change), positions=400)
    assert "the other's" in found["leak"].sentence
    reproduced(found["leak"])


def test_tables_beside_an_environment_are_not_watched(tmp_path: Path) -> None:
    target = in_pettingzoo(tmp_path, letters.TEXT, letters.LIBRARY)
    watched = around(next(subject_named(target).starts())).now()
    assert {name for _, name in watched} >= {"AGENTS", "kept", "metadata"}
    assert "WORDS" not in {name for _, name in watched}


def test_no_time_is_spent_on_belongings_where_nobody_has_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "Chosen", None)  # whoever calls it is told as a crash
    target = in_pettingzoo(tmp_path, letters.TEXT)
    assert found_in(target, states=60, positions=20).keys() <= {"decided"}


def test_a_card_that_was_asked_for_by_the_rules_is_no_leak(tmp_path: Path) -> None:
    seen = "        seen = [self.cards[agent],"
    turned = "        whose = self.other(agent) if self.revealed[agent] else agent\n"
    changes = [
        (seen, turned + seen.replace("[agent]", "[whose]")),
        (
            PLACES,
            PLACES + "        self.revealed = dict.fromkeys(AGENTS, False)\n",
        ),
        (
            "        agent = self.agent_selection\n",
            "        agent = self.agent_selection\n        self.revealed[agent] |= action == 1\n",
        ),
    ]
    found = found_in(in_pettingzoo(tmp_path, rounds.PETTINGZOO, *changes), positions=400)
    assert found.keys() <= {"decided"}, found


@pytest.mark.parametrize("how", TOLD)
def test_what_the_rules_tell_of_the_others_is_no_leak(how: str, tmp_path: Path) -> None:
    found = found_in(written(tmp_path, snares.TEXT, *TOLD[how]), positions=400)
    assert found.keys() <= {"decided"}, found
