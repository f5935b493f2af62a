"""The observation: what it holds and how it is written. The two stand together so that they cannot drift apart."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.spec import Feature
from deckwood.strong.cards import colours_on, damage_of, damage_to, dice_on, die_damage, health_of, here
from deckwood.strong.engagement import damage_due
from deckwood.strong.pool import recovery_of, strategy_of
from deckwood.strong.steps import AIMING, STEP, TARGET, A, B, top
from deckwood.strong.terms import (
    CANCELLED,
    COLOURS,
    CRIT,
    DEFEATED,
    ENEMY,
    FACES,
    HIT,
    MAX_ITEMS,
    MAX_KEPT,
    NONE,
    POWER_UP,
    SLOTS,
    STAT_MAX,
    STATS,
)
from deckwood.strong.traits import NUM_TRAITS, TRAITS
from deckwood.strong.vocabulary import (
    APPLY_BAN,
    APPLY_LIMIT,
    APPLY_PER_ROLL,
    CANCEL,
    COLOURS_NEEDED,
    COMMIT_BAN,
    DAMAGE_CAP,
    DEFEAT,
    HITS_VOID,
    NO_ITEMS,
    OPS,
    PROTECTED,
    SET_HEALTH,
    WOUND,
)
from deckwood.tanglewoods.rules.draws import count_in
from deckwood.tanglewoods.rules.encounter import bribe_cost
from deckwood.tanglewoods.rules.forest import cabin_placed, lines_from_here
from deckwood.tanglewoods.state import (
    FACE_VIEW,
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
from deckwood.tanglewoods.steps import DECISION_STEPS, TANGLEWOODS_PHASES
from deckwood.tanglewoods.views import FACE_LABELS, NODE_LABELS, ROUTE_LABELS

MANY = 20
"""Numbers that a deck file could make larger are shown as at most this much."""

NUM_MODIFIERS = NO_ITEMS + 1
HERO_KINDS = UNIVERSAL_FACE - HERO_FACE + 1  # the last one stands for every universal hero
AIMS = (DEFEAT, WOUND, SET_HEALTH, CANCEL)
CARD_LABELS = (
    "enemy", "boss", "power-up", "standing", "cancelled", "health left", "health", "damage", "bribe, or -1", "dice on it",
    "dice it still takes", "dice it takes after this roll", "colours it still needs", "damage a round", "protected",
    *(f"takes damage from {c}" for c in COLOURS),
)  # fmt: skip
CARD_SIZE = len(CARD_LABELS)
SLOT_SIZE = CARD_SIZE + NUM_TRAITS
CARDS_SHOWN = 2  # the hero's card and the next one
NODES_SIZE = PLACES * NODE_VIEW
LINES = PLACES + THRESHOLDS

_OP_NAMES = {op.code: op.name for op in OPS}
_MODIFIER_NAMES = tuple(_OP_NAMES.get(op, f"hit_bonus_{COLOURS[(op - 8) % 5]}") for op in range(NUM_MODIFIERS))
_TARGETS = tuple(PLACE_NAMES) + THRESHOLD_NAMES

FEATURES: tuple[Feature, ...] = (
    Feature("phase", len(DECISION_STEPS), 0, 1, "what is being decided, one-hot", tuple(TANGLEWOODS_PHASES[p] for p in DECISION_STEPS)),
    Feature("how_many", 1, 0, MANY, "how many more dice, stats or items this step asks for"),
    Feature("die_in_hand", 15, 0, 1, "the die that is being placed, one-hot", tuple(f"{c} {f}" for c in COLOURS for f in FACES)),
    Feature("aim", 4, 0, 1, "what the enemy is being chosen for, one-hot", tuple(_OP_NAMES[op] for op in AIMS)),
    Feature("stats", 3, 0, STAT_MAX, "the stat dice", STATS),
    Feature("counting_strategy", 1, 0, MANY, "Strategy as it counts now"),
    Feature("counting_recovery", 1, 0, MANY, "Recovery as it counts now"),
    Feature("passes_left", 1, 0, MANY, "times that the Strategy phase may still be repeated"),
    Feature("gold", 1, 0, MANY, "gold"),
    Feature("damage_due", 1, 0, MANY, "Health that the Suffer Damage step would cost now"),
    Feature("shield", 1, 0, MANY, "damage that would be ignored this round"),
    Feature("endgame", 1, 0, 1, "whether the battle at the Cabin has begun"),
    Feature("ready", 5, 0, 4, "ready dice", COLOURS),
    Feature("exhausted", 5, 0, 4, "exhausted dice", COLOURS),
    Feature("banished", 5, 0, 4, "banished dice", COLOURS),
    Feature("exploring", 5, 0, 4, "dice chosen to explore", COLOURS),
    Feature("to_roll", 5, 0, 4, "committed dice about to be rolled", COLOURS),
    Feature("rolled", 15, 0, 4, "unapplied committed dice by what they show", tuple(f"{c} {f}" for c in COLOURS for f in FACES)),
    Feature("kept", 10, 0, 4, "hits set aside from the next roll", tuple(f"{c} {f}" for c in COLOURS for f in FACES[1:])),
    Feature(
        "active",
        SLOTS * SLOT_SIZE,
        -MANY,
        MANY,
        "the cards of the active area",
        tuple(
            f"{j + 1} {label}"
            for j in range(SLOTS)
            for label in (*CARD_LABELS, *TRAITS)
        ),
    ),
    Feature(
        "line",
        MAX_LINE * FACE_VIEW,
        -MANY,
        MANY,
        "the scouting line, from the left",
        tuple(f"{i + 1} {label}" for i in range(MAX_LINE) for label in FACE_LABELS),
    ),
    Feature("modifiers", NUM_MODIFIERS, -MANY, MANY, "standing modifiers; an absent limit shows as 20", _MODIFIER_NAMES),
    Feature("banned", 5, 0, 1, "colours that may not be committed", COLOURS),
    Feature("void", 5, 0, 1, "colours whose hits deal no damage", COLOURS),
    Feature("hero", HERO_KINDS, 0, 1, "the hero's face, one-hot; the last entry is any universal hero"),
    Feature("items", 2 * NUM_ITEMS, 0, 1, "items in hand, which lie in this order: ordinary sides, then upgraded ones"),
    Feature("used", MAX_ITEMS + 1, 0, 1, "used this round: items by place, then the hero"),
    Feature("shop", NUM_ITEMS, 0, 1, "items on offer, which lie in this order"),
    Feature("beside", MAX_KEPT, 0, MANY, "fables next to the hero: rounds left, 20 where they stay"),
    Feature("wolves", NUM_WOLVES, 0, 1, "wolves still in the Wolf Pack Deck"),
    Feature("decks", 4, 0, NUM_ENEMIES, "cards left", ("minions", "minion discard", "items", "forest to come")),
    Feature("path", 4, 0, MAX_PATH, "the path", ("cards behind", "cards ahead", "cabin placed", "next_mobs")),
    Feature("here", 2, 0, 1, "the hero's node", ("weary", "blighted")),
    Feature("lines", LINES, 0, 1, "where the lines lead from the hero's place", _TARGETS),
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
)  # fmt: skip
"""The observation's layout, in order."""

