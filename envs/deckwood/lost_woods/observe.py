"""The observation: what it holds and how it is written. The two stand together so that they cannot drift apart.

Everything is told from the chair of the mover: chair 0 is its own, chair 1 the next to the left. Empty chairs are all zero.
"""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.spec import Feature
from deckwood.lost_woods.actions import SPACE_NAMES
from deckwood.lost_woods.phases import DECISION_PHASES
from deckwood.lost_woods.rules.attacking import foe_traits
from deckwood.lost_woods.rules.inventory import holds
from deckwood.lost_woods.rules.weapons import die_of
from deckwood.lost_woods.rules.woods import is_open, neighbour
from deckwood.lost_woods.state import (
    BOX_GOLD,
    CAMP_SPACES,
    CARDS_PER_DECK,
    DEFEATED,
    DICE,
    DIRECTIONS,
    FOE_DICE,
    FOE_GOLD,
    GOLD,
    GUARDIAN,
    ITEM_NAMES,
    MAX_ENEMIES,
    MAX_PLAYERS,
    MOVES,
    NONE,
    NUM_DICE,
    NUM_DIRECTIONS,
    NUM_GOODS,
    NUM_SPACES,
    NUM_SPELLS,
    NUM_TILES,
    OPTION_TURN_LIMIT,
    POTION,
    SPELLS,
)

TILE_NAMES = (*(f"d{die}" for die in DICE), *(f"enemy_{1 + kind}" for kind in range(MAX_ENEMIES)), "potion", "gold", "plus_two", "gnome")
FOE_NAMES = (*(f"enemy_{1 + kind}" for kind in range(MAX_ENEMIES)), "guardian")
CHAIR_LABELS = ("present", *ITEM_NAMES, "in_camp", "nearness", "from_there")
SPACE_LABELS = (
    "nearness",
    *(f"by_{direction}" for direction in DIRECTIONS),
    "foe_die",
    "foe_gold",
    "gold",
    "weapon",
    "potions",
    "magic",
    "open_ways",
    "ways_out",
)
MANY = 20  # a bound for counts that no game comes near


