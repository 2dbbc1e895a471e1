"""Trapline as a server of the Model Context Protocol: any assistant can sit down to play.

Every tool answers in words, as far as the assistant's own seat may see, with a few fields for
programs beside them. What is refused is refused with one sentence, as a tool error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from msgspec import Meta, to_builtins
from msgspec.json import encode

from trapline import __version__
from trapline.adapters import tool_server
from trapline.adapters.session import Session, SessionMatch
from trapline.adapters.tool_server import Page, Told, Tool, ToolServer
from trapline.core import SEATS, First, Game, OptionsError, Seat, brief
from trapline.games import GAMES, find_game, make_game
from trapline.players import PLAYERS
from trapline.text.briefing import Briefing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

INSTRUCTIONS = """\
Trapline referees two-player games in which something is hidden. Read the rules of a game, start
a match against the computer or challenge a person, and answer each question with the tool play.
You see what your own seat may see. When a match is over everything is revealed: record
gives the whole match, and analyse says what each choice cost."""

SERVER = "http://127.0.0.1:8000"
LONGEST_WAIT = 60

GameName = Annotated[str, Meta(description="One that the tool games lists.")]
Level = Annotated[str, Meta(description="How the computer plays, one of: " + ", ".join(PLAYERS))]
SeatNumber = Annotated[int, Meta(description="Which player you are, 1 or 2.")]
WhoFirst = Annotated[
    int | str | None, Meta(description="Who moves first: 1, 2 or toss; the rulebook's by default.")
]
Options = Annotated[
    dict[str, Any] | None,
    Meta(description='Options that differ from the rulebook, such as {"length": 12}.'),
]
Number = Annotated[
    int | None, Meta(description="The number of the match; the latest one by default.")
]
Answer = Annotated[
    str | int | list[int],
    Meta(
        description="What the question asks for, as it lists the answers: a number such as '2', "
        "a word such as 'n', a cell such as '4,2', or a set of places such as '3 5 7'."
    ),
]


Address = Annotated[
    str | None, Meta(description="Of the Trapline server; the one of this session by default.")
]
Seconds = Annotated[
    float,
    Meta(description=f"How long to wait for the other player's move; at most {LONGEST_WAIT}."),
]


class Position(TypedDict):
    """What a program needs to go on; the words beside it say the rest."""

    match: int
    game: str
    seat: int
    turn: int
    asks: str | None
    legal: list[str]
    over: bool
    winner: int | None


class Tools:
    """Each public method is a tool; its docstring is what the assistant reads about it."""

    def __init__(self, session: Session, server: str, games: Mapping[str, type[Game[Any]]]) -> None:
        self._session = session
        self._server = server
        self._games = games

    def _game(self, name: str, options: dict[str, Any] | None = None) -> Game[Any]:
        """Only what was named at the start: an assistant must not load other people's code."""
        if name not in self._games:
            known = ", ".join(self._games)
            raise OptionsError(f"There is no game called {brief(name)}; the games are {known}.")
        return make_game(self._games[name], options)

    # --- before a match -----------------------------------------------------------------

    def games(self) -> str:
        """List the games, with their options, and the levels of the computer."""
        lines = ["Games, with the rulebook's values of their options:"]
        for name, kind in self._games.items():
            usual = to_builtins(kind.options_type())
            options = ", ".join(
                f"{option}={encode(value).decode()}" for option, value in usual.items()
            )
            lines.append(f"- {name}: {kind.summary} ({options or 'no options'})")
        lines.append("Levels of the computer:")
        lines += [f"- {name}: {player.summary}" for name, player in PLAYERS.items()]
        return "\n".join(lines)

    def rules(self, game: GameName) -> str:
        """The rules of a game, its options, and how unclear points are decided."""
        return self._game(game).rules()

    def start(
        self,
        game: GameName,
        level: Level = "casual",
        seat: SeatNumber = 1,
        first: WhoFirst = None,
        options: Options = None,
    ) -> Told:
        """Start a match against the computer; `perfect` may think for a minute before its first."""
        rules = self._game(game, options)
        return _told(self._session.start(rules, level, _seat(seat), _first(first)), whole=True)

    def challenge(
        self,
        game: GameName,
        server: Address = None,
        first: WhoFirst = None,
        options: Options = None,
    ) -> Told:
        """Open a match against a person, who joins in a browser by the link you give them."""
        # Few assistants do, and the first answer would wait for all that it loads.
        from trapline.adapters.remote import AgainstPerson, Server

        rules = self._game(game, options)
        side = AgainstPerson(Server(server or self._server), rules, _first(first))
        return _told(self._session.join(side), whole=True)

    # --- during a match -----------------------------------------------------------------

    def look(self, match: Number = None, wait: Seconds = 0) -> Told:
        """See a match from your seat: what has happened, the board, what you are asked."""
        found = self._session.find(match)
        with found.lock:
            found.side.wait(min(wait, LONGEST_WAIT))
            return _told(found, whole=True)

    def play(self, answer: Answer, match: Number = None) -> Told:
        """Answer the question you are asked."""
        found = self._session.find(match)
        with found.lock:
            found.side.answer(_as_text(answer))
            return _told(found)

    def draw(self, match: Number = None) -> Told:
        """Offer a draw, or accept the one you were offered."""
        found = self._session.find(match)
        with found.lock:
            found.side.draw()
            return _told(found)

    def resign(self, match: Number = None) -> Told:
        """Give up a match; the other player wins."""
        found = self._session.find(match)
        with found.lock:
            found.side.resign()
            return _told(found)

    def claim(self, match: Number = None) -> Told:
        """Take the game after refused moves of the other player, where its rules say so."""
        found = self._session.find(match)
        with found.lock:
            found.side.claim()
            return _told(found)

    def matches(self) -> str:
        """List the matches of this session."""
        lines = [_headline(match) for match in self._session.matches()]
        return "\n".join(lines) or "There is no match yet; the tool start begins one."

    # --- after a match ------------------------------------------------------------------

    def record(self, match: Number = None) -> str:
        """The whole record of a finished match as JSON, secrets and commitments included."""
        found = self._session.find(match)
        with found.lock:
            return found.side.record().to_json()

    def analyse(self, match: Number = None) -> str:
        """Ask the coach what each choice of a finished match cost; this may take a minute."""
        # The coach loads the solver, and nobody else here needs it.
        from trapline.coach import analyse
        from trapline.report import coach_page

        found = self._session.find(match)
        with found.lock:
            analysis = analyse(found.side.record())
        return "\n".join([coach_page.summary(analysis), *coach_page.lines(analysis)])


