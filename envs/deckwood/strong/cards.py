"""The cards in play: what their standing modifiers add up to, and the enemies of the active area."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.strong import terms
from deckwood.strong import vocabulary as ops
from deckwood.strong.pool import exhaust_applied
from deckwood.strong.steps import BESIDE_GONE, EFFECTS, push

FROM_FACE = 1000
"""An effect's source is the slot of its enemy, NONE for the player's own cards, or FROM_FACE + face for a fable."""


@rule
def combine(op, old, new):
    how = ops.COMBINE[op]
    if how == ops.MIN:
        return min(old, new)
    if how == ops.SUM:
        return old + new
    if how == ops.MAX:
        return max(old, new)
    return old | new


@rule
def add_modifiers(s, deck, face, slot, with_during):
    """Adds the standing modifiers of one card in play."""
    if not has_effects(deck, face, terms.DURING) and not has_effects(deck, face, terms.ALWAYS):
        return
    first = int(deck.cards[face].first)
    for row in range(first, first + int(deck.cards[face].count)):
        when = int(deck.effects[row, terms.WHEN])
        if when > terms.ALWAYS:
            break  # rows are sorted by when
        if when == terms.DURING and not with_during:
            continue
        op = int(deck.effects[row, terms.OP])
        what = int(deck.effects[row, terms.WHAT])
        count = int(deck.effects[row, terms.COUNT])
        value = max(what, 1) if ops.COMBINE[min(op, ops.FIRST_INSTRUCTION - 1)] == ops.OR else count
        if op == ops.HIT_BONUS:
            for colour in range(5):
                if (what >> colour) & 1:
                    s.modifiers[ops.HIT_BONUS + colour] += count
        elif op < ops.FIRST_SLOT_OP:
            s.modifiers[op] = combine(op, int(s.modifiers[op]), value)
        elif op < ops.FIRST_INSTRUCTION and slot >= 0:
            here = op - ops.FIRST_SLOT_OP
            s.slot_modifiers[slot, here] = combine(op, int(s.slot_modifiers[slot, here]), value)


@rule
def refresh(s, deck):
    """Recomputes the summary of standing modifiers. Called whenever a card enters, leaves, falls or turns."""
    s.unsettled = 1
    for op in range(ops.FIRST_SLOT_OP):
        s.modifiers[op] = ops.NO_LIMIT if ops.COMBINE[op] == ops.MIN else 0
    for slot in range(terms.SLOTS):
        face = int(s.slot[slot])
        if face == terms.NONE:
            continue
        for here in range(ops.FIRST_INSTRUCTION - ops.FIRST_SLOT_OP):
            s.slot_modifiers[slot, here] = ops.NO_LIMIT if ops.COMBINE[ops.FIRST_SLOT_OP + here] == ops.MIN else 0
        if not s.marks[slot] & terms.CANCELLED:
            add_modifiers(s, deck, face, slot, not s.marks[slot] & terms.DEFEATED)
    if s.hero != terms.NONE:
        add_modifiers(s, deck, int(s.hero), terms.NONE, True)
    for i in range(terms.MAX_ITEMS):
        if s.items[i] != terms.NONE and deck.cards[s.items[i]].uses == terms.ONGOING:
            add_modifiers(s, deck, int(s.items[i]), terms.NONE, True)
    for i in range(terms.MAX_KEPT):
        if s.beside[i] != terms.NONE:
            add_modifiers(s, deck, int(s.beside[i]), terms.NONE, True)


@rule
def has_effects(deck, face, when):
    return (int(deck.cards[face].moments) >> when) & 1 != 0


@rule
def run_of(deck, face, when):
    """The rows of a card's effects of one moment: the first one, and the one after the last. It must have some."""
    row = int(deck.cards[face].first)
    while deck.effects[row, terms.WHEN] < when:
        row += 1
    end = row + 1
    last = int(deck.cards[face].first) + int(deck.cards[face].count)
    while end < last and deck.effects[end, terms.WHEN] == when:
        end += 1
    return row, end


@rule
def trigger(s, deck, face, when, source):
    """Puts a card's effects of one moment on the agenda, if it has any."""
    if has_effects(deck, face, when):
        row, end = run_of(deck, face, when)
        push(s, EFFECTS, row, end, source)