def _labels(rows: tuple[str, ...], columns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{row}.{column}" for row in rows for column in columns)


_CHAIRS = tuple(f"chair_{chair}" for chair in range(MAX_PLAYERS))

FEATURES: tuple[Feature, ...] = (
    Feature("phase", len(DECISION_PHASES), 0, 1, "what is being decided, one-hot; all zero when the game is over", DECISION_PHASES),
    Feature("turn", MAX_PLAYERS, 0, 1, "whose turn it is, one-hot by chair", _CHAIRS),
    Feature("tied", MAX_PLAYERS, 0, 1, "who fights for a tie", _CHAIRS),
    Feature("tie_dice", MAX_PLAYERS, 0, 1, "the die that each of the tied has chosen, by its sides over 20", _CHAIRS),
    Feature("tie_rolls", MAX_PLAYERS, 0, 1, "what each of the tied has rolled over 20", _CHAIRS),
    Feature("time", 1, 0, 1, "turns begun over the turns until the game is cut"),
    Feature("moves", 1, 0, 4, "spaces that may still be moved, over 3"),
    Feature("explored", 1, 0, 1, "whether a card was explored this turn"),
    Feature("to_draw", 1, 0, MANY, "tiles still to be drawn"),
    Feature("supply", 1, 0, 1, "gold pieces in the supply over 50"),
    Feature("decks", NUM_DIRECTIONS, 0, 1, "cards left in each deck over 12", DIRECTIONS),
    Feature("guardians", 2 * NUM_DIRECTIONS, 0, 1, "for each guardian: whether it has come, whether it is defeated", _labels(DIRECTIONS, ("come", "defeated"))),
    Feature("bag", NUM_TILES, 0, 1, "tiles of each kind in the bag over 10, at most 1", TILE_NAMES),
    Feature("wells", 2 * NUM_SPELLS, 0, 1, "for each spell: whether it lies on the map, and there 1 / (1 + moves from here)", _labels(SPELLS, ("lies", "nearness"))),
    Feature("foes_here", GUARDIAN + 1, 0, MANY, "enemies of each kind in this room, and the guardian", FOE_NAMES),
    Feature("goods_here", len(ITEM_NAMES), 0, MANY, "what lies on this space", ITEM_NAMES),
    Feature("fight", 5, 0, 1, "own die and enemy's die by their sides over 20, the rolls over 20, rolls won over 3", ("own_die", "foe_die", "own_roll", "foe_roll", "wins")),
    Feature("adventurers", MAX_PLAYERS * len(CHAIR_LABELS), 0, MANY, "each chair: what is carried (gold over 10), whether it stands in the camp, 1 / (1 + moves) to it from here and from there to here", _labels(_CHAIRS, CHAIR_LABELS)),
    Feature("spaces", NUM_SPACES * len(SPACE_LABELS), 0, MANY, "each space that lies on the table: 1 / (1 + moves from here), the same from the next space in each direction (0 without a way), the strongest enemy's die over 20, all its gold over 10, gold that lies there over 3, the best weapon's die over 20, potions, spells, ways into the unknown, and those that are a way out", _labels(SPACE_NAMES, SPACE_LABELS)),
)  # fmt: skip

_SIZES = [feature.size for feature in FEATURES]
_PLACES = {feature.name: sum(_SIZES[:index]) for index, feature in enumerate(FEATURES)}
TURN, TIED, TIE_DICE, TIE_ROLLS = (_PLACES[name] for name in ("turn", "tied", "tie_dice", "tie_rolls"))
TIME, DECKS, GUARDIANS, BAG, WELLS = (_PLACES[name] for name in ("time", "decks", "guardians", "bag", "wells"))
FOES_HERE, GOODS_HERE, FIGHT = (_PLACES[name] for name in ("foes_here", "goods_here", "fight"))
ADVENTURERS, SPACES = _PLACES["adventurers"], _PLACES["spaces"]
CHAIR_SIZE, SPACE_SIZE = len(CHAIR_LABELS), len(SPACE_LABELS)
SIDES = tuple(die / 20 for die in DICE)


@rule
def observe(s, deck, out):
    """Writes the observation of the mover (F,)."""
    for place in range(SPACES):
        out[place] = 0
    own, players = int(s.mover), int(s.players)
    here = int(s.at[own])
    if s.node == 0:
        out[s.phase] = 1
    out[TURN + (int(s.turn) - own) % players] = 1
    out[TIME] = s.turns / (s.options[OPTION_TURN_LIMIT] * players)
    out[TIME + 1] = s.moves / MOVES
    out[TIME + 2] = 1 if s.way != NONE else 0
    out[TIME + 3] = s.to_draw
    out[TIME + 4] = s.supply / BOX_GOLD
    for direction in range(NUM_DIRECTIONS):
        out[DECKS + direction] = s.left[direction] / CARDS_PER_DECK
        out[GUARDIANS + 2 * direction] = 0 if s.guardian_at[direction] == NONE else 1
        out[GUARDIANS + 2 * direction + 1] = 1 if s.guardian_at[direction] == DEFEATED else 0
    for tile in range(NUM_TILES):
        out[BAG + tile] = min(1.0, s.bag[tile] / 10)
    for spell in range(NUM_SPELLS):
        place = int(s.spell_at[spell])
        if 0 <= place < NUM_SPACES:
            out[WELLS + 2 * spell] = 1
            out[WELLS + 2 * spell + 1] = nearness(s, here, place)
            out[GOODS_HERE + NUM_GOODS + spell] = 1 if place == here else 0
    for kind in range(MAX_ENEMIES):
        out[FOES_HERE + kind] = s.enemies[here, kind]
    for direction in range(NUM_DIRECTIONS):
        if s.guardian_at[direction] == here:
            out[FOES_HERE + GUARDIAN] = 1
    for item in range(NUM_GOODS):
        out[GOODS_HERE + item] = s.goods[here, item]
    if s.foe != NONE:
        observe_fight(s, deck, out)
    if s.ended > 0:
        observe_tie(s, deck, out)
    for chair in range(players):
        observe_adventurer(s, (own + chair) % players, here, out[ADVENTURERS + chair * CHAIR_SIZE :])
    observe_spaces(s, deck, here, out)


@rule
def nearness(s, start, goal):
    return 1 / (1 + int(s.distance[start, goal]))


@rule
def observe_fight(s, deck, out):
    if s.weapon != NONE:
        out[FIGHT] = SIDES[die_of(deck, int(s.weapon))]
    out[FIGHT + 1] = SIDES[int(foe_traits(s, deck)[s.wins])]
    out[FIGHT + 2] = s.own_roll / 20
    out[FIGHT + 3] = s.foe_roll / 20
    out[FIGHT + 4] = s.wins / FOE_DICE


@rule
def observe_tie(s, deck, out):
    for chair in range(s.players):
        seat = (int(s.mover) + chair) % int(s.players)
        if s.tied[seat] == 1:
            out[TIED + chair] = 1
            if s.duel_item[seat] != NONE:
                out[TIE_DICE + chair] = SIDES[die_of(deck, int(s.duel_item[seat]))]
            out[TIE_ROLLS + chair] = s.duel_roll[seat] / 20


@rule
def observe_adventurer(s, seat, here, out):
    out[0] = 1
    for item in range(NUM_GOODS):
        out[1 + item] = s.carried[seat, item]
    out[1 + GOLD] = s.carried[seat, GOLD] / 10
    for spell in range(NUM_SPELLS):
        out[1 + NUM_GOODS + spell] = holds(s, seat, spell)
    there = int(s.at[seat])
    out[CHAIR_SIZE - 3] = 1 if there < CAMP_SPACES else 0
    out[CHAIR_SIZE - 2] = nearness(s, here, there)
    out[CHAIR_SIZE - 1] = nearness(s, there, here)


@rule
def observe_spaces(s, deck, here, out):
    north = neighbour(s, deck, here, 0)
    east = neighbour(s, deck, here, 1)
    south = neighbour(s, deck, here, 2)
    west = neighbour(s, deck, here, 3)
    place = SPACES
    for space in range(NUM_SPACES):
        for column in range(SPACE_SIZE):
            out[place + column] = 0
        if s.placed[space] == 1:
            out[place] = nearness(s, here, space)
            if north != NONE:
                out[place + 1] = nearness(s, north, space)
            if east != NONE:
                out[place + 2] = nearness(s, east, space)
            if south != NONE:
                out[place + 3] = nearness(s, south, space)
            if west != NONE:
                out[place + 4] = nearness(s, west, space)
            if s.foes[space] > 0:
                observe_foes(s, deck, space, out[place + 5 :])
            out[place + 7] = s.goods[space, GOLD] / 3
            for die in range(NUM_DICE):
                if s.goods[space, die] > 0:
                    out[place + 8] = SIDES[die]
            out[place + 9] = s.goods[space, POTION]
            for direction in range(NUM_DIRECTIONS):
                if is_open(s, deck, space, direction):
                    out[place + 11] += 1
                    if s.left[direction] == 0:
                        out[place + 12] += 1
        place += SPACE_SIZE
    for spell in range(NUM_SPELLS):
        if 0 <= s.spell_at[spell] < NUM_SPACES:
            out[SPACES + SPACE_SIZE * int(s.spell_at[spell]) + 10] += 1


@rule
def observe_foes(s, deck, space, out):
    """The strongest die among the enemies of a room, and all their gold."""
    die, gold = 0, 0
    for kind in range(MAX_ENEMIES):
        if s.enemies[space, kind] > 0:
            die = max(die, int(deck.enemies[kind, 0]))
            gold += int(s.enemies[space, kind]) * int(deck.enemies[kind, FOE_GOLD])
    for direction in range(NUM_DIRECTIONS):
        if s.guardian_at[direction] == space:
            for roll in range(FOE_DICE):
                die = max(die, int(deck.guardians[direction, roll]))
            gold += int(deck.guardians[direction, FOE_GOLD])
    out[0] = SIDES[die]
    out[1] = gold / 10
