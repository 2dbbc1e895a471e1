"""Hints and judgements are one."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests import worlds
from tests.solve import plain
from tests.test_coach import SMALL, played
from trapline.coach import Word, advise, analyse, hint
from trapline.coach.weighing import weigh
from trapline.contest import next_asked
from trapline.core import SEATS, other
from trapline.games import RULEBOOKS, make_game
from trapline.players import PLAYERS, perfect
from trapline.referee import Match

if TYPE_CHECKING:
    from trapline.core import Form, Seat, View

VARIANTS = [
    (kind.name, preset.name, preset.options) for kind in RULEBOOKS for preset in kind.presets
]


@pytest.mark.parametrize(
    ("name", "options"),
    [(name, options) for name, _, options in VARIANTS],
    ids=[f"{name} {preset}" for name, preset, _ in VARIANTS],
)
def test_no_sentence_contradicts_the_hint(name: str, options: dict[str, Any]) -> None:
    """Random matches: whatever the hint names is never called worse than best, and the other way
    round; and both tell the same figures."""
    game = make_game(name, options)
    rng = Random(f"{name} {options}")
    match = Match(game, rng.choice((1, 2)), rng=rng)
    advice = []
    while (seat := next_asked(match)) is not None:
        view = match.view(seat)
        assert view.question is not None
        if not view.question.forced:
            advice.append(advise(view))
        match.play(seat, PLAYERS[rng.choice(("random", "casual"))].choose(view, rng))
        if len(advice) >= 6 and match.outcome is None:
            match.resign(seat)
    judgements = analyse(match.record()).judgements
    assert len(judgements) == len(advice)
    for judged, advised in zip(judgements, advice, strict=True):
        options_by_name = {option.answer: option for option in advised.options}
        meant = {option.answer for option in advised.options if option.often >= 0.01}
        if judged.chosen in meant:
            assert judged.word is Word.BEST
            assert " → " not in judged.sentence
        if judged.word is not Word.BEST:
            assert judged.best in meant
            assert " → " in judged.sentence
        else:
            assert ";" not in "".join(r.sentence for r in judged.reasons if r.kind == "worlds")
        assert judged.settled == advised.settled
        assert judged.expected_before == pytest.approx(
            max(options_by_name[answer].expects for answer in meant), abs=1e-6
        )
        assert judged.expected_after == options_by_name[judged.chosen].expects
        assert all(option.expects <= judged.expected_before + 1e-6 for option in advised.options)


@pytest.mark.parametrize(
    ("name", "preset"),
    [("hidden-path", "fair"), ("trap-builder", "deep"), ("trap-runner", "deep"),
     ("numeric-maze", "quick")],
)  # fmt: skip
def test_no_sentence_contradicts_itself(name: str, preset: str) -> None:
    """Nothing is better by a change that is none, and nothing certain but for a hundredth."""
    options = next(o for kind, called, o in VARIANTS if (kind, called) == (name, preset))
    for seed in range(6):
        rng = Random(str(seed))
        match = Match(make_game(name, options), 1, rng=rng)
        while (seat := next_asked(match)) is not None and match.view(None).turn < 30:
            level = PLAYERS[rng.choice(("random", "casual"))]
            match.play(seat, level.choose(match.view(seat), rng))
        if match.outcome is None:
            match.resign(1)
        for judged in analyse(match.record()).judgements:
            change = re.search(r"([\d.]+%) → ([\d.]+%)", judged.sentence)
            assert bool(change) == (judged.word is not Word.BEST)
            if change:
                assert change[1] != change[2]
            if "wins for certain" in judged.sentence:
                assert judged.expected_after == 1


def test_walking_onto_a_trap_in_plain_sight_is_never_best() -> None:
    """Position 5 is a trap that everybody sees, also for who has lost against best play."""
    moves = [(1,), (3,), (1,), (2,), (3,), (3,), (3,), (3,)]
    match = Match(make_game("numeric-maze"), 1)
    for move in moves:
        assert match.to_move is not None
        match.play(match.to_move, *move)
    match.resign(1)
    judged = analyse(match.record()).judgements
    fourth, fifth = judged[3], judged[4]
    assert (fourth.by, fourth.chosen) == (2, "2 steps")  # from 3 onto 5
    assert fourth.word is not Word.BEST
    assert "Position 5 is a trap that everybody can see." in [r.sentence for r in fourth.reasons]
    assert (fifth.by, fifth.chosen) == (1, "3 steps")  # from 2 onto 5
    assert fifth.word is not Word.BEST
    assert "everybody can see" in fifth.reasons[0].sentence


def test_the_fatal_first_step_of_a_lost_game_says_so() -> None:
    record = played("trap-builder", [(2,)], {1: [7, 8, 9], 2: [1, 2, 3]})
    step = next(item for item in analyse(record).judgements if item.asks == "move")
    assert step.settled == "lost"
    assert step.sentence.startswith("Lost from the start against best play")
    assert step.expected_before < 1
    secrets = {item.by: item for item in analyse(record).judgements if item.asks == "secret"}
    assert secrets[2].sentence == "This wins for certain: 100%."
    assert [reason.sentence for reason in secrets[2].reasons] == [
        "1 2 3 leaves the other no safe first answer."
    ]


def test_a_secret_that_leaves_less_to_hope_for_is_not_called_as_good_as_any() -> None:
    """Against best play 1 is as good as 2; against people it is not."""
    match = Match(make_game("trap-builder", {"length": 5, "traps": 1}), 1)
    match.play(1, (1,))
    match.play(2, (1,))
    match.resign(1)
    judged = analyse(match.record()).judgements[1]
    assert (judged.lost, judged.best) == (0, "2")
    assert judged.sentence.startswith("No worse against best play; 2 left more to hope for: ")


def test_whoever_seems_lost_is_told_what_perfect_play_does_and_what_leaves_more_to_hope_for() -> (
    None
):
    """Of all who play the solution, only who has trapped 6 begins with 3 steps. All is lost then;
    against somebody else it need not be, so the solution does not turn aside. But 3 steps, past the
    trap, leave more to hope for, and nobody is sent onto it without a word."""
    match = Match(make_game("trap-builder", {"length": 8, "traps": 1}), 1)
    match.play(1, (5,))
    match.play(2, (2,))
    match.play(1, 3)
    advice = advise(match.view(2))
    assert [(at.place, at.chance) for at in advice.suspected] == [(6, 1.0)]
    assert perfect.chances(match.view(2)) == {1: 0.0, 2: 1.0, 3: 0.0}  # 2 steps lead onto 6
    assert advice.sentence.startswith("Perfect play answers 2 steps: against best play all is lost")
    assert advice.sentence.endswith(" errs there is more to hope for with 3 steps.")
    for steps in (2, 3):
        fork = match.fork()
        fork.play(2, steps)
        if fork.outcome is None:
            fork.resign(2)
        judged = analyse(fork.record()).judgements[-1]
        assert judged.word is Word.BEST
        assert judged.sentence == "Lost already against best play."
        if steps == 2:
            assert judged.reasons[0].sentence.startswith("Position 6 was a trap in every world")


def following_hints(view: View) -> dict[Form, float]:
    solution = perfect.solution_of(make_game(view.game, view.options), view.first)
    assert solution is not None
    return weigh(solution, view).mix


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("hidden-path", {"length": 6, "traps": 1, "max_step": 2, "goal_traps": False}),
        ("hidden-path", {"length": 5, "traps": 2, "max_step": 2, "goal_traps": False}),
        ("trap-builder", {"length": 6, "traps": 2, "walls": False}),
    ],
)
def test_whoever_follows_the_hints_keeps_what_was_proven(
    name: str, options: dict[str, Any]
) -> None:
    """What is lost against the solution need not be lost against somebody else."""
    game = make_game(name, options)
    solution = perfect.solution_of(game)
    assert solution is not None
    for seat, kept in zip(SEATS, (solution.bounds[0], -solution.bounds[1]), strict=True):
        strategy = plain.remembering(following_hints)
        got = max(plain.by_secret(game, other(seat), strategy, first=1).values())
        assert -got >= kept - 1e-6


@pytest.mark.parametrize("options", [{"length": 5, "traps": 1, "goal_traps": False},
                                     {"length": 5, "traps": 2}])  # fmt: skip
def test_a_hint_tells_what_the_perfect_player_does_and_that_is_never_a_mistake(
    options: dict[str, Any],
) -> None:
    """Nor where it has lost against best play, and would have more to hope for elsewhere."""
    rng, game = Random(1), make_game("hidden-path", options)
    for _ in range(30):
        match = Match(game, rng.choice(SEATS), rng=rng)
        played = []
        while (seat := next_asked(match)) is not None:
            view = match.view(seat)
            assert view.question is not None
            chances = perfect.chances(view)
            if not view.question.forced:
                told = sorted(option.often for option in advise(view).options)
                assert told == pytest.approx(sorted(chances.values()), abs=1e-6)
            answer = rng.choice(list(chances))
            match.play(seat, answer)
            if not view.question.forced:
                played.append(chances[answer])
        judgements = analyse(match.record()).judgements
        for judged, chance in zip(judgements, played, strict=True):
            assert chance < 0.01 or judged.word is Word.BEST


@pytest.mark.parametrize("seat", SEATS)
def test_what_perfect_play_hides_rarely_is_no_mistake(seat: Seat) -> None:
    """Of many secrets that are equally good each is rare, and people may make more of some."""
    game = make_game("trap-builder", {"walls": False})
    solution = perfect.solution_of(game)
    assert solution is not None
    weighed = weigh(solution, Match(game, 1).view(seat))
    hidden = [secret for secret, often in weighed.outlook.chances.items() if often > 1e-4]
    assert min(weighed.outlook.chances[secret] for secret in hidden) < 0.01
    assert all(weighed.as_good(secret) for secret in hidden)


def test_a_reason_never_speaks_for_the_worse_answer() -> None:
    """One step is safe but too slow: whoever takes it is not told that the other was a trap more
    often, as if that were why."""
    options = {"length": 6, "traps": 1, "max_step": 2, "goal_traps": False}
    match = Match(make_game("hidden-path", options), 1)
    match.play(1, (4,))
    match.play(2, (2,))
    match.play(1, 2)
    match.play(2, 1)
    match.resign(2)
    judged = analyse(match.record()).judgements[-1]
    assert judged.best == "2 steps"
    assert [reason.sentence for reason in judged.reasons] == [
        "Step 1 was safer, but that is not enough here; 2 was a trap in 1 of 3 worlds."
    ]


def test_the_move_that_wins_is_told_as_certain() -> None:
    """1 wastes a move, 2 gives it back: a start that is lost for 2 and a mistake each."""
    match = Match(make_game("numeric-maze", {"length": 7, "traps": []}), 1)
    for move in (1, 1, 3, 3, 3):
        assert match.to_move is not None
        match.play(match.to_move, move)
    analysis = analyse(match.record())
    last = analysis.judgements[-1]
    assert (last.by, last.expected_after) == (1, 1.0)
    assert last.sentence == "This wins for certain: 100%."
    one, two = analysis.accounts["1"], analysis.accounts["2"]
    assert (one.start, one.unmade) == pytest.approx((-two.start, -two.unmade), abs=1e-5)
    assert one.start > 0
    assert (one.own, one.other) == pytest.approx((-two.other, -two.own), abs=1e-5)


def test_a_draw_that_nothing_can_change_is_told_as_even() -> None:
    """Nobody can be home in the turns that are left."""
    match = Match(make_game("numeric-maze", {"turn_limit": 14}), 1)
    while match.to_move is not None:
        match.play(match.to_move, 1)
    last = analyse(match.record()).judgements[-1]
    assert last.expected_after == 0.5
    assert last.sentence == "Nobody can win any more: 50%."


def test_what_is_no_mistake_does_not_add_up_to_one() -> None:
    """Twenty turns of the Seeker to and fro: each is called fine, so nothing was given away."""
    match = Match(make_game("secret-paths"), 1)
    match.play(1, (5, 2))
    match.play(2, (1, 2))
    for _ in range(20):
        match.play(1, (4, 2))
        match.play(2, (3, 1))
    match.resign(1)
    analysis = analyse(match.record())
    second = [judged for judged in analysis.judgements if judged.by == 2 and judged.turn]
    assert {judged.word for judged in second} <= {Word.BEST, Word.FINE}
    assert analysis.accounts["2"].own == 0


def test_the_mix_of_a_hint_is_told_as_it_is() -> None:
    match = Match(make_game("trap-builder", {"walls": False}), 1)
    told = hint(match.view(1))
    mixed = [chance for chance in perfect.chances(match.view(1)).values() if chance > 0]
    assert len(mixed) > 20
    assert f"one of {len(mixed)}, most often " in told
    assert f"{max(mixed):.0%} of the time" in told
    assert "it wins 29% against best play" in told
    few = hint(Match(make_game("hidden-path"), 1).view(1))
    assert "equally often: it wins 74% against best play" in few


def test_giving_up_is_no_mistake_of_the_moves_and_no_luck() -> None:
    match = Match(make_game("numeric-maze"), 2)
    match.play(2, 3)
    match.play(1, 2)
    match.resign(2)
    analysis = analyse(match.record())
    winner, loser = analysis.accounts["1"], analysis.accounts["2"]
    chance = 1 - analysis.judgements[-1].expected_after
    assert chance > 0.8
    assert (loser.own, loser.luck) == (0, 0)
    assert loser.ending == pytest.approx(-chance, abs=1e-5)
    assert winner.ending == pytest.approx(chance, abs=1e-5)
    assert analysis.sentence.startswith(f"Whoever resigned still had a chance of {chance:.0%}. ")


def test_an_agreed_draw_is_told_by_what_it_gave_up() -> None:
    match = Match(make_game("numeric-maze"), 1)
    match.play(1, 3)
    match.offer_draw(1)
    match.accept_draw(2)
    analysis = analyse(match.record())
    assert analysis.sentence.startswith("At the draw one side still had a chance of 81%. ")
    one, two = analysis.accounts["1"], analysis.accounts.get("2")
    assert one.ending == pytest.approx(0.5 - analysis.judgements[-1].expected_after, abs=1e-5)
    assert two is None


def test_a_match_that_is_played_out_has_no_early_end() -> None:
    match = worlds.random_match(make_game("numeric-maze"), Random(3))
    analysis = analyse(match.record())
    assert not analysis.sentence.startswith(("Whoever resigned", "At the draw"))
    assert {account.ending for account in analysis.accounts.values()} == {0}


def test_nothing_is_luck_where_nothing_is_hidden_or_drawn() -> None:
    """Both play without a mistake: the first mover's 81% become a win as the slips stay away that
    people make."""
    match = Match(make_game("numeric-maze"), 1)
    while match.to_move is not None:
        advised = advise(match.view(match.to_move)).options
        match.play(match.to_move, int(advised[0].answer[0]) if advised else 1)
    account = analyse(match.record()).accounts["1"]
    assert (account.own, account.other, account.luck) == (0, 0, 0)
    assert account.unmade == pytest.approx(1 - 0.5 - account.start, abs=1e-5)
    assert account.unmade > 0.1


def test_luck_and_skill_add_up_to_the_result() -> None:
    rng = Random(5)
    for name, options in SMALL.items():
        analysis = analyse(worlds.random_match(make_game(name, options), rng).record())
        for account in analysis.accounts.values():
            made = account.start + account.own + account.other + account.ending
            parts = made + account.luck + account.unmade
            assert 0.5 + parts == pytest.approx(account.result, abs=1e-5)
            assert account.own <= 1e-6
            assert account.other >= -1e-6
        if len(analysis.accounts) == 2:
            one, two = analysis.accounts["1"], analysis.accounts["2"]
            assert (one.start, one.luck) == pytest.approx((-two.start, -two.luck), abs=1e-5)


def test_a_worse_secret_is_explained_by_what_the_best_one_catches() -> None:
    """That the worse one caught a first answer was never why it was worse."""
    record = played("trap-builder", [(3,)], {1: [1, 2, 9], 2: [3, 7, 9]})
    told = {
        judged.by: [reason.sentence for reason in judged.reasons]
        for judged in analyse(record).judgements
        if not judged.turn
    }
    assert told == {
        1: ["7 8 9 leaves the other no safe first answer."],
        2: ["1 2 3 leaves the other no safe first answer."],
    }


def test_what_a_worse_secret_catches_as_well_is_no_reason() -> None:
    game = make_game("hidden-path", {"length": 4, "traps": 1})
    rng = Random(7)
    for _ in range(20):
        for judged in analyse(worlds.random_match(game, rng).record()).judgements:
            told = [reason for reason in judged.reasons if reason.kind == "first answers"]
            assert len(told) <= 1
            if told and judged.word not in (Word.BEST, Word.FINE):
                assert told[0].answers != (judged.chosen,)


def test_a_hint_gives_a_reason_for_an_answer_that_it_names() -> None:
    said = hint(Match(make_game("hidden-path"), 2).view(1))
    assert said.startswith("Perfect play chooses one of ")
    assert "leaves the other" not in said