@rule
def announce(s, deck, when):
    """Something happened that the hero, ongoing items or cards beside the hero may answer. The hero answers first."""
    for i in range(terms.MAX_KEPT - 1, -1, -1):
        if s.beside[i] != terms.NONE:
            trigger(s, deck, int(s.beside[i]), when, terms.NONE)
    for i in range(terms.MAX_ITEMS - 1, -1, -1):
        if s.items[i] != terms.NONE and deck.cards[s.items[i]].uses == terms.ONGOING:
            trigger(s, deck, int(s.items[i]), when, terms.NONE)
    trigger(s, deck, int(s.hero), when, terms.NONE)


@rule
def is_answered(s, deck, when):
    """True if the hero, an ongoing item or a card beside the hero answers this."""
    for i in range(terms.MAX_KEPT):
        if s.beside[i] != terms.NONE and has_effects(deck, int(s.beside[i]), when):
            return True
    for i in range(terms.MAX_ITEMS):
        if s.items[i] != terms.NONE and deck.cards[s.items[i]].uses == terms.ONGOING and has_effects(deck, int(s.items[i]), when):
            return True
    return has_effects(deck, int(s.hero), when)


@rule
def is_enemy(s, deck, slot):
    face = int(s.slot[slot])
    if face == terms.NONE:
        return False
    kind = int(deck.cards[face].kind)
    return kind == terms.ENEMY or kind == terms.BOSS


@rule
def is_standing(s, deck, slot):
    """True for an undefeated enemy."""
    return is_enemy(s, deck, slot) and not s.marks[slot] & terms.DEFEATED


@rule
def is_boss(s, deck, slot):
    return deck.cards[s.slot[slot]].kind == terms.BOSS


@rule
def standing_enemies(s, deck):
    n = 0
    for slot in range(terms.SLOTS):
        if is_standing(s, deck, slot):
            n += 1
    return n


@rule
def empty_slot(s):
    """The first free place of the active area, or NONE."""
    for slot in range(terms.SLOTS):
        if s.slot[slot] == terms.NONE:
            return slot
    return terms.NONE


@rule
def place_card(s, deck, slot, face):
    s.slot[slot] = face
    clear_marks(s, slot)
    refresh(s, deck)


@rule
def clear_marks(s, slot):
    s.marks[slot] = 0
    s.set_health[slot] = 0
    s.extra_health[slot] = 0
    s.extra_damage[slot] = 0
    s.wounds[slot] = 0
    s.before[slot] = 0
    s.before_uncapped[slot] = 0
    s.applied_now[slot] = 0
    for here in range(ops.FIRST_INSTRUCTION - ops.FIRST_SLOT_OP):
        s.slot_modifiers[slot, here] = 0


@rule
def remove_card(s, deck, slot):
    """Empties a place; dice on the card are exhausted."""
    exhaust_applied(s, slot)
    s.slot[slot] = terms.NONE
    clear_marks(s, slot)
    refresh(s, deck)


@rule
def here(s, slot, op):
    """A standing modifier of one enemy."""
    return int(s.slot_modifiers[slot, op - ops.FIRST_SLOT_OP])


@rule
def health_of(s, deck, slot):
    if s.marks[slot] & terms.HEALTH_SET:
        health = int(s.set_health[slot])
    else:
        health = int(deck.cards[s.slot[slot]].health) + int(s.extra_health[slot])
    return max(1, health + int(s.modifiers[ops.ENEMY_HEALTH]))


@rule
def damage_of(s, deck, slot):
    return max(0, int(deck.cards[s.slot[slot]].damage) + int(s.extra_damage[slot]) + int(s.modifiers[ops.ENEMY_DAMAGE]))


@rule
def die_damage(s, slot, colour, face):
    """Damage of one die applied to an enemy."""
    if ((int(s.modifiers[ops.HITS_VOID]) | here(s, slot, ops.HITS_VOID_HERE)) >> colour) & 1:
        return 0
    damage = int(face) + int(s.modifiers[ops.HIT_BONUS + colour]) + here(s, slot, ops.HIT_BONUS_HERE)
    if face == terms.CRIT:
        if s.modifiers[ops.CRITS_VOID] or here(s, slot, ops.CRITS_VOID_HERE):
            return 0
        damage += int(s.modifiers[ops.CRIT_BONUS])
    return max(0, damage)


