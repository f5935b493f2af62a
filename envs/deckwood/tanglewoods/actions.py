"""Tanglewoods' action table: the system's actions, then its own."""

from __future__ import annotations

from deckwood.core.spec import Action
from deckwood.strong.actions import *  # noqa: F403  one name space for all actions of the game
from deckwood.strong.actions import NUM_STRONG_ACTIONS, STRONG_ACTIONS
from deckwood.strong.terms import COLOURS
from deckwood.tanglewoods.state import MAX_LINE, PLACE_NAMES, PLACES, THRESHOLD_NAMES, THRESHOLDS

EXPLORE_DIE = NUM_STRONG_ACTIONS
ROLL_NEXT = EXPLORE_DIE + 5
TRAVEL_PLACE = ROLL_NEXT + 5
TRAVEL_THRESHOLD = TRAVEL_PLACE + PLACES
SCOUTED = TRAVEL_THRESHOLD + THRESHOLDS
BUY = SCOUTED + MAX_LINE
PAY_TOLL = BUY + 3
MODIFIER = PAY_TOLL + 1  # + difficulty - 6

ACTIONS: tuple[Action, ...] = (
    *STRONG_ACTIONS,
    *(Action(f"explore_{c}", "explore", f"Choose a {c} die to explore with") for c in COLOURS),
    *(Action(f"explore_roll_{c}", "explore", f"Roll a chosen {c} die next") for c in COLOURS),
    *(Action(f"travel_{p}", "travel", f"Travel to node {p}") for p in PLACE_NAMES),
    *(Action(f"travel_{t}", "travel", f"Travel through the {t} upper threshold") for t in THRESHOLD_NAMES),
    *(Action(f"scouted_{i + 1}", "scouting", f"Choose scouted card {i + 1}") for i in range(MAX_LINE)),
    *(Action(f"buy_{i + 1}", "merchant", f"Buy shop item {i + 1}") for i in range(3)),
    Action("pay_toll", "toll", "Pay the toll in gold"),
    *(Action(f"modifier_{level}", "setup", f"Apply the modifier of difficulty {level}") for level in (6, 7, 8)),
)
assert len(ACTIONS) == MODIFIER + 3
