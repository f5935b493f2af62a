"""What every 20 Strong deck's model knows of a position."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.strong.pool import item_count, total
from deckwood.strong.terms import COLOURS, HEALTH, NUM_COLOURS, RECOVERY, STAT_MAX, STATS

FEW, MANY = 4, 8  # ready dice up to which one more counts extra
SOME_GOLD, MUCH_GOLD = 4, 10

READY = 0
ANY_FEW = READY + NUM_COLOURS
ANY_MANY = ANY_FEW + 1
STAT = ANY_MANY + 1
GOLD = STAT + 3 * (STAT_MAX - 1)
ITEMS = GOLD + 3
BANISHED = ITEMS + 1
NUM_STRONG = BANISHED + 1

STRONG_NAMES = (
    *(f"ready {colour} dice" for colour in COLOURS),
    f"ready dice, up to {FEW}",
    f"ready dice, up to {MANY}",
    *(f"{stat} {n} or more" for stat in STATS for n in range(2, STAT_MAX + 1)),
    "gold",
    f"gold, up to {SOME_GOLD}",
    f"gold, up to {MUCH_GOLD}",
    "items",
    "banished dice",
)


@rule
def strong_features(s, out):
    """Fills the first NUM_STRONG features."""
    ready = total(s.ready)
    for colour in range(NUM_COLOURS):
        out[READY + colour] = int(s.ready[colour])
    out[ANY_FEW] = min(ready, FEW)
    out[ANY_MANY] = min(ready, MANY)
    for stat in range(HEALTH, RECOVERY + 1):
        for n in range(2, STAT_MAX + 1):
            out[STAT + (STAT_MAX - 1) * stat + n - 2] = 1.0 if s.stats[stat] >= n else 0.0
    gold = int(s.gold)
    out[GOLD] = gold
    out[GOLD + 1] = min(gold, SOME_GOLD)
    out[GOLD + 2] = min(gold, MUCH_GOLD)
    out[ITEMS] = item_count(s)
    out[BANISHED] = total(s.banished)
