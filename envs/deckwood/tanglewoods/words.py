"""What phases, outcomes and actions of a position are called."""

from __future__ import annotations

from typing import Any

from deckwood.core.spec import LoadedDeck
from deckwood.core.uncompiled import uncompiled
from deckwood.strong import actions as act
from deckwood.strong import cards, words
from deckwood.strong.steps import DRAW_ITEM
from deckwood.strong.terms import COLOURS, FACES, HEALTH, MAX_ITEMS, MISS, SIDES, SLOTS, STAT_MAX, STATS, STRATEGY
from deckwood.strong.words import counted, step_of, whole_text, with_text
from deckwood.tanglewoods import actions as own
from deckwood.tanglewoods.deck import WORDS
from deckwood.tanglewoods.rules import encounter, forest, merchant
from deckwood.tanglewoods.rules.table import STEPS
from deckwood.tanglewoods.state import (
    CABIN,
    CAMP_HEALTH,
    CAMP_RECOVERY,
    CAMP_STRATEGY,
    DAY,
    FABLE_FACE,
    FOREST_DEALT,
    ITEM_FACE,
    MAX_LINE,
    MOBS,
    NODE_TYPES,
    OUTLINE,
    OUTLINES,
    PLACES,
    POOR_START,
    RECOVER_COST,
    STAT_COST,
    THRESHOLD_NAMES,
    THRESHOLDS,
    TOLL_GOLD,
    TYPE,
    UPGRADE_COST,
    WOLF_FACE,
)
from deckwood.tanglewoods.steps import (
    BRIBERY,
    CAMP,
    DISCARD_FROM_LINE,
    DRAW_FABLE,
    DRAW_WOLF,
    DROP_WOLF,
    EXPLORE,
    EXPLORE_ROLL,
    MERCHANT_VISIT,
    NIGHT_OR_DICE,
    PAY_OR_BANISH,
    PLACE_CARD,
    SETUP_RAISE,
    STOCK_SHOP,
    SWAP_SCOUTED,
    TRAP_ROLL,
    WOLF_BACK,
)

DICE_STEPS = (*words.DICE_STEPS, EXPLORE_ROLL, TRAP_ROLL)

bribe_cost = uncompiled(encounter.bribe_cost)
cabin_placed = uncompiled(forest.cabin_placed)
item_price = uncompiled(merchant.item_price)
price = uncompiled(merchant.price)
standing_enemies = uncompiled(cards.standing_enemies)


def phase_name(s: Any) -> str:
    """What is being decided or drawn."""
    return words.phase_name(s, STEPS.phases)


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
    """What an action does in this position: the cards it is about, what it costs and what comes of it."""
    step = step_of(s)
    for steps, first, number, text in GROUPS:
        if first <= action < first + number and (not steps or step in steps):
            return text(s, deck, action - first)
    if action < act.NUM_STRONG_ACTIONS:
        return words.action_text(s, deck, action, WORDS)
    return own.ACTIONS[action].text


# Setup


def difficulty_text(s: Any, deck: LoadedDeck, index: int) -> str:
    changes = (
        "add a forest card to the path by night, or banish two dice",
        f"reduce your gold to {min(int(s['gold']), int(deck.tables.numbers[POOR_START]))} and add a forest card to the path by night",
        "lose 1 in a stat of your choice",
    )
    return f"Apply the modifier of difficulty {6 + index}: {changes[index]}"


def night_or_dice_text(s: Any, deck: LoadedDeck, index: int) -> str:
    return "Banish two dice of your choice" if index else "Add a forest card to the path by night"


def raise_text(s: Any, deck: LoadedDeck, stat: int, gain: int = 1) -> str:
    now, name = int(s["stats"][stat]), STATS[stat].capitalize()
    after = min(STAT_MAX, now + gain)
    return f"Raise {name} from {now} to {after}" if after > now else f"Choose {name}, which stays at {now}"


