"""The six functions of the contract."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow, clear
from deckwood.etherfields import actions as act
from deckwood.etherfields.observe import observe
from deckwood.etherfields.rules.boss import boss_activation, summon
from deckwood.etherfields.rules.cards import (
    banish,
    face_with_row,
    flip,
    item_gone,
    perform_reveal,
    put_away,
    resolved,
    reveal,
    take_flipped,
    weigh_draw,
    weigh_zone,
)
from deckwood.etherfields.rules.dream import discard_map_card, flip_map_card, perform_exploring, place_map_card, play_moving, return_home
from deckwood.etherfields.rules.payment import legal_paying, perform_paying, play_paying
from deckwood.etherfields.rules.rounds import (
    activate,
    any_after,
    banish_random,
    begin_round,
    draw_card,
    draw_item,
    forget_damage,
    legal_discard_cards,
    legal_flipping,
    perform_activate,
    perform_banish_random,
    perform_cleanup,
    perform_discard_cards,
    perform_draw_cards,
    perform_draw_item,
    perform_end_round,
    perform_flipping,
    perform_recover_dice,
    perform_refill,
    perform_take_random,
    play_discard_cards,
    play_flipping,
    play_penalty,
    take_random,
)
from deckwood.etherfields.rules.setup import (
    begin,
    choose_boss,
    choose_hero,
    die,
    game_over,
    lay_out,
    legal_choose_boss,
    legal_choose_hero,
    pay,
    perform_choose_boss,
    perform_choose_hero,
)
from deckwood.etherfields.rules.taking import (
    accept_item,
    choose_cost,
    is_action_window,
    is_taking,
    is_use,
    legal_aim_assault,
    legal_discards,
    legal_moving,
    legal_taking,
    legal_uses,
    perform_choose_cost,
    perform_moving,
    perform_paid,
    play_aim_assault,
    play_taking,
    play_use,
)
from deckwood.etherfields.state import (
    ADVANCE_ETHER,
    BANISH_CARD,
    BANISH_INFLUENCE,
    DISCARD_INFLUENCE,
    DISCARD_MAP,
    DRAW_INFLUENCE,
    ENEMY_DECK,
    FLIP_AND_TAKE,
    FLIP_CARD,
    FLIP_ENEMY,
    FLIP_MAP,
    IF_ETHER,
    IN_DECK,
    IN_DISCARD,
    IN_PLAY,
    INFLUENCE_DECK,
    ITEM_DECK,
    MAP_DECK,
    MOVE,
    NUM_CARDS,
    RECALL,
    RETURN_HOME,
    SET_ETHER,
    SUMMON,
)
from deckwood.etherfields.steps import (
    ACTIVATE_ENEMIES,
    AIM_ASSAULT,
    BANISH_RANDOM,
    BOSS_ACTIVATION,
    CHOOSE_BOSS,
    CHOOSE_COST,
    CHOOSE_HERO,
    CLEANUP,
    DISCARD_CARDS,
    DRAW_AN_ITEM,
    DRAW_CARDS,
    END_ROUND,
    ENGAGEMENT,
    EXPLORING,
    FLIPPING,
    GAME_OVER,
    LAY_OUT,
    LOSE_MAP_CARD,
    MOVING,
    PAID,
    PAYING,
    PENALTY,
    REFILL,
    RESOLVED,
    REVEAL,
    ROUND,
    TAKE_RANDOM,
    WINDOW,
)
from deckwood.strong import engagement
from deckwood.strong.cards import announce
from deckwood.strong.effects import check_falls, multiplier
from deckwood.strong.engagement import choose_branch, engage, legal_here, play
from deckwood.strong.steps import (
    ACTIVATE_MORE,
    AFTER_EFFECTS,
    CARD_LEAVES,
    DECIDING,
    DRAW_ITEM,
    DRAWING,
    EFFECTS,
    FIRST_HOOK,
    ITEM_GONE,
    OVER,
    RECOVER_DICE,
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
from deckwood.strong.terms import COUNT, ETHER_CHANGED, HEALTH, NONE, NUM_COLOURS, OP, PER, SLOTS, WHAT
from deckwood.strong.vocabulary import BANISH_APPLIED, FIRST_DECK_OP, FLEE, RETURN_TO_DECK

__all__ = ["apply", "apply_chance", "chance", "legal", "observe", "setup"]


@rule
def setup(s, deck, options):
    """A fresh position at its first node. ``s`` is zero but for what a campaign remembers: the sides of the cards."""
    begin(s, options)
    run(s, deck)


@rule
def run(s, deck):
    """Carries out the agenda until there is something to decide or to draw, or the game is over."""
    s.node = RUNNING
    while goes_on(s):
        step = top(s, STEP)
        if s.unsettled and may_settle(step) and check_falls(s, deck):
            continue
        if step == EFFECTS and top(s, A) < top(s, B) and deck.effects[top(s, A), OP] >= FIRST_DECK_OP:
            perform_effect(s, deck)
        elif step == EFFECTS and misses_its_enemy(s, deck):
            set_top(s, A, top(s, A) + 1)
        elif step == AFTER_EFFECTS and any_after(s, deck):
            s.node = DECIDING
        elif step == RECOVER_DICE:
            perform_recover_dice(s, deck)
        elif step < FIRST_HOOK:
            engagement.perform(s, deck, step)
        else:
            perform(s, deck, step)
        if s.hero != NONE and s.stats[HEALTH] < 1 and s.node != OVER:
            die(s, deck)
    come_to_rest(s)
    pay(s)


@rule
def may_settle(step):
    """True if it may be asked who falls: what is spent is spent at once, and a card that leaves is put away first."""
    return step != PAYING and step != ITEM_GONE and step != CARD_LEAVES


@rule
def misses_its_enemy(s, deck):
    """True if the next instruction is about its enemy, and another one, or none, has taken its place since."""
    row, slot = top(s, A), top(s, C)
    if row >= top(s, B) or slot < 0 or slot >= SLOTS:
        return False
    op = int(deck.effects[row, OP])
    if op != FLEE and op != RETURN_TO_DECK and op != BANISH_APPLIED:
        return False
    face, there = face_with_row(deck, row), int(s.slot[slot])
    return there != face and there != (face + NUM_CARDS) % (2 * NUM_CARDS)


@rule
def perform_effect(s, deck):
    """Carries out an instruction that only Etherfields has."""
    row = top(s, A)
    set_top(s, A, row + 1)
    op = int(deck.effects[row, OP])
    what = int(deck.effects[row, WHAT])
    count = int(deck.effects[row, COUNT]) * multiplier(s, deck, int(deck.effects[row, PER]))
    if op == DRAW_INFLUENCE:
        push(s, DRAW_CARDS, count, 0, 0)
    elif op == DISCARD_INFLUENCE:
        push(s, DISCARD_CARDS, count, 0, 0)
    elif op == RECALL:
        push(s, TAKE_RANDOM, count, 0, 0)
    elif op == BANISH_INFLUENCE:
        push(s, BANISH_RANDOM, count, 0, 0)
    elif op == SET_ETHER:
        change_ether(s, deck, what)
    elif op == ADVANCE_ETHER:
        change_ether(s, deck, (int(s.ether) + 1) % NUM_COLOURS)
    elif op == IF_ETHER:
        choose_branch(s, s.ether == what, count)
    elif op == FLIP_CARD:
        flip(s, deck, face_with_row(deck, row))
    elif op == FLIP_AND_TAKE:
        take_flipped(s, deck, face_with_row(deck, row))
    elif op == BANISH_CARD:
        banish(s, deck, face_with_row(deck, row))
    elif op == FLIP_ENEMY:
        push(s, FLIPPING, 0, 0, 0)
    elif op == FLIP_MAP:
        flip_map_card(s, deck)
    elif op == DISCARD_MAP:
        push(s, LOSE_MAP_CARD, 0, 0, 0)
    elif op == MOVE:
        push(s, MOVING, count, 0, 0)
    elif op == RETURN_HOME:
        return_home(s, deck)
    elif op == SUMMON:
        summon(s, deck)


@rule
def change_ether(s, deck, colour):
    """Sets the ether."""
    if s.ether != colour:
        s.ether = colour
        announce(s, deck, ETHER_CHANGED)


@rule
def perform(s, deck, step):
    """Does a hook or a step of Etherfields up to its choice, or all of it where it has none."""
    if step == ROUND:
        pop(s)
        begin_round(s, deck)
    elif step == REVEAL:
        perform_reveal(s, deck)
    elif step == DISCARD_CARDS:
        perform_discard_cards(s)
    elif step == REFILL:
        perform_refill(s, deck)
    elif step == DRAW_CARDS:
        perform_draw_cards(s, deck)
    elif step == BANISH_RANDOM:
        perform_banish_random(s, deck)
    elif step == ACTIVATE_ENEMIES:
        perform_activate(s, deck)
    elif step == ACTIVATE_MORE:
        enemies = top(s, A)
        pop(s)
        push(s, ACTIVATE_ENEMIES, enemies, 0, 0)
    elif step == BOSS_ACTIVATION:
        pop(s)
        boss_activation(s, deck)
    elif step == ENGAGEMENT:
        pop(s)
        engage(s, deck)
        forget_damage(s)
    elif step == CLEANUP:
        perform_cleanup(s, deck)
    elif step == END_ROUND:
        perform_end_round(s)
    elif step == CHOOSE_COST:
        perform_choose_cost(s, deck)
    elif step == PAYING:
        perform_paying(s, deck)
    elif step == PAID:
        perform_paid(s, deck)
    elif step == MOVING:
        perform_moving(s, deck)
    elif step == EXPLORING:
        perform_exploring(s, deck)
    elif step == TAKE_RANDOM:
        perform_take_random(s, deck)
    elif step == DRAW_ITEM:
        pop(s)
        push(s, DRAW_AN_ITEM, 0, 0, 0)
    elif step == DRAW_AN_ITEM:
        perform_draw_item(s, deck)
    elif step == FLIPPING:
        perform_flipping(s, deck)
    elif step == LOSE_MAP_CARD:
        s.node = DRAWING
    elif step == ITEM_GONE:
        face = top(s, A)
        pop(s)
        item_gone(s, deck, face)
    elif step == CARD_LEAVES:
        face, how, defeated = top(s, A), top(s, B), top(s, C)
        pop(s)
        s.beaten += defeated
        put_away(s, deck, face % NUM_CARDS, how)
    elif step == RESOLVED:
        card, how = top(s, A), top(s, B)
        pop(s)
        resolved(s, deck, card, how)
    elif step == STRATEGY_ROSE:
        pop(s)
    elif step == CHOOSE_BOSS:
        perform_choose_boss(s, deck)
    elif step == CHOOSE_HERO:
        perform_choose_hero(s, deck)
    elif step == LAY_OUT:
        lay_out(s, deck)
    elif step == GAME_OVER:
        game_over(s, deck, top(s, A))
    else:
        s.node = DECIDING


@rule
def legal(s, deck, mask):
    """Marks the legal actions; returns how many."""
    clear(mask)
    step = top(s, STEP)
    n = 0
    if step < FIRST_HOOK:
        n += legal_here(s, deck, step, mask)
    elif step == WINDOW:
        n += allow(mask, act.DONE)
    elif step == DISCARD_CARDS:
        n += legal_discard_cards(s, mask)
    elif step == AIM_ASSAULT:
        n += legal_aim_assault(s, deck, mask)
    elif step == PENALTY or step == CHOOSE_COST:
        n += allow(mask, act.FIRST) + allow(mask, act.SECOND)
    elif step == PAYING:
        n += legal_paying(s, deck, mask)
    elif step == MOVING:
        n += legal_moving(s, deck, mask)
    elif step == FLIPPING:
        n += legal_flipping(s, deck, mask)
    elif step == CHOOSE_BOSS:
        n += legal_choose_boss(s, deck, mask)
    elif step == CHOOSE_HERO:
        n += legal_choose_hero(s, deck, mask)
    if is_action_window(step):
        n += legal_taking(s, deck, step, mask) + legal_discards(s, mask)
    if is_action_window(step) or step == TAKE_ITEM:
        n += legal_uses(s, deck, mask)
    return n


@rule
def apply(s, deck, action):
    """Plays a legal action and runs on to the next node."""
    step = top(s, STEP)
    if is_use(action):
        play_use(s, deck, action)
    elif is_action_window(step) and is_taking(action):
        play_taking(s, deck, action)
    elif step == TAKE_ITEM and action == act.ACCEPT:
        accept_item(s, deck)
    elif step < FIRST_HOOK:
        play(s, deck, step, action)
    elif step == WINDOW:
        pop(s)
    elif step == DISCARD_CARDS:
        play_discard_cards(s, action)
    elif step == PENALTY:
        play_penalty(s, deck, action)
    elif step == AIM_ASSAULT:
        play_aim_assault(s, deck, action - act.TARGET_CARD)
    elif step == CHOOSE_COST:
        choose_cost(s, deck, 0 if action == act.FIRST else 1)
    elif step == PAYING:
        play_paying(s, deck, action)
    elif step == MOVING:
        play_moving(s, deck, action)
    elif step == FLIPPING:
        play_flipping(s, deck, action)
    elif step == CHOOSE_BOSS:
        choose_boss(s, action - act.PICK_BOSS)
    elif step == CHOOSE_HERO:
        choose_hero(s, deck, action - act.PICK_HERO)
    run(s, deck)


@rule
def chance(s, deck, weights):
    """Writes the weights of the pending chance event's outcomes; returns how many there are. A card's outcome is its number."""
    step = top(s, STEP)
    if step < FIRST_HOOK:
        return engagement.weigh(s, step, weights)
    if step == REVEAL:
        return weigh_zone(s, deck, top(s, A), IN_DECK, weights)
    if step == BANISH_RANDOM:
        return weigh_zone(s, deck, INFLUENCE_DECK, IN_DECK, weights)
    if step == TAKE_RANDOM:
        return weigh_zone(s, deck, INFLUENCE_DECK, IN_DISCARD, weights)
    if step == LOSE_MAP_CARD:
        return weigh_zone(s, deck, MAP_DECK, IN_PLAY, weights)
    if step == DRAW_CARDS:
        return weigh_draw(s, deck, INFLUENCE_DECK, weights)
    if step == ACTIVATE_ENEMIES:
        return weigh_draw(s, deck, ENEMY_DECK, weights)
    if step == DRAW_AN_ITEM:
        return weigh_draw(s, deck, ITEM_DECK, weights)
    return weigh_draw(s, deck, MAP_DECK, weights)  # EXPLORING


@rule
def apply_chance(s, deck, outcome):
    """Lets one outcome happen and runs on to the next node."""
    step = top(s, STEP)
    if step < FIRST_HOOK:
        engagement.happen(s, deck, step, outcome)
    elif step == REVEAL:
        reveal(s, outcome)
    elif step == BANISH_RANDOM:
        banish_random(s, outcome)
    elif step == TAKE_RANDOM:
        take_random(s, deck, outcome)
    elif step == LOSE_MAP_CARD:
        discard_map_card(s, deck, outcome)
    elif step == DRAW_CARDS:
        draw_card(s, deck, outcome)
    elif step == ACTIVATE_ENEMIES:
        activate(s, deck, outcome)
    elif step == DRAW_AN_ITEM:
        draw_item(s, outcome)
    elif step == EXPLORING:
        place_map_card(s, deck, outcome)
    run(s, deck)
