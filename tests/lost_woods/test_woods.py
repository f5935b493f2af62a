"""The map: the cards that lie beside each other, distances, and that it is impossible to get stuck."""

import numpy as np
import pytest

from deckwood.core.spec import LoadedDeck
from deckwood.lost_woods.deck import load_deck
from deckwood.lost_woods.state import UNREACHED
from tests.lost_woods.scenario import DIRECTIONS, SPACES, STEPS, Table, beside, deck_file, distances, load, open_ways

SHIPPED = load_deck()


def random_deck(seed: int) -> LoadedDeck:
    """Any markers that a deck file allows: the way back, and others by chance."""
    rng = np.random.default_rng(seed)
    scarce = rng.uniform(0.15, 0.9)
    ways = {}
    for name in SPACES[3:]:
        back = {"n": "S", "e": "W", "s": "N", "w": "E"}[name[0]]
        ways[name] = "".join(letter for letter in "NESW" if letter == back or rng.random() < scarce)
    camp = {
        space: "".join(letter for letter in letters if rng.random() < scarce)
        for space, letters in (("west", "NSW"), ("centre", "NS"), ("east", "NES"))
    }
    return load(deck_file(ways=ways, camp={**camp, "centre": camp["centre"] or "N"}))


def grow(t: Table, seed: int, cards: int = 48) -> int:
    """Explores from anywhere, without tiles, until there is nowhere to go or so many cards lie; returns how many do."""
    rng = np.random.default_rng(seed)
    t.bag()
    t.s.payoff[:] = 0
    while t.phase == "move" and t.s.placed.sum() < 3 + cards:
        spots = [
            (space, way)
            for space in np.flatnonzero(t.s.placed)
            for way in range(4)
            if t.deck.tables.ways[space, way] and t.s.beside[space, way] < 0 and t.s.left[way] > 0
        ]
        if not spots:
            break
        space, way = spots[rng.integers(len(spots))]
        t.s.foes[:], t.s.guardian_at[:] = 0, -1
        t.stand(int(t.s.turn), SPACES[space]).do("done", f"explore_{DIRECTIONS[way]}")
        card = sorted(t.chances, key=str)[rng.integers(len(t.chances))]
        t.draw(card)
        if t.phase == "well":
            t.do("done")
        if t.phase == "attack":
            t.do("done")
    return int(t.s.placed.sum()) - 3


def check_map(t: Table) -> None:
    """What lies where, and that one can always come from the camp, and back to it."""
    s, there = t.s, np.flatnonzero(t.s.placed)
    assert len({(int(s.x[space]), int(s.y[space])) for space in there}) == len(there)
    assert (s.beside == beside(s)).all()
    for space in there:
        for way in range(4):
            if s.beside[space, way] >= 0:
                assert s.beside[s.beside[space, way], (way + 2) % 4] == space
    assert (s.distance == distances(s, t.deck)).all()
    assert (s.open_ways == open_ways(s, t.deck)).all()
    assert s.distance[np.ix_(there, there)].max() < UNREACHED


@pytest.mark.parametrize("seed", range(4))
def test_it_is_impossible_to_get_stuck(seed: int) -> None:
    """On the deck that ships, in whatever order cards come."""
    t = Table(2, deck=SHIPPED, turn_limit=1000)
    cards = grow(t, seed)
    assert cards > 6
    check_map(t)


@pytest.mark.parametrize("seed", range(8))
def test_nor_on_any_deck_that_a_file_allows(seed: int) -> None:
    t = Table(2, deck=random_deck(seed), turn_limit=1000)
    assert grow(t, seed) > 0
    check_map(t)


@pytest.mark.parametrize("seed", range(2))
def test_distances_after_every_card(seed: int) -> None:
    t = Table(2, deck=random_deck(seed + 100), turn_limit=1000)
    for cards in range(1, 30):
        if grow(t, 100 * seed + cards, cards) < cards:
            break
        check_map(t)


def test_some_ways_are_one_way() -> None:
    """Otherwise the searches above would show little."""
    found = 0
    for seed in range(2):
        t = Table(2, deck=SHIPPED, turn_limit=1000)
        grow(t, seed)
        there = np.flatnonzero(t.s.placed)
        far = t.s.distance[np.ix_(there, there)]
        found += int((far != far.T).sum())
    assert found > 0


def shortest_way_back(ways: dict[tuple[int, int], str], spot: tuple[int, int]) -> int | None:
    """Moves from a spot to the camp at (-1..1, 0), on a map of markers by spot."""
    reached, waiting = {spot: 0}, [spot]
    while waiting:
        x, y = waiting.pop(0)
        if y == 0 and abs(x) <= 1:
            return reached[x, y]
        for letter, (dx, dy) in zip("NESW", STEPS, strict=True):
            beyond = (x + dx, y + dy)
            if letter in ways[x, y] and beyond in ways and beyond not in reached:
                reached[beyond] = reached[x, y] + 1
                waiting.append(beyond)
    return None


def wander(seed: int, ways_of: dict[str, list[str]], camp: tuple[str, str, str]) -> dict[tuple[int, int], str]:
    """A map grown by hand: cards of each direction in any order, the bottom card last, at any open way."""
    rng = np.random.default_rng(seed)
    decks = {d: [*rng.permutation(cards[:-1]).tolist(), cards[-1]] for d, cards in ways_of.items()}
    lies = {(-1, 0): camp[0] + "E", (0, 0): camp[1] + "EW", (1, 0): camp[2] + "W"}
    while True:
        spots = [
            ((x + dx, y + dy), letter)
            for (x, y), markers in lies.items()
            for letter, (dx, dy) in zip("NESW", STEPS, strict=True)
            if letter in markers and (x + dx, y + dy) not in lies and decks[letter]
        ]
        if not spots:
            return lies
        spot, letter = spots[rng.integers(len(spots))]
        lies[spot] = decks[letter].pop(0)


def markers(space: int) -> str:
    return "".join(letter for letter, way in zip("NESW", SHIPPED.tables.ways[space], strict=True) if way)


def test_on_many_maps_of_the_shipped_cards_every_card_has_a_way_back() -> None:
    """Without the rules of the game: only its cards."""
    ways_of = {letter: [markers(3 + 12 * d + n) for n in range(12)] for d, letter in enumerate("NESW")}
    camp = tuple(markers(space).replace("E", "", int(space < 2)).replace("W", "", int(space > 0)) for space in range(3))
    sizes = []
    for seed in range(300):
        lies = wander(seed, ways_of, camp)  # type: ignore[arg-type]
        sizes.append(len(lies) - 3)
        assert all(shortest_way_back(lies, spot) is not None for spot in lies)
    assert max(sizes) > 40


def test_without_ways_back_one_does_get_stuck() -> None:
    """So the loader is right to ask for them."""
    ways_of = {letter: [letter] * 12 for letter in "NESW"}
    lies = wander(1, ways_of, ("NSW", "NS", "NES"))
    assert any(shortest_way_back(lies, spot) is None for spot in lies)


@pytest.mark.parametrize(("card", "ways", "back"), [("n4", "NEW", "S"), ("e4", "NES", "W"), ("s12", "ESW", "N"), ("w1", "W", "E")])
def test_a_card_without_the_way_back_is_refused(card: str, ways: str, back: str) -> None:
    with pytest.raises(ValueError, match=f"ways with {back}, the way back"):
        load(deck_file(ways={card: ways}))


def test_the_camp_on_its_own() -> None:
    t = Table()
    check_map(t)
