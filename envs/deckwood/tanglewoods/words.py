"""What phases, outcomes and actions of a position are called."""

from __future__ import annotations

from typing import Any

from deckwood.core.spec import LoadedDeck
from deckwood.strong import words
from deckwood.strong.actions import NUM_STRONG_ACTIONS
from deckwood.strong.steps import DRAW_ITEM
from deckwood.strong.terms import FACES
from deckwood.strong.words import step_of
from deckwood.tanglewoods import actions as own
from deckwood.tanglewoods.state import (
    FABLE_FACE,
    ITEM_FACE,
    MAX_LINE,
    MOBS,
    NODE_TYPES,
    OUTLINE,
    OUTLINES,
    PLACES,
    TYPE,
    WOLF_FACE,
)
from deckwood.tanglewoods.steps import (
    DRAW_FABLE,
    DRAW_WOLF,
    DROP_WOLF,
    EXPLORE_ROLL,
    PLACE_CARD,
    STOCK_SHOP,
    TANGLEWOODS_PHASES,
    TRAP_ROLL,
    WOLF_BACK,
)

DICE_STEPS = (*words.DICE_STEPS, EXPLORE_ROLL, TRAP_ROLL)


def phase_name(s: Any) -> str:
    """What is being decided or drawn."""
    return words.phase_name(s, TANGLEWOODS_PHASES)


def outcome_name(s: Any, deck: LoadedDeck, outcome: int) -> str:
    """What an outcome of the pending chance event is called."""
    step = step_of(s)
    if step in DICE_STEPS:
        return FACES[outcome]
    if step == PLACE_CARD:
        return deck.names["forest"][outcome]
    first = {
        STOCK_SHOP: ITEM_FACE,
        DRAW_ITEM: ITEM_FACE,
        DRAW_WOLF: WOLF_FACE,
        DROP_WOLF: WOLF_FACE,
        WOLF_BACK: WOLF_FACE,
        DRAW_FABLE: FABLE_FACE,
    }
    return deck.names["faces"][first.get(step, 0) + outcome]


def action_text(s: Any, deck: LoadedDeck, action: int) -> str:
    """What an action does in this position, naming the cards it is about."""
    if action < NUM_STRONG_ACTIONS:
        return words.action_text(s, deck, action)
    names = deck.names["faces"]
    text = own.ACTIONS[action].text
    if own.SCOUTED <= action < own.SCOUTED + MAX_LINE:
        return f"Choose {names[s['line'][action - own.SCOUTED]]} in the scouting line"
    if own.BUY <= action < own.BUY + 3:
        face = s["shop"][action - own.BUY]
        return f"Buy {names[face]} for {deck.tables.cards[face]['cost']} gold"
    if own.TRAVEL_PLACE <= action < own.TRAVEL_PLACE + PLACES:
        return f"{text} ({node_text(deck, s['path'][s['at_card']], action - own.TRAVEL_PLACE)})"
    return text


def node_text(deck: LoadedDeck, side: int, place: int) -> str:
    """A node in words: its outline and its type."""
    node = deck.tables.nodes[side, place]
    outline = f"mob +{node[MOBS]}" if node[MOBS] else OUTLINES[node[OUTLINE]]
    kind = NODE_TYPES[node[TYPE]]
    return kind if outline == "standard" else f"{outline} {kind}"
