"""What things in the Lost Woods are worth to an adventurer, in gold pieces: gold itself as the race stands, items, fights, tiles.

``w`` are the weights by which it all is held (:mod:`.weights`). ``view`` is what a decision looks at
once (:func:`look`): the lead and how near the end is, then the worth of a weapon of each die.
"""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.lost_woods.rules.attacking import guardian_on
from deckwood.lost_woods.rules.inventory import fights, held, holds, largest_die, lead_of, spells_held
from deckwood.lost_woods.rules.weapons import die_of
from deckwood.lost_woods.rules.woods import is_open
from deckwood.lost_woods.state import (
    CAMP_CENTRE,
    CARDS_PER_DECK,
    DICE,
    ENEMY_TILE,
    FIRST_SPELL,
    FOE_DICE,
    FOE_GOLD,
    GNOME_TILE,
    GOLD,
    GOLD_TILE,
    GUARDIAN,
    MAGNET,
    MAX_ENEMIES,
    MAX_HELD,
    MAX_SPELLS,
    MOVES,
    NONE,
    NUM_DICE,
    NUM_DIRECTIONS,
    NUM_SPACES,
    NUM_SPELLS,
    NUM_TILES,
    PLUS_TWO_TILE,
    POTION,
    POTION_TILE,
    REVIVE,
    TELEPORT,
    UNREACHED,
)
from deckwood_agents.players.scripted.lost_woods.odds import loss_chance, potions_used, win_chance

NEVER = -1000.0

LEAD, NEARNESS, DIE_VALUE = 0, 1, 2  # places in ``view``


# How the race stands --------------------------------------------------------------------------------------------------------------------


@rule
def leads_out(s, deck, space):
    """Whether one can escape from a space, once no enemy is there."""
    for direction in range(NUM_DIRECTIONS):
        if s.left[direction] == 0 and is_open(s, deck, space, direction):
            return True
    return False


@rule
def moves_to_exit(s, deck, seat):
    """Moves to the nearest space that one can escape from; UNREACHED where there is none."""
    nearest = UNREACHED
    for space in range(NUM_SPACES):
        if s.placed[space] == 1 and s.foes[space] == 0 and leads_out(s, deck, space):
            nearest = min(nearest, int(s.distance[s.at[seat], space]))
    return nearest


@rule
def smallest_deck(s):
    least = CARDS_PER_DECK
    for direction in range(NUM_DIRECTIONS):
        least = min(least, int(s.left[direction]))
    return least


@rule
def nearness_of_end(s, deck, w, seat):
    """From 0 (far) to 1 (the leader is about to escape)."""
    least = smallest_deck(s)
    if least > 0:
        return max(w.far, w.near - w.near_card * least)
    nearest = UNREACHED
    for other in range(s.players):
        if other != seat and lead_of(s, other) >= 0:
            nearest = min(nearest, moves_to_exit(s, deck, other))
    if nearest <= MOVES:
        return w.exit_now
    return w.exit_next if nearest <= 2 * MOVES else w.exit_later


@rule
def chance_of_lead(w, lead, nearness):
    """The chance of winning as far as a lead tells: near the end it decides, far from it little."""
    half = w.decisive + w.undecided * max(0.0, 1.0 - nearness)
    return min(1.0, max(0.0, 0.5 + 0.5 * lead / half))


@rule
def gold_value(w, view, change):
    """Of some pieces more or less."""
    race = chance_of_lead(w, view[LEAD] + change, view[NEARNESS]) - chance_of_lead(w, view[LEAD], view[NEARNESS])
    return (1.0 - w.spent * view[NEARNESS]) * change + w.game * view[NEARNESS] * race


# Items ----------------------------------------------------------------------------------------------------------------------------------


@rule
def number_of(s, kind):
    """Of a kind of enemy, those in the bag and on the map."""
    n = int(s.bag[ENEMY_TILE + kind])
    for space in range(NUM_SPACES):
        if s.foes[space] > 0:
            n += int(s.enemies[space, kind])
    return n


