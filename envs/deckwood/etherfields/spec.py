"""What 20 Strong: Etherfields declares about itself."""

from __future__ import annotations

from deckwood.core.spec import Ending, GameSpec, Option, Reading
from deckwood.etherfields.actions import ACTIONS
from deckwood.etherfields.deck import load_deck
from deckwood.etherfields.observe import FEATURES
from deckwood.etherfields.render import describe, draw
from deckwood.etherfields.rules import contract
from deckwood.etherfields.state import NUM_CARDS, POSITION
from deckwood.etherfields.words import action_text, changes, objection, outcome_name, phase_name

OPTIONS = (
    Option("hero", "sleepwalker", "the hero, on the side that faces up; guests from other decks come last", choices_from="heroes"),
    Option("boss", "tall_stranger", "the boss", choices_from="bosses"),
    Option("rank", 1, "the difficulty rank", low=1, high=5),
    Option("games", 1, "games in one episode: a campaign, in which the deck remembers", low=1, high=20),
    Option(
        "reward",
        "win",
        "win: 1 for winning (of a campaign, the share of games won); progress: 1/72 for each map card explored, 1/8 for activating the "
        "boss, up to 1/4 for damage dealt to it, and the rest of 1 for winning",
        choices=("win", "progress"),
    ),
)

ENDINGS = (
    Ending("won", "the boss was defeated and the hero survived the round", won=True),
    Ending("died", "Health fell below 1 before the boss was activated"),
    Ending("died_facing_boss", "Health fell below 1 in the endgame"),
    Ending("lost_in_dream", "the map card underfoot was flipped or discarded with no Dream Entrance to return to"),
    Ending("campaign_over", "the last game of a campaign (games=2 or more) has ended"),
)

READINGS: tuple[Reading, ...] = ()

SPEC = GameSpec(
    name="Etherfields",
    env_id="deckwood/Etherfields-v0",
    summary="Shape the Dreamworld and defeat its boss, with a deck that remembers: 20 Strong: Etherfields, solo.",
    seats=(1, 1),
    dtype=POSITION,
    actions=ACTIONS,
    features=FEATURES,
    options=OPTIONS,
    endings=ENDINGS,
    readings=READINGS,
    payoff_range=(0.0, 1.0),
    longest_game=20000,
    max_outcomes=NUM_CARDS,
    rules=contract,
    load_deck=load_deck,
    phase_name=phase_name,
    outcome_name=outcome_name,
    action_text=action_text,
    describe=describe,
    draw=draw,
    game_file=__file__,
    remembered=("side",),
    changes=changes,
    objection=objection,
)
"""The game."""
