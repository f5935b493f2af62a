"""Scripted players of Lost Woods: ``greedy`` takes what is near and fights what it can, ``expert`` weighs odds, ways and the race."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.lost_woods import actions as act
from deckwood.lost_woods import phases as at
from deckwood.lost_woods.rules.attacking import foe_die, foe_traits
from deckwood.lost_woods.rules.inventory import fights, held, largest_die, lead_of, spells_held
from deckwood.lost_woods.rules.turn import seat_of
from deckwood.lost_woods.rules.weapons import die_of
from deckwood.lost_woods.rules.woods import is_open, neighbour
from deckwood.lost_woods.state import (
    AMOUNT,
    D4,
    DICE,
    EIGHTH,
    FIRST_SPELL,
    FOE_DICE,
    GOLD,
    GUARDIAN,
    MAGNET,
    MAX_HELD,
    MAX_SPELLS,
    NONE,
    NUM_DICE,
    NUM_DIRECTIONS,
    NUM_SPACES,
    NUM_SPELLS,
    POTION,
    REVIVE,
    TELEPORT,
    UNREACHED,
)
from deckwood_agents.players.scripted.lost_woods.odds import value_of_potion, value_of_rolls, win_chance
from deckwood_agents.players.scripted.lost_woods.plan import (
    best_direction,
    best_foe,
    best_magnet_item,
    best_space,
    best_stop,
    explore_value,
    later,
    magnet_value,
    space_value,
    stands,
    step_to,
    turns_for,
)
from deckwood_agents.players.scripted.lost_woods.value import (
    can_use,
    cost_of_defeat,
    fight_value,
    fight_value_with,
    foe_traits_of,
    gain_of,
    gain_of_spell,
    gold_value,
    guardian_item,
    guardian_value,
    least_valuable_item,
    least_valuable_spell,
    look,
    loss_of,
    prize,
    tiles_value,
)
from deckwood_agents.players.scripted.lost_woods.weights import EXPERT, FITTED
from deckwood_agents.players.scripted.masks import any_action, first_allowed

SMALL = 0.05  # a gain that is not worth a change


# ------------------------------------------------------------------------------------------------------------------------ both


@rule
def weapon_action(item):
    """Fighting with a weapon or a spell."""
    return act.FIGHT_WITH + item if item < NUM_DICE else act.CAST + item - FIRST_SPELL


@rule
def strongest(s, deck, mask):
    """The weapon or spell of the most sides, weapons before magic."""
    best, best_die = NONE, NONE
    for item in range(FIRST_SPELL + NUM_SPELLS):
        if item < NUM_DICE or (item >= FIRST_SPELL and fights(deck, item - FIRST_SPELL)):
            if mask[weapon_action(item)] and die_of(deck, item) > best_die:
                best, best_die = item, die_of(deck, item)
    return weapon_action(best)


@rule
def chance_in_tie(s, deck, seat, other, roll):
    """Of the mover's roll to win a tie when one die is rolled anew to ``roll`` (0: as they lie); equal rolls are shared."""
    best, n = 0, 0
    for one in range(s.players):
        if s.tied[one] == 1:
            face = roll if one == other else int(s.duel_roll[one])
            if face > best:
                best, n = face, 1
            elif face == best:
                n += 1
    own = roll if other == seat else int(s.duel_roll[seat])
    return 1.0 / n if own == best else 0.0


@rule
def tie_potion(s, deck, mask):
    """The die that is best rolled again in the fight for a tie."""
    seat = int(s.mover)
    best, best_chance = act.DONE, chance_in_tie(s, deck, seat, NONE, 0)
    for chair in range(s.players):
        if mask[act.REROLL + chair]:
            other = seat_of(s, seat, chair)
            sides, chance = DICE[die_of(deck, int(s.duel_item[other]))], 0.0
            for face in range(1, 1 + sides):
                chance += chance_in_tie(s, deck, seat, other, face) / sides
            if chance > best_chance:
                best, best_chance = act.REROLL + chair, chance
    return best


@rule
def giver(s, mask):
    """The richest adventurer who gives: another if there is one."""
    other = first_allowed(mask, act.CHAIR + 1, act.CHAIR + int(s.players))
    return other if other != NONE else act.CHAIR


@rule
def taker(s, mask):
    """The poorest who takes: oneself, or else the last in turn."""
    if mask[act.CHAIR]:
        return act.CHAIR
    for chair in range(1, s.players):
        if mask[act.CHAIR + int(s.players) - chair]:
            return act.CHAIR + int(s.players) - chair
    return NONE


