"""Before a match: against whom, who begins, how many games, and by which options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
from rich.text import Text
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from trapline.core import TraplineError
from trapline.core.pages import option_word, options_told, said, shown
from trapline.games import make_game
from trapline.players.learner import level_names
from trapline.referee import Series
from trapline.terminal.full.overlays import RulesScreen
from trapline.terminal.full.widgets import KeyBar
from trapline.terminal.series import make_players, new_match, rival_named

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.timer import Timer

    from trapline.core import First, Game
    from trapline.preparing import Preparation
    from trapline.terminal.full.app import TraplineApp

FRIEND = "a friend"
OPPONENTS = {FRIEND: "here, at this screen", **level_names()}
BEGINS: dict[str, First | None] = {
    "as the rules say": None, "Player 1": 1, "Player 2": 2, "by a toss": "toss",
}  # fmt: skip
GAMES = {"one game": None, "best of 3": 3, "best of 5": 5, "best of 7": 7}
OWN = "your own"
START = "Start"
FEWEST = 12
"""Columns that the words of an option have at least."""
SETTLED = 0.5
"""Seconds after which options count as chosen."""


class Row:
    """One line of the setup: a name, the values it can have, and which one it has."""

    def __init__(self, name: str, values: list[str], at: int = 0, about: str = "") -> None:
        self.name = name
        self.values = values
        self.at = at
        self.about = about

    @property
    def value(self) -> str:
        return self.values[self.at]

    def turn(self, step: int) -> None:
        self.at = (self.at + step) % len(self.values)


class SetupScreen(Screen[None]):
    app: TraplineApp
    BINDINGS: ClassVar[list[BindingType]] = [
        ("left", "turn(-1)"), ("right", "turn(1)"), ("escape", "back"),
    ]  # fmt: skip

    def __init__(self, kind: type[Game[Any]]) -> None:
        super().__init__()
        self._kind = kind
        self._fields = msgspec.structs.fields(kind.options_type)
        self._options: dict[str, Any] = {}
        self._game: Game[Any] | None = None
        self._problem = ""
        self._asked_about: Game[Any] | None = None
        """The game of which it is being found out whether it can be solved."""
        self._solution: Preparation | None = None
        self._asking: Timer | None = None
        usual = [] if any(not preset.options for preset in kind.presets) else ["the rulebook"]
        presets = [*usual, *(preset.name for preset in kind.presets), OWN]
        self._opponent = Row("Opponent", list(OPPONENTS), list(OPPONENTS).index("casual"))
        self._begins = Row("Begins", list(BEGINS))
        self._series = Row("Games", list(GAMES))
        self._preset = Row("Variant", presets)
        self._rows = [self._opponent, self._begins, self._series, self._preset]

    def compose(self) -> ComposeResult:
        yield Static(Text(f"{self._kind.title}: {self._kind.summary}", "bold"), id="title")
        yield OptionList()
        yield Static(id="about")
        yield Static(id="problem")
        yield Input(id="typed")
        yield KeyBar()

    def on_mount(self) -> None:
        rows = self.query_one(OptionList)
        rows.add_options([Option("") for _ in range(1 + len(self._rows) + len(self._fields))])
        rows.focus()
        digits = f"1-{len(OPPONENTS)}"
        self.query_one(KeyBar).show([
            ("Enter", "start", "start"), (digits, "start against", ""), ("↑↓", "choose", ""),
            ("←→", "change", ""), ("r", "rules", "rules"),
            *([("l", "lesson", "lesson")] if self._kind.lesson is not None else []),
            ("Esc", "back", "back"),
        ])  # fmt: skip
        self._refresh()
        rows.highlighted = 0

    def _refresh(self) -> None:
        """Every line as it stands, and whether these options make a game."""
        try:
            self._game = make_game(self._kind, self._options)
            problem = ""
        except TraplineError as error:
            self._game, problem = None, str(error)
        self._tell_problem(problem)
        ink = self.app.ink
        told = [Text.assemble((f" {START} ", ink.key), f"  against {self._opponent.value}")]
        told += [
            Text.assemble((f"{row.name:<10}", "bold"), (f"‹ {row.value} ›", ink.value))
            for row in self._rows
        ]
        values = [said(self._options.get(field.name, field.default)) for field in self._fields]
        wide = max(map(len, values), default=0) + 8
        for field, value in zip(self._fields, values, strict=True):
            usual = "" if value == said(field.default) else f", usually {said(field.default)}"
            word = Text.assemble(option_word(self._kind, field.name), (usual, "dim"))
            lines = word.wrap(self.app.console, max(FEWEST, self.size.width - wide - 6))
            face = (f"  ‹ {value} ›".ljust(wide), ink.value)
            told.append(Text.assemble(face, Text("\n" + " " * wide).join(lines)))
        rows = self.query_one(OptionList)
        for index, line in enumerate(told):
            rows.replace_option_prompt_at_index(index, line)
        self._tell_about()

    def on_resize(self) -> None:
        self._refresh()

    def _tell_problem(self, problem: str) -> None:
        """Why these options make no game; or that nobody will play them perfectly."""
        self._problem = problem
        if self._game is not None and self._game != self._asked_about:
            self._stop_asking()
            self._asked_about = self._game
            self._asking = self.set_timer(SETTLED, self._ask_whether_solved)
        told = problem or (self._solution.sentence() if self._solution is not None else "")
        self.query_one("#problem", Static).update(told)

    def _ask_whether_solved(self) -> None:
        """Begin to solve what the options have come to rest at: that tells whether it can be."""
        # The solver is heavy; whoever starts at once should not wait for it.
        from trapline.preparing import Preparation, is_kept

        game = self._asked_about
        if game is None or is_kept(game, 1):
            return
        self._solution = Preparation(game, 1)
        self._asking = self.set_interval(SETTLED, lambda: self._tell_problem(self._problem))

    def _stop_asking(self) -> None:
        if self._asking is not None:
            self._asking.stop()
        if self._solution is not None:
            self._solution.stop()
        self._asking = self._solution = None

    def on_unmount(self) -> None:
        self._stop_asking()

    def _tell_about(self) -> None:
        """What the line under the cursor means."""
        at = self.query_one(OptionList).highlighted or 0
        about = f"Enter begins. It takes {self._kind.minutes} minutes."
        if 0 < at <= len(self._rows):
            row = self._rows[at - 1]
            if row is self._opponent:
                about = f"{row.value}: {OPPONENTS[row.value]}"
            elif row is self._preset:
                verdicts = {preset.name: preset.verdict for preset in self._kind.presets}
                about = verdicts.get(row.value) or "The options below; change one to make your own."
            else:
                about = f"{row.name}: {row.value}"
        elif at:
            field = self._fields[at - len(self._rows) - 1]
            told = options_told(self._kind).get(field.name, option_word(self._kind, field.name))
            value = shown(self._options.get(field.name, field.default))
            about = f"{told[:1].upper()}{told[1:]}. In a command: --set {field.name}={value}"
        self.query_one("#about", Static).update(about)

    # --- keys -----------------------------------------------------------------------------

    def on_option_list_option_highlighted(self) -> None:
        self._tell_about()

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        field = message.option_index - len(self._rows) - 1
        if field >= 0:
            self._type_value(field)
        else:
            self.start()

    def on_key(self, event: events.Key) -> None:
        if self.query_one("#typed").display:
            return
        number = int(event.character) if event.character and event.character.isdigit() else 0
        if 1 <= number <= len(OPPONENTS):
            self._opponent.at = number - 1
            self.start()
        elif event.character == "r":
            self.app.push_screen(RulesScreen(self._game or make_game(self._kind)))
        elif event.character == "l":
            self._learn()
        elif event.character == "q":
            self.action_back()

    def on_key_bar_chosen(self, message: KeyBar.Chosen) -> None:
        actions = {"start": self.start, "back": self.action_back, "lesson": self._learn}
        if message.word == "rules":
            self.app.push_screen(RulesScreen(self._game or make_game(self._kind)))
        elif message.word in actions:
            actions[message.word]()

    def _learn(self) -> None:
        self.app.learn(self._kind)

    def action_back(self) -> None:
        if self.query_one("#typed").display:
            self.query_one("#typed").display = False
            self.query_one(OptionList).focus()
        else:
            self.app.pop_screen()

    def action_turn(self, step: int) -> None:
        at = self.query_one(OptionList).highlighted or 0
        if 0 < at <= len(self._rows):
            row = self._rows[at - 1]
            row.turn(step)
            if row is self._preset:
                self._take_preset()
        elif at:
            self._change(at - len(self._rows) - 1, step)
        self._refresh()

    # --- options --------------------------------------------------------------------------

    def _take_preset(self) -> None:
        named = {preset.name: preset.options for preset in self._kind.presets}
        if self._preset.value != OWN:
            self._options = dict(named.get(self._preset.value, {}))

    def _change(self, index: int, step: int) -> None:
        """Turn a switch, or count a number up or down; anything else is typed."""
        field = self._fields[index]
        value = self._options.get(field.name, field.default)
        if isinstance(value, bool):
            self._set(index, not value)
        elif isinstance(value, int):
            self._set(index, value + step)
        else:
            self._type_value(index)

    def _set(self, index: int, value: Any) -> None:
        self._options[self._fields[index].name] = value
        self._preset.at = self._preset.values.index(OWN)

    def _type_value(self, index: int) -> None:
        field, typed = self._fields[index], self.query_one("#typed", Input)
        typed.display = True
        typed.placeholder = (
            f"{option_word(self._kind, field.name)}, such as {shown(field.default)}; Enter takes it"
        )
        typed.value = shown(self._options.get(field.name, field.default))
        typed.focus()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        at = self.query_one(OptionList).highlighted or 0
        index = at - len(self._rows) - 1
        message.input.display = False
        self.query_one(OptionList).focus()
        name = self._fields[index].name
        try:
            game = make_game(self._kind, {**self._options, name: message.value}, from_text=True)
        except TraplineError as error:
            self._tell_problem(str(error))
            return
        self._set(index, getattr(game.options, name))
        self._refresh()

    def start(self) -> None:
        if self._game is None:
            return  # what is wrong stands there
        rival = None if self._opponent.value == FRIEND else self._opponent.value
        best_of = GAMES[self._series.value]
        series = Series(best_of, 1, (0, 0)) if best_of is not None else None
        players = make_players(None, rival_named(rival, self._game, self.app.saves))
        match = new_match(self._game, players, BEGINS[self._begins.value], None, series)
        self.app.pop_screen()
        self.app.play(match)