# --- telling ----------------------------------------------------------------------------


def _headline(match: SessionMatch) -> str:
    view = match.side.view()
    state = "over" if view.outcome else f"turn {view.turn + 1}"
    return f"Match {match.number}: {match.side.title}, {state}. You are Player {view.seat}."


def _told(match: SessionMatch, *, whole: bool = False) -> Told:
    """What is new to the assistant, or all of it, and the question it is asked."""
    side = match.side
    view = side.view()
    briefing = Briefing(side.game, view)
    news = briefing.news(0 if whole else match.told)
    match.told = len(view.events)
    last = briefing.ending() or [briefing.question()]
    lines = [_headline(match), *side.notes(), *news, *briefing.position(), *last]
    asked = view.question
    position = Position(
        match=match.number,
        game=view.game,
        seat=view.seat or 0,
        turn=view.turn,
        asks=view.asks,
        legal=[] if asked is None or asked.choose else [a.text for a in asked.answers],
        over=view.outcome is not None,
        winner=view.outcome.winner if view.outcome else None,
    )
    return Told("\n".join(lines), position)


# --- reading what an assistant sends ----------------------------------------------------


def _as_text(answer: str | int | list[int]) -> str:
    return " ".join(map(str, answer)) if isinstance(answer, list) else str(answer)


def _seat(number: int) -> Seat:
    for seat in SEATS:
        if number == seat:
            return seat
    raise OptionsError(f"seat must be 1 or 2, not {brief(number)}.")


def _first(value: int | str | None) -> First | None:
    choices: dict[str, First | None] = {"None": None, "1": 1, "2": 2, "toss": "toss"}
    if str(value) not in choices:
        raise OptionsError(f"first must be 1, 2 or toss, not {brief(value)}.")
    return choices[str(value)]


# --- the server -------------------------------------------------------------------------


def make_server(
    session: Session | None = None, server_address: str = SERVER, games: Iterable[str] = ()
) -> ToolServer:
    """A server for the rulebooks, and for `games` from outside, as commands name them."""
    offered = dict(GAMES)
    offered.update((kind.name, kind) for kind in map(find_game, games))
    tools = Tools(session or Session(), server_address, offered)
    readers = (tools.games, tools.rules, tools.matches, tools.record, tools.analyse)
    actors = (tools.start, tools.challenge, tools.play, tools.draw, tools.resign, tools.claim)
    described = [
        *(Tool(reader) for reader in readers),
        Tool(tools.look, fields=Position),
        *(Tool(actor, acts=True, fields=Position) for actor in actors),
    ]
    pages = {
        f"rules://{name}": Page(name, f"The rules of {kind.title}", kind.rules())
        for name, kind in offered.items()
    }
    return ToolServer("trapline", __version__, INSTRUCTIONS, described, pages)


def serve(server_address: str, games: Iterable[str] = ()) -> None:
    """Speak the protocol on standard input and output until the other side hangs up."""
    tool_server.serve(make_server(server_address=server_address, games=games))
