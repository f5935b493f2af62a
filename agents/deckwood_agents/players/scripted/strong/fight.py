"""Weighing a fight of the 20 Strong system: the odds of a set of dice, whom to fight, which dice to commit."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.strong.apply import may_target
from deckwood.strong.cards import (
    can_apply,
    colours_on,
    damage_of,
    damage_to,
    dice_on,
    die_damage,
    health_of,
    here,
    is_boss,
    is_protected,
    is_standing,
)
from deckwood.strong.pool import recovery_of, strategy_of, total
from deckwood.strong.terms import CRIT, HEALTH, HIT, MISS, NONE, SIDES, SLOTS
from deckwood.strong.vocabulary import (
    APPLY_LIMIT,
    APPLY_ONE_COLOUR,
    APPLY_ONE_EACH,
    APPLY_PER_ROLL,
    COLOURS_NEEDED,
    COMMIT_BAN,
    COMMIT_LIMIT,
    COMMIT_ONE_EACH,
    COMMIT_TOTAL,
    COMMIT_WHOLE_COLOUR,
    DAMAGE_CAP,
    FIX_MISSES,
    NO_LIMIT,
    SHIELD_ALWAYS,
    SWAP_HITS,
)
from deckwood_agents.players.scripted.strong.dice_sets import many, one, pack, pack_shown, size, strongest_colour
from deckwood_agents.players.scripted.strong.value import HEALTH_VALUE, lost_dice

MAX_AIMS = 3  # enemies that a plan reckons with, the best first
BOSS_VALUE = 120.0
PROGRESS_VALUE = 6.0  # of a damage dealt to an enemy that stays: the endgame's

# Orders in which a plan may take ready dice: ascending from one of the five colours, or ...
DESCENDING, MIXED = 5, 6


@rule
def at_least(n, chance, least):
    """The chance of ``least`` or more successes among ``n``."""
    if least <= 0:
        return 1.0
    if least > n:
        return 0.0
    if chance >= 0.9999:
        return 1.0
    odds = chance / (1.0 - chance)
    exactly = (1.0 - chance) ** n
    fewer = exactly
    for k in range(1, least):
        exactly *= odds * (n - k + 1) / k
        fewer += exactly
    return max(0.0, 1.0 - fewer)


@rule
def reach(n, hit, crit, per_hit, per_crit, need, room, fewest):
    """The chance that ``n`` dice, each a hit or a crit with these chances, deal ``need`` damage with ``fewest`` to ``room`` of them."""
    if need <= 0 and fewest <= 0:
        return 1.0
    if n == 0 or hit + crit <= 0.0:
        return 0.0
    crit = min(crit, 0.9999)
    share = min(1.0, hit / (1.0 - crit))
    crits = (1.0 - crit) ** n
    chance = 0.0
    for c in range(n + 1):
        used = min(c, room)
        missing = need - used * per_crit
        least = fewest - c
        if missing > 1e-9:
            least = max(least, int((missing - 1e-9) // per_hit) + 1 if per_hit > 0.0 else n + 1)
        if least <= room - used:
            chance += crits * at_least(n - c, share, least)
        if crit <= 0.0:
            break
        crits *= (n - c) / (c + 1) * crit / (1.0 - crit)
    return chance


@rule
def die_chances(s, deck, slot, colour, rolls):
    """The chances that a die, rolled again until it counts against an enemy, becomes a hit or a crit."""
    hit, crit = SIDES[colour][HIT] / 6.0, SIDES[colour][CRIT] / 6.0
    if s.modifiers[SWAP_HITS]:
        hit, crit = SIDES[colour][MISS] / 6.0, 0.0
    if die_damage(s, slot, colour, HIT) == 0 or not can_apply(s, deck, slot, colour, HIT):
        hit = 0.0
    if die_damage(s, slot, colour, CRIT) == 0 or not can_apply(s, deck, slot, colour, CRIT):
        crit = 0.0
    if hit + crit <= 0.0:
        return 0.0, 0.0
    ever = (1.0 - (1.0 - hit - crit) ** rolls) / (hit + crit)
    return ever * hit, ever * crit


@rule
def harm_of(s, deck, spared):
    """Damage that is due when the enemies of ``spared`` (bits of slots) are left out."""
    damage = 0
    for slot in range(SLOTS):
        if is_standing(s, deck, slot) and not (spared >> slot) & 1:
            damage += damage_of(s, deck, slot)
    return max(0, damage - int(s.shield) - int(s.modifiers[SHIELD_ALWAYS]))


@rule
def health_after(s, damage):
    return HEALTH_VALUE[max(0, min(6, int(s.stats[HEALTH]) - damage))]


@rule
def fall_value(s, deck, prizes, slot, spared):
    """What it is worth that an enemy falls when those of ``spared`` have fallen before.

    ``prizes`` says what each enemy's fall is worth beside the damage that it would deal: as many numbers as there are slots.
    """
    return health_after(s, harm_of(s, deck, spared | (1 << slot))) - health_after(s, harm_of(s, deck, spared)) + prizes[slot]


@rule
def need_of(s, deck, slot):
    """Damage that an enemy still has to take."""
    return max(0, health_of(s, deck, slot) - damage_to(s, deck, slot))


@rule
def damage_left(s, deck, slot):
    """How much of it this round allows."""
    cap = here(s, slot, DAMAGE_CAP)
    return NO_LIMIT if cap == NO_LIMIT else max(0, cap - (damage_to(s, deck, slot) - int(s.before[slot])))


@rule
def room_on(s, slot, rolls):
    """How many more dice an enemy takes in so many rolls."""
    room = min(here(s, slot, APPLY_LIMIT) - dice_on(s, slot), here(s, slot, APPLY_PER_ROLL) * rolls)
    if here(s, slot, APPLY_ONE_EACH):
        room = min(room, 5 - colours_on(s, slot))
    return room


@rule
def next_aim(s, deck, prizes, spared):
    """The enemy to fight next: most worth for the damage it needs. NONE when there is no other."""
    best = NONE
    best_value = 0.0
    for slot in range(SLOTS):
        if not is_standing(s, deck, slot) or (spared >> slot) & 1:
            continue
        value = fall_value(s, deck, prizes, slot, spared) / max(1, need_of(s, deck, slot))
        if is_protected(s, deck, slot):
            value -= 1000.0
        if best == NONE or value > best_value:
            best, best_value = slot, value
    return best


@rule
def aims_of(s, deck, prizes, spared):
    """The first three enemies to fight, in order; NONE where there are fewer. Those of ``spared`` are left alone."""
    first = next_aim(s, deck, prizes, spared)
    if first == NONE:
        return NONE, NONE, NONE
    second = next_aim(s, deck, prizes, spared | (1 << first))
    if second == NONE:
        return first, NONE, NONE
    return first, second, next_aim(s, deck, prizes, spared | (1 << first) | (1 << second))


@rule
def in_hand(s):
    """Dice that the next roll takes, as far as they are committed."""
    dice = pack(s.unrolled) + pack_shown(s.rolled, HIT) + pack_shown(s.rolled, CRIT)
    return dice if s.modifiers[FIX_MISSES] else dice + pack_shown(s.rolled, MISS)


@rule
def spent(s, deck):
    """Dice that are exhausted or will be, beside those in hand."""
    dice = pack(s.exhausted)
    if s.modifiers[FIX_MISSES]:
        dice += pack_shown(s.rolled, MISS)
    for slot in range(SLOTS):
        if not (s.endgame and is_standing(s, deck, slot)):
            for colour in range(5):
                dice += (int(s.applied[slot, colour, HIT]) + int(s.applied[slot, colour, CRIT])) * one(colour)
    return dice


@rule
def next_die(left, taken, order):
    """The colour of the die that a plan takes next, or NONE."""
    if order == DESCENDING:
        return strongest_colour(left)
    best = NONE
    for colour in range(5):
        if many(left, colour) == 0:
            continue
        if order == MIXED:
            if best == NONE or many(taken, colour) <= many(taken, best):
                best = colour
        elif colour >= order:
            return colour
    return best


@rule
def may_take(s, lowest):
    """Ready dice that may be committed, of a colour no weaker than ``lowest``."""
    dice = 0
    for colour in range(lowest, 5):
        if not (int(s.modifiers[COMMIT_BAN]) >> colour) & 1:
            n = int(s.ready[colour])
            if s.modifiers[COMMIT_ONE_EACH]:
                n = min(n, 1)
            dice += n * one(colour)
    return dice


@rule
def hand_value(s, deck, prizes, aims, spared, hand, used, rolls, n, hit, crit, hit_damage, crit_damage):
    """What a plan is worth: the odds against each enemy in turn, less the dice it uses up.

    ``hit`` and ``crit`` are sums of chances over the ``n`` dice in hand, the damages their sums weighed by chance.
    """
    value = -lost_dice(used + hand, recovery_of(s))
    if n == 0 or hit + crit <= 0.0:
        return value
    per_hit = hit_damage / hit if hit > 0.0 else 0.0
    per_crit = crit_damage / crit if crit > 0.0 else 0.0
    need, room, fewest = 0, 0, 0
    for i in range(MAX_AIMS):
        slot = aims[i]
        if slot == NONE:
            break
        left = need_of(s, deck, slot)
        cap = damage_left(s, deck, slot)
        gain = fall_value(s, deck, prizes, slot, spared)
        room += room_on(s, slot, rolls)
        fewest += max(0, here(s, slot, COLOURS_NEEDED) - colours_on(s, slot))
        if cap < left:  # it cannot fall in this round
            left = cap
            gain = 0.0
        need += left
        chance = reach(n, hit / n, crit / n, per_hit, per_crit, need, room, fewest)
        value += chance * gain
        spared |= 1 << slot
    if s.endgame:
        value += PROGRESS_VALUE * min(need, hit_damage + crit_damage)
    return value


@rule
def best_dice(s, deck, prizes, spared, lowest, most, rolls):
    """The best dice to commit next: what the plan is worth, and the colour to begin with; NONE for no more dice.

    ``lowest`` and ``most`` bound them. ``spared`` are enemies to reckon as gone.
    """
    aims = aims_of(s, deck, prizes, spared)
    target = aims[0]
    hand = in_hand(s)
    used = spent(s, deck)
    if target == NONE:
        return -lost_dice(used + hand, 0), NONE
    n0, hit0, crit0, hit_damage0, crit_damage0 = 0, 0.0, 0.0, 0.0, 0.0
    for colour in range(5):
        k = many(hand, colour)
        if k > 0:
            hit, crit = die_chances(s, deck, target, colour, rolls)
            n0 += k
            hit0 += k * hit
            crit0 += k * crit
            hit_damage0 += k * hit * die_damage(s, target, colour, HIT)
            crit_damage0 += k * crit * die_damage(s, target, colour, CRIT)
    best = NONE
    best_value = hand_value(s, deck, prizes, aims, spared, hand, used, rolls, n0, hit0, crit0, hit_damage0, crit_damage0)
    mixed = here(s, target, APPLY_ONE_EACH) != 0 or here(s, target, COLOURS_NEEDED) > 1
    one_colour = here(s, target, APPLY_ONE_COLOUR) != 0
    allowed = may_take(s, lowest)
    for order in range(MIXED + 1):
        if (order == MIXED) != mixed or (one_colour and order == DESCENDING) or (order < DESCENDING and many(allowed, order) == 0):
            continue
        n, hit_sum, crit_sum, hit_damage, crit_damage = n0, hit0, crit0, hit_damage0, crit_damage0
        left, taken, first = allowed, 0, NONE
        for _ in range(most):
            colour = next_die(left, taken, order)
            if colour == NONE or (one_colour and colour != order):
                break
            left -= one(colour)
            taken += one(colour)
            first = colour if first == NONE else min(first, colour)
            hit, crit = die_chances(s, deck, target, colour, rolls)
            n += 1
            hit_sum += hit
            crit_sum += crit
            hit_damage += hit * die_damage(s, target, colour, HIT)
            crit_damage += crit * die_damage(s, target, colour, CRIT)
            if s.modifiers[COMMIT_WHOLE_COLOUR] and many(left, colour) > 0:
                continue
            value = hand_value(s, deck, prizes, aims, spared, hand + taken, used, rolls, n, hit_sum, crit_sum, hit_damage, crit_damage)
            if value > best_value + 1e-6:
                best, best_value = first, value
    return best_value, best


@rule
def fight_value(s, deck, prizes, spared):
    """What an engagement about to begin is worth, its damage included, when the enemies of ``spared`` are gone."""
    most = min(int(s.modifiers[COMMIT_LIMIT]), int(s.modifiers[COMMIT_TOTAL]))
    value, _ = best_dice(s, deck, prizes, spared, 0, most, strategy_of(s))
    return value + health_after(s, harm_of(s, deck, spared))


@rule
def rolls_left(s):
    return strategy_of(s) + int(s.extra_passes) - int(s.passes)


@rule
def dice_to_commit(s, deck, prizes):
    """The colour of the die to commit in this step, or NONE to roll."""
    most = min(int(s.modifiers[COMMIT_LIMIT]) - total(s.committed_now), int(s.modifiers[COMMIT_TOTAL]) - int(s.committed))
    _, colour = best_dice(s, deck, prizes, 0, int(s.last_die), most, rolls_left(s) + 1)
    return colour


@rule
def value_repeating(s, deck, prizes):
    """True if another roll is worth it: dice in hand cost nothing more, fresh ones must gain something."""
    if size(in_hand(s)) > 0:
        return True
    _, colour = best_dice(s, deck, prizes, 0, 0, int(s.modifiers[COMMIT_LIMIT]), rolls_left(s))
    return colour != NONE


@rule
def damage_in_hand(s, deck, slot):
    """Damage that the hits in hand could deal to an enemy."""
    damage = 0
    for colour in range(5):
        for face in range(HIT, CRIT + 1):
            if s.rolled[colour, face] > 0 and can_apply(s, deck, slot, colour, face):
                damage += int(s.rolled[colour, face]) * die_damage(s, slot, colour, face)
    return damage


@rule
def enemy_to_hit(s, deck, prizes):
    """The enemy that the dice in hand should go to: the first that they can finish, else the first one worth fighting."""
    aims = aims_of(s, deck, prizes, 0)
    chosen = NONE
    for i in range(MAX_AIMS):
        slot = aims[i]
        if slot == NONE:
            break
        if damage_left(s, deck, slot) == 0:
            continue
        damage = damage_in_hand(s, deck, slot)
        if damage >= need_of(s, deck, slot) and not is_protected(s, deck, slot):
            return slot
        if damage > 0 and chosen == NONE:
            chosen = slot
    return chosen


@rule
def die_to_apply(s, deck, slot, mask, first_pick):
    """The action of applying the die that wastes least on an enemy: one that just finishes it, else the weakest. NONE if there is none."""
    need = min(need_of(s, deck, slot), damage_left(s, deck, slot))
    chosen = NONE
    for colour in range(5):
        for face in range(HIT, CRIT + 1):
            action = first_pick + 3 * colour + face
            if not mask[action] or not may_target(s, deck, slot, colour, face):
                continue
            damage = die_damage(s, slot, colour, face)
            if damage == need:
                return action
            if damage > 0 and chosen == NONE:
                chosen = action
    return chosen


@rule
def most_dangerous(s, deck, mask, first_target, bosses_too):
    """The action that chooses the enemy with most Damage and Health left among those allowed."""
    chosen = NONE
    worst = -1
    for slot in range(SLOTS):
        if mask[first_target + slot]:
            danger = need_of(s, deck, slot) + 2 * damage_of(s, deck, slot) if is_standing(s, deck, slot) else 0
            if is_boss(s, deck, slot) and not bosses_too:
                danger = 0
            if danger > worst:
                chosen, worst = first_target + slot, danger
    return chosen
