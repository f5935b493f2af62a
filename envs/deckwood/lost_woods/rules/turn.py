"""The Turn: whose it is, what it waits for, and how the next one begins."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.spec import Node
from deckwood.lost_woods.phases import FIRST_CHANCE, MOVING
from deckwood.lost_woods.state import LONGEST_GAME, LONGEST_TURN, MOVES, NONE, OPTION_TURN_LIMIT

DECISION, CHANCE, END = int(Node.DECISION), int(Node.CHANCE), int(Node.END)


@rule
def wait_for(s, phase):
    """The next node: a decision of the mover's, or a chance event."""
    s.phase = phase
    s.node = DECISION if phase < FIRST_CHANCE else CHANCE


@rule
def seat_of(s, first, chair):
    """The seat of the adventurer who sits ``chair`` places to the left of seat ``first``."""
    seat = first + chair
    return seat - int(s.players) if seat >= s.players else seat


@rule
def chair_of(s, first, seat):
    """How many places to the left of seat ``first`` a seat is."""
    return seat - first if seat >= first else seat - first + int(s.players)


@rule
def begin_turn(s, seat):
    """A new turn begins with the Move step. Beyond the turn limit, and where the game might outlast its most decisions, it is cut."""
    s.moves = MOVES
    s.moved = 0
    s.cast = 0
    s.way = NONE
    begin_visit(s)
    leave_fight(s)
    if s.turns == s.options[OPTION_TURN_LIMIT] * s.players or s.decisions >= LONGEST_GAME - LONGEST_TURN:
        s.node = END
        return
    s.turns += 1
    s.turn = seat
    s.mover = seat
    wait_for(s, MOVING)


@rule
def begin_visit(s):
    """The adventurer has come to a space: nothing was picked up or dropped there yet."""
    s.dropped = 0
    s.handled = 0
    s.put_back = 0


@rule
def leave_fight(s):
    s.foe = NONE
    s.wins = 0
    s.weapon = NONE
    s.own_roll = 0
    s.foe_roll = 0


@rule
def end_turn(s):
    """Play goes to the left."""
    begin_turn(s, seat_of(s, int(s.turn), 1))
