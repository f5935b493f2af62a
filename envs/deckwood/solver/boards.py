"""An engagement's boards, found by the engine's own rules: which dice may be applied to the enemies, and the result.

Standing modifiers (limits, bans, voids, bonuses, caps, pairs ...) count as they do in play. What cards do at a moment of the Strategy
phase (when rolled, when an enemy falls ...) does not: without such effects the boards are exact.
"""

from __future__ import annotations

from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deckwood.core.jit import rule
from deckwood.core.spec import GameSpec
from deckwood.solver.counts import Rules
from deckwood.solver.fights import roll_chances
from deckwood.strong.after import damage_due
from deckwood.strong.cards import (
    can_apply,
    here,
    is_beaten,
    is_standing,
    open_engagement,
    refresh,
    standing_enemies,
    uncapped_damage,
)
from deckwood.strong.pool import recovery_of, strategy_of
from deckwood.strong.terms import CRIT, DEFEATED, HIT, NONE, SIDES, SLOTS
from deckwood.strong.vocabulary import (
    APPLY_LIMIT,
    APPLY_LIMIT_ALL,
    APPLY_ONE_COLOUR,
    APPLY_ONE_EACH,
    APPLY_PER_ROLL,
    COLOURS_NEEDED,
    COMMIT_BAN,
    COMMIT_LIMIT,
    COMMIT_ONE_EACH,
    COMMIT_TOTAL,
    COMMIT_WHOLE_COLOUR,
    CRIT_BONUS,
    CRITS_VOID,
    DAMAGE_CAP,
    FALL_LIMIT,
    FIX_MISSES,
    HIT_BONUS,
    HITS_VOID,
    NO_LIMIT,
    NO_RECOVERY,
    PAIRS_ONLY,
    SWAP_HITS,
)

MAX_BOARDS = 512
KEY = SLOTS + 1


class Boards(NamedTuple):
    """Room for up to MAX_BOARDS boards; board 0 is the current one. A board is a position of the game with dice applied."""

    positions: Any
    keys: NDArray[np.int64]  # (boards, KEY)
    to: NDArray[np.int16]  # (boards, slots, 5, 2) the board after a die is applied; -1: it may not be
    fresh: NDArray[np.int16]  # (boards,)
    passes: NDArray[np.int16]
    limit: NDArray[np.int16]
    total: NDArray[np.int16]
    banned: NDArray[np.int16]
    one_each: NDArray[np.bool_]
    whole: NDArray[np.bool_]
    fallen: NDArray[np.int64]  # (boards,) bits of slots whose enemy has been defeated
    due: NDArray[np.int64]  # (boards,) damage that the Suffer Damage step costs
    regain: NDArray[np.int16]
    next_round: NDArray[np.int64]  # (boards,) the board when a battle goes on, where rounds are asked for
    damage: NDArray[np.int64]  # (boards,) of the dice on undefeated enemies


def no_boards(dtype: np.dtype[Any]) -> Boards:
    """Room for :func:`find_boards` over positions of ``dtype``."""
    n = MAX_BOARDS

    def small() -> NDArray[np.int16]:
        return np.zeros(n, np.int16)

    return Boards(
        np.zeros(n, dtype).view(np.recarray), np.zeros((n, KEY), np.int64), np.zeros((n, SLOTS, 5, 2), np.int16), small(), small(), small(),
        small(), small(), np.zeros(n, np.bool_), np.zeros(n, np.bool_), np.zeros(n, np.int64), np.zeros(n, np.int64), small(),
        np.zeros(n, np.int64), np.zeros(n, np.int64),
    )  # fmt: skip


@rule
def changes_dice(s):
    """True if something in play changes the damage of dice on all enemies."""
    for colour in range(5):
        if s.modifiers[HIT_BONUS + colour] != 0:
            return True
    return s.modifiers[CRIT_BONUS] != 0 or s.modifiers[CRITS_VOID] != 0 or s.modifiers[HITS_VOID] != 0


@rule
def key_of(s, deck, key):
    """Writes everything about the enemies that can still matter into ``key`` (KEY,)."""
    key[SLOTS] = int(s.falls) if s.modifiers[FALL_LIMIT] < NO_LIMIT else 0
    if s.modifiers[APPLY_LIMIT_ALL] < NO_LIMIT:
        for slot in range(SLOTS):
            key[SLOTS] += 16 * int(s.applied_now[slot])
    # With the enemy that changes what dice count, when it falls, those on the others change again.
    dice_may_change = standing_enemies(s, deck) > 1 and changes_dice(s)
    for slot in range(SLOTS):
        key[slot] = -1
        if not is_standing(s, deck, slot):
            continue
        damage, before = uncapped_damage(s, slot), 0
        if here(s, slot, DAMAGE_CAP) < NO_LIMIT:
            before = int(s.before[slot])
            damage = before + min(damage - int(s.before_uncapped[slot]), here(s, slot, DAMAGE_CAP))
        dice, colours, pairs = 0, 0, 0
        for colour in range(5):
            hits, crits = int(s.applied[slot, colour, HIT]), int(s.applied[slot, colour, CRIT])
            dice += hits + crits
            colours |= int(hits + crits > 0) << colour
            pairs = 64 * pairs + 8 * hits + crits
        word = damage * 32 + before
        word = word * 32 + (dice if here(s, slot, APPLY_LIMIT) < NO_LIMIT else 0)
        word = word * 32 + (int(s.applied_now[slot]) if here(s, slot, APPLY_PER_ROLL) < NO_LIMIT else 0)
        coloured = here(s, slot, APPLY_ONE_EACH) or here(s, slot, APPLY_ONE_COLOUR) or here(s, slot, COLOURS_NEEDED)
        word = word * 32 + (colours if coloured else 0)
        key[slot] = (word << 30) + pairs if here(s, slot, PAIRS_ONLY) or dice_may_change else word


