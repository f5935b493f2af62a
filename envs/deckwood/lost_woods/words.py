"""What phases, outcomes and actions of a position are called."""

from __future__ import annotations

from typing import Any

from deckwood.core.spec import LoadedDeck, Node
from deckwood.core.uncompiled import uncompiled
from deckwood.lost_woods import actions as act
from deckwood.lost_woods import phases as at
from deckwood.lost_woods.rules import attacking, inventory, weapons, woods
from deckwood.lost_woods.rules.table import STEPS
from deckwood.lost_woods.state import (
    AMOUNT,
    DICE,
    DIRECTIONS,
    ENEMY_TILE,
    FIRST_SPELL,
    FOE_DICE,
    FOE_GOLD,
    GNOME_TILE,
    GOLD,
    GOLD_TILE,
    GUARDIAN,
    MAGNET,
    MAX_SPELLS,
    NONE,
    OPTION_TURN_LIMIT,
    PLUS_TWO_TILE,
    POTION,
    POTION_TILE,
    REVIVE,
    TELEPORT,
)

first_card = uncompiled(woods.first_card)
guardian_here = uncompiled(attacking.guardian_here)
foe_die = uncompiled(attacking.foe_die)
rolls_needed = uncompiled(attacking.rolls_needed)
spells_held = uncompiled(inventory.spells_held)
die_of = uncompiled(weapons.die_of)


def phase_name(s: Any) -> str:
    """What is being decided or drawn."""
    if s.node == Node.END:
        return "the game is over" if s.ended else f"cut after {cut_text(s)}"
    return STEPS.phases[int(s.phase)]


def cut_text(s: Any) -> str:
    """What a game that was cut has reached."""
    limit = int(s.options[OPTION_TURN_LIMIT])
    return f"{limit} turns each" if s.turns == limit * s.players else f"{int(s.decisions):,} decisions"


def item_text(deck: LoadedDeck, item: int) -> str:
    """A weapon, a potion, gold or a spell."""
    if item >= FIRST_SPELL:
        return deck.names["spells"][item - FIRST_SPELL]
    if item == POTION:
        return "potion"
    return "gold" if item == GOLD else f"D{DICE[item]}"


def name_and_traits(deck: LoadedDeck, kind: int, direction: int = NONE) -> tuple[str, Any]:
    """Those of a kind of enemy, or of the guardian of a direction."""
    if kind == GUARDIAN:
        return deck.names["guardians"][direction], deck.tables.guardians[direction]
    return deck.names["enemies"][kind], deck.tables.enemies[kind]


def dice_of(traits: Any) -> tuple[int, ...]:
    """The dice that an enemy rolls, in order, as places in ``DICE``."""
    return tuple(int(die) for die in traits[:FOE_DICE] if die != NONE)


def foe_text(deck: LoadedDeck, kind: int, direction: int = NONE) -> str:
    """A kind of enemy, or the guardian of a direction, with its dice and its gold."""
    name, traits = name_and_traits(deck, kind, direction)
    return f"{name} ({'+'.join(f'D{DICE[die]}' for die in dice_of(traits))}, {traits[FOE_GOLD]} gold)"


def tile_text(deck: LoadedDeck, tile: int) -> str:
    if tile < ENEMY_TILE:
        return f"a D{DICE[tile]} weapon"
    if tile < POTION_TILE:
        return f"an enemy: {foe_text(deck, tile - ENEMY_TILE)}"
    return {POTION_TILE: "a potion", GOLD_TILE: "gold", PLUS_TWO_TILE: "plus two", GNOME_TILE: "a gnome"}[tile]


def outcome_name(s: Any, deck: LoadedDeck, outcome: int) -> str:
    """What a chance outcome means at this position."""
    if s.phase == at.STARTER:
        return f"player {outcome} starts"
    if s.phase == at.DRAW_CARD:
        space = first_card(int(s.way)) + outcome
        return f"the card to the {DIRECTIONS[s.way]}: {deck.names['spaces'][space]}"
    if s.phase == at.DRAW_TILE:
        return f"the tile: {tile_text(deck, outcome)}"
    if s.phase == at.TIE_LOTS:
        return f"the lot falls on player {outcome}"
    whose = {at.OWN_DIE: "the adventurer", at.FOE_DIE: "the enemy"}.get(int(s.phase), "one of the tied")
    return f"{whose} rolls {outcome + 1}"


def action_text(s: Any, deck: LoadedDeck, action: int) -> str:
    """An action at this position: what it pays and what it does, with the names of what it touches."""
    spaces = deck.names["spaces"]
    if action == act.DONE:
        return _done_text(s, deck)
    if action < act.EXPLORE:
        return f"Move {DIRECTIONS[action - act.MOVE]} to {spaces[s.beside[s.at[s.turn], action - act.MOVE]]}"
    if action < act.DROP:
        return _explore_text(s, deck, action - act.EXPLORE)
    if action < act.TAKE:
        return _drop_text(s, deck, action - act.DROP)
    if action < act.CAST:
        return _take_text(s, deck, action - act.TAKE)
    if action < act.ATTACK:
        return _cast_text(s, deck, action - act.CAST)
    if action < act.FIGHT_WITH:
        kind = action - act.ATTACK
        return f"Attack {foe_text(deck, kind, guardian_here(s))}" + (", three rolls" if kind == GUARDIAN else "")
    if action < act.AGAIN:
        return f"Fight with a D{DICE[action - act.FIGHT_WITH]}{_against(s, deck)}"
    if action == act.AGAIN:
        name = foe_name(s, deck)
        return f"Attack {name} again" + (", all three rolls afresh" if s.foe == GUARDIAN else "")
    if action < act.CHAIR:
        return _reroll_text(s, deck, action)
    if action < act.SPACE:
        seat = (s.turn + action - act.CHAIR) % s.players
        verb = "takes 1 gold from" if s.phase == at.RICHEST else "gives it to"
        return f"The gnome {verb} player {seat} ({s.carried[seat, GOLD]} gold)"
    space = spaces[action - act.SPACE]
    return f"Draw {item_text(deck, int(s.magnet))} from {space}" if s.phase == at.MAGNET_SPACE else f"Go to {space}"