# ------------------------------------------------------------------------------------------------------------------------ greedy

GOOD_ODDS = 0.3  # that greedy looks for, and ...
HOPELESS_ODDS = 0.1  # ... below which it does not fight while there is something else to do
ANY_ODDS = 0.01  # that greedy takes up with where there is nothing better


@rule
def greedy_odds(s, deck, kind, space):
    """Of the best weapon against an enemy; against a guardian as if its dice were one after the other."""
    weapon = largest_die(s, int(s.turn))
    if weapon == NONE:
        return 0.0
    chance = 1.0
    traits = foe_traits_of(s, deck, kind, space)
    for place in range(FOE_DICE):
        if traits[place] != NONE:
            chance *= win_chance(weapon, int(traits[place]), 0)
    return chance


@rule
def easiest_foe(s, deck, space):
    """The enemy on a space that is beaten most easily; NONE where there is none."""
    best, best_odds = NONE, 0.0
    for kind in range(GUARDIAN + 1):
        if stands(s, kind, space):
            odds = greedy_odds(s, deck, kind, space)
            if odds > best_odds:
                best, best_odds = kind, odds
    return best


@rule
def weakest_weapon(s):
    """The weapon of the fewest sides; NONE without one."""
    for die in range(NUM_DICE):
        if s.carried[s.turn, die] > 0:
            return die
    return NONE


@rule
def better_weapon(s, space):
    """A weapon on a space that has more sides than the weakest held, or for which there is room; NONE where there is none."""
    room = held(s, int(s.turn)) < MAX_HELD
    for place in range(NUM_DICE):
        die = NUM_DICE - 1 - place
        if s.lying[die, space] > 0 and (room or die > weakest_weapon(s) > NONE):
            return die
    return NONE


@rule
def greedy_take(s, mask):
    """What lies about: a better weapon, potions, gold and magic, as far as there is room."""
    here = int(s.at[s.turn])
    weapon = better_weapon(s, here)
    if weapon != NONE:
        if mask[act.TAKE + weapon]:
            return act.TAKE + weapon
        weakest = weakest_weapon(s)
        if held(s, int(s.turn)) == MAX_HELD and mask[act.DROP + weakest]:
            return act.DROP + weakest
    if mask[act.TAKE + POTION]:
        return act.TAKE + POTION
    if mask[act.TAKE + GOLD]:
        return act.TAKE + GOLD
    if spells_held(s, int(s.turn)) < MAX_SPELLS:
        return first_allowed(mask, act.TAKE + FIRST_SPELL, act.TAKE + FIRST_SPELL + NUM_SPELLS)
    return NONE


@rule
def greedy_way(s, deck, space):
    """A direction to explore from a space, the one with the most cards left; out of the woods only for one who is not behind."""
    best, most = NONE, NONE
    for direction in range(NUM_DIRECTIONS):
        if is_open(s, deck, space, direction):
            left = int(s.left[direction])
            if left > most and (left > 0 or lead_of(s, int(s.turn)) >= 0):
                best, most = direction, left
    return best


@rule
def greedy_wants(s, deck, space, odds):
    """Whether there is something to do on a space."""
    if s.foes[space] > 0:
        foe = easiest_foe(s, deck, space)
        return foe != NONE and greedy_odds(s, deck, foe, space) >= odds
    return s.lying[GOLD, space] > 0 or greedy_way(s, deck, space) != NONE


@rule
def greedy_goal(s, deck, odds):
    """The nearest space where there is something to do, or a better weapon; NONE where there is none."""
    here = int(s.at[s.turn])
    nearest, best = UNREACHED, NONE
    for space in range(NUM_SPACES):
        if s.placed[space] == 1 and s.distance[here, space] < nearest:
            if greedy_wants(s, deck, space, odds) or (space != here and better_weapon(s, space) != NONE):
                nearest, best = int(s.distance[here, space]), space
    return best


@rule
def greedy_move(s, deck, mask):
    thing = greedy_take(s, mask)
    if thing != NONE and mask[thing]:
        return thing
    goal = greedy_goal(s, deck, GOOD_ODDS)
    if goal == NONE:
        goal = greedy_goal(s, deck, ANY_ODDS)
    if goal == NONE:
        return act.DONE
    here = int(s.at[s.turn])
    for direction in range(NUM_DIRECTIONS):
        beyond = neighbour(s, deck, here, direction)
        if mask[act.MOVE + direction] and int(s.distance[beyond, goal]) == int(s.distance[here, goal]) - 1:
            return act.MOVE + direction
    return act.DONE


