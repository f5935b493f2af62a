"""What every 20 Strong deck's model knows of a position."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.strong.pool import item_count, total
from deckwood.strong.terms import COLOURS, HEALTH, NUM_COLOURS, RECOVERY, STAT_MAX, STATS

BENDS = (4, 8, 11, 14)  # numbers of ready dice at which one more comes to count more or less
SOME_GOLD, MUCH_GOLD = 4, 10

READY = 0
ABOVE = READY + NUM_COLOURS
STAT = ABOVE + len(BENDS)
GOLD = STAT + 3 * (STAT_MAX - 1)
ITEMS = GOLD + 3
BANISHED = ITEMS + 1
READY_LATE = BANISHED + 1
NUM_STRONG = READY_LATE + 1

STRONG_NAMES = (
    *(f"ready {colour} dice" for colour in COLOURS),
    *(f"ready dice above {bend}" for bend in BENDS),
    *(f"{stat} {n} or more" for stat in STATS for n in range(2, STAT_MAX + 1)),
    "gold",
    f"gold, up to {SOME_GOLD}",
    f"gold, up to {MUCH_GOLD}",
    "items",
    "banished dice",
    "ready dice shortly before the endgame",
)


@rule
def strong_features(s, lateness, out):
    """Fills the first NUM_STRONG features. ``lateness`` grows from 0 to 1 as the endgame comes nearer; in it, it is 0."""
    ready = total(s.ready)
    for colour in range(NUM_COLOURS):
        out[READY + colour] = int(s.ready[colour])
    for i in range(len(BENDS)):
        out[ABOVE + i] = max(0, ready - BENDS[i])
    for stat in range(HEALTH, RECOVERY + 1):
        for n in range(2, STAT_MAX + 1):
            out[STAT + (STAT_MAX - 1) * stat + n - 2] = 1.0 if s.stats[stat] >= n else 0.0
    gold = int(s.gold)
    out[GOLD] = gold
    out[GOLD + 1] = min(gold, SOME_GOLD)
    out[GOLD + 2] = min(gold, MUCH_GOLD)
    out[ITEMS] = item_count(s)
    out[BANISHED] = total(s.banished)
    out[READY_LATE] = lateness * ready
