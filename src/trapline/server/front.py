"""The games as the page shows them first: in the page itself, so that nobody waits for a script.

It is the same for everybody and says everything in English; the page's scripts take it over, in the
language of whoever reads it (static/js/screens/home.js).
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

import msgspec

from trapline.core import Picture
from trapline.server.stills import CARD, still

if TYPE_CHECKING:
    from trapline.server.shelf import Catalogue, GameInfo

HERO = """<section class="hero"><h1>Mind where you step.</h1>\
<p>Quick games for two, with traps only one of you can see. \
Play the computer, a friend beside you, or a friend anywhere.</p></section>"""
RETURNING = """<section class="waiting" aria-label="Your matches"><ul class="plain"><li>\
<a class="chip" href="/matches" data-link>All your matches</a></li></ul></section>"""
DAILY = """<section class="daily sheet" aria-label="Every day"><p>One decision a day, the same for \
everybody. Do you find the best answer?</p><div class="days"></div><p class="row">\
<a class="chip first" href="/puzzle" data-link>Puzzle of the day</a>\
<a class="chip" href="/lobby" data-link>Lobby</a></p></section>"""


def home(catalogue: Catalogue) -> str:
    """All that stands on it before anybody has played, and room for what is waiting."""
    cards = "".join(map(_card, catalogue.games))
    newcomer = _newcomer(catalogue.games[0])
    heading = '<h2 class="unseen">The games</h2>'
    front = f'<div class="front"><div>{HERO}{RETURNING}{newcomer}</div>{DAILY}</div>'
    return f'{front}{heading}<ul class="cards">{cards}</ul>'


def _newcomer(game: GameInfo) -> str:
    """Offered once, to whoever has never been here."""
    name, title = escape(game.name), escape(game.title)
    lesson = (
        f'<a class="chip first" href="/learn/{name}" data-link>Learn {title} in two minutes</a>'
        if game.lesson
        else ""
    )
    pictures = f'<a class="chip" href="/rules/{name}" data-link>See {title} in three pictures</a>'
    skip = '<button class="quiet" type="button" data-skip>Skip</button>'
    return (
        '<section class="newcomer row" aria-label="New here?"><b>New here?</b>'
        f"{lesson}{pictures}{skip}</section>"
    )


def _card(game: GameInfo) -> str:
    title = escape(game.title)
    ways = "".join(
        _button(title, way, text, "primary" if way == "computer" else "")
        for way, text in WAYS.items()
    )
    label = f'aria-label="{title}: how to play"'
    return (
        f'<li class="card sheet" data-game="{escape(game.name)}">'
        f'<div class="card-map">{still(_picture(game), CARD)}</div><h3>{title}</h3>'
        f'<p class="card-summary">{escape(game.summary)}</p>'
        f'<p class="card-facts"><span>{escape(_duration(game.minutes))}</span>'
        f'<a href="/rules/{escape(game.name)}" data-link {label}>How to play</a>'
        f"{_button(title, 'table', 'Two phones, this screen', 'inline')}</p>"
        f'<div class="card-ways">{ways}</div></li>'
    )


WAYS = {
    "computer": "Play the computer",
    "here": "Two on this device",
    "link": "Challenge by link",
}


def _picture(game: GameInfo) -> Picture:
    """The picture of a game from outside comes ready to be sent."""
    return msgspec.json.decode(msgspec.json.encode(game.picture), type=Picture)


def _button(title: str, way: str, text: str, look: str) -> str:
    spoken = f"{title}: {text[0].lower()}{text[1:]}"
    names = f'class="{look}" ' * bool(look)
    return f'<button type="button" {names}data-way="{way}" aria-label="{spoken}">{text}</button>'


def _duration(text: str) -> str:
    """ "2–4" becomes "2–4 minutes"; a game may also say it in words of its own."""
    return f"{text} minute{'' if text == '1' else 's'}" if re.fullmatch("[0-9–-]+", text) else text
