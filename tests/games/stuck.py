"""A game whose rules run into nothing, for what the driver makes of it."""

import dataclasses

import numpy as np

from deckwood.core.spec import Action, Feature, position_dtype
from tests.games import coin, stuck_rules

WAYS = ("no_action", "promised_action", "no_outcome")
SPEC = dataclasses.replace(
    coin.SPEC,
    name="Stuck",
    env_id="test/Stuck-v0",
    summary="Choose how the rules break.",
    dtype=position_dtype([("way", np.int16)]),
    actions=tuple(Action(way, "way", way) for way in WAYS),
    features=(Feature("one", 1, 0, 1, "one"),),
    rules=stuck_rules,
    action_text=lambda s, deck, action: WAYS[action],
    describe=lambda s, deck: f"way {s.way}",
)
