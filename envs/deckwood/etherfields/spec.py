"""What 20 Strong: Etherfields declares about itself."""

from __future__ import annotations

from deckwood.core.spec import Ending, GameSpec, Option, Reading
from deckwood.etherfields.actions import ACTIONS
from deckwood.etherfields.deck import load_deck
from deckwood.etherfields.observe import FEATURES
from deckwood.etherfields.render import describe, draw
from deckwood.etherfields.rules import contract
from deckwood.etherfields.state import NUM_CARDS, POSITION
from deckwood.etherfields.words import action_text, changes, impossible, objection, outcome_name, phase_name
from deckwood.strong.words import why_cut

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
    Ending(
        "campaign_over", "the last game of a campaign (games=2 or more) has ended, or no boss can be faced any more", options={"games": 2}
    ),
)

READINGS = (
    Reading("Setup", "Nobody says that cards are drawn before the first round.", "The hand starts empty; the first Influence step has nothing to discard and draws five cards."),
    Reading("Setup", "The Dream Entrance card is the one found with the entrance at its centre; whether its back has one is not said.", "It may have one on both sides, as ours has, or on one; no other card has. It is placed with the side that faces up, or with the one that shows the entrance."),
    Reading("Choose a boss", "Some bosses need certain items and enemies \"in play\".", "They need cards of the deck to show a certain side when the game begins, wherever those cards are. A campaign in which no boss can be faced is over."),
    Reading("An Ever-Changing Deck", "What persists is which side of each card faces up.", "Only that. Banished cards, hand, inventory and map go back into the box; the next game starts with every card and all 17 dice."),
    Reading("Behind the Veil", "The backs of cards in hand, inventory and active area may be looked at, those of other cards not.", "Both sides of every card are known from the deck file; the top card of each deck is seen, all others in it are not."),
    Reading("Actions", "They may be taken \"at any time during the round\".", "At the start of the round, before Opposition, before the boss's Activation effect, in the Commit Dice and Apply Dice steps, before each After effect, between two spaces of a movement and before Cleanup; not within the choices of another effect, nor before Exhaust Dice and Recover Dice."),
    Reading("Actions", "As many as the player wishes or is able to take.", "What can be paid for may be done, whether it helps or not: an influence card without effect leaves the hand, a map action without effect has its cost."),
    Reading("Taking Actions", "Any number of cards and dice may be spent; what is not needed is lost.", "They are spent one at a time, in the order of hand, inventory and dice, until enough is paid, which ends the payment; the rest of what was given is lost. What an action costs is counted when it is begun. They count as spent at once: nothing else can be done in between, and enemies that fall by it fall afterwards."),
    Reading("Taking Actions", "Dice are exhausted to pay; which ones is not said beyond their colour.", "Ready dice only; committed ones cannot pay."),
    Reading("Movement", "One space for each Cunning spent; actions are free at any time, but not map actions \"while resolving movement\".", "Movement is paid first and then walked. Between two spaces all but map actions can be taken: assaults, influence cards, items, more movement, which adds its spaces. The same goes for movement by a card's effect. Spaces left over are lost."),
    Reading("Movement", "Entering a space with a skull activates enemies.", "However the hero enters it, also by a card's effect, each time. Being returned to the Dream Entrance is not entering."),
    Reading("Movement", "A wall shown at a card's edge cannot be crossed.", "A wall of either of two neighbouring cards is enough. An edge with no card beyond leads nowhere."),
    Reading("Assault", "Spend Wrath for 1 damage each; the enemy must be defeated by it.", "Exactly what is left of its Health. Dice on it count, but not those a During effect makes worthless. Enemies that damage alone could not defeat (protected, at their limit of damage for the round, dice of more colours needed) cannot be assaulted."),
    Reading("Assault", "Whether limits on defeats in an Apply Dice step count it is not said.", "They count what falls in that step in whatever way, and nothing outside it. The reward of an assaulted enemy is gained as after any defeat, and it is discarded in Cleanup."),
    Reading("Influence Actions", "An Ongoing card is an item once it is placed.", "It takes room in the inventory like any item: where there is none, another card may be discarded once its cost is paid, or it goes to the discard itself. It can be discarded for its resources later."),
    Reading("Influence Actions", "An Instant card is discarded to resolve its effect.", "It lies aside until it has resolved and is then discarded: it is not in the deck or discard that its own effect makes use of. The same goes for a single-use item, and for any card that leaves in the middle of what it says; where it flips meanwhile, it goes to the pile of its new side."),
    Reading("Influence Actions", "Some Instant cards name a time.", "In Activation, in Engagement (up to the end of the round), or in the Apply Dice step, movement in it included."),
    Reading("Explore", "The card is placed in the direction of the arrow; how it is turned is not said.", "Upright: its upper edge to the north, like all the others. The hero does not move."),
    Reading("Explore", "What happens with no map cards left is not said.", "Discarded map cards make a new deck; with none of those either, nobody can explore."),
    Reading("Unique", "The same unique action cannot be resolved twice in a round.", "Each action of each side of a card counts for itself: one that has been resolved stays so for the round, also if the card is flipped back or placed anew."),
    Reading("Unique", "The action that activates the boss", "It can be taken only while the endgame condition is met and the boss is not in play; the condition matters at that moment alone."),
    Reading("Opposition", "An enemy is taken from the deck; the size of the active area is not limited.", "It holds eight cards. While it is full no more enemies come; a boss pushes out the last card, which is discarded."),
    Reading("Opposition", "Enemies that cannot be drawn", "With the Enemy Deck and its discard empty none comes."),
    Reading("Endgame condition", "How defeated enemies, items and map cards are counted is not said.", "Enemies count from the moment of their defeat, wherever they go then; every card of the inventory counts as an item, the Dream Entrance as a map card."),
    Reading("Influence", "A hand may grow above five cards.", "It holds eight; further cards are not drawn, and one that would join it is discarded."),
    Reading("Reveal", "Decks lie open, so that their top cards can be seen.", "The top card of every deck is known, also at ranks that draw from the bottom; bottom cards never are. A deck's last card is drawn as it lies."),
    Reading("Strategy Phase", "Whether it takes place without enemies is not said.", "It does, once: there is nothing to apply a hit to, and whatever dice are committed are exhausted, but actions can be taken in it."),
    Reading("Apply Dice", "Hits may go onto defeated enemies.", "Where no enemy is left undefeated, only if a card in play answers rolls or counts dice in the Resolve phase; otherwise neither that nor another pass of the Strategy phase could change anything."),
    Reading("Banishing", "Dice can be taken from any area.", "From the pool, the exhausted dice, dice in hand and dice on cards; not dice of a Commit Dice step that is not over."),
    Reading("Apply Dice", "A crit may have an effect and defeat its enemy.", "The effect comes first, as an enemy's effect goes before a reward."),
    Reading("Apply Dice", "An enemy is defeated when hits meet its Health; other damage and changes of Health are not mentioned.", "Whatever changes damage, Health or what is in play, at any time of the round: enemies whose Health is met then fall at once, from the left, and pay their rewards."),
    Reading("After Effects", "All After effects in the active area are resolved; some of them turn their card over.", "One After effect for each card and round: the other side's waits for the next."),
    Reading("Recover Dice", "One additional die of the ether's colour may be recovered.", "One more than Recovery, of that colour. What forbids recovery forbids it too."),
    Reading("Cleanup", "Undefeated enemies stay; what has been done to them is not mentioned.", "Their dice have been exhausted, and damage by effects ends with the round: they begin the next one unhurt."),
    Reading("Discarding Flipped Cards", "A card that flips may become of another type.", "It goes to the discard of its new type, except that an undefeated enemy whose other side is an enemy stays in play, without dice or damage and not activated again. An enemy that turns into something else has not been defeated."),
    Reading("Discarding Flipped Cards", "A card may be taken after it has flipped.", "With no room for it, it is discarded."),
    Reading("Reshuffling", "Suffer -2 Health or banish two random cards.", "The choice comes after the shuffle, before the draw. With fewer than two cards left, those are banished; Health may fall below 1."),
    Reading("The Map", "A card underfoot that is flipped or discarded returns the Health die to the Dream Entrance.", "At once, also where the flipped card is the Dream Entrance itself. Discarded cards leave a gap in the map."),
    Reading("Items", "They may be used at any time but in a roll, and discarded at any time.", "They may be used and discarded where actions may be taken, used when another item is offered, and discarded then to make room for it."),
    Reading("Items", "An item cannot be gained without room; items may be used or discarded at this time to make some.", "It is drawn and seen first. If it is not taken, for want of room or because it is refused, it is discarded."),
    Reading("Items", "Strategy limits them; what happens when it falls below the number held is not said.", "They are kept, and no more are gained. There is room for six in any case."),
    Reading("Winning", "The boss is defeated and the hero survives to the end of that round.", "Until then the round goes on, After effects and all. Whoever dies in it has lost."),
    Reading("Universal Heroes", "A hero with a single side ignores what would flip it; guests keep no memory in the rulebook.", "Guests with one side never flip. Those with two start every game on the front, and their side is not remembered."),
    Reading("Difficulty Rankings", "Whether banished cards of setup are shown is not said.", "They are, as all that is banished; the count is the rank's own, not a sum."),
    Reading("Simultaneous effects", "The player orders them.", "The player orders effects of a roll and After effects; of the player's own cards the hero acts first, then the inventory from the left. What a card says that has left meanwhile is still done, but for what it says of itself."),
)  # fmt: skip

SPEC = GameSpec(
    name="Etherfields",
    env_id="deckwood/Etherfields-v1",
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
    why_cut=why_cut,
    outcome_name=outcome_name,
    action_text=action_text,
    describe=describe,
    draw=draw,
    game_file=__file__,
    metadata={"also_recovered": "ether"},
    remembered=("side",),
    changes=changes,
    impossible=impossible,
    objection=objection,
)
"""The game."""
