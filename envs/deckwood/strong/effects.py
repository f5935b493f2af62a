"""Carrying out a card's instructions."""

from __future__ import annotations

from deckwood.core.jit import rule
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
from deckwood.strong.steps import (
    ACTIVATE_MORE,
    AIMING,
    APPLY,
    BANISHING,
    BANISHING_APPLIED,
    CARD_LEAVES,
    CHOOSING,
    DRAW_ITEM,
    EFFECTS,
    EXHAUSTING,
    EXHAUSTING_HITS,
    FLED,
    LOSING_ITEM,
    LOWERING,
    OFFERED,
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
    SHUFFLED_BACK,
    STEP,
    SWAPPING,
    TAKE_REWARD,
    TESTING,
    TURNING_HIT,
    TURNING_MISS,
    UPGRADING,
    A,
    B,
    find,
    push,
    raise_step,
    set_top,
    top,
)
from deckwood.strong.terms import (
    BOSS_FELL,
    CANCELLED,
    COUNT,
    CRIT,
    CRIT_APPLIED,
    DEFEATED,
    ENEMY_FELL,
    FALLS,
    GOLD_MAX,
    HEALTH,
    HELD,
    HIT,
    MAX_KEPT,
    MISS,
    NONE,
    OP,
    PER,
    PER_COMMITTED,
    PER_HIT,
    PER_MISS,
    PER_STANDING,
    RECOVERY,
    REWARD,
    SLOTS,
    STAT_MAX,
    STRATEGY,
    USE,
    WHAT,
    WHEN,
)
from deckwood.strong.vocabulary import (
    ACTIVATE,
    BANISH,
    BANISH_APPLIED,
    BANISH_BEST,
    BANISH_MISSES,
    CANCEL,
    CHOOSE,
    DEFEAT,
    DOUBLE_REWARD,
    EXHAUST,
    EXHAUST_BEST,
    EXHAUST_HITS,
    EXTRA_PASS,
    FALL_LIMIT,
    FIRST_INSTRUCTION,
    FLEE,
    FLIP_HERO,
    GAIN_ANY_STAT,
    GAIN_GOLD,
    GAIN_ITEM,
    GAIN_STAT,
    KEEP_CARD,
    LOSE_ANY_STAT,
    LOSE_GOLD,
    LOSE_ITEM,
    LOSE_STAT,
    NO_RECOVERY,
    OFFER,
    PAY_DICE,
    PAY_GOLD,
    PAY_STAT,
    RECOVER,
    RECOVER_BY_ROLL,
    RECOVER_COLOUR,
    REROLL,
    REROLL_HITS,
    REROLL_MISSES,
    RESTORE,
    RESTORE_COLOUR,
    RETURN_DIE,
    RETURN_TO_DECK,
    SET_HEALTH,
    SHIELD,
    SWAP_DICE,
    TEST,
    TURN_HIT,
    TURN_MISS,
    UPGRADE_ITEM,
    WOUND,
)


@rule
def multiplier(s, deck, per):
    """What an instruction's count is multiplied by."""
    if per == PER_MISS:
        return unapplied(s, MISS)
    if per == PER_HIT:
        return unapplied_hits(s)
    if per == PER_STANDING:
        return standing_enemies(s, deck)
    if per == PER_COMMITTED:
        return committed_dice(s)
    return 1


@rule
def affords(s, op, what, count):
    """True if a cost of the system can be paid."""
    if op == PAY_STAT:
        return s.stats[what] > count
    if op == PAY_DICE:
        return total(s.ready) >= count
    if op == PAY_GOLD:
        return s.gold >= count
    return True


@rule
def is_cost(op):
    return op == PAY_STAT or op == PAY_DICE or op == PAY_GOLD


MOST_CHOICES = 3  # one after another in a run of effects, all ways through which are looked at