@rule
def die_value(s, deck, w, die):
    """Of a weapon with this die, by the enemies in the bag and on the map."""
    total, n = 0.0, 0
    for kind in range(MAX_ENEMIES):
        if deck.enemies[kind, 0] != NONE:
            foe, count = int(deck.enemies[kind, 0]), number_of(s, kind)
            total += count * max(0.0, win_chance(die, foe, 0) * deck.enemies[kind, FOE_GOLD] - loss_chance(die, foe, 0))
            n += count
    return w.fights_ahead * total / max(1, n) + w.side * DICE[die]


@rule
def look(s, deck, w, seat):
    """What a decision looks at once."""
    return (
        float(lead_of(s, seat)),
        nearness_of_end(s, deck, w, seat),
        die_value(s, deck, w, 0),
        die_value(s, deck, w, 1),
        die_value(s, deck, w, 2),
        die_value(s, deck, w, 3),
        die_value(s, deck, w, 4),
    )


@rule
def weapons_value(s, w, view, seat, more, less):
    """Of a seat's weapons, with one of die ``more`` added and one of die ``less`` taken away (NONE: none)."""
    shares = (1.0, w.second, w.third)
    value, rank = 0.0, 0
    for place in range(NUM_DICE):
        die = NUM_DICE - 1 - place
        count = int(s.carried[seat, die]) + (1 if die == more else 0) - (1 if die == less else 0)
        for _ in range(count):
            if rank < len(shares):
                value += shares[rank] * view[DIE_VALUE + die]
            rank += 1
    return value


@rule
def spell_value(deck, w, spell):
    if fights(deck, spell):
        return w.combat_spell
    if spell == MAGNET:
        return w.magnet
    if spell == REVIVE:
        return w.revive
    return w.teleport if spell == TELEPORT else w.stride


@rule
def least_valuable_spell(s, deck, w, seat):
    """The spell held that is worth least; NONE where none is held."""
    least = NONE
    for spell in range(NUM_SPELLS):
        if holds(s, seat, spell) == 1 and (least == NONE or spell_value(deck, w, spell) < spell_value(deck, w, least)):
            least = spell
    return least


@rule
def loss_of(s, w, view, seat, item):
    """What giving a weapon or potion away costs."""
    if item == POTION:
        return w.potion
    return weapons_value(s, w, view, seat, NONE, NONE) - weapons_value(s, w, view, seat, NONE, item)


@rule
def least_valuable_item(s, w, view, seat):
    """The weapon or potion that is missed least; NONE where there is none."""
    least, least_loss = NONE, 0.0
    for item in range(POTION + 1):
        if s.carried[seat, item] > 0:
            loss = loss_of(s, w, view, seat, item)
            if least == NONE or loss < least_loss:
                least, least_loss = item, loss
    return least


@rule
def gain_of(s, w, view, seat, item):
    """What one more weapon or potion brings; where there is no room, in exchange for the one that is missed least."""
    less = least_valuable_item(s, w, view, seat) if held(s, seat) >= MAX_HELD else NONE
    price = w.potion if less == POTION else 0.0
    gone = NONE if less == POTION else less
    more = w.potion if item == POTION else 0.0
    die = NONE if item == POTION else item
    return max(0.0, weapons_value(s, w, view, seat, die, gone) - weapons_value(s, w, view, seat, NONE, NONE) + more - price)


@rule
def gain_of_spell(s, deck, w, seat, spell):
    """What one more spell brings; where there is no room, in exchange for the one that is worth least."""
    value = spell_value(deck, w, spell)
    if spells_held(s, seat) < MAX_SPELLS:
        return value
    return max(0.0, value - spell_value(deck, w, least_valuable_spell(s, deck, w, seat)))


# Fights ---------------------------------------------------------------------------------------------------------------------------------


