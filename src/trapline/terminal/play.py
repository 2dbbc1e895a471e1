"""The prompt loop: asks the people, asks the computer, and keeps everything on disk."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import TYPE_CHECKING

from rich.text import Text

from trapline.contest import act, next_to_act
from trapline.core import (
    SEATS,
    Forfeit,
    InvalidMove,
    Moved,
    Seat,
    Secret,
    TraplineError,
    View,
    brief,
    other,
)
from trapline.match import Match
from trapline.notation import format_secret, parse_secret, parse_trap_answer, parse_turn
from trapline.players import Opponent, find_player, is_player
from trapline.record import SHOWN_DIGITS, verify
from trapline.terminal import boards
from trapline.terminal.saves import SaveError
from trapline.terminal.screen import Page
from trapline.words import rulebook
from trapline.words.boards import describe
from trapline.words.phrases import Phrases, phrases

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.notation import Turn
    from trapline.terminal.saves import Saves
    from trapline.terminal.screen import Screen

HELP = [
    "Answer the question, or type one of these words:",
    "  help    this list",
    "  board   show the board again",
    "  rules   the rules of this game in short",
    "  draw    offer a draw",
    "  resign  give up the game",
    "  quit    stop now; 'trapline resume' goes on later",
]


class Quit(Exception):
    """Somebody wants to stop; the match is on disk."""


class Session:
    """One match at one screen."""

    def __init__(self, match: Match, screen: Screen, saves: Saves, *, words: bool) -> None:
        self.match = match
        self.screen = screen
        self.saves = saves
        self.words = words
        self.names = {seat: match.players[seat].name for seat in SEATS}
        self.people = [seat for seat in SEATS if match.players[seat].bot is None]
        self.computers: dict[Seat, Opponent] = {}
        self.notice: list[str] = []
        self.looking: Seat | None = self.people[0] if len(self.people) == 1 else None
        """Who sits at the screen, and so what it may show; None while two people share it."""
        self.show_board = False
        self.told_where = False

    @property
    def hides(self) -> bool:
        """Whether two people have to hand the device over to keep their secrets."""
        game = self.match.game
        return len(self.people) == 2 and (game.secret is not None or game.hides_turns)

    def play(self) -> None:
        """Play to the end. Raises Quit, EOFError or KeyboardInterrupt when it stops before."""
        for seat in SEATS:
            bot = self.match.players[seat].bot
            if bot is not None and not is_player(bot):
                raise TraplineError(f"This Trapline has no computer level {brief(bot)}.")
            if bot is not None:
                self.computers[seat] = find_player(bot)
        self._keep()
        self._prepare()
        while self._running():
            self._settle_offer()
            if self._running():
                self._ask_next()
        self.looking = None if len(self.people) != 1 else self.people[0]

    def _prepare(self) -> None:
        """Let the computer think first, and say so: a first solution may take half a minute."""
        for seat, opponent in self.computers.items():
            if opponent.prepare is not None:
                self.screen.show(self.page([f"{self.names[seat]} thinks the game through ..."]))
                opponent.prepare(self.match.game)

    def _running(self) -> bool:
        return self.match.outcome is None

    def _ask_next(self) -> None:
        seat = next_to_act(self.match)
        if self.match.players[seat].bot is None:
            self._ask_person(seat)
        else:
            self._ask_computer(seat)

    # --- the computer -------------------------------------------------------------------

    def _ask_computer(self, seat: Seat) -> None:
        view = self.match.view(seat)
        # A generator for each decision: a match that is resumed goes on as it would have.
        rng = Random(f"{self.match.seed} {seat} {view.turn} {view.asks}")
        try:
            act(self.match, seat, self.computers[seat].choose(view, rng))
        except Forfeit as forfeit:
            self.match.resign(seat)
            self.notice = [str(forfeit)]
        self._keep()

    # --- people -------------------------------------------------------------------------

    def _ask_person(self, seat: Seat) -> None:
        if self.looking != seat and self.hides and self.screen.wipes:
            self._hand_over(seat)
        asks = self.match.view(seat).asks
        if asks == "secret":
            self._ask_secret(seat)
        elif asks == "trap":
            self._ask_trap(seat)
        elif asks == "move":
            self._ask_move(seat)

    def _hand_over(self, seat: Seat) -> None:
        """A page that both may see, until the next player says that nobody else is looking."""
        self.looking = None
        name = self.names[seat]
        question = f"Pass the device to {name}. {name}, press Enter when only you can see it: "
        self._answer(seat, question, heading=[])
        if self.match.outcome is None:
            self.looking = seat

    def _ask_secret(self, seat: Seat) -> None:
        wanted = self.match.game.secret_hint(seat)
        if len(self.people) == 2 and self.screen.people:
            wanted += f", hidden from {self.names[other(seat)]}"
        prompt = self._phrases(seat).secret_prompt(seat, wanted)
        while self.match.view(seat).asks == "secret":
            text = self._answer(seat, prompt, heading=[], hidden=len(self.people) == 2)
            while text:
                try:
                    secret = self._read_secret(seat, text)
                except TraplineError as error:
                    self.notice = [str(error)]
                    break
                text = self._confirm_secret(seat, secret)
                if text == "":
                    self.match.choose_secret(seat, secret)
                    self._keep()
            if text == "" and self.match.view(seat).asks == "secret":
                self.notice = ["Nothing was typed."]

    def _read_secret(self, seat: Seat, text: str) -> Secret:
        game = self.match.game
        return game.check_secret(seat, parse_secret(game, seat, text))

    def _confirm_secret(self, seat: Seat, secret: Secret) -> str | None:
        """Show what was typed blindly, where that can be wiped; another secret replaces it."""
        if not self.hides or not self.screen.wipes:
            return ""
        chosen = [f"You chose {format_secret(self.match.game, secret)}."]
        keep = "Press Enter to keep this and hide it, or type another: "
        text = self._answer(seat, keep, heading=chosen, hidden=True)
        if text == "":
            self.looking = None
        return text

    def _ask_move(self, seat: Seat) -> None:
        while self.match.view(seat).asks == "move":
            self._ask_claim(seat)
            if self.match.outcome is not None:
                return
            said = self._phrases(seat)
            text = self._answer(seat, said.move_prompt(seat), heading=said.heading(seat))
            if text is None:
                return
            try:
                turn = parse_turn(self.match.game, text)
                self._ask_in_vain(seat, turn)
                self.match.play(seat, *turn)
            except TraplineError as error:
                self.notice = [str(error)]
                self._keep()
                continue
            self._keep()
            if self.match.view(seat).asks != "trap":
                self._end_private_turn(seat)

    def _ask_trap(self, seat: Seat) -> None:
        left = _square_left(self.match.view(seat), seat)
        while self.match.view(seat).asks == "trap":
            prompt = self._phrases(seat).trap_prompt(left)
            if len(self.people) == 2 and not self.screen.wipes:
                self.notice += _landing(self._phrases(seat))
            text = self._answer(seat, prompt, heading=[], hidden=len(self.people) == 2)
            if text is None:
                return
            try:
                self.match.play(seat, *parse_trap_answer(text))
            except TraplineError as error:
                self.notice = [str(error)]
                continue
            self._keep()
            self._end_private_turn(seat)

    def _end_private_turn(self, seat: Seat) -> None:
        """Let the mover of a turn with a hidden decision read its result, and then hide it."""
        hidden = self.match.game.hides_turns and len(self.people) == 2 and self.screen.wipes
        if hidden and self.match.outcome is None:
            self._answer(seat, "Press Enter to hide this: ", heading=[])
            self.looking = None

    def _ask_in_vain(self, seat: Seat, turn: Turn) -> None:
        """Ask about a trap where the mover has one already, so that nobody can tell.

        Two people who share a screen that cannot be wiped would learn from a question that is
        left out. It is asked like any other; the answer changes nothing.
        """
        shared = len(self.people) == 2 and self.screen.people and not self.screen.wipes
        if not shared or not self.match.game.hides_turns or len(turn) > 1:
            return
        ahead = Match.restore(self.match.sealed_record())
        ahead.play(seat, *turn)
        said = phrases(ahead.view(seat), self.names)
        left = _square_left(said.view, seat)
        if ahead.outcome is not None or said.view.asks == "trap" or left == 0:
            return
        while True:
            self.notice += _landing(said)
            text = self._answer(seat, said.trap_prompt(left), heading=[], hidden=True)
            try:
                parse_trap_answer(text or "n")
            except InvalidMove as error:
                self.notice = [str(error)]
                continue
            return

    def _ask_claim(self, seat: Seat) -> None:
        """After refused moves the opponent may take the game, or let it pass."""
        rival = other(seat)
        if self.match.may_claim != rival or rival not in self.people:
            return
        name, limit = self.names[rival], self.match.game.claim_after
        offer = f"{limit} moves in a row were refused: {name} may type 'claim' to take the game."
        if not self.screen.wipes:
            self.notice.append(offer)  # no handing over: the mover's next answer lets it pass
            return
        refusal, self.notice = self.notice, []
        self.looking = None
        question = f"{name}, type claim, or press Enter to let it pass: "
        while self._answer(rival, question, heading=[offer]):
            self.notice = ["Please type claim, or nothing."]
        if self.match.may_claim == rival:
            self.match.waive_claim(rival)
            self._keep()
            self._hand_over(seat)
            self.notice = refusal

    # --- answers and words --------------------------------------------------------------

    def _answer(
        self, seat: Seat, prompt: str, *, heading: list[str], hidden: bool = False
    ) -> str | None:
        """One answer that is not a word of command; None when a word has ended the match."""
        over = self.match.outcome is not None
        while True:
            page = self.page(heading)
            self.notice, self.show_board = [], False
            text = self.screen.ask(page, prompt, hidden=hidden)
            command = self._commands().get(text.strip().lower())
            if command is None:
                return text
            try:
                command(seat)
            except TraplineError as error:
                self.notice = [str(error)]
            if self.match.outcome is not None and not over:
                return None

    def ask_yes(self, seat: Seat, question: str, heading: list[str]) -> bool | None:
        """Yes or no; None when a word of command has ended the match."""
        while (answer := self._answer(seat, question, heading=heading)) is not None:
            if answer.strip().lower() in ("y", "yes", "n", "no"):
                return answer.strip().lower().startswith("y")
            self.notice = ["Please answer y or n."]
        return None

    def pause(self, question: str, heading: list[str]) -> None:
        self._answer(self.people[0], question, heading=heading)

    def _commands(self) -> dict[str, Callable[[Seat], None]]:
        commands = {
            "help": self._help,
            "board": self._board,
            "rules": self._rules,
            "resign": self._resign,
            "draw": self._draw,
            "quit": self._quit,
        }
        if self.match.may_claim in self.people:
            commands["claim"] = self._claim
        if len(self.people) == 1:
            commands["hint"] = self._hint
        return commands

    def _help(self, _seat: Seat) -> None:
        self.notice = list(HELP)
        if len(self.people) == 1:
            self.notice.insert(-1, "  hint    what perfect play would do")

    def _hint(self, seat: Seat) -> None:
        # The solver is heavy; nobody should wait for it who does not ask.
        from trapline.coach import hint

        self.screen.show(self.page(["Thinking the game through ..."]))
        self.notice = [hint(self.match.view(seat))]

    def _board(self, _seat: Seat) -> None:
        self.show_board = True

    def _rules(self, _seat: Seat) -> None:
        self.notice = rulebook.in_short(self.match.game)

    def _resign(self, seat: Seat) -> None:
        self.match.resign(seat)
        self._keep()

    def _quit(self, _seat: Seat) -> None:
        raise Quit

    def _claim(self, _seat: Seat) -> None:
        claimant = self.match.may_claim
        assert claimant is not None  # the word is only known then
        self.match.claim(claimant)
        self._keep()

    def _draw(self, seat: Seat) -> None:
        self.match.offer_draw(seat)
        if self.match.view(seat).draw_offer is None and self.match.outcome is None:
            self.notice = ["Your offer is made when this turn is complete."]
        self._settle_offer()

    def _settle_offer(self) -> None:
        """An open draw offer is answered at once: both are at the same device."""
        seat = self.match.view(None).draw_offer
        if seat is None or self.match.outcome is not None:
            return
        rival = other(seat)
        if rival not in self.people:
            self.match.decline_draw(rival)
            self._keep()
            return
        looking = self.looking
        self.looking = None if len(self.people) == 2 else looking
        accepted = self.ask_yes(rival, f"{self.names[rival]}, accept the draw? (y/n): ", [])
        if accepted is not None:
            (self.match.accept_draw if accepted else self.match.decline_draw)(rival)
            self._keep()
        if self.match.outcome is None and looking is not None and len(self.people) == 2:
            self._hand_over(looking)

    # --- showing and keeping ------------------------------------------------------------

    def _phrases(self, seat: Seat | None) -> Phrases:
        return phrases(self.match.view(seat), self.names)

    def page(self, heading: list[str]) -> Page:
        """What may be seen by whoever is looking now."""
        view = self.match.view(self.looking)
        said = phrases(view, self.names)
        account = [*said.welcome(), *self._opening(), *said.account(self.match.commitments)]
        if view.outcome is not None:
            account += said.ending(view.outcome)
        again = self.show_board
        draw = partial(self._draw_board, view, again)
        return Page(self._title(), draw, account, heading, self.notice, again)

    def _draw_board(self, view: View, asked: bool, width: int) -> list[Text]:
        if not self.words:
            return boards.draw(view, self.names, width, self.screen.glyphs)
        if not asked and view.outcome is None:
            return []  # for ears, a board on every turn is too much; the word 'board' tells it
        return [Text(line) for line in describe(view, self.names, self.match.game.place)]

    def _title(self) -> str:
        series = self.match.series
        title = f"{self.match.game.title}: {self.names[1]} against {self.names[2]}"
        if series is None:
            return title
        return (
            f"{title}, game {series.number} of {series.best_of}, {series.wins[0]}:{series.wins[1]}"
        )

    def _opening(self) -> list[str]:
        match = self.match
        how = "The toss says that" if match.tossed else "In this game"
        lines = [f"{how} {self.names[match.first]} moves first."]
        for seat in SEATS:
            sealed = match.commitments.get(str(seat))
            if sealed is not None:
                lines.append(f"{self.names[seat]}'s choice is sealed: {sealed[:SHOWN_DIGITS]}")
        return [*lines, "Let the game begin!"] if match.game.secret and match.ready else lines

    def _keep(self) -> None:
        """Put the match on disk; nothing is shown before that has worked."""
        while True:
            try:
                path = self.saves.save(self.match)
            except SaveError as error:
                if not self.screen.people:
                    raise
                page = Page(self._title(), lambda _width: [], [], [], [str(error)], False)
                again = "Make room and press Enter to try again, or type quit: "
                if self.screen.ask(page, again).strip().lower() == "quit":
                    raise
            else:
                break
        if path.parent != self.saves.folders[0] and not self.told_where:
            self.told_where = True
            usual = self.saves.folders[0]
            self.notice.append(f"Nothing can be written to {usual}; the match is in {path.parent}.")

    # --- the end ------------------------------------------------------------------------

    def farewell(self) -> list[str]:
        """What everybody may read when the match is over."""
        record = self.match.record()
        faults = [check for check in verify(record) if check.fault is not None]
        lines = [f"Record {record.id}: 'trapline replay {record.id}' shows it again."]
        if self.match.commitments:
            sealed = "Every sealed choice was checked, and none was changed."
            lines.insert(0, sealed if not faults else "A sealed choice does not match!")
        return lines


def _square_left(view: View, seat: Seat) -> int:
    """The square that a player's last move began on."""
    moves = [event for event in view.events if isinstance(event, Moved) and event.by == seat]
    start = moves[-1].start
    assert isinstance(start, int)  # only tracks have trap questions
    return start


def _landing(said: Phrases) -> list[str]:
    """Where an open turn has landed, on which the trap decision is made.

    A page for both does not show it before the turn is complete.
    """
    events = said.view.events
    last = max(index for index, event in enumerate(events) if isinstance(event, Moved))
    return [line for event in events[last:] for line in said.say(event, None)]
