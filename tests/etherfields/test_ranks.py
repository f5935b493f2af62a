"""Difficulty Rankings."""

import pytest

from deckwood.core.errors import OptionError
from deckwood.etherfields.state import IN_DECK
from tests.etherfields.scenario import Scenario, enemy, instant

FIRST_RANK = {"influence": 2, "item": 3, "enemy": 4, "map": 5}
"""The rank from which a deck is drawn from the bottom."""


def at_rank(rank: int, **fields: object) -> Scenario:
    """A game of that rank after the first Influence step; the cards with the highest numbers were banished."""
    s = Scenario(rank=rank, **fields)  # type: ignore[arg-type]
    return s.draw(*(f"Influence {20 - i}" for i in range(rank - 1)))


@pytest.mark.parametrize("rank", range(1, 6))
def test_banished_in_setup(rank: int) -> None:
    """Rank 2: banish one random influence card in setup. Rank 3, 4, 5: two, three, four."""
    s = Scenario(rank=rank)
    for i in range(rank - 1):
        assert s.phase == "Banish an influence card"
        assert s.chances == {f"Influence {k}": 1 for k in range(21) if k < 21 - i}
        s.draw(f"Influence {20 - i}")
    assert s.phase == "Take actions"
    assert len(s.pile("influence")) == 22 - rank
    assert len(s.pile("influence", "banished")) == rank - 1


@pytest.mark.parametrize("rank", range(1, 6))
@pytest.mark.parametrize("deck", ["influence", "item", "enemy", "map"])
def test_drawn_from_the_bottom(rank: int, deck: str) -> None:
    """Rank 2: draw from the bottom of the Influence Deck rather than the top. 3: Item Deck too. 4: Enemy Deck too. 5: of all decks.
    The top card stays visible, so the bottom one is any of the others."""
    s = at_rank(rank, influence=[instant({"op": "gain_item", "count": 1})])
    top = s.top(deck)
    assert top is not None
    if deck == "influence":
        s.do("done")
    elif deck == "item":
        s.take("Influence 0").do("play_card_1")
    elif deck == "enemy":
        s.fight()
    else:
        s.stand("0a").lay_dice(ready={"green": 1}).do("explore", "exhaust_green")
    if rank >= FIRST_RANK[deck]:
        assert s.p["node"] == 1
        assert set(s.chances.values()) == {1}
        assert sorted(s.chances) == sorted(name for name in s.pile(deck) if name != top)
        drawn = max(s.chances)
        s.draw(drawn)
        assert s.top(deck) == top, "the top card stays"
        assert drawn not in s.pile(deck)
    else:
        assert s.p["node"] == 0 or deck == "influence"
        assert top not in s.pile(deck)


def test_the_last_card_is_top_and_bottom() -> None:
    s = at_rank(2)
    s.only("influence", "Influence 0", "Influence 1")
    s.do("done")
    assert s.chances == {"Influence 1": 1}
    s.draw("Influence 1")
    assert s.hand == ["Influence 0", "Influence 1"], "the last one was the top card"


def test_the_top_card_is_new_only_when_it_has_gone() -> None:
    s = at_rank(5, enemies=[enemy(damage=0)] * 9).fight(2).draw("Enemy 5", "Enemy 6")
    assert s.top("enemy") == "Enemy 0"
    assert list(s.active) == ["Enemy 5", "Enemy 6"]


def test_reshuffled_decks_are_drawn_from_the_bottom_too() -> None:
    s = at_rank(2)
    s.only("influence").put(4, "Influence 3", "Influence 4", "Influence 5")
    s.do("done", "first")
    assert s.top("influence") == "Influence 3"
    assert s.chances == {"Influence 4": 1, "Influence 5": 1}


@pytest.mark.parametrize("rank", [0, 6])
def test_there_are_five_ranks(rank: int) -> None:
    with pytest.raises(OptionError):
        Scenario(rank=rank)


def test_rank_1_is_the_default() -> None:
    """Rank 1: default difficulty. No changes."""
    s = Scenario()
    assert s.p["options"][2] == 1
    assert (s.p["zone"] == IN_DECK).all()
