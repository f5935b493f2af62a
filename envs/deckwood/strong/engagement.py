"""The Engagement: Strategy phase, Resolve phase, and every choice that an effect can ask for.

Four functions carry a step of the agenda: ``perform`` does what needs no choice, ``legal_here`` and ``play`` are its decision,
``weigh`` and ``happen`` its chance event.
"""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.strong import actions as act
from deckwood.strong.cards import (
    announce,
    can_apply,
    damage_of,
    dice_on,
    has_effects,
    is_beaten,
    is_boss,
    is_power_up,
    is_standing,
    open_engagement,
    refresh,
    run_of,
    standing_enemies,
    trigger,
)
from deckwood.strong.effects import (
    any_swap,
    begin_applying,
    can_use,
    check_falls,
    costs_affordable,
    fall,
    instruct,
    may_swap,
    reset_order,
    stop_effects,
)
from deckwood.strong.pool import (
    add_item,
    exhaust_applied,
    exhaust_unapplied,
    gain_stat,
    has_room,
    item_count,
    lose_stat,
    recovery_of,
    remove_item,
    strategy_of,
    total,
    unapplied,
    unapplied_hits,
    waiting_to_roll,
)
from deckwood.strong.steps import (
    AFTER_EFFECTS,
    AIMING,
    APPLY,
    BANISHING,
    BANISHING_APPLIED,
    CHOOSING,
    COMMIT,
    DECIDING,
    DRAWING,
    EFFECTS,
    EXHAUST_DICE,
    EXHAUSTING,
    EXHAUSTING_HITS,
    GATHER,
    HALT,
    HERO_ANSWERS_ROLL,
    ITEM_GONE,
    KEEP,
    LOSING_ITEM,
    LOWERING,
    OFFERED,
    OVER,
    RAISING,
    RECOVER_DICE,
    RECOVERING,
    RECOVERY_ROLL,
    REROLLING,
    REROLLING_HITS,
    RESTORING,
    RETURNING,
    ROLL,
    ROLLED_EFFECTS,
    STRATEGY_PHASE,
    SUFFER_DAMAGE,
    SWAPPING,
    TAKE_ITEM,
    TAKE_REWARD,
    TARGET,
    TESTING,
    TURNING_HIT,
    TURNING_MISS,
    UPGRADING,
    A,
    B,
    C,
    pop,
    push,
    set_top,
    top,
)
from deckwood.strong.terms import (
    AFTER,
    AFTER_DONE,
    AFTER_STANDING,
    CANCELLED,
    CRIT,
    CRIT_APPLIED,
    DEFEATED,
    ENGAGED,
    HEALTH,
    HEALTH_SET,
    HELD,
    HERO_ROLLED,
    HIT,
    MAX_ITEMS,
    MAX_KEPT,
    MISS,
    NONE,
    ONGOING,
    OP,
    PER,
    PER_COMMITTED,
    PER_HIT,
    PER_MISS,
    REWARD,
    ROLL_SEEN,
    ROLLED,
    SIDES,
    SINGLE_USE,
    SLOTS,
    STAT_MAX,
    SUFFERED,
    USE,
)
from deckwood.strong.terms import (
    RECOVERING as RECOVERING_MOMENT,
)
from deckwood.strong.vocabulary import (
    APPLY_LIMIT_ALL,
    BANISH_APPLIED,
    BANISH_MISSES,
    CANCEL,
    COMMIT_BAN,
    COMMIT_LIMIT,
    COMMIT_ONE_EACH,
    COMMIT_TOTAL,
    COMMIT_WHOLE_COLOUR,
    DEFEAT,
    FALL_LIMIT,
    FIX_MISSES,
    KEEP_HITS,
    NO_ITEMS,
    SET_HEALTH,
    SHIELD_ALWAYS,
    SWAP_HITS,
    WOUND,
)


@rule
def engage(s, deck):
    """Begins an engagement with what lies in the active area."""
    s.passes = 0
    s.extra_passes = 0
    s.committed = 0
    open_engagement(s, deck)
    for slot in range(SLOTS):
        s.marks[slot] &= ~AFTER_DONE
    push(s, RECOVER_DICE, 0, 0, 0)
    push(s, EXHAUST_DICE, 0, 0, 0)
    push(s, AFTER_EFFECTS, 0, 0, 0)
    push(s, SUFFER_DAMAGE, 0, 0, 0)
    push(s, STRATEGY_PHASE, 0, 0, 0)
    announce(s, deck, ENGAGED)


@rule
def may_repeat(s, deck):
    """True if the Strategy phase may be repeated and there would be something to roll, and a reason to."""
    if s.passes >= strategy_of(s) + int(s.extra_passes) or not dice_matter(s, deck):
        return False
    rerollable = unapplied_hits(s)
    if not s.modifiers[FIX_MISSES]:
        rerollable += unapplied(s, MISS)
    return rerollable > 0 or total(s.ready) > 0


