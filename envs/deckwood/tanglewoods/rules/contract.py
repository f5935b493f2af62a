"""The six functions of the contract."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow, clear
from deckwood.strong import engagement
from deckwood.strong.actions import USE_HERO, USE_ITEM
from deckwood.strong.cards import pass_rounds_beside
from deckwood.strong.effects import check_falls
from deckwood.strong.engagement import legal_here, legal_uses, play, use_hero, use_item, weigh_die
from deckwood.strong.steps import (
    ACTIVATE_MORE,
    BESIDE_GONE,
    CARD_LEAVES,
    CHOOSING,
    DECIDING,
    DRAW_ITEM,
    DRAWING,
    EFFECTS,
    FIRST_HOOK,
    ITEM_GONE,
    OFFERED,
    RUNNING,
    STEP,
    STRATEGY_ROSE,
    TAKE_ITEM,
    A,
    B,
    C,
    come_to_rest,
    goes_on,
    pop,
    push,
    set_top,
    top,
)
from deckwood.strong.terms import COUNT, HEALTH, OP, WHAT
from deckwood.strong.vocabulary import FIRST_DECK_OP
from deckwood.tanglewoods import actions as act
from deckwood.tanglewoods.observe import observe
from deckwood.tanglewoods.rules.draws import (
    add_to_line,
    count_in,
    item_index,
    ready_to_draw,
    take_from_line,
    wants_scouting,
    weigh_zone,
)
from deckwood.tanglewoods.rules.encounter import (
    activate_minion,
    activate_wolf,
    is_bribery,
    legal_bribery,
    legal_camp,
    perform_activate,
    perform_cleanup,
    perform_draw_fable,
    perform_encounter,
    perform_engagement,
    perform_fable_told,
    perform_node,
    play_bribery,
    play_camp,
    put_away,
    tell,
)
from deckwood.tanglewoods.rules.endgame import lose, new_round, return_wolf
from deckwood.tanglewoods.rules.forest import (
    explore_with,
    flip_here,
    legal_explore,
    legal_toll,
    legal_travel,
    perform_arrive,
    perform_cross,
    perform_place_card,
    place_card,
    play_explore,
    play_toll,
    play_travel,
    spring_trap,
    toll_is_due,
    turn_next,
)
from deckwood.tanglewoods.rules.merchant import legal_merchant, perform_stock, play_merchant, stock
from deckwood.tanglewoods.rules.setup import (
    lay_out,
    legal_modifier,
    legal_raise,
    legal_swap,
    play_modifier,
    play_night_or_dice,
    play_raise,
    play_swap,
    replace_scouted,
)
from deckwood.tanglewoods.state import (
    ACTIVATE_NEXT,
    ACTIVATE_WOLF,
    DISCARD_SCOUTED,
    FABLE_FACE,
    FLIP_FOREST,
    IN_DECK,
    IN_DISCARD,
    IN_HAND,
    ITEM_FACE,
    MERCHANT,
    OUT,
    PLACE_FOREST,
    TRAP_DIE,
    TURN_NEXT,
    WOLF_RETURNS,
)
from deckwood.tanglewoods.steps import (
    ACTIVATE_ENEMIES,
    ARRIVE,
    BRIBERY,
    CAMP,
    CHOOSE_MODIFIER,
    CLEANUP,
    CROSS,
    DISCARD_FROM_LINE,
    DRAW_FABLE,
    DRAW_WOLF,
    DROP_WOLF,
    ENCOUNTER,
    END_ROUND,
    ENDGAME_ROUND,
    ENGAGEMENT,
    EXPLORE,
    EXPLORE_ROLL,
    FABLE_TOLD,
    MERCHANT_VISIT,
    NIGHT_OR_DICE,
    NODE,
    PAY_OR_BANISH,
    PLACE_CARD,
    REPLACE_SCOUTED,
    ROLL_EXPLORE,
    ROUND,
    SCOUT,
    SETUP_RAISE,
    STOCK_SHOP,
    SWAP_SCOUTED,
    TRAP_ROLL,
    TRAVEL,
    WOLF_BACK,
)

__all__ = ["apply", "apply_chance", "chance", "legal", "observe", "setup"]


@rule
def setup(s, deck, options):
    """A fresh position at its first node. ``s`` is zero throughout."""
    lay_out(s, deck, options)
    run(s, deck)


@rule
def run(s, deck):
    """Carries out the agenda until there is something to decide or to draw, or the game is over."""
    s.node = RUNNING
    while goes_on(s):
        if s.unsettled and check_falls(s, deck):
            continue
        step = top(s, STEP)
        if step == EFFECTS and top(s, A) < top(s, B) and deck.effects[top(s, A), OP] >= FIRST_DECK_OP:
            perform_effect(s, deck)
        elif step < FIRST_HOOK:
            engagement.perform(s, deck, step)
        else:
            perform(s, deck, step)
        if s.stats[HEALTH] < 1:
            lose(s, deck)
    come_to_rest(s)


@rule
def perform_effect(s, deck):
    """Carries out an instruction that only Tanglewoods has."""
    row = top(s, A)
    set_top(s, A, row + 1)
    op = int(deck.effects[row, OP])
    what = int(deck.effects[row, WHAT])
    count = int(deck.effects[row, COUNT])
    if op == ACTIVATE_WOLF:
        push(s, DRAW_WOLF, 0, 0, 0)
    elif op == ACTIVATE_NEXT:
        s.next_mobs += count
    elif op == DISCARD_SCOUTED:
        push(s, DISCARD_FROM_LINE, count, 0, 0)
    elif op == PLACE_FOREST:
        push(s, PLACE_CARD, what, 0, 0)
    elif op == FLIP_FOREST:
        push(s, NODE, 0, 0, 0)
        if s.endgame or not flip_here(s, what):
            pop(s)
    elif op == TURN_NEXT:
        turn_next(s, what)
    elif op == MERCHANT:
        push(s, STOCK_SHOP, count, 0, 0)
    elif op == WOLF_RETURNS:
        push(s, WOLF_BACK, 0, 0, 0)


@rule
def begin_endgame_round(s, deck):
    """Endgame rounds have no Activation."""
    push(s, END_ROUND, 0, 0, 0)
    push(s, CLEANUP, 0, 0, 0)
    push(s, ENGAGEMENT, 0, 0, 0)
    new_round(s, deck)


@rule
def begin_round(s, deck):
    push(s, END_ROUND, 0, 0, 0)
    push(s, CLEANUP, 0, 0, 0)
    push(s, ENCOUNTER, 0, 0, 0)
    push(s, NODE, 0, 0, 0)
    push(s, ARRIVE, 0, 0, 0)
    push(s, TRAVEL, 0, 0, 0)
    push(s, EXPLORE, 0, 0, 0)
    new_round(s, deck)
    push(s, SCOUT, 0, 0, 0)


@rule
def perform(s, deck, step):
    """Does a step of Tanglewoods up to its choice or chance event, or all of it where it has none."""
    if step == ROUND:
        pop(s)
        begin_round(s, deck)
    elif step == END_ROUND:
        pop(s)
        push(s, ENDGAME_ROUND if s.endgame else ROUND, 0, 0, 0)
        pass_rounds_beside(s, deck)
    elif step == SCOUT or step == STRATEGY_ROSE:
        if wants_scouting(s):
            s.node = DRAWING
        else:
            pop(s)
    elif step == PLACE_CARD:
        perform_place_card(s)
    elif step == ROLL_EXPLORE:
        perform_roll_explore(s)
    elif step == CROSS:
        perform_cross(s)
    elif step == STOCK_SHOP:
        perform_stock(s)
    elif step == ARRIVE:
        perform_arrive(s, deck)
    elif step == PAY_OR_BANISH:
        if toll_is_due(s, deck):
            s.node = DECIDING
        else:
            pop(s)
    elif step == NODE:
        perform_node(s, deck)
    elif step == ACTIVATE_ENEMIES:
        perform_activate(s, deck)
    elif step == ACTIVATE_MORE:
        enemies = top(s, A)
        pop(s)
        push(s, ACTIVATE_ENEMIES, enemies, 0, 0)
    elif step == DRAW_FABLE:
        perform_draw_fable(s, deck)
    elif step == FABLE_TOLD:
        perform_fable_told(s)
    elif step == ENCOUNTER:
        perform_encounter(s, deck)
    elif step == BRIBERY:
        if is_bribery(s, deck):
            s.node = DECIDING
        else:
            pop(s)
    elif step == ENGAGEMENT:
        perform_engagement(s, deck)
    elif step == CLEANUP:
        perform_cleanup(s, deck)
    elif step == ENDGAME_ROUND:
        pop(s)
        begin_endgame_round(s, deck)
    elif step == DISCARD_FROM_LINE:
        if top(s, A) > 0 and s.line_length > 0:
            s.node = DECIDING
        else:
            pop(s)
            push(s, SCOUT, 0, 0, 0)
    elif step == DRAW_ITEM:
        if ready_to_draw(s.item_cards):
            s.node = DRAWING
        else:
            pop(s)
    elif step == ITEM_GONE:
        s.item_cards[item_index(top(s, A))] = IN_DISCARD
        pop(s)
    elif step == CARD_LEAVES:
        face, how, defeated = top(s, A), top(s, B), top(s, C)
        pop(s)
        put_away(s, face, how, defeated)
    elif step == BESIDE_GONE:
        s.minions[top(s, A) - FABLE_FACE] = IN_DISCARD
        pop(s)
    elif step == DRAW_WOLF:
        draw_or_pass(s, count_in(s.wolves, IN_DECK))
    elif step == WOLF_BACK:
        draw_or_pass(s, count_in(s.wolves, IN_DISCARD))
    elif step == EXPLORE_ROLL or step == DROP_WOLF or step == TRAP_ROLL or step == REPLACE_SCOUTED:
        s.node = DRAWING
    else:
        s.node = DECIDING


@rule
def draw_or_pass(s, cards):
    """A draw from cards that are never reshuffled: with none left there is nothing to do."""
    if cards > 0:
        s.node = DRAWING
    else:
        pop(s)


@rule
def perform_roll_explore(s):
    for colour in range(5):
        if s.explore[colour] > 0:
            s.node = DECIDING
            return
    pop(s)


@rule
def has_window(step):
    """Steps at which items and the hero's ability may be used, besides those that are windows in every deck."""
    return (
        step == OFFERED
        or step == CHOOSING
        or step == EXPLORE
        or step == MERCHANT_VISIT
        or step == TRAVEL
        or step == BRIBERY
        or step == PAY_OR_BANISH
        or step == CAMP
    )


