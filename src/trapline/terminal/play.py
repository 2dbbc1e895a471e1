"""One match at one screen: the referee asks, people and computers answer in turn."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from trapline.contest import act, next_asked
from trapline.core import (
    SECRET,
    IllegalMove,
    InvalidMove,
    MoveRefused,
    TraplineError,
    View,
    Whispered,
    brief,
    one_of,
    other,
    plural,
    span,
)
from trapline.players import find_player, is_player
from trapline.referee import verify
from trapline.terminal.asking import Asker
from trapline.terminal.audience import Audience
from trapline.terminal.keeping import Keeper
from trapline.terminal.pages import Pages
from trapline.terminal.thinking import Thinking

if TYPE_CHECKING:
    from trapline.core import Question, Seat
    from trapline.players import Opponent
    from trapline.referee import Match
    from trapline.terminal.saves import Saves
    from trapline.terminal.screen import Screen

KEEP = "Press Enter to keep this and hide it, or type another: "
KEEP_OR_SHOW = "Press Enter to keep it, type show to read it once, or type another: "
SHOW = "show"
STILL_CHOSEN = "What you chose before still stands."
SOON_SAID = 8
"""So many answers are named when one is refused: as many as a cell has neighbours."""
TYPED_BLINDLY = "What you type here stays hidden, because it may tell what nobody else should know."
TOO_OPEN = (
    "This screen cannot take back what it shows, so it cannot tell one of two players anything "
    "in private: play on a screen that can, or against the computer."
)


class Session:
    """Plays one match to its end."""

    def __init__(self, match: Match, screen: Screen, saves: Saves, *, in_words: bool) -> None:
        self.match = match
        self.screen = screen
        self.audience = Audience(match, screen)
        self.pages = Pages(match, screen, in_words=in_words)
        self.thinking = Thinking(match)
        keeper = Keeper(match, saves, screen)
        self.asker = Asker(match, screen, self.audience, self.pages, keeper, self.thinking)
        self._whispers: dict[Seat, int] = {1: 0, 2: 0}
        """How many private sentences each player has been told, where they are told aloud."""

    def play(self) -> None:
        """Play to the end. Raises Quit, EOFError or KeyboardInterrupt when it stops before."""
        try:
            self._play()
        finally:
            self.thinking.stop()

    def _play(self) -> None:
        computers = self._computers()
        self.asker.keep()
        if self._types_blindly:
            self.asker.notice.append(TYPED_BLINDLY)
        self._prepare(computers)
        while (seat := next_asked(self.match)) is not None:
            self.asker.answer_offer()
            if self.match.outcome is not None:
                break
            if seat in computers:
                self._ask_computer(seat, computers[seat])
            else:
                self._ask_person(seat)
        self.audience.close_curtain()

    def farewell(self) -> list[str]:
        """What everybody may read when the match is over."""
        match_id = self.match.id
        return [*self.checked(), f"Record {match_id}: 'trapline replay {match_id}' shows it again."]

    def checked(self) -> list[str]:
        """Whether what was sealed is what was played; nothing where nothing was sealed."""
        if not self.match.commitments:
            return []
        faults = [check for check in verify(self.match.record()) if check.fault is not None]
        sealed = "Every sealed choice was checked, and none was changed."
        return [sealed if not faults else "A sealed choice does not match!"]

    # --- the computer -------------------------------------------------------------------

    def _computers(self) -> dict[Seat, Opponent]:
        found = {}
        for seat, player in self.match.players.items():
            if player.bot is not None:
                if not is_player(player.bot):
                    raise TraplineError(f"This Trapline has no computer level {brief(player.bot)}.")
                found[seat] = find_player(player.bot)
        return found

    def _prepare(self, computers: dict[Seat, Opponent]) -> None:
        """Let a computer that plays the solution think first; what takes longer than a moment is
        worked out while people play."""
        for seat, opponent in computers.items():
            if opponent.prepare is not None:
                self.asker.show([f"{self.pages.names[seat]} thinks the game through ..."])
                self.thinking.begin()

    def _ask_computer(self, seat: Seat, opponent: Opponent) -> None:
        choose, told = self.thinking.chooser(self.pages.names[seat], opponent)
        self.asker.notice += told
        forfeit = act(self.match, seat, choose, self._chance)
        if forfeit is not None:
            self.asker.notice = [str(forfeit)]
        self.asker.keep()
        self._show_what_happened()

    def _chance(self, view: View) -> Random:
        """A generator for each decision: a match that is resumed goes on as it would have."""
        return Random(f"{self.match.seed} {view.seat} {view.turn} {view.asks}")

    # --- people -------------------------------------------------------------------------

    def _ask_person(self, seat: Seat) -> None:
        """Put the question that a person is asked, once; what is refused is asked again."""
        question = self.match.question(seat)
        assert question is not None  # only who is asked is asked
        if not self.audience.would_notice(question):
            self._take(seat, question, (question.answers[0].record,))
            return
        if self.audience.must_change(seat):
            self.asker.hand_over(seat)
        if question.asks != SECRET:
            self._ask_claim(seat)
        if self.match.outcome is not None:
            return
        chosen: tuple[Any, ...] | None = None
        text = self._typed(seat, question)
        while text is not None:
            answers = self._read(seat, question, text)
            if answers is not None:
                chosen = answers
            elif chosen is not None:
                self.asker.notice.append(STILL_CHOSEN)
            else:
                return
            text = self._another(seat, question, chosen)
            if text == "":
                self._take(seat, question, chosen)
                return

    @property
    def _types_blindly(self) -> bool:
        """Whether even an open move is typed unseen: one line may hold a hidden answer as well."""
        open_to_both = self.audience.keeps_nothing_back and self.screen.people
        return open_to_both and self.match.game.seals_turns

    def _typed(self, seat: Seat, question: Question) -> str | None:
        said = self.pages.words(seat)
        secret, shares = question.asks == SECRET, self.audience.shares
        if secret and shares and self.screen.people:
            said.hidden_from = self.pages.names[other(seat)]
        if self.audience.keeps_nothing_back:
            self.asker.notice += self._told_aloud(seat)
        heading = [] if secret or self.match.in_turn(seat) else said.heading(seat)
        hidden = (question.sealed and shares) or self._types_blindly
        prompt = said.prompt(seat)
        return self.asker.answer(seat, prompt, heading, hidden=hidden, question=question)

    def _told_aloud(self, seat: Seat) -> list[str]:
        """What a player has to know, and a page for both does not show.

        Where an open turn has led becomes known when it is complete. What is whispered never
        does, so only a pipe can carry it: nobody else reads there.
        """
        said = self.pages.words(seat)
        events = said.view.events
        known = len(self.match.view(None).events)
        public = [index for index, event in enumerate(events) if not event.private]
        whispered = [index for index, event in enumerate(events) if isinstance(event, Whispered)]
        fresh = whispered[self._whispers[seat] :]
        if fresh and self.screen.people:
            raise TraplineError(TOO_OPEN)
        told = said.told({})
        return [line for index in sorted([*public[known:], *fresh]) for line in told[index]]

    def _read(self, seat: Seat, question: Question, text: str) -> tuple[Any, ...] | None:
        """What was typed, as answers; None, and a notice, if it cannot be one."""
        if question.asks == SECRET and text == "":
            self.asker.notice = ["Nothing was typed."]
            return None
        try:
            answers = self.match.read(seat, text)
            if self._confirms(question):
                self.match.fork().play(seat, *answers)
        except (InvalidMove, IllegalMove) as error:
            self.asker.notice = [str(error)]
            return None
        if self.audience.keeps_nothing_back and question.forced and question.sealed:
            return (question.answers[0].record,)  # a refusal would tell that there is no choice
        return answers

    def _confirms(self, question: Question) -> bool:
        """Whether what was typed blindly can be read once before it is kept."""
        typed_blindly = self.audience.shares and self.screen.people
        return question.asks == SECRET and typed_blindly and not self.screen.shows_answers

    def _another(self, seat: Seat, question: Question, answers: tuple[Any, ...]) -> str | None:
        """What is typed instead of an answer that was shown again; nothing keeps it."""
        if not self._confirms(question):
            return ""
        chosen = question.spoken(answers[0])
        if self.screen.wipes:
            return self.asker.answer(seat, KEEP, [f"You chose {chosen}."], hidden=True)
        while (text := self.asker.answer(seat, KEEP_OR_SHOW, [], hidden=True)) == SHOW:
            self.screen.peek(chosen)
        return text

    def _take(self, seat: Seat, question: Question, answers: tuple[Any, ...]) -> None:
        heard = len(self.match.view(seat).events)
        try:
            self.match.play(seat, *answers)
        except (InvalidMove, IllegalMove) as error:
            prompt = self.pages.words(seat).prompt(seat)
            possible = _possible(question, prompt)
            self.asker.notice = [str(error), *possible, *self._refused_so_far(seat)]
            self.asker.keep()  # some games count what they refuse
            return
        self.asker.keep()
        self._show_what_happened()
        events = self.match.view(seat).events
        self._whispers[seat] = sum(isinstance(event, Whispered) for event in events[:heard])
        private = any(event.private for event in events[heard:])
        if self.audience.takes_turns and self.match.outcome is None:
            self._hide(seat, question, private=private)

    def _refused_so_far(self, seat: Seat) -> list[str]:
        """A warning while there is time: refused moves may cost the game."""
        limit, rival = self.match.game.claim_after, other(seat)
        last = self.match.view(seat).events[-1:]
        if limit is None or rival not in self.audience.people:
            return []
        return [
            f"{plural(event.count, 'refused move')} in a row: "
            f"after {limit}, {self.pages.names[rival]} may claim the game."
            for event in last
            if isinstance(event, MoveRefused) and event.count < limit
        ]

    def _show_what_happened(self) -> None:
        """A screen that shows moves as they happen sees each before anybody is asked again."""
        if self.screen.lively:
            self.asker.show([])

    def _hide(self, seat: Seat, question: Question, *, private: bool) -> None:
        """Let a person read what only they may see, and then hide it from who is asked next."""
        if next_asked(self.match) == seat:
            return
        if question.asks != SECRET:
            if not (private or question.sealed or self.match.game.seals_turns):
                return
            self.asker.answer(seat, "Press Enter to hide this: ", [], choices=(("", "Hide this"),))
        self.audience.close_curtain()

    def _ask_claim(self, seat: Seat) -> None:
        """After refused moves the opponent may take the game, or let it pass."""
        rival = other(seat)
        if self.match.may_claim != rival or rival not in self.audience.people:
            return
        name, limit = self.pages.names[rival], self.match.game.claim_after
        offer = f"{limit} moves in a row were refused: {name} may type 'claim' to take the game."
        if not self.screen.wipes:
            self.asker.notice.append(offer)  # no handing over: the mover's answer lets it pass
            return
        refusal, self.asker.notice = self.asker.notice, []
        self.audience.close_curtain()
        question = f"{name}, type claim, or press Enter to let it pass: "
        choices = (("claim", "Claim the game"), ("", "Let it pass"))
        while self.asker.answer(rival, question, [offer], choices=choices):
            self.asker.notice = ["Please type claim, or nothing."]
        if self.match.may_claim == rival:
            self.match.waive_claim(rival)
            self.asker.keep()
            self.asker.hand_over(seat)
            self.asker.notice = refusal


def _possible(question: Question, prompt: str) -> list[str]:
    """What may be answered instead, where it is open and soon said, and not asked for by name."""
    if question.sealed or question.choose or len(question.answers) > SOON_SAID:
        return []
    possible = one_of(question.legal)
    if possible in prompt or span(question.legal) in prompt:
        return []
    return [f"Possible now: {possible}."]