@rule
def dice_matter(s, deck):
    """True while dice may still bring something about: an enemy stands, or a card answers rolls or counts dice in the Resolve phase."""
    if standing_enemies(s, deck) > 0 or has_effects(deck, int(s.hero), HERO_ROLLED):
        return True
    for i in range(MAX_ITEMS):
        if s.items[i] != NONE and deck.cards[s.items[i]].uses == ONGOING and has_effects(deck, int(s.items[i]), HERO_ROLLED):
            return True
    for i in range(MAX_KEPT):
        if s.beside[i] != NONE and has_effects(deck, int(s.beside[i]), HERO_ROLLED):
            return True
    for slot in range(SLOTS):
        if s.slot[slot] != NONE and not s.marks[slot] & CANCELLED and (acts_on_roll(s, deck, slot) or counts_dice(deck, int(s.slot[slot]))):
            return True
    return False


@rule
def counts_dice(deck, face):
    """True if a card has an After effect that depends on what committed dice show or where they lie."""
    if not has_effects(deck, face, AFTER):
        return False
    row, end = run_of(deck, face, AFTER)
    for r in range(row, end):
        per, op = int(deck.effects[r, PER]), int(deck.effects[r, OP])
        if per == PER_MISS or per == PER_HIT or per == PER_COMMITTED or op == BANISH_MISSES or op == BANISH_APPLIED:
            return True
    return False


@rule
def room_to_commit(s):
    """How many more dice may be committed in this step."""
    return min(int(s.modifiers[COMMIT_LIMIT]) - total(s.committed_now), int(s.modifiers[COMMIT_TOTAL]) - int(s.committed))


@rule
def may_commit(s, colour):
    """True if a ready die of this colour may be committed next.

    Within a step weakest colours go first. Where whole colours go and not all have room, the last one is cut: then their order matters.
    """
    room = room_to_commit(s)
    if s.ready[colour] == 0 or room <= 0 or (int(s.modifiers[COMMIT_BAN]) >> colour) & 1:
        return False
    if s.modifiers[COMMIT_ONE_EACH] and s.committed_now[colour] > 0:
        return False
    return colour >= s.last_die or (s.modifiers[COMMIT_WHOLE_COLOUR] != 0 and room < total(s.ready))


@rule
def commit(s, colour):
    whole = s.modifiers[COMMIT_WHOLE_COLOUR] and not s.modifiers[COMMIT_ONE_EACH]
    dice = min(int(s.ready[colour]), room_to_commit(s)) if whole else 1
    s.ready[colour] -= dice
    s.unrolled[colour] += dice
    s.committed_now[colour] += dice
    s.committed += dice
    s.last_die = colour


@rule
def damage_due(s, deck):
    """What the Suffer Damage step costs: the Damage of all undefeated enemies, less shields."""
    damage = 0
    for slot in range(SLOTS):
        if is_standing(s, deck, slot):
            damage += damage_of(s, deck, slot)
    return max(0, damage - int(s.shield) - int(s.modifiers[SHIELD_ALWAYS]))


@rule
def has_after(s, deck, slot):
    """True if this card has an After effect that is still to be resolved."""
    if s.slot[slot] == NONE or s.marks[slot] & (AFTER_DONE | CANCELLED):
        return False
    face = int(s.slot[slot])
    if has_effects(deck, face, AFTER):
        return True
    return has_effects(deck, face, AFTER_STANDING) and not s.marks[slot] & DEFEATED


@rule
def resolve_after(s, deck, slot):
    s.marks[slot] |= AFTER_DONE
    face = int(s.slot[slot])
    if not s.marks[slot] & DEFEATED:
        trigger(s, deck, face, AFTER_STANDING, slot)
    trigger(s, deck, face, AFTER, slot)


@rule
def is_window(step):
    """Steps of the system at which items and the hero's ability may be used."""
    return step == COMMIT or step == APPLY or step == TAKE_ITEM


@rule
def may_use_item(s, deck, index):
    return not s.modifiers[NO_ITEMS] and not s.used[index] and can_use(s, deck, int(s.items[index]))


@rule
def may_use_hero(s, deck):
    return not s.used[MAX_ITEMS] and can_use(s, deck, int(s.hero))


@rule
def anything_to_use(s, deck):
    """True if an item or the hero's ability may be used now."""
    for i in range(item_count(s)):
        if may_use_item(s, deck, i):
            return True
    return may_use_hero(s, deck)


@rule
def legal_uses(s, deck, mask):
    """Marks the items and the hero's ability that may be used now."""
    n = 0
    for i in range(item_count(s)):
        if may_use_item(s, deck, i):
            n += allow(mask, act.USE_ITEM + i)
    if may_use_hero(s, deck):
        n += allow(mask, act.USE_HERO)
    return n