@rule
def affords_way(s, deck, row, end, way):
    """True if all costs that these rows ask for can be paid together, where bit i of ``way`` says which option the i-th choice takes.

    What comes after an offer can be declined, and what comes after a test may not be asked for: those costs bar nothing.
    """
    gold, dice, health, strategy, recovery = 0, 0, 0, 0, 0
    while row < end:
        op, what, count = int(deck.effects[row, OP]), int(deck.effects[row, WHAT]), int(deck.effects[row, COUNT])
        row += 1
        if op == OFFER or op == TEST:
            break
        if op == CHOOSE:
            if way & 1:
                row += count
            else:
                end = min(end, row + count)
            way >>= 1
        elif op == PAY_GOLD:
            gold += count
        elif op == PAY_DICE:
            dice += count
        elif op == PAY_STAT:
            health += count if what == HEALTH else 0
            strategy += count if what == STRATEGY else 0
            recovery += count if what == RECOVERY else 0
    if gold > s.gold or dice > total(s.ready):
        return False
    return (
        (health == 0 or health < s.stats[HEALTH])
        and (strategy == 0 or strategy < s.stats[STRATEGY])
        and (recovery == 0 or recovery < s.stats[RECOVERY])
    )


@rule
def costs_affordable(s, deck, row, end):
    """True if there is a way through these rows whose costs can all be paid."""
    for way in range(1 << MOST_CHOICES):
        if affords_way(s, deck, row, end, way):
            return True
    return False


@rule
def can_pay_for(s, deck, face):
    """True if a card has USE effects, and what they cost can be paid."""
    if not has_effects(deck, face, USE):
        return False
    row, end = run_of(deck, face, USE)
    return costs_affordable(s, deck, row, end)


@rule
def can_use(s, deck, face):
    """True if a card's USE effects can be paid for and one of them would do something."""
    if not can_pay_for(s, deck, face):
        return False
    row, end = run_of(deck, face, USE)
    for r in range(row, end):
        if is_useful(s, deck, int(deck.effects[r, OP]), int(deck.effects[r, WHAT])):
            return True
    return False


@rule
def may_swap(s, colour):
    """True if a miss of this colour and a hit of another could be swapped."""
    hits = unapplied_hits(s) - int(s.rolled[colour, HIT]) - int(s.rolled[colour, HIT + 1])
    return s.rolled[colour, MISS] > 0 and hits > 0


@rule
def any_swap(s):
    for colour in range(5):
        if may_swap(s, colour):
            return True
    return False


@rule
def is_useful(s, deck, op, what):
    """True if an instruction would do something now. A player may use an item only when one of its instructions would."""
    if op == GAIN_STAT:
        return s.stats[what] < STAT_MAX
    if op == GAIN_ANY_STAT:
        return s.stats[0] < STAT_MAX or s.stats[1] < STAT_MAX or s.stats[2] < STAT_MAX
    if op == RECOVER or op == RECOVER_BY_ROLL:
        return total(s.exhausted) > 0
    if op == RECOVER_COLOUR:
        return s.exhausted[what] > 0
    if op == RESTORE:
        return total(s.banished) > 0
    if op == RESTORE_COLOUR:
        return s.banished[what] > 0
    if op == TURN_MISS or op == REROLL_MISSES:
        return unapplied(s, MISS) > 0
    if op == TURN_HIT:
        return unapplied(s, HIT) > 0
    if op == REROLL or op == RETURN_DIE:
        return unapplied(s, MISS) + unapplied_hits(s) > 0
    if op == SWAP_DICE:
        return any_swap(s)
    if op == DEFEAT:
        for slot in range(SLOTS):
            if is_standing(s, deck, slot) and not is_boss(s, deck, slot):
                return True
        return False
    if op == EXTRA_PASS:
        return s.passes > 0
    if op == WOUND or op == SET_HEALTH or op == CANCEL:
        return standing_enemies(s, deck) > 0
    if op == UPGRADE_ITEM:
        for i in range(item_count(s)):
            if deck.cards[s.items[i]].other_side != NONE:
                return True
        return False
    if op == GAIN_GOLD:
        return s.gold < GOLD_MAX
    if op == EXHAUST or op == EXHAUST_BEST or op == LOSE_STAT or op == BANISH or op == OFFER or op == CHOOSE or op == TEST or is_cost(op):
        return False
    return True


