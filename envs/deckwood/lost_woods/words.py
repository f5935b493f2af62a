"""What phases, outcomes and actions of a position are called."""

from __future__ import annotations

from typing import Any

from deckwood.core.spec import LoadedDeck, Node
from deckwood.core.uncompiled import uncompiled
from deckwood.lost_woods import actions as act
from deckwood.lost_woods import phases as at
from deckwood.lost_woods.rules import attacking, woods
from deckwood.lost_woods.state import (
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
    NONE,
    OPTION_TURN_LIMIT,
    PLUS_TWO_TILE,
    POTION,
    POTION_TILE,
)

first_card = uncompiled(woods.first_card)
guardian_here = uncompiled(attacking.guardian_here)


def phase_name(s: Any) -> str:
    """What is being decided or drawn."""
    if s.node == Node.END:
        return "the game is over" if s.ended else f"cut after {cut_text(s)}"
    return at.PHASE_TEXT[s.phase]


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
    """An action at this position, with the names of what it touches."""
    spells, spaces = deck.names["spells"], deck.names["spaces"]
    if action == act.DONE:
        return _done_text(s)
    if action < act.EXPLORE:
        return f"Move {DIRECTIONS[action - act.MOVE]} to {spaces[s.beside[s.at[s.turn], action - act.MOVE]]}"
    if action < act.DROP:
        direction = action - act.EXPLORE
        return f"Explore {DIRECTIONS[direction]}" + (" and leave the Lost Woods" if s.left[direction] == 0 else "")
    if action < act.TAKE:
        item = action - act.DROP
        return f"Put {item_text(deck, item)} back into its well" if s.phase == at.THIRD_SPELL else f"Drop: {item_text(deck, item)}"
    if action < act.CAST:
        item = action - act.TAKE
        return f"Draw with the Magnet: {item_text(deck, item)}" if s.phase == at.MAGNET_ITEM else f"Pick up: {item_text(deck, item)}"
    if action < act.ATTACK:
        return f"Use {spells[action - act.CAST]}"
    if action < act.FIGHT_WITH:
        return f"Attack {foe_text(deck, action - act.ATTACK, guardian_here(s))}"
    if action < act.AGAIN:
        return f"Fight with a D{DICE[action - act.FIGHT_WITH]}"
    if action == act.AGAIN:
        return "Attack the same enemy again"
    if action == act.REROLL_FOE:
        return "Potion: re-roll the enemy's die"
    if action < act.CHAIR:
        chair = action - act.REROLL
        return "Potion: re-roll your own die" if chair == 0 else f"Potion: re-roll the die of player {(s.mover + chair) % s.players}"
    if action < act.SPACE:
        verb = "takes gold from" if s.phase == at.RICHEST else "gives it to"
        return f"The gnome {verb} player {(s.turn + action - act.CHAIR) % s.players}"
    return f"Choose {spaces[action - act.SPACE]}"


def _done_text(s: Any) -> str:
    return {
        at.MOVING: "End the Move step",
        at.EXPLORING: "Do not explore",
        at.AT_WELL: "Leave the spell in its well",
        at.ATTACKING: "Do not attack",
        at.ROLLED: "Let the dice stand",
        at.BATTLE_LOST: "Go back to camp with nothing to drop",
        at.REVIVED: "End the turn here",
        at.TIE_ROLLED: "Let the dice stand",
    }[int(s.phase)]