@rule
def use_item(s, deck, index):
    face = int(s.items[index])
    reset_order(s)
    if deck.cards[face].uses == SINGLE_USE:
        remove_item(s, index)
        refresh(s, deck)
        push(s, ITEM_GONE, face, 0, 0)
    else:
        s.used[index] = 1
    trigger(s, deck, face, USE, NONE)


@rule
def use_hero(s, deck):
    s.used[MAX_ITEMS] = 1
    reset_order(s)
    trigger(s, deck, int(s.hero), USE, NONE)


@rule
def discard_item(s, deck, index):
    face = int(s.items[index])
    remove_item(s, index)
    refresh(s, deck)
    push(s, ITEM_GONE, face, 0, 0)


@rule
def may_upgrade(s, deck, index):
    return s.items[index] != NONE and deck.cards[s.items[index]].other_side != NONE


@rule
def upgrade(s, deck, index):
    """Turns a held item to its upgraded side."""
    other = int(deck.cards[s.items[index]].other_side)
    used = int(s.used[index])
    remove_item(s, index)
    s.used[add_item(s, other)] = used
    refresh(s, deck)


@rule
def may_aim(s, deck, slot, op):
    if not is_standing(s, deck, slot):
        return False
    if op == DEFEAT:
        return not is_boss(s, deck, slot)
    if op == CANCEL:
        return not s.marks[slot] & CANCELLED
    return True


@rule
def aim(s, deck, slot, op, amount):
    """An instruction meets the enemy that was chosen for it."""
    if op == DEFEAT:
        fall(s, deck, slot)
        return
    if op == WOUND:
        s.wounds[slot] += amount
        s.marks[slot] &= ~HELD
    elif op == SET_HEALTH:
        s.marks[slot] = (int(s.marks[slot]) | HEALTH_SET) & ~HELD
        s.set_health[slot] = amount
    else:
        s.marks[slot] |= CANCELLED
        refresh(s, deck)
    s.unsettled = 1


@rule
def acts_on_roll(s, deck, slot):
    """True if this card has an effect of the roll, which an undefeated enemy or a power-up carries out unless it is cancelled."""
    if s.marks[slot] & CANCELLED or not (is_standing(s, deck, slot) or is_power_up(s, deck, slot)):
        return False
    return has_effects(deck, int(s.slot[slot]), ROLLED)


@rule
def note_roll(s, deck):
    """Cards that are in play now will answer this roll; those that come later will not."""
    for slot in range(SLOTS):
        if acts_on_roll(s, deck, slot):
            s.marks[slot] |= ROLL_SEEN
        else:
            s.marks[slot] &= ~ROLL_SEEN


@rule
def has_roll_effect(s, deck, slot):
    """True if this card's effect of the roll is still to be resolved."""
    return s.marks[slot] & ROLL_SEEN != 0 and acts_on_roll(s, deck, slot)


@rule
def resolve_roll_effect(s, deck, slot):
    s.marks[slot] &= ~ROLL_SEEN
    trigger(s, deck, int(s.slot[slot]), ROLLED, slot)


@rule
def perform_card_effects(s, deck, of_roll):
    """Cards' effects of the roll, or After effects, are resolved one at a time; where several wait, in the order of the player's choice."""
    waiting = 0
    first = NONE
    for slot in range(SLOTS):
        if has_roll_effect(s, deck, slot) if of_roll else has_after(s, deck, slot):
            waiting += 1
            if first == NONE:
                first = slot
    if waiting > 1:
        s.node = DECIDING
    elif waiting == 0:
        pop(s)
        if of_roll:
            begin_applying(s)
    elif of_roll:
        resolve_roll_effect(s, deck, first)
    else:
        resolve_after(s, deck, first)


COUNTED_STEPS = (
    RECOVERING, EXHAUSTING, BANISHING, BANISHING_APPLIED, RESTORING, RAISING, LOWERING, TURNING_MISS, TURNING_HIT,
    REROLLING, REROLLING_HITS, EXHAUSTING_HITS, RETURNING, LOSING_ITEM, UPGRADING,
)  # fmt: skip
"""Steps that ask for one die, stat or item at a time, as often as their first argument says."""


@rule
def may_recover(s, colour, number, bonus):
    """True if a die of this colour may be recovered, of ``number`` in all, one of which must be of colour ``bonus`` - 1 (0: none must)."""
    return s.exhausted[colour] > 0 and (bonus == 0 or number > 1 or colour == bonus - 1)


@rule
def any_to_recover(s, number, bonus):
    for colour in range(5):
        if may_recover(s, colour, number, bonus):
            return True
    return False


