"""Carrying out a card's instructions."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.strong import steps as at
from deckwood.strong import terms
from deckwood.strong import vocabulary as ops
from deckwood.strong.cards import (
    FROM_FACE,
    announce,
    empty_slot,
    has_effects,
    is_beaten,
    is_boss,
    is_standing,
    refresh,
    remove_card,
    run_of,
    standing_enemies,
    trigger,
)
from deckwood.strong.pool import (
    banish_misses,
    committed_dice,
    gain_gold,
    gain_stat,
    item_count,
    lose_gold,
    lose_stat,
    strongest_ready,
    total,
    unapplied,
    unapplied_hits,
)
from deckwood.strong.steps import STEP, A, B, find, push, raise_step, set_top, top


@rule
def multiplier(s, deck, per):
    """What an instruction's count is multiplied by."""
    if per == terms.PER_MISS:
        return unapplied(s, terms.MISS)
    if per == terms.PER_HIT:
        return unapplied_hits(s)
    if per == terms.PER_STANDING:
        return standing_enemies(s, deck)
    if per == terms.PER_COMMITTED:
        return committed_dice(s)
    return 1


@rule
def affords(s, op, what, count):
    """True if a cost of the system can be paid."""
    if op == ops.PAY_STAT:
        return s.stats[what] > count
    if op == ops.PAY_DICE:
        return total(s.ready) >= count
    if op == ops.PAY_GOLD:
        return s.gold >= count
    return True


@rule
def is_cost(op):
    return op == ops.PAY_STAT or op == ops.PAY_DICE or op == ops.PAY_GOLD


MAX_CHOICES = 3  # one after another in a run of effects, all ways through which are looked at


@rule
def affords_way(s, deck, row, end, way):
    """True if all costs that these rows ask for can be paid together, where bit i of ``way`` says which option the i-th choice takes.

    What comes after an offer can be declined, and what comes after a test may not be asked for: those costs bar nothing.
    """
    gold, dice, health, strategy, recovery = 0, 0, 0, 0, 0
    while row < end:
        op, what, count = int(deck.effects[row, terms.OP]), int(deck.effects[row, terms.WHAT]), int(deck.effects[row, terms.COUNT])
        row += 1
        if op == ops.OFFER or op == ops.TEST:
            break
        if op == ops.CHOOSE:
            if way & 1:
                row += count
            else:
                end = min(end, row + count)
            way >>= 1
        elif op == ops.PAY_GOLD:
            gold += count
        elif op == ops.PAY_DICE:
            dice += count
        elif op == ops.PAY_STAT:
            health += count if what == terms.HEALTH else 0
            strategy += count if what == terms.STRATEGY else 0
            recovery += count if what == terms.RECOVERY else 0
    if gold > s.gold or dice > total(s.ready):
        return False
    return (
        (health == 0 or health < s.stats[terms.HEALTH])
        and (strategy == 0 or strategy < s.stats[terms.STRATEGY])
        and (recovery == 0 or recovery < s.stats[terms.RECOVERY])
    )


@rule
def costs_affordable(s, deck, row, end):
    """True if there is a way through these rows whose costs can all be paid."""
    for way in range(1 << MAX_CHOICES):
        if affords_way(s, deck, row, end, way):
            return True
    return False


@rule
def can_pay_for(s, deck, face):
    """True if a card has USE effects, and what they cost can be paid."""
    if not has_effects(deck, face, terms.USE):
        return False
    row, end = run_of(deck, face, terms.USE)
    return costs_affordable(s, deck, row, end)


@rule
def can_use(s, deck, face):
    """True if a card's USE effects can be paid for and one of them would do something."""
    if not can_pay_for(s, deck, face):
        return False
    row, end = run_of(deck, face, terms.USE)
    for r in range(row, end):
        if is_useful(s, deck, int(deck.effects[r, terms.OP]), int(deck.effects[r, terms.WHAT])):
            return True
    return False


@rule
def may_swap(s, colour):
    """True if a miss of this colour and a hit of another could be swapped."""
    hits = unapplied_hits(s) - int(s.rolled[colour, terms.HIT]) - int(s.rolled[colour, terms.HIT + 1])
    return s.rolled[colour, terms.MISS] > 0 and hits > 0


