"""The observation: what it holds and how it is written. The two stand together so that they cannot drift apart."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.spec import Feature
from deckwood.dice_commit.rules.table import DECISIONS, STEPS
from deckwood.strong.observe import (
    COMMITTED_FEATURES,
    DAMAGE_FEATURES,
    MANY,
    MODIFIER_FEATURES,
    POOL_FEATURES,
    SLOT_SIZE,
    STAT_FEATURES,
    active_feature,
    bounded,
    observe_card,
    observe_committed,
    observe_damage,
    observe_modifiers,
    observe_pool,
    observe_stats,
    observe_step,
    places_of,
    step_features,
    step_places,
)
from deckwood.strong.terms import NONE, SLOTS

FEATURES: tuple[Feature, ...] = (
    *step_features(STEPS.phases, DECISIONS),
    *STAT_FEATURES,
    Feature("gold", 1, 0, MANY, "gold"),
    *DAMAGE_FEATURES,
    *POOL_FEATURES,
    *COMMITTED_FEATURES,
    Feature("committed", 1, 0, MANY, "dice committed in this engagement"),
    active_feature("worth of its reward"),
    *MODIFIER_FEATURES,
)
"""The observation's layout, in order."""

_at = places_of(FEATURES)
OBSERVATION_SIZE = _at["end"]

AT_PHASE, AT_REQUEST, AT_STATS = _at["phase"], _at["how_many"], _at["stats"]
AT_GOLD, AT_DAMAGE, AT_POOL = _at["gold"], _at["damage_due"], _at["ready"]
AT_DICE, AT_COMMITTED, AT_ACTIVE, AT_MODIFIERS = _at["to_roll"], _at["committed"], _at["active"], _at["modifiers"]

STEP_PLACES = step_places(DECISIONS)


@rule
def observe(s, deck, out):
    """Writes the observation, float32 of size OBSERVATION_SIZE; FEATURES tells what lies where."""
    out[:] = 0.0
    if s.depth > 0:
        observe_step(s, STEP_PLACES, out, AT_PHASE, AT_REQUEST)
    observe_stats(s, out, AT_STATS)
    out[AT_GOLD] = s.gold
    observe_damage(s, deck, out, AT_DAMAGE)
    observe_pool(s, out, AT_POOL)
    observe_committed(s, out, AT_DICE)
    out[AT_COMMITTED] = bounded(int(s.committed))
    for slot in range(SLOTS):
        if s.slot[slot] != NONE:
            observe_card(s, deck, slot, deck.prizes[s.slot[slot]], out, AT_ACTIVE + slot * SLOT_SIZE)
    observe_modifiers(s, out, AT_MODIFIERS)
