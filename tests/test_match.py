"""The referee under any calls in any order."""

from __future__ import annotations

from random import Random
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from tests import rules
from trapline.core import (
    SEATS,
    SECRET,
    ClaimWaived,
    DrawDeclined,
    DrawOffered,
    IllegalMove,
    InvalidMove,
    Moved,
    MoveRefused,
    NotNow,
    Outcome,
    Question,
    Reason,
    Seat,
    SecretError,
    TraplineError,
    other,
)
from trapline.games import GAMES, make_game
from trapline.referee import Match, parse_record, verify

seats = st.sampled_from(SEATS)
odd_moves: st.SearchStrategy[Any] = st.one_of(
    st.integers(-2, 12),
    st.tuples(st.integers(0, 6), st.integers(0, 6)),
    st.sampled_from(["t", "n", "y", "2t", "", None, True, 2.0, [3, 3], {}, (1,), (1, 2, 3)]),
)


class AnyCalls(RuleBasedStateMachine):
    """A model of who may do what, beside a match that is called without regard for it."""

    @initialize(name=st.sampled_from(list(GAMES)), first=st.sampled_from([1, 2, "toss"]))
    def begin(self, name: str, first: Any) -> None:
        self.match = Match(make_game(name), first, rng=Random(0))
        self.chosen: set[Seat] = set()
        self.offer: Seat | None = None
        self.turns = 0

    @property
    def over(self) -> bool:
        return self.match.outcome is not None

    def attempt(self, call: Any, *arguments: Any) -> bool:
        """Whether the call was taken; a refused one must change nothing but the refusals."""
        before = self.snapshot()
        try:
            call(*arguments)
        except TraplineError:
            assert self.snapshot() == before
            return False
        return True

    def snapshot(self) -> Any:
        record = self.match.sealed_record()
        record.refused = 0
        return record, [
            (view.legal, view.board, view.outcome, view.draw_offer, view.asks, view.to_move)
            for view in map(self.match.view, (*SEATS, None))
        ]

    @rule(seat=seats, value=st.lists(st.integers(-1, 12), max_size=4))
    def choose_any_secret(self, seat: Seat, value: list[int]) -> None:
        asked = self.match.view(seat).asks == SECRET
        if (self.over or asked) and self.attempt(self.match.play, seat, value):
            assert asked
            assert seat not in self.chosen
            self.chosen.add(seat)

    @rule(seat=seats, seed=st.integers(0, 10**6))
    def choose_a_good_secret(self, seat: Seat, seed: int) -> None:
        game = self.match.game
        may = not self.over and rules.hides_secrets(game) and seat not in self.chosen
        if may:
            self.match.play(seat, rules.random_secrets(game, Random(seed))[seat])
            self.chosen.add(seat)

    @rule(seat=seats, move=odd_moves)
    def play_anything(self, seat: Seat, move: Any) -> None:
        view = self.match.view(seat)
        secret = view.asks == SECRET
        taken = self.attempt(self.match.play, seat, move)
        assert taken == is_allowed(view.question, move)
        if taken and secret:
            self.chosen.add(seat)
        self.count_turn(seat, view.turn, taken)

    @rule(seed=st.integers(0, 10**6))
    def play_a_legal_move(self, seed: int) -> None:
        seat = self.match.to_move
        if seat is None:
            return
        view = self.match.view(seat)
        self.match.play(seat, Random(seed).choice(view.legal))
        self.count_turn(seat, view.turn, taken=True)

    def count_turn(self, seat: Seat, before: int, taken: bool) -> None:
        complete = self.match.view(seat).turn > before
        if taken and complete and self.offer == other(seat):
            self.offer = None  # moving on declines
        self.turns += complete

    @rule(seat=seats)
    def offer_draw(self, seat: Seat) -> None:
        if self.match.view(seat).asks == "trap":
            return  # such an offer waits for the end of the turn; see below
        may = not self.over and self.offer != seat
        accepts = self.offer == other(seat)
        assert self.attempt(self.match.offer_draw, seat) == may
        if may:
            self.offer = None if accepts else seat
            assert self.over == accepts

    @rule(seat=seats, accept=st.booleans())
    def answer_draw(self, seat: Seat, accept: bool) -> None:
        may = not self.over and self.offer == other(seat)
        call = self.match.accept_draw if accept else self.match.decline_draw
        assert self.attempt(call, seat) == may
        if may:
            self.offer = None
            assert self.over == accept

    @rule(seat=seats, claim=st.booleans())
    def claim_or_waive(self, seat: Seat, claim: bool) -> None:
        may = self.match.may_claim == seat
        call = self.match.claim if claim else self.match.waive_claim
        assert self.attempt(call, seat) == may
        if may and claim:
            assert self.match.outcome == Outcome(seat, Reason.FORFEIT)

    @precondition(lambda self: self.turns > 3)
    @rule(seat=seats)
    def resign(self, seat: Seat) -> None:
        may = not self.over
        assert self.attempt(self.match.resign, seat) == may
        if may:
            assert self.match.outcome == Outcome(other(seat), Reason.RESIGNED)

    @invariant()
    def the_record_brings_the_match_back(self) -> None:
        record = self.match.sealed_record()
        again = Match.restore(parse_record(record.to_json().encode()))
        assert again.sealed_record() == record
        for viewer in (*SEATS, None):
            ours, theirs = self.match.view(viewer), again.view(viewer)
            assert (ours.board, ours.legal, ours.asks) == (theirs.board, theirs.legal, theirs.asks)

    @invariant()
    def only_the_mover_has_moves(self) -> None:
        for viewer in (*SEATS, None):
            view = self.match.view(viewer)
            secret = view.asks == SECRET
            assert bool(view.legal) == (view.question is not None and not view.question.choose)
            assert view.question is None or secret or viewer == self.match.to_move
            assert (view.secrets is not None) == self.over

    @invariant()
    def what_is_over_can_be_verified(self) -> None:
        if self.over:
            faults = [check for check in verify(self.match.record()) if check.fault]
            assert not faults
        else:
            with pytest.raises(NotNow):
                self.match.record()


