"""What the rules of a game make of an answer, and with which secrets: found by watching them.

Rules are run with watched numbers (`watched`) in place of both secrets, of the count of turns,
and of what only boards may read. One run tells what happens with all secrets for which the
rules would have been answered alike; further runs take the others, until there are none left.
Each result is compared with what the rules make of plain numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import msgspec

from trapline.core import SEATS, SECRET, forget
from trapline.solve.interface import Unsuited
from trapline.solve.watched import Sealed, Turn, Watch, Watched, plain, seal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trapline.core import AnyEvent, Board, Game, Seat, State

MOST_RESULTS = 2_000
"""An answer that can have more results than this depends on too much at once."""

MOST_LOOKS = 2_000
"""So many boards are looked at for every secret of their viewer; then for one each."""


class Result(NamedTuple):
    masks: tuple[int, int]
    """With which secrets of each seat it happens."""
    after: State
    """The public state."""
    turns: int
    events: tuple[AnyEvent, ...]


class Dependence:
    def __init__(
        self,
        game: Game[Any],
        holdings: tuple[Sequence[int], Sequence[int]],
        limit: int,
        *,
        counts_turns: bool,
    ) -> None:
        self.game = game
        self.holdings = holdings
        self.limit = limit
        self.counts_turns = counts_turns
        self.hides = False
        self._watches = (Watch(holdings[0]), Watch(holdings[1]))
        self._everything = tuple((1 << len(held)) - 1 for held in holdings)
        self._looks = 0

    # --- the opening ----------------------------------------------------------------------

    def opening(self, start: State, *, hides: bool) -> State:
        """The public state in which the first turn begins."""
        self.hides = hides
        if not hides:
            return self._public(start)
        one, two = (watch.number for watch in self._watches)
        for seats in ((1, 2), (2, 1)):
            self._begin(0, 0)
            after = start
            for seat in seats:
                before, answer = after, cast("int", one if seat == 1 else two)
                after = self._apply(before, seat, answer)
                if tuple(self.game.events(before, seat, answer, after)):
                    raise Unsuited(f"{self.game.title} tells something while secrets are chosen.")
            public = self._public(after)
            if not self._holds_all() or not _alike(self._hidden(public, one, two), after):
                raise Unsuited(f"{self.game.title} makes more of a secret than keeping it.")
        return public

    # --- who is asked, and what -----------------------------------------------------------

    def asked(self, state: State) -> tuple[Seat, tuple[int, ...]]:
        """The one who is asked, and the answers that are allowed whatever is hidden."""
        self._begin(0, 0)
        watched = self._watched_state(state)
        found = {seat: self._ask(watched, seat) for seat in SEATS}
        if not self._holds_all():
            raise Unsuited(f"{self.game.title} asks for something else if secrets differ.")
        seats = [seat for seat, question in found.items() if question is not None]
        if len(seats) != 1:
            raise Unsuited(f"{self.game.title} asks both players at once.")
        question = found[seats[0]]
        if question.asks == SECRET:
            raise Unsuited(f"{self.game.title} asks for a secret after the first turn.")
        return seats[0], tuple(question.values())

    def _ask(self, state: Any, seat: Seat) -> Any:
        try:
            return self.game.question(state, seat)
        except (TypeError, AttributeError) as error:
            raise self._unreadable(error) from None

    # --- what follows an answer -----------------------------------------------------------

    def results(self, state: State, seat: Seat, answer: int) -> list[Result]:
        """All that may follow, parted by what the rules looked at."""
        found: list[Result] = []
        left = [self._everything]
        while left:
            one, two = left.pop()
            if not one or not two:
                continue
            if len(found) > MOST_RESULTS:
                raise Unsuited(f"{self.game.title}: an answer depends on both secrets at once.")
            at = (one & -one).bit_length() - 1, (two & -two).bit_length() - 1
            after, turns, events = self._run(state, seat, answer, *at)
            same = tuple(watch.same for watch in self._watches)
            kept = one & same[0], two & same[1]
            left += [(one & ~same[0], two), (kept[0], two & ~same[1])]
            self._check_plainly(state, seat, answer, at, (after, events))
            found.append(Result((kept[0], kept[1]), after, turns, events))
        found = _joined(found)
        for result in found:
            if result.after.outcome is None:
                self._check_boards(state, seat, answer, result)
        if self.limit and not self.counts_turns:
            self._check_limit(state, seat, answer, found)
        return found

    def _run(
        self, state: State, seat: Seat, answer: int, i: int, j: int
    ) -> tuple[State, int, tuple[AnyEvent, ...]]:
        self._begin(i, j)
        before = self._watched_state(state)
        after = self._apply(before, seat, answer)
        events = tuple(plain(e) for e in self.game.events(before, seat, answer, after))
        if any(event.private for event in events):
            raise Unsuited(f"{self.game.title} tells one player something alone.")
        turns = after.turn.more if isinstance(after.turn, Turn) else after.turn - before.turn
        public = self._public(after)
        if turns not in (0, 1):
            raise Unsuited(f"{self.game.title} counts turns in a way of its own.")
        if after.outcome is None and self.hides:
            one, two = (watch.number for watch in self._watches)
            if not _alike(self._hidden(public, one, two), after):
                raise Unsuited(f"{self.game.title} makes more of a secret than keeping it.")
        return public, turns, events

    def _apply(self, state: Any, seat: Any, answer: Any) -> Any:
        try:
            return self.game.apply(state, seat, answer)
        except (TypeError, AttributeError) as error:
            raise self._unreadable(error) from None

    def _unreadable(self, error: Exception) -> Unsuited:
        return Unsuited(f"{self.game.title} computes with more than numbers: {error}.")

    # --- states ---------------------------------------------------------------------------

    def _begin(self, i: int, j: int) -> None:
        for watch, index in zip(self._watches, (i, j), strict=True):
            watch.begin(index)

    def _holds_all(self) -> bool:
        """Whether the rules would have been answered alike with every secret."""
        pairs = zip(self._watches, self._everything, strict=True)
        return all(watch.same & every == every for watch, every in pairs)

    def _hidden(self, state: State, one: Any, two: Any) -> Any:
        """A public state with secrets in it."""
        if not self.hides:
            return state
        found = self.game.with_secrets(state, (one, two))
        if found is None:
            raise Unsuited(f"{self.game.title} does not say how to exchange secrets.")
        return found

    def _watched_state(self, state: State) -> Any:
        one, two = (watch.number for watch in self._watches)
        changes: dict[str, Any] = {name: seal(getattr(state, name)) for name in state.memory}
        if not self.counts_turns:
            changes["turn"] = Turn(self.limit)
        return self._hidden(msgspec.structs.replace(state, **changes), one, two)

    def _public(self, state: Any) -> State:
        if self.hides:
            state = self._hidden(state, self.holdings[0][0], self.holdings[1][0])
        changes: dict[str, Any] = {} if self.counts_turns else {"turn": 0}
        found: State = forget(plain(msgspec.structs.replace(state, **changes)))
        return found

    # --- checks ---------------------------------------------------------------------------

    def _check_plainly(
        self, state: State, seat: Seat, answer: int, at: tuple[int, int], expected: Any
    ) -> None:
        """Plain numbers must lead to the same, in case rules ask what kind of number it is."""
        before = self._hidden(state, self.holdings[0][at[0]], self.holdings[1][at[1]])
        after = self.game.apply(before, seat, answer)
        events = tuple(self.game.events(before, seat, answer, after))
        if (self._public(after), events) != expected:
            raise Unsuited(f"{self.game.title} has rules that cannot be watched.")

    def _check_boards(self, state: State, seat: Seat, answer: int, result: Result) -> None:
        """No board, and nothing kept for one, may depend on what its viewer does not know."""
        if not self.hides:
            return
        for viewer in SEATS:
            mine = _places(result.masks[viewer - 1])
            if self._looks > MOST_LOOKS:
                mine = [mine[self._looks % len(mine)]]
            for index in mine:
                self._looks += 1
                self._look(state, seat, answer, viewer, index, result)

    def _look(
        self, state: State, seat: Seat, answer: int, viewer: Seat, index: int, result: Result
    ) -> None:
        theirs = self._watches[2 - viewer]
        possible = result.masks[2 - viewer]
        theirs.begin((possible & -possible).bit_length() - 1)
        mine = self.holdings[viewer - 1][index]
        pair = (mine, theirs.number) if viewer == 1 else (theirs.number, mine)
        try:
            after = self.game.apply(self._hidden(state, *pair), seat, answer)
            plain(tuple(getattr(after, name) for name in state.memory))
            _tell_all(self.game.board(after, viewer, False))
        except (TypeError, AttributeError) as error:
            raise self._unreadable(error) from None
        if possible & ~theirs.same:
            raise Unsuited(f"{self.game.title} shows a player something of the other's secret.")

    def _check_limit(self, state: State, seat: Seat, answer: int, found: list[Result]) -> None:
        """On the last turn of a limit, what would have gone on is drawn, and nothing else."""
        for result in found:
            if not result.turns:
                continue
            one, two = result.masks
            self._begin((one & -one).bit_length() - 1, (two & -two).bit_length() - 1)
            before = msgspec.structs.replace(self._watched_state(state), turn=self.limit - 1)
            outcome = self._apply(before, seat, answer).outcome
            expected = result.after.outcome
            draws = outcome == expected if expected else outcome and outcome.winner is None
            same = [watch.same for watch in self._watches]
            if not draws or one & ~same[0] or two & ~same[1]:
                raise Unsuited(f"{self.game.title} does not end as a draw at its limit of turns.")


_ENCODER = msgspec.msgpack.Encoder(enc_hook=plain)


def _tell_all(board: Board) -> None:
    """Have everything told that a board holds; whoever encodes it comes to all of it."""
    try:
        _ENCODER.encode(board)
    except OverflowError:  # there are larger numbers than it knows
        plain(board)


def _places(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def _joined(results: list[Result]) -> list[Result]:
    """Results that look alike and together are all pairs of some secrets, as one."""
    found: list[Result] = []
    for result in results:
        for at, known in enumerate(found):
            if known[1:] == result[1:] and _part_of_one(known.masks, result.masks):
                masks = known.masks[0] | result.masks[0], known.masks[1] | result.masks[1]
                found[at] = Result(masks, *known[1:])
                break
        else:
            found.append(result)
    return found if len(found) == len(results) else _joined(found)


def _part_of_one(one: tuple[int, int], two: tuple[int, int]) -> bool:
    return one[0] == two[0] or one[1] == two[1]


def _alike(one: Any, two: Any) -> bool:
    """Whether two states hold the same, watched numbers included; counts and memory aside."""
    skipped = {"turn", *one.memory}
    names = [name for name in one.__struct_fields__ if name not in skipped]
    return all(_same(getattr(one, name), getattr(two, name)) for name in names)


def _same(one: Any, two: Any) -> bool:
    if isinstance(one, tuple) and isinstance(two, tuple):
        return len(one) == len(two) and all(map(_same, one, two))
    if isinstance(one, Watched) or isinstance(two, Watched):
        return one is two
    if isinstance(one, Sealed) or isinstance(two, Sealed):
        return False
    return bool(one == two)
