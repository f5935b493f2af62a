"""Attack: one enemy, one weapon or spell, one roll each; the guardian takes three."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.lost_woods import actions as act
from deckwood.lost_woods.phases import ATTACKING, BATTLE_LOST, CHOOSING_WEAPON, FOE_DIE, OWN_DIE, REVIVED, ROLLED
from deckwood.lost_woods.rules.ending import end_game, game_is_over
from deckwood.lost_woods.rules.inventory import gain_gold, holds, is_armed, lay_down, use_spell
from deckwood.lost_woods.rules.turn import end_turn, wait_for
from deckwood.lost_woods.rules.weapons import allow_weapons, die_of, die_weights, spend_potion, use_weapon
from deckwood.lost_woods.state import (
    CAMP_CENTRE,
    DEFEATED,
    FOE_DICE,
    FOE_GOLD,
    FULLY_EXPLORED,
    GOLD,
    GUARDIAN,
    MAX_ENEMIES,
    NONE,
    NUM_DICE,
    NUM_DIRECTIONS,
    POTION,
    REVIVE,
)


@rule
def begin_attack(s, deck):
    """The Attack step, where there is somebody to attack and something to attack with."""
    here = int(s.at[s.turn])
    if game_is_over(s):
        end_game(s, deck, FULLY_EXPLORED)
    elif s.foes[here] > 0 and is_armed(s, deck, int(s.turn)):
        wait_for(s, ATTACKING)
    else:
        end_turn(s)


@rule
def guardian_on(s, space):
    """The direction whose guardian stands on a space, or NONE."""
    for direction in range(NUM_DIRECTIONS):
        if s.guardian_at[direction] == space:
            return direction
    return NONE


@rule
def guardian_here(s):
    """The direction whose guardian stands in the adventurer's room, or NONE."""
    return guardian_on(s, int(s.at[s.turn]))


@rule
def foe_traits(s, deck):
    """The enemy fought: up to three dice and the gold for defeating it."""
    return deck.guardians[guardian_here(s)] if s.foe == GUARDIAN else deck.enemies[s.foe]


@rule
def foe_die(s, deck):
    """The die that the enemy rolls next."""
    return int(foe_traits(s, deck)[s.wins])


@rule
def rolls_needed(s, deck):
    n = 0
    for place in range(FOE_DICE):
        n += 1 if foe_traits(s, deck)[place] != NONE else 0
    return n


@rule
def legal_attack(s, mask):
    n = allow(mask, act.DONE)
    for kind in range(MAX_ENEMIES):
        if s.enemies[s.at[s.turn], kind] > 0:
            n += allow(mask, act.ATTACK + kind)
    if guardian_here(s) != NONE:
        n += allow(mask, act.ATTACK + GUARDIAN)
    return n


@rule
def play_attack(s, action):
    if action == act.DONE:
        end_turn(s)
    else:
        s.foe = action - act.ATTACK
        wait_for(s, CHOOSING_WEAPON)


@rule
def legal_weapon(s, deck, mask):
    return allow_weapons(s, deck, int(s.turn), mask)


@rule
def play_weapon(s, deck, action):
    s.weapon = use_weapon(s, deck, action)
    s.own_roll = 0
    s.foe_roll = 0
    wait_for(s, OWN_DIE)


@rule
def roll_weights(s, deck, weights):
    return die_weights(die_of(deck, int(s.weapon)) if s.phase == OWN_DIE else foe_die(s, deck), weights)


@rule
def roll(s, deck, face):
    """You roll for yourself, then another player for the enemy; after that potions may re-roll either die."""
    if s.phase == OWN_DIE:
        s.own_roll = face
    else:
        s.foe_roll = face
    if s.foe_roll == 0:
        wait_for(s, FOE_DIE)
    elif s.carried[s.turn, POTION] > 0:
        wait_for(s, ROLLED)
    else:
        settle(s, deck)


@rule
def legal_potion(mask):
    return allow(mask, act.DONE) + allow(mask, act.REROLL_FOE) + allow(mask, act.REROLL)


@rule
def play_potion(s, deck, action):
    if action == act.DONE:
        settle(s, deck)
    else:
        spend_potion(s, int(s.turn))
        wait_for(s, OWN_DIE if action == act.REROLL else FOE_DIE)


@rule
def settle(s, deck):
    """Higher: the enemy is defeated. The same: nothing happens. Lower: the battle is lost."""
    if s.own_roll < s.foe_roll:
        wait_for(s, BATTLE_LOST)
    elif s.own_roll == s.foe_roll:
        end_turn(s)
    elif s.wins + 1 == rolls_needed(s, deck):
        defeat(s, deck)
    else:
        s.wins += 1
        if is_armed(s, deck, int(s.turn)):
            wait_for(s, CHOOSING_WEAPON)
        else:
            end_turn(s)


@rule
def defeat(s, deck):
    """The enemy goes to the discard pile, and its gold to the adventurer."""
    gain_gold(s, int(s.turn), int(foe_traits(s, deck)[FOE_GOLD]))
    here = int(s.at[s.turn])
    if s.foe == GUARDIAN:
        s.guardian_at[guardian_here(s)] = DEFEATED
    else:
        s.enemies[here, s.foe] -= 1
    s.foes[here] -= 1
    if game_is_over(s):
        end_game(s, deck, FULLY_EXPLORED)
    else:
        end_turn(s)


@rule
def legal_lost(s, mask):
    """Drop either one gold or the weapon; with magic, one gold; with nothing to drop, go back without."""
    n = 0
    if s.carried[s.turn, GOLD] > 0:
        n += allow(mask, act.DROP + GOLD)
    if s.weapon < NUM_DICE:
        n += allow(mask, act.DROP + int(s.weapon))
    if n == 0:
        n += allow(mask, act.DONE)
    if holds(s, int(s.turn), REVIVE) == 1:
        n += allow(mask, act.CAST + REVIVE)
    return n


@rule
def play_lost(s, deck, action):
    seat = int(s.turn)
    if action == act.CAST + REVIVE:
        use_spell(s, deck, REVIVE)
        wait_for(s, REVIVED)
        return
    if action != act.DONE:
        lay_down(s, seat, int(s.at[seat]), action - act.DROP)
    s.at[seat] = CAMP_CENTRE
    end_turn(s)


@rule
def legal_revived(s, deck, mask):
    n = allow(mask, act.DONE)
    if is_armed(s, deck, int(s.turn)):
        n += allow(mask, act.AGAIN)
    return n


@rule
def play_revived(s, action):
    """Attacking again is an attack of its own: a guardian's rolls are all made afresh."""
    if action == act.DONE:
        end_turn(s)
    else:
        s.wins = 0
        wait_for(s, CHOOSING_WEAPON)
