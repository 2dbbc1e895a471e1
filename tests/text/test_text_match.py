"""A seeded match in text: what it tells, what it reads, what it counts."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests.adapters.outside import ANY_GAME
from tests.adapters.transcripts import Transcripts
from tests.worlds import SMALL
from trapline import TextMatch, solved
from trapline.coach import losses
from trapline.core import OptionsError, TraplineError
from trapline.games import make_game
from trapline.referee import verify

if TYPE_CHECKING:
    from trapline.text.match import Step

MIXED: dict[str, Any] = {"length": 5, "traps": 1}


def small(name: str) -> dict[str, Any]:
    return SMALL[name][0] if name in SMALL else {}


def some_answer(match: TextMatch, rng: Random) -> str:
    question = match.match.question(match.seat)
    assert question is not None
    return question.text(question.random(rng))


def play(match: TextMatch, seed: int, habit: str = "I think it over. [{}]") -> list[Step]:
    rng = Random(seed)
    match.reset(seed)
    steps = []
    while not match.over:
        steps.append(match.step(habit.format(some_answer(match, rng))))
    return steps


@pytest.mark.parametrize("name", ANY_GAME)
def test_a_seed_and_the_same_replies_give_the_same_bytes(name: str) -> None:
    told = []
    for _ in range(2):
        match = TextMatch(name, opponent="casual", **small(name))
        told.append(json.dumps([match.reset(5), play(match, 5)]))
        assert [check for check in verify(match.record()) if check.fault] == []
    assert told[0] == told[1]


@pytest.mark.parametrize(
    "habit", ["[{}]", "**ANSWER: {}**", "so:\n**ANSWER:** {}", "`ANSWER: [{}]`"]
)
def test_every_habit_of_answering_is_read(habit: str) -> None:
    steps = play(TextMatch("trap-builder", opponent="random", **MIXED), 3, habit)
    assert [step.info["refused"] for step in steps] == [None] * len(steps)


def test_regret_is_what_the_coach_says_of_the_record() -> None:
    found = 0
    for seed in range(12):
        match = TextMatch("trap-builder", opponent="random", seat="alternate", **MIXED)
        play(match, seed)
        solution = solved(match.game, first=match.match.first)
        own = [loss.lost for loss in losses(match.record(), solution) if loss.by == match.seat]
        assert match.regrets == pytest.approx(own, abs=1e-9)
        found += len(own)
    assert found > 12


def test_two_questions_that_one_reply_answers_are_judged_one_by_one() -> None:
    match = TextMatch("trap-runner", seat=1, first=1, length=5, turn_limit=12)
    match.reset(1)
    match.step("[1]")
    match.step("[1t]")
    solution = solved(match.game, first=1)
    while not match.over:
        match.step(f"[{some_answer(match, Random(1))}]")
    own = [loss.lost for loss in losses(match.record(), solution) if loss.by == 1]
    assert match.regrets == pytest.approx(own, abs=1e-9)


# --- rewards ----------------------------------------------------------------------------


@pytest.mark.parametrize("reward", ["regret", "opponent"])
def test_regret_as_reward_is_dense_bounded_and_never_a_gain(reward: Any) -> None:
    rewards = []
    for seed in range(10):
        match = TextMatch("trap-builder", opponent="random", reward=reward, **MIXED)
        steps = play(match, seed)
        rewards += [step.reward for step in steps]
        assert sum(step.reward for step in steps) == pytest.approx(-sum(match.regrets) / 2)
    assert all(-1 <= reward <= 0 for reward in rewards)
    assert min(rewards) < 0


def test_the_result_is_the_reward_at_the_end_and_nothing_before() -> None:
    steps = play(TextMatch("numeric-maze", length=6, traps=[3], turn_limit=12), 2)
    assert [step.reward for step in steps[:-1]] == [0.0] * (len(steps) - 1)
    assert steps[-1].reward == steps[-1].info["result"]
    assert steps[-1].over


def test_who_plays_the_solution_regrets_nothing_in_either_seat() -> None:
    for seat in (1, 2):
        match = TextMatch(
            "trap-builder", opponent="perfect", seat=seat, first=1, reward="regret", **MIXED
        )
        policy = solved(match.game, first=1).policy
        for seed in range(6):
            match.reset(seed)
            while not match.over:
                question = match.match.question(match.seat)
                assert question is not None
                chances = policy.chances(match.match.view(match.seat))
                best = max(chances, key=lambda answer: chances[answer])
                assert match.step(question.text(question.value(best))).reward > -1e-9


@pytest.mark.slow
def test_a_reward_that_nobody_knows_is_refused() -> None:
    with pytest.raises(OptionsError, match="How often 'casual' gives each answer is not known"):
        TextMatch("trap-builder", opponent="casual", reward="opponent")
    match = TextMatch("hidden-path", opponent="random", reward="regret", length=30, traps=6)
    match.reset(1)
    with pytest.raises(TraplineError, match="too large to be solved"):
        match.step("[1 2 3 4 5 6]")


# --- replies that cannot be used --------------------------------------------------------


def test_refused_replies_are_explained_and_one_too_many_costs_all_there_is() -> None:
    match = TextMatch("trap-builder", opponent="random", mistakes=2, seat=1, first=1, **MIXED)
    _, before = match.reset(1)
    for _ in range(2):
        step = match.step("I would rather not.")
        assert step.text.endswith("Please answer again.")
        assert step.info["refused"] in step.text
        assert step.info | {"refused": None} == before
        assert not step.over
    step = match.step("[99]")
    assert step.over
    assert (step.reward, step.info["forfeit"], step.info["reason"]) == (-1.0, True, "resigned")
    value = solved(match.game, first=1).value
    assert step.info["regret"] == pytest.approx(value + 1)
    assert match.step("[1]").over


def test_a_usable_answer_forgives_what_was_refused_before() -> None:
    match = TextMatch("trap-builder", opponent="random", mistakes=1, seat=1, first=1, **MIXED)
    match.reset(1)
    match.step("no")
    match.step("[2]")
    assert not match.step("no").over


def test_resigning_costs_as_much_as_a_forfeit_and_draws_are_declined() -> None:
    match = TextMatch("trap-builder", opponent="random", seat=1, first=1, **MIXED)
    match.reset(1)
    assert "declines" in match.step("[draw]").text
    assert "already" in match.step("[draw]").text
    step = match.step("[resign]")
    assert step.info["regret"] == pytest.approx(solved(match.game, first=1).value + 1)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"seat": 3}, 'seat must be 1, 2, "alternate" or None'),
        ({"first": "me"}, 'first must be 1, 2 or "toss"'),
        ({"reward": "fun"}, "There is no reward 'fun'; there are result, regret, opponent."),
        ({"opponent": "god"}, "There is no computer level 'god'"),
        ({"lenght": 3}, "has no option 'lenght'"),
    ],
)
def test_what_makes_no_match_is_refused(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(OptionsError, match=sentence):
        TextMatch("trap-builder", **wrong)


# --- what the seat may not know ---------------------------------------------------------


@pytest.mark.parametrize("name", ["trap-builder", "secret-paths"])
def test_texts_and_infos_are_the_same_in_worlds_that_the_seat_cannot_tell_apart(name: str) -> None:
    watch = Transcripts()
    options = small(name)
    for number in range(120):
        rng = Random(f"{name} {number}")
        match = TextMatch(name, opponent="random", seat=1, first=1, **options)
        story: list[Any] = [match.reset(number)]
        while not match.over:
            watch.look(match.match, 1, repr(story).encode())
            story.append(match.step(f"[{some_answer(match, rng)}]"))
    assert watch.leaks == []
    assert watch.pairs > 5


def test_a_policy_may_be_the_opponent() -> None:
    def always_first(view: Any) -> dict[Any, float]:
        return {view.question.record(next(view.question.values())): 1.0}

    match = TextMatch("trap-builder", opponent=always_first, reward="opponent", **MIXED)
    assert all(-1 <= step.reward <= 0 for step in play(match, 4))
    broken = TextMatch(
        make_game("trap-builder", MIXED), opponent=lambda _view: {(1,): 0.4}, seat=1, first=1
    )
    with pytest.raises(OptionsError, match=r"must add up to 1, not to 0\.4"):
        broken.reset(1)