@rule
def enter(boards, n, deck, key):
    """The number of the board that position ``n`` is; a new one, ``n`` itself, if no other is the same."""
    key_of(boards.positions[n], deck, key)
    for b in range(n):
        same = True
        for i in range(KEY):
            if boards.keys[b, i] != key[i]:
                same = False
                break
        if same:
            return b
    for i in range(KEY):
        boards.keys[n, i] = key[i]
    return n


@rule
def settle_falls(s, deck):
    """Enemies whose Health is met are defeated, with nothing that follows from it but the end of their During effects."""
    found = True
    while found:
        found = False
        for slot in range(SLOTS):
            if s.falls < s.modifiers[FALL_LIMIT] and is_beaten(s, deck, slot):
                s.marks[slot] |= DEFEATED
                s.falls += 1
                found = True
        if found:
            refresh(s, deck)


@rule
def find_boards(s, deck, dice, rounds, boards, key):
    """All boards that dice of the colours in ``dice`` (5,) can make of a position; returns how many, or 0 if there is no room.

    With ``rounds`` those too that come of further rounds against the same enemies, which keep the dice on them where the deck says so.
    """
    boards.positions[0] = s
    n = 1
    enter(boards, 0, deck, key)
    b = 0
    while b < n:
        describe(boards, b, deck, int(s.committed))
        if n + 2 + SLOTS * 10 >= MAX_BOARDS:
            return 0
        # The next roll: what counts by the roll begins afresh.
        boards.positions[n] = boards.positions[b]
        fresh = boards.positions[n]
        fresh.falls = 0
        for slot in range(SLOTS):
            fresh.applied_now[slot] = 0
        settle_falls(fresh, deck)
        there = enter(boards, n, deck, key)
        n += there == n
        boards.fresh[b] = there
        if rounds:
            boards.positions[n] = boards.positions[b]
            settle_falls(boards.positions[n], deck)
            begin_round(boards.positions[n], deck)
            there = enter(boards, n, deck, key)
            n += there == n
            boards.next_round[b] = there
        for slot in range(SLOTS):
            for colour in range(5):
                for face in range(HIT, CRIT + 1):
                    boards.to[b, slot, colour, face - HIT] = -1
                    now = boards.positions[b]
                    if dice[colour] == 0 or not is_standing(now, deck, slot) or not can_apply(now, deck, slot, colour, face):
                        continue
                    if applied_in_all(now) >= now.modifiers[APPLY_LIMIT_ALL]:
                        continue
                    boards.positions[n] = now
                    after = boards.positions[n]
                    after.applied[slot, colour, face] += 1
                    after.applied_now[slot] += 1
                    settle_falls(after, deck)
                    there = enter(boards, n, deck, key)
                    n += there == n
                    boards.to[b, slot, colour, face - HIT] = there
        b += 1
    return n


@rule
def begin_round(s, deck):
    """Counters per roll and per round start again. Defeated enemies are gone; dice stay only in a battle that lasts."""
    s.falls = 0
    for slot in range(SLOTS):
        s.applied_now[slot] = 0
        if not s.endgame:
            s.wounds[slot] = 0
            for colour in range(5):
                for face in range(HIT, CRIT + 1):
                    s.applied[slot, colour, face] = 0
    open_engagement(s, deck)


@rule
def applied_in_all(s):
    n = 0
    for slot in range(SLOTS):
        n += int(s.applied_now[slot])
    return n


@rule
def describe(boards, b, deck, committed):
    """What a board allows and costs. ``committed`` dice have been committed when the first board stands."""
    s = boards.positions[b]
    boards.passes[b] = strategy_of(s) + int(s.extra_passes) if standing_enemies(s, deck) > 0 else 0
    boards.limit[b] = s.modifiers[COMMIT_LIMIT]
    boards.total[b] = int(s.modifiers[COMMIT_TOTAL]) - committed
    boards.banned[b] = s.modifiers[COMMIT_BAN]
    boards.one_each[b] = s.modifiers[COMMIT_ONE_EACH] != 0
    boards.whole[b] = s.modifiers[COMMIT_WHOLE_COLOUR] != 0 and s.modifiers[COMMIT_ONE_EACH] == 0
    boards.due[b] = damage_due(s, deck)
    boards.regain[b] = recovery_of(s)
    boards.fallen[b] = 0
    boards.damage[b] = 0
    for slot in range(SLOTS):
        if s.slot[slot] != NONE and s.marks[slot] & DEFEATED:
            boards.fallen[b] |= 1 << slot
        elif is_standing(s, deck, slot):
            boards.damage[b] += uncapped_damage(s, slot)


