"""What is said at the table, in the manner of each rulebook's command-line sample.

`Phrases` speaks for any game; the classes below it bend what their rulebook says otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.core import (
    ClaimWaived,
    DrawDeclined,
    DrawOffered,
    Grid,
    Moved,
    MoveRefused,
    Reason,
    Returned,
    Seat,
    Track,
    TrapTried,
    Triggered,
    other,
)
from trapline.games import GAMES
from trapline.record import SHOWN_DIGITS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trapline.core import AnyEvent, Move, Outcome, View
    from trapline.words.boards import Names


def one_of(choices: tuple[Move, ...]) -> str:
    """1, 2, or 3"""
    texts = [str(choice) for choice in choices]
    if len(texts) <= 2:
        return " or ".join(texts)
    return ", ".join(texts[:-1]) + f", or {texts[-1]}"


def span(choices: tuple[Move, ...]) -> str:
    """1-3, or a list where there are gaps"""
    texts = [str(choice) for choice in choices]
    first, last = choices[0], choices[-1]
    if isinstance(first, int) and isinstance(last, int) and last - first == len(choices) - 1 > 0:
        return f"{first}-{last}"
    return one_of(choices) if len(texts) > 1 else texts[0]


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


class Phrases:
    """Sentences about one View, for the eyes of its seat."""

    place = "place"

    def __init__(self, view: View, names: Names) -> None:
        self.view = view
        self.names = names

    # --- questions ----------------------------------------------------------------------

    def welcome(self) -> list[str]:
        return [f"Welcome to {GAMES[self.view.game].title}!"]

    def secret_prompt(self, seat: Seat, wanted: str) -> str:
        return f"{self.names[seat]}, enter {wanted}: "

    def heading(self, seat: Seat) -> list[str]:
        return [f"{self.names[seat]}'s turn."]

    def move_prompt(self, seat: Seat) -> str:
        return f"{self.names[seat]}, enter your move ({span(self.view.legal)}): "

    def trap_prompt(self, square: int) -> str:
        return f"Set a trap on square {square}, which you just left? (y/n): "

    def at(self, seat: Seat) -> int:
        """Where a player moves from."""
        board = self.view.board
        assert isinstance(board, Track)
        return 0 if board.returning[seat - 1] else board.positions[seat - 1]

    # --- the account of what happened ---------------------------------------------------

    def account(self, sealed: Mapping[str, str]) -> list[str]:
        """What the seat has heard, in order; a longer history only adds lines at the end.

        `sealed` holds the commitments so far, for games whose turns hide something.
        """
        lines: list[str] = []
        events = self.view.events
        for index, event in enumerate(events):
            following = events[index + 1] if index + 1 < len(events) else None
            lines += self.say(event, following)
        return lines

    def say(self, event: AnyEvent, following: AnyEvent | None) -> list[str]:
        name = self.names[event.by]
        match event:
            case Moved():
                return self.moved(event, name, isinstance(following, Triggered))
            case Triggered():
                return self.triggered(event, name)
            case Returned():
                return self.returned(event, name)
            case TrapTried():
                return self.trap_tried(event)
            case MoveRefused():
                # One slip is between the player and the referee; three may cost the game.
                many = event.count >= 3
                return [f"{name} has made {event.count} refused moves in a row."] if many else []
            case ClaimWaived():
                return [f"{name} lets it pass."]
            case DrawOffered():
                return [f"{name} offers a draw."]
            case DrawDeclined():
                return [f"{name} declines the draw."]

    def moved(self, event: Moved, name: str, triggers: bool) -> list[str]:
        return [f"{name} moves to {self.place} {event.to}."]

    def triggered(self, event: Triggered, name: str) -> list[str]:
        return [f"{name} lands on a trap on {self.place} {event.at}!"]

    def returned(self, event: Returned, name: str) -> list[str]:
        return [f"{name} goes back to the start."]

    def trap_tried(self, event: TrapTried) -> list[str]:
        if event.succeeded:
            return [f"You set a trap on {self.place} {event.at}."]
        rival = self.names[other(event.by)]
        return [f"No trap set: one of {rival}'s is already on {self.place} {event.at}."]

    # --- the end ------------------------------------------------------------------------

    def ending(self, outcome: Outcome) -> list[str]:
        if outcome.winner is None:
            return [f"The game is drawn: {self._why_drawn(outcome.reason)}."]
        winner, loser = self.names[outcome.winner], self.names[other(outcome.winner)]
        match outcome.reason:
            case Reason.RESIGNED:
                return [f"{loser} resigns. {winner} wins the game!"]
            case Reason.FORFEIT:
                return [f"{winner} claims the game after {loser}'s refused moves, and wins."]
            case _:
                return self.won(winner)

    def won(self, winner: str) -> list[str]:
        return [f"{winner} wins the game!"]

    def _why_drawn(self, reason: Reason) -> str:
        if reason is Reason.WALLED_OFF:
            return "both paths are walled off"
        if reason is Reason.TURN_LIMIT:
            return f"the limit of {plural(self.view.turn, 'turn')} is reached"
        return "both players agreed"


class HiddenPathPhrases(Phrases):
    place = "Step"

    def secret_prompt(self, seat: Seat, wanted: str) -> str:
        return f"{self.names[seat]}, enter your trap positions ({wanted}): "

    def heading(self, seat: Seat) -> list[str]:
        turn = self.view.turn + 1
        return [f"Turn {turn}: {self.names[seat]}'s Move", f"Current Position: {self.at(seat)}"]

    def move_prompt(self, seat: Seat) -> str:
        return f"Enter steps to move ({one_of(self.view.legal)}): "

    def moved(self, event: Moved, name: str, triggers: bool) -> list[str]:
        result = "Trap triggered!" if triggers else "No trap triggered."
        return [f"{name}: Moved to Step {event.to}. {result}"]

    def triggered(self, event: Triggered, name: str) -> list[str]:
        return [f"Trap at Step {event.at} is now revealed and inactive."]

    def returned(self, event: Returned, name: str) -> list[str]:
        return [f"{name} returns to Step 0."]

    def won(self, winner: str) -> list[str]:
        return [f"{winner} wins!"]


class TrapBuilderPhrases(Phrases):
    place = "Position"

    def secret_prompt(self, seat: Seat, wanted: str) -> str:
        return f"{self.names[seat]}, place your traps by entering {wanted}, separated by spaces: "

    def heading(self, seat: Seat) -> list[str]:
        return [f"{self.names[seat]} is at Position {self.at(seat)}."]

    def move_prompt(self, seat: Seat) -> str:
        return f"{self.names[seat]}, enter your move ({span(self.view.legal)} steps): "

    def triggered(self, event: Triggered, name: str) -> list[str]:
        return [f"Oh no! {name} stepped on a trap at Position {event.at}!"]


class TrapRunnerPhrases(Phrases):
    place = "square"

    def account(self, sealed: Mapping[str, str]) -> list[str]:
        """As usual, and after each turn the commitment to what it hid."""
        lines: list[str] = []
        turn = 0
        events = self.view.events
        for index, event in enumerate(events):
            before = events[index - 1] if index else None
            after = events[index + 1] if index + 1 < len(events) else None
            opens = isinstance(event, Moved) and not isinstance(before, Returned)
            if opens or isinstance(event, Returned):
                lines += self._seal(turn, sealed)
                turn += 1
            lines += self.say(event, after)
        return lines + self._seal(turn, sealed)

    @staticmethod
    def _seal(turn: int, sealed: Mapping[str, str]) -> list[str]:
        commitment = sealed.get(f"turn {turn}")
        return [f"  sealed as {commitment[:SHOWN_DIGITS]}"] if commitment else []

    def heading(self, seat: Seat) -> list[str]:
        board = self.view.board
        lines = [f"{self.names[seat]}'s Turn"]
        if isinstance(board, Track) and board.returning[seat - 1]:
            lines.append("You have been sent back to square 0 due to a trap!")
        return [*lines, f"Your Position: Square {self.at(seat)}"]

    def move_prompt(self, seat: Seat) -> str:
        return f"Enter the number of squares to move forward ({span(self.view.legal)}): "

    def moved(self, event: Moved, name: str, triggers: bool) -> list[str]:
        mine = event.by == self.view.seat
        lines = [f"{'You move' if mine else f'{name} moves'} to square {event.to}."]
        if mine and event.start == 0:
            lines.append("Cannot set a trap on square 0.")
        return lines

    def triggered(self, event: Triggered, name: str) -> list[str]:
        if event.by == self.view.seat:
            rival = self.names[other(event.by)]
            return [
                f"You have triggered a trap set by {rival}!",
                "You will return to square 0 at the start of your next turn.",
            ]
        return [f"{name} has triggered a trap on square {event.at}!"]

    def returned(self, event: Returned, name: str) -> list[str]:
        who = "You are" if event.by == self.view.seat else f"{name} is"
        return [f"{who} back on square 0."]

    def won(self, winner: str) -> list[str]:
        return [f"Congratulations! {winner} has reached the goal and won the game!"]


class SecretPathsPhrases(Phrases):
    def secret_prompt(self, seat: Seat, wanted: str) -> str:
        return f"{self.names[seat]}, choose your Goal Cell ({wanted}): "

    def move_prompt(self, seat: Seat) -> str:
        first_question = not any(isinstance(event, Moved) for event in self.view.events)
        return f"Enter your move{self._example() if first_question else ''}: "

    def _example(self) -> str:
        cell = self.view.legal[-3] if len(self.view.legal) >= 3 else self.view.legal[0]
        assert isinstance(cell, tuple)
        return f" (e.g., 'move to {cell[0]},{cell[1]}')"

    def welcome(self) -> list[str]:
        board = self.view.board
        assert isinstance(board, Grid)
        middle = (board.size + 1) // 2
        return [*super().welcome(), f"The Seeker starts at ({middle},{middle})."]

    def moved(self, event: Moved, name: str, triggers: bool) -> list[str]:
        assert isinstance(event.to, tuple)
        return [f"{name}: Seeker moved to ({event.to[0]},{event.to[1]})."]

    def won(self, winner: str) -> list[str]:
        return [f"{winner} has moved the Seeker to their Goal Cell and wins the game!"]


class NumericMazePhrases(Phrases):
    place = "position"

    def welcome(self) -> list[str]:
        board = self.view.board
        assert isinstance(board, Track)
        traps = ", ".join(str(trap.at) for trap in board.traps) or "none"
        return [
            *super().welcome(),
            f"{self.names[1]} and {self.names[2]} are both at position 0.",
            f"Traps are at positions: {traps}.",
            f"First to reach position {board.length} wins!",
        ]

    def heading(self, seat: Seat) -> list[str]:
        lines = [f"{self.names[seat]}'s turn.", f"You're at position {self.at(seat)}."]
        board, legal = self.view.board, self.view.legal
        if isinstance(board, Track) and legal and legal[-1] == board.length - self.at(seat):
            allowed = ", ".join(map(str, legal))
            lines.append(f"Allowed moves: {allowed} ({board.length} must be reached exactly).")
        return lines

    def move_prompt(self, seat: Seat) -> str:
        noun = "space" if self.view.legal == (1,) else "spaces"
        return f"Choose your move ({one_of(self.view.legal)} {noun}): "

    def triggered(self, event: Triggered, name: str) -> list[str]:
        return [f"Oh no! {name} landed on a trap! Return to start."]

    def returned(self, event: Returned, name: str) -> list[str]:
        return [f"{name} is now at position 0."]

    def won(self, winner: str) -> list[str]:
        goal = self.view.board
        assert isinstance(goal, Track)
        return [f"Congratulations! {winner} has reached position {goal.length} and wins the game!"]


PHRASES: dict[str, type[Phrases]] = {
    "hidden-path": HiddenPathPhrases,
    "trap-builder": TrapBuilderPhrases,
    "trap-runner": TrapRunnerPhrases,
    "secret-paths": SecretPathsPhrases,
    "numeric-maze": NumericMazePhrases,
}


def phrases(view: View, names: Names) -> Phrases:
    return PHRASES.get(view.game, Phrases)(view, names)