@rule
def any_swap(s):
    for colour in range(5):
        if may_swap(s, colour):
            return True
    return False


@rule
def is_useful(s, deck, op, what):
    """True if an instruction would do something now. A player may use an item only when one of its instructions would."""
    if op == ops.GAIN_STAT:
        return s.stats[what] < terms.STAT_MAX
    if op == ops.GAIN_ANY_STAT:
        return s.stats[0] < terms.STAT_MAX or s.stats[1] < terms.STAT_MAX or s.stats[2] < terms.STAT_MAX
    if op == ops.RECOVER or op == ops.RECOVER_BY_ROLL:
        return total(s.exhausted) > 0
    if op == ops.RECOVER_COLOUR:
        return s.exhausted[what] > 0
    if op == ops.RESTORE:
        return total(s.banished) > 0
    if op == ops.RESTORE_COLOUR:
        return s.banished[what] > 0
    if op == ops.TURN_MISS or op == ops.REROLL_MISSES:
        return unapplied(s, terms.MISS) > 0
    if op == ops.TURN_HIT:
        return unapplied(s, terms.HIT) > 0
    if op == ops.REROLL or op == ops.RETURN_DIE:
        return unapplied(s, terms.MISS) + unapplied_hits(s) > 0
    if op == ops.SWAP_DICE:
        return any_swap(s)
    if op == ops.DEFEAT:
        for slot in range(terms.SLOTS):
            if is_standing(s, deck, slot) and not is_boss(s, deck, slot):
                return True
        return False
    if op == ops.EXTRA_PASS:
        return s.passes > 0
    if op == ops.WOUND or op == ops.SET_HEALTH or op == ops.CANCEL:
        return standing_enemies(s, deck) > 0
    if op == ops.UPGRADE_ITEM:
        for i in range(item_count(s)):
            if deck.cards[s.items[i]].other_side != terms.NONE:
                return True
        return False
    if op == ops.GAIN_GOLD:
        return s.gold < terms.GOLD_MAX
    if (
        op == ops.EXHAUST
        or op == ops.EXHAUST_BEST
        or op == ops.LOSE_STAT
        or op == ops.BANISH
        or op == ops.OFFER
        or op == ops.CHOOSE
        or op == ops.TEST
        or is_cost(op)
    ):
        return False
    return True


@rule
def fall(s, deck, slot):
    """An enemy is defeated: its During effects end, what happens when it falls comes first, then its Instant reward, then answers to it."""
    s.marks[slot] |= terms.DEFEATED
    s.falls += 1
    reset_order(s)
    refresh(s, deck)
    face = int(s.slot[slot])
    announce(s, deck, terms.ENEMY_FELL)
    if is_boss(s, deck, slot):
        announce(s, deck, terms.BOSS_FELL)
    if has_effects(deck, face, terms.REWARD):
        push(s, at.TAKE_REWARD, slot, face)
    if not s.marks[slot] & terms.CANCELLED:
        trigger(s, deck, face, terms.FALLS, slot)


@rule
def is_applying(s):
    """True in an Apply Dice step, which begins when the effects of the roll are done."""
    return find(s, at.APPLY) != terms.NONE and find(s, at.ROLLED_EFFECTS) == terms.NONE


@rule
def answers_crit(s, deck):
    """True while the effect of an applied crit is being carried out."""
    place = find(s, at.EFFECTS)
    while place != terms.NONE:
        if deck.effects[s.agenda[place, B] - 1, terms.WHEN] == terms.CRIT_APPLIED:
            return True
        place = find(s, at.EFFECTS, place + 1)
    return False


@rule
def check_falls(s, deck):
    """The first enemy whose Health is met is defeated. True if there was one.

    The effect of a crit comes first. An Apply Dice step may hold an enemy back; then it stands until the next such step, or until
    something else harms it.
    """
    if answers_crit(s, deck):
        return False
    s.unsettled = 0
    applying = is_applying(s)
    for slot in range(terms.SLOTS):
        if not is_beaten(s, deck, slot):
            continue
        if applying and s.falls >= s.modifiers[ops.FALL_LIMIT]:
            s.marks[slot] |= terms.HELD
        elif applying or not s.marks[slot] & terms.HELD:
            fall(s, deck, slot)
            return True
    return False