_at: dict[str, int] = {}
_end = 0
for _feature in FEATURES:
    _at[_feature.name] = _end
    _end += _feature.size
OBSERVATION_SIZE = _end

AT_PHASE, AT_HOW_MANY, AT_HAND, AT_AIM = _at["phase"], _at["how_many"], _at["die_in_hand"], _at["aim"]
AT_STATS, AT_STRATEGY, AT_RECOVERY, AT_PASSES = _at["stats"], _at["counting_strategy"], _at["counting_recovery"], _at["passes_left"]
AT_GOLD, AT_DUE, AT_SHIELD, AT_ENDGAME = _at["gold"], _at["damage_due"], _at["shield"], _at["endgame"]
AT_READY, AT_EXHAUSTED, AT_BANISHED, AT_EXPLORING = _at["ready"], _at["exhausted"], _at["banished"], _at["exploring"]
AT_TO_ROLL, AT_ROLLED, AT_KEPT = _at["to_roll"], _at["rolled"], _at["kept"]
AT_ACTIVE, AT_LINE, AT_MODIFIERS, AT_HERO = _at["active"], _at["line"], _at["modifiers"], _at["hero"]
AT_BANNED, AT_VOID = _at["banned"], _at["void"]
AT_ITEMS, AT_USED, AT_SHOP, AT_BESIDE, AT_WOLVES = _at["items"], _at["used"], _at["shop"], _at["beside"], _at["wolves"]
AT_DECKS, AT_PATH, AT_HERE, AT_LINES = _at["decks"], _at["path"], _at["here"], _at["lines"]
AT_NODES, AT_NIGHT, AT_ROUTES = _at["nodes"], _at["night"], _at["routes"]

PHASE_PLACE = tuple(DECISION_STEPS.index(step) if step in DECISION_STEPS else NONE for step in range(max(DECISION_STEPS) + 1))


@rule
def bounded(value):
    return max(-MANY, min(MANY, value))


@rule
def observe(s, deck, out):
    """Writes the observation, float32 of size OBSERVATION_SIZE; FEATURES tells what lies where."""
    out[:] = 0.0
    if s.depth > 0:
        observe_step(s, out)
    observe_hero(s, deck, out)
    observe_dice(s, out)
    for slot in range(SLOTS):
        if s.slot[slot] != NONE:
            observe_card(s, deck, slot, out)
    for place in range(int(s.line_length)):
        show_face(deck, int(s.line[place]), 0, out, AT_LINE + place * FACE_VIEW)
    for op in range(NUM_MODIFIERS):
        out[AT_MODIFIERS + op] = bounded(int(s.modifiers[op]))
    for colour in range(5):
        out[AT_BANNED + colour] = (int(s.modifiers[COMMIT_BAN]) >> colour) & 1
        out[AT_VOID + colour] = (int(s.modifiers[HITS_VOID]) >> colour) & 1
    observe_cards(s, deck, out)
    observe_forest(s, deck, out)