@rule
def foe_traits_of(s, deck, kind, space):
    """The dice and the gold of a kind of enemy, or of the guardian of a space."""
    return deck.enemies[kind] if kind < GUARDIAN else deck.guardians[guardian_on(s, space)]


@rule
def prize(s, deck, w, view, traits):
    """The gold of an enemy, as far as the supply goes."""
    return gold_value(w, view, min(int(traits[FOE_GOLD]), int(s.supply)))


@rule
def cost_of_defeat(s, deck, w, view, seat, item, space):
    """A lost battle: a piece of gold or the weapon, whichever is missed less, and the way back from the camp."""
    way_back = w.way_back * min(9, int(s.distance[CAMP_CENTRE, space]))
    cost = 0.0
    if s.carried[seat, GOLD] > 0:
        cost = -gold_value(w, view, -1.0)
        if item < NUM_DICE:
            cost = min(cost, loss_of(s, w, view, seat, item))
    elif item < NUM_DICE:
        cost = loss_of(s, w, view, seat, item)
    if holds(s, seat, REVIVE) == 1:
        return min(cost + way_back, w.revive)
    return cost + way_back


@rule
def can_use(s, deck, seat, item):
    """Whether a seat can fight with a weapon or a spell."""
    if item < NUM_DICE:
        return s.carried[seat, item] > 0
    return item >= FIRST_SPELL and holds(s, seat, item - FIRST_SPELL) == 1 and fights(deck, item - FIRST_SPELL)


@rule
def fight_value_with(s, deck, w, view, seat, traits, item, space):
    """A fight against an enemy with one die, with one weapon or spell; with potions or without, whichever is better."""
    own, foe = die_of(deck, item), int(traits[0])
    cost = cost_of_defeat(s, deck, w, view, seat, item, space)
    gold = prize(s, deck, w, view, traits)
    price = w.combat_spell if item >= FIRST_SPELL else 0.0
    value = win_chance(own, foe, 0) * gold - loss_chance(own, foe, 0) * cost - price
    potions = int(s.carried[seat, POTION])
    if potions > 0:
        used = potions_used(own, foe, potions) * w.potion
        value = max(value, win_chance(own, foe, potions) * gold - loss_chance(own, foe, potions) * cost - price - used)
    return value


@rule
def any_combat_spell(s, deck, seat):
    """The combat spell with the most sides; NONE without one."""
    best = NONE
    for spell in range(NUM_SPELLS):
        if can_use(s, deck, seat, FIRST_SPELL + spell) and (best == NONE or die_of(deck, FIRST_SPELL + spell) > die_of(deck, best)):
            best = FIRST_SPELL + spell
    return best


@rule
def combat_spells(s, deck, seat):
    n = 0
    for spell in range(NUM_SPELLS):
        n += 1 if can_use(s, deck, seat, FIRST_SPELL + spell) else 0
    return n


@rule
def harder_rolls(traits, first, place):
    """How many of a guardian's rolls from ``first`` on are harder than the one at ``place``."""
    n = 0
    for other in range(first, FOE_DICE):
        if traits[other] > traits[place] or (traits[other] == traits[place] and other < place):
            n += 1
    return n


@rule
def guardian_item(s, deck, seat, traits, place):
    """What the roll at ``place`` against a guardian is fought with: magic is kept for the hardest rolls. NONE: nothing is left."""
    weapon = largest_die(s, seat)
    spell = any_combat_spell(s, deck, seat)
    if spell == NONE or (weapon != NONE and die_of(deck, spell) <= weapon):
        return weapon
    if weapon == NONE or harder_rolls(traits, place, place) < combat_spells(s, deck, seat):
        return spell
    return weapon