@rule
def fall(s, deck, slot):
    """An enemy is defeated: its During effects end, what happens when it falls comes first, then its Instant reward, then answers to it."""
    s.marks[slot] |= DEFEATED
    s.falls += 1
    reset_order(s)
    refresh(s, deck)
    face = int(s.slot[slot])
    announce(s, deck, ENEMY_FELL)
    if is_boss(s, deck, slot):
        announce(s, deck, BOSS_FELL)
    if has_effects(deck, face, REWARD):
        push(s, TAKE_REWARD, slot, face)
    if not s.marks[slot] & CANCELLED:
        trigger(s, deck, face, FALLS, slot)


@rule
def is_applying(s):
    """True in an Apply Dice step, which begins when the effects of the roll are done."""
    return find(s, APPLY) != NONE and find(s, ROLLED_EFFECTS) == NONE


@rule
def answers_crit(s, deck):
    """True while the effect of an applied crit is being carried out."""
    place = find(s, EFFECTS)
    while place != NONE:
        if deck.effects[s.agenda[place, B] - 1, WHEN] == CRIT_APPLIED:
            return True
        place = find(s, EFFECTS, place + 1)
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
    for slot in range(SLOTS):
        if not is_beaten(s, deck, slot):
            continue
        if applying and s.falls >= s.modifiers[FALL_LIMIT]:
            s.marks[slot] |= HELD
        elif applying or not s.marks[slot] & HELD:
            fall(s, deck, slot)
            return True
    return False


@rule
def begin_applying(s):
    """An Apply Dice step begins. Enemies that the last one held back may fall now."""
    s.falls = 0
    for slot in range(SLOTS):
        s.marks[slot] &= ~HELD


@rule
def reset_order(s):
    """After an event, equal choices may be made afresh in any order."""
    s.last_die = 0
    s.last_target = 0


@rule
def may_recover_dice(s):
    """False within a Recover Dice step in which no dice are recovered."""
    step = find(s, RECOVER_DICE)
    return not s.modifiers[NO_RECOVERY] or step == NONE or s.agenda[step, A] != 1


@rule
def stop_effects(s):
    """Drops the rest of the run of effects on top of the agenda."""
    set_top(s, A, top(s, B))


