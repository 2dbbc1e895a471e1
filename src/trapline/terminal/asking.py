"""What is asked: a page, a prompt, and an answer, or one of the words of command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.core import TraplineError, other
from trapline.core.pages import in_short
from trapline.terminal.screen import Asked

if TYPE_CHECKING:
    from collections.abc import Callable

    from trapline.core import Place, Question, Seat, Suspicion
    from trapline.referee import Match
    from trapline.terminal.audience import Audience
    from trapline.terminal.keeping import Keeper
    from trapline.terminal.pages import Pages
    from trapline.terminal.screen import Choices, Screen
    from trapline.terminal.thinking import Thinking

HELP = {
    "help": "this list; so does ?",
    "board": "show the board again",
    "rules": "the rules of this game in short",
    "seals": "the seals of what is hidden, to compare them later",
    "hint": "what perfect play would do",
    "claim": "take the game after the refused moves",
    "draw": "offer a draw",
    "resign": "give up the game",
    "quit": "stop now; 'trapline resume' goes on later",
}
"""What each word of command does."""
ALIASES = {"?": "help", "q": "quit", "exit": "quit"}
"""Words that people try; they stand for others wherever they are no answer themselves."""
NEXT = "Press Enter for the next game: "
YES_NO = (("y", "Yes"), ("n", "No"))


class Quit(Exception):
    """Somebody wants to stop; the match is on disk."""


class Asker:
    """Puts any question to whoever sits at the screen, and obeys words of command."""

    def __init__(
        self,
        match: Match,
        screen: Screen,
        audience: Audience,
        pages: Pages,
        keeper: Keeper,
        thinking: Thinking,
    ) -> None:
        self.match = match
        self.screen = screen
        self.audience = audience
        self.pages = pages
        self.keeper = keeper
        self.thinking = thinking
        self.notice: list[str] = []
        """What the next page says about the last answer."""
        self._board_again = False
        self._suspected: tuple[Suspicion, ...] = ()

    def answer(
        self,
        seat: Seat,
        prompt: str,
        heading: list[str],
        *,
        hidden: bool = False,
        question: Question | None = None,
        choices: Choices = (),
    ) -> str | None:
        """One answer that is not a word of command; None when a word has ended the match.

        `choices` are the answers where no question of the game is put.
        """
        over = self.match.outcome is not None
        taken = {answer.text for answer in question.answers} if question else set()
        while True:
            looking, notice, again = self.audience.looking, self.notice, self._board_again
            page = self.pages.page(
                looking, heading, notice, board_again=again, suspected=self._suspected
            )
            self.notice, self._board_again, self._suspected = [], False, ()
            asked = Asked(prompt, hidden, question, tuple(choices), tuple(self._commands()))
            text = self.screen.ask(page, asked)
            word = text.strip().lower()
            if word not in taken:
                word = ALIASES.get(word, word)
            command = self._commands().get(word)
            if command is None:
                return text
            try:
                command(seat)
            except TraplineError as error:
                self.notice = [str(error)]
            if self.match.outcome is not None and not over:
                return None

    def yes(self, seat: Seat, question: str, heading: list[str]) -> bool | None:
        """Yes or no; None when a word of command has ended the match."""
        while (answer := self.answer(seat, question, heading, choices=YES_NO)) is not None:
            if answer.strip().lower() in ("y", "yes", "n", "no"):
                return answer.strip().lower().startswith("y")
            self.notice = ["Please answer y or n."]
        return None

    def show(self, heading: list[str]) -> None:
        self.screen.show(self.pages.page(self.audience.looking, heading, self.notice))

    def keep(self) -> None:
        self.notice += self.keeper.keep(self.pages.title)

    def hand_over(self, seat: Seat) -> None:
        """A page that both may see, until the next player says that nobody else is looking."""
        self.audience.close_curtain()
        name = self.pages.names[seat]
        question = f"Pass the device to {name}. {name}, press Enter when only you can see it: "
        self.answer(seat, question, [], choices=(("", "Only I can see it"),))
        if self.match.outcome is None:
            self.audience.looking = seat

    def answer_offer(self) -> None:
        """An open draw offer is answered at once: both are at the same device."""
        seat = self.match.view(None).draw_offer
        if seat is None or self.match.outcome is not None:
            return
        rival = other(seat)
        if rival not in self.audience.people:
            self._let_computer_answer(rival)
            return
        looking = self.audience.looking
        self.audience.close_curtain()
        accepted = self.yes(rival, f"{self.pages.names[rival]}, accept the draw? (y/n): ", [])
        if accepted is not None:
            (self.match.accept_draw if accepted else self.match.decline_draw)(rival)
            self.keep()
        if self.match.outcome is None and looking is not None and self.audience.shares:
            self.hand_over(looking)

    def _let_computer_answer(self, rival: Seat) -> None:
        """A computer takes a draw where the game is drawn."""
        from trapline.coach.offers import accepts_draw  # loads the solver

        accepted = accepts_draw(self.match, rival)
        (self.match.accept_draw if accepted else self.match.decline_draw)(rival)
        self.keep()

    # --- words of command ---------------------------------------------------------------

    def _commands(self) -> dict[str, Callable[[Seat], None]]:
        commands: dict[str, Callable[[Seat], None]] = {
            "help": self._help,
            "board": self._board,
            "rules": self._rules,
            "seals": self._seals,
            "quit": self._quit,
        }
        if self.match.outcome is not None:
            return commands
        commands |= {"resign": self._resign, "draw": self._draw}
        if self.match.may_claim in self.audience.people:
            commands["claim"] = self._claim
        if not self.audience.shares:
            commands["hint"] = self._hint
        return commands

    def _help(self, _seat: Seat) -> None:
        known = self._commands()
        words = [f"  {word:<7} {what}" for word, what in HELP.items() if word in known]
        self.notice = ["Answer the question, or type one of these words:", *words]
        if shorthand := self.match.game.words.shorthand:
            self.notice.insert(0, f"One line may answer twice. {shorthand}.")

    def _hint(self, seat: Seat) -> None:
        self.show(["Thinking the game through ..."])
        advice = self.thinking.advise(self.match.view(seat))
        self.notice, self._suspected = [advice.sentence], advice.suspected
        if advice.suspected and not self.screen.shows_answers:
            hides = f"how likely {self.pages.names[other(seat)]} hides something, by best play"
            self.notice.append(f"Place by place, {hides}: {_chances(advice.suspected)}.")

    def _board(self, _seat: Seat) -> None:
        self._board_again = True

    def _rules(self, _seat: Seat) -> None:
        self.notice = in_short(self.match.game)

    def _seals(self, _seat: Seat) -> None:
        self.notice = self.pages.seals()

    def _resign(self, seat: Seat) -> None:
        """A person is asked once more; whoever writes to a pipe has thought before."""
        if self.screen.people:
            name = self.pages.names[seat]
            sure = self.yes(seat, f"{name}, do you really resign this game? (y/n): ", [])
            if not sure:
                return
        self.match.resign(seat)
        self.keep()

    def _quit(self, _seat: Seat) -> None:
        raise Quit

    def _claim(self, _seat: Seat) -> None:
        claimant = self.match.may_claim
        assert claimant is not None  # the word is only known then
        self.match.claim(claimant)
        self.keep()

    def _draw(self, seat: Seat) -> None:
        self.match.offer_draw(seat)
        if self.match.view(seat).draw_offer is None and self.match.outcome is None:
            self.notice = ["Your offer is made when this turn is complete."]
        self.answer_offer()


def _chances(suspected: tuple[Suspicion, ...]) -> str:
    """Places with their chances, the likeliest first."""
    ranked = sorted(suspected, key=lambda found: -found.chance)
    return "; ".join(f"{_named(found.place)} {found.chance:.0%}" for found in ranked)


def _named(place: Place) -> str:
    return str(place) if isinstance(place, int) else ",".join(map(str, place))
