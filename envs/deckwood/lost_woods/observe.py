"""The observation: what it holds and how it is written. The two stand together so that they cannot drift apart.

Everything is told from the chair of the mover: chair 0 is its own, chair 1 the next to the left. Empty chairs are all zero.
"""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.spec import Feature
from deckwood.lost_woods.actions import SPACE_NAMES
from deckwood.lost_woods.phases import DECISION_PHASES
from deckwood.lost_woods.rules.attacking import foe_die, guardian_on
from deckwood.lost_woods.rules.inventory import holds, largest_die, lead_of
from deckwood.lost_woods.rules.turn import DECISION, chair_of, seat_of
from deckwood.lost_woods.rules.weapons import die_of
from deckwood.lost_woods.rules.woods import is_open, neighbour
from deckwood.lost_woods.state import (
    BOX_GOLD,
    CAMP_SPACES,
    CARDS_PER_DECK,
    DEFEATED,
    DICE,
    DIRECTIONS,
    EAST,
    FOE_DICE,
    FOE_GOLD,
    GOLD,
    GUARDIAN,
    ITEM_NAMES,
    MAX_ENEMIES,
    MAX_HELD,
    MAX_PLAYERS,
    NONE,
    NORTH,
    NUM_DICE,
    NUM_DIRECTIONS,
    NUM_GOODS,
    NUM_SPACES,
    NUM_SPELLS,
    NUM_TILES,
    OPTION_TURN_LIMIT,
    POTION,
    SOUTH,
    SPELLS,
    WEST,
)

ENEMY_NAMES = tuple(f"enemy_{1 + kind}" for kind in range(MAX_ENEMIES))
TILE_NAMES = (*ITEM_NAMES[:NUM_DICE], *ENEMY_NAMES, "potion", "gold", "plus_two", "gnome")
FOE_NAMES = (*ENEMY_NAMES, "guardian")
CHAIR_LABELS = ("present", *ITEM_NAMES, "in_camp", "nearness", "from_there")
# What one may want to go to: a space without enemies that has an open way, or one that leads out, or gold; one with enemies, and whose
# strongest die is no larger than one's own; one with a larger weapon than one's own; one with magic.
TARGETS = ("open_way", "way_out", "gold", "foe", "even_foe", "larger_weapon", "magic")
TO_OPEN_WAY, TO_WAY_OUT, TO_GOLD, TO_FOE, TO_EVEN_FOE, TO_LARGER_WEAPON, TO_MAGIC = range(len(TARGETS))
# Counts are told as shares of a number that they hardly ever pass, and at most 1: a network then sees them all on one scale.
FEW, SOME, A_LOT = 3, 5, 10
MAX_MOVES = 6  # with a stride
MAX_HELD_BEFORE_DROP = MAX_HELD + 1  # until one is dropped