@rule
def is_protected(s, deck, slot):
    return here(s, slot, ops.PROTECTED) != 0 and standing_enemies(s, deck) > 1


@rule
def uncapped_damage(s, slot):
    """Damage of the dice on an enemy as they count now, and of its wounds."""
    damage = int(s.wounds[slot])
    for colour in range(5):
        hits = int(s.applied[slot, colour, terms.HIT])
        crits = int(s.applied[slot, colour, terms.CRIT])
        if hits + crits == 0:
            continue
        if here(s, slot, ops.PAIRS_ONLY) and (hits + crits) % 2 == 1:  # the weakest one waits for its pair
            if hits > 0:
                hits -= 1
            else:
                crits -= 1
        damage += hits * die_damage(s, slot, colour, terms.HIT) + crits * die_damage(s, slot, colour, terms.CRIT)
    return damage


@rule
def damage_to(s, deck, slot):
    """Damage that an enemy has taken."""
    if is_protected(s, deck, slot):
        return 0
    damage = uncapped_damage(s, slot)
    cap = here(s, slot, ops.DAMAGE_CAP)
    if cap == ops.NO_LIMIT:
        return damage
    return int(s.before[slot]) + min(cap, damage - int(s.before_uncapped[slot]))


@rule
def open_engagement(s, deck):
    """Takes down what enemies have suffered so far; a limit of damage a round counts from here."""
    for slot in range(terms.SLOTS):
        if is_enemy(s, deck, slot):
            before = damage_to(s, deck, slot)
            s.before[slot] = before
            s.before_uncapped[slot] = uncapped_damage(s, slot)


@rule
def dice_on(s, slot):
    n = 0
    for colour in range(5):
        n += int(s.applied[slot, colour, terms.HIT]) + int(s.applied[slot, colour, terms.CRIT])
    return n


@rule
def colours_on(s, slot):
    n = 0
    for colour in range(5):
        if s.applied[slot, colour, terms.HIT] + s.applied[slot, colour, terms.CRIT] > 0:
            n += 1
    return n


@rule
def is_beaten(s, deck, slot):
    """True when an undefeated enemy's Health is met and nothing keeps it from falling."""
    if not is_standing(s, deck, slot):
        return False
    return damage_to(s, deck, slot) >= health_of(s, deck, slot) and colours_on(s, slot) >= here(s, slot, ops.COLOURS_NEEDED)


@rule
def can_apply(s, deck, slot, colour, face):
    """True if a die showing a hit may be placed on this card. Of a defeated enemy's limits the Special ones stand."""
    if not is_enemy(s, deck, slot):
        return False
    if dice_on(s, slot) >= here(s, slot, ops.APPLY_LIMIT) or s.applied_now[slot] >= here(s, slot, ops.APPLY_PER_ROLL):
        return False
    if (here(s, slot, ops.APPLY_BAN) >> colour) & 1:
        return False
    same = int(s.applied[slot, colour, terms.HIT]) + int(s.applied[slot, colour, terms.CRIT])
    if here(s, slot, ops.APPLY_ONE_EACH) and same > 0:
        return False
    if here(s, slot, ops.APPLY_ONE_COLOUR) and dice_on(s, slot) > same:
        return False
    if face == terms.CRIT:
        return here(s, slot, ops.NO_CRITS) == 0
    return here(s, slot, ops.CRITS_ONLY) == 0


@rule
def pass_rounds_beside(s, deck):
    """A round ends for the cards next to the hero; those whose time is over leave."""
    i = 0
    while i < terms.MAX_KEPT and s.beside[i] != terms.NONE:
        if s.beside_left[i] > 0:
            s.beside_left[i] -= 1
            if s.beside_left[i] == 0:
                push(s, BESIDE_GONE, int(s.beside[i]))
                for j in range(i, terms.MAX_KEPT - 1):
                    s.beside[j] = s.beside[j + 1]
                    s.beside_left[j] = s.beside_left[j + 1]
                s.beside[terms.MAX_KEPT - 1] = terms.NONE
                s.beside_left[terms.MAX_KEPT - 1] = 0
                refresh(s, deck)
                continue
        i += 1


@rule
def is_power_up(s, deck, slot):
    return s.slot[slot] != terms.NONE and deck.cards[s.slot[slot]].kind == terms.POWER_UP
