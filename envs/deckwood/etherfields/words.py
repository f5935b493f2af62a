"""What phases, outcomes, actions and changes of a deck are called."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.spec import LoadedDeck, Memory
from deckwood.core.uncompiled import uncompiled
from deckwood.etherfields import actions as own
from deckwood.etherfields.deck import WORDS
from deckwood.etherfields.rules import boss as bosses
from deckwood.etherfields.rules import cards, dream, payment, setup, taking
from deckwood.etherfields.rules.table import STEPS
from deckwood.etherfields.state import (
    AWARENESS,
    BOSS_FACE,
    BOSS_SIDE,
    CUNNING,
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
    RESOURCE_DICE,
    RESOURCES,
    SPACE_ACTIONS,
)
from deckwood.etherfields.steps import (
    AIM_ASSAULT,
    BEFORE_BOSS,
    BEFORE_CLEANUP,
    BEFORE_OPPOSITION,
    CHOOSE_COST,
    DAWN,
    DISCARD_CARDS,
    EXPLORING,
    FLIPPING,
    LOSE_MAP_CARD,
    MOVEMENT,
    MOVING,
    PAYING,
    PENALTY,
    REVEAL,
    WINDOW,
)
from deckwood.strong import actions as act
from deckwood.strong import words
from deckwood.strong.actions import NUM_STRONG_ACTIONS
from deckwood.strong.steps import A, B
from deckwood.strong.terms import COLOURS, FACES, MAX_ITEMS, NONE, ONGOING, SLOTS, USE
from deckwood.strong.words import DICE_STEPS, at_moments, counted, step_argument, step_of, whole_text, with_text

row_here = uncompiled(dream.row_here)
map_row = uncompiled(dream.map_row)
neighbour = uncompiled(dream.neighbour)
space_across = uncompiled(dream.space_across)
boss_face = uncompiled(bosses.boss_face)
hero_face = uncompiled(setup.hero_face)
face_of = uncompiled(cards.face_of)
cost_of = uncompiled(payment.cost_of)
has_alternative = uncompiled(payment.has_alternative)
arrow_here = uncompiled(dream.arrow_here)
explore_cost = uncompiled(taking.explore_cost)
wrath_to_fell = uncompiled(taking.wrath_to_fell)

WINDOW_ENDS = {
    DAWN: "the Influence step follows",
    BEFORE_OPPOSITION: "an enemy is activated next",
    BEFORE_BOSS: "the end of Activation follows",
    BEFORE_CLEANUP: "Cleanup follows",
}
"""What comes after the windows of a round."""


def phase_name(s: Any) -> str:
    """What is being decided or drawn."""
    return words.phase_name(s, STEPS.phases)


def outcome_name(s: Any, deck: LoadedDeck, outcome: int) -> str:
    """What an outcome of the pending chance event is called."""
    step = step_of(s)
    if step in DICE_STEPS:
        return FACES[outcome]
    if step in (EXPLORING, LOSE_MAP_CARD) or (step == REVEAL and s["agenda"][s["depth"] - 1, A] == MAP_DECK):
        return deck.names["maps"][int(map_row(s, outcome))]
    return deck.names["faces"][int(face_of(s, outcome))]


def action_text(s: Any, deck: LoadedDeck, action: int) -> str:
    """What an action does in this position: the cards it is about, what it costs and what comes of it."""
    step, names = step_of(s), deck.names["faces"]
    if action == act.DONE and step in (WINDOW, PAYING, MOVING, DISCARD_CARDS):
        return done_text(s, step)
    if step == PAYING:
        return spending_text(s, deck, action)
    if step == CHOOSE_COST:
        face, option = step_argument(s, B), int(action == act.SECOND)
        cost = cost_text(s, deck, face, option)
        return f"Pay {cost} for {names[face]}" + " (the other way)" * (option == 1 and cost == cost_text(s, deck, face, 0))
    if step == PENALTY:
        health, lost = (int(deck.tables.numbers[number]) for number in (RESHUFFLE_HEALTH, RESHUFFLE_CARDS))
        return f"Suffer -{health} Health" if action == act.FIRST else f"Banish {counted(lost, 'random card')} of the Influence Deck"
    if act.TARGET_CARD <= action < act.TARGET_CARD + SLOTS and step in (AIM_ASSAULT, FLIPPING):
        face = int(s["slot"][action - act.TARGET_CARD])
        if step == FLIPPING:
            return f"Flip {names[face]} to {names[back_of(face)]}"
        return f"Assault {names[face]} for {int(wrath_to_fell(s, deck.tables, action - act.TARGET_CARD))} wrath"
    if action < NUM_STRONG_ACTIONS:
        return words.action_text(s, deck, action, WORDS)
    if own.PLAY_CARD <= action < own.PLAY_CARD + MAX_HAND:
        return playing_text(s, deck, int(s["hand"][action - own.PLAY_CARD]))
    if own.SPEND_CARD <= action < own.SPEND_CARD + MAX_HAND:
        return f"Discard {names[s['hand'][action - own.SPEND_CARD]]}"
    if action == own.START_MOVE:
        return "Move: 1 space for each cunning that you spend"
    if action == own.START_ASSAULT:
        return "Assault an enemy: as much wrath as it has Health left"
    if action == own.EXPLORE:
        return f"Explore {DIRECTIONS[arrow_here(s, deck.tables)]} for {int(explore_cost(s, deck.tables))} {RESOURCES[AWARENESS]}"
    if own.USE_SPACE <= action < own.USE_SPACE + SPACE_ACTIONS:
        face = int(deck.tables.unique[row_here(s), s["at_space"], action - own.USE_SPACE])
        return with_text(f"{names[face]}, {price_text(s, deck, face)}", at_moments(deck, WORDS, face, USE))
    if own.GO_TO_SPACE <= action < own.GO_TO_SPACE + MAX_SPACES:
        return "Move to " + space_entered(deck, row_here(s), action - own.GO_TO_SPACE)
    if own.GO_ACROSS <= action < own.GO_ACROSS + EDGES:
        direction, segment = divmod(action - own.GO_ACROSS, 3)
        card = neighbour(s, direction)
        space = space_across(s, deck.tables, card, direction, segment)
        return f"Move {DIRECTIONS[direction]} to {space_entered(deck, map_row(s, card), space)}"
    if own.PICK_BOSS <= action < own.PICK_BOSS + NUM_BOSSES:
        return f"Face {names[boss_face(s, action - own.PICK_BOSS)]}"
    if own.PICK_HERO <= action < own.PICK_HERO + NUM_HEROES + MAX_GUESTS:
        return f"Play as {names[hero_face(s, action - own.PICK_HERO)]}"
    return own.ACTIONS[action].text


def done_text(s: Any, step: int) -> str:
    """The end of what may be done several times."""
    if step == WINDOW:
        return f"Take no more actions: {WINDOW_ENDS[step_argument(s, A)]}"
    if step == PAYING:
        return f"Spend no more: move up to {counted(int(s['paid']), 'space')}"
    if step == MOVING:
        return f"Stop here: {counted(step_argument(s, A), 'space')} of the movement left over"
    return "Discard no more"


def back_of(face: int) -> int:
    """The other side of an enemy, influence card or item."""
    return (face + NUM_CARDS) % (2 * NUM_CARDS)


def playing_text(s: Any, deck: LoadedDeck, face: int) -> str:
    """Playing an influence card: its cost, and what it does; one that is ongoing goes to the inventory first."""
    name, price = deck.names["faces"][face], price_text(s, deck, face)
    if deck.tables.cards[face]["uses"] == ONGOING:
        return with_text(f"Play {name} into the inventory, {price}", whole_text(deck, WORDS, face))
    return with_text(f"Play {name}, {price}", at_moments(deck, WORDS, face, USE))


def price_text(s: Any, deck: LoadedDeck, face: int) -> str:
    """What a face costs now, either cost where it has two."""
    costs = [cost_text(s, deck, face, option) for option in range(1 + int(has_alternative(deck.tables, face)))]
    return "free" if "nothing" in costs else f"for {' or '.join(costs)}"


def space_name(deck: LoadedDeck, row: int, space: int) -> str:
    """A space by its letter on its map card."""
    return f"space {deck.names['letters'][row][space]} of {deck.names['maps'][row]}"


def space_entered(deck: LoadedDeck, row: int, space: int) -> str:
    """A space with the enemies that entering it activates."""
    skulls = int(deck.tables.skulls[row, space])
    more = f": it activates {counted(skulls, 'enemy', 'enemies')}" if skulls else ""
    return space_name(deck, row, space) + more


def spending_text(s: Any, deck: LoadedDeck, action: int) -> str:
    """The card or die that an action pays with, what it gives, and what of that is lost."""
    if act.EXHAUST_DIE <= action < act.EXHAUST_DIE + len(COLOURS):
        colour = action - act.EXHAUST_DIE
        return f"Exhaust a {COLOURS[colour]} die for 1 {RESOURCES[RESOURCE_DICE.index(colour)]}"
    held, first = (s["items"], act.DISCARD_ITEM) if action < act.DISCARD_ITEM + MAX_ITEMS else (s["hand"], own.SPEND_CARD)
    face = int(held[action - first])
    amounts = [int(amount) for amount in deck.tables.yields[face]]
    useful = [
        amount if resource == CUNNING and step_argument(s, A) == MOVEMENT else min(amount, int(s["due"][resource]))
        for resource, amount in enumerate(amounts)
    ]
    lost = [amount - used for amount, used in zip(amounts, useful, strict=True)]
    return f"Discard {deck.names['faces'][face]} for {resources(amounts)}" + (f" ({resources(lost)} of it lost)" if any(lost) else "")


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


def _missing(deck: LoadedDeck, face: int, side: NDArray[Any]) -> list[str]:
    """The names of those that do not."""
    return [deck.names["faces"][other] for other in required(deck, face) if side[other % NUM_CARDS] != other // NUM_CARDS]


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
    faces = [BOSS_FACE + 2 * number + int(side[BOSS_SIDE + number]) for number in range(NUM_BOSSES)]
    if boss >= NUM_BOSSES:
        if all(_missing(deck, face, side) for face in faces):
            return "no boss can be faced with these cards; allowed: a campaign whose cards let one be faced"
        return None
    face, missing = faces[boss], _missing(deck, faces[boss], side)
    if not missing:
        return None
    return f'{deck.names["faces"][face]} can be faced only with {" and ".join(missing)} in play; allowed: another boss, or "choose"'
