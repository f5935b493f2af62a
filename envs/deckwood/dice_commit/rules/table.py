"""DiceCommit's steps in one table."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.step_table import Step, StepTable
from deckwood.dice_commit import steps as at
from deckwood.dice_commit.rules import fighting
from deckwood.strong import engagement
from deckwood.strong import steps as hook
from deckwood.strong.engagement import draw
from deckwood.strong.steps import pop


@rule
def pass_by(s):
    """What the system asks of its deck (a card leaves, Strategy rose) means nothing here."""
    pop(s)


STEPS = StepTable(
    __name__,
    at.NUMBERS,
    {
        **engagement.ROWS,
        **{step: Step(perform=pass_by) for step in hook.HOOKS},
        at.DRAW_FIGHT: Step("Draw a fight", draw, outcome_weights=fighting.fight_weights, apply_outcome=fighting.draw_fight),
        at.ENGAGEMENT: Step(perform=fighting.perform_engagement),
        at.END_FIGHT: Step(perform=fighting.perform_end_fight),
    },
)

ITEM_STEPS = (hook.TAKE_ITEM, hook.LOSING_ITEM, hook.UPGRADING)
"""There are no items here."""
DECISIONS = tuple(step for step in STEPS.decisions if step not in ITEM_STEPS)
"""Steps at which the player decides, in the order of the observation's one-hot."""