@rule
def show_face(deck, face, first, out, at):
    """Copies what the deck shows of a face, from entry ``first`` on."""
    for i in range(FACE_VIEW - first):
        out[at + i] = deck.face_view[face, first + i]


@rule
def observe_step(s, out):
    step = top(s, STEP)
    place = PHASE_PLACE[step] if step < len(PHASE_PLACE) else NONE
    if place != NONE:
        out[AT_PHASE + place] = 1
    if step == TARGET:
        out[AT_HAND + 3 * top(s, A) + top(s, B)] = 1
    elif step == AIMING:
        for i in range(4):
            if AIMS[i] == top(s, A):
                out[AT_AIM + i] = 1
        out[AT_HOW_MANY] = bounded(top(s, B))
    else:
        out[AT_HOW_MANY] = bounded(max(0, top(s, A)))


@rule
def observe_hero(s, deck, out):
    for stat in range(3):
        out[AT_STATS + stat] = s.stats[stat]
    strategy = strategy_of(s)
    out[AT_STRATEGY] = bounded(strategy)
    out[AT_RECOVERY] = bounded(recovery_of(s))
    out[AT_PASSES] = bounded(max(0, strategy + int(s.extra_passes) - int(s.passes)))
    out[AT_GOLD] = s.gold
    out[AT_DUE] = bounded(damage_due(s, deck))
    out[AT_SHIELD] = bounded(int(s.shield))
    out[AT_ENDGAME] = s.endgame
    out[AT_HERO + min(int(s.hero) - HERO_FACE, HERO_KINDS - 1)] = 1


@rule
def observe_dice(s, out):
    for colour in range(5):
        out[AT_READY + colour] = s.ready[colour]
        out[AT_EXHAUSTED + colour] = s.exhausted[colour]
        out[AT_BANISHED + colour] = s.banished[colour]
        out[AT_EXPLORING + colour] = s.explore[colour]
        out[AT_TO_ROLL + colour] = s.unrolled[colour]
        for face in range(3):
            out[AT_ROLLED + 3 * colour + face] = s.rolled[colour, face]
        out[AT_KEPT + 2 * colour] = s.kept[colour, HIT]
        out[AT_KEPT + 2 * colour + 1] = s.kept[colour, CRIT]


@rule
def observe_card(s, deck, slot, out):
    at = AT_ACTIVE + slot * SLOT_SIZE
    face = int(s.slot[slot])
    kind = int(deck.cards[face].kind)
    if kind == POWER_UP:
        out[at + 2] = 1
    else:
        out[at + (0 if kind == ENEMY else 1)] = 1
        health = health_of(s, deck, slot)
        out[at + 6] = bounded(health)
        out[at + 7] = bounded(damage_of(s, deck, slot))
        out[at + 8] = bounded(bribe_cost(s, deck, slot))
        on_it = dice_on(s, slot)
        out[at + 9] = bounded(on_it)
        if not s.marks[slot] & DEFEATED:
            out[at + 3] = 1
            out[at + 5] = bounded(max(0, health - damage_to(s, deck, slot)))
            out[at + 10] = bounded(max(0, here(s, slot, APPLY_LIMIT) - on_it))
            out[at + 11] = bounded(max(0, here(s, slot, APPLY_PER_ROLL) - int(s.applied_now[slot])))
            out[at + 12] = bounded(max(0, here(s, slot, COLOURS_NEEDED) - colours_on(s, slot)))
            out[at + 13] = bounded(here(s, slot, DAMAGE_CAP))
            out[at + 14] = min(1, here(s, slot, PROTECTED))
            for colour in range(5):
                out[at + 15 + colour] = 1 if die_damage(s, slot, colour, HIT) > 0 and not (here(s, slot, APPLY_BAN) >> colour) & 1 else 0
    out[at + 4] = 1 if s.marks[slot] & CANCELLED else 0
    show_face(deck, face, FACE_VIEW - NUM_TRAITS, out, at + CARD_SIZE)


@rule
def observe_cards(s, deck, out):
    for i in range(MAX_ITEMS):
        face = int(s.items[i])
        if face != NONE:
            out[AT_ITEMS + face - ITEM_FACE] = 1
    for i in range(MAX_ITEMS + 1):
        out[AT_USED + i] = s.used[i]
    for i in range(3):
        if s.shop[i] != NONE:
            out[AT_SHOP + int(s.shop[i]) - ITEM_FACE] = 1
    for i in range(MAX_KEPT):
        if s.beside[i] != NONE:
            left = int(s.beside_left[i])
            out[AT_BESIDE + i] = bounded(left) if left > 0 else MANY
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
    out[AT_HERE] = min(1, int(s.weary))
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