def is_allowed(question: Question | None, move: Any) -> bool:
    """Whether the referee should take this as an answer: exact types, exact values."""
    if question is None:
        return False
    form = tuple(move) if isinstance(move, list) else move
    if question.choose:
        places = [answer.record for answer in question.answers]
        return (
            isinstance(form, tuple)
            and len(set(form)) == len(form) == question.choose
            and all(type(part) is int and part in places for part in form)
        )
    return any(form == allowed and type(form) is type(allowed) for allowed in question.legal)


TestAnyCalls = AnyCalls.TestCase
TestAnyCalls.settings = settings(max_examples=80, stateful_step_count=40, deadline=None)


def started(name: str) -> Match:
    match = Match(make_game(name), 1)
    for seat, secret in rules.random_secrets(match.game, Random(1)).items():
        match.play(seat, secret)
    return match


def test_a_secret_is_chosen_once() -> None:
    match = Match(make_game("hidden-path"), 1)
    with pytest.raises(SecretError, match="different steps from 1 to 10"):
        match.play(1, [1, 2])
    match.play(1, [1, 2, 3])
    with pytest.raises(NotNow, match="cannot be changed"):
        match.play(1, [4, 5, 6])
    with pytest.raises(NotNow, match="both players have chosen"):
        match.play(1, 1)


def test_nobody_moves_for_the_other() -> None:
    match = started("numeric-maze")
    with pytest.raises(NotNow, match="Player 1's turn"):
        match.play(2, 1)


def test_a_turn_of_several_moves_is_made_whole_or_not_at_all() -> None:
    match = started("trap-runner")
    with pytest.raises(IllegalMove, match="square 0"):
        match.play(1, 2, "t")
    assert match.view(1).turn == 0
    assert match.view(1).events == ()
    match.play(1, 2)
    match.play(2, 1)
    with pytest.raises(IllegalMove, match="more than one turn"):
        match.play(1, 2, "n", 1)
    with pytest.raises(InvalidMove):
        match.play(1, 2, None)
    assert match.view(1).asks == "move"


def test_three_refused_moves_in_a_row_may_be_claimed_or_let_pass() -> None:
    match = started("secret-paths")
    for count in (1, 2, 3):
        assert match.may_claim is None
        with pytest.raises(IllegalMove):
            match.play(1, (3, 3))
        assert match.view(2).events[-1] == MoveRefused(1, count)
    assert match.view(1).may_claim == match.view(2).may_claim == 2
    with pytest.raises(NotNow):
        match.claim(1)
    match.waive_claim(2)
    assert match.view(None).events[-1] == ClaimWaived(2)
    assert match.may_claim is None
    for _ in range(3):
        with pytest.raises(IllegalMove):
            match.play(1, (9, 9))
    match.claim(2)
    assert match.outcome == Outcome(2, Reason.FORFEIT)


def test_a_legal_move_or_an_unreadable_one_does_not_count_towards_the_claim() -> None:
    match = started("secret-paths")
    for _ in range(2):
        with pytest.raises(IllegalMove):
            match.play(1, (3, 3))
    for nonsense in ("x", 7, None, [3, 2, 1], (3, 2.0)):
        with pytest.raises(InvalidMove):
            match.play(1, nonsense)
    assert match.may_claim is None
    match.play(1, (3, 2))
    with pytest.raises(IllegalMove):
        match.play(2, (3, 2))
    assert match.view(1).events[-1] == MoveRefused(2, 1)


