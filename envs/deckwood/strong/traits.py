"""A card's effects in a few numbers, for observations: what beating it is worth and what it threatens."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.strong import vocabulary as v
from deckwood.strong.terms import COUNT, FALLS, HEALTH, OP, RECOVERY, REWARD, STRATEGY, WHAT, WHEN

TRAITS = (
    "gives gold", "gives health", "gives strategy", "gives recovery", "gives dice back", "gives banished dice", "gives items", "gives more",
    "costs health", "exhausts", "banishes", "adds enemies", "limits dice", "changes damage", "does more", "acts when it falls",
)  # fmt: skip
NUM_TRAITS = len(TRAITS)
(
    GIVES_GOLD, GIVES_HEALTH, GIVES_STRATEGY, GIVES_RECOVERY, GIVES_READY, GIVES_BANISHED, GIVES_ITEMS, GIVES_MORE,
    COSTS_HEALTH, EXHAUSTS, BANISHES, ADDS_ENEMIES, LIMITS, CHANGES_DAMAGE, DOES_MORE, ACTS_WHEN_IT_FALLS,
) = range(NUM_TRAITS)  # fmt: skip

_REWARDS = {
    v.GAIN_GOLD: GIVES_GOLD, v.RECOVER: GIVES_READY, v.RECOVER_COLOUR: GIVES_READY, v.RECOVER_BY_ROLL: GIVES_READY,
    v.RESTORE: GIVES_BANISHED, v.RESTORE_COLOUR: GIVES_BANISHED, v.GAIN_ITEM: GIVES_ITEMS, v.UPGRADE_ITEM: GIVES_ITEMS,
}  # fmt: skip
_REWARD_STATS = {HEALTH: GIVES_HEALTH, STRATEGY: GIVES_STRATEGY, RECOVERY: GIVES_RECOVERY}
_THREATS = {
    v.EXHAUST: EXHAUSTS, v.EXHAUST_BEST: EXHAUSTS, v.EXHAUST_HITS: EXHAUSTS, v.BANISH: BANISHES, v.BANISH_BEST: BANISHES,
    v.BANISH_MISSES: BANISHES, v.BANISH_APPLIED: BANISHES, v.ACTIVATE: ADDS_ENEMIES, v.HIT_BONUS: CHANGES_DAMAGE, v.CRIT_BONUS: CHANGES_DAMAGE,
    v.CRITS_VOID: CHANGES_DAMAGE, v.HITS_VOID: CHANGES_DAMAGE, v.SWAP_HITS: CHANGES_DAMAGE, v.CRITS_VOID_HERE: CHANGES_DAMAGE,
    v.HITS_VOID_HERE: CHANGES_DAMAGE, v.HIT_BONUS_HERE: CHANGES_DAMAGE, v.PROTECTED: CHANGES_DAMAGE, v.DAMAGE_CAP: CHANGES_DAMAGE,
}  # fmt: skip


def traits_of(rows: NDArray[np.int16]) -> NDArray[np.int16]:
    """The traits of a face with these effect rows, int16 of length NUM_TRAITS, each 0..20."""
    out = np.zeros(NUM_TRAITS, np.int16)
    for row in rows.astype(int):
        when, op, what, count = row[WHEN], row[OP], row[WHAT], max(1, abs(row[COUNT]))
        out[_trait(when, op, what)] += count
        if when == FALLS:
            out[ACTS_WHEN_IT_FALLS] += 1
    return np.minimum(out, 20)


def traits_table(cards: NDArray[Any], effects: NDArray[np.int16]) -> NDArray[np.int16]:
    """The traits of every face, (faces, NUM_TRAITS)."""
    return np.array([traits_of(effects[card["first"] : card["first"] + card["count"]]) for card in cards], np.int16)


def _trait(when: Any, op: Any, what: Any) -> int:
    if when == REWARD:
        if op in (v.GAIN_STAT, v.GAIN_ANY_STAT):
            return _REWARD_STATS[what] if op == v.GAIN_STAT else GIVES_HEALTH
        return _REWARDS.get(op, GIVES_MORE)
    if op == v.LOSE_STAT and what == HEALTH:
        return COSTS_HEALTH
    if op in _THREATS:
        return _THREATS[op]
    if op < v.FIRST_INSTRUCTION:
        return LIMITS
    return DOES_MORE