@rule
def legal(s, deck, mask):
    """Marks the legal actions; returns how many."""
    clear(mask)
    step = top(s, STEP)
    n = legal_uses(s, deck, mask) if has_window(step) else 0
    if step < FIRST_HOOK:
        n += legal_here(s, deck, step, mask)
    elif step == EXPLORE:
        n += legal_explore(s, deck, mask)
    elif step == ROLL_EXPLORE:
        for colour in range(5):
            if s.explore[colour] > 0:
                n += allow(mask, act.ROLL_NEXT + colour)
    elif step == MERCHANT_VISIT:
        n += legal_merchant(s, deck, mask)
    elif step == TRAVEL:
        n += legal_travel(s, deck, mask)
    elif step == PAY_OR_BANISH:
        n += legal_toll(s, deck, mask)
    elif step == CAMP:
        n += legal_camp(mask)
    elif step == BRIBERY:
        n += legal_bribery(s, deck, mask)
    elif step == SETUP_RAISE:
        n += legal_raise(s, mask)
    elif step == SWAP_SCOUTED or step == DISCARD_FROM_LINE:
        n += legal_swap(s, top(s, B), mask)
    elif step == NIGHT_OR_DICE:
        n += allow(mask, act.FIRST) + allow(mask, act.SECOND)
    elif step == CHOOSE_MODIFIER:
        n += legal_modifier(mask)
    return n


