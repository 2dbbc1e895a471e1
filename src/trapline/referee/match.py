"""The referee: the sole holder of a match's live state.

Players act through it and look through `view`, which is built for one seat from what that
seat may know. Every call that is refused raises a TraplineError with a sentence and changes
nothing, except that games which count refused moves count it.
"""

from __future__ import annotations

import secrets as random_source
from typing import TYPE_CHECKING, Any

from trapline.core import (
    CHANCE,
    SEATS,
    IllegalMove,
    NotNow,
    Seat,
    TakenBack,
    View,
    Viewer,
)
from trapline.core.faults import from_outside, held
from trapline.games import changed_options, rules_digest
from trapline.referee.agreements import Agreements, is_secret, now
from trapline.referee.commitments import CHANCE_KEY
from trapline.referee.guarding import guarded, holding, whole
from trapline.referee.progress import Progress, as_json
from trapline.referee.record import Player, Record, Series, stated_outcome
from trapline.referee.stand import Stand
from trapline.referee.walk import Walk

if TYPE_CHECKING:
    from random import Random

    from trapline.core import Actor, Board, First, Game, Question, State
    from trapline.referee.progress import Bookmark


class Match(Agreements):
    def __init__(
        self,
        game: Game[Any],
        first: First | None = None,
        *,
        rng: Random | None = None,
        match_id: str | None = None,
        players: dict[Seat, Player] | None = None,
        seed: int | None = None,
        series: Series | None = None,
        chance: str | None = None,
        deals: bool = True,
    ) -> None:
        """`rng` draws the toss and the seed of chance; without one both are drawn securely.

        Unless the referee `deals`, chance waits for whoever explores what it could do (`deal`).
        """
        self.wary = from_outside(type(game))
        if self.wary:
            self.__class__ = guarded(type(self))
        chosen = first or game.default_first
        source = rng or random_source.SystemRandom()
        self.game = game
        self._options = changed_options(game)
        self.tossed = chosen == "toss"
        self.first: Seat = source.choice(SEATS) if chosen == "toss" else chosen
        self.id = match_id or random_source.token_hex(8)
        self.players = players or {seat: Player(f"Player {seat}") for seat in SEATS}
        self.seed = seed
        self.series = series
        self.started = now()
        super().__init__(Progress(game, self.first, self.id))
        self._deals = deals
        if game.draws:
            drawn_seed = chance or f"{source.getrandbits(256):064x}"
            self._progress.commit(CHANCE_KEY, CHANCE, CHANCE_KEY, "", drawn_seed)
            with held(type(game)):
                self._deal()

    @property
    def commitments(self) -> dict[str, str]:
        """What each player has fixed without showing it: public from the moment it is made."""
        return self._progress.commitments

    # --- what players do ----------------------------------------------------------------

    @whole
    def play(self, seat: Seat, *answers: Any, salt: str | None = None) -> None:
        """Answer what the seat is asked, in a record's form.

        Several answers are those to questions that follow each other in one turn: all of
        them are given, or none is.
        """
        self._must_be_running()
        question = self._asked(seat)
        if question is None:
            raise NotNow(self._why_not_asked())
        progress = self._progress
        before = state = progress.state
        given: list[tuple[Question, int, State]] = []
        for answer in answers:
            if given:
                question = progress.question_in_turn(state, seat)
            try:
                value = progress.value(question, state, seat, answer)
            except IllegalMove:
                self._count_refusal(seat, question)
                raise
            assert question is not None  # it has a value
            state = self.game.apply(state, seat, value)
            given.append((question, value, state))
        if self._offer is not None and self._offer != seat and state.turn > before.turn:
            # Not in the middle of a turn: the other would learn that it goes on.
            self.decline_draw(seat)
        for question, value, after in given:
            if progress.take(seat, question, value, after, salt):
                self._finish_turn()
            self._deal()

    def follow(
        self, seat: Actor, question: Question, value: int, after: State, salt: str | None = None
    ) -> None:
        """Take over what somebody has put and carried out by the same rules, without looking at it
        again; `play` is for everybody else."""
        if seat == CHANCE:
            self._progress.take_chance(question, value, after)
            self._look_for_the_end()
        elif self._progress.take(2 if seat == 2 else 1, question, value, after, salt):
            self._finish_turn()

    @holding
    def read(self, seat: Seat, text: str) -> tuple[Any, ...]:
        """What somebody typed, as the answers that `play` takes; InvalidMove if it is none."""
        self._must_be_running()
        question = self._asked(seat)
        if question is None:
            raise NotNow(self._why_not_asked())
        first, *more = self.game.split(text)
        answers: list[Any] = [question.parse(first)]
        state = self._progress.state
        for part in more:
            try:
                state = self.game.apply(state, seat, question.value(answers[-1]))
                question = self._progress.question_in_turn(state, seat)
            except IllegalMove:
                question = None  # `play` will say why
            if question is None:
                return (*answers, part)
            answers.append(question.parse(part))
        return tuple(answers)

    @property
    def chance(self) -> Question | None:
        """What chance is asked now, where the referee does not deal."""
        if self._deals or self.outcome is not None or not self.game.draws:
            return None
        return self.game.chance(self._progress.state)

    def deal(self, value: int) -> None:
        """Answer for chance, by a value of its question."""
        question = self.chance
        if question is None:
            raise NotNow("There is nothing to deal.")
        self._progress.take_chance(question, value, self.game.dealt(self._progress.state, value))
        self._look_for_the_end()

    # --- what players see ---------------------------------------------------------------

    @holding
    def question(self, seat: Viewer) -> Question | None:
        """What a seat is asked now."""
        return self._asked(seat)

    def _asked(self, seat: Viewer) -> Question | None:
        if seat is None or self.outcome is not None:
            return None
        if not self._deals and self.chance is not None:
            return None
        return self.game.question(self._progress.state, seat)

    def heard(self, viewer: Viewer) -> int:
        """How many events have reached a viewer."""
        return len(self._progress.hearing.by(viewer))

    def heard_by_each(self) -> tuple[int, ...]:
        """The same for the players and those who watch."""
        return self._progress.hearing.bookmark()

    @property
    @holding
    def asked(self) -> tuple[Seat, ...]:
        """The seats that have something to answer."""
        return tuple([seat for seat in SEATS if self._asked(seat) is not None])

    @property
    def ready(self) -> bool:
        """Whether every secret is chosen, so that turns can be made."""
        if self.outcome is not None or self._progress.state.turn:
            return True  # secrets are chosen before the first turn
        return not any(is_secret(self.question(seat)) for seat in SEATS)

    @property
    def to_move(self) -> Seat | None:
        mover = self._progress.state.mover
        if self.outcome is not None or not self.ready or not mover:
            return None
        return 2 if mover == 2 else 1

    @property
    def someone_first(self) -> bool:
        """Whether one player moves first, as opposed to both at once."""
        return bool(self.game.start(self.first).mover)

    def in_turn(self, seat: Seat) -> bool:
        """Whether a seat has answered a part of a turn that is not complete."""
        turn = self._progress.turn
        return bool(turn) and any(who == seat for who, _ in turn)

    @holding
    def stand(self) -> Stand:
        """How the match stands now: for whoever makes Views of it later."""
        progress, over = self._progress, self.outcome is not None
        state, chosen = progress.state, progress.secrets
        turn = state.turn
        one, two = questions = self._asked(1), self._asked(2)
        ready = 1 in chosen, 2 in chosen
        secrets = chosen.get(1), chosen.get(2)
        to_move: Seat | None = None
        if not over and (turn or not (is_secret(one) or is_secret(two))):
            mover = state.mover
            if mover == 0:
                ready = one is None, two is None
            else:
                to_move = 2 if mover == 2 else 1
        return Stand(
            state,
            turn,
            self.outcome,
            to_move,
            questions,
            ready,
            secrets,
            secrets if over else None,
            self._offer,
            self.may_claim,
        )

    @holding
    def seen(self, stand: Stand, seat: Viewer, after: int, until: int) -> View:
        """What a viewer may know of a stand, with some of the events that reached them."""
        over = stand.outcome is not None
        return View(
            self.game.name,
            self._options.copy(),
            seat,
            self.first,
            self.tossed,
            stand.turn,
            stand.to_move,
            None if seat is None else stand.questions[seat - 1],
            None if seat is None else stand.secrets[seat - 1],
            stand.ready,
            stand.board or self.game.board(stand.state, seat, over),
            tuple(self._progress.hearing.by(seat)[after:until]),
            stand.draw_offer,
            stand.may_claim,
            stand.outcome,
            stand.shown,
        )

    def view(self, seat: Viewer) -> View:
        """What a viewer may know."""
        return self.seen(self.stand(), seat, 0, self.heard(seat))

    def board_at(self, state: State) -> Board:
        """A board of a finished match as everybody may see it: all of it."""
        return self.game.board(state, None, True)

    @property
    def retractable(self) -> bool:
        """Whether a turn may be taken back: nothing was learnt by it that cannot be unlearnt."""
        game = self.game
        told_nothing = game.retractable or not game.hides
        return told_nothing and not (game.draws or game.seals_turns)

    def bookmark(self) -> Bookmark:
        """A point to go back to, before a turn begins."""
        return self._progress.bookmark()

    def take_back(self, seat: Seat, before: Bookmark) -> None:
        """Go back to where the match was before a turn of `seat`."""
        self._must_be_running()
        self._progress.go_back(before)
        self._offer, self._offer_after_turn, self._refused = None, None, 0
        self._progress.hearing.tell_all(TakenBack(seat))

    def fork(self) -> Match:
        """A match that goes on from here on its own, so that something can be tried out."""
        twin: Match = object.__new__(guarded(Match) if self.wary else Match)
        vars(twin).update(vars(self), _progress=self._progress.copy())
        return twin

    # --- records ------------------------------------------------------------------------

    def record(self) -> Record:
        """The complete record, once everything in it may be seen by everybody."""
        if self.outcome is None:
            raise NotNow("The record is open when the match is over; until then it holds secrets.")
        return self.sealed_record()

    @holding
    def sealed_record(self) -> Record:
        """All that is needed to go on later, secrets included: for the referee's storage only."""
        progress = self._progress
        secrets = {str(seat): as_json(form) for seat, form in sorted(progress.secrets.items())}
        hides = bool(secrets) or any(is_secret(self._asked_first(seat)) for seat in SEATS)
        return Record(
            game=self.game.name,
            options=self._options.copy(),
            first=self.first,
            secrets=secrets if hides else None,
            moves=list(progress.turns),
            chance=[as_json(form) for form in progress.dealt],
            rules=rules_digest(type(self.game)),
            id=self.id,
            players={str(seat): player for seat, player in self.players.items()},
            tossed=self.tossed,
            started=self.started,
            ended=self.ended,
            result=self.outcome,
            commitments=dict(progress.commitments),
            salts=dict(progress.salts),
            pending=progress.pending(),
            refused=self._refused,
            seed=self.seed,
            series=self.series,
        )

    @classmethod
    def restore(cls, record: Record) -> Match:
        """The match as it was when `record` was written; RecordError where it breaks the rules."""
        walk = Walk(record)
        players = {seat: record.players.get(str(seat), Player(f"Player {seat}")) for seat in SEATS}
        match = cls(
            walk.game,
            record.first,
            match_id=record.id,
            players=players,
            seed=record.seed,
            series=record.series,
            chance=record.salts.get(CHANCE_KEY, "0"),
        )
        match.tossed = record.tossed
        with held(type(walk.game)):
            match._progress = Progress.follow(walk)
        match._refused = record.refused
        match.outcome = match._progress.state.outcome or stated_outcome(record, match.game)
        match.started, match.ended = record.started, record.ended
        return match

    # --- inside -------------------------------------------------------------------------

    def _deal(self) -> None:
        if self._deals and self.game.draws:
            self._progress.deal()
            self._look_for_the_end()

    def _why_not_asked(self) -> str:
        if not self.ready:
            return (
                "Your secret is chosen, and cannot be changed: "
                "the game starts when both players have chosen."
            )
        if self.to_move is None:
            return "You have answered already: the other player is still to answer."
        return f"It is Player {self.to_move}'s turn, not yours."

    def _asked_first(self, seat: Seat) -> Question | None:
        return self.game.question(self.game.start(self.first), seat)
