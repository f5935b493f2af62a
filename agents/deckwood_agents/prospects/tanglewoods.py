"""What the model of Tanglewoods knows: the forest, and the battle at Grandma's Cabin."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.strong.cards import damage_to, dice_on, health_of, is_boss, is_standing, standing_enemies
from deckwood.strong.engagement import damage_due
from deckwood.strong.pool import total
from deckwood.strong.terms import MAX_KEPT, NONE, SLOTS
from deckwood.tanglewoods.rules.draws import count_in
from deckwood.tanglewoods.state import FOREST_DEALT, IN_DECK
from deckwood_agents.prospects.strong import NUM_STRONG, STRONG_NAMES, strong_features

PHASES = ("forest", "cabin")
NAMES = (
    *STRONG_NAMES,
    "forest cards behind",
    "forest cards placed",
    "wolves left",
    "cards beside the hero",
    "boss Health left",
    "boss Health left, up to 5",
    "other Health left",
    "enemies left",
    "Damage due",
    "dice on enemies",
    "exhausted dice",
)


@rule
def is_won(s, deck):
    return s.endgame != 0 and standing_enemies(s, deck) == 0


@rule
def features(s, deck, out):
    strong_features(s, out)
    i = NUM_STRONG
    out[i] = int(s.at_card)
    out[i + 1] = min(FOREST_DEALT, int(s.placed))
    out[i + 2] = count_in(s.wolves, IN_DECK)
    beside = 0
    for k in range(MAX_KEPT):
        if s.beside[k] != NONE:
            beside += 1
    out[i + 3] = beside
    for k in range(4, 11):
        out[i + k] = 0.0
    if not s.endgame:
        return 0
    boss, others, dice = 0, 0, 0
    for slot in range(SLOTS):
        if is_standing(s, deck, slot):
            left = max(0, health_of(s, deck, slot) - damage_to(s, deck, slot))
            dice += dice_on(s, slot)
            if is_boss(s, deck, slot):
                boss += left
            else:
                others += left
    out[i + 4] = boss
    out[i + 5] = min(boss, 5)
    out[i + 6] = others
    out[i + 7] = standing_enemies(s, deck)
    out[i + 8] = damage_due(s, deck)
    out[i + 9] = dice
    out[i + 10] = total(s.exhausted)
    return 1
