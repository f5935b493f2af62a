"""The observation: what it holds and how it is written. The two stand together so that they cannot drift apart."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.spec import Feature
from deckwood.etherfields.rules.boss import is_met
from deckwood.etherfields.rules.cards import deck_of, face_of
from deckwood.etherfields.rules.dream import has_acted, map_row
from deckwood.etherfields.rules.payment import means
from deckwood.etherfields.rules.table import STEPS
from deckwood.etherfields.rules.taking import wrath_to_fell
from deckwood.etherfields.state import (
    BOSS_FACE,
    CARD_VIEW,
    CONDITIONS,
    DECKS,
    ENEMY_DECK,
    HERO_FACE,
    IN_PLAY,
    INFLUENCE_DECK,
    ITEM_DECK,
    MAP_DECK,
    MAP_SIDE,
    MAX_HAND,
    MAX_SPACES,
    NUM_BOSSES,
    NUM_CARDS,
    NUM_MAPS,
    RESOURCES,
    SPACE_ACTIONS,
    SPACE_VIEW,
    UNIVERSAL_FACE,
    ZONES,
)
from deckwood.etherfields.views import CARD_LABELS, FACE_LABELS, SPACE_LABELS
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
    bounded,
    observe_card,
    observe_committed,
    observe_damage,
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
from deckwood.strong.terms import COLOURS, MAX_ITEMS, NONE, SLOTS

HERO_KINDS = UNIVERSAL_FACE - HERO_FACE + 1  # the last one stands for every universal hero
MAP_LABELS = ("in play", "columns east of the hero", "rows north of the hero", "b side", "on top of its deck")


def _numbered(count: int, labels: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{i + 1} {label}" for i in range(count) for label in labels)


FEATURES: tuple[Feature, ...] = (
    *step_features(STEPS.phases, STEPS.decisions),
    *STAT_FEATURES,
    *DAMAGE_FEATURES,
    *POOL_FEATURES,
    *COMMITTED_FEATURES,
    active_feature("wrath to assault it, or -1"),
    *MODIFIER_FEATURES,
    USED_FEATURE,
    Feature("hero", HERO_KINDS, 0, 1, "the hero's face, one-hot; the last entry is any universal hero"),
    Feature("boss", 2 * NUM_BOSSES, 0, 1, "the boss's face, one-hot"),
    Feature("facing", 1, 0, 1, "whether the boss has been activated"),
    Feature("condition", len(CONDITIONS), 0, 1, "parts of the boss's endgame condition that are met", CONDITIONS),
    Feature("ether", 5, 0, 1, "the ether, one-hot", COLOURS),
    Feature("means", 3, 0, MANY, "resources that could be spent: hand, inventory and ready dice", RESOURCES),
    Feature("due", 3, 0, MANY, "resources still to be spent on the action being paid for", RESOURCES),
    Feature("hand", MAX_HAND * CARD_VIEW, 0, MANY, "influence cards in hand", _numbered(MAX_HAND, CARD_LABELS)),
    Feature("inventory", MAX_ITEMS * CARD_VIEW, 0, MANY, "cards of the inventory", _numbered(MAX_ITEMS, CARD_LABELS)),
    Feature("next_enemy", len(FACE_LABELS), -MANY, MANY, "the visible card of the Enemy Deck", FACE_LABELS),
    Feature("next_cards", 2 * CARD_VIEW, 0, MANY, "the visible cards of Influence Deck and Item Deck", _numbered(2, CARD_LABELS)),
    Feature("cards", 3 * len(ZONES), 0, NUM_CARDS, "cards by where they lie and type", tuple(f"{z} {d}" for z in ZONES for d in DECKS[:3])),
    Feature("maps", len(ZONES), 0, NUM_MAPS, "map cards by where they lie", ZONES),
    Feature("at", MAX_SPACES, 0, 1, "the hero's space on its map card, one-hot"),
    Feature("spaces", MAX_SPACES * SPACE_VIEW, 0, MANY, "spaces of the hero's map card", _numbered(MAX_SPACES, SPACE_LABELS)),
    Feature("doors", MAX_SPACES, 0, 1, "spaces of the map card that the hero's borders on"),
    Feature("unique", SPACE_ACTIONS * CARD_VIEW, 0, MANY, "unique actions of the hero's space", _numbered(SPACE_ACTIONS, CARD_LABELS)),
    Feature("acted", SPACE_ACTIONS, 0, 1, "which of them have been resolved this round"),
    Feature("map", NUM_MAPS * len(MAP_LABELS), -MANY, MANY, "the map cards", _numbered(NUM_MAPS, MAP_LABELS)),
)
"""The observation's layout, in order."""

_at = places_of(FEATURES)
OBSERVATION_SIZE = _at["end"]