@rule
def guardian_value(s, deck, w, view, seat, traits, first, space):
    """The rest of a fight against a guardian, from its roll ``first`` on. A draw ends it and costs nothing."""
    weapon = largest_die(s, seat)
    spell = any_combat_spell(s, deck, seat)
    spells, potions = combat_spells(s, deck, seat), int(s.carried[seat, POTION])
    value = prize(s, deck, w, view, traits)
    for back in range(FOE_DICE - first):
        place = FOE_DICE - 1 - back
        if traits[place] == NONE:
            continue
        rank = harder_rolls(traits, first, place)
        magic = spell != NONE and rank < spells and (weapon == NONE or die_of(deck, spell) > weapon)
        if not magic and weapon == NONE:
            return 0.0
        item = spell if magic else weapon
        helped = 1 if rank < potions else 0
        own, foe = die_of(deck, item), int(traits[place])
        cost = cost_of_defeat(s, deck, w, view, seat, item, space)
        value = win_chance(own, foe, helped) * value - loss_chance(own, foe, helped) * cost
        value -= potions_used(own, foe, helped) * w.potion + (w.combat_spell if magic else 0.0)
    return value


@rule
def chance_to_beat(s, deck, seat, kind, space):
    """That an enemy falls, with the best weapon and without potions; a guardian with magic for its hardest rolls."""
    traits = foe_traits_of(s, deck, kind, space)
    weapon, spell = largest_die(s, seat), any_combat_spell(s, deck, seat)
    chance = 1.0
    for place in range(FOE_DICE):
        if traits[place] != NONE:
            item = weapon
            if spell != NONE and (weapon == NONE or die_of(deck, spell) > weapon):
                if weapon == NONE or harder_rolls(traits, 0, place) < combat_spells(s, deck, seat):
                    item = spell
            if item == NONE:
                return 0.0
            chance *= win_chance(die_of(deck, item), int(traits[place]), 0)
    return chance


@rule
def fight_value(s, deck, w, view, seat, kind, space):
    """The best fight against a kind of enemy; NEVER for one who has nothing to fight with."""
    traits = foe_traits_of(s, deck, kind, space)
    if kind == GUARDIAN:
        armed = largest_die(s, seat) != NONE or any_combat_spell(s, deck, seat) != NONE
        return guardian_value(s, deck, w, view, seat, traits, 0, space) if armed else NEVER
    best = NEVER
    for item in range(FIRST_SPELL + NUM_SPELLS):
        if can_use(s, deck, seat, item):
            best = max(best, fight_value_with(s, deck, w, view, seat, traits, item, space))
    return best


# Tiles ----------------------------------------------------------------------------------------------------------------------------------


@rule
def gnome_value(s, w, view, seat):
    """A piece from the richest to the poorest."""
    own = int(s.carried[seat, GOLD])
    richest, poorest = True, True
    for other in range(s.players):
        richest = richest and (other == seat or s.carried[other, GOLD] < own)
        poorest = poorest and s.carried[other, GOLD] >= own
    if richest:
        return gold_value(w, view, -1.0)
    return gold_value(w, view, 1.0) if poorest else w.gnome


@rule
def tile_value(s, deck, w, view, seat, tile):
    """What a tile brings to who draws it; an enemy is fought or left. Plus Two: see :func:`tiles_value`."""
    if tile < ENEMY_TILE:
        return gain_of(s, w, view, seat, tile)
    if tile < POTION_TILE:
        return max(0.0, fight_value(s, deck, w, view, seat, tile - ENEMY_TILE, int(s.at[seat])))
    if tile == POTION_TILE:
        return gain_of(s, w, view, seat, POTION)
    if tile == GOLD_TILE:
        return gold_value(w, view, min(1, int(s.supply)))
    return gnome_value(s, w, view, seat) if tile == GNOME_TILE else 0.0


@rule
def tiles_value(s, deck, w, view, seat):
    """What the tile of a new map card brings on average."""
    total, n = 0.0, 0
    for tile in range(NUM_TILES):
        count = int(s.bag[tile])
        if count > 0:
            total += count * tile_value(s, deck, w, view, seat, tile)
            n += count
    return 0.0 if n == 0 else total / n * (1.0 + w.plus_two * int(s.bag[PLUS_TWO_TILE]) / n)
