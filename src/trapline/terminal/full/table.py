"""The table: a board, what happened, what is asked, and the keys that answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import Input, Static

from trapline.terminal.full.board import BoardView, Stage
from trapline.terminal.full.choice import ARROWS, Choice
from trapline.terminal.full.fitting import (
    FEW,
    board_is_enough,
    fit,
    fit_offers,
    is_low,
    is_tight,
)
from trapline.terminal.full.offers import COMMANDS, command_keys
from trapline.terminal.full.overlays import HelpScreen, RulesScreen
from trapline.terminal.full.widgets import KeyBar, Measured, OfferButton, Wanted

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from trapline.core import First, View
    from trapline.referee import Match, Record
    from trapline.terminal.full.app import TraplineApp
    from trapline.terminal.full.keyed import Left, Sitting
    from trapline.terminal.full.offers import Offer
    from trapline.terminal.saves import Saves
    from trapline.terminal.screen import Asked, Page

ESSENTIAL = ("help", "rules", "claim", "quit")
"""Keys that are named always; the others where that costs no line."""


class TableScreen(Screen[None]):
    app: TraplineApp
    AUTO_FOCUS = ""  # keys are answers, until somebody begins to type one

    def __init__(self, match: Match, saves: Saves, first: First | None = None) -> None:
        super().__init__()
        self.match = match
        self._saves = saves
        self._first = first
        self.sitting: Sitting | None = None
        self.page: Page | None = None
        self.choice = Choice()
        self._begun: tuple[object, Choice] = (None, self.choice)

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        yield Static(id="chance")
        with Horizontal(id="middle"):
            yield Stage()
            with VerticalScroll(id="log"):
                yield Static(id="account")
        with Measured(id="asking"):
            with VerticalScroll(id="saying"):
                yield Static(id="said")
            yield Static(id="prompt")
            yield Horizontal(id="offers")
            yield Input(id="typed", select_on_focus=False)
        yield KeyBar()

    def on_mount(self) -> None:
        # The sitting is a thread; it may ask as soon as there is something to ask on.
        for part in ("#log", "#saying"):
            self.query_one(part).can_focus = False
        self.sitting = self.sit_down()
        self.sitting.start()

    def sit_down(self) -> Sitting:
        from trapline.terminal.full.keyed import Sitting

        return Sitting(self.match, self._saves, self, self._first)

    def on_wanted(self, message: Wanted) -> None:
        """In a task of its own: keys that come meanwhile are heard, and mean nothing."""
        self.run_worker(message.act())

    def on_unmount(self) -> None:
        if self.sitting is not None:
            self.sitting.screen.stop()

    @property
    def board(self) -> BoardView:
        return self.query_one(BoardView)

    @property
    def asked(self) -> Asked | None:
        """What is asked now; nothing while somebody else moves, or something does."""
        return self.choice.asked

    # --- what the sitting shows and asks --------------------------------------------------

    async def put(self, page: Page, asked: Asked | None) -> None:
        """Show a page, after what has happened since the last one; and ask, if anything is."""
        self.choice = Choice()
        self.board.point()
        self._show_keys()
        await self._play_scenes(page)
        self.page, self.choice = page, self._begin(page, asked)
        if page.seen is not None:
            view = page.seen.view
            self.board.show(view.board, view.seat, page.seen.names, page.seen.suspected)
        self.board.display = page.seen is not None
        fit(self)
        self.query_one("#title", Static).update(Text(page.title, "bold"))
        self._show_account(page)
        self._close_typing()
        await self._show_question()
        self.app.practice.ask(self)

    def _begin(self, page: Page, asked: Asked | None) -> Choice:
        """An answer in the making; where the same is asked again, it goes on."""
        view = self._seen(page)
        if asked is None or asked.question is None or view is None:
            return Choice(asked)
        situation = (self.match, view.seat, view.turn, view.board, asked.question)
        before, choice = self._begun
        if situation != before:
            choice = Choice(asked)
        choice.asked, choice.hint = asked, ""
        self._begun = situation, choice
        return choice

    async def _play_scenes(self, page: Page) -> None:
        before, after = self._seen(self.page), self._seen(page)
        if before is None or after is None or not self.app.moving or before.seat != after.seat:
            return
        known = len(before.events)
        if before.first == after.first and after.events[:known] == before.events:
            await self.board.play(after.events[known:])

    @staticmethod
    def _seen(page: Page | None) -> View | None:
        return page.seen.view if page is not None and page.seen is not None else None

    def show_chance(self, told: str) -> None:
        """What practice has found out, beside the title."""
        self.query_one("#chance", Static).update(Text(told, f"bold {self.app.ink.value}"))
        self.query_one("#chance").display = bool(told)

    def _show_account(self, page: Page) -> None:
        styles = page.seen.styles if page.seen is not None else [""] * len(page.account)
        told = Text("\n").join(
            Text(line, style) for line, style in zip(page.account, styles, strict=True)
        )
        self.query_one("#account", Static).update(told)
        self.query_one("#log", VerticalScroll).anchor()  # its last line stays in sight

    async def _show_question(self) -> None:
        page, offers = self.page, self.choice.offers
        assert page is not None
        heading = Text(_in_one(page.heading) if is_low(self) else "\n".join(page.heading), "bold")
        notice = [Text(line, "yellow") for line in page.notice]
        if notice and is_tight(self):
            heading = Text()
        said = Text("\n").join([*([heading] if heading else []), *notice])
        self.query_one("#said", Static).update(said)
        self.query_one("#saying").display = bool(said)
        self.query_one("#saying").scroll_home(animate=False)
        row = self.query_one("#offers", Horizontal)
        await row.remove_children()
        if offers and not board_is_enough(self):
            await row.mount(*(OfferButton(offer, self.app.ink) for offer in offers))
        row.display = bool(row.children)
        fit_offers(self)
        self._show_choice()
        self._show_keys()

    def _show_choice(self) -> None:
        """The cursor, what is chosen so far, and the prompt that counts it."""
        choice = self.choice
        at = choice.at if len(choice.offers) > 1 or choice.wanted else None
        places = choice.places(self.board.spots)
        self.board.point(places, choice.marked_places(), at.place if at is not None else None)
        self.query_one(Stage).follow()
        for button in self.query(OfferButton):
            button.set_class(button.offer == at, "at")
            button.set_class(button.offer.text in choice.marked, "marked")
        ink = self.app.ink
        prompt = Text(self.asked.prompt.strip() if self.asked is not None else "…", ink.asking)
        for line, style in ((choice.progress(), f"bold {ink.value}"), (choice.hint, "yellow")):
            prompt.append(f"\n{line}" if line else "", style)
        self.query_one("#prompt", Static).update(prompt)

    def _show_keys(self) -> None:
        keys = self.keys()
        bar = self.query_one(KeyBar)
        if self.asked is None:
            bar.show([("q", "leave", "quit")])
            return
        if self._typing:  # every other key is a letter now
            gives = "see it" if self.asked.hidden else "give this answer"
            bar.show([("Enter", gives, "@typed"), ("Esc", "drop it", "@drop")])
            return
        entries: list[tuple[str, str, str]] = []
        several = len(self.choice.offers) > 1
        digits = [offer.key for offer in self.choice.offers if offer.key.isdigit()]
        if len(digits) > 1 and not self.query(OfferButton):
            entries.append((f"{digits[0]}-{digits[-1]}", "choose", ""))
        several = several and not (is_low(self) and digits and not self.choice.wanted)
        if several:
            entries.append(("arrows", "move", ""))
        if self.choice.wanted:
            entries.append(("space", "mark", ""))
        if several:
            entries.append(("Enter", "keep" if self.choice.wanted else "take it", "@enter"))
        named = [(*keys[word], word) for word in keys]
        needed = [(*keys[word], word) for word in keys if not is_low(self) or word in ESSENTIAL]
        bar.show([*entries, *needed], [*entries, *named], 1 if is_tight(self) else 2)

    # --- the room there is ----------------------------------------------------------------

    def on_resize(self) -> None:
        fit(self)
        fit_offers(self)
        self._show_keys()

    def on_measured_changed(self) -> None:
        fit(self)

    # --- keys -----------------------------------------------------------------------------

    def keys(self) -> dict[str, tuple[str, str]]:
        """For each command that works now its key, and what it does."""
        asked = self.asked
        if asked is None:
            return {}
        words = [word for word in asked.commands if word != "board"]
        if self.app.practice.may_help(self):
            words.append("chance")
        return command_keys(words, [offer.key for offer in self.choice.offers])

    def on_key(self, event: events.Key) -> None:
        if self._typing:
            if event.key == "escape":
                self._close_typing()
            return
        if self.asked is None:
            if event.key in ("q", "f10"):
                self.app.leave_at_once()
            return
        typed = event.character if event.is_printable and event.key != "space" else None
        name = typed.lower() if typed else event.key
        if self._pressed(name):
            event.stop()
            event.prevent_default()

    def _pressed(self, name: str) -> bool:
        """Obey a key; whether it meant anything."""
        choice, offer = self.choice, self.choice.by_key(name)
        word = next((w for w, (key, _) in self.keys().items() if name in (key, _always(w))), None)
        if offer is not None:
            self.take(offer)
        elif name in ARROWS:
            choice.move(name, self.board.spots)
            self._show_choice()
        elif name == "enter":
            self._give_or_show(choice.enter())
        elif name == "space":
            self._give_or_show(choice.space())
        elif name == "backspace" and choice.marked:
            choice.toggle(choice.marked[-1])
            self._show_choice()
        elif name in ("pageup", "pagedown"):
            way = 1 if name == "pagedown" else -1
            saying = self.query_one("#saying")
            part = saying if saying.max_scroll_y else self.query_one("#log")
            part.scroll_relative(y=FEW * way, animate=False)
        elif word is not None:
            self.obey(word)
        elif len(name) == 1 and name.isprintable() and self.asked and self.asked.question:
            self._open_typing(name)
        else:
            return False
        return True

    def take(self, offer: Offer) -> None:
        """An answer by its key, its button or its place."""
        self._give_or_show(self.choice.take(offer))

    def _give_or_show(self, answer: str | None) -> None:
        if answer is None:
            self._show_choice()
        else:
            self.give(answer)

    def give(self, text: str) -> None:
        """Answer; until the next question, keys do nothing."""
        assert self.sitting is not None
        self.choice = Choice()
        self.board.point()
        self.sitting.screen.give(text)

    def obey(self, word: str) -> None:
        """A word of command: what only shows something is shown here, the rest is answered."""
        if word == "help":
            self.app.push_screen(HelpScreen(self.keys(), self.match.game))
        elif word == "rules":
            self.app.push_screen(RulesScreen(self.match.game))
        elif word == "chance":
            self.app.practice.toggle(self)
        elif word == "@enter":
            self._give_or_show(self.choice.enter())
        elif word == "@typed":
            self._give_typed()
        elif word == "@drop":
            self._close_typing()
        elif self.asked is not None:
            self.give(word)
        elif word == "quit":
            self.app.leave_at_once()

    # --- mouse ----------------------------------------------------------------------------

    def on_board_view_pointed(self, message: BoardView.Pointed) -> None:
        offer = self.choice.by_place(message.place)
        if offer is not None:
            self.take(offer)
        elif self.choice.places(self.board.spots):
            self.choice.hint = "That place cannot be chosen now."
            self._show_choice()

    def on_offer_button_pressed(self, message: OfferButton.Pressed) -> None:
        if message.offer in self.choice.offers:
            self.take(message.offer)

    def on_key_bar_chosen(self, message: KeyBar.Chosen) -> None:
        self.obey(message.word)

    # --- typed answers --------------------------------------------------------------------

    @property
    def _typing(self) -> bool:
        return bool(self.query_one("#typed", Input).display)

    def _open_typing(self, text: str) -> None:
        field = self.query_one("#typed", Input)
        field.display = True
        field.password = self.asked.hidden if self.asked is not None else False
        field.value = text
        field.focus()
        field.cursor_position = len(text)
        self._show_keys()

    def _close_typing(self) -> None:
        field = self.query_one("#typed", Input)
        field.display, field.value = False, ""
        self.set_focus(None)
        self._show_keys()

    def on_input_submitted(self) -> None:
        self._give_typed()

    def _give_typed(self) -> None:
        text = self.query_one("#typed", Input).value
        self._close_typing()
        if self.asked is None or not text.strip():
            return
        if self.asked.hidden and self.choice.choose_typed(text):
            self._show_choice()
        else:
            self.give(text)

    # --- what the sitting wants besides ---------------------------------------------------

    async def analyse(self, record: Record) -> None:
        from trapline.terminal.full.analysis import AnalysisScreen

        await self.app.push_screen(AnalysisScreen(record))

    async def watch_again(self, record: Record) -> None:
        from trapline.terminal.full.replay import ReplayScreen

        await self.app.push_screen(ReplayScreen(record))

    def sitting_over(self, left: Left) -> None:
        self.app.sitting_over(left)


def _in_one(lines: list[str]) -> str:
    """Several lines as one; a sign parts those that end without one."""
    return "".join(
        f"{line} " if line.endswith((".", ":", "!")) else f"{line} · " for line in lines
    ).strip(" ·")


def _always(word: str) -> str:
    """The key of a command that no answer ever takes."""
    return COMMANDS[word][1]