def camp_text(s: Any, deck: LoadedDeck, stat: int) -> str:
    number = CAMP_HEALTH if stat == HEALTH else CAMP_STRATEGY if stat == STRATEGY else CAMP_RECOVERY
    return raise_text(s, deck, stat, int(deck.tables.numbers[number]))


def scouted_text(s: Any, deck: LoadedDeck, place: int) -> str:
    card = deck.names["faces"][s["line"][place]]
    if step_of(s) == SWAP_SCOUTED:
        return f"Shuffle {card} back into the Minion Deck; another enemy takes its place"
    return f"Discard {card} from the scouting line"


# The forest


def explore_text(s: Any, deck: LoadedDeck, colour: int) -> str:
    sides = 6 - SIDES[colour][MISS]
    adds = f"a card by day on {counted(sides, 'side')} of 6, else by night" if sides < 6 else "a card by day"
    if cards_to_come(s) == 0:
        adds = "no card is left to be added"
    return f"Choose a {COLOURS[colour]} die to explore with: {adds}"


def cards_to_come(s: Any) -> int:
    """Cards that may still be added to the path, the Cabin among them."""
    return 0 if cabin_placed(s) else FOREST_DEALT + 1 - int(s["placed"])


def place_text(s: Any, deck: LoadedDeck, place: int) -> str:
    return f"{own.ACTIONS[own.TRAVEL_PLACE + place].text} ({node_text(deck, s['path'][s['at_card']], place)})"


def threshold_text(s: Any, deck: LoadedDeck, threshold: int) -> str:
    """Through an upper threshold onto the next card, or onto the one that is added then."""
    text = f"Travel through the {THRESHOLD_NAMES[threshold]} upper threshold"
    if s["at_card"] + 1 < s["path_length"]:
        return f"{text} onto {side_name(deck, int(s['path'][s['at_card'] + 1]))}"
    if cards_to_come(s) > 1:
        return f"{text}; a forest card is added by night"
    return f"{text} onto {side_name(deck, 2 * CABIN + int(s['cabin_side']))}"


def side_name(deck: LoadedDeck, side: int) -> str:
    return f"{deck.names['forest'][side // 2]}, by {'day' if side % 2 == DAY else 'night'}"


def toll_text(s: Any, deck: LoadedDeck, index: int) -> str:
    return f"Pay the toll of {int(deck.tables.numbers[TOLL_GOLD])} gold"


def toll_die_text(s: Any, deck: LoadedDeck, index: int) -> str:
    state, colour = divmod(index, len(COLOURS))
    return f"Banish {('a ready', 'an exhausted')[state]} {COLOURS[colour]} die as toll"


def toll_pick_text(s: Any, deck: LoadedDeck, index: int) -> str:
    colour, face = divmod(index, len(FACES))
    return f"Banish a {COLOURS[colour]} {FACES[face]} as toll"


def toll_card_text(s: Any, deck: LoadedDeck, slot: int) -> str:
    return f"Banish a die applied to {deck.names['faces'][s['slot'][slot]]} as toll"


# Gold


def bribe_text(s: Any, deck: LoadedDeck, slot: int) -> str:
    return f"Bribe {deck.names['faces'][s['slot'][slot]]} for {int(bribe_cost(s, deck.tables, slot))} gold"


def buy_text(s: Any, deck: LoadedDeck, place: int) -> str:
    face = int(s["shop"][place])
    cost = int(item_price(s, deck.tables, place))
    return with_text(f"Buy {deck.names['faces'][face]} for {cost} gold", whole_text(deck, WORDS, face))


def for_gold(s: Any, deck: LoadedDeck, number: int) -> str:
    """What a merchant action costs now."""
    return f" for {int(price(s, int(deck.tables.numbers[number])))} gold"


def bought_die_text(s: Any, deck: LoadedDeck, colour: int) -> str:
    return f"Recover a {COLOURS[colour]} die" + for_gold(s, deck, RECOVER_COST)