class Resolved(NamedTuple):
    """What each board is worth after Resolve: see the fields of the same names in :class:`deckwood.solver.counts.Rules`."""

    value: NDArray[np.float64]
    final: NDArray[np.bool_]
    prize: NDArray[np.int16]
    bonus: int
    ready_value: NDArray[np.float64]
    number_value: NDArray[np.float64]
    logistic: bool


def also_recovered(spec: GameSpec, position: Any) -> int:
    """The colour of the further die that a deck's Recover Dice step brings, NONE where there is none.

    A spec says so: ``metadata["also_recovered"]`` is the field of a position that holds the colour.
    """
    field = spec.metadata.get("also_recovered")
    return NONE if field is None or position.modifiers[NO_RECOVERY] else int(position[field])


_CHANCES = roll_chances()
_SWAPPED = roll_chances(tuple((hit + crit, miss, 0) for miss, hit, crit in SIDES))


def rules_of(
    position: Any,
    boards: Boards,
    n: int,
    resolved: Resolved,
    *,
    more_dice: NDArray[np.int16] | int = 0,
    max_work: float = np.inf,
    max_held: int = 17,
) -> Rules | None:
    """The engagement that ``position`` (a record) stands in, over the first ``n`` of its boards, as the counting solver reads it. If that
    takes more values than ``max_work``, up to ``max_held`` ready dice are left out, the most frequent colour first; None if that is not
    enough. ``more_dice`` (5,) may come in later, beside those ready and in hand.
    """
    hand = position.unrolled + position.rolled.sum(axis=1) + position.kept.sum(axis=1)
    size = (position.ready + hand + more_dice).astype(np.int64)
    slots = np.flatnonzero((boards.to[:n] >= 0).any(axis=(0, 2, 3)))
    to = np.ascontiguousarray(boards.to[:n, slots].transpose(1, 2, 3, 0)) if len(slots) else np.full((1, 5, 2, n), -1, np.int16)
    swapped = bool(position.modifiers[SWAP_HITS])
    limit, banned = boards.limit[:n].copy(), boards.banned[:n].copy()
    one_each, whole = boards.one_each[:n].copy(), boards.whole[:n].copy()
    total = (boards.total[:n] + hand.sum()).astype(np.int16)
    dice = int(size.sum())
    colours = np.flatnonzero(size)
    weakest_first = not swapped and bool((to[:, colours] == to[:, colours[:1]]).all())  # see counts.Rules
    if weakest_first and len(colours):
        to[:] = to[:, colours[:1]]
    rolls = max(1, int(boards.passes[:n].max()) - int(position.passes) + 1)
    held = np.zeros(5, np.int64)
    while work_of(size, n, rolls, weakest_first) > max_work:
        spare = np.where(position.ready + more_dice > held, size, 0)
        if not spare.any() or held.sum() == max_held:
            return None
        colour = 4 - int(np.argmax(spare[::-1]))
        size[colour] -= 1
        held[colour] += 1
    return Rules(
        size=size,
        held=held,
        spent=position.exhausted.astype(np.int64),
        gone=position.applied.sum(axis=(0, 2)).astype(np.int64),
        chances=_SWAPPED if swapped else _CHANCES,
        to=to,
        fresh=boards.fresh[:n].copy(),
        passes=boards.passes[:n].copy(),
        limit=limit,
        total=total,
        banned=banned,
        one_each=one_each,
        whole=whole,
        free=bool((limit >= dice).all() and (total >= dice).all() and not banned.any() and not one_each.any() and not whole.any()),
        fixed_misses=bool(position.modifiers[FIX_MISSES]),
        weakest_first=weakest_first,
        value=resolved.value,
        final=resolved.final,
        prize=resolved.prize,
        regain=boards.regain[:n].copy(),
        bonus=resolved.bonus,
        ready_value=resolved.ready_value,
        number_value=resolved.number_value,
        by_value=np.argsort(-resolved.ready_value, kind="stable").astype(np.int64),
        logistic=resolved.logistic,
    )


def work_of(size: NDArray[np.int64], boards: int, rolls: int, weakest_first: bool) -> float:
    """The number of values over all faces of the dice, counting each die that may be applied."""
    full = max(0, rolls - (2 if weakest_first else 0))
    return float(prod(comb(int(n) + 4, 4) for n in size) * boards * (full + 0.1) * (1 if weakest_first else 4))
