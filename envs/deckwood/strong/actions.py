"""The actions that every 20 Strong deck has. A deck's table is these, then its own."""

from __future__ import annotations

from deckwood.core.spec import Action
from deckwood.strong.terms import COLOURS, FACES, MAX_ITEMS, SLOTS, STATS

COMMIT_DIE = 0
RECOVER_DIE = COMMIT_DIE + 5
EXHAUST_DIE = RECOVER_DIE + 5
BANISH_READY = EXHAUST_DIE + 5
BANISH_EXHAUSTED = BANISH_READY + 5
RESTORE_DIE = BANISH_EXHAUSTED + 5
PICK_DIE = RESTORE_DIE + 5  # + 3 colour + face
TARGET_CARD = PICK_DIE + 15
USE_ITEM = TARGET_CARD + SLOTS
USE_HERO = USE_ITEM + MAX_ITEMS
DISCARD_ITEM = USE_HERO + 1
TURN_ITEM = DISCARD_ITEM + MAX_ITEMS
PICK_STAT = TURN_ITEM + MAX_ITEMS
ROLL_DICE = PICK_STAT + 3
AGAIN = ROLL_DICE + 1
RESOLVE = AGAIN + 1
ACCEPT = RESOLVE + 1
DECLINE = ACCEPT + 1
FIRST = DECLINE + 1
SECOND = FIRST + 1
DONE = SECOND + 1
NUM_STRONG_ACTIONS = DONE + 1

STRONG_ACTIONS: tuple[Action, ...] = (
    *(Action(f"commit_{c}", "commit", f"Commit a {c} die") for c in COLOURS),
    *(Action(f"recover_{c}", "recover", f"Recover a {c} die") for c in COLOURS),
    *(Action(f"exhaust_{c}", "exhaust", f"Exhaust a ready {c} die") for c in COLOURS),
    *(Action(f"banish_ready_{c}", "banish", f"Banish a ready {c} die") for c in COLOURS),
    *(Action(f"banish_exhausted_{c}", "banish", f"Banish an exhausted {c} die") for c in COLOURS),
    *(Action(f"restore_{c}", "restore", f"Return a banished {c} die to the pool") for c in COLOURS),
    *(Action(f"pick_{c}_{f}", "pick", f"Pick a {c} die showing a {f}") for c in COLOURS for f in FACES),
    *(Action(f"target_{j + 1}", "target", f"Choose active card {j + 1}") for j in range(SLOTS)),
    *(Action(f"use_item_{i + 1}", "use", f"Use item {i + 1}") for i in range(MAX_ITEMS)),
    Action("use_hero", "use", "Use the hero's ability"),
    *(Action(f"discard_item_{i + 1}", "discard", f"Discard item {i + 1}") for i in range(MAX_ITEMS)),
    *(Action(f"upgrade_item_{i + 1}", "upgrade", f"Turn item {i + 1} to its upgraded side") for i in range(MAX_ITEMS)),
    *(Action(f"choose_{stat}", "stat", f"Choose {stat.capitalize()}") for stat in STATS),
    Action("roll", "phase", "Finish committing and roll the dice"),
    Action("again", "phase", "Repeat the Strategy phase"),
    Action("resolve", "phase", "Go on to the Resolve phase"),
    Action("accept", "answer", "Accept"),
    Action("decline", "answer", "Decline"),
    Action("first", "answer", "Choose the first option"),
    Action("second", "answer", "Choose the second option"),
    Action("done", "answer", "Done with this step"),
)
assert len(STRONG_ACTIONS) == NUM_STRONG_ACTIONS