@rule
def instruct(s, deck, row, source):
    """Carries out one of the system's instructions. The run of effects it belongs to is on top of the agenda."""
    op = int(deck.effects[row, OP])
    what = int(deck.effects[row, WHAT])
    count = int(deck.effects[row, COUNT]) * multiplier(s, deck, int(deck.effects[row, PER]))
    if op < FIRST_INSTRUCTION:
        return  # a standing modifier
    if op == GAIN_STAT:
        gain_stat(s, what, count)
    elif op == LOSE_STAT:
        lose_stat(s, what, count)
    elif op == GAIN_ANY_STAT:
        push(s, RAISING, count)
    elif op == LOSE_ANY_STAT:
        push(s, LOWERING, count)
    elif (op == RECOVER or op == RECOVER_COLOUR or op == RECOVER_BY_ROLL) and not may_recover_dice(s):
        return
    elif op == RECOVER:
        push(s, RECOVERING, count)
    elif op == RECOVER_COLOUR:
        back = min(count, int(s.exhausted[what]))
        s.exhausted[what] -= back
        s.ready[what] += back
    elif op == RECOVER_BY_ROLL:
        push(s, RECOVERY_ROLL)
        for colour in range(5):
            s.to_recover[colour] = s.exhausted[colour]
            s.exhausted[colour] = 0
    elif is_cost(op):
        if not affords(s, op, what, count):
            stop_effects(s)
        elif op == PAY_STAT:
            lose_stat(s, what, count)
        elif op == PAY_GOLD:
            lose_gold(s, count)
        else:
            push(s, EXHAUSTING, count)
    elif op == GAIN_GOLD:
        gain_gold(s, count)
    elif op == LOSE_GOLD:
        lose_gold(s, count)
    elif op == EXHAUST:
        push(s, EXHAUSTING, count)
    elif op == EXHAUST_BEST:
        for _ in range(count):
            colour = strongest_ready(s)
            if colour != NONE:
                s.ready[colour] -= 1
                s.exhausted[colour] += 1
    elif op == BANISH:
        push(s, BANISHING, count)
    elif op == BANISH_BEST:
        for _ in range(count):
            colour = strongest_ready(s)
            if colour != NONE:
                s.ready[colour] -= 1
                s.banished[colour] += 1
    elif op == BANISH_MISSES:
        banish_misses(s, count)
    elif op == BANISH_APPLIED:
        if source >= 0:
            push(s, BANISHING_APPLIED, count, source)
    elif op == RESTORE:
        push(s, RESTORING, count)
    elif op == RESTORE_COLOUR:
        if s.banished[what] > 0:
            s.banished[what] -= 1
            s.ready[what] += 1
    elif op == GAIN_ITEM:
        for _ in range(count):
            push(s, DRAW_ITEM)
    elif op == LOSE_ITEM:
        push(s, LOSING_ITEM, count)
    elif op == UPGRADE_ITEM:
        push(s, UPGRADING, count)
    elif op == ACTIVATE:
        if count > 0:
            push(s, ACTIVATE_MORE, count)
    elif op == FLEE:
        shown = unapplied(s, MISS) if what == MISS else shown_hits(s, what, CRIT)
        if source >= 0 and shown >= count and is_standing(s, deck, source):
            leave(s, deck, source, FLED)
    elif op == RETURN_TO_DECK:
        if source >= 0 and s.slot[source] != NONE:
            leave(s, deck, source, SHUFFLED_BACK)
    elif op == DEFEAT or op == WOUND or op == SET_HEALTH or op == CANCEL:
        if count > 0 or op == DEFEAT or op == CANCEL:
            push(s, AIMING, op, count)
    elif op == DOUBLE_REWARD:
        s.doubled += count
    elif op == SHIELD:
        s.shield += count
    elif op == EXTRA_PASS:
        s.extra_passes += count
    elif op == TURN_MISS:
        push(s, TURNING_MISS, count)
    elif op == TURN_HIT:
        push(s, TURNING_HIT, count)
    elif op == REROLL:
        push(s, REROLLING, count)
    elif op == REROLL_MISSES:
        push(s, ROLL)
        for colour in range(5):
            s.unrolled[colour] += s.rolled[colour, MISS]
            s.rolled[colour, MISS] = 0
        reset_order(s)
    elif op == REROLL_HITS:
        push(s, REROLLING_HITS, count)
    elif op == EXHAUST_HITS:
        push(s, EXHAUSTING_HITS, count)
    elif op == SWAP_DICE:
        push(s, SWAPPING, NONE)
    elif op == RETURN_DIE:
        push(s, RETURNING, count)
    elif op == FLIP_HERO:
        other = int(deck.cards[s.hero].other_side)
        if other != NONE:
            s.hero = other
            refresh(s, deck)
    elif op == KEEP_CARD:
        if source >= FROM_FACE:
            keep_beside(s, deck, source - FROM_FACE, count)
    elif op == OFFER:
        push(s, OFFERED)
    elif op == CHOOSE:
        push(s, CHOOSING, count)
    elif op == TEST:
        push(s, TESTING, what, count)


@rule
def shown_hits(s, lowest, highest):
    """Committed dice, applied or not, that show a face from ``lowest`` to ``highest``."""
    n = 0
    for face in range(lowest, highest + 1):
        n += unapplied(s, face)
        for slot in range(SLOTS):
            for colour in range(5):
                n += int(s.applied[slot, colour, face])
    return n


@rule
def leave(s, deck, slot, how):
    """A card leaves the active area before Cleanup."""
    push(s, CARD_LEAVES, int(s.slot[slot]), how, int(s.marks[slot]) & DEFEATED)
    remove_card(s, deck, slot)


@rule
def room_for_boss(s, deck):
    """A place of the active area for the boss: where there is none left, the last enemy makes room."""
    slot = empty_slot(s)
    if slot == NONE:
        slot = SLOTS - 1
        leave(s, deck, slot, FLED)
    return slot


@rule
def put_away_first(s, place):
    """Who made room for the boss, at this place of the agenda, is put away before all that has been announced since."""
    if place < s.depth and s.agenda[place, STEP] == CARD_LEAVES:
        raise_step(s, place)


@rule
def keep_beside(s, deck, face, rounds):
    """Sets a card next to the hero, if there is a place."""
    n = 0
    while n < MAX_KEPT and s.beside[n] != NONE:
        n += 1
    if n < MAX_KEPT:
        s.beside[n] = face
        s.beside_left[n] = rounds
        refresh(s, deck)
