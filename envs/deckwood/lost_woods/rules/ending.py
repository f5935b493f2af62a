"""End of the Game: escape, the fully explored woods, and the fight of those who tie."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.lost_woods import actions as act
from deckwood.lost_woods.phases import TIE_DIE, TIE_LOTS, TIE_ROLLED, TIE_WEAPON
from deckwood.lost_woods.rules.inventory import is_armed, most_gold, update_payoffs
from deckwood.lost_woods.rules.turn import END, chair_of, leave_fight, seat_of, wait_for
from deckwood.lost_woods.rules.weapons import allow_weapons, spend_potion, use_weapon
from deckwood.lost_woods.rules.woods import fully_explored
from deckwood.lost_woods.state import GOLD, LONGEST_GAME, NONE, NUM_SPACES, POTION

LONGEST_ROUND = 50  # more decisions than a round of the fight for a tie can have: six adventurers with three potions each


@rule
def game_is_over(s):
    """There is no unexplored space to go to, and the last enemy on the board is defeated."""
    for space in range(NUM_SPACES):
        if s.foes[space] > 0:
            return False
    return fully_explored(s)


@rule
def end_game(s, deck, ending):
    """The winner is the player with the most gold; if there is a tie, then the tied adventurers fight each other."""
    leave_fight(s)
    s.ending = ending + 1
    most = most_gold(s)
    for seat in range(s.players):
        s.tied[seat] = 1 if s.carried[seat, GOLD] == most else 0
    if number_tied(s) > 1:
        leave_out_unarmed(s, deck)
    if number_tied(s) == 1:
        win(s, next_tied(s, 0))
    elif is_armed(s, deck, next_tied(s, 0)):
        ask_for_weapons(s)
    else:
        wait_for(s, TIE_LOTS)


@rule
def number_tied(s):
    n = 0
    for seat in range(s.players):
        n += int(s.tied[seat])
    return n


@rule
def next_tied(s, chair):
    """The first of the tied from a chair on, counted from the adventurer whose turn it is; NONE when all have been."""
    for place in range(chair, s.players):
        seat = seat_of(s, int(s.turn), place)
        if s.tied[seat] == 1:
            return seat
    return NONE


@rule
def tied_after(s, seat):
    """The next of the tied after one of them; NONE after the last."""
    return next_tied(s, 1 + chair_of(s, int(s.turn), seat))


@rule
def leave_out_unarmed(s, deck):
    """Who has no weapon can't fight, and is beaten by those who have."""
    anyone = False
    for seat in range(s.players):
        if s.tied[seat] == 1 and is_armed(s, deck, seat):
            anyone = True
    if anyone:
        for seat in range(s.players):
            if not is_armed(s, deck, seat):
                s.tied[seat] = 0


@rule
def ask_for_weapons(s):
    """The tied choose their weapons or magic one after the other, once for the whole fight, then all roll."""
    for chair in range(s.players):
        seat = seat_of(s, int(s.turn), chair)
        if s.tied[seat] == 1 and s.duel_item[seat] == NONE:
            s.mover = seat
            wait_for(s, TIE_WEAPON)
            return
    roll_all(s)


@rule
def legal_tie_weapon(s, deck, mask):
    return allow_weapons(s, deck, int(s.mover), mask)


@rule
def play_tie_weapon(s, deck, action):
    s.duel_item[s.mover] = use_weapon(s, deck, action)
    ask_for_weapons(s)


@rule
def roll_all(s):
    """Until someone rolls higher; the game is cut where that would outlast its most decisions."""
    if s.decisions >= LONGEST_GAME - LONGEST_ROUND:
        s.node = END
        return
    for seat in range(s.players):
        s.duel_roll[seat] = 0
    s.mover = next_tied(s, 0)
    wait_for(s, TIE_DIE)


@rule
def rolling(s):
    """The first of the tied whose die is to be rolled; NONE when all dice lie."""
    for chair in range(s.players):
        seat = seat_of(s, int(s.turn), chair)
        if s.tied[seat] == 1 and s.duel_roll[seat] == 0:
            return seat
    return NONE


@rule
def roll_for_tie(s, roll):
    """Rolls a die; once all lie, each of the tied in turn may use potions."""
    s.duel_roll[rolling(s)] = roll
    if rolling(s) == NONE:
        offer_potions(s, int(s.mover))


@rule
def offer_potions(s, seat):
    """To ``seat`` and those of the tied after it who have any; then the rolls are compared."""
    while seat != NONE:
        if s.carried[seat, POTION] > 0:
            s.mover = seat
            wait_for(s, TIE_ROLLED)
            return
        seat = tied_after(s, seat)
    compare(s)


@rule
def legal_tie_potion(s, mask):
    n = allow(mask, act.DONE)
    for chair in range(s.players):
        if s.tied[seat_of(s, int(s.mover), chair)] == 1:
            n += allow(mask, act.REROLL + chair)
    return n


@rule
def play_tie_potion(s, action):
    seat = int(s.mover)
    if action == act.DONE:
        offer_potions(s, tied_after(s, seat))
    else:
        spend_potion(s, seat)
        s.duel_roll[seat_of(s, seat, action - act.REROLL)] = 0
        wait_for(s, TIE_DIE)


@rule
def compare(s):
    """Who rolled highest wins; those who share the highest roll, roll again."""
    best = 0
    for seat in range(s.players):
        if s.tied[seat] == 1:
            best = max(best, int(s.duel_roll[seat]))
    for seat in range(s.players):
        if s.duel_roll[seat] != best:
            s.tied[seat] = 0
    if number_tied(s) == 1:
        win(s, next_tied(s, 0))
    else:
        roll_all(s)


@rule
def lot_weights(s, weights):
    """None of the tied can fight: each is as likely to win."""
    for seat in range(s.players):
        weights[seat] = s.tied[seat]
    return int(s.players)


@rule
def win(s, winner):
    s.mover = winner
    s.ended = s.ending
    s.node = END
    update_payoffs(s, winner)
