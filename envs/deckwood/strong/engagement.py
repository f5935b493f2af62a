"""The Engagement, and the system's steps in one table."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.step_table import Rule, Step
from deckwood.strong import after, apply, choices, commit, dice, items, roll, terms
from deckwood.strong import steps as at
from deckwood.strong.cards import announce, open_engagement
from deckwood.strong.effects import instruct
from deckwood.strong.steps import DECIDING, DRAWING, OVER, A, B, C, pop, push, set_top, top


@rule
def engage(s, deck):
    """Begins an engagement with what lies in the active area."""
    s.passes = 0
    s.extra_passes = 0
    s.committed = 0
    open_engagement(s, deck)
    for slot in range(terms.SLOTS):
        s.marks[slot] &= ~terms.AFTER_DONE
    push(s, at.RECOVER_DICE)
    push(s, at.EXHAUST_DICE)
    push(s, at.AFTER_EFFECTS)
    push(s, at.SUFFER_DAMAGE)
    push(s, at.STRATEGY_PHASE)
    announce(s, deck, terms.ENGAGED)


@rule
def perform_effects(s, deck):
    """Carries out the next of a run of effects."""
    row = top(s, A)
    if row >= top(s, B):
        pop(s)
    else:
        set_top(s, A, row + 1)
        instruct(s, deck, row, top(s, C))


@rule
def halt(s):
    s.node = OVER


@rule
def decide(s):
    s.node = DECIDING


@rule
def draw(s):
    s.node = DRAWING


def counted(phase: str, perform: Rule, legal: Rule, play: Rule) -> Step:
    """A step that asks for one die, stat or item at a time, as often as its first argument says."""
    return Step(phase, perform, legal, play, hint="{a} more.")


ROWS: dict[int, Step] = {
    at.EFFECTS: Step(perform=perform_effects),
    at.STRATEGY_PHASE: Step(perform=commit.perform_strategy),
    at.COMMIT: Step("Commit Dice", decide, commit.legal_commit, commit.play_commit, window=True),
    at.KEEP: Step("Set hits aside", decide, commit.legal_keep, commit.play_keep, hint="Dice set aside are not rolled again."),
    at.GATHER: Step(perform=roll.perform_gather),
    at.ROLL: Step("Roll Dice", roll.perform_roll, outcome_weights=roll.roll_weights, apply_outcome=roll.roll),
    at.HERO_ANSWERS_ROLL: Step(perform=roll.perform_hero_answers_roll),
    at.ROLLED_EFFECTS: Step(
        "Effects of the roll",
        roll.perform_rolled_effects,
        roll.legal_rolled_effects,
        roll.play_rolled_effects,
        hint="Choose whose effect of the roll comes next.",
    ),
    at.APPLY: Step("Apply Dice", apply.perform_apply, apply.legal_apply, apply.play_apply, window=True),
    at.TARGET: Step("Choose where the die goes", decide, apply.legal_target, apply.play_target),
    at.SUFFER_DAMAGE: Step(perform=after.perform_suffer_damage),
    at.AFTER_EFFECTS: Step(
        "After Effects",
        after.perform_after_effects,
        after.legal_after_effects,
        after.play_after_effects,
        hint="Choose whose After effect comes next.",
    ),
    at.EXHAUST_DICE: Step(perform=after.perform_exhaust_dice),
    at.RECOVER_DICE: Step(perform=after.perform_recover_dice),
    at.RECOVERING: counted("Recover dice", dice.perform_recovering, dice.legal_recovering, dice.play_recovering),
    at.EXHAUSTING: counted("Exhaust dice", dice.perform_exhausting, dice.legal_exhausting, dice.play_exhausting),
    at.BANISHING: counted("Banish a die", dice.perform_banishing, dice.legal_banishing, dice.play_banishing),
    at.BANISHING_APPLIED: counted(
        "Banish an applied die", dice.perform_banishing_applied, dice.legal_banishing_applied, dice.play_banishing_applied
    ),
    at.RESTORING: counted("Return banished dice", dice.perform_restoring, dice.legal_restoring, dice.play_restoring),
    at.RAISING: counted("Raise a stat", choices.perform_raising, choices.legal_raising, choices.play_raising),
    at.LOWERING: counted("Lower a stat", choices.perform_lowering, choices.legal_lowering, choices.play_lowering),
    at.TURNING_MISS: counted("Turn misses to hits", dice.perform_turning_miss, dice.legal_turning_miss, dice.play_turning),
    at.TURNING_HIT: counted("Turn hits to crits", dice.perform_turning_hit, dice.legal_turning_hit, dice.play_turning),
    at.REROLLING: counted("Reroll dice", dice.perform_of_unapplied, dice.legal_rerolling, dice.play_rerolling),
    at.REROLLING_HITS: counted("Reroll hits", dice.perform_of_hits, dice.legal_rerolling_hits, dice.play_rerolling),
    at.EXHAUSTING_HITS: counted("Exhaust hits", dice.perform_of_hits, dice.legal_exhausting_hits, dice.play_exhausting_hits),
    at.SWAPPING: Step("Swap two dice", dice.perform_swapping, dice.legal_swapping, dice.play_swapping),
    at.RETURNING: counted("Return dice to the pool", dice.perform_of_unapplied, dice.legal_returning, dice.play_returning),
    at.AIMING: Step("Choose an enemy", choices.perform_aiming, choices.legal_aiming, choices.play_aiming),
    at.TAKE_REWARD: Step("Take the reward?", decide, choices.legal_take_reward, choices.play_take_reward),
    at.TAKE_ITEM: Step("Take the item?", decide, items.legal_take_item, items.play_take_item, window=True),
    at.LOSING_ITEM: counted("Discard an item", items.perform_losing_item, items.legal_losing_item, items.play_losing_item),
    at.UPGRADING: counted("Upgrade an item", items.perform_upgrading, items.legal_upgrading, items.play_upgrading),
    at.OFFERED: Step("Accept the offer?", decide, choices.legal_offered, choices.play_offered),
    at.CHOOSING: Step("Choose one", decide, choices.legal_choosing, choices.play_choosing),
    at.TESTING: Step("A test", draw, outcome_weights=roll.test_roll_weights, apply_outcome=roll.roll_test),
    at.RECOVERY_ROLL: Step(
        "Roll exhausted dice", roll.perform_recovery_roll, outcome_weights=roll.recovery_roll_weights, apply_outcome=roll.roll_to_recover
    ),
    at.HALT: Step(perform=halt),
}
"""The system's steps. A deck's table has these, the hooks, and the deck's own; it may put a row of its own in place of one."""
