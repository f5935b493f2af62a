"""What the experts of the Lost Woods hold things for, in pieces of gold where nothing else is said.

``expert`` goes by what its author thought right, ``tuned`` by what won games (:mod:`deckwood_agents.studies.tuning`); their rules are
the same.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deckwood_agents.players.scripted.lost_woods.tuned import TUNED


class Weight(NamedTuple):
    expert: float
    spread: float  # how much more or less tuning tries
    meaning: str
    signed: bool = False  # whether it may be less than nothing


WEIGHTS = {
    # The race.
    "game": Weight(14.0, 5.0, "winning the game"),
    "spent": Weight(0.8, 0.3, "the share of its own worth that a piece of gold has lost when the end is there", signed=True),
    "decisive": Weight(1.0, 0.35, "the lead that decides the game when the end is there, and"),
    "undecided": Weight(5.0, 1.75, "by how much it has to be larger when the end is far"),
    "far": Weight(0.1, 0.03, "nearness of the end (0 to 1): at least; then"),
    "near": Weight(0.7, 0.15, "with no card left in the smallest deck, less"),
    "near_card": Weight(0.12, 0.04, "for each card in it; and once a deck is empty,"),
    "exit_now": Weight(1.0, 0.1, "where a leader gets out in this turn,"),
    "exit_next": Weight(0.9, 0.1, "in the next,"),
    "exit_later": Weight(0.8, 0.15, "or later"),
    "tie_odds": Weight(0.55, 0.2, "the chance in a fight for a tie at which one leaves the woods, less"),
    "tie_fades": Weight(0.01, 0.005, "for each round that was played"),
    # Exploring.
    "explore": Weight(0.0, 0.4, "exploring, beside what it brings", signed=True),
    "well": Weight(0.5, 0.3, "a magic well"),
    "gnome": Weight(0.2, 0.07, "a gnome who gives and takes among others"),
    "plus_two": Weight(2.0, 0.7, "the tiles that a Plus Two is worth"),
    "last_behind": Weight(-4.0, 3.0, "taking the last card of the first deck that runs out: for one who is behind,", signed=True),
    "last_tied": Weight(-2.0, 2.0, "who is tied for the lead,", signed=True),
    "last_ahead": Weight(2.0, 1.5, "who leads,", signed=True),
    "last_with_ways": Weight(5.0, 1.75, "who leads and has another way out nearby", signed=True),
    "second_ahead": Weight(0.2, 0.4, "taking the last card but one: for who leads,", signed=True),
    "second_not": Weight(-0.3, 0.6, "who does not", signed=True),
    "early_ahead": Weight(0.1, 0.3, "taking an earlier card, divided by how many are left: for who leads,", signed=True),
    "early_not": Weight(-0.1, 0.3, "who does not", signed=True),
    # Things.
    "potion": Weight(0.7, 0.25, "a potion"),
    "combat_spell": Weight(0.7, 0.25, "a spell to fight with"),
    "revive": Weight(0.7, 0.25, "Revive"),
    "magnet": Weight(0.9, 0.3, "the Magnet"),
    "teleport": Weight(0.5, 0.17, "Teleport"),
    "stride": Weight(0.4, 0.14, "the eighth spell"),
    "fights_ahead": Weight(2.0, 0.7, "the number of fights that a weapon is wanted for"),
    "side": Weight(0.02, 0.007, "a side of a weapon's die, beside that"),
    "second": Weight(0.35, 0.12, "the share of its worth that the second-best weapon has,"),
    "third": Weight(0.15, 0.05, "that the third has"),
    # Fighting and going.
    "opened": Weight(0.7, 0.25, "the share of what waits behind an enemy that opening the way is worth"),
    "way_back": Weight(0.08, 0.05, "a move on the way back from the camp"),
    "later": Weight(0.75, 0.12, "what a turn's delay leaves of a worth"),
    "step": Weight(0.02, 0.01, "what a move costs"),
    "patience": Weight(5.0, 1.75, "the rounds without a hurry, beyond those in which all cards could have been explored;"),
    "unrest": Weight(0.3, 0.2, "what doing nothing costs in each further one, more in each"),
}

DTYPE = np.dtype([(name, np.float64) for name in WEIGHTS])


def weights(values: dict[str, float]) -> NDArray[Any]:
    """A record array of one, (1,), of :data:`DTYPE`: the expert's weights, with ``values`` in the place of some. KeyError for others."""
    if unknown := values.keys() - WEIGHTS.keys():
        raise KeyError(f"no weights {sorted(unknown)}")
    row = tuple(values.get(name, weight.expert) for name, weight in WEIGHTS.items())
    return np.array([row], DTYPE).view(np.recarray)


EXPERT = weights({})
FITTED = weights(TUNED)
