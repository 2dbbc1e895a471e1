"""OpenSpiel's own games in sequence form, walked by their own rules."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pyspiel
from scipy.sparse import coo_array

from trapline.solve.sequences import SequenceForm, Side


class _Walk:
    def __init__(self, name: str) -> None:
        self.known: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self.parents: tuple[list[int], list[int]] = ([], [])
        self.size = [1, 1]
        self.ends: dict[tuple[int, int], Fraction] = {}
        self._visit(pyspiel.load_game(name).new_initial_state(), (0, 0), Fraction(1))

    def _visit(self, state: Any, at: tuple[int, int], chance: Fraction) -> None:
        if state.is_terminal():
            result = chance * Fraction(state.player_return(0))
            self.ends[at] = self.ends.get(at, Fraction(0)) + result
        elif state.is_chance_node():
            for action, share in state.chance_outcomes():
                likely = Fraction(share).limit_denominator(1000)
                self._visit(state.child(action), at, chance * likely)
        else:
            seat, actions = state.current_player(), state.legal_actions()
            look = state.information_state_string(seat)
            if look not in self.known[seat]:
                self.known[seat][look] = self.size[seat]
                self.parents[seat].append(at[seat])
                self.size[seat] += len(actions)
            for number, action in enumerate(actions, self.known[seat][look]):
                after = (number, at[1]) if seat == 0 else (at[0], number)
                self._visit(state.child(action), after, chance)


def sequence_form(name: str, most: float) -> SequenceForm:
    walk = _Walk(name)
    one, two = (
        Side(np.array(walk.parents[seat]), np.array([*walk.known[seat].values(), walk.size[seat]]))
        for seat in (0, 1)
    )
    rows, columns = zip(*walk.ends, strict=True)
    results = np.array([float(result) for result in walk.ends.values()])
    payoffs = coo_array((results, (rows, columns)), shape=(walk.size[0], walk.size[1])).tocsr()
    return SequenceForm((one, two), payoffs, most, walk.ends)
