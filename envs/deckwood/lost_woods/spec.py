"""What Lost Woods declares about itself."""

from __future__ import annotations

from deckwood.core.spec import Ending, GameSpec, Option, Reading
from deckwood.lost_woods.actions import ACTIONS
from deckwood.lost_woods.deck import load_deck
from deckwood.lost_woods.observe import FEATURES
from deckwood.lost_woods.render import describe, draw
from deckwood.lost_woods.rules import contract
from deckwood.lost_woods.state import LONGEST_GAME, MAX_PLAYERS, NUM_TILES, POSITION
from deckwood.lost_woods.words import action_text, outcome_name, phase_name

OPTIONS = (
    Option("num_players", 4, "the adventurers at the table", low=2, high=MAX_PLAYERS),
    Option("turn_limit", 100, "turns for each adventurer, after which the game is cut (truncated, not lost)", low=1, high=1000),
    Option(
        "reward",
        "win",
        "win: at the end 1 for the winner and -1/(n - 1) for each other; gold: as pieces change hands, the gold a seat holds less the mean of "
        "what the others hold, over 51, the winner of the game counting half a piece more; progress: half of the one and half of the other, "
        "without that half piece",
        choices=("win", "gold", "progress"),
    ),
)

ENDINGS = (
    Ending("escaped", "an adventurer explored a direction whose deck is empty, and so left the Lost Woods"),
    Ending("fully_explored", "no space leads to an unexplored one, and the last enemy on the board is defeated"),
)