@rule
def apply(s, deck, action):
    """Plays a legal action and runs on to the next node."""
    step = top(s, STEP)
    if step < FIRST_HOOK:
        play(s, deck, step, action)
    elif USE_ITEM <= action <= USE_HERO:
        begin_afresh(s, step)
        if action == USE_HERO:
            use_hero(s, deck)
        else:
            use_item(s, deck, action - USE_ITEM)
    elif step == EXPLORE:
        play_explore(s, action)
    elif step == ROLL_EXPLORE:
        push(s, EXPLORE_ROLL, action - act.ROLL_NEXT, 0, 0)
    elif step == MERCHANT_VISIT:
        play_merchant(s, deck, action)
    elif step == TRAVEL:
        play_travel(s, action)
    elif step == PAY_OR_BANISH:
        play_toll(s, deck, action)
    elif step == CAMP:
        play_camp(s, deck, action)
    elif step == BRIBERY:
        play_bribery(s, deck, action)
    elif step == SETUP_RAISE:
        play_raise(s, action)
    elif step == SWAP_SCOUTED:
        play_swap(s, action)
    elif step == DISCARD_FROM_LINE:
        play_discard(s, action)
    elif step == NIGHT_OR_DICE:
        play_night_or_dice(s, action)
    elif step == CHOOSE_MODIFIER:
        play_modifier(s, deck, action)
    run(s, deck)


