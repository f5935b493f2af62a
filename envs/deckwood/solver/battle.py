"""A battle of several rounds, as Tanglewoods' endgame is: undefeated enemies keep the dice on them, until they or the hero fall.

The value of a position between rounds is the chance to win the battle from it, by Health: with so much of it that the enemies' next
blow kills, this round decides; with more, the round before it is worth what this one is; and so on. One table holds the values of every
pool of ready dice and every board at once. Dice that are exhausted and not recovered in the very next step are reckoned as gone, which
makes the values a little low.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from deckwood.core.jit import rule
from deckwood.solver import counts
from deckwood.solver.counts import NEVER, Rules, next_count, place_of
from deckwood.solver.fights import Tables, fill_passes, first_rows


@rule
def fill_round_ends(rules, health, due, starts, stops):
    """``stops`` (rows, boards): the chance to win when a round is resolved with this ``health``.

    ``due`` (boards,) is what the enemies deal; ``starts`` (health + 1, pools, boards) the chance to win when a round begins.
    """
    r = np.zeros(5, np.int64)
    h = np.zeros(5, np.int64)
    room = np.zeros(5, np.int64)
    after = np.zeros(5, np.int64)
    row = 0
    while True:
        for c in range(5):
            room[c] = rules.size[c] - r[c]
        while True:
            for b in range(stops.shape[1]):
                left = health - due[b]
                if rules.final[b]:
                    stops[row, b] = rules.worth[b]
                elif left < 1:
                    stops[row, b] = 0.0
                else:
                    more = int(rules.regain[b])
                    for c in range(5):
                        after[c] = r[c]
                    for i in range(5):
                        c = rules.by_worth[i]
                        n = min(more, min(rules.size[c] - r[c], h[c] + rules.spent[c]))
                        after[c] += n
                        more -= n
                    stops[row, b] = starts[left, place_of(rules.size, after), rules.fresh[b]]
            row += 1
            if not next_count(h, room):
                break
        if not next_count(r, rules.size):
            return


@dataclass
class Battle:
    """The boards of a battle and its values between rounds, worked out as they are asked for."""

    rules: Rules  # ``size``: the dice that take part, ready or exhausted; ``worth`` of a ``final`` board is 1. No limits by engagement
    due: NDArray[np.int64]  # (boards,)
    starts: NDArray[np.float64] = field(init=False)  # (7, pools, boards) the chance to win when a round begins, by Health
    known: list[bool] = field(init=False)

    def __post_init__(self) -> None:
        pools = int(np.prod(self.rules.size + 1))
        self.starts = np.zeros((7, pools, len(self.due)))
        self.known = [True] + [False] * 6
        self.first, self.rows = first_rows(self.rules.size)

    def round(self, health: int, spent: NDArray[np.int64], begin: int = 1) -> Tables:
        """The tables of a round that is under way with this Health, from pass ``begin`` on, when ``spent`` (5,) dice are exhausted."""
        blows = {int(due) for due, won in zip(self.due, self.rules.final, strict=True) if not won}
        for left in sorted(health - blow for blow in blows if blow < health):
            self._fill_start(left)
        rules = self.rules._replace(spent=spent)
        stops = np.empty((self.rows, len(self.due)))
        fill_round_ends(rules, health, self.due, self.starts, stops)
        return fill_passes(rules, begin, self.first, stops)

    def _fill_start(self, health: int) -> None:
        if self.known[health]:
            return
        self.known[health] = True
        harmless = self.due <= 0
        self.starts[health][:, harmless] = 1.0  # nobody strikes back
        tables = self.round(health, np.zeros(5, np.int64))
        best = np.full((self.rows, len(self.due)), NEVER)
        counts.fill_commits(self.rules, self.first, tables.rolled[0], best)
        self.starts[health] = np.where(harmless, 1.0, best[self.first])
