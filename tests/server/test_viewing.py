"""What viewers are shown beside the match itself: names, what a secret is asked for with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.server.rooms import KEYS, Spied, opened
from trapline.core import Told, ask_number
from trapline.games.numeric_maze import NumericMaze
from trapline.server import showing
from trapline.server.messages import NewMatch, Play, Request
from trapline.server.room import Room
from trapline.server.viewing import VIEWERS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from trapline.core import Actor, AnyEvent


class Greeting(NumericMaze):
    """Whoever moves greets the other first."""

    def events(self, before: Any, seat: Actor, answer: int, after: Any) -> Iterator[AnyEvent]:
        yield Told(seat, "{by} greets {other}.")
        yield from super().events(before, seat, answer, after)


def test_who_comes_later_has_been_greeted_by_name() -> None:
    """Everything is told anew, also what was told long before there was a name."""
    opening = opened(NewMatch("numeric-maze", "link", {}, 1))
    room = Room("0" * 16, opening, Greeting(NumericMaze.options_type()))
    room.act(1, Request("k", room.version(1), Play("2")))
    assert told(room) == ["Player 1 greets Player 2.", "Player 1 moves to position 2."]
    room.join(opening.code or "", "Ben", KEYS[2])
    assert told(room) == ["Player 1 greets Ben.", "Player 1 moves to position 2."]


def told(room: Room) -> list[str]:
    (first, *others) = [room.state(viewer).words for viewer in VIEWERS]
    assert first
    assert all(words and words.told == first.told for words in others)
    return [line for lines in first.told for line in lines]


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize(
    ("game", "places", "count", "secret"),
    [
        ("hidden-path", tuple(range(1, 11)), 3, (2, 6, 8)),
        ("secret-paths", tuple((5, column) for column in range(1, 6)), 1, (5, 2)),
    ],
)
def test_older_clients_are_told_how_to_ask_for_a_secret_and_for_nothing_else(
    game: str, places: tuple[Any, ...], count: int, secret: Any, plain: bool
) -> None:
    def asked() -> tuple[Any, ...]:
        table = spied.room.state(1, plain=plain).table
        return table.secret_hint, table.secret_places, table.secret_count

    spied = Spied(game, {})
    hint, *rest = asked()
    assert hint
    assert rest == [places, count]
    spied.choose(1, secret)
    assert asked() == (None, None, None)
    spied = Spied("numeric-maze", {})
    assert asked() == (None, None, None), "a move is no secret"


def test_a_question_is_encoded_once_and_only_so_many_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(showing, "_known", {})
    monkeypatch.setattr(showing, "MOST_KNOWN", 2)
    one, two, three = (ask_number("step", range(1, most)) for most in (2, 3, 4))
    first, second = showing._encoded(one), showing._encoded(two)
    assert showing._encoded(one)[0] is first[0]
    assert showing._encoded(two)[0] is second[0]
    showing._encoded(three)
    assert len(showing._known) <= 2
    assert bytes(showing._encoded(one)[0]) == bytes(first[0])
