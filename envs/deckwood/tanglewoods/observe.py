"""The observation: what it holds and how it is written. The two stand together so that they cannot drift apart."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.spec import Feature
from deckwood.strong.observe import (
    COMMITTED_FEATURES,
    DAMAGE_FEATURES,
    MANY,
    MODIFIER_FEATURES,
    POOL_FEATURES,
    SLOT_SIZE,
    STAT_FEATURES,
    USED_FEATURE,
    active_feature,
    beside_feature,
    items_feature,
    observe_beside,
    observe_card,
    observe_committed,
    observe_damage,
    observe_items,
    observe_modifiers,
    observe_pool,
    observe_stats,
    observe_step,
    observe_used,
    places_of,
    show_face,
    step_features,
    step_places,
)
from deckwood.strong.pool import recovery_of
from deckwood.strong.terms import COLOURS, NONE, SLOTS
from deckwood.strong.traits import FACE_VIEW
from deckwood.tanglewoods.rules.draws import count_in
from deckwood.tanglewoods.rules.encounter import bribe_cost
from deckwood.tanglewoods.rules.forest import cabin_placed, lines_from_here
from deckwood.tanglewoods.rules.table import STEPS
from deckwood.tanglewoods.state import (
    FOREST_DEALT,
    HERO_FACE,
    IN_DECK,
    IN_DISCARD,
    ITEM_FACE,
    MAX_LINE,
    MAX_PATH,
    NODE_VIEW,
    NUM_ENEMIES,
    NUM_ITEMS,
    NUM_WOLVES,
    PLACE_NAMES,
    PLACES,
    ROUTE_VIEW,
    THRESHOLD_NAMES,
    THRESHOLDS,
    UNIVERSAL_FACE,
)
from deckwood.tanglewoods.views import FACE_LABELS, NODE_LABELS, ROUTE_LABELS

HERO_KINDS = UNIVERSAL_FACE - HERO_FACE + 1  # the last one stands for every universal hero
CARDS_SHOWN = 2  # the hero's card and the next one
NODES_SIZE = PLACES * NODE_VIEW
LINES = PLACES + THRESHOLDS

FEATURES: tuple[Feature, ...] = (
    *step_features(STEPS.phases, STEPS.decisions),
    *STAT_FEATURES,
    Feature("gold", 1, 0, MANY, "gold"),
    *DAMAGE_FEATURES,
    Feature("endgame", 1, 0, 1, "whether the battle at the Cabin has begun"),
    *POOL_FEATURES,
    Feature("exploring", 5, 0, 4, "dice chosen to explore", COLOURS),
    *COMMITTED_FEATURES,
    active_feature("bribe, or -1"),
    Feature(
        "line",
        MAX_LINE * FACE_VIEW,
        -MANY,
        MANY,
        "the scouting line, from the left",
        tuple(f"{i + 1} {label}" for i in range(MAX_LINE) for label in FACE_LABELS),
    ),
    *MODIFIER_FEATURES,
    Feature("hero", HERO_KINDS, 0, 1, "the hero's face, one-hot; the last entry is any universal hero"),
    items_feature(NUM_ITEMS),
    USED_FEATURE,
    Feature("shop", NUM_ITEMS, 0, 1, "items on offer, which lie in this order"),
    beside_feature("fables"),
    Feature("wolves", NUM_WOLVES, 0, 1, "wolves still in the Wolf Pack Deck"),
    Feature("decks", 4, 0, NUM_ENEMIES, "cards left", ("minions", "minion discard", "items", "forest to come")),
    Feature("path", 4, 0, MAX_PATH, "the path", ("cards behind", "cards ahead", "cabin placed", "next_mobs")),
    Feature("here", 2, 0, 1, "the hero's node", ("weary", "blighted")),
    Feature("lines", LINES, 0, 1, "where the lines lead from the hero's place", PLACE_NAMES + THRESHOLD_NAMES),
    Feature(
        "nodes",
        CARDS_SHOWN * NODES_SIZE,
        0,
        MANY,
        "nodes of the hero's card and the next one",
        tuple(f"+{k} {label}" for k in range(CARDS_SHOWN) for label in NODE_LABELS),
    ),
    Feature("night", CARDS_SHOWN, 0, 1, "whether these cards show their nighttime side"),
    Feature(
        "routes",
        CARDS_SHOWN * ROUTE_VIEW,
        0,
        1,
        "lines of these cards",
        tuple(f"+{k} {label}" for k in range(CARDS_SHOWN) for label in ROUTE_LABELS),
    ),
)
"""The observation's layout, in order."""

