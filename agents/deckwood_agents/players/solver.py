"""``solver``: plays engagements by exact values of the chance to win the game, and the rest as the expert does.

The engagement is solved as :mod:`deckwood.solver.boards` reads it: standing modifiers count, and what cards do at moments of the
Resolve phase; what they do during the Strategy phase is met as it comes, by solving again. In a battle against the same enemies, round
after round, the chance to win it is worked out through all its rounds (:mod:`deckwood.solver.battle`). Elsewhere the chance to win from
the position after Resolve is the fitted model's, :mod:`deckwood_agents.players.prospects`. Where that is not trusted, and where an
engagement is too large, the expert plays. Items and the hero's ability are used when the expert would.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.spec import GameSpec, LoadedDeck
from deckwood.solver import TooLarge, counts
from deckwood.solver.battle import Battle, foresee_rounds, kept_back
from deckwood.solver.boards import KEY, Resolved, also_recovered, find_boards, key_of, no_boards, rules_of
from deckwood.solver.counts import Rules
from deckwood.solver.fights import Tables, fill
from deckwood.strong import actions as act
from deckwood.strong.apply import may_target
from deckwood.strong.steps import APPLY, COMMIT, STEP, TARGET, A, B
from deckwood.strong.terms import AFTER_DONE, BOSS, HEALTH, HELD, HIT, MISS, ROLL_SEEN, STRATEGY, UNIT_DICE
from deckwood.strong.vocabulary import COMMIT_ONE_EACH, FIX_MISSES
from deckwood_agents.games import slug
from deckwood_agents.players.prospects.model import Prospects, find_won, load, module_of
from deckwood_agents.players.protocol import Actions
from deckwood_agents.players.scripted import find_policy
from deckwood_agents.players.scripted.agent import ScriptedAgent

MAX_WORK = 4_000_000
"""The largest engagement that is solved: values filled in for what dice may show, over all passes. Where there are more, a few dice are
left out of it, which stay ready; where even that is too much, the expert plays."""
MAX_HELD = 2  # such dice
BOSS_WORK = 4  # times as much with a boss in the active area
BATTLE_WORK = 100  # ... and in a battle of several rounds, all of them together
MAX_BATTLES = 256  # that are kept; a battle is often met again in other games
HOPELESS = 1e-6
MAX_KEPT = 3 << 30  # bytes of solved engagements that are kept

PLANNED = (
    "ready", "unrolled", "rolled", "kept", "applied", "applied_now", "passes", "committed", "committed_now", "last_die", "last_target",
    "depth", "agenda", "decisions", "node", "mover", "marks", "falls", "unsettled", "modifiers", "slot_modifiers", "gold",
)  # fmt: skip
"""What changes while an engagement goes as it was planned. When anything else changes, it is solved again."""


class Engagement:
    """One engagement, solved from where it stood."""

    def __init__(self, tables: Tables, keys: NDArray[np.int64], slots: NDArray[np.int64], start: int) -> None:
        self.tables = tables
        self.keys = keys  # of the boards
        self.slots = slots  # of the active area, by target
        self.start = start  # the board when it was solved
        self.bytes = tables.rolled.nbytes + tables.after.nbytes + tables.stops.nbytes

    def board(self, key: NDArray[np.int64]) -> int:
        """The number of the board with this key, -1 if it was not foreseen."""
        found = np.flatnonzero((self.keys == key).all(axis=1))
        return int(found[0]) if len(found) else -1

    def holds(self, s: Any, step: int, key: NDArray[np.int64]) -> bool:
        """True if the tables reach to where the position stands. Before their first roll they hold only what can come of their start."""
        board, first = self.board(key), int(s.passes) == self.tables.begin
        if board < 0 or not self.tables.begin <= s.passes < self.tables.begin + len(self.tables.rolled):
            return False
        ready, hand = dice_of(s, self.tables.rules)
        size = self.tables.rules.size
        if step == COMMIT and first:
            return board == self.start and bool((ready + hand == size).all())
        return bool((ready >= 0).all() and (ready + hand <= size).all())


@dataclass(frozen=True)
class KnownBattle:
    """A battle of several rounds with the keys of its boards and the slots of its targets."""

    battle: Battle
    keys: NDArray[np.int64]
    slots: NDArray[np.int64]


def dice_taking_part(s: Any) -> NDArray[np.int16]:
    """All dice but those exhausted or banished, by colour (5,)."""
    dice: NDArray[np.int16] = s.ready + s.unrolled + s.rolled.sum(axis=1) + s.kept.sum(axis=1) + s.applied.sum(axis=(0, 2))
    return dice


def battle_key(s: Any) -> bytes:
    """What makes a battle the same from round to round, and from game to game: the cards in it, the hero's stats, and all dice."""
    dice = dice_taking_part(s) + s.exhausted
    cards = (s.slot, s.marks & ~(AFTER_DONE | HELD | ROLL_SEEN), s.extra_health, s.extra_damage, s.set_health)
    return b"".join(np.asarray(part).tobytes() for part in (*cards, s.stats[STRATEGY:], s.modifiers, s.slot_modifiers, dice))