@rule
def any_to_choose(s, deck, step):
    """True if a step of choosing has something to choose from and dice left to choose."""
    if step == RECOVERING:
        return any_to_recover(s, top(s, A), top(s, C))
    if step == EXHAUSTING:
        return total(s.ready) > 0
    if step == BANISHING:
        return banishable_from(s, 0) > 0
    if step == RESTORING:
        return total(s.banished) > 0
    if step == TURNING_MISS:
        return unapplied(s, MISS) > 0
    if step == TURNING_HIT:
        return unapplied(s, HIT) > 0
    if step == REROLLING or step == RETURNING:
        return unapplied(s, MISS) + unapplied_hits(s) > 0
    if step == REROLLING_HITS or step == EXHAUSTING_HITS:
        return unapplied_hits(s) > 0
    if step == BANISHING_APPLIED:
        slot = top(s, B)
        for colour in range(5):
            if s.applied[slot, colour, HIT] + s.applied[slot, colour, CRIT] > 0:
                return True
        return False
    if step == RAISING:
        return s.stats[0] < STAT_MAX or s.stats[1] < STAT_MAX or s.stats[2] < STAT_MAX
    if step == LOSING_ITEM:
        return item_count(s) > 0
    if step == UPGRADING:
        for i in range(top(s, B), item_count(s)):
            if may_upgrade(s, deck, i):
                return True
        return False
    return True


@rule
def begin_recovery(s, deck):
    """The Recover Dice step begins with the answers to it. True when they have been given, and dice are to be recovered."""
    if top(s, A) == 0:
        set_top(s, A, 1)
        announce(s, deck, RECOVERING_MOMENT)
        return False
    pop(s)
    return True


@rule
def perform(s, deck, step):
    """Does a step of the system up to its choice, or all of it where it has none."""
    if step == EFFECTS:
        row = top(s, A)
        if row >= top(s, B):
            pop(s)
        else:
            set_top(s, A, row + 1)
            instruct(s, deck, row, top(s, C))
    elif step == STRATEGY_PHASE:
        pop(s)
        s.passes += 1
        for colour in range(5):
            s.committed_now[colour] = 0
        for slot in range(SLOTS):
            s.applied_now[slot] = 0
        reset_order(s)
        push(s, COMMIT, 0, 0, 0)
    elif step == GATHER:
        pop(s)
        for colour in range(5):
            s.committed_now[colour] = 0
            for face in range(3):
                if face != MISS or not s.modifiers[FIX_MISSES]:
                    s.unrolled[colour] += s.rolled[colour, face]
                    s.rolled[colour, face] = 0
    elif step == ROLL:
        if first_to_roll(s) != NONE:
            s.node = DRAWING
        else:
            pop(s)
            for colour in range(5):
                for face in range(3):
                    s.rolled[colour, face] += s.kept[colour, face]
                    s.kept[colour, face] = 0
    elif step == HERO_ANSWERS_ROLL:
        pop(s)
        note_roll(s, deck)
        announce(s, deck, HERO_ROLLED)
    elif step == ROLLED_EFFECTS:
        perform_card_effects(s, deck, True)
    elif step == APPLY:
        if not check_falls(s, deck):  # the effect of a crit comes before its enemy's fall
            s.node = DECIDING
    elif step == SUFFER_DAMAGE:
        pop(s)
        damage = damage_due(s, deck)
        if damage > 0:
            lose_stat(s, HEALTH, damage)
            announce(s, deck, SUFFERED)
    elif step == AFTER_EFFECTS:
        perform_card_effects(s, deck, False)
    elif step == EXHAUST_DICE:
        pop(s)
        s.passes = 0
        exhaust_unapplied(s)
        for slot in range(SLOTS):
            if not (s.endgame and is_standing(s, deck, slot)):
                exhaust_applied(s, slot)
    elif step == RECOVER_DICE:
        if begin_recovery(s, deck):
            push(s, RECOVERING, recovery_of(s), 0, 0)
    elif step == RECOVERY_ROLL:
        if total(s.to_recover) > 0:
            s.node = DRAWING
        else:
            pop(s)
    elif step == TESTING:
        s.node = DRAWING
    elif step == HALT:
        s.node = OVER
    elif step == AIMING:
        found = False
        for slot in range(SLOTS):
            if may_aim(s, deck, slot, top(s, A)):
                found = True
        if found:
            s.node = DECIDING
        else:
            pop(s)
    elif step == SWAPPING:
        if any_swap(s):
            s.node = DECIDING
        else:
            pop(s)
    elif step in COUNTED_STEPS:
        if top(s, A) > 0 and any_to_choose(s, deck, step):
            s.node = DECIDING
        else:
            pop(s)
    else:
        s.node = DECIDING


@rule
def allow_dice(area, first, lowest, mask):
    """Marks an action for each colour with a die in ``area``, from colour ``lowest`` on."""
    n = 0
    for colour in range(lowest, 5):
        if area[colour] > 0:
            n += allow(mask, first + colour)
    return n


