"""The six functions of the contract."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import clear
from deckwood.lost_woods import phases as at
from deckwood.lost_woods.observe import observe
from deckwood.lost_woods.rules.attacking import (
    legal_attack,
    legal_lost,
    legal_potion,
    legal_revived,
    legal_weapon,
    play_attack,
    play_lost,
    play_potion,
    play_revived,
    play_weapon,
    roll,
    weigh_roll,
)
from deckwood.lost_woods.rules.ending import (
    legal_tie_potion,
    legal_tie_weapon,
    play_tie_potion,
    play_tie_weapon,
    roll_for_tie,
    rolling,
    weigh_lots,
    win,
)
from deckwood.lost_woods.rules.exploring import (
    draw_tile,
    legal_explore,
    legal_gnome,
    legal_magnet_item,
    legal_magnet_space,
    legal_over_limit,
    legal_well,
    place_card,
    play_explore,
    play_gnome,
    play_magnet_item,
    play_magnet_space,
    play_over_limit,
    play_well,
    weigh_cards,
    weigh_tiles,
)
from deckwood.lost_woods.rules.moving import (
    legal_move,
    legal_teleport,
    legal_third_spell,
    play_move,
    play_teleport,
    play_third_spell,
)
from deckwood.lost_woods.rules.setup import setup, start, weigh_starters
from deckwood.lost_woods.rules.weapons import die_of, weigh_die

__all__ = ["apply", "apply_chance", "chance", "legal", "observe", "setup"]


@rule
def legal(s, deck, mask):
    """Marks the legal actions; returns how many."""
    clear(mask)
    phase = int(s.phase)
    if phase == at.MOVING:
        return legal_move(s, deck, mask)
    if phase == at.EXPLORING:
        return legal_explore(s, deck, mask)
    if phase == at.OVER_LIMIT:
        return legal_over_limit(s, mask)
    if phase == at.RICHEST or phase == at.POOREST:
        return legal_gnome(s, mask)
    if phase == at.AT_WELL:
        return legal_well(s, deck, mask)
    if phase == at.THIRD_SPELL:
        return legal_third_spell(s, mask)
    if phase == at.MAGNET_ITEM:
        return legal_magnet_item(s, mask)
    if phase == at.MAGNET_SPACE:
        return legal_magnet_space(s, mask)
    if phase == at.TELEPORTING:
        return legal_teleport(s, mask)
    if phase == at.ATTACKING:
        return legal_attack(s, mask)
    if phase == at.CHOOSING_WEAPON:
        return legal_weapon(s, deck, mask)
    if phase == at.ROLLED:
        return legal_potion(mask)
    if phase == at.BATTLE_LOST:
        return legal_lost(s, mask)
    if phase == at.REVIVED:
        return legal_revived(s, deck, mask)
    if phase == at.TIE_WEAPON:
        return legal_tie_weapon(s, deck, mask)
    return legal_tie_potion(s, mask)


@rule
def apply(s, deck, action):
    """Plays a legal action and runs on to the next node."""
    phase = int(s.phase)
    if phase == at.MOVING:
        play_move(s, deck, action)
    elif phase == at.EXPLORING:
        play_explore(s, deck, action)
    elif phase == at.OVER_LIMIT:
        play_over_limit(s, deck, action)
    elif phase == at.RICHEST or phase == at.POOREST:
        play_gnome(s, deck, action)
    elif phase == at.AT_WELL:
        play_well(s, deck, action)
    elif phase == at.THIRD_SPELL:
        play_third_spell(s, deck, action)
    elif phase == at.MAGNET_ITEM:
        play_magnet_item(s, action)
    elif phase == at.MAGNET_SPACE:
        play_magnet_space(s, deck, action)
    elif phase == at.TELEPORTING:
        play_teleport(s, action)
    elif phase == at.ATTACKING:
        play_attack(s, action)
    elif phase == at.CHOOSING_WEAPON:
        play_weapon(s, deck, action)
    elif phase == at.ROLLED:
        play_potion(s, deck, action)
    elif phase == at.BATTLE_LOST:
        play_lost(s, deck, action)
    elif phase == at.REVIVED:
        play_revived(s, action)
    elif phase == at.TIE_WEAPON:
        play_tie_weapon(s, deck, action)
    elif phase == at.TIE_ROLLED:
        play_tie_potion(s, action)


@rule
def chance(s, deck, weights):
    """Writes the weights of the pending chance event's outcomes; returns how many there are."""
    phase = int(s.phase)
    if phase == at.STARTER:
        return weigh_starters(s, weights)
    if phase == at.DRAW_CARD:
        return weigh_cards(s, weights)
    if phase == at.DRAW_TILE:
        return weigh_tiles(s, weights)
    if phase == at.TIE_DIE:
        return weigh_die(die_of(deck, int(s.duel_item[rolling(s)])), weights)
    if phase == at.TIE_LOTS:
        return weigh_lots(s, weights)
    return weigh_roll(s, deck, weights)


@rule
def apply_chance(s, deck, outcome):
    """Lets an outcome happen and runs on to the next node."""
    phase = int(s.phase)
    if phase == at.STARTER:
        start(s, outcome)
    elif phase == at.DRAW_CARD:
        place_card(s, deck, outcome)
    elif phase == at.DRAW_TILE:
        draw_tile(s, deck, outcome)
    elif phase == at.TIE_DIE:
        roll_for_tie(s, outcome + 1)
    elif phase == at.TIE_LOTS:
        win(s, outcome)
    else:
        roll(s, deck, outcome + 1)