AT_PHASE, AT_REQUEST, AT_STATS, AT_DAMAGE = _at["phase"], _at["how_many"], _at["stats"], _at["damage_due"]
AT_POOL, AT_COMMITTED, AT_ACTIVE = _at["ready"], _at["to_roll"], _at["active"]
AT_MODIFIERS, AT_USED, AT_HERO, AT_BOSS = _at["modifiers"], _at["used"], _at["hero"], _at["boss"]
AT_FACING, AT_CONDITION, AT_ETHER, AT_MEANS, AT_DUE = _at["facing"], _at["condition"], _at["ether"], _at["means"], _at["due"]
AT_HAND, AT_INVENTORY, AT_NEXT_ENEMY, AT_NEXT_CARDS = _at["hand"], _at["inventory"], _at["next_enemy"], _at["next_cards"]
AT_CARDS, AT_MAPS = _at["cards"], _at["maps"]
AT_HERE, AT_SPACES, AT_DOORS, AT_UNIQUE = _at["at"], _at["spaces"], _at["doors"], _at["unique"]
AT_ACTED, AT_MAP = _at["acted"], _at["map"]

STEP_PLACES = step_places(STEPS.decisions)


@rule
def observe(s, deck, out):
    """Writes the observation, float32 of size OBSERVATION_SIZE; FEATURES tells what lies where."""
    out[:] = 0.0
    if s.depth > 0:
        observe_step(s, STEP_PLACES, out, AT_PHASE, AT_REQUEST)
    if s.hero == NONE:
        return  # boss or hero is being chosen: nothing lies on the table
    observe_stats(s, out, AT_STATS)
    observe_damage(s, deck, out, AT_DAMAGE)
    observe_pool(s, out, AT_POOL)
    observe_committed(s, out, AT_COMMITTED)
    for slot in range(SLOTS):
        if s.slot[slot] != NONE:
            observe_card(s, deck, slot, wrath_to_fell(s, deck, slot), out, AT_ACTIVE + slot * SLOT_SIZE)
    observe_modifiers(s, out, AT_MODIFIERS)
    observe_used(s, out, AT_USED)
    observe_boss(s, deck, out)
    observe_cards(s, deck, out)
    observe_map(s, deck, out)


@rule
def observe_boss(s, deck, out):
    out[AT_HERO + min(int(s.hero) - HERO_FACE, HERO_KINDS - 1)] = 1
    out[AT_BOSS + int(s.boss) - BOSS_FACE] = 1
    out[AT_FACING] = s.facing
    for condition in range(len(CONDITIONS)):
        out[AT_CONDITION + condition] = 1 if is_met(s, deck, condition) else 0
    out[AT_ETHER + s.ether] = 1
    for resource in range(3):
        out[AT_MEANS + resource] = bounded(means(s, deck, resource))
        out[AT_DUE + resource] = bounded(int(s.due[resource]))


@rule
def show_card(deck, face, out, at):
    """Copies what the deck shows of a card that can be spent or used."""
    for i in range(CARD_VIEW):
        out[at + i] = deck.card_view[face, i]


@rule
def observe_cards(s, deck, out):
    for i in range(MAX_HAND):
        if s.hand[i] != NONE:
            show_card(deck, int(s.hand[i]), out, AT_HAND + i * CARD_VIEW)
    for i in range(MAX_ITEMS):
        if s.items[i] != NONE:
            show_card(deck, int(s.items[i]), out, AT_INVENTORY + i * CARD_VIEW)
    if s.top_card[ENEMY_DECK] != NONE:
        show_face(deck, face_of(s, int(s.top_card[ENEMY_DECK])), 0, out, AT_NEXT_ENEMY)
    for which in range(INFLUENCE_DECK, ITEM_DECK + 1):
        card = int(s.top_card[which])
        if card != NONE:
            show_card(deck, face_of(s, card), out, AT_NEXT_CARDS + (which - INFLUENCE_DECK) * CARD_VIEW)
    for card in range(NUM_CARDS):
        out[AT_CARDS + 3 * int(s.zone[card]) + deck_of(s, deck, card)] += 1
    for card in range(NUM_MAPS):
        out[AT_MAPS + int(s.map_zone[card])] += 1


@rule
def observe_map(s, deck, out):
    row = map_row(s, int(s.at_card))
    out[AT_HERE + s.at_space] = 1
    for space in range(MAX_SPACES):
        for i in range(SPACE_VIEW):
            out[AT_SPACES + SPACE_VIEW * space + i] = deck.space_view[row, space, i]
        out[AT_DOORS + space] = (int(deck.doors[row, s.at_space]) >> space) & 1
    for action in range(SPACE_ACTIONS):
        face = int(deck.unique[row, s.at_space, action])
        if face != NONE:
            show_card(deck, face, out, AT_UNIQUE + action * CARD_VIEW)
            out[AT_ACTED + action] = 1 if has_acted(s, row, int(s.at_space), action) else 0
    for card in range(NUM_MAPS):
        if s.map_zone[card] == IN_PLAY:
            at = AT_MAP + card * len(MAP_LABELS)
            out[at] = 1
            out[at + 1] = bounded(int(s.map_x[card]) - int(s.map_x[s.at_card]))
            out[at + 2] = bounded(int(s.map_y[card]) - int(s.map_y[s.at_card]))
            out[at + 3] = s.side[MAP_SIDE + card]
    if s.top_card[MAP_DECK] != NONE:
        at = AT_MAP + int(s.top_card[MAP_DECK]) * len(MAP_LABELS)
        out[at + 3] = s.side[MAP_SIDE + s.top_card[MAP_DECK]]
        out[at + 4] = 1
