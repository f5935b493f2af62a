"""A battle of several rounds against the same enemies, until they or the hero fall: the endgames of Tanglewoods and Etherfields.

In Tanglewoods undefeated enemies keep the dice on them, in Etherfields nothing stays. The value of a position between rounds is the chance
to win the battle from it, by Health: with so much of it that the enemies' next blow kills, this round decides; with more, it is worth what
the next round is, which begins with less Health; and so on. In later rounds the Strategy phase has few passes, the number of dice on an
enemy is estimated from its damage, and the weakest dice are assumed to lie there. Everything else is exact.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from deckwood.core.jit import rule
from deckwood.solver.boards import Boards
from deckwood.solver.counts import NEVER, Rules, may_commit, next_count, place_of, recovered, row_of
from deckwood.solver.fights import Tables, fill_passes, first_rows, states_of
from deckwood.solver.foresight import foresee
from deckwood.strong.cards import is_standing
from deckwood.strong.pool import item_count
from deckwood.strong.terms import ACTIVATION, CANCELLED, COUNT, HEALTH, OP, SINGLE_USE, SLOTS, USE, WHAT, WHEN
from deckwood.strong.vocabulary import EXHAUST, EXHAUST_BEST, GAIN_STAT, SHIELD

DICE_PER_DAMAGE = 0.7
MAX_PASSES = 2  # of rounds to come: what more of them adds is little, and costs as much as the first


@rule
def kept_back(s, deck):
    """Damage that single-use items can still absorb, as shields and as Health."""
    n = 0
    for i in range(item_count(s)):
        face = int(s.items[i])
        if deck.cards[face].uses != SINGLE_USE:
            continue
        first = int(deck.cards[face].first)
        for row in range(first, first + int(deck.cards[face].count)):
            op = deck.effects[row, OP]
            if deck.effects[row, WHEN] == USE and (op == SHIELD or (op == GAIN_STAT and deck.effects[row, WHAT] == HEALTH)):
                n += int(deck.effects[row, COUNT])
    return n


@rule
def off_enemies(pool, r, dice_on, out):
    """``out`` (5,): dice of the ``pool`` (5,) that are exhausted at a round's end when r are ready and ``dice_on`` of the others lie on
    enemies: the weakest."""
    for c in range(5):
        spare = pool[c] - r[c]
        there = min(dice_on, spare)
        out[c] = spare - there
        dice_on -= there


@rule
def fill_round_ends(rules, pool, known, dice_on, going_on, stops):
    """``stops`` (rows, boards): the chance to win when a round is resolved that ``rules.size`` of the battle's ``pool`` (5,) are rolled in.

    ``going_on`` (boards, pools) is that chance when the next round begins; ``dice_on`` (boards,) how many dice lie on enemies then. Where
    ``known``, those exhausted are ``rules.spent`` and those in hand: all that are applied stay.
    """
    r = np.zeros(5, np.int64)
    h = np.zeros(5, np.int64)
    room = np.zeros(5, np.int64)
    exhausted = np.zeros(5, np.int64)
    ready = np.zeros(5, np.int64)
    row = 0
    while True:
        for c in range(5):
            room[c] = rules.size[c] - r[c]
        while True:
            for b in range(stops.shape[1]):
                if known:
                    for c in range(5):
                        exhausted[c] = h[c] + rules.spent[c]
                else:
                    off_enemies(pool, r, int(dice_on[b]), exhausted)
                recovered(rules, b, r, exhausted, ready)
                stops[row, b] = going_on[b, place_of(pool, ready)]
            row += 1
            if not next_count(h, room):
                break
        if not next_count(r, rules.size):
            return


@rule
def fill_begun(rules, first, rolled, out):
    """``out`` (pools, boards): the chance to win when a round begins, from that of having dice in hand when they are rolled first."""
    size = rules.size
    r = np.zeros(5, np.int64)
    k = np.zeros(5, np.int64)
    left = np.zeros(5, np.int64)
    for i in range(len(out)):
        for b in range(out.shape[1]):
            out[i, b] = NEVER
        while True:
            n = 0
            for c in range(5):
                n += k[c]
                left[c] = r[c] - k[c]
            row = row_of(size, first, left, k)
            for b in range(out.shape[1]):
                if rolled[row, b] > out[i, b] and (rules.free or may_commit(rules, b, r, k, n, 0)):
                    out[i, b] = rolled[row, b]
            if not next_count(k, r):
                break
        next_count(r, size)


@rule
def exhausted_by_activation(s, deck):
    """Ready dice that undefeated enemies exhaust at each Activation."""
    n = 0
    for slot in range(SLOTS):
        if is_standing(s, deck, slot) and not s.marks[slot] & CANCELLED:
            first = int(deck.cards[s.slot[slot]].first)
            for row in range(first, first + int(deck.cards[s.slot[slot]].count)):
                op = deck.effects[row, OP]
                if deck.effects[row, WHEN] == ACTIVATION and (op == EXHAUST or op == EXHAUST_BEST):
                    n += int(deck.effects[row, COUNT])
    return n


@rule
def foresee_rounds(boards, n, deck):
    """Makes ``regain`` smaller by the dice that After effects exhaust. The boards' positions are led to the end of their round."""
    before = boards.fallen[0]
    for b in range(n):
        s = boards.positions[b]
        _, lost = foresee(s, deck, before, boards.due[b])
        boards.regain[b] = max(0, boards.regain[b] - lost - exhausted_by_activation(s, deck))