@rule
def greedy_choice(s, deck, mask):
    """What greedy does, or NONE where it has no habit."""
    phase, here = int(s.phase), int(s.at[s.turn])
    if phase == at.MOVING:
        return greedy_move(s, deck, mask)
    if phase == at.EXPLORING:
        way = greedy_way(s, deck, here) if s.foes[here] == 0 else NONE
        if way != NONE:
            return act.EXPLORE + way
        return act.CAST + MAGNET if mask[act.CAST + MAGNET] else act.DONE
    if phase == at.OVER_LIMIT:
        return act.DROP + weakest_weapon(s) if weakest_weapon(s) != NONE else act.DROP + POTION
    if phase == at.RICHEST:
        return giver(s, mask)
    if phase == at.POOREST:
        return taker(s, mask)
    if phase == at.AT_WELL:
        spell = int(deck.well[here])
        return act.TAKE + FIRST_SPELL + spell if spells_held(s, int(s.turn)) < MAX_SPELLS else act.DONE
    if phase == at.MAGNET_ITEM:
        if mask[act.TAKE + GOLD]:
            return act.TAKE + GOLD
        for place in range(NUM_DICE):
            if mask[act.TAKE + NUM_DICE - 1 - place]:
                return act.TAKE + NUM_DICE - 1 - place
    if phase == at.ATTACKING:
        foe = easiest_foe(s, deck, here)
        hopeless = foe == NONE or (greedy_odds(s, deck, foe, here) < HOPELESS_ODDS and greedy_goal(s, deck, GOOD_ODDS) != NONE)
        return act.DONE if hopeless else act.ATTACK + foe
    if phase == at.CHOOSING_WEAPON or phase == at.TIE_WEAPON:
        return strongest(s, deck, mask)
    if phase == at.ROLLED:
        return act.DONE if s.own_roll > s.foe_roll else act.REROLL
    if phase == at.BATTLE_LOST and mask[act.CAST + REVIVE]:
        return act.CAST + REVIVE
    if phase == at.BATTLE_LOST and s.weapon == D4 and mask[act.DROP + D4]:
        return act.DROP + D4
    if phase == at.REVIVED:
        return act.AGAIN if mask[act.AGAIN] else act.DONE
    return tie_potion(s, deck, mask) if phase == at.TIE_ROLLED else NONE


@rule
def greedy(s, deck, mask):
    """Habits: take what is better, walk to the nearest thing to do, explore, fight with the best weapon. It plans no ending, and leaves the
    woods only when that lies on its way and it is not behind."""
    action = greedy_choice(s, deck, mask)
    if action != NONE and mask[action]:
        return action
    return act.DONE if mask[act.DONE] else any_action(mask)


# ------------------------------------------------------------------------------------------------------------------------ expert


@rule
def better_lying(s, w, view, mask, seat, item, gain):
    """How many kinds of weapon or potion that could be taken after this one are worth more."""
    n = 0
    for other in range(item + 1, POTION + 1):
        if mask[act.TAKE + other] and gain_of(s, w, view, seat, other) > gain:
            n += 1
    return n


@rule
def exchange(s, w, view, mask, seat):
    """With full hands: drops what is missed least where something better lies. NONE: nothing better does."""
    here, less = int(s.at[seat]), least_valuable_item(s, w, view, seat)
    if less == NONE or not mask[act.DROP + less]:
        return NONE
    for item in range(POTION + 1):
        if item != less and s.lying[item, here] > 0 and not (int(s.dropped) >> item) & 1 and gain_of(s, w, view, seat, item) > SMALL:
            return act.DROP + less
    return NONE


@rule
def thing_to_take(s, deck, w, view, mask):
    """What lies on the adventurer's space and is worth having, in the order of items; NONE where nothing is."""
    seat = int(s.turn)
    room = MAX_HELD - held(s, seat)
    if room == 0:
        drop = exchange(s, w, view, mask, seat)
        if drop != NONE:
            return drop
    for item in range(POTION + 1):
        if mask[act.TAKE + item]:
            gain = gain_of(s, w, view, seat, item)
            if gain > 0.0 and better_lying(s, w, view, mask, seat, item, gain) < room:
                return act.TAKE + item
    if mask[act.TAKE + GOLD]:
        return act.TAKE + GOLD
    for spell in range(NUM_SPELLS):
        if mask[act.TAKE + FIRST_SPELL + spell]:
            if gain_of_spell(s, deck, w, seat, spell) > 0.0:
                return act.TAKE + FIRST_SPELL + spell
    return NONE