class SolverAgent:
    """Exact play of engagements towards a model's chance to win; see the module."""

    def __init__(self, spec: GameSpec, deck: LoadedDeck, prospects: Prospects | None = None, budget: float = MAX_WORK) -> None:
        """With the model that ships where none is given; NoProspects where none does."""
        policy = find_policy("expert", spec)
        assert policy is not None, f"{spec.name} has no expert"
        self.name = "solver" if budget == MAX_WORK else f"solver:{budget:g}"
        self.budget = budget
        self.expert = ScriptedAgent("expert", policy, deck)
        self.prospects = prospects or load(spec)
        self.module = module_of(slug(spec.env_id))
        self.spec = spec
        self.deck = deck.tables
        self.boards = no_boards(spec.dtype)
        self.key = np.zeros(KEY, np.int64)
        self.unplanned = bytes_of_fields(spec.dtype, PLANNED)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Nothing is drawn; what has been solved is forgotten, and the counts of what was done."""
        self.kept: OrderedDict[bytes, Engagement | None] = OrderedDict()  # None: the expert plays it
        self.battles: OrderedDict[bytes, KnownBattle] = OrderedDict()
        self.bytes = 0
        self.solved = 0
        self.left = 0

    def act(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any) -> Actions:
        actions = self.expert.act(obs, mask, positions)
        rest = self.when_all_is_applied(obs, mask, positions)
        steps = positions["agenda"][np.arange(len(positions)), np.maximum(positions["depth"] - 1, 0), STEP]
        uses = (actions >= act.USE_ITEM) & (actions <= act.USE_HERO)
        for i in np.flatnonzero(np.isin(steps, (COMMIT, APPLY, TARGET)) & ~uses):
            action = self.choose(positions[i], int(steps[i]), mask[i])
            if action >= 0:
                actions[i] = rest[i] if action in (act.AGAIN, act.RESOLVE) and act.USE_ITEM <= rest[i] <= act.USE_HERO else action
        return actions

    def when_all_is_applied(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any) -> Actions:
        """What the expert would do if no hits were left in hand: it uses what helps with misses only when it has nothing to apply."""
        without = positions.copy()
        without["rolled"][:, :, HIT:] = 0
        return self.expert.act(obs, mask, without)

    def choose(self, s: Any, step: int, mask: NDArray[np.int8]) -> int:
        """The action at a step of the Strategy phase, or -1 to leave it to the expert."""
        if not (self.module.is_battle(s, self.deck) or self.module.is_trusted(s, self.deck)):
            return -1
        board_key = self.board_key(s)
        engagement = self.engagement(s, step, board_key)
        if engagement is None:
            return -1
        board = engagement.board(board_key)
        action = self.commit(s, engagement, board) if step == COMMIT else self.apply(s, step, engagement, board, mask)
        return action if mask[action] else -1

    # ------------------------------------------------------------------------------------------------------------ solving

    def cache_key(self, s: Any) -> bytes:
        """What an engagement's values depend on: the position without what changes as planned, and how many dice take part."""
        if self.module.is_battle(s, self.deck):
            return battle_key(s) + bytes([self.lives(s), int(s.shield)]) + s.exhausted.tobytes()
        rest = np.asarray(s).reshape(1).view(np.uint8)[self.unplanned]
        return bytes(rest.tobytes() + dice_taking_part(s).tobytes())

    def engagement(self, s: Any, step: int, board_key: NDArray[np.int64]) -> Engagement | None:
        """The engagement that a position stands in, solved; None where the expert is to play it."""
        key = self.cache_key(s)
        if key in self.kept and (step != COMMIT or s.passes > 1 or s.committed > 0 or self.module.is_battle(s, self.deck)):
            found = self.kept[key]
            if found is None or found.holds(s, step, board_key):
                self.kept.move_to_end(key)
                return found
        return self.solve(s, key)

    def solve(self, s: Any, key: bytes) -> Engagement | None:
        """Solves the engagement from where it stands and keeps it; None where the expert is to play it."""
        engagement = self.solve_round(s) if self.module.is_battle(s, self.deck) else None
        if engagement is None and self.module.is_trusted(s, self.deck):
            engagement = self.solve_alone(s)
        self.solved += engagement is not None
        self.left += engagement is None
        if (before := self.kept.pop(key, None)) is not None:
            self.bytes -= before.bytes
        self.kept[key] = engagement
        self.bytes += engagement.bytes if engagement else 0
        while self.bytes > MAX_KEPT and len(self.kept) > 1:
            if (oldest := self.kept.popitem(last=False)[1]) is not None:
                self.bytes -= oldest.bytes
        return engagement

    def solve_alone(self, s: Any) -> Engagement | None:
        """The engagement towards the model's chance to win from the position after it."""
        n = self.find_boards(s, s.ready + s.unrolled + s.rolled.sum(axis=1))
        if n == 0:
            return None
        keys = self.boards.keys[:n].copy()
        slots = np.flatnonzero((self.boards.to[:n] >= 0).any(axis=(0, 2, 3)))
        resolved = self.prospects.resolved(s, self.boards, n, self.deck)
        rules = rules_of(s, self.boards, n, resolved, max_work=self.max_work(s), max_held=MAX_HELD)
        if rules is None:
            return None
        try:
            tables = fill(rules, int(s.passes), 0)
        except TooLarge:
            return None
        return Engagement(tables, keys, slots, start=0)

    def solve_round(self, s: Any) -> Engagement | None:
        """A round of a battle, towards the chance to win it, all its rounds counted."""
        key, board_key = battle_key(s), self.board_key(s)
        found = self.battles.get(key)
        if found is None or not (found.keys == board_key).all(axis=1).any():
            found = self.begin_battle(s)
            if found is None:
                return None
            self.battles[key] = found
            while len(self.battles) > MAX_BATTLES:
                self.battles.popitem(last=False)
        ready, hand = dice_of(s, found.battle.rules)
        spent = s.exhausted.astype(np.int64)
        if (ready < 0).any() or (ready + hand + spent > found.battle.rules.size).any():
            return None
        board = int(np.flatnonzero((found.keys == board_key).all(axis=1))[0])
        tables, boards = found.battle.round(
            self.lives(s), ready + hand, spent, board, begin=int(s.passes), shield=int(s.shield)
        )  # fmt: skip
        if tables.rolled[0].max() < HOPELESS:
            return None  # all that is left is to hope for what is not reckoned with
        return Engagement(tables, found.keys[boards], found.slots, start=int(np.searchsorted(boards, board)))

    def lives(self, s: Any) -> int:
        """Health, and what items can still add to it."""
        return int(s.stats[HEALTH]) + int(kept_back(record_of(s), self.deck))

    def begin_battle(self, s: Any) -> KnownBattle | None:
        """The battle that goes on from here; None where it is too large, or cannot be won."""
        s = record_of(s)
        s.shield = 0  # that is for one round
        n = self.find_boards(s, s.ready + s.unrolled + s.rolled.sum(axis=1) + s.exhausted, rounds=True)
        if n == 0:
            return None
        keys, boards = self.boards.keys[:n].copy(), self.boards
        slots = np.flatnonzero((boards.to[:n] >= 0).any(axis=(0, 2, 3)))
        final = np.zeros(n, np.bool_)
        find_won(self.module)(boards.positions, self.deck, final)
        foresee_rounds(boards, n, self.deck)
        resolved = Resolved(
            value=np.zeros(n),
            final=final,
            prize=np.zeros(n, np.int16),
            bonus=also_recovered(self.spec, s),
            ready_value=np.arange(1.0, 6.0),
            number_value=np.zeros(sum(UNIT_DICE) + 1),
            logistic=False,
        )
        rules = rules_of(s, boards, n, resolved, more_dice=s.exhausted)
        assert rules is not None
        if not final.any() or (boards.total[:n] < rules.size.sum()).any():
            return None  # ... or dice are limited by the round
        most = self.budget * BATTLE_WORK * n / Battle.of(rules, boards, n).work(self.lives(s), 0)
        rules = rules_of(s, boards, n, resolved, more_dice=s.exhausted, max_work=most, max_held=MAX_HELD)
        return None if rules is None else KnownBattle(Battle.of(rules, boards, n), keys, slots)

    def find_boards(self, s: Any, dice: NDArray[Any], rounds: bool = False) -> int:
        return int(find_boards(record_of(s), self.deck, dice, rounds, self.boards, self.key))

    def max_work(self, s: Any) -> float:
        faces = s.slot[s.slot >= 0]
        return self.budget * (BOSS_WORK if (self.deck.cards["kind"][faces] == BOSS).any() else 1)

    def board_key(self, s: Any) -> NDArray[np.int64]:
        key = np.zeros(KEY, np.int64)
        key_of(record_of(s), self.deck, key)
        return key

    # ------------------------------------------------------------------------------------------------------------ choosing

    def commit(self, s: Any, engagement: Engagement, board: int) -> int:
        tables = engagement.tables
        ready, hand = dice_of(s, tables.rules)
        already = s.committed_now.sum()
        lowest = int(s.last_die) + int(already > 0 and s.modifiers[COMMIT_ONE_EACH] != 0)
        k = np.zeros(5, np.int64)
        counts.best_commit(
            tables.rules, tables.first, tables.rolled[s.passes - tables.begin], ready, hand, board, int(already), lowest, k
        )  # fmt: skip
        return act.COMMIT_DIE + int(np.flatnonzero(k)[0]) if k.any() else act.ROLL_DICE

    def apply(self, s: Any, step: int, engagement: Engagement, board: int, mask: NDArray[np.int8]) -> int:
        tables, rules = engagement.tables, engagement.tables.rules
        ready, _ = dice_of(s, tables.rules)
        u = int(s.passes) - tables.begin
        values = tables.after[u]
        hand, plan = np.zeros(5, np.int64), np.zeros((int(s.rolled.sum()), 3), np.int64)
        _, board, n = counts.play_roll(rules, tables.first, values, ready, s.rolled.astype(np.int64), board, hand, plan)
        if n > 0:
            order = sorted((3 * int(c) + HIT + int(face), int(engagement.slots[t])) for c, face, t in plan[:n])
            if step == TARGET:
                in_hand = 3 * int(s.agenda[s.depth - 1, A]) + int(s.agenda[s.depth - 1, B])
                return next((act.TARGET_CARD + slot for die, slot in order if die == in_hand and mask[act.TARGET_CARD + slot]), -1)
            record = record_of(s)
            for die, slot in order:
                if mask[act.PICK_DIE + die] and may_target(record, self.deck, slot, die // 3, die % 3):
                    return act.PICK_DIE + die
        row = tables.row(ready, hand)
        again = mask[act.AGAIN] and u + 1 < len(tables.rolled) and values[row, board] > tables.stops[row, board] + counts.SAME
        return act.AGAIN if again else act.RESOLVE


def record_of(s: Any) -> Any:
    """A copy of a position, a record of its own."""
    record = np.zeros(1, s.dtype).view(np.recarray)
    record[0] = s
    return record[0]


def dice_of(s: Any, rules: Rules) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Ready dice that the rules reckon with, and dice in hand."""
    fixed = s.modifiers[FIX_MISSES] != 0
    hand = s.unrolled + s.rolled[:, HIT:].sum(axis=1) + (0 if fixed else s.rolled[:, MISS])
    return s.ready.astype(np.int64) - rules.held, hand.astype(np.int64)


def bytes_of_fields(dtype: np.dtype[Any], without: Sequence[str]) -> NDArray[np.bool_]:
    """The bytes of a record that belong to a field, but for some fields, (itemsize,)."""
    out = np.zeros(dtype.itemsize, np.bool_)
    for name, (kind, offset, *_) in (dtype.fields or {}).items():
        if name not in without:
            out[offset : offset + kind.itemsize] = True
    return out