_at = places_of(FEATURES)
OBSERVATION_SIZE = _at["end"]

AT_PHASE, AT_REQUEST, AT_STATS, AT_RECOVERY = _at["phase"], _at["how_many"], _at["stats"], _at["counting_recovery"]
AT_GOLD, AT_DAMAGE, AT_ENDGAME = _at["gold"], _at["damage_due"], _at["endgame"]
AT_POOL, AT_EXPLORING, AT_COMMITTED, AT_ACTIVE = _at["ready"], _at["exploring"], _at["to_roll"], _at["active"]
AT_LINE, AT_MODIFIERS, AT_HERO = _at["line"], _at["modifiers"], _at["hero"]
AT_ITEMS, AT_USED, AT_SHOP, AT_BESIDE, AT_WOLVES = _at["items"], _at["used"], _at["shop"], _at["beside"], _at["wolves"]
AT_DECKS, AT_PATH, AT_HERE, AT_LINES = _at["decks"], _at["path"], _at["here"], _at["lines"]
AT_NODES, AT_NIGHT, AT_ROUTES = _at["nodes"], _at["night"], _at["routes"]

STEP_PLACES = step_places(STEPS.decisions)


@rule
def observe(s, deck, out):
    """Writes the observation, float32 of size OBSERVATION_SIZE; FEATURES tells what lies where."""
    out[:] = 0.0
    if s.depth > 0:
        observe_step(s, STEP_PLACES, out, AT_PHASE, AT_REQUEST)
    observe_stats(s, out, AT_STATS)
    out[AT_RECOVERY] = recovery_of(s)
    observe_damage(s, deck, out, AT_DAMAGE)
    out[AT_GOLD] = s.gold
    out[AT_ENDGAME] = s.endgame
    out[AT_HERO + min(int(s.hero) - HERO_FACE, HERO_KINDS - 1)] = 1
    observe_pool(s, out, AT_POOL)
    for colour in range(5):
        out[AT_EXPLORING + colour] = s.explore[colour]
    observe_committed(s, out, AT_COMMITTED)
    for slot in range(SLOTS):
        if s.slot[slot] != NONE:
            observe_card(s, deck, slot, bribe_cost(s, deck, slot), out, AT_ACTIVE + slot * SLOT_SIZE)
    for place in range(int(s.line_length)):
        show_face(deck, int(s.line[place]), 0, out, AT_LINE + place * FACE_VIEW)
    observe_modifiers(s, out, AT_MODIFIERS)
    observe_items(s, ITEM_FACE, out, AT_ITEMS)
    observe_used(s, out, AT_USED)
    observe_beside(s, out, AT_BESIDE)
    observe_decks(s, out)
    observe_forest(s, deck, out)


@rule
def observe_decks(s, out):
    for i in range(3):
        if s.shop[i] != NONE:
            out[AT_SHOP + int(s.shop[i]) - ITEM_FACE] = 1
    for wolf in range(NUM_WOLVES):
        out[AT_WOLVES + wolf] = 1 if s.wolves[wolf] == IN_DECK else 0
    out[AT_DECKS] = count_in(s.minions, IN_DECK)
    out[AT_DECKS + 1] = count_in(s.minions, IN_DISCARD)
    out[AT_DECKS + 2] = count_in(s.item_cards, IN_DECK)
    out[AT_DECKS + 3] = FOREST_DEALT - int(s.placed)


@rule
def observe_forest(s, deck, out):
    out[AT_PATH] = s.at_card
    out[AT_PATH + 1] = int(s.path_length) - 1 - int(s.at_card)
    out[AT_PATH + 2] = 1 if cabin_placed(s) else 0
    out[AT_PATH + 3] = min(MAX_PATH, int(s.next_mobs))
    out[AT_HERE] = min(1, int(s.weary) + int(s.tired))
    out[AT_HERE + 1] = s.blighted
    lines = lines_from_here(s, deck)
    for i in range(LINES):
        out[AT_LINES + i] = (lines >> i) & 1
    for k in range(min(CARDS_SHOWN, int(s.path_length) - int(s.at_card))):
        side = int(s.path[s.at_card + k])
        out[AT_NIGHT + k] = side % 2
        for i in range(NODES_SIZE):
            out[AT_NODES + k * NODES_SIZE + i] = deck.node_view[side, i]
        for i in range(ROUTE_VIEW):
            out[AT_ROUTES + k * ROUTE_VIEW + i] = deck.route_view[side, i]
