"""What 20 Strong: Tanglewoods Red declares about itself."""

from __future__ import annotations

from deckwood.core.spec import Ending, GameSpec, Option, Reading
from deckwood.strong.words import why_cut
from deckwood.tanglewoods.actions import ACTIONS
from deckwood.tanglewoods.deck import load_deck
from deckwood.tanglewoods.observe import FEATURES
from deckwood.tanglewoods.render import describe, draw
from deckwood.tanglewoods.rules import contract
from deckwood.tanglewoods.state import NUM_ENEMIES, POSITION
from deckwood.tanglewoods.words import action_text, outcome_name, phase_name

OPTIONS = (
    Option("hero", "piper", "the hero; universal heroes come last", choices_from="heroes"),
    Option(
        "side",
        "printed",
        "the side the hero starts on, where its card prescribes none; printed: the front",
        choices=("printed", "front", "back"),
    ),
    Option("difficulty", 5, "the level of the difficulty table", low=0, high=10),
    Option("boss", "big_bad_wolf", "the boss at the Cabin", choices=("big_bad_wolf", "bigger_badder_wolf")),
    Option("undefeated_wolves", "discard", "where a wolf goes that was faced and not defeated", choices=("deck", "discard")),
    Option(
        "reward",
        "win",
        "win: 1 for winning; progress: 1/44 for each card of the path entered, up to 1/4 for damage dealt to the boss, and the rest of 1 for winning",
        choices=("win", "progress"),
    ),
)

ENDINGS = (
    Ending("won", "the Big Bad Wolf and every other enemy of the endgame is defeated, with Health at 1 or more", won=True),
    Ending("died_in_forest", "Health fell below 1 before the Cabin"),
    Ending("died_at_cabin", "Health fell below 1 in the endgame"),
)