@rule
def begin_afresh(s, step):
    """What was used may bring weaker dice, which may then be chosen after stronger ones."""
    if step == EXPLORE:
        set_top(s, A, 0)
    elif step == MERCHANT_VISIT:
        set_top(s, B, 0)


@rule
def play_discard(s, action):
    """Discards a scouted card of the player's choice."""
    if action == act.DONE:
        set_top(s, A, 0)
    else:
        set_top(s, A, top(s, A) - 1)
        set_top(s, B, action - act.SCOUTED)
        s.minions[take_from_line(s, action - act.SCOUTED)] = IN_DISCARD


@rule
def chance(s, deck, weights):
    """Writes the weights of the pending chance event's outcomes; returns how many there are. A card's outcome is its number."""
    step = top(s, STEP)
    if step < FIRST_HOOK:
        return engagement.weigh(s, step, weights)
    if step == EXPLORE_ROLL:
        return weigh_die(top(s, A), weights)
    if step == TRAP_ROLL:
        return weigh_die(int(deck.numbers[TRAP_DIE]), weights)
    if step == PLACE_CARD:
        return weigh_zone(s.forest, IN_DECK, weights)
    if step == STOCK_SHOP or step == DRAW_ITEM:
        return weigh_zone(s.item_cards, IN_DECK, weights)
    if step == DRAW_WOLF or step == DROP_WOLF:
        return weigh_zone(s.wolves, IN_DECK, weights)
    if step == WOLF_BACK:
        return weigh_zone(s.wolves, IN_DISCARD, weights)
    return weigh_zone(s.minions, IN_DECK, weights)


@rule
def apply_chance(s, deck, outcome):
    """Lets one outcome happen and runs on to the next node."""
    step = top(s, STEP)
    if step < FIRST_HOOK:
        engagement.happen(s, deck, step, outcome)
    elif step == EXPLORE_ROLL:
        colour = top(s, A)
        pop(s)
        explore_with(s, deck, colour, outcome)
    elif step == TRAP_ROLL:
        spring_trap(s, deck, outcome)
    elif step == PLACE_CARD:
        place_card(s, outcome)
    elif step == STOCK_SHOP:
        stock(s, outcome)
    elif step == DRAW_ITEM:
        pop(s)
        s.item_cards[outcome] = IN_HAND
        push(s, TAKE_ITEM, ITEM_FACE + outcome, 0, 0)
    elif step == DRAW_WOLF:
        pop(s)
        activate_wolf(s, deck, outcome)
    elif step == DROP_WOLF:
        pop(s)
        s.wolves[outcome] = OUT
    elif step == WOLF_BACK:
        return_wolf(s, deck, outcome)
    elif step == SCOUT or step == STRATEGY_ROSE:
        add_to_line(s, outcome)
    elif step == REPLACE_SCOUTED:
        replace_scouted(s, outcome)
    elif step == ACTIVATE_ENEMIES:
        activate_minion(s, deck, outcome)
    elif step == DRAW_FABLE:
        pop(s)
        tell(s, deck, outcome)
    run(s, deck)