def bought_stat_text(s: Any, deck: LoadedDeck, stat: int) -> str:
    return raise_text(s, deck, stat) + for_gold(s, deck, STAT_COST)


def bought_upgrade_text(s: Any, deck: LoadedDeck, index: int) -> str:
    names, face = deck.names["faces"], int(s["items"][index])
    other = int(deck.tables.cards[face]["other_side"])
    return with_text(f"Upgrade {names[face]} to {names[other]}" + for_gold(s, deck, UPGRADE_COST), whole_text(deck, WORDS, other))


def room_text(s: Any, deck: LoadedDeck, index: int) -> str:
    return f"Discard {deck.names['faces'][s['items'][index]]} to make room for another item"


def done_text(s: Any, deck: LoadedDeck, index: int) -> str:
    """The end of what may be done several times, or left undone."""
    step = step_of(s)
    if step == EXPLORE:
        dice = int(s["explore"].sum())
        return f"Roll {counted(dice, 'chosen die', 'chosen dice')}; then the merchant comes" if dice else "Do not explore"
    if step == MERCHANT_VISIT:
        return "Leave the merchant"
    if step == BRIBERY:
        return f"Bribe no more: {counted(int(standing_enemies(s, deck.tables)), 'enemy', 'enemies')} to fight"
    return {SWAP_SCOUTED: "Leave the scouting line as it is", DISCARD_FROM_LINE: "Discard no more scouted cards"}.get(step, "Raise no stat")


GROUPS = (
    ((EXPLORE, MERCHANT_VISIT, BRIBERY, SWAP_SCOUTED, DISCARD_FROM_LINE, SETUP_RAISE), act.DONE, 1, done_text),
    ((SETUP_RAISE,), act.PICK_STAT, len(STATS), raise_text),
    ((CAMP,), act.PICK_STAT, len(STATS), camp_text),
    ((NIGHT_OR_DICE,), act.FIRST, 2, night_or_dice_text),
    ((PAY_OR_BANISH,), act.BANISH_READY, 2 * len(COLOURS), toll_die_text),
    ((PAY_OR_BANISH,), act.PICK_DIE, len(COLOURS) * len(FACES), toll_pick_text),
    ((PAY_OR_BANISH,), act.TARGET_CARD, SLOTS, toll_card_text),
    ((BRIBERY,), act.TARGET_CARD, SLOTS, bribe_text),
    ((MERCHANT_VISIT,), act.RECOVER_DIE, len(COLOURS), bought_die_text),
    ((MERCHANT_VISIT,), act.PICK_STAT, len(STATS), bought_stat_text),
    ((MERCHANT_VISIT,), act.TURN_ITEM, MAX_ITEMS, bought_upgrade_text),
    ((MERCHANT_VISIT,), act.DISCARD_ITEM, MAX_ITEMS, room_text),
    ((), own.EXPLORE_DIE, len(COLOURS), explore_text),
    ((), own.TRAVEL_PLACE, PLACES, place_text),
    ((), own.TRAVEL_THRESHOLD, THRESHOLDS, threshold_text),
    ((), own.SCOUTED, MAX_LINE, scouted_text),
    ((), own.BUY, merchant.SHOP_PLACES, buy_text),
    ((), own.PAY_TOLL, 1, toll_text),
    ((), own.MODIFIER, 3, difficulty_text),
)
"""Groups of actions: the steps at which they have a text of this deck (all, where none is named), the first one, their number, the text."""


def node_text(deck: LoadedDeck, side: int, place: int) -> str:
    """A node in words: its outline and its type."""
    node = deck.tables.nodes[side, place]
    outline = f"mob +{node[MOBS]}" if node[MOBS] else OUTLINES[node[OUTLINE]]
    kind = NODE_TYPES[node[TYPE]]
    return kind if outline == "standard" else f"{outline} {kind}"
