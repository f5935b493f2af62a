"""What phases, outcomes, actions and changes of a deck are called."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.spec import LoadedDeck, Memory
from deckwood.core.uncompiled import uncompiled
from deckwood.etherfields import actions as own
from deckwood.etherfields.rules import boss as bosses
from deckwood.etherfields.rules import cards, dream, payment, setup
from deckwood.etherfields.state import (
    BOSS_FACE,
    BOSS_SIDE,
    DIRECTIONS,
    EDGES,
    HERO_FACE,
    HERO_SIDE,
    MAP_DECK,
    MAP_SIDE,
    MAX_GUESTS,
    MAX_HAND,
    MAX_SPACES,
    NUM_BOSSES,
    NUM_CARDS,
    NUM_HEROES,
    NUM_SIDES,
    OPTION_BOSS,
    RESHUFFLE_CARDS,
    RESHUFFLE_HEALTH,
    RESOURCES,
    SPACE_ACTIONS,
)
from deckwood.etherfields.steps import (
    AIM_ASSAULT,
    CHOOSE_COST,
    ETHERFIELDS_PHASES,
    EXPLORING,
    FLIPPING,
    LOSE_MAP_CARD,
    PAYING,
    PENALTY,
    REVEAL,
)
from deckwood.strong import actions as act
from deckwood.strong import words
from deckwood.strong.actions import NUM_STRONG_ACTIONS
from deckwood.strong.steps import A, B
from deckwood.strong.terms import COLOURS, FACES, MAX_ITEMS, NONE, SLOTS
from deckwood.strong.words import DICE_STEPS, step_of

row_here = uncompiled(dream.row_here)
map_row = uncompiled(dream.map_row)
neighbour = uncompiled(dream.neighbour)
space_across = uncompiled(dream.space_across)
boss_face = uncompiled(bosses.boss_face)
hero_face = uncompiled(setup.hero_face)
face_of = uncompiled(cards.face_of)
cost_of = uncompiled(payment.cost_of)


def phase_name(s: Any) -> str:
    """What is being decided or drawn."""
    return words.phase_name(s, ETHERFIELDS_PHASES)


def outcome_name(s: Any, deck: LoadedDeck, outcome: int) -> str:
    """What an outcome of the pending chance event is called."""
    step = step_of(s)
    if step in DICE_STEPS:
        return FACES[outcome]
    if step in (EXPLORING, LOSE_MAP_CARD) or (step == REVEAL and s["agenda"][s["depth"] - 1, A] == MAP_DECK):
        return deck.names["maps"][int(map_row(s, outcome))]
    return deck.names["faces"][int(face_of(s, outcome))]


def action_text(s: Any, deck: LoadedDeck, action: int) -> str:
    """What an action does in this position, naming the cards it is about."""
    step, names = step_of(s), deck.names["faces"]
    if step == PAYING and action != act.DONE:
        return f"Spend {spent(s, deck, action)}"
    if step == CHOOSE_COST:
        return f"Pay {cost_text(s, deck, int(s['agenda'][s['depth'] - 1, B]), int(action == act.SECOND))}"
    if step == PENALTY:
        health, lost = (int(deck.tables.numbers[number]) for number in (RESHUFFLE_HEALTH, RESHUFFLE_CARDS))
        return f"Suffer -{health} Health" if action == act.FIRST else f"Banish {lost} random cards of the Influence Deck"
    if step in (AIM_ASSAULT, FLIPPING) and act.TARGET_CARD <= action < act.TARGET_CARD + SLOTS:
        return f"{'Assault' if step == AIM_ASSAULT else 'Flip'} {names[s['slot'][action - act.TARGET_CARD]]}"
    if action < NUM_STRONG_ACTIONS:
        return words.action_text(s, deck, action)
    for first, verb in ((own.PLAY_CARD, "Play"), (own.SPEND_CARD, "Discard")):
        if first <= action < first + MAX_HAND:
            return f"{verb} {names[s['hand'][action - first]]}"
    if own.USE_SPACE <= action < own.USE_SPACE + SPACE_ACTIONS:
        return f"Take the action {names[deck.tables.unique[row_here(s), s['at_space'], action - own.USE_SPACE]]}"
    if own.GO_TO_SPACE <= action < own.GO_TO_SPACE + MAX_SPACES:
        return f"Move to {space_name(deck, row_here(s), action - own.GO_TO_SPACE)}"
    if own.GO_ACROSS <= action < own.GO_ACROSS + EDGES:
        direction, segment = divmod(action - own.GO_ACROSS, 3)
        card = neighbour(s, direction)
        space = space_across(s, deck.tables, card, direction, segment)
        return f"Move {DIRECTIONS[direction]} to {space_name(deck, map_row(s, card), space)}"
    if own.PICK_BOSS <= action < own.PICK_BOSS + NUM_BOSSES:
        return f"Face {names[boss_face(s, action - own.PICK_BOSS)]}"
    if own.PICK_HERO <= action < own.PICK_HERO + NUM_HEROES + MAX_GUESTS:
        return f"Play as {names[hero_face(s, action - own.PICK_HERO)]}"
    return own.ACTIONS[action].text


def space_name(deck: LoadedDeck, row: int, space: int) -> str:
    """A space by its letter on its map card."""
    return f"space {deck.names['letters'][row][space]} of {deck.names['maps'][row]}"


def spent(s: Any, deck: LoadedDeck, action: int) -> str:
    """The card or die that an action pays with, and what it gives."""
    if act.EXHAUST_DIE <= action < act.EXHAUST_DIE + len(COLOURS):
        return f"a {COLOURS[action - act.EXHAUST_DIE]} die"
    held, first = (s["items"], act.DISCARD_ITEM) if action < act.DISCARD_ITEM + MAX_ITEMS else (s["hand"], own.SPEND_CARD)
    face = held[action - first]
    return f"{deck.names['faces'][face]} ({resources(deck.tables.yields[face])})"


def resources(amounts: Any) -> str:
    """Amounts of resources in words."""
    return ", ".join(f"{amount} {name}" for amount, name in zip(amounts, RESOURCES, strict=True) if amount > 0) or "nothing"


def cost_text(s: Any, deck: LoadedDeck, face: int, option: int) -> str:
    """A cost of a face as it counts now."""
    return resources([cost_of(s, int(amount)) for amount in deck.tables.costs[face, option]])


def side_name(deck: LoadedDeck, card: int, side: int) -> str:
    """What a card is called with this side up; ``card`` is a place in ``side``."""
    if card < MAP_SIDE:
        return deck.names["faces"][NUM_CARDS * side + card]
    if card < HERO_SIDE:
        return deck.names["maps"][2 * (card - MAP_SIDE) + side]
    first, number = (HERO_FACE, card - HERO_SIDE) if card < BOSS_SIDE else (BOSS_FACE, card - BOSS_SIDE)
    return deck.names["faces"][first + 2 * number + side]


def required(deck: LoadedDeck, face: int) -> list[int]:
    """The faces that must face up for a boss to be faced."""
    return [int(other) for other in deck.tables.requires[face - BOSS_FACE] if other != NONE]


def changes(deck: LoadedDeck, before: Memory, after: Memory) -> list[str]:
    """Which cards have flipped."""
    old, new = before["side"], after["side"]
    return [f"{side_name(deck, i, int(old[i]))} is now {side_name(deck, i, int(new[i]))}" for i in range(NUM_SIDES) if old[i] != new[i]]


def impossible(deck: LoadedDeck, memory: Memory) -> str | None:
    """Which card has no such side."""
    wrong = [f"found side {value} of {side_name(deck, place, 0)}" for place, value in enumerate(memory["side"]) if value not in (0, 1)]
    return f"{wrong[0]}; allowed: 0 for an A side, 1 for a B side" if wrong else None


def objection(options: NDArray[np.int32], deck: LoadedDeck, memory: Memory) -> str | None:
    """Why the boss that was asked for cannot be faced with these sides."""
    side = memory["side"]
    boss = int(options[OPTION_BOSS])
    if boss >= NUM_BOSSES:
        return None
    face = BOSS_FACE + 2 * boss + int(side[BOSS_SIDE + boss])
    missing = [deck.names["faces"][other] for other in required(deck, face) if side[other % NUM_CARDS] != other // NUM_CARDS]
    if not missing:
        return None
    return f'{deck.names["faces"][face]} can be faced only with {" and ".join(missing)} in play; allowed: another boss, or "choose"'