@rule
def begin_applying(s):
    """An Apply Dice step begins. Enemies that the last one held back may fall now."""
    s.falls = 0
    for slot in range(terms.SLOTS):
        s.marks[slot] &= ~terms.HELD


@rule
def reset_order(s):
    """After an event, equal choices may be made afresh in any order."""
    s.last_die = 0
    s.last_target = 0


@rule
def may_recover_dice(s):
    """False within a Recover Dice step in which no dice are recovered."""
    step = find(s, at.RECOVER_DICE)
    return not s.modifiers[ops.NO_RECOVERY] or step == terms.NONE or s.agenda[step, A] != 1


@rule
def stop_effects(s):
    """Drops the rest of the run of effects on top of the agenda."""
    set_top(s, A, top(s, B))


@rule
def instruct(s, deck, row, source):
    """Carries out one of the system's instructions. The run of effects it belongs to is on top of the agenda."""
    op = int(deck.effects[row, terms.OP])
    what = int(deck.effects[row, terms.WHAT])
    count = int(deck.effects[row, terms.COUNT]) * multiplier(s, deck, int(deck.effects[row, terms.PER]))
    if op < ops.FIRST_INSTRUCTION:
        return  # a standing modifier
    if op == ops.GAIN_STAT:
        gain_stat(s, what, count)
    elif op == ops.LOSE_STAT:
        lose_stat(s, what, count)
    elif op == ops.GAIN_ANY_STAT:
        push(s, at.RAISING, count)
    elif op == ops.LOSE_ANY_STAT:
        push(s, at.LOWERING, count)
    elif (op == ops.RECOVER or op == ops.RECOVER_COLOUR or op == ops.RECOVER_BY_ROLL) and not may_recover_dice(s):
        return
    elif op == ops.RECOVER:
        push(s, at.RECOVERING, count)
    elif op == ops.RECOVER_COLOUR:
        back = min(count, int(s.exhausted[what]))
        s.exhausted[what] -= back
        s.ready[what] += back
    elif op == ops.RECOVER_BY_ROLL:
        push(s, at.RECOVERY_ROLL)
        for colour in range(5):
            s.to_recover[colour] = s.exhausted[colour]
            s.exhausted[colour] = 0
    elif is_cost(op):
        if not affords(s, op, what, count):
            stop_effects(s)
        elif op == ops.PAY_STAT:
            lose_stat(s, what, count)
        elif op == ops.PAY_GOLD:
            lose_gold(s, count)
        else:
            push(s, at.EXHAUSTING, count)
    elif op == ops.GAIN_GOLD:
        gain_gold(s, count)
    elif op == ops.LOSE_GOLD:
        lose_gold(s, count)
    elif op == ops.EXHAUST:
        push(s, at.EXHAUSTING, count)
    elif op == ops.EXHAUST_BEST:
        for _ in range(count):
            colour = strongest_ready(s)
            if colour != terms.NONE:
                s.ready[colour] -= 1
                s.exhausted[colour] += 1
    elif op == ops.BANISH:
        push(s, at.BANISHING, count)
    elif op == ops.BANISH_BEST:
        for _ in range(count):
            colour = strongest_ready(s)
            if colour != terms.NONE:
                s.ready[colour] -= 1
                s.banished[colour] += 1
    elif op == ops.BANISH_MISSES:
        banish_misses(s, count)
    elif op == ops.BANISH_APPLIED:
        if source >= 0:
            push(s, at.BANISHING_APPLIED, count, source)
    elif op == ops.RESTORE:
        push(s, at.RESTORING, count)
    elif op == ops.RESTORE_COLOUR:
        if s.banished[what] > 0:
            s.banished[what] -= 1
            s.ready[what] += 1
    elif op == ops.GAIN_ITEM:
        for _ in range(count):
            push(s, at.DRAW_ITEM)
    elif op == ops.LOSE_ITEM:
        push(s, at.LOSING_ITEM, count)
    elif op == ops.UPGRADE_ITEM:
        push(s, at.UPGRADING, count)
    elif op == ops.ACTIVATE:
        if count > 0:
            push(s, at.ACTIVATE_MORE, count)
    elif op == ops.FLEE:
        shown = unapplied(s, terms.MISS) if what == terms.MISS else shown_hits(s, what, terms.CRIT)
        if source >= 0 and shown >= count and is_standing(s, deck, source):
            leave(s, deck, source, at.FLED)
    elif op == ops.RETURN_TO_DECK:
        if source >= 0 and s.slot[source] != terms.NONE:
            leave(s, deck, source, at.SHUFFLED_BACK)
    elif op == ops.DEFEAT or op == ops.WOUND or op == ops.SET_HEALTH or op == ops.CANCEL:
        if count > 0 or op == ops.DEFEAT or op == ops.CANCEL:
            push(s, at.AIMING, op, count)
    elif op == ops.DOUBLE_REWARD:
        s.doubled += count
    elif op == ops.SHIELD:
        s.shield += count
    elif op == ops.EXTRA_PASS:
        s.extra_passes += count
    elif op == ops.TURN_MISS:
        push(s, at.TURNING_MISS, count)
    elif op == ops.TURN_HIT:
        push(s, at.TURNING_HIT, count)
    elif op == ops.REROLL:
        push(s, at.REROLLING, count)
    elif op == ops.REROLL_MISSES:
        push(s, at.ROLL)
        for colour in range(5):
            s.unrolled[colour] += s.rolled[colour, terms.MISS]
            s.rolled[colour, terms.MISS] = 0
        reset_order(s)
    elif op == ops.REROLL_HITS:
        push(s, at.REROLLING_HITS, count)
    elif op == ops.EXHAUST_HITS:
        push(s, at.EXHAUSTING_HITS, count)
    elif op == ops.SWAP_DICE:
        push(s, at.SWAPPING, terms.NONE)
    elif op == ops.RETURN_DIE:
        push(s, at.RETURNING, count)
    elif op == ops.FLIP_HERO:
        other = int(deck.cards[s.hero].other_side)
        if other != terms.NONE:
            s.hero = other
            refresh(s, deck)
    elif op == ops.KEEP_CARD:
        if source >= FROM_FACE:
            keep_beside(s, deck, source - FROM_FACE, count)
    elif op == ops.OFFER:
        push(s, at.OFFERED)
    elif op == ops.CHOOSE:
        push(s, at.CHOOSING, count)
    elif op == ops.TEST:
        push(s, at.TESTING, what, count)


