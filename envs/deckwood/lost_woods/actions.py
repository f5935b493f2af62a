"""Lost Woods' action table. Other adventurers are named by their chair: 0 is one's own, 1 the next to the left."""

from __future__ import annotations

from deckwood.core.spec import Action
from deckwood.lost_woods.state import (
    CARDS_PER_DECK,
    DICE,
    DIRECTIONS,
    GUARDIAN,
    ITEM_NAMES,
    MAX_ENEMIES,
    MAX_PLAYERS,
    NUM_ITEMS,
    NUM_SPACES,
    NUM_SPELLS,
    SPELLS,
)

SPACE_NAMES = (
    "camp_1",
    "camp_2",
    "camp_3",
    *(f"{direction}_{1 + card}" for direction in DIRECTIONS for card in range(CARDS_PER_DECK)),
)

DONE = 0
MOVE = DONE + 1
EXPLORE = MOVE + 4
DROP = EXPLORE + 4
TAKE = DROP + NUM_ITEMS
CAST = TAKE + NUM_ITEMS
ATTACK = CAST + NUM_SPELLS
FIGHT_WITH = ATTACK + GUARDIAN + 1
AGAIN = FIGHT_WITH + len(DICE)
REROLL_FOE = AGAIN + 1
REROLL = REROLL_FOE + 1  # the die of a chair
CHAIR = REROLL + MAX_PLAYERS
SPACE = CHAIR + MAX_PLAYERS

ACTIONS: tuple[Action, ...] = (
    Action("done", "turn", "Go on without"),
    *(Action(f"move_{d}", "move", f"Move {d}") for d in DIRECTIONS),
    *(Action(f"explore_{d}", "explore", f"Explore {d}") for d in DIRECTIONS),
    *(Action(f"drop_{item}", "drop", f"Drop: {item}") for item in ITEM_NAMES),
    *(Action(f"take_{item}", "take", f"Pick up: {item}") for item in ITEM_NAMES),
    *(Action(f"cast_{spell}", "magic", f"Use the spell {spell}") for spell in SPELLS),
    *(Action(f"attack_{1 + kind}", "attack", f"Attack an enemy of kind {1 + kind}") for kind in range(MAX_ENEMIES)),
    Action("attack_guardian", "attack", "Attack the guardian"),
    *(Action(f"fight_with_d{die}", "fight", f"Fight with a D{die} weapon") for die in DICE),
    Action("again", "fight", "Attack the same enemy again"),
    Action("reroll_foe", "potion", "Potion: re-roll the enemy's die"),
    *(Action(f"reroll_chair_{chair}", "potion", f"Potion: re-roll the die of chair {chair}") for chair in range(MAX_PLAYERS)),
    *(Action(f"chair_{chair}", "gnome", f"Choose the adventurer in chair {chair}") for chair in range(MAX_PLAYERS)),
    *(Action(f"space_{space}", "space", f"Choose the space {space}") for space in SPACE_NAMES),
)
assert len(ACTIONS) == SPACE + NUM_SPACES