def test_other_games_do_not_count_refused_moves() -> None:
    match = started("hidden-path")
    for _ in range(5):
        with pytest.raises(IllegalMove):
            match.play(1, 9)
    assert match.may_claim is None
    assert match.view(2).events == ()


def test_a_draw_offer_stands_until_it_is_answered_or_the_other_moves() -> None:
    match = started("numeric-maze")
    match.offer_draw(1)
    with pytest.raises(NotNow, match="still stands"):
        match.offer_draw(1)
    match.play(1, 1)
    assert match.view(2).draw_offer == 1
    match.play(2, 1)
    assert match.view(2).draw_offer is None
    said = [event for event in match.view(1).events if not isinstance(event, Moved)]
    assert said == [DrawOffered(1), DrawDeclined(2)]
    match.offer_draw(2)
    match.offer_draw(1)
    assert match.outcome == Outcome(None, Reason.AGREED_DRAW)


def test_a_draw_offer_inside_a_private_turn_waits_for_its_end() -> None:
    """Before that, it would tell the other that there was a question to think about."""
    match = started("trap-runner")
    match.play(1, 3)
    match.play(2, 1)
    match.play(1, 2)
    before = match.view(2), match.view(None)
    match.offer_draw(1)
    assert (match.view(2), match.view(None)) == before
    with pytest.raises(NotNow, match="no draw offer"):
        match.accept_draw(2)
    match.play(1, "n")
    assert match.view(2).draw_offer == 1
    assert match.view(2).events[-1] == DrawOffered(1)
    match.accept_draw(2)
    assert match.outcome == Outcome(None, Reason.AGREED_DRAW)


def test_a_private_turn_reaches_the_other_only_when_it_is_complete() -> None:
    match = started("trap-runner")
    match.play(1, 3)
    match.play(2, 1)
    before = match.view(2), match.view(None)
    match.play(1, 2)
    assert match.view(1).asks == "trap"
    assert (match.view(2), match.view(None)) == before
    match.play(1, "n")
    assert match.view(2) != before[0]


def test_commitments_are_fixed_before_the_first_move_and_hide_equal_secrets() -> None:
    one, two = Match(make_game("hidden-path"), 1), Match(make_game("hidden-path"), 1)
    for match in (one, two):
        match.play(1, [1, 2, 3])
    assert list(one.commitments) == ["1"]
    assert one.commitments["1"] != two.commitments["1"]
    one.play(2, [1, 2, 3])
    assert len(set(one.commitments.values())) == 2


def test_trap_runner_commits_every_turn_alike() -> None:
    match = started("trap-runner")
    for turn in ((3,), (1,), (2, "t"), (2, "n")):
        assert match.to_move is not None
        match.play(match.to_move, *turn)
    assert list(match.commitments) == ["turn 1", "turn 2", "turn 3", "turn 4"]
    assert {len(value) for value in match.commitments.values()} == {64}


@pytest.mark.parametrize("name", GAMES)
def test_a_seed_repeats_the_toss(name: str) -> None:
    game = make_game(name)
    firsts = [Match(game, "toss", rng=Random(5)).first for _ in range(3)]
    assert len(set(firsts)) == 1


@pytest.mark.parametrize("name", GAMES)
def test_a_fork_and_its_match_do_not_hear_of_each_other(name: str) -> None:
    rng = Random(name)
    game = make_game(name)
    match = Match(game, 1)
    for seat, secret in rules.random_secrets(game, rng).items():
        match.play(seat, secret)
    while match.to_move is not None:
        before = match.sealed_record(), [match.view(viewer) for viewer in (1, 2, None)]
        twin = match.fork()
        assert (twin.sealed_record(), [twin.view(viewer) for viewer in (1, 2, None)]) == before
        twin.play(match.to_move, rng.choice(match.view(match.to_move).legal))
        if twin.outcome is None:
            twin.offer_draw(1)
            twin.resign(2)
        assert (match.sealed_record(), [match.view(viewer) for viewer in (1, 2, None)]) == before
        match.play(match.to_move, rng.choice(match.view(match.to_move).legal))


def test_a_fork_in_the_middle_of_a_turn_tells_the_others_all_of_it_at_its_end() -> None:
    match = Match(make_game("trap-runner"), 1)
    for turn in ((3,), (1,), (2,)):
        assert match.to_move is not None
        match.play(match.to_move, *turn)
    twin = match.fork()
    for either in (match, twin):
        either.play(1, "n")
    assert [twin.view(viewer) for viewer in (1, 2, None)] == [
        match.view(viewer) for viewer in (1, 2, None)
    ]