@rule
def allow_all_of(area, first, lowest, wanted, mask):
    """As ``allow_dice``, where ``wanted`` dice must be chosen in all: those passed over must not be needed."""
    n = 0
    left = 0
    for colour in range(lowest, 5):
        left += int(area[colour])
    wanted = min(wanted, left)
    for colour in range(lowest, 5):
        if area[colour] > 0 and left >= wanted:
            n += allow(mask, first + colour)
        left -= int(area[colour])
    return n


READY_PLACES, EXHAUSTED_PLACES, UNAPPLIED_PLACES, CARD_PLACES = 0, 5, 10, 25
BANISH_PLACES = CARD_PLACES + SLOTS
"""Where a die can be banished from, in the order in which it is spelt: ready and exhausted dice by colour, unapplied ones by colour and
face, and the cards of the active area."""


@rule
def banishable(s, place):
    """Dice at one of these places."""
    if place < EXHAUSTED_PLACES:
        return int(s.ready[place - READY_PLACES])
    if place < UNAPPLIED_PLACES:
        return int(s.exhausted[place - EXHAUSTED_PLACES])
    if place < CARD_PLACES:
        die = place - UNAPPLIED_PLACES
        return int(s.rolled[die // 3, die % 3])
    return dice_on(s, place - CARD_PLACES)


@rule
def banishable_from(s, lowest):
    """Dice at these places from ``lowest`` on."""
    n = 0
    for place in range(lowest, BANISH_PLACES):
        n += banishable(s, place)
    return n


@rule
def banish_action(place):
    """The action that banishes a die from one of these places; of a card it chooses the card."""
    if place < UNAPPLIED_PLACES:
        return act.BANISH_READY + place
    return act.PICK_DIE + place - UNAPPLIED_PLACES if place < CARD_PLACES else act.TARGET_CARD + place - CARD_PLACES


@rule
def allow_banished(s, lowest, wanted, mask):
    """Marks the dice of which ``wanted`` are to be banished, in the order of their places."""
    n = 0
    left = banishable_from(s, lowest)
    wanted = min(wanted, left)
    for place in range(lowest, BANISH_PLACES):
        if banishable(s, place) > 0 and left >= wanted:
            n += allow(mask, banish_action(place))
        left -= banishable(s, place)
    return n


@rule
def banish(s, action):
    """Banishes the chosen die, or goes on to choose one of the chosen card's."""
    if action >= act.TARGET_CARD:
        slot = action - act.TARGET_CARD
        set_top(s, B, CARD_PLACES + slot)
        push(s, BANISHING_APPLIED, 1, slot, 0)
    elif action >= act.PICK_DIE:
        die = action - act.PICK_DIE
        set_top(s, B, UNAPPLIED_PLACES + die)
        s.rolled[die // 3, die % 3] -= 1
        s.banished[die // 3] += 1
    else:
        place = action - act.BANISH_READY
        set_top(s, B, place)
        if place < EXHAUSTED_PLACES:
            s.ready[place - READY_PLACES] -= 1
        else:
            s.exhausted[place - EXHAUSTED_PLACES] -= 1
        s.banished[place % 5] += 1


@rule
def allow_hits(area, lowest, wanted, mask):
    """Marks the hits of an area by colour and face of which ``wanted`` must be chosen, weakest first."""
    n = 0
    left = 0
    for die in range(lowest, 15):
        if die % 3 != MISS:
            left += int(area[die // 3, die % 3])
    wanted = min(wanted, left)
    for die in range(lowest, 15):
        if die % 3 != MISS:
            if area[die // 3, die % 3] > 0 and left >= wanted:
                n += allow(mask, act.PICK_DIE + die)
            left -= int(area[die // 3, die % 3])
    return n


@rule
def allow_shown(s, lowest_face, highest_face, first_colour, mask):
    """Marks every kind of unapplied die that shows one of these faces."""
    n = 0
    for colour in range(first_colour, 5):
        for face in range(lowest_face, highest_face + 1):
            if s.rolled[colour, face] > 0:
                n += allow(mask, act.PICK_DIE + 3 * colour + face)
    return n


@rule
def legal_here(s, deck, step, mask):
    """Marks the legal actions of a decision of the system; returns how many."""
    n = 0
    if is_window(step):
        n += legal_uses(s, deck, mask)
    if step == COMMIT:
        for colour in range(5):
            if may_commit(s, colour):
                n += allow(mask, act.COMMIT_DIE + colour)
        n += allow(mask, act.ROLL_DICE)
    elif step == KEEP:
        for colour in range(5):
            for face in range(HIT, CRIT + 1):
                if s.rolled[colour, face] > 0 and 3 * colour + face >= s.last_die:
                    n += allow(mask, act.PICK_DIE + 3 * colour + face)
        n += allow(mask, act.DONE)
    elif step == APPLY:
        applied_now = 0
        for slot in range(SLOTS):
            applied_now += int(s.applied_now[slot])
        if applied_now < s.modifiers[APPLY_LIMIT_ALL] and dice_matter(s, deck):
            for colour in range(5):
                for face in range(HIT, CRIT + 1):
                    if s.rolled[colour, face] > 0 and any_target(s, deck, colour, face):
                        n += allow(mask, act.PICK_DIE + 3 * colour + face)
        if may_repeat(s, deck):
            n += allow(mask, act.AGAIN)
        n += allow(mask, act.RESOLVE)
    elif step == TARGET:
        for slot in range(SLOTS):
            if may_target(s, deck, slot, top(s, A), top(s, B)):
                n += allow(mask, act.TARGET_CARD + slot)
    elif step == ROLLED_EFFECTS:
        for slot in range(SLOTS):
            if has_roll_effect(s, deck, slot):
                n += allow(mask, act.TARGET_CARD + slot)
    elif step == AFTER_EFFECTS:
        for slot in range(SLOTS):
            if has_after(s, deck, slot):
                n += allow(mask, act.TARGET_CARD + slot)
    elif step == RECOVERING:
        for colour in range(top(s, B), 5):
            if may_recover(s, colour, top(s, A), top(s, C)):
                n += allow(mask, act.RECOVER_DIE + colour)
        n += allow(mask, act.DONE)
    elif step == EXHAUSTING:
        n += allow_all_of(s.ready, act.EXHAUST_DIE, top(s, B), top(s, A), mask)
    elif step == BANISHING:
        n += allow_banished(s, top(s, B), top(s, A), mask)
    elif step == BANISHING_APPLIED:
        n += allow_hits(s.applied[top(s, B)], top(s, C), top(s, A), mask)
    elif step == RESTORING:
        n += allow_dice(s.banished, act.RESTORE_DIE, top(s, B), mask) + allow(mask, act.DONE)
    elif step == RAISING:
        for stat in range(3):
            if s.stats[stat] < STAT_MAX:
                n += allow(mask, act.PICK_STAT + stat)
    elif step == LOWERING:
        for stat in range(3):
            if stat == HEALTH or s.stats[stat] > 1:
                n += allow(mask, act.PICK_STAT + stat)
    elif step == TURNING_MISS:
        n += allow_shown(s, MISS, MISS, top(s, B), mask) + allow(mask, act.DONE)
    elif step == TURNING_HIT:
        n += allow_shown(s, HIT, HIT, top(s, B), mask) + allow(mask, act.DONE)
    elif step == REROLLING:
        n += allow_shown(s, MISS, CRIT, 0, mask) + allow(mask, act.DONE)
    elif step == RETURNING:
        for die in range(top(s, B), 15):
            if s.rolled[die // 3, die % 3] > 0:
                n += allow(mask, act.PICK_DIE + die)
        n += allow(mask, act.DONE)
    elif step == REROLLING_HITS:
        n += allow_shown(s, HIT, CRIT, 0, mask)
    elif step == EXHAUSTING_HITS:
        n += allow_hits(s.rolled, top(s, B), top(s, A), mask)
    elif step == SWAPPING:
        if top(s, A) == NONE:
            n += allow(mask, act.DONE)
            for colour in range(5):
                if may_swap(s, colour):
                    n += allow(mask, act.PICK_DIE + 3 * colour + MISS)
        else:
            for colour in range(5):
                for face in range(HIT, CRIT + 1):
                    if colour != top(s, A) and s.rolled[colour, face] > 0:
                        n += allow(mask, act.PICK_DIE + 3 * colour + face)
    elif step == AIMING:
        for slot in range(SLOTS):
            if may_aim(s, deck, slot, top(s, A)):
                n += allow(mask, act.TARGET_CARD + slot)
    elif step == TAKE_REWARD:
        n += allow(mask, act.ACCEPT) + allow(mask, act.DECLINE)
    elif step == TAKE_ITEM:
        if has_room(s):
            n += allow(mask, act.ACCEPT)
        else:
            for i in range(item_count(s)):
                n += allow(mask, act.DISCARD_ITEM + i)
        n += allow(mask, act.DECLINE)
    elif step == LOSING_ITEM:
        first, held = top(s, B), item_count(s)
        for i in range(first, held - min(top(s, A), held - first) + 1):
            n += allow(mask, act.DISCARD_ITEM + i)
    elif step == UPGRADING:
        for i in range(top(s, B), item_count(s)):
            if may_upgrade(s, deck, i):
                n += allow(mask, act.TURN_ITEM + i)
        n += allow(mask, act.DONE)
    elif step == OFFERED:
        if costs_affordable(s, deck, int(s.agenda[s.depth - 2, A]), int(s.agenda[s.depth - 2, B])):
            n += allow(mask, act.ACCEPT)
        n += allow(mask, act.DECLINE)
    elif step == CHOOSING:
        n += allow(mask, act.FIRST) + allow(mask, act.SECOND)
    return n


@rule
def is_event(s, deck, slot, colour, face):
    """True if applying this die brings more about than damage: the enemy falls by it, or answers a crit."""
    if not is_standing(s, deck, slot):
        return False
    if face == CRIT and answers_crits(s, deck, slot):
        return True
    if s.falls >= s.modifiers[FALL_LIMIT]:
        return False
    s.applied[slot, colour, face] += 1
    falls = is_beaten(s, deck, slot)
    s.applied[slot, colour, face] -= 1
    return falls


@rule
def answers_crits(s, deck, slot):
    """True if a crit that is applied to this enemy has an effect."""
    return not s.marks[slot] & CANCELLED and has_effects(deck, int(s.slot[slot]), CRIT_APPLIED)


@rule
def may_target(s, deck, slot, colour, face):
    """True if the die in hand may go to this card now.

    Between two events the order of applications makes no difference, so they are spelt one way: weaker dice first, dice that show the
    same from left to right. An event may come at any time (architecture: Apply Dice).
    """
    if not can_apply(s, deck, slot, colour, face):
        return False
    die = 3 * colour + face
    if die > s.last_die or (die == s.last_die and slot >= s.last_target):
        return True
    return is_event(s, deck, slot, colour, face)


@rule
def any_target(s, deck, colour, face):
    """True if a die showing this may be applied now."""
    for slot in range(SLOTS):
        if may_target(s, deck, slot, colour, face):
            return True
    return False


@rule
def apply_die(s, deck, slot, colour, face):
    s.rolled[colour, face] -= 1
    s.applied[slot, colour, face] += 1
    s.applied_now[slot] += 1
    s.last_die = 3 * colour + face
    s.last_target = slot
    if face == CRIT and is_standing(s, deck, slot) and answers_crits(s, deck, slot):
        reset_order(s)
        trigger(s, deck, int(s.slot[slot]), CRIT_APPLIED, slot)


@rule
def count_down(s):
    set_top(s, A, top(s, A) - 1)


@rule
def play(s, deck, step, action):
    """Carries out the chosen action of a decision of the system."""
    if act.USE_ITEM <= action < act.USE_ITEM + MAX_ITEMS:
        use_item(s, deck, action - act.USE_ITEM)
        return
    if action == act.USE_HERO:
        use_hero(s, deck)
        return
    if action == act.DONE:
        finish_choosing(s, step)
        return
    if step == COMMIT:
        if action == act.ROLL_DICE:
            pop(s)
            push(s, APPLY, 0, 0, 0)
            push(s, ROLLED_EFFECTS, 0, 0, 0)
            push(s, HERO_ANSWERS_ROLL, 0, 0, 0)
            push(s, ROLL, 0, 0, 0)
            push(s, GATHER, 0, 0, 0)
            reset_order(s)
            if s.modifiers[KEEP_HITS] and unapplied_hits(s) > 0:
                push(s, KEEP, 0, 0, 0)
        else:
            commit(s, action - act.COMMIT_DIE)
    elif step == APPLY:
        if action == act.AGAIN:
            pop(s)
            push(s, STRATEGY_PHASE, 0, 0, 0)
        elif action == act.RESOLVE:
            pop(s)
        else:
            die = action - act.PICK_DIE
            push(s, TARGET, die // 3, die % 3, 0)
    elif step == TARGET:
        colour, face = top(s, A), top(s, B)
        pop(s)
        apply_die(s, deck, action - act.TARGET_CARD, colour, face)
    elif step == ROLLED_EFFECTS:
        resolve_roll_effect(s, deck, action - act.TARGET_CARD)
    elif step == AFTER_EFFECTS:
        resolve_after(s, deck, action - act.TARGET_CARD)
    elif step == TAKE_REWARD:
        slot, face = top(s, A), top(s, B)
        pop(s)
        if action == act.ACCEPT:
            trigger(s, deck, face, REWARD, slot)
            if s.doubled > 0:
                s.doubled -= 1
                trigger(s, deck, face, REWARD, slot)
    elif step == TAKE_ITEM:
        face = top(s, A)
        if action == act.ACCEPT:
            pop(s)
            add_item(s, face)
            refresh(s, deck)
        elif action == act.DECLINE:
            pop(s)
            push(s, ITEM_GONE, face, 0, 0)
        else:
            discard_item(s, deck, action - act.DISCARD_ITEM)
    elif step == OFFERED:
        pop(s)
        if action == act.DECLINE:
            stop_effects(s)
    elif step == CHOOSING:
        first_rows = top(s, A)
        pop(s)
        choose_branch(s, action == act.FIRST, first_rows)
    elif step == AIMING:
        op, amount = top(s, A), top(s, B)
        pop(s)
        aim(s, deck, action - act.TARGET_CARD, op, amount)
    else:
        choose_one(s, deck, step, action)


@rule
def choose_branch(s, first, first_rows):
    """Goes on with one of the two options of the run of effects on top: its next rows, or those after them."""
    if first:
        set_top(s, B, top(s, A) + first_rows)
    else:
        set_top(s, A, top(s, A) + first_rows)


@rule
def finish_choosing(s, step):
    pop(s)
    if step == KEEP:
        reset_order(s)


@rule
def choose_one(s, deck, step, action):
    """Carries out one choice of a die, stat or item."""
    die = action - act.PICK_DIE
    colour, face = die // 3, die % 3
    if step != SWAPPING and step != KEEP:
        count_down(s)
    if step == KEEP:
        s.rolled[colour, face] -= 1
        s.kept[colour, face] += 1
        s.last_die = die
    elif step == RECOVERING:
        c = action - act.RECOVER_DIE
        s.exhausted[c] -= 1
        s.ready[c] += 1
        set_top(s, B, c)
        if top(s, C) > 0 and c >= top(s, C) - 1:
            if c > top(s, C) - 1:
                count_down(s)  # the additional die has been passed over
            set_top(s, C, 0)
    elif step == EXHAUSTING:
        c = action - act.EXHAUST_DIE
        s.ready[c] -= 1
        s.exhausted[c] += 1
        set_top(s, B, c)
    elif step == BANISHING:
        banish(s, action)
    elif step == BANISHING_APPLIED:
        s.applied[top(s, B), colour, face] -= 1
        s.banished[colour] += 1
        set_top(s, C, die)
    elif step == RESTORING:
        c = action - act.RESTORE_DIE
        s.banished[c] -= 1
        s.ready[c] += 1
        set_top(s, B, c)
    elif step == RAISING:
        gain_stat(s, action - act.PICK_STAT, 1)
    elif step == LOWERING:
        lose_stat(s, action - act.PICK_STAT, 1)
    elif step == TURNING_MISS or step == TURNING_HIT:
        s.rolled[colour, face] -= 1
        s.rolled[colour, face + 1] += 1
        set_top(s, B, colour)
        reset_order(s)
    elif step == REROLLING or step == REROLLING_HITS:
        s.rolled[colour, face] -= 1
        s.unrolled[colour] += 1
        push(s, ROLL, 0, 0, 0)
        reset_order(s)
    elif step == EXHAUSTING_HITS:
        s.rolled[colour, face] -= 1
        s.exhausted[colour] += 1
        set_top(s, B, die)
    elif step == RETURNING:
        s.rolled[colour, face] -= 1
        s.ready[colour] += 1
        set_top(s, B, die)
    elif step == SWAPPING:
        if top(s, A) == NONE:
            set_top(s, A, colour)
        else:
            swap_with_miss(s, top(s, A), colour, face)
            pop(s)
    elif step == LOSING_ITEM:
        set_top(s, B, action - act.DISCARD_ITEM)
        discard_item(s, deck, action - act.DISCARD_ITEM)
    elif step == UPGRADING:
        i = action - act.TURN_ITEM
        set_top(s, B, i)  # the next item moves up to its place
        upgrade(s, deck, i)


@rule
def swap_with_miss(s, miss_colour, colour, face):
    """A die showing a miss and one showing a hit exchange what they show."""
    s.rolled[miss_colour, MISS] -= 1
    s.rolled[colour, face] -= 1
    s.rolled[miss_colour, face] += 1
    s.rolled[colour, MISS] += 1
    reset_order(s)


@rule
def first_colour(area):
    """The weakest colour with a die in an area by colour; there must be one."""
    colour = 0
    while area[colour] == 0:
        colour += 1
    return colour


@rule
def first_to_roll(s):
    """The weakest colour with a die that is being rolled, or NONE."""
    for colour in range(5):
        if waiting_to_roll(s, colour) > 0:
            return colour
    return NONE


@rule
def weigh_die(colour, weights):
    """Sides of a die that show a miss, a basic hit, a crit."""
    for face in range(3):
        weights[face] = SIDES[colour][face]
    return 3


@rule
def weigh(s, step, weights):
    """Writes the weights of a chance event of the system; returns how many outcomes it has."""
    if step == ROLL:
        return weigh_die(first_to_roll(s), weights)
    if step == RECOVERY_ROLL:
        return weigh_die(first_colour(s.to_recover), weights)
    return weigh_die(top(s, A), weights)  # TESTING


@rule
def happen(s, deck, step, outcome):
    """A die of the system was rolled."""
    if step == ROLL:
        colour = first_to_roll(s)
        face = outcome
        if s.modifiers[SWAP_HITS]:
            face = HIT if outcome == MISS else MISS
        s.unrolled[colour] -= 1
        s.rolled[colour, face] += 1
    elif step == RECOVERY_ROLL:
        colour = first_colour(s.to_recover)
        s.to_recover[colour] -= 1
        if outcome == MISS:
            s.exhausted[colour] += 1
        else:
            s.ready[colour] += 1
    else:  # TESTING
        rows_on_hit = top(s, B)
        pop(s)
        choose_branch(s, outcome != MISS, rows_on_hit)