@rule
def shown_hits(s, lowest, highest):
    """Committed dice, applied or not, that show a face from ``lowest`` to ``highest``."""
    n = 0
    for face in range(lowest, highest + 1):
        n += unapplied(s, face)
        for slot in range(terms.SLOTS):
            for colour in range(5):
                n += int(s.applied[slot, colour, face])
    return n


@rule
def leave(s, deck, slot, how):
    """A card leaves the active area before Cleanup."""
    push(s, at.CARD_LEAVES, int(s.slot[slot]), how, int(s.marks[slot]) & terms.DEFEATED)
    remove_card(s, deck, slot)


@rule
def room_for_boss(s, deck):
    """A place of the active area for the boss: where there is none left, the last enemy makes room."""
    slot = empty_slot(s)
    if slot == terms.NONE:
        slot = terms.SLOTS - 1
        leave(s, deck, slot, at.FLED)
    return slot


@rule
def put_away_first(s, place):
    """Who made room for the boss, at this place of the agenda, is put away before all that has been announced since."""
    if place < s.depth and s.agenda[place, STEP] == at.CARD_LEAVES:
        raise_step(s, place)


@rule
def keep_beside(s, deck, face, rounds):
    """Sets a card next to the hero, if there is a place."""
    n = 0
    while n < terms.MAX_KEPT and s.beside[n] != terms.NONE:
        n += 1
    if n < terms.MAX_KEPT:
        s.beside[n] = face
        s.beside_left[n] = rounds
        refresh(s, deck)
