"""The best actions of solved positions, for many positions at once."""

import numpy as np
import pytest

from deckwood.core.game import Game
from deckwood.solver import Book, explore
from tests.games import coin, pig
from tests.solver.walk import child

FLIP, STOP = 0, 1


def stack(*positions):
    return np.concatenate(positions).view(np.recarray)


@pytest.fixture(scope="module")
def tossed():
    """A coin that has come up tails, and has been flipped to one head and to four."""
    game = Game(coin.SPEC)
    positions = [child(game, game.new(), 1)]
    for _ in range(4):
        positions.append(child(game, child(game, positions[-1], FLIP), 0))
    return game, stack(positions[0], positions[1], positions[4])


def test_what_it_says_by_hand(tossed):
    """Heads come 3 times in 4: with h heads a flip is worth 3/4 (h + 1), so V(0) = 81/64, V(1) = 27/16; at 4 a flip is worth 15/4."""
    game, positions = tossed
    book = Book()
    book.add(explore(game, game.new()))
    places = book.find(positions)
    assert book.actions(places).tolist() == [FLIP, FLIP, STOP]
    by_hand = np.array([[0, 81 / 64], [0, 27 / 16 - 1], [4 - 15 / 4, 0]])
    assert book.losses(places, 2) == pytest.approx(by_hand, abs=1e-12)


def test_it_says_where_it_knows_nothing(tossed):
    game, positions = tossed
    book = Book()
    assert book.find(positions).tolist() == [-1, -1, -1]
    book.add(explore(game, positions[:1]))
    assert (book.find(positions) >= 0).all()
    elsewhere = positions.copy()
    elsewhere["heads"] = 11
    assert book.find(elsewhere).tolist() == [-1, -1, -1]


def test_graphs_are_added_up():
    """Pig to 4 and to 6 points: about each of them the book says what its own graph does."""
    book, graphs = Book(), []
    for target in (4, 6):
        game = Game(pig.SPEC, target=target)
        start = game.new()
        start["turn"] = 3
        graphs.append((explore(game, start), start))
        book.add(graphs[-1][0])
    for graph, start in graphs:
        values = graph.action_values(start)
        losses = book.losses(book.find(start), len(values))[0]
        assert book.actions(book.find(start)).tolist() == [graph.action(start)]
        assert losses == pytest.approx([max(values.values()) - values[action] for action in sorted(values)], abs=1e-12)


def test_what_is_illegal_has_no_loss():
    game = Game(pig.SPEC, target=4)
    book = Book()
    book.add(explore(game, game.new()))
    losses = book.losses(book.find(game.new()), 2)[0]
    assert losses[0] == 0  # a turn begins with a roll
    assert np.isnan(losses[1])