def _labels(rows: tuple[str, ...], columns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{row}.{column}" for row in rows for column in columns)


SPACE_FEATURES = (
    ("nearness", "of each space that lies on the table: 1 / (1 + moves from here)"),
    ("foe_die", "the strongest enemy's die over 20"),
    ("foe_gold", "all its enemies' gold over 10, at most 1"),
    ("gold_there", "gold that lies there over 5, at most 1"),
    ("weapon_there", "the best weapon that lies there, its die over 20"),
    ("potions_there", "potions that lie there over 3, at most 1"),
    ("magic_there", "whether a spell lies there, in its well or not"),
    ("open_ways", "ways into the unknown over 3"),
    ("ways_out", "... those whose deck is empty"),
)
_CHAIRS = tuple(f"chair_{chair}" for chair in range(MAX_PLAYERS))

FEATURES: tuple[Feature, ...] = (
    Feature("phase", len(DECISION_PHASES), 0, 1, "what is being decided, one-hot; all zero when the game is over", DECISION_PHASES),
    Feature("turn", MAX_PLAYERS, 0, 1, "whose turn it is, one-hot by chair", _CHAIRS),
    Feature("tied", MAX_PLAYERS, 0, 1, "who fights for a tie", _CHAIRS),
    Feature("tie_dice", MAX_PLAYERS, 0, 1, "the die that each of the tied has chosen, by its sides over 20", _CHAIRS),
    Feature("tie_rolls", MAX_PLAYERS, 0, 1, "what each of the tied has rolled over 20", _CHAIRS),
    Feature("time", 1, 0, 1, "turns begun over the turns until the game is cut"),
    Feature("moves", 1, 0, 1, "spaces that may still be moved over 6, at most 1"),
    Feature("explored", 1, 0, 1, "whether a card was explored this turn"),
    Feature("to_draw", 1, 0, 1, "tiles still to be drawn over 3, at most 1"),
    Feature("lead", 1, -1, 1, "the gold one holds less the most that another holds, over 10, from -1 to 1"),
    Feature("supply", 1, 0, 1, "gold pieces in the supply over 50"),
    Feature("decks", NUM_DIRECTIONS, 0, 1, "cards left in each deck over 12", DIRECTIONS),
    Feature("guardians", 2 * NUM_DIRECTIONS, 0, 1, "for each guardian: whether it has come, whether it is defeated", _labels(DIRECTIONS, ("come", "defeated"))),
    Feature("bag", NUM_TILES, 0, 1, "tiles of each kind in the bag over 10, at most 1", TILE_NAMES),
    Feature("spells", 2 * NUM_SPELLS, 0, 1, "for each spell: whether it lies on the map, and there 1 / (1 + moves from here)", _labels(SPELLS, ("lies", "nearness"))),
    Feature("giver", MAX_PLAYERS, 0, 1, "whom the gnome has taken from, by chair", _CHAIRS),
    Feature("magnet", len(ITEM_NAMES), 0, 1, "what the Magnet is to draw, one-hot", ITEM_NAMES),
    Feature("foes_here", GUARDIAN + 1, 0, 1, "enemies of each kind over 3, at most 1, in this room (the new one while tiles are drawn), and whether the guardian is there", FOE_NAMES),
    Feature("goods_here", len(ITEM_NAMES), 0, 1, "what lies there: weapons of a die and potions over 3, gold over 5, at most 1 of each; spells", ITEM_NAMES),
    Feature("fight", 5, 0, 1, "own die and enemy's die by their sides over 20, the rolls over 20, rolls won over 3", ("own_die", "foe_die", "own_roll", "foe_roll", "wins")),
    Feature("adventurers", MAX_PLAYERS * len(CHAIR_LABELS), 0, 1, "each chair: what is carried (weapons of a die and potions over 4, gold over 50), whether it stands in the camp, 1 / (1 + moves) to it from here and from there to here", _labels(_CHAIRS, CHAIR_LABELS)),
    Feature("paths", (1 + NUM_DIRECTIONS) * len(TARGETS), 0, 1, "1 / (1 + moves) to the nearest space without enemies that has an open way, a way out or gold; with enemies, and such that the strongest die is no larger than the largest weapon one carries; with a larger weapon than that; with magic: from here, then from the next space in each direction, 0 where no way leads there", _labels(("here", *DIRECTIONS), TARGETS)),
    *(Feature(name, NUM_SPACES, 0, 1, meaning, SPACE_NAMES) for name, meaning in SPACE_FEATURES),
)  # fmt: skip

_SIZES = [feature.size for feature in FEATURES]
_PLACES = {feature.name: sum(_SIZES[:index]) for index, feature in enumerate(FEATURES)}
TURN, TIED, TIE_DICE, TIE_ROLLS = (_PLACES[name] for name in ("turn", "tied", "tie_dice", "tie_rolls"))
TIME, MOVES_LEFT, EXPLORED, TO_DRAW, LEAD, SUPPLY = (_PLACES[name] for name in ("time", "moves", "explored", "to_draw", "lead", "supply"))
DECKS, GUARDIANS, BAG, SPELLS_LYING = (_PLACES[name] for name in ("decks", "guardians", "bag", "spells"))
GIVER, MAGNET_DRAWS, FOES_HERE, GOODS_HERE, FIGHT = (_PLACES[name] for name in ("giver", "magnet", "foes_here", "goods_here", "fight"))
ADVENTURERS, PATHS, NEARNESS, FOE_DIE, FOE_GOLD_THERE = (
    _PLACES[name] for name in ("adventurers", "paths", "nearness", "foe_die", "foe_gold")
)
GOLD_THERE, WEAPON_THERE, POTIONS_THERE, MAGIC_THERE = (
    _PLACES[name] for name in ("gold_there", "weapon_there", "potions_there", "magic_there")
)
OPEN_WAYS, WAYS_OUT = _PLACES["open_ways"], _PLACES["ways_out"]
CHAIR_SIZE = len(CHAIR_LABELS)
MAX_SIDES = DICE[-1]
HALF_A_SIDE = 0.5 / MAX_SIDES
SIDES = tuple(die / MAX_SIDES for die in DICE)


@rule
def observe(s, deck, out):
    """Writes the observation of the mover (F,)."""
    for place in range(len(out)):
        out[place] = 0
    own, players = int(s.mover), int(s.players)
    here = int(s.at[own])
    room = here if s.room == NONE else int(s.room)
    if s.node == DECISION:
        out[s.phase] = 1
    out[TURN + chair_of(s, own, int(s.turn))] = 1
    out[TIME] = s.turns / (s.options[OPTION_TURN_LIMIT] * players)
    out[MOVES_LEFT] = share(s.moves, MAX_MOVES)
    out[EXPLORED] = 1 if s.way != NONE else 0
    out[TO_DRAW] = share(s.to_draw, FEW)
    out[LEAD] = max(-1.0, min(1.0, lead_of(s, own) / A_LOT))
    out[SUPPLY] = s.supply / BOX_GOLD
    for direction in range(NUM_DIRECTIONS):
        out[DECKS + direction] = s.left[direction] / CARDS_PER_DECK
        out[GUARDIANS + 2 * direction] = 0 if s.guardian_at[direction] == NONE else 1
        out[GUARDIANS + 2 * direction + 1] = 1 if s.guardian_at[direction] == DEFEATED else 0
    for tile in range(NUM_TILES):
        out[BAG + tile] = share(s.bag[tile], A_LOT)
    for spell in range(NUM_SPELLS):
        place = int(s.spell_at[spell])
        if 0 <= place < NUM_SPACES:
            out[SPELLS_LYING + 2 * spell] = 1
            out[SPELLS_LYING + 2 * spell + 1] = deck.nearness[s.distance[here, place]]
            out[GOODS_HERE + NUM_GOODS + spell] = 1 if place == room else 0
    for kind in range(MAX_ENEMIES):
        out[FOES_HERE + kind] = share(s.enemies[room, kind], FEW)
    if guardian_on(s, room) != NONE:
        out[FOES_HERE + GUARDIAN] = 1
    for item in range(NUM_GOODS):
        out[GOODS_HERE + item] = share(s.lying[item, room], SOME if item == GOLD else FEW)
    if s.foe != NONE:
        observe_fight(s, deck, out)
    if s.giver != NONE:
        out[GIVER + chair_of(s, own, int(s.giver))] = 1
    if s.magnet != NONE:
        out[MAGNET_DRAWS + s.magnet] = 1
    if s.ending > 0:
        observe_tie(s, deck, out)
    for chair in range(players):
        observe_adventurer(s, deck, seat_of(s, own, chair), ADVENTURERS + chair * CHAIR_SIZE, out)
    observe_spaces(s, deck, here, out)


@rule
def share(count, of):
    """A count as a share of ``of``, at most 1."""
    return min(int(count), of) / of


@rule
def observe_fight(s, deck, out):
    if s.weapon != NONE:
        out[FIGHT] = SIDES[die_of(deck, int(s.weapon))]
    out[FIGHT + 1] = SIDES[foe_die(s, deck)]
    out[FIGHT + 2] = s.own_roll / MAX_SIDES
    out[FIGHT + 3] = s.foe_roll / MAX_SIDES
    out[FIGHT + 4] = s.wins / FOE_DICE


@rule
def observe_tie(s, deck, out):
    for chair in range(s.players):
        seat = seat_of(s, int(s.mover), chair)
        if s.tied[seat] == 1:
            out[TIED + chair] = 1
            if s.duel_item[seat] != NONE:
                out[TIE_DICE + chair] = SIDES[die_of(deck, int(s.duel_item[seat]))]
            out[TIE_ROLLS + chair] = s.duel_roll[seat] / MAX_SIDES


@rule
def observe_adventurer(s, deck, seat, place, out):
    here, there = int(s.at[s.mover]), int(s.at[seat])
    out[place] = 1
    for item in range(NUM_GOODS):
        out[place + 1 + item] = share(s.carried[seat, item], BOX_GOLD if item == GOLD else MAX_HELD_BEFORE_DROP)
    for spell in range(NUM_SPELLS):
        out[place + 1 + NUM_GOODS + spell] = holds(s, seat, spell)
    out[place + CHAIR_SIZE - 3] = 1 if there < CAMP_SPACES else 0
    out[place + CHAIR_SIZE - 2] = deck.nearness[s.distance[here, there]]
    out[place + CHAIR_SIZE - 1] = deck.nearness[s.distance[there, here]]


@rule
def observe_spaces(s, deck, here, out):
    for die in range(NUM_DICE):
        for space in range(NUM_SPACES):
            out[WEAPON_THERE + space] = SIDES[die] if s.lying[die, space] > 0 else out[WEAPON_THERE + space]
    for space in range(NUM_SPACES):
        out[NEARNESS + space] = deck.nearness[s.distance[here, space]]
        out[GOLD_THERE + space] = share(s.lying[GOLD, space], SOME)
        out[POTIONS_THERE + space] = share(s.lying[POTION, space], FEW)
        out[OPEN_WAYS + space] = share(s.open_ways[space], FEW)
    for space in range(NUM_SPACES):
        if s.foes[space] > 0:
            observe_foes(s, deck, space, out)
    for spell in range(NUM_SPELLS):
        if 0 <= s.spell_at[spell] < NUM_SPACES:
            out[MAGIC_THERE + int(s.spell_at[spell])] = 1
    if any_deck_empty(s):
        for space in range(NUM_SPACES):
            if s.open_ways[space] > 0:
                out[WAYS_OUT + space] = share(ways_out(s, deck, space), FEW)
    observe_all_paths(s, deck, here, out)


@rule
def observe_all_paths(s, deck, here, out):
    """From what has just been told of each space."""
    own = largest_die(s, int(s.mover))
    reach = 0.0 if own == NONE else SIDES[own] + HALF_A_SIDE  # between one's own largest die and the next
    starts = (
        here,
        neighbour(s, deck, here, NORTH),
        neighbour(s, deck, here, EAST),
        neighbour(s, deck, here, SOUTH),
        neighbour(s, deck, here, WEST),
    )
    observe_paths(s, deck, starts, TO_OPEN_WAY, OPEN_WAYS, 0.0, 1.0, 0.0, out)
    observe_paths(s, deck, starts, TO_WAY_OUT, WAYS_OUT, 0.0, 1.0, 0.0, out)
    observe_paths(s, deck, starts, TO_GOLD, GOLD_THERE, 0.0, 1.0, 0.0, out)
    observe_paths(s, deck, starts, TO_FOE, FOE_DIE, 0.0, 1.0, 1.0, out)
    observe_paths(s, deck, starts, TO_EVEN_FOE, FOE_DIE, 0.0, reach, 1.0, out)
    observe_paths(s, deck, starts, TO_LARGER_WEAPON, WEAPON_THERE, reach, 1.0, 1.0, out)
    observe_paths(s, deck, starts, TO_MAGIC, MAGIC_THERE, 0.0, 1.0, 1.0, out)


@rule
def observe_paths(s, deck, starts, target, column, above, most, most_foe, out):
    """To the nearest space of which ``column`` tells a number within the limits, and whose enemies' die is not too large."""
    for space in range(NUM_SPACES):
        if above < out[column + space] <= most and out[FOE_DIE + space] <= most_foe:
            place = PATHS + target
            for start in starts:
                if start != NONE:
                    out[place] = max(out[place], deck.nearness[s.distance[start, space]])
                place += len(TARGETS)


@rule
def any_deck_empty(s):
    for direction in range(NUM_DIRECTIONS):
        if s.left[direction] == 0:
            return True
    return False


@rule
def ways_out(s, deck, space):
    n = 0
    for direction in range(NUM_DIRECTIONS):
        if s.left[direction] == 0 and is_open(s, deck, space, direction):
            n += 1
    return n


@rule
def observe_foes(s, deck, space, out):
    """The strongest die among the enemies of a room, and all their gold."""
    die, gold = 0, 0
    for kind in range(MAX_ENEMIES):
        if s.enemies[space, kind] > 0:
            die = max(die, int(deck.enemies[kind, 0]))
            gold += int(s.enemies[space, kind]) * int(deck.enemies[kind, FOE_GOLD])
    guardian = guardian_on(s, space)
    if guardian != NONE:
        for roll in range(FOE_DICE):
            die = max(die, int(deck.guardians[guardian, roll]))
        gold += int(deck.guardians[guardian, FOE_GOLD])
    out[FOE_DIE + space] = SIDES[die]
    out[FOE_GOLD_THERE + space] = share(gold, A_LOT)
