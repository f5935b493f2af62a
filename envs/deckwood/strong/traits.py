"""A card in a few numbers, for observations: what beating it is worth and what it threatens."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.strong import vocabulary as v
from deckwood.strong.terms import COUNT, HEALTH, OP, REWARD, WHAT, WHEN

TRAITS = (
    "gives gold", "gives health", "gives strategy or recovery", "gives dice", "gives items", "gives more",
    "costs health", "takes dice", "adds enemies", "limits dice", "changes damage", "does more",
)  # fmt: skip
NUM_TRAITS = len(TRAITS)
(
    GIVES_GOLD, GIVES_HEALTH, GIVES_STATS, GIVES_DICE, GIVES_ITEMS, GIVES_MORE,
    COSTS_HEALTH, TAKES_DICE, ADDS_ENEMIES, LIMITS, CHANGES_DAMAGE, DOES_MORE,
) = range(NUM_TRAITS)  # fmt: skip

FACE_NUMBERS = 4  # what comes before the traits in a row of a deck's ``face_view``
FACE_VIEW = FACE_NUMBERS + NUM_TRAITS

_REWARDS = {
    v.GAIN_GOLD: GIVES_GOLD, v.RECOVER: GIVES_DICE, v.RECOVER_COLOUR: GIVES_DICE, v.RECOVER_BY_ROLL: GIVES_DICE,
    v.RESTORE: GIVES_DICE, v.RESTORE_COLOUR: GIVES_DICE, v.GAIN_ITEM: GIVES_ITEMS, v.UPGRADE_ITEM: GIVES_ITEMS,
    v.GAIN_ANY_STAT: GIVES_HEALTH,
}  # fmt: skip
_THREATS = {
    v.EXHAUST: TAKES_DICE, v.EXHAUST_BEST: TAKES_DICE, v.EXHAUST_HITS: TAKES_DICE, v.BANISH: TAKES_DICE, v.BANISH_BEST: TAKES_DICE,
    v.BANISH_MISSES: TAKES_DICE, v.BANISH_APPLIED: TAKES_DICE, v.ACTIVATE: ADDS_ENEMIES,
    v.HIT_BONUS: CHANGES_DAMAGE, v.CRIT_BONUS: CHANGES_DAMAGE,
    v.CRITS_VOID: CHANGES_DAMAGE, v.HITS_VOID: CHANGES_DAMAGE, v.SWAP_HITS: CHANGES_DAMAGE, v.CRITS_VOID_HERE: CHANGES_DAMAGE,
    v.HITS_VOID_HERE: CHANGES_DAMAGE, v.HIT_BONUS_HERE: CHANGES_DAMAGE, v.PROTECTED: CHANGES_DAMAGE, v.DAMAGE_CAP: CHANGES_DAMAGE,
}  # fmt: skip


def traits_of(rows: NDArray[np.int16]) -> NDArray[np.int16]:
    """The traits of a face with these effect rows, int16 of length NUM_TRAITS, each 0..20."""
    out = np.zeros(NUM_TRAITS, np.int16)
    for row in rows.astype(int):
        when, op, what, count = row[WHEN], row[OP], row[WHAT], max(1, abs(row[COUNT]))
        out[_trait(when, op, what)] += count
    return np.minimum(out, 20)


def traits_table(cards: NDArray[Any], effects: NDArray[np.int16]) -> NDArray[np.int16]:
    """The traits of every face, (faces, NUM_TRAITS)."""
    return np.array([traits_of(effects[card["first"] : card["first"] + card["count"]]) for card in cards], np.int16)


def face_labels(own: str) -> tuple[str, ...]:
    """The columns of ``face_view``; ``own`` names the deck's own number of an enemy."""
    return "there", "health", "damage", own, *TRAITS


def face_view(cards: NDArray[Any], effects: NDArray[np.int16], own: NDArray[Any]) -> NDArray[np.float32]:
    """Every face as it lies printed, for observations to copy, (faces, FACE_VIEW); ``own`` is the deck's own number of each."""
    numbers = [np.ones(len(cards)), *(np.clip(column, -1, 20) for column in (cards["health"], cards["damage"], own))]
    return np.column_stack([*numbers, traits_table(cards, effects)]).astype(np.float32)


def _trait(when: Any, op: Any, what: Any) -> int:
    if when == REWARD:
        if op == v.GAIN_STAT:
            return GIVES_HEALTH if what == HEALTH else GIVES_STATS
        return _REWARDS.get(op, GIVES_MORE)
    if op == v.LOSE_STAT and what == HEALTH:
        return COSTS_HEALTH
    if op in _THREATS:
        return _THREATS[op]
    if op < v.FIRST_INSTRUCTION:
        return LIMITS
    return DOES_MORE
