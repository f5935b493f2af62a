"""What the model of Tanglewoods knows: the forest, and the battle at Grandma's Cabin."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.strong.after import damage_due
from deckwood.strong.cards import damage_to, dice_on, health_of, is_boss, is_standing, standing_enemies
from deckwood.strong.pool import total
from deckwood.strong.terms import MAX_KEPT, NONE, SLOTS
from deckwood.tanglewoods.state import FOREST_DEALT, IN_DECK, NUM_WOLVES, OPTION_WOLVES, WOLF_FACE
from deckwood_agents.players.prospects.strong import NUM_STRONG, STRONG_NAMES, strong_features

PHASES = ("forest", "cabin")
NAMES = (
    *STRONG_NAMES,
    "forest cards behind",
    "forest cards placed",
    *(f"wolf {i} left" for i in range(1, NUM_WOLVES + 1)),
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
def is_trusted(s, deck):
    """Nowhere: in the forest the agent that plays by the model wins no more than the expert, and at the Cabin it sees no rounds."""
    return False


@rule
def is_battle(s, deck):
    """True where the same enemies are fought round after round until one side has fallen."""
    return s.endgame != 0


@rule
def is_won(s, deck):
    return s.endgame != 0 and standing_enemies(s, deck) == 0


LATE = 8  # the forest card from which on dice are saved for the cabin


@rule
def lateness(s, deck):
    return 0.0 if s.endgame else max(0, int(s.at_card) + 1 - LATE) / (FOREST_DEALT + 1 - LATE)


@rule
def mark_wolves(s, deck, out, first):
    """Wolves whose power-ups the boss will have: those in the deck and, where undefeated ones return to it, those in play."""
    for wolf in range(NUM_WOLVES):
        out[first + wolf] = 1.0 if s.wolves[wolf] == IN_DECK else 0.0
    if s.options[OPTION_WOLVES]:
        return
    for slot in range(SLOTS):
        if WOLF_FACE <= s.slot[slot] < WOLF_FACE + NUM_WOLVES and is_standing(s, deck, slot):
            out[first + int(s.slot[slot]) - WOLF_FACE] = 1.0


@rule
def features(s, deck, out):
    strong_features(s, lateness(s, deck), out)
    i = NUM_STRONG
    out[i] = int(s.at_card)
    out[i + 1] = min(FOREST_DEALT, int(s.placed))
    mark_wolves(s, deck, out, i + 2)
    i += 2 + NUM_WOLVES
    beside = 0
    for k in range(MAX_KEPT):
        if s.beside[k] != NONE:
            beside += 1
    out[i] = beside
    for k in range(1, 8):
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
    out[i + 1] = boss
    out[i + 2] = min(boss, 5)
    out[i + 3] = others
    out[i + 4] = standing_enemies(s, deck)
    out[i + 5] = damage_due(s, deck)
    out[i + 6] = dice
    out[i + 7] = total(s.exhausted)
    return 1