READINGS = (
    Reading("Setup", "Whether the D6 weapons that are not handed out stay in the game is not said.", "They go into the bag. So it begins with 60 tiles whatever the number of players."),
    Reading("Setup; Move", "The camp is one card and three spaces; how they lie and where they lead is not said.", "As the deck file says (`[camp]`): a centre and two spaces next to it, in a row, a column or a corner, one move from the centre to each of them; ours is a row from west to east. \"Camp\" that one is moved back to is its centre."),
    Reading("The Turn", "Who went camping the most recently starts.", "Each adventurer is as likely to start."),
    Reading("Move", "Items may be picked up in spaces that you move through.", "The space where the turn begins counts, also when no move is made. Picking up and dropping belong to the Move step."),
    Reading("Move", "Any number of items may be picked up and dropped.", "At each visit to a space drops come first, then takes, each in the order of items, and nothing is taken up that was dropped on that visit. Once a third spell has gone back to its well, spells that are still held can be dropped too, after which nothing more is taken up there. Every outcome of drops and takes in any order can be reached so. Gold can be dropped too."),
    Reading("Move", "Enemies keep you from exploring and from picking up gold; whether they stop a move is not said.", "They do not."),
    Reading("Explore", "The card's markers say where one may leave; whether the card beyond needs one is not said.", "It does not. Ways are one-way where the card beyond has no marker facing back."),
    Reading("Explore", "What is drawn when the bag is empty is not said.", "Nothing. (It holds 60 tiles, as many as 48 cards and six Plus Twos can draw.)"),
    Reading("Basics; Explore", "Whether all may see what each carries, and which cards and tiles are still to come, is not said.", "They may: inventories are open, and cards and tiles that have not come yet can be counted. Their order is unknown."),
    Reading("Explore; The Guardian", "Whether the bottom card draws a tile too is not said.", "It does: every placed card draws one."),
    Reading("Tiles: Gold; Attack", "50 gold pieces; what happens when the supply runs out is not said.", "One takes what is left."),
    Reading("Tiles: Gnome", "The richest gives to the poorest; you decide ties.", "They are two different adventurers, the explorer among them or not. When nobody has gold nothing happens. When all have the same the explorer names both."),
    Reading("Basics; Magic", "Items beyond the limit are dropped in the room; a third spell is put back in its well.", "A third spell may be picked up or found, and one of the three goes back to its well, wherever that is. Weapons and potions cannot be picked up beyond three; one that a tile brings, or the Magnet, makes the adventurer drop one at once, before another tile is drawn."),
    Reading("Magic", "Magic can be picked up during your move or explore steps.", "In the Move step like any item; in the Explore step from the well just discovered."),
    Reading("Magic", "A spell that was used is not in the inventory at the end of the turn, even beside its well.", "It cannot be picked up in the turn in which it was used."),
    Reading("Magic: Magnet", "It takes any one magic, weapon or gold from the map.", "From any space, gold among enemies included, from wells and from the ground, not from other adventurers; not a potion, and not itself. It can be used in a room with enemies, where one could not explore. It returns to its well before the item is taken."),
    Reading("Magic: Revive", "\"If you die\": end the turn where you are or attack the same enemy again.", "It may be used when a battle is lost, before anything is dropped. The enemy is attacked again from the start: a guardian is one enemy, so all three of its rolls are made afresh. Spells that were used are in their wells."),
    Reading("Magic: Teleport", "It has no text.", "Instead of moving, go to any explored space that holds no enemy; there items can be picked up and dropped."),
    Reading("Magic", "The eighth spell has no name.", "It is the deck file's (`[eighth]`): a stride, used in the Move step for more spaces, or a strike, used in combat for a die. Ours is a stride of three spaces; it cannot follow Teleport."),
    Reading("Attack", "\"Any die (yours or the opponents)\" may be re-rolled with a potion.", "After both dice lie, the attacker may use potions one after the other, for either die; nobody else can."),
    Reading("Attack", "After a loss with magic one gold must be dropped; with a weapon, gold or the weapon. What one does with neither is not said.", "One drops what one has: without gold the weapon, without either nothing. What is dropped lies in the enemy's room."),
    Reading("The Guardian", "Three rolls must be won; what a draw does is not said.", "The attack is over, nothing is dropped, and the next one begins with the first roll again. The same holds when there is nothing left to fight with. One cannot break off between the rolls."),
    Reading("The Guardian", "Whether it has gold is not said.", "The deck file gives it some."),
    Reading("End of the Game: Escape", "Someone tries to explore when there are no more cards to draw.", "In any open direction whose deck is empty, from any space without enemies, whether that direction's guardian was defeated or not. The one who escapes wins only by having the most gold."),
    Reading("End of the Game: Fully Explored", "It ends as soon as the last enemy is defeated.", "When there is none as the last way is closed, at once. An open direction with an empty deck is a way out."),
    Reading("End of the Game", "The tied fight each other; how is said for two.", "All of them choose a weapon or spell, from the adventurer whose turn it is to the left, once for the whole fight, so that one weapon or spell serves for all rolls of it; all roll; then each in that order may use potions on any of the dice, and is not asked again before the next roll; the highest wins, and those who share it roll again. Who cannot fight is beaten by those who can; when none can, each is as likely to win."),
    Reading("The game", "Nothing ends a game in which nobody explores or fights.", "`turn_limit` cuts it: nobody has won and every payoff stays as it stands. So does the end of a turn after 48,000 decisions (forced ones included), since no turn has 2,000 of them and no game may have more than 50,000."),
)  # fmt: skip

SPEC = GameSpec(
    name="Lost Woods",
    env_id="deckwood/LostWoods-v1",
    summary="Explore the woods turn by turn and collect the most gold before someone finds the way out: Lost Woods, for two to six.",
    seats=(2, MAX_PLAYERS),
    dtype=POSITION,
    actions=ACTIONS,
    features=FEATURES,
    options=OPTIONS,
    endings=ENDINGS,
    readings=READINGS,
    payoff_range=(-1.0, 1.0),
    longest_game=LONGEST_GAME,
    max_outcomes=NUM_TILES,
    rules=contract,
    load_deck=load_deck,
    phase_name=phase_name,
    outcome_name=outcome_name,
    action_text=action_text,
    describe=describe,
    draw=draw,
    game_file=__file__,
    metadata={"aims": {"deckwood.Batch, 1024 games": 1_000_000, "PettingZoo AEC": 30_000}},
)