@rule
def move_choice(s, deck, w, view, mask):
    """Takes what lies here, then goes on: to the best space, by magic where that saves turns."""
    thing = thing_to_take(s, deck, w, view, mask)
    if thing != NONE:
        return thing
    seat, here = int(s.turn), int(s.at[s.turn])
    tiles = tiles_value(s, deck, w, view, seat)
    goal = best_space(s, deck, w, view, tiles, seat, int(s.moves))
    distance = int(s.distance[here, goal])
    if distance > s.moves:
        value = space_value(s, deck, w, view, tiles, seat, goal)
        saved = value - later(w, value, turns_for(int(s.moves), distance))
        if mask[act.CAST + EIGHTH] and saved > w.stride and distance <= s.moves + deck.eighth[AMOUNT]:
            return act.CAST + EIGHTH
        if mask[act.CAST + TELEPORT] and s.foes[goal] == 0 and saved > w.teleport:
            return act.CAST + TELEPORT
        goal = best_stop(s, deck, w, view, tiles, seat, goal)
    way = step_to(s, deck, w, view, seat, goal)
    return act.DONE if way == NONE else act.MOVE + way


@rule
def teleport_choice(s, deck, w, view, mask):
    seat = int(s.turn)
    tiles = tiles_value(s, deck, w, view, seat)
    best, best_value = NONE, -1.0
    for space in range(NUM_SPACES):
        if mask[act.SPACE + space]:
            value = space_value(s, deck, w, view, tiles, seat, space)
            if value > best_value:
                best, best_value = space, value
    return act.SPACE + best


@rule
def explore_choice(s, deck, w, view, mask):
    """A direction, or the Magnet where it draws something better."""
    seat = int(s.turn)
    tiles = tiles_value(s, deck, w, view, seat)
    if mask[act.CAST + MAGNET]:
        item = best_magnet_item(s, deck, w, view, seat)
        value = magnet_value(s, deck, w, view, seat, item) - 0.3 if item != NONE else 0.0
        beyond = explore_value(s, deck, w, view, tiles, seat, int(s.at[seat])) if s.foes[s.at[seat]] == 0 else 0.0
        if value > beyond:
            return act.CAST + MAGNET
    direction = best_direction(s, deck, w, view, tiles, seat, mask)
    return act.DONE if direction == NONE else act.EXPLORE + direction


@rule
def magnet_space(s, mask):
    """From the space that others reach first, or where an enemy guards the item."""
    best, best_value = NONE, -1.0
    for space in range(NUM_SPACES):
        if mask[act.SPACE + space]:
            value = 10.0 * min(1, int(s.foes[space])) + 0.1 * min(UNREACHED, int(s.distance[s.at[s.turn], space]))
            if value > best_value:
                best, best_value = space, value
    return act.SPACE + best


@rule
def weapon_choice(s, deck, w, view):
    """What the enemy is fought with."""
    seat, here = int(s.turn), int(s.at[s.turn])
    traits = foe_traits(s, deck)
    if s.foe == GUARDIAN:
        return weapon_action(guardian_item(s, deck, seat, traits, int(s.wins)))
    best, best_value = NONE, 0.0
    for item in range(FIRST_SPELL + NUM_SPELLS):
        if can_use(s, deck, seat, item):
            value = fight_value_with(s, deck, w, view, seat, traits, item, here)
            if best == NONE or value > best_value:
                best, best_value = item, value
    return weapon_action(best)


@rule
def potion_choice(s, deck, w, view, mask):
    """Whether a die is rolled again, and which: exactly, by what a win, a draw and a loss are worth."""
    seat, here = int(s.turn), int(s.at[s.turn])
    traits = foe_traits(s, deck)
    win = guardian_value(s, deck, w, view, seat, traits, int(s.wins) + 1, here) if s.foe == GUARDIAN else prize(s, deck, w, view, traits)
    loss = -cost_of_defeat(s, deck, w, view, seat, int(s.weapon), here)
    own_die, potions = die_of(deck, int(s.weapon)), int(s.carried[seat, POTION])
    best, best_value = act.DONE, value_of_rolls(s.own_roll, s.foe_roll, win, 0.0, loss)
    for whose in range(2):
        value = value_of_potion(own_die, foe_die(s, deck), int(s.own_roll), int(s.foe_roll), whose, potions, win, 0.0, loss, w.potion)
        if value > best_value:
            best, best_value = act.REROLL if whose == 0 else act.REROLL_FOE, value
    return best


