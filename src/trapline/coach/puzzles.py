"""Puzzles under hidden information, made by the solver from positions of its own.

A puzzle is a decision with one answer that is best by a margin. What each answer is worth is
proven: it is the chance of winning against best play, a draw counting half. Where the solution is
an equilibrium, the other has played it so far, so what the other may hide follows by Bayes's rule;
where results are forced, both sides must be able to force the same.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from trapline.coach.choices import named
from trapline.coach.reasons import Situation, reasons
from trapline.coach.sentences import figure
from trapline.coach.weighing import weigh
from trapline.contest import next_asked
from trapline.core import BY_SEAT, SEATS, SECRET, NotNow, Seat, View, other
from trapline.core.pages import option_word, said
from trapline.games import GAMES, changed_options, make_game
from trapline.players import PLAYERS, perfect
from trapline.players.worlds import sample
from trapline.referee import Match

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trapline.core import Form, Game, Question
    from trapline.solve import Solution

MARGIN = 0.1
"""How much better the best answer is than the next, as a chance of winning."""
CLOSE = 1e-4
"""How near to exact a solution has to be: far nearer than the margin."""
MOST_ANSWERS = 12
ATTEMPTS = 4_000
"""Matches that are looked through for one puzzle: far more than any of our games needs."""
LATEST = 30
"""Turns after which a match is given up."""
TRIES = {"casual": 8, "sharp": 2}
"""How often each level tries a puzzle to grade it. Who does not think fails any puzzle alike."""
HARDER = (0.1, 0.4)
"""Failures from which a puzzle has one star more."""
GRADES = 1 + len(HARDER)


class Puzzle(msgspec.Struct, frozen=True):
    game: str
    options: dict[str, Any]
    first: Seat
    seat: Seat
    secrets: dict[str, Any]
    """The seat's own alone."""
    moves: list[Any]
    """The turns so far, as the seat knows them."""
    asks: str
    answers: list[str]
    """As one would type them."""
    best: str
    chances: dict[str, float]
    """For each answer, the chance of winning against best play; a draw counts half."""
    grade: int
    """From 1 to 5, by how often the computer levels fail."""
    sentence: str
    reason: str


class Posed(NamedTuple):
    """A puzzle, and what its player sees."""

    puzzle: Puzzle
    view: View


def of_the_day(date: str) -> Posed:
    """The first puzzle of a day, to be shown."""
    names = list(GAMES)
    return pose(names[sum(map(ord, date)) % len(names)], f"{date} 0")


def daily(date: str, game: str | None = None, count: int = 1) -> Iterator[Puzzle]:
    """The puzzles of a day, the same for everybody; all games in turn unless one is named."""
    names = [game] if game else list(GAMES)
    start = sum(map(ord, date))
    for number in range(count):
        yield make_puzzle(names[(start + number) % len(names)], f"{date} {number}")


def make_puzzle(spec: str, seed: str) -> Puzzle:
    return pose(spec, seed).puzzle


def pose(spec: str, seed: str) -> Posed:
    """The puzzle of a seed; where a game's own variant has none, another of its presets has."""
    rng = Random(f"puzzle {spec} {seed}")  # noqa: S311 - everybody makes the same ones
    kind = type(make_game(spec))
    variants: list[dict[str, Any]] = [{}, *(preset.options for preset in kind.presets)]
    for _ in range(ATTEMPTS):
        game = make_game(kind, rng.choice(variants))
        solution = perfect.solution_of(game)
        if solution is None or solution.exploitability > CLOSE or game.stake > 1:
            continue
        found = _look_for_one(game, solution, rng)
        if found is not None:
            return found
    raise NotNow(f"No puzzle was found: in {kind.title} no answer is clearly best.")


def _look_for_one(game: Game[Any], solution: Solution, rng: Random) -> Posed | None:
    """Play a match in which the other plays the solution, and stop at a decision that fits: the
    first, the second or the third, or the last that there is."""
    first, seat = rng.choice(SEATS), rng.choice(SEATS)
    match = Match(game, first, rng=rng)
    wanted, found = rng.randrange(3), None
    while (asked := next_asked(match)) is not None and match.view(None).turn < LATEST:
        view = match.view(asked)
        if asked == seat and not match.in_turn(seat):
            chances = _chances(solution, match, view)
            if chances is not None:
                found = match.fork(), view, chances
                if not wanted:
                    break
                wanted -= 1
        match.play(asked, _played(solution, view, rng, own=asked == seat))
    if found is None:
        return None
    before, view, chances = found
    return Posed(_puzzle(solution, before, view, chances, rng), view)


def _played(solution: Solution, view: View, rng: Random, *, own: bool) -> Form:
    """One's own answers come from anybody; so do the other's, unless what the other hides is to
    be told from how the solution plays."""
    anybody = own or solution.forced
    level = rng.choice(("random", "casual", "perfect")) if anybody else "perfect"
    question = view.question
    if level == "perfect":
        drawn = solution.policy.chances(view)
        answer = rng.choices(list(drawn), list(drawn.values()))[0]
    else:
        answer = PLAYERS[level].choose(view, rng)
    if not own and question is not None and question.sealed and question.asks != SECRET:
        usual = question.usual if question.usual is not None else question.value(answer)
        return question.record(usual)  # what the other hides in a turn is never part of a puzzle
    return answer