READINGS = (
    Reading("Trailhead, Reference Card: Trap", "The icon of the die to roll is lost.", "A blue die from the box (`trap_die`); no die of the pool is used."),
    Reading("Exploration Phase", "The icons of the dice that may be chosen are lost.", "Any ready unit dice (`explore_colours`)."),
    Reading("Reference Card: Weary", "One fewer of something; the icon is lost.", "Strategy counts 1 lower (never below 1) at that node: for the Strategy phase and for the number of items. The deck file may name Recovery instead, and another amount (`weary_stat`, `weary_less`)."),
    Reading("The Scouting Line", "As many cards as Strategy; whether what changes how Strategy counts, but not the die, changes the line is not said.", "The line follows the die."),
    Reading("Difficulty 3", "Two icons come back from the banished area.", "The banished green and blue dice return to the pool (`level_3_colours`)."),
    Reading("Difficulty 7", "Starting gold is reduced to 5.", "Who starts with less keeps that."),
    Reading("Difficulty Scaling", "Whether levels add up is not said.", "One level's line is the whole adjustment. \"Any two stats\" are two different ones."),
    Reading("Difficulty 10", "Trailhead and Cabin cannot be flipped back.", "By anything: a card that would turn them to daytime does nothing."),
    Reading("Campfire", "The card gives +1 Health, +1 Recovery or +2 Strategy, the text +1 of each.", "The card: +1, +1, +2 (`camp_health`, `camp_recovery`, `camp_strategy`). A stat at 6 may be chosen, and stays."),
    Reading("Visiting the Merchant", "Four actions, of which only Buy is described.", "Buy an item (its cost), upgrade a held item, recover a die, raise a stat, at the costs in the deck file."),
    Reading("Round Flow", "The summary lists Exploration again after Bribery; the text has it once, first.", "The text: explore, travel, bribe."),
    Reading("Bribery Phase", "Items may be used at any time, so also to pay a bribe.", "The phase waits as long as a bribe can be paid, or an enemy takes bribes and an item or the hero's ability can be used; otherwise there is nothing to decide. An enemy defeated in it does not count as remaining."),
    Reading("Notes About Cleanup; Wolf Pack Deck", "Cleanup moves defeated and undefeated cards alike to their discard piles; the list of decks says it of defeated wolves only.", "The first sentence: an undefeated wolf is discarded too, also one that flees, and brings no power-up to the endgame. With `undefeated_wolves=\"deck\"` it returns to its deck."),
    Reading("Round Structure; Endgame", "Whether the battle begins in the round in which the hero arrives is not said.", "It does: homes are none of the nodes that skip the Engagement. What was used in that round is used up, and enemies met on the way may be bribed. The rounds that follow have no Activation: Strategy phase and Resolve phase alone."),
    Reading("When the Forest Runs Out", "What exploring does once the Cabin lies is not said.", "No more cards are placed; crits still give gold and the merchant still comes."),
    Reading("The Scouting Line", "Fables come from the bottom of the deck, also when its only card is the visible top one.", "Then that card is the fable, and the line is refilled."),
    Reading("Wolf Pack", "A wolf node with no wolves left is skipped; whether its outline counts is not said.", "It does not: no toll, no trap, no mob."),
    Reading("Toll", "\"Any die\" does not say from where.", "From any area. With neither dice nor gold there is nothing to pay."),
    Reading("Trap", "A miss turns the card to its nighttime side.", "On a card that already shows it nothing more happens."),
    Reading("Ready Your Reference; Universal Heroes", "The Brothers Grimm side is ignored unless a universal hero has no secondary side; elsewhere, any non-Tanglewoods universal hero that would flip is replaced by it.", "The first sentence says when the second applies: a guest with one side is replaced, for good; one with two sides flips to its other side. Universal heroes of this deck flip as the others do."),
    Reading("Items", "Items may be used at any time but in a roll, and discarded at any time.", "They may be used while exploring, at the merchant, before travelling, at a toll, at a campfire, in the Bribery phase, in the Commit Dice and Apply Dice steps, when a card offers something or asks to choose, and when another item is offered, not within other choices that an effect asks for; and only where they would do something. They may be discarded when there is no room for another."),
    Reading("Items", "Strategy limits them; what happens when it falls below the number held is not said.", "They are kept, and no more are gained."),
    Reading("Apply Dice", "Hits may go onto defeated enemies.", "Where no enemy is left undefeated, only if a card in play answers rolls or counts dice in the Resolve phase; otherwise neither that nor another pass of the Strategy phase could change anything."),
    Reading("Banishing", "Dice can be taken from any area.", "From the pool, the exhausted dice, dice in hand and dice on cards; not dice of a Commit Dice step that is not over."),
    Reading("Apply Dice", "A crit may have an effect and defeat its enemy.", "The effect comes first, as an enemy's effect goes before a reward."),
    Reading("The active area", "Its size is not limited.", "It holds eight cards; an enemy with no room left is discarded, a wolf stays in its deck."),
    Reading("Fable", "How many cards may lie next to the hero is not limited.", "Four; a further one is discarded, its lasting effects lost."),
    Reading("Simultaneous effects", "The player orders them.", "The player orders After effects, and the effects that enemies and power-ups have after a roll. The player's own cards answer before those: the hero first, then items from the left, then cards beside the hero. Enemies activated together act from left to right, as do boss and power-ups when the endgame begins; enemies whose Health is met at once fall in that order."),
    Reading("Choices without a difference", "Effects let the player choose.", "Some are not asked: recovering dice of one colour takes as many as there are, the strongest dice are exhausted or banished in order of colour, misses are banished weakest first, and of an odd number of dice where only pairs count the weakest waits. A reward is taken whole or left."),
)  # fmt: skip

SPEC = GameSpec(
    name="Tanglewoods",
    env_id="deckwood/Tanglewoods-v1",
    summary="Cross the forest to Grandma's Cabin and defeat the Big Bad Wolf: 20 Strong: Tanglewoods Red, solo.",
    seats=(1, 1),
    dtype=POSITION,
    actions=ACTIONS,
    features=FEATURES,
    options=OPTIONS,
    endings=ENDINGS,
    readings=READINGS,
    payoff_range=(0.0, 1.0),
    longest_game=3000,
    max_outcomes=NUM_ENEMIES,
    rules=contract,
    load_deck=load_deck,
    phase_name=phase_name,
    why_cut=why_cut,
    outcome_name=outcome_name,
    action_text=action_text,
    describe=describe,
    draw=draw,
    game_file=__file__,
    metadata={"aims": {"deckwood.Batch, 1024 games": 1_500_000}},
)
