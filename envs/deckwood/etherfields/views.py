"""Cards and map as an observation shows them: tables made once a deck, so that observing is copying."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.etherfields import state as own
from deckwood.etherfields.state import ARROW, AWARENESS_COST, CARD_VIEW, RESOURCES, SPACE_VIEW
from deckwood.strong import vocabulary as v
from deckwood.strong.deck import rows_of
from deckwood.strong.terms import COUNT, ITEM, NONE, ONGOING, OP, WHAT
from deckwood.strong.traits import face_labels

FACE_LABELS = face_labels("-1")

USES: dict[str, tuple[int, ...]] = {
    "raises stats": (v.GAIN_STAT, v.GAIN_ANY_STAT, v.FLIP_HERO, v.SHIELD, v.SHIELD_ALWAYS),
    "gives dice": (v.RECOVER, v.RECOVER_COLOUR, v.RECOVER_BY_ROLL, v.RESTORE, v.RESTORE_COLOUR, v.RETURN_DIE, v.RECOVERY_CHANGE),
    "helps rolls": (
        v.TURN_MISS, v.TURN_HIT, v.REROLL, v.REROLL_MISSES, v.SWAP_DICE, v.EXTRA_PASS, v.KEEP_HITS, v.HIT_BONUS, v.CRIT_BONUS,
        v.STRATEGY_CHANGE,
    ),
    "harms enemies": (
        v.DEFEAT, v.WOUND, v.SET_HEALTH, v.CANCEL, v.ENEMY_HEALTH, v.ENEMY_DAMAGE, v.DOUBLE_REWARD, own.FLIP_ENEMY, own.FLIP_CARD,
        own.FLIP_AND_TAKE,
    ),
    "gives cards": (own.DRAW_INFLUENCE, own.RECALL, own.HAND_CHANGE, own.COST_CHANGE, v.GAIN_ITEM),
    "moves": (own.MOVE, own.RETURN_HOME, own.SET_ETHER, own.ADVANCE_ETHER, own.FLIP_MAP, own.SUMMON),
    "costs": (
        v.LOSE_STAT, v.PAY_STAT, v.PAY_DICE, v.EXHAUST, v.EXHAUST_BEST, v.BANISH, v.BANISH_BEST, v.ACTIVATE, own.DISCARD_INFLUENCE,
        own.BANISH_INFLUENCE, own.DISCARD_MAP,
    ),
}  # fmt: skip
"""What a card is good for, by its ops."""

CARD_LABELS = (
    "there",
    *(f"gives {name}" for name in RESOURCES),
    *(f"costs {name}" for name in RESOURCES),
    "ongoing or item",
    *USES,
)
assert len(CARD_LABELS) == CARD_VIEW
SPACE_LABELS = (
    "there", "skulls", "dream entrance", "arrow", "awareness to explore", "unique actions", "changes the ether", "ether it sets",
    "summons the boss",
)  # fmt: skip
assert len(SPACE_LABELS) == SPACE_VIEW


def card_view(tables: Any) -> NDArray[np.float32]:
    """Every face as something to spend and to use, (faces, CARD_VIEW) in the order of CARD_LABELS, each 0..20."""
    view = np.zeros((len(tables["cards"]), CARD_VIEW), np.float32)
    view[:, 0] = 1
    view[:, 1:4] = tables["yields"]
    view[:, 4:7] = np.maximum(tables["costs"][:, 0], 0)
    view[:, 7] = np.where(tables["cards"]["kind"] == ITEM, 2, tables["cards"]["uses"] == ONGOING)
    for face in range(len(view)):
        for row in tables["effects"][rows_of(tables, face)]:
            for use, ops in enumerate(USES.values()):
                if row[OP] in ops:
                    view[face, 8 + use] += max(1, abs(int(row[COUNT])))
    return np.minimum(view, 20)


def space_view(tables: Any) -> NDArray[np.float32]:
    """The spaces of every side of a map card, (sides, spaces, SPACE_VIEW) in the order of SPACE_LABELS, each 0..20."""
    view = np.zeros((*tables["skulls"].shape, SPACE_VIEW), np.float32)
    for side, cells in enumerate(tables["space_at"]):
        for space in set(cells.tolist()):
            arrow, cost = (int(tables["explore"][side, space, column]) for column in (ARROW, AWARENESS_COST))
            actions = [int(face) for face in tables["unique"][side, space] if face != NONE]
            rows = [row for face in actions for row in tables["effects"][rows_of(tables, face)]]
            ether = [int(row[WHAT]) for row in rows if row[OP] == own.SET_ETHER]
            ops = {int(row[OP]) for row in rows}
            view[side, space] = (
                1,
                tables["skulls"][side, space],
                tables["entrance"][side] == space,
                1 + arrow if arrow != NONE else 0,
                cost,
                len(actions),
                bool(ops & {own.SET_ETHER, own.ADVANCE_ETHER}),
                1 + ether[0] if ether else 0,
                own.SUMMON in ops,
            )
    return np.clip(view, 0, 20)
