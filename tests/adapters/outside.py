"""The games of `examples/games`, each one file, as anybody's game would come from outside."""

from __future__ import annotations

from pathlib import Path

from trapline.games import GAMES

FOLDER = Path(__file__).parents[2] / "examples" / "games"
OUTSIDE = [str(path.relative_to(Path.cwd())) for path in sorted(FOLDER.glob("*.py"))]
"""Their paths, which do wherever a game's name does."""
ANY_GAME = [*GAMES, *OUTSIDE]
BATTLESHIP, GOOFSPIEL, KUHN, LIARS_DICE = (
    next(path for path in OUTSIDE if path.endswith(f"{name}.py"))
    for name in ("battleship", "goofspiel", "kuhn", "liars_dice")
)
SMALLER: dict[str, dict[str, int]] = {BATTLESHIP: {"shots": 2}, LIARS_DICE: {"sides": 3}}
"""The same rules with fewer nodes, for those who walk the whole tree."""