def _chances(solution: Solution, match: Match, view: View) -> dict[Form, float] | None:
    """What each answer is worth, if that is proven and one is best by the margin."""
    question = view.question
    if question is None or question.choose or not 1 < len(question.answers) <= MOST_ANSWERS:
        return None
    if question.asks == SECRET:
        return None
    outlook = solution.policy.look(view)
    if outlook.guessed:
        return None
    values = outlook.values
    ranked = sorted(values.values(), reverse=True)
    if ranked[0] - ranked[1] < 2 * MARGIN:
        return None
    if solution.forced and not _both_force(solution, match, view, values):
        return None
    return {answer: round(min(1.0, max(0.0, (1 + v) / 2)), 6) for answer, v in values.items()}


def _both_force(solution: Solution, match: Match, view: View, values: dict[Form, float]) -> bool:
    """Whether, after each answer and whatever the other hides, the other can force the rest."""
    assert view.seat is not None  # only players are asked
    rest = [answer for answer, value in values.items() if value < 1]
    for world in _worlds(match, view):
        for answer in rest:
            if _rivals_best(solution, world.fork(), view.seat, answer) != -values[answer]:
                return False
    return True


def _worlds(match: Match, view: View) -> Iterator[Match]:
    """The match as it may be, with everything that the other may hide."""
    assert view.seat is not None  # only players are asked
    if view.secret is None:
        yield match
        return
    rival = other(view.seat)
    asked = match.game.question(match.game.start(match.first), rival)
    assert asked is not None  # both are asked for a secret
    moves = match.sealed_record().moves
    for value in asked.values():
        world = Match(match.game, match.first)
        world.play(view.seat, view.secret)
        world.play(rival, asked.record(value))
        for move in moves:
            if world.outcome is None and world.to_move is not None:
                world.play(world.to_move, *match.game.read_turn(move))
        if world.outcome is None and world.view(view.seat).events == view.events:
            yield world


def _rivals_best(solution: Solution, match: Match, seat: Seat, answer: Form) -> float:
    """What the other can force after an answer."""
    match.play(seat, answer)
    while match.outcome is None and match.in_turn(seat):
        question = match.question(seat)
        assert question is not None  # a turn goes on with a question
        usual = question.answers[0].value if question.usual is None else question.usual
        match.play(seat, question.record(usual))
    if match.outcome is not None:
        return match.outcome.result(other(seat))
    return max(solution.policy.look(match.view(other(seat))).values.values())


def _puzzle(
    solution: Solution, match: Match, view: View, chances: dict[Form, float], rng: Random
) -> Puzzle:
    assert view.seat is not None  # only players are asked
    question = view.question
    assert question is not None  # a decision has a question
    best = max(chances, key=lambda answer: chances[answer])
    secrets = {} if view.secret is None else {str(view.seat): _plain(view.secret)}
    return Puzzle(
        game=view.game,
        options=changed_options(match.game),
        first=view.first,
        seat=view.seat,
        secrets=secrets,
        moves=match.sealed_record().moves,
        asks=question.asks,
        answers=[_text(question, answer) for answer in chances],
        best=_text(question, best),
        chances={_text(question, answer): chance for answer, chance in chances.items()},
        grade=grade(view, best, rng),
        sentence=_sentence(match.game, view, chances, forced=solution.forced),
        reason=_reason(solution, view, question, chances),
    )


def _text(question: Question, answer: Form) -> str:
    return question.text(question.value(answer))


def _plain(form: Form) -> Any:
    return list(form) if isinstance(form, tuple) else form


def grade(view: View, best: Form, rng: Random) -> int:
    """From 1 to 3: in how many of their tries the levels that think miss the best answer."""
    failures = [
        sum(PLAYERS[level].choose(view, rng) != best for _ in range(tries)) / tries
        for level, tries in TRIES.items()
    ]
    missed = sum(failures) / len(failures)
    return 1 + sum(missed >= share for share in HARDER)


def _sentence(game: Game[Any], view: View, chances: dict[Form, float], *, forced: bool) -> str:
    assert view.seat is not None  # only players are asked
    ranked = sorted(chances.values(), reverse=True)
    if ranked[0] == 1.0:
        whatever = "whatever the other does" if forced else "against best play"
        task = f"One answer is certain to win {whatever}. Which?"
    elif ranked[1] == 0.0:
        task = "One answer alone is not lost. Which?"
    else:
        task = "One answer is clearly the best. Which?"
    posed = f"{game.title}, you are Player {view.seat} and to move."
    return " ".join([posed, *_variant(game), *view.board.words(BY_SEAT, game.place), task])


def _variant(game: Game[Any]) -> Iterator[str]:
    """What is not as in the rulebook, one sentence an option."""
    changed = changed_options(game)
    if changed:
        yield "This is a variant."
    for name in changed:
        yield f"{option_word(game, name)} = {said(getattr(game.options, name))}."


def _reason(solution: Solution, view: View, question: Question, chances: dict[Form, float]) -> str:
    """Why the best answer is best, in the coach's words."""
    assert view.seat is not None  # only players are asked
    ranked = sorted(chances, key=lambda answer: chances[answer], reverse=True)
    best, next_best = (named(question, answer) for answer in ranked[:2])
    told = (
        f"{best} wins {figure(chances[ranked[0]])} against best play, the next best, {next_best}, "
        f"{figure(chances[ranked[1]])}."
    )
    game = solution.game
    state = sample(view, Random(0))  # noqa: S311 - any world that fits will do
    if state is None:
        return told
    asked = game.question(game.start(view.first), view.seat)
    own = asked.value(view.secret) if view.secret is not None and asked is not None else 0
    at = Situation(game, state, view.seat, question, own)
    weighed = weigh(solution, view)
    why = reasons(at, weighed, ranked[1])
    return " ".join([told, *(reason.sentence for reason in why[:1])])
