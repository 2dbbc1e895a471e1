"""What is known of a secret that stays on its owner's device, and what can stay there at all."""

from __future__ import annotations

import pytest

from trapline.core import SEATS, OptionsError, Seat
from trapline.games import make_game
from trapline.referee.locked.box import MOST_PLACES, Box
from trapline.referee.locked.device import Device
from trapline.referee.locked.secrets import LockedSecrets
from trapline.server.messages import LARGEST_FRAME

ID = "0123456789abcdef"


def test_two_goals_are_found_as_soon_as_both_are_open() -> None:
    """Not only when the rest is opened: until then the other would play against both."""
    game = make_game("secret-paths", {})
    question = game.question(game.start(1), 1)
    assert question is not None
    one, two = (answer.text for answer in question.answers[:2])
    assert Box(question, {one: True}).fault == ""
    assert Box(question, {one: True, two: True}).fault
    assert Box(question, {answer.text: False for answer in question.answers[1:]}).fault == ""


@pytest.mark.parametrize("name", ["trap-runner", "numeric-maze"])
@pytest.mark.parametrize("seat", SEATS)
def test_a_device_hides_nothing_where_nothing_is_hidden_first(name: str, seat: Seat) -> None:
    with pytest.raises(OptionsError, match="nothing is hidden before the first turn"):
        Device(make_game(name, {}), ID, seat, [1])


def test_commitments_of_a_secret_fit_into_one_message() -> None:
    LockedSecrets(make_game("hidden-path", {"length": MOST_PLACES}), match_id=ID)
    with pytest.raises(OptionsError, match="too large to stay"):
        LockedSecrets(make_game("hidden-path", {"length": MOST_PLACES + 1}), match_id=ID)
    lock = Device(make_game("hidden-path", {}), ID, 1, [1, 2, 3]).locks()[0]
    assert MOST_PLACES * len(f'"{lock}",') < LARGEST_FRAME