def amount_text(deck: LoadedDeck, item: int) -> str:
    """One of an item."""
    if item >= FIRST_SPELL:
        return item_text(deck, item)
    return {POTION: "a potion", GOLD: "1 gold"}.get(item, f"a D{DICE[item]}" if item < POTION else "")


def foe_name(s: Any, deck: LoadedDeck) -> str:
    """The enemy that is fought, by its name alone."""
    return name_and_traits(deck, int(s.foe), guardian_here(s))[0]


def _explore_text(s: Any, deck: LoadedDeck, direction: int) -> str:
    left = int(s.left[direction])
    if left == 0:
        return f"Explore {DIRECTIONS[direction]}: leave the Lost Woods, which ends the game"
    told = f"the last card, with {deck.names['guardians'][direction]}" if left == 1 else f"{left} cards left"
    return f"Explore {DIRECTIONS[direction]}: {told}"


def _drop_text(s: Any, deck: LoadedDeck, item: int) -> str:
    if s.phase == at.THIRD_SPELL:
        return f"Put {item_text(deck, item)} back into its well, {_home(deck, item - FIRST_SPELL)}"
    return f"Drop {amount_text(deck, item)}" + (" and go back to camp" if s.phase == at.BATTLE_LOST else "")


def _take_text(s: Any, deck: LoadedDeck, item: int) -> str:
    verb = "Draw with the Magnet:" if s.phase == at.MAGNET_ITEM else "Pick up"
    third = item >= FIRST_SPELL and spells_held(s, int(s.turn)) == MAX_SPELLS
    return f"{verb} {amount_text(deck, item)}" + (", a third spell: one goes back to its well" if third else "")


def _cast_text(s: Any, deck: LoadedDeck, spell: int) -> str:
    """What a spell is used for. It always returns to its well."""
    if s.phase in (at.CHOOSING_WEAPON, at.TIE_WEAPON):
        does = f"roll a D{DICE[die_of(deck.tables, FIRST_SPELL + spell)]}{_against(s, deck)}"
    else:
        stride = f"move up to {deck.tables.eighth[AMOUNT]} more spaces"
        does = {
            MAGNET: "instead of exploring draw an item",
            REVIVE: "drop nothing and stay",
            TELEPORT: "instead of moving go to a space without enemies",
        }.get(spell, stride)
    return f"Use {deck.names['spells'][spell]}: {does}"


def _home(deck: LoadedDeck, spell: int) -> str:
    return str(deck.names["spaces"][deck.tables.well_space[spell]])


def _against(s: Any, deck: LoadedDeck) -> str:
    return f" against the D{DICE[foe_die(s, deck.tables)]} of {foe_name(s, deck)}" if s.phase == at.CHOOSING_WEAPON else ""


def _reroll_text(s: Any, deck: LoadedDeck, action: int) -> str:
    """Whose die, and what it shows."""
    if action == act.REROLL_FOE:
        return f"Use a potion: re-roll the {s.foe_roll} of {foe_name(s, deck)}"
    seat = (s.mover + action - act.REROLL) % s.players
    shown = s.duel_roll[seat] if s.phase == at.TIE_ROLLED else s.own_roll
    return "Use a potion: re-roll " + (f"your own {shown}" if seat == s.mover else f"the {shown} of player {seat}")


def _done_text(s: Any, deck: LoadedDeck) -> str:
    if s.phase == at.ROLLED:
        return f"Let the dice stand, {s.own_roll} against {s.foe_roll}: {_outcome(s, deck)}"
    return {
        at.MOVING: "End the Move step",
        at.EXPLORING: "Do not explore",
        at.AT_WELL: "Leave the spell in its well",
        at.ATTACKING: "Do not attack",
        at.BATTLE_LOST: "Go back to camp with nothing to drop",
        at.REVIVED: "End the turn here",
        at.TIE_ROLLED: "Let the dice stand",
    }[int(s.phase)]


def _outcome(s: Any, deck: LoadedDeck) -> str:
    """What the dice on the table mean, if they stand."""
    if s.own_roll <= s.foe_roll:
        return "a draw, the attack is over" if s.own_roll == s.foe_roll else "the battle is lost"
    if s.wins + 1 < rolls_needed(s, deck.tables):
        return f"this roll is won, {1 + s.wins} of {rolls_needed(s, deck.tables)}"
    return f"{foe_name(s, deck)} is defeated"
