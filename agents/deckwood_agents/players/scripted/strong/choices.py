"""Choices that every 20 Strong deck asks for, made alike by its scripted players."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.strong import actions as act
from deckwood.strong.after import damage_due
from deckwood.strong.cards import damage_of, is_standing
from deckwood.strong.pool import recovery_of, total, unapplied, unapplied_hits
from deckwood.strong.steps import (
    AIMING,
    APPLY,
    BANISHING_APPLIED,
    COMMIT,
    EXHAUSTING_HITS,
    KEEP,
    REROLLING,
    REROLLING_HITS,
    RETURNING,
    SWAPPING,
    TARGET,
    TURNING_HIT,
    TURNING_MISS,
    A,
    B,
    top,
)
from deckwood.strong.terms import CRIT, HEALTH, HIT, MISS, NONE, SIDES, SLOTS
from deckwood.strong.vocabulary import (
    CANCEL,
    DEFEAT,
    DOUBLE_REWARD,
    EXTRA_PASS,
    GAIN_STAT,
    RECOVER,
    RECOVER_BY_ROLL,
    RECOVER_COLOUR,
    REROLL,
    REROLL_MISSES,
    RETURN_DIE,
    SET_HEALTH,
    SHIELD,
    SWAP_DICE,
    TURN_HIT,
    TURN_MISS,
    WOUND,
)
from deckwood_agents.players.scripted.masks import first_allowed, last_allowed
from deckwood_agents.players.scripted.strong.dice_sets import pack, strongest, weakest_colour
from deckwood_agents.players.scripted.strong.fight import (
    damage_left,
    dice_to_commit,
    die_to_apply,
    enemy_to_hit,
    most_dangerous,
    need_of,
    rolls_left,
    value_repeating,
)
from deckwood_agents.players.scripted.strong.value import rows_value, stat_change


@rule
def pick_shown(mask, face, strongest_first):
    """The weakest or strongest die that shows a face, as an action, or NONE."""
    for i in range(5):
        action = act.PICK_DIE + 3 * (4 - i if strongest_first else i) + face
        if mask[action]:
            return action
    return NONE


@rule
def reroll_choice(mask):
    """The strongest miss; hits stay."""
    pick = pick_shown(mask, MISS, True)
    return pick if pick != NONE else act.DONE


@rule
def is_fighting(step):
    return step == COMMIT or step == APPLY


@rule
def damage_of_dice(s, colour, dice):
    """Damage of dice of a colour on average, each rolled until it hits or no roll is left."""
    miss, hit, crit = SIDES[colour]
    return dice * (1.0 - (miss / 6.0) ** (rolls_left(s) + 1)) * (hit + 2 * crit) / (hit + crit)


@rule
def expected_damage(s):
    """Damage of the dice in hand on average."""
    damage = 0.0
    for colour in range(5):
        dice = int(s.unrolled[colour]) + int(s.rolled[colour, MISS]) + int(s.rolled[colour, HIT]) + int(s.rolled[colour, CRIT])
        damage += damage_of_dice(s, colour, dice)
    return damage


@rule
def health_standing(s, deck):
    """Damage that all undefeated enemies still have to take, as far as this round allows."""
    health = 0
    for slot in range(SLOTS):
        if is_standing(s, deck, slot):
            health += min(need_of(s, deck, slot), damage_left(s, deck, slot))
    return health


@rule
def weakest_enemy(s, deck, mask):
    """The undefeated enemy that needs least damage, as an action."""
    chosen, least = NONE, 1000
    for slot in range(SLOTS):
        if mask[act.TARGET_CARD + slot] and is_standing(s, deck, slot) and need_of(s, deck, slot) < least:
            chosen, least = act.TARGET_CARD + slot, need_of(s, deck, slot)
    return chosen


@rule
def lowest_stat(s, mask):
    """The lowest stat that may be chosen, as an action."""
    chosen = NONE
    for stat in range(3):
        if mask[act.PICK_STAT + stat] and (chosen == NONE or s.stats[stat] < s.stats[chosen - act.PICK_STAT]):
            chosen = act.PICK_STAT + stat
    return chosen


@rule
def recover_strongest(mask, area, first, most):
    """The weakest of the strongest dice that may be taken from an area: dice are taken weakest first."""
    colour = weakest_colour(strongest(pack(area), most))
    if colour != NONE and mask[first + colour]:
        return first + colour
    return NONE


@rule
def enemy_to_aim(s, deck):
    """The undefeated enemy that needs most damage, or NONE."""
    chosen, most = NONE, 0
    for slot in range(SLOTS):
        if is_standing(s, deck, slot) and need_of(s, deck, slot) + damage_of(s, deck, slot) > most:
            chosen, most = slot, need_of(s, deck, slot) + damage_of(s, deck, slot)
    return chosen


@rule
def helps_now(s, deck, prizes, step, op, what, count):
    """True if this is the time for an effect that a player may use when it suits."""
    if op == GAIN_STAT:
        return s.stats[what] + count <= 6
    if op == RECOVER or op == RECOVER_BY_ROLL:
        return total(s.exhausted) >= count and (total(s.ready) <= 5 or total(s.exhausted) >= count + recovery_of(s))
    if op == RECOVER_COLOUR:
        return s.exhausted[what] >= count
    if not is_fighting(step):
        return False
    enemy = enemy_to_aim(s, deck)
    need = need_of(s, deck, enemy) if enemy != NONE else 0
    if op == CANCEL:
        return step == COMMIT and s.passes == 1
    if op == EXTRA_PASS:
        return step == COMMIT and need >= 3
    if op == DEFEAT:
        return need >= 3 or damage_due(s, deck) >= s.stats[HEALTH]
    if op == WOUND:
        return need > 0
    if op == SET_HEALTH:
        return need >= count + 2
    if step != APPLY or need == 0:
        return False
    finished = enemy_to_hit(s, deck, prizes) == NONE
    if op == SHIELD:
        return finished and (rolls_left(s) == 0 or not value_repeating(s, deck, prizes)) and damage_due(s, deck) >= 2
    if op == DOUBLE_REWARD:
        return need <= 2 and unapplied_hits(s) > 0
    if op == TURN_HIT:
        return unapplied(s, HIT) > 0 and need > unapplied_hits(s)
    if op == TURN_MISS:
        return finished
    if op == REROLL or op == REROLL_MISSES:
        return finished and unapplied(s, MISS) > 0
    if op == RETURN_DIE:
        return finished and rolls_left(s) == 0
    if op == SWAP_DICE:
        return False
    return finished


@rule
def stat_choice(s, mask, amount):
    """The stat whose change by ``amount`` is worth most (costs least)."""
    best, best_value = NONE, 0.0
    for stat in range(3):
        if mask[act.PICK_STAT + stat]:
            value = stat_change(s, stat, amount)
            if best == NONE or value > best_value:
                best, best_value = act.PICK_STAT + stat, value
    return best


@rule
def offer_choice(s, deck, mask):
    """Accepts an offer that is worth more than it costs."""
    below = s.depth - 2
    value = rows_value(s, deck, int(s.agenda[below, A]), int(s.agenda[below, B]))
    return act.ACCEPT if mask[act.ACCEPT] and value > 0.0 else act.DECLINE


@rule
def option_choice(s, deck):
    """The option that is worth more."""
    below = s.depth - 2
    first, end = int(s.agenda[below, A]), int(s.agenda[below, B])
    middle = min(end, first + top(s, A))
    return act.FIRST if rows_value(s, deck, first, middle) >= rows_value(s, deck, middle, end) else act.SECOND


@rule
def banish_choice(mask):
    """The weakest die, an exhausted one first."""
    for colour in range(5):
        if mask[act.BANISH_EXHAUSTED + colour]:
            return act.BANISH_EXHAUSTED + colour
        if mask[act.BANISH_READY + colour]:
            return act.BANISH_READY + colour
    return NONE


@rule
def fight_choice(s, deck, prizes, mask, step):
    """The Strategy phase, and choices of dice that it brings; NONE at other steps."""
    if step == COMMIT:
        colour = dice_to_commit(s, deck, prizes)
        return act.ROLL_DICE if colour == NONE else act.COMMIT_DIE + colour
    if step == APPLY:
        enemy = enemy_to_hit(s, deck, prizes)
        if enemy != NONE:
            pick = die_to_apply(s, deck, enemy, mask, act.PICK_DIE)
            if pick != NONE:
                return pick
        return act.AGAIN if mask[act.AGAIN] and value_repeating(s, deck, prizes) else act.RESOLVE
    if step == TARGET:
        enemy = enemy_to_hit(s, deck, prizes)
        return act.TARGET_CARD + enemy if enemy != NONE and mask[act.TARGET_CARD + enemy] else weakest_enemy(s, deck, mask)
    if step == KEEP:
        return first_allowed(mask, act.PICK_DIE, act.PICK_DIE + 15)
    if step == TURNING_MISS or step == RETURNING:
        return pick_shown(mask, MISS, step == RETURNING)
    if step == TURNING_HIT:
        return pick_shown(mask, HIT, False)
    if step == REROLLING:
        return reroll_choice(mask)
    if step == REROLLING_HITS:
        return last_allowed(mask, act.PICK_DIE, act.PICK_DIE + 15)
    if step == EXHAUSTING_HITS or step == BANISHING_APPLIED:
        return first_allowed(mask, act.PICK_DIE, act.PICK_DIE + 15)
    if step == SWAPPING:
        return act.DONE
    if step == AIMING:
        return most_dangerous(s, deck, mask, act.TARGET_CARD, True)
    return NONE