@rule
def lost_choice(s, deck, w, view, mask):
    """The gold or the weapon, whichever is missed less; Revive where that saves more."""
    seat = int(s.turn)
    weapon = loss_of(s, w, view, seat, int(s.weapon)) if s.weapon < NUM_DICE else 0.0
    gold = -gold_value(w, view, -1.0)
    best = act.DONE
    if mask[act.DROP + GOLD]:
        best = act.DROP + GOLD
    if s.weapon < NUM_DICE and mask[act.DROP + int(s.weapon)] and (best == act.DONE or weapon < gold):
        best = act.DROP + int(s.weapon)
    if mask[act.CAST + REVIVE]:
        cost = gold if best == act.DROP + GOLD else weapon
        if cost + 0.5 + max(0.0, value_of_going_on(s, deck, w, view, seat)) > w.revive:
            return act.CAST + REVIVE
    return best


@rule
def value_of_going_on(s, deck, w, view, seat):
    """What fighting the same enemy once more is worth; a guardian's rolls are all made afresh."""
    here = int(s.at[seat])
    if s.foe == GUARDIAN:
        return guardian_value(s, deck, w, view, seat, foe_traits(s, deck), 0, here)
    return fight_value(s, deck, w, view, seat, int(s.foe), here)


@rule
def again_choice(s, deck, w, view, mask):
    return act.AGAIN if mask[act.AGAIN] and value_of_going_on(s, deck, w, view, int(s.turn)) > 0.0 else act.DONE


@rule
def attack_choice(s, deck, w, view):
    seat = int(s.turn)
    foe = best_foe(s, deck, w, view, tiles_value(s, deck, w, view, seat), seat, int(s.at[seat]))
    return act.DONE if foe == NONE else act.ATTACK + foe


@rule
def expert_choice(s, deck, w, mask):
    phase, seat = int(s.phase), int(s.turn)
    if phase == at.TIE_WEAPON:
        return strongest(s, deck, mask)
    if phase == at.TIE_ROLLED:
        return tie_potion(s, deck, mask)
    if phase == at.RICHEST:
        return giver(s, mask)
    if phase == at.POOREST:
        return taker(s, mask)
    if phase == at.THIRD_SPELL:
        return act.DROP + FIRST_SPELL + least_valuable_spell(s, deck, w, seat)
    if phase == at.MAGNET_SPACE:
        return magnet_space(s, mask)
    view = look(s, deck, w, seat)
    if phase == at.MOVING:
        return move_choice(s, deck, w, view, mask)
    if phase == at.EXPLORING:
        return explore_choice(s, deck, w, view, mask)
    if phase == at.OVER_LIMIT:
        return act.DROP + least_valuable_item(s, w, view, seat)
    if phase == at.AT_WELL:
        spell = int(deck.well[s.at[seat]])
        return act.TAKE + FIRST_SPELL + spell if gain_of_spell(s, deck, w, seat, spell) > 0.0 else act.DONE
    if phase == at.MAGNET_ITEM:
        item = best_magnet_item(s, deck, w, view, seat)
        return act.TAKE + item if item != NONE else NONE
    if phase == at.TELEPORTING:
        return teleport_choice(s, deck, w, view, mask)
    if phase == at.ATTACKING:
        return attack_choice(s, deck, w, view)
    if phase == at.CHOOSING_WEAPON:
        return weapon_choice(s, deck, w, view)
    if phase == at.ROLLED:
        return potion_choice(s, deck, w, view, mask)
    if phase == at.BATTLE_LOST:
        return lost_choice(s, deck, w, view, mask)
    return again_choice(s, deck, w, view, mask)


@rule
def decide(s, deck, w, mask):
    """What an expert with the weights ``w`` does."""
    action = expert_choice(s, deck, w, mask)
    if action != NONE and mask[action]:
        return action
    return act.DONE if mask[act.DONE] else any_action(mask)


@rule
def expert(s, deck, mask):
    """Weighs in gold pieces what each space, fight and item is likely to bring, and leaves the woods when that wins."""
    return decide(s, deck, EXPERT[0], mask)


@rule
def tuned(s, deck, mask):
    """The expert, with weights that were fitted to win."""
    return decide(s, deck, FITTED[0], mask)
