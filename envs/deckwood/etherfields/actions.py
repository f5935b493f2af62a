"""Etherfields' action table: the system's actions, then its own."""

from __future__ import annotations

from deckwood.core.spec import Action
from deckwood.etherfields.state import CELLS, DIRECTIONS, EDGES, MAX_GUESTS, MAX_HAND, NUM_BOSSES, NUM_HEROES, SPACE_ACTIONS
from deckwood.strong.actions import *  # noqa: F403  one name space for all actions of the game
from deckwood.strong.actions import NUM_STRONG_ACTIONS, STRONG_ACTIONS

PLAY_CARD = NUM_STRONG_ACTIONS
SPEND_CARD = PLAY_CARD + MAX_HAND  # to pay with it, or to discard it
START_MOVE = SPEND_CARD + MAX_HAND
START_ASSAULT = START_MOVE + 1
EXPLORE = START_ASSAULT + 1
USE_SPACE = EXPLORE + 1
GO_TO_SPACE = USE_SPACE + SPACE_ACTIONS  # of the same map card
GO_ACROSS = GO_TO_SPACE + CELLS  # 3 direction + segment: over the edge of the map card
PICK_BOSS = GO_ACROSS + EDGES
PICK_HERO = PICK_BOSS + NUM_BOSSES

SEGMENTS = {"north": ("west", "middle", "east"), "east": ("north", "middle", "south")}
SEGMENTS |= {"south": SEGMENTS["north"], "west": SEGMENTS["east"]}

ACTIONS: tuple[Action, ...] = (
    *STRONG_ACTIONS,
    *(Action(f"play_card_{i + 1}", "play", f"Play influence card {i + 1} for its action") for i in range(MAX_HAND)),
    *(Action(f"spend_card_{i + 1}", "spend", f"Discard influence card {i + 1}") for i in range(MAX_HAND)),
    Action("move", "act", "Take the movement action"),
    Action("assault", "act", "Take the assault action"),
    Action("explore", "act", "Explore in the direction of the arrow"),
    *(Action(f"unique_{k + 1}", "act", f"Take unique action {k + 1} of this space") for k in range(SPACE_ACTIONS)),
    *(Action(f"go_to_{space + 1}", "move", f"Move to space {space + 1} of this map card") for space in range(CELLS)),
    *(
        Action(f"go_{name}_{segment}", "move", f"Move over the {name} edge, {segment} part")
        for name in DIRECTIONS
        for segment in SEGMENTS[name]
    ),
    *(Action(f"boss_{b + 1}", "setup", f"Face boss {b + 1}") for b in range(NUM_BOSSES)),
    *(Action(f"hero_{h + 1}", "setup", f"Play hero {h + 1}") for h in range(NUM_HEROES + MAX_GUESTS)),
)
assert len(ACTIONS) == PICK_HERO + NUM_HEROES + MAX_GUESTS