@dataclass
class Battle:
    """The boards of a battle and its values between rounds, computed on demand."""

    rules: Rules  # ``size``: the dice that take part, ready or exhausted; a ``final`` board is won, if the hero lives
    due: NDArray[np.int64]  # (boards,) damage that a round costs
    next_round: NDArray[np.int64]  # (boards,) the board when the next round begins
    dice_on: NDArray[np.int64]  # (boards,) how many dice lie on undefeated enemies, about
    starts: dict[int, NDArray[np.float64]] = field(default_factory=dict)  # by Health: (boards, pools) the chance to win then
    known: set[tuple[int, int]] = field(default_factory=set)  # Health and the board

    @classmethod
    def of(cls, rules: Rules, boards: Boards, n: int) -> Battle:
        """The battle over the first ``n`` boards, as :func:`deckwood.solver.boards.find_boards` found them with their rounds."""
        dealt = np.maximum(0, boards.damage[:n] - boards.damage[0]) if boards.positions[0].endgame else np.zeros(n)
        return cls(rules, boards.due[:n].copy(), boards.next_round[:n].copy(), np.rint(DICE_PER_DAMAGE * dealt).astype(np.int64))

    @property
    def lasts(self) -> bool:
        """Whether dice stay on undefeated enemies."""
        return bool(self.dice_on.any())

    def __post_init__(self) -> None:
        self.pools = int(np.prod(self.rules.size + 1))
        self.first, _ = first_rows(self.rules.size)

    def round(
        self, health: int, dice: NDArray[np.int64], spent: NDArray[np.int64], board: int, *, begin: int = 1, shield: int = 0
    ) -> tuple[Tables, NDArray[np.int64]]:
        """The tables of a round in progress on a board, from pass ``begin`` on, and the boards (b,) that they cover.

        ``dice`` (5,) are ready or in hand, ``spent`` (5,) exhausted, together no more than the battle's; ``shield`` is damage that this
        round does not cost. ``rolled[0]`` holds only what can come of this board and these dice.
        """
        boards = self.within_round([board])
        self._fill_after(health, boards, shield)
        rules = only(self.rules, boards)._replace(size=dice, spent=spent)
        first, _ = first_rows(dice)
        start = int(np.searchsorted(boards, board))
        return self._tables(rules, first, health, boards, begin, shield, by_hand=self.lasts, start=start), boards

    def work(self, health: int, board: int) -> int:
        """The number of boards to examine, counting those of each round."""
        seen: set[tuple[int, int]] = set()
        pending, n = {(health, board)}, 0
        while pending:
            seen |= pending
            following: set[tuple[int, int]] = set()
            for left in {left for left, _ in pending}:
                boards = self.within_round([root for at, root in pending if at == left])
                n += len(boards)
                following |= set(self._going_on(left, boards))
            pending = following - seen
        return n

    def within_round(self, roots: Iterable[int]) -> NDArray[np.int64]:
        """All boards that a round may come to that begins on one of ``roots``, in order."""
        found = np.zeros(len(self.due), np.bool_)
        open_ = list(roots)
        while open_:
            board = open_.pop()
            if not found[board]:
                found[board] = True
                there = self.rules.to[..., board].ravel()
                open_ += [int(b) for b in {*there[there >= 0], self.rules.fresh[board]}]
        return np.flatnonzero(found)

    def _going_on(self, health: int, boards: NDArray[np.int64], shield: int = 0) -> list[tuple[int, int]]:
        """Where the battle continues after a round that ends on ``boards``: the Health left and the board when the next one begins."""
        on = [int(b) for b in boards if not self.rules.final[b] and 0 < self.due[b] < health + shield]
        return [(health - max(0, int(self.due[b]) - shield), int(self.next_round[b])) for b in on]

    def _fill_after(self, health: int, boards: NDArray[np.int64], shield: int = 0) -> None:
        """Compute the value of the next round after a round that ends on one of ``boards``."""
        roots: dict[int, set[int]] = {}
        for left, root in self._going_on(health, boards, shield):
            if (left, root) not in self.known:
                roots.setdefault(left, set()).add(root)
        for left, some in sorted(roots.items()):
            self._fill_starts(left, some)

    def _fill_starts(self, health: int, roots: set[int]) -> None:
        self.known |= {(health, root) for root in roots}
        groups = {root: self.within_round([root]) for root in roots}
        for boards in groups.values():
            self._fill_after(health, boards)
        hopeful = sorted(root for root, boards in groups.items() if self._values(health, boards).any())
        if not hopeful:
            return
        boards = self.within_round(hopeful)
        rules = only(self.rules, boards)
        rules = rules._replace(passes=np.minimum(rules.passes, MAX_PASSES))
        tables = self._tables(rules, self.first, health, boards, 1)
        begun = np.empty((self.pools, len(boards)))
        fill_begun(rules, self.first, tables.rolled[0], begun)
        starts = self.starts.setdefault(health, np.zeros((len(self.due), self.pools)))
        starts[hopeful] = begun[:, np.searchsorted(boards, hopeful)].T

    def _values(self, health: int, boards: NDArray[np.int64], shield: int = 0) -> NDArray[np.float64]:
        """(boards, pools) the chance to win when a round has ended there, by the dice ready by then."""
        values = np.zeros((len(boards), self.pools))
        for i, board in enumerate(boards):
            due = int(self.due[board])
            if self.rules.final[board]:
                values[i] = due < health + shield  # won, if the hero lives
            elif due <= 0:
                values[i] = 1.0  # nobody strikes back
            elif due < health + shield and (left := health - max(0, due - shield)) in self.starts:
                values[i] = self.starts[left][self.next_round[board]]
        return values

    def _tables(
        self,
        rules: Rules,
        first: NDArray[np.int64],
        health: int,
        boards: NDArray[np.int64],
        begin: int,
        shield: int = 0,
        *,
        by_hand: bool = False,
        start: int | None = None,
    ) -> Tables:
        """A round's tables; see :func:`deckwood.solver.fights.fill_passes` for ``by_hand`` and ``start``."""
        rows = states_of(rules.size, 1)
        stops = np.empty((rows, len(boards)))
        values = self._values(health, boards, shield)
        fill_round_ends(rules, self.rules.size, by_hand, self.dice_on[boards], values, stops)
        return fill_passes(rules, begin, first, stops, start, by_hand=by_hand)


def only(rules: Rules, boards: NDArray[np.int64]) -> Rules:
    """The same over some of the boards, in order; their successors must be among them."""
    number = np.full(rules.to.shape[3] + 1, -1, np.int16)  # the last is where a board of -1 leads
    number[boards] = np.arange(len(boards))
    rest = {name: getattr(rules, name)[boards] for name in BY_BOARD}
    return rules._replace(to=np.ascontiguousarray(number[rules.to[..., boards]]), fresh=number[rules.fresh[boards]], **rest)


BY_BOARD = ("passes", "limit", "total", "banned", "one_each", "whole", "value", "final", "prize", "regain")
