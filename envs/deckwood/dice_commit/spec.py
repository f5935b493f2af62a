"""What DiceCommit declares about itself."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from deckwood.core.spec import OPTIMAL_VALUE, Ending, GameSpec, LoadedDeck, Memory, Option, Reading
from deckwood.dice_commit.deck import WIDEST, family, load_deck
from deckwood.dice_commit.observe import FEATURES
from deckwood.dice_commit.optimum import compute_metrics
from deckwood.dice_commit.render import describe, draw
from deckwood.dice_commit.rules import contract
from deckwood.dice_commit.state import MAX_FAMILY, OPTION_EFFECTS, OPTION_FIGHT, OPTION_TIER, POSITION
from deckwood.dice_commit.words import action_text, outcome_name, phase_name
from deckwood.strong.actions import STRONG_ACTIONS
from deckwood.strong.words import why_cut

OPTIONS = (
    Option("tier", "small", "how large the fights are", choices_from="tiers"),
    Option("effects", False, "fights with enemies that have effects, in place of plain ones"),
    Option("fight", 0, "0: each of the tier's fights is as likely; else the fight of this number", high=MAX_FAMILY),
    Option("solve", True, "find the optimal value of a fight that is drawn for the first time; where False, it is not a number"),
)

ENDINGS = (
    Ending("defeated_all", "no enemy is left undefeated, and Health is 1 or more", won=True),
    Ending("survived", "an enemy is left undefeated, and Health is 1 or more"),
    Ending("lost", "Health fell below 1"),
)

READINGS = (
    Reading(
        "The engagement",
        "What comes before and after it belongs to a deck's rounds.",
        "Enemies are activated, then comes the Strategy phase and the Resolve phase; the fight ends when dice have been recovered.",
    ),
    Reading("Effects", "Some need a deck, items, a merchant or a hero's card.", "A deck file with such an effect is refused."),
    Reading("Fleeing", "An enemy that fled is neither defeated nor undefeated.", "It is not left undefeated."),
)


def objection(options: NDArray[np.int32], deck: LoadedDeck, memory: Memory) -> str | None:
    """Why the family that these options name has no such fight."""
    tier, effects, fight = (int(options[i]) for i in (OPTION_TIER, OPTION_EFFECTS, OPTION_FIGHT))
    kinds = ("plain fights", "fights with effects")
    name, number = f"tier {deck.names['tiers'][tier]!r}", family(deck, options)[1]
    if number == 0:
        return f"{name} has no {kinds[effects]}, only {int(deck.tables.families[tier, 1 - effects, 1])} {kinds[1 - effects]}"
    if fight > number:
        return f"there is no fight {fight}: {name} has {number} {kinds[effects]} (fight=1 to {number}, or 0 to draw one)"
    return None


SPEC = GameSpec(
    name="DiceCommit",
    env_id="deckwood/DiceCommit-v1",
    summary="Commit the right dice: one engagement of the 20 Strong system, whose optimal value is known.",
    seats=(1, 1),
    dtype=POSITION,
    actions=STRONG_ACTIONS,
    features=FEATURES,
    options=OPTIONS,
    endings=ENDINGS,
    readings=READINGS,
    payoff_range=WIDEST,
    longest_game=1000,
    max_outcomes=MAX_FAMILY,
    rules=contract,
    load_deck=load_deck,
    phase_name=phase_name,
    why_cut=why_cut,
    outcome_name=outcome_name,
    action_text=action_text,
    describe=describe,
    draw=draw,
    objection=objection,
    metrics={
        OPTIMAL_VALUE: "what the best policy is paid on average in the fight, from before its first die; not a number with solve=False"
    },
    compute_metrics=compute_metrics,
    game_file=__file__,
)
