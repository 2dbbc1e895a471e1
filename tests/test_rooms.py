"""Every decision lives in one room: outside it, nobody asks for a game or a board by name."""

from __future__ import annotations

import pytest

from tests.rooms import between_games, everywhere, search, search_script

PLANTED = {
    'MINUTES = {"hidden-path": "2-4"}': "the game hidden-path",
    'import_module("trapline.games.hidden_path")': "the game hidden_path",
    'if view.game == "trap-runner": pass': "the game trap-runner",
    'title = "Welcome to Secret Paths!"': "the game Secret Paths",
    "if isinstance(game, TrapBuilder): pass": "the class TrapBuilder",
    "if isinstance(game, games.NumericMaze): pass": "the class NumericMaze",
    "from trapline.games.trap_runner import State": "the room of trap_runner",
    "from trapline.games import hidden_path": "the room of hidden_path",
    "import trapline.games.secret_paths.game": "the room of secret_paths",
    "width = game.options.length": "the option length",
    'steps = view.options["max_step"]': "the option max_step",
    'limit = options.get("turn_limit", 0)': "the option turn_limit",
    'size = getattr(game.options, "size")': "the option size",
    'known = ("goal_traps",)': "the option goal_traps",
    "from trapline.boards import Track": "the board class Track",
    "from trapline import Grid": "the board class Grid",
    "from trapline.boards.panel import Fact": "the board module trapline.boards.panel",
    "if isinstance(view.board, boards.Grid): pass": "the board class Grid",
    'if view.asks == "trap": pass': "the question kind trap",
    'if question.asks in ("move", "trap"): pass': "the question kind move",
    'if board.kind == "track": pass': "the board kind track",
    'match view.asks:\n    case "trap": pass': "the question kind trap",
    "match board:\n    case Track(): pass": "the board class Track",
}
PLANTED_IN_SCRIPTS = {
    'if (view.game === "hidden-path") draw();': "the game hidden-path",
    'const drawings = { "track": drawTrack };': "the board kind track",
    "if (board.kind === 'grid') draw();": "the board kind grid",
    'if (view.question.asks === "trap") ask();': "the question kind trap",
    "const steps = view.options.max_step;": "the option max_step",
    'heading.textContent = "Trap Builder";': "the game Trap Builder",
}
HARMLESS = (
    '"""Like hidden-path, whose class is HiddenPath."""',
    "# view.asks == 'trap'",
    "from rich.panel import Panel",
    "box = Panel(text)",
    "size = board.size\nlength = len(moves)",
    "limit = game.turn_limit",
    "from trapline.boards import decode_view",
    "if question.asks == SECRET: pass",
    'style = {"trap": "red"}',
)


def test_nobody_asks_for_a_game_or_a_board_by_name() -> None:
    found = everywhere()
    assert not found, "\n" + "\n".join(map(str, found))


def test_no_game_enters_the_room_of_another() -> None:
    found = between_games()
    assert not found, "\n" + "\n".join(map(str, found))


@pytest.mark.parametrize(("source", "what"), PLANTED.items())
def test_a_planted_case_is_caught(source: str, what: str) -> None:
    assert what in [finding.what for finding in search(source, "planted.py")]


@pytest.mark.parametrize(("source", "what"), PLANTED_IN_SCRIPTS.items())
def test_a_case_planted_in_a_script_is_caught(source: str, what: str) -> None:
    assert what in [finding.what for finding in search_script(source, "planted.js")]


@pytest.mark.parametrize("source", HARMLESS)
def test_what_asks_for_nothing_is_left_alone(source: str) -> None:
    assert search(source, "harmless.py") == []


def test_a_script_may_speak_of_games_in_comments() -> None:
    assert search_script("/* a track,\n hidden-path */ // view.asks is 'trap'", "a.js") == []


def test_a_finding_says_where() -> None:
    (finding,) = search('\n\nif view.game == "trap-runner": pass', "server/room.py")
    assert str(finding) == "server/room.py:3: the game trap-runner"
