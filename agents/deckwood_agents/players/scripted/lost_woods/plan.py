"""Where to go in the Lost Woods, and what to do there: explore, fight, fetch, or leave."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.lost_woods import actions as act
from deckwood.lost_woods.rules.attacking import guardian_on
from deckwood.lost_woods.rules.inventory import holds, largest_die, was_cast
from deckwood.lost_woods.rules.woods import first_card, is_open, neighbour
from deckwood.lost_woods.state import (
    CARDS_PER_DECK,
    FIRST_SPELL,
    GOLD,
    GUARDIAN,
    MAGNET,
    MOVES,
    NONE,
    NUM_DIRECTIONS,
    NUM_SPACES,
    NUM_SPELLS,
    POTION,
    UNREACHED,
)
from deckwood_agents.players.scripted.lost_woods.odds import win_chance
from deckwood_agents.players.scripted.lost_woods.value import (
    LEAD,
    NEVER,
    chance_to_beat,
    fight_value,
    gain_of,
    gain_of_spell,
    gold_value,
    smallest_deck,
    spell_value,
)


@rule
def turns_for(moves, distance):
    """Turns that pass before one is there, with so many moves left in this one."""
    return max(0, distance - moves + MOVES - 1) // MOVES


@rule
def later(w, value, turns):
    for _ in range(turns):
        value *= w.later
    return value


# Exploring ------------------------------------------------------------------------------------------------------------------------------


@rule
def tie_chance(s, deck, seat):
    """The chance in the fight for a tie, by the best weapons."""
    chance = 1.0
    own = largest_die(s, seat)
    for other in range(s.players):
        if other != seat and s.carried[other, GOLD] == s.carried[seat, GOLD]:
            weapon = largest_die(s, other)
            if own == NONE:
                chance *= 0.0 if weapon != NONE else 0.5
            elif weapon != NONE:
                win = win_chance(own, weapon, 0)
                chance *= win / (win + win_chance(weapon, own, 0))
    return chance


@rule
def escape_value(s, deck, w, view, seat):
    """Leaving the woods: with the most gold the game is won. A tie is fought out where the dice are good, or the game has gone on long."""
    if view[LEAD] > 0:
        return 2.0 * w.game
    if view[LEAD] < 0:
        return NEVER
    patience = max(0.0, w.tie_odds - w.tie_fades * int(s.turns) / int(s.players))
    return w.game * (tie_chance(s, deck, seat) - patience)


@rule
def well_chance(s, deck, direction):
    """That the next card of a deck shows a magic well."""
    first, wells = first_card(direction), 0
    for space in range(first, first + CARDS_PER_DECK):
        if s.placed[space] == 0 and deck.well[space] != NONE:
            wells += 1
    return wells / max(1, int(s.left[direction]))


@rule
def other_ways(s, deck, space, direction):
    """Whether there will be another way out in a direction near a space, once its deck is empty."""
    for other in range(NUM_SPACES):
        if other != space and s.placed[other] == 1 and s.foes[other] == 0 and is_open(s, deck, other, direction):
            if s.distance[space, other] < MOVES:
                return True
    return False


@rule
def ending_value(s, deck, w, view, space, direction):
    """What taking a card from a deck does to the end of the game: who leads wants it near."""
    left = int(s.left[direction])
    ahead = view[LEAD] > 0
    if smallest_deck(s) == 0:
        return 0.0
    if left == 1:
        if not ahead:
            return w.last_behind if view[LEAD] < 0 else w.last_tied
        return w.last_with_ways if other_ways(s, deck, space, direction) else w.last_ahead
    if left == 2:
        return w.second_ahead if ahead else w.second_not
    return (w.early_ahead if ahead else w.early_not) / left


@rule
def direction_value(s, deck, w, view, tiles, seat, space, direction):
    """Exploring from a space; ``tiles`` is what a tile is worth."""
    if s.left[direction] == 0:
        return escape_value(s, deck, w, view, seat)
    found = w.explore + tiles + w.well * well_chance(s, deck, direction)
    return found + ending_value(s, deck, w, view, space, direction) + restlessness(s, w)


@rule
def explore_value(s, deck, w, view, tiles, seat, space):
    """The best direction from a space, once no enemy is there; 0 where none is worth it."""
    best = 0.0
    for direction in range(NUM_DIRECTIONS):
        if is_open(s, deck, space, direction):
            best = max(best, direction_value(s, deck, w, view, tiles, seat, space, direction))
    return best


@rule
def best_direction(s, deck, w, view, tiles, seat, mask):
    """The direction to explore, or NONE."""
    best, best_value = NONE, 0.0
    for direction in range(NUM_DIRECTIONS):
        if mask[act.EXPLORE + direction]:
            value = direction_value(s, deck, w, view, tiles, seat, int(s.at[seat]), direction)
            if value > best_value:
                best, best_value = direction, value
    return best


# Spaces ---------------------------------------------------------------------------------------------------------------------------------


@rule
def restlessness(s, w):
    """What doing nothing costs, once the game has gone on long: a worth that less promising deeds may fall short of 0 by."""
    rounds = (int(s.turns) - NUM_SPACES) / int(s.players)
    return w.unrest * max(0.0, rounds - w.patience)


@rule
def value_behind(s, deck, w, view, tiles, seat, space):
    """What waits behind the enemies of a space: the ways that they guard, and gold."""
    gold = int(s.lying[GOLD, space])
    return explore_value(s, deck, w, view, tiles, seat, space) + (gold_value(w, view, gold) if gold > 0 else 0.0)


@rule
def attack_value(s, deck, w, view, seat, kind, space, behind):
    """A fight, and what it opens the way to."""
    opened = chance_to_beat(s, deck, seat, kind, space) * later(w, behind, int(s.foes[space]))
    return fight_value(s, deck, w, view, seat, kind, space) + w.opened * opened + restlessness(s, w)


@rule
def best_foe(s, deck, w, view, tiles, seat, space):
    """The enemy on a space that is best attacked, or NONE where none is worth it."""
    best, best_value = NONE, 0.0
    if s.foes[space] == 0:
        return NONE
    behind = value_behind(s, deck, w, view, tiles, seat, space)
    for kind in range(GUARDIAN + 1):
        if stands(s, kind, space):
            value = attack_value(s, deck, w, view, seat, kind, space, behind)
            if value > best_value:
                best, best_value = kind, value
    return best


@rule
def stands(s, kind, space):
    """Whether a kind of enemy, or a guardian, is on a space."""
    return s.enemies[space, kind] > 0 if kind < GUARDIAN else guardian_on(s, space) != NONE


@rule
def loot_value(s, deck, w, view, seat, space):
    """What lies on a space and can be taken: the best item, the gold, the best spell."""
    value = 0.0
    for item in range(POTION + 1):
        if s.lying[item, space] > 0:
            value = max(value, gain_of(s, w, view, seat, item))
    if s.foes[space] == 0 and s.lying[GOLD, space] > 0:
        value += gold_value(w, view, int(s.lying[GOLD, space]))
    magic = 0.0
    for spell in range(NUM_SPELLS):
        if s.spell_at[spell] == space and not was_cast(s, spell):
            magic = max(magic, gain_of_spell(s, deck, w, seat, spell))
    return value + magic


@rule
def space_value(s, deck, w, view, tiles, seat, space):
    """What a turn that ends on a space brings there."""
    value = loot_value(s, deck, w, view, seat, space)
    if s.foes[space] == 0:
        return value + explore_value(s, deck, w, view, tiles, seat, space)
    foe = best_foe(s, deck, w, view, tiles, seat, space)
    if foe == NONE:
        return value
    return value + attack_value(s, deck, w, view, seat, foe, space, value_behind(s, deck, w, view, tiles, seat, space))


@rule
def best_space(s, deck, w, view, tiles, seat, moves):
    """Where to go: its worth, less what the turns of the way take from it."""
    here = int(s.at[seat])
    best, best_value = here, NEVER
    for space in range(NUM_SPACES):
        if s.placed[space] == 1 and s.distance[here, space] < UNREACHED:
            distance = int(s.distance[here, space])
            value = later(w, space_value(s, deck, w, view, tiles, seat, space), turns_for(moves, distance)) - w.step * distance
            if value > best_value:
                best, best_value = space, value
    return best


@rule
def best_stop(s, deck, w, view, tiles, seat, goal):
    """The space for the end of this turn, when the goal is farther than that: what it brings itself, and how near it is."""
    here = int(s.at[seat])
    prize = space_value(s, deck, w, view, tiles, seat, goal)
    best, best_value = here, NEVER
    for space in range(NUM_SPACES):
        if s.placed[space] == 1 and s.distance[here, space] <= s.moves and s.distance[space, goal] < UNREACHED:
            turns = 1 + turns_for(MOVES, int(s.distance[space, goal]))
            value = space_value(s, deck, w, view, tiles, seat, space) + later(w, prize, turns) - w.step * int(s.distance[space, goal])
            value -= 0.01 * int(s.distance[here, space])
            if value > best_value:
                best, best_value = space, value
    return best


@rule
def step_to(s, deck, w, view, seat, space):
    """The direction of the first move on a shortest way, by what lies on it; NONE when one is there."""
    here = int(s.at[seat])
    best, best_value = NONE, NEVER
    for direction in range(NUM_DIRECTIONS):
        beyond = neighbour(s, deck, here, direction)
        if beyond != NONE and int(s.distance[beyond, space]) == int(s.distance[here, space]) - 1:
            value = loot_value(s, deck, w, view, seat, beyond)
            if value > best_value:
                best, best_value = direction, value
    return best


@rule
def magnet_value(s, deck, w, view, seat, item):
    """What the Magnet brings with an item; it leaves room for another spell."""
    if item >= FIRST_SPELL:
        spell = item - FIRST_SPELL
        return spell_value(deck, w, spell) if holds(s, seat, MAGNET) == 1 else gain_of_spell(s, deck, w, seat, spell)
    return gold_value(w, view, 1.0) if item == GOLD else gain_of(s, w, view, seat, item)


@rule
def best_magnet_item(s, deck, w, view, seat):
    """The item on the map that the Magnet should draw, or NONE."""
    best, best_value = NONE, 0.0
    for item in range(FIRST_SPELL + NUM_SPELLS):
        if item != POTION and item != FIRST_SPELL + MAGNET and on_the_map(s, item):
            value = magnet_value(s, deck, w, view, seat, item)
            if value > best_value:
                best, best_value = item, value
    return best


@rule
def on_the_map(s, item):
    if item >= FIRST_SPELL:
        return 0 <= s.spell_at[item - FIRST_SPELL] < NUM_SPACES
    for space in range(NUM_SPACES):
        if s.lying[item, space] > 0:
            return True
    return False
