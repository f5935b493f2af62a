"""Many games at once, over campaigns of all heroes, bosses and ranks: no card is ever lost, and every side of every card comes up.

Two players share the moves: one that knows what it does and one that does anything. The hero is healed before each decision, and of
bosses that can be faced one that has not been met is chosen, so that games come to where the rare cards are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from deckwood.core.batch import Batch
from deckwood.core.game import Game
from deckwood.core.jit import COMPILED
from deckwood.core.spec import LoadedDeck
from deckwood.etherfields import steps
from deckwood.etherfields.actions import PICK_BOSS
from deckwood.etherfields.deck import WORDS, load_deck
from deckwood.etherfields.spec import SPEC
from deckwood.etherfields.state import (
    ACTION_FACE,
    BOSS_FACE,
    BOSS_SIDE,
    ENEMY_DECK,
    HERO_FACE,
    HERO_SIDE,
    IN_DECK,
    IN_HAND,
    IN_INVENTORY,
    IN_PLAY,
    INFLUENCE_DECK,
    ITEM_DECK,
    MAP_DECK,
    MAP_SIDE,
    NUM_BOSSES,
    NUM_CARDS,
    NUM_HEROES,
    NUM_MAPS,
    NUM_SIDES,
    RESOLVING,
    UNIVERSAL_FACE,
)
from deckwood.etherfields.words import side_name
from deckwood.strong.steps import CARD_LEAVES, ITEM_GONE, STEP, TAKE_ITEM
from deckwood.strong.terms import NONE, OP, STAT_MAX, UNIT_DICE
from deckwood_agents.players.roster import make_agent

SLOTS = 96
CARDS, MAPS = np.arange(NUM_CARDS), np.arange(NUM_MAPS)
AREAS = ("ready", "exhausted", "banished", "unrolled", "to_recover")
BUSY = np.array([1.5 if action.group in ("act", "play", "use", "move", "answer") else 1.0 for action in SPEC.actions])
"""What a move is worth to the player that does anything."""


def play(batch: Batch, agent: str | None, share: float, most: int) -> Any:
    """Plays up to so many decisions in every slot; yields the positions before each. ``agent`` makes this share of the moves."""
    player = make_agent(agent, batch.game.spec, batch.game.deck) if agent else None
    rng = np.random.default_rng(11)
    met = np.zeros((NUM_BOSSES, 2), np.bool_)
    rows = np.arange(batch.num_envs)
    for _ in range(most):
        p = batch.positions
        p["stats"][p["hero"] != NONE] = STAT_MAX
        yield p
        faced = p["boss"][(p["facing"] == 1) & (p["node"] == 0)] - BOSS_FACE
        met[faced // 2, faced % 2] = True
        moves = (batch.mask * BUSY * rng.random(batch.mask.shape)).argmax(axis=1)
        if player:
            moves = np.where(rng.random(len(rows)) < share, player.act(batch.obs, batch.mask, p), moves)
        bosses = batch.mask[:, PICK_BOSS : PICK_BOSS + NUM_BOSSES].astype(np.float64)
        bosses *= 1 + 2 * ~met[np.arange(NUM_BOSSES), p["side"][:, BOSS_SIDE:]] + rng.random(bosses.shape)
        batch.step(np.where(bosses.any(axis=1), PICK_BOSS + bosses.argmax(axis=1), moves))


def on_agenda(p: Any, step: int, column: int) -> NDArray[np.int64]:
    """The arguments of these steps on each agenda, (slots, agenda); NONE elsewhere."""
    live = np.arange(p["agenda"].shape[1]) < p["depth"][:, None]
    return np.where(live & (p["agenda"][..., STEP] == step), p["agenda"][..., column], NONE)


def check(p: Any, deck: LoadedDeck) -> None:
    """What holds at every decision of a game that has been laid out."""
    p = p[p["hero"] != NONE]
    zone, side = p["zone"], p["side"][:, :NUM_CARDS].astype(np.int64)
    up = NUM_CARDS * side + CARDS
    kind = deck.tables.deck_of[up]

    # Where cards lie in order, they are those of that zone, once each, and of the right type.
    for field, at, kinds in (
        ("hand", IN_HAND, (INFLUENCE_DECK,)),
        ("items", IN_INVENTORY, (INFLUENCE_DECK, ITEM_DECK)),
        ("slot", IN_PLAY, (ENEMY_DECK,)),
    ):
        there = np.zeros(zone.shape, np.int64)
        for place in range(p[field].shape[1]):
            face = p[field][:, place].astype(np.int64)
            here = (face != NONE) & (face < BOSS_FACE)
            rows, card = np.flatnonzero(here), face[here] % NUM_CARDS
            assert (up[rows, card] == face[here]).all(), field
            np.add.at(there, (rows, card), 1)
        assert (there == (zone == at)).all(), field
        assert np.isin(kind[zone == at], kinds).all(), field
    assert ((p["slot"] >= BOSS_FACE).sum(axis=1) == p["facing"]).all()

    # A card on top of a deck is in it and of its type; only an empty deck, or one that is being made, has none.
    for which in (ENEMY_DECK, INFLUENCE_DECK, ITEM_DECK, MAP_DECK):
        lies = p["map_zone"] == IN_DECK if which == MAP_DECK else (zone == IN_DECK) & (kind == which)
        top = p["top_card"][:, which].astype(np.int64)
        assert lies[top != NONE, top[top != NONE]].all(), which
        coming = (on_agenda(p, steps.REVEAL, 1) == which).any(axis=1)
        assert (~lies.any(axis=1) | coming)[top == NONE].all(), which

    # What is resolving has a step that puts it away.
    awaited = np.zeros(zone.shape, np.bool_)
    for step, column in (
        *((step, 1) for step in (TAKE_ITEM, ITEM_GONE, CARD_LEAVES, steps.RESOLVED)),
        *((step, 2) for step in (steps.CHOOSE_COST, steps.PAYING, steps.PAID)),
    ):
        found = on_agenda(p, step, column)
        rows, places = np.nonzero(found != NONE)
        awaited[rows, found[rows, places] % NUM_CARDS] = True
    assert awaited[zone == RESOLVING].all()

    # The hero stands on a card of the map, whose cards lie side by side; no die is lost.
    assert (p["map_zone"][np.arange(len(p)), p["at_card"]] == IN_PLAY).all()
    place = np.where(p["map_zone"] == IN_PLAY, 100 * p["map_x"].astype(np.int64) + p["map_y"], 10_000 + MAPS)
    assert (np.diff(np.sort(place, axis=1), axis=1) > 0).all()
    dice = sum(p[area].astype(np.int64) for area in AREAS) + p["rolled"].sum(axis=2) + p["kept"].sum(axis=2) + p["applied"].sum(axis=(1, 3))
    assert (dice == UNIT_DICE).all()


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="takes hours uncompiled")
@pytest.mark.parametrize(("agent", "rank"), [(None, 1), (None, 4), ("greedy", 2), ("expert", 3), ("expert", 5)])
def test_no_card_is_ever_lost(agent: str | None, rank: int) -> None:
    game = Game(SPEC, hero="choose", boss="choose", games=5, rank=rank)
    batch = Batch(game, SLOTS, seed=rank)
    batch.reset(seed=rank)
    for p in play(batch, agent, 0.8, 500):
        check(p, game.deck)


# Every side of every card


def ops_of(deck: LoadedDeck, face: int) -> set[str]:
    """The words on a face."""
    card = deck.tables.cards[face]
    names = {op.code: op.name for op in WORDS.values()}
    return {names[int(op)] for op in deck.tables.effects[card["first"] : card["first"] + card["count"], OP]}


def sides_that_come_up(deck: LoadedDeck) -> NDArray[np.bool_]:
    """Which sides can ever face up, (cards, sides): those of a fresh deck, and what flips from them by anything that is up."""
    can = np.zeros((NUM_SIDES, 2), np.bool_)
    can[:, 0] = True
    tables = deck.tables
    while True:
        before = can.copy()
        faces = [NUM_CARDS * k + card for card in range(NUM_CARDS) for k in range(2) if can[card, k]]
        faces += [HERO_FACE + 2 * h + k for h in range(NUM_HEROES) for k in range(2) if can[HERO_SIDE + h, k]]
        faces += [BOSS_FACE + 2 * b + k for b in range(NUM_BOSSES) for k in range(2) if can[BOSS_SIDE + b, k]]
        rows = [2 * m + k for m in range(NUM_MAPS) for k in range(2) if can[MAP_SIDE + m, k]]
        faces += [int(face) for row in rows for face in tables.unique[row].flatten() if face != NONE]
        words = set().union(*(ops_of(deck, face) for face in faces))
        assert all(face < UNIVERSAL_FACE or face >= ACTION_FACE for face in faces)
        for card in range(NUM_CARDS):
            for k in range(2):
                own = ops_of(deck, NUM_CARDS * k + card)
                turns = own & {"flip_card", "flip_and_take"} or (
                    "flip_enemy" in words and tables.deck_of[NUM_CARDS * k + card] == ENEMY_DECK
                )
                can[card, 1 - k] |= bool(can[card, k] and turns)
        if "flip_map" in words:
            can[MAP_SIDE : MAP_SIDE + NUM_MAPS] |= can[MAP_SIDE : MAP_SIDE + NUM_MAPS, ::-1]
        for hero in range(NUM_HEROES):
            own = ops_of(deck, HERO_FACE + 2 * hero)
            can[HERO_SIDE + hero, 1] |= "flip_hero" in own | words
        for boss in range(NUM_BOSSES):
            for k in range(2):
                needs = [int(face) for face in tables.requires[2 * boss + k] if face != NONE]
                if can[BOSS_SIDE + boss, k] and "summon" in words and all(can[face % NUM_CARDS, face // NUM_CARDS] for face in needs):
                    can[BOSS_SIDE + boss, 1 - k] = True
        if (can == before).all():
            return can


def names_of(deck: LoadedDeck, sides: NDArray[np.bool_]) -> list[str]:
    return [side_name(deck, card, k) for card in range(NUM_SIDES) for k in range(2) if sides[card, k]]


def test_every_side_can_come_up() -> None:
    """An Ever-Changing Deck: from a fresh deck there is a way to both sides of every card."""
    deck = load_deck()
    assert names_of(deck, ~sides_that_come_up(deck)) == []


def test_every_map_card_can_be_turned_where_it_lies() -> None:
    """Each A side has an action that turns it, so that it takes no other card."""
    deck = load_deck()
    for card in range(NUM_MAPS):
        faces = [int(face) for face in deck.tables.unique[2 * card].flatten() if face != NONE]
        assert any("flip_map" in ops_of(deck, face) for face in faces), side_name(deck, MAP_SIDE + card, 0)


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="takes hours uncompiled")
def test_every_side_is_met() -> None:
    """... and it comes up in play: in hand, inventory or active area, on the map; every hero is played, every boss activated."""
    game = Game(SPEC, hero="choose", boss="choose", games=20)
    batch = Batch(game, 128, seed=5)
    batch.reset(seed=5)
    met = np.zeros((NUM_SIDES, 2), np.bool_)
    for p in play(batch, "expert", 0.9, 6000):
        near = np.isin(p["zone"], (IN_HAND, IN_INVENTORY, IN_PLAY))
        placed = p["map_zone"] == IN_PLAY
        for k in range(2):
            met[:NUM_CARDS, k] |= (near & (p["side"][:, :NUM_CARDS] == k)).any(axis=0)
            met[MAP_SIDE:HERO_SIDE, k] |= (placed & (p["side"][:, MAP_SIDE:HERO_SIDE] == k)).any(axis=0)
        heroes = p["hero"][(p["hero"] >= HERO_FACE) & (p["hero"] < UNIVERSAL_FACE)] - HERO_FACE
        met[HERO_SIDE + heroes // 2, heroes % 2] = True
        bosses = p["boss"][p["facing"] == 1] - BOSS_FACE
        met[BOSS_SIDE + bosses // 2, bosses % 2] = True
        if met.all():
            break
    assert names_of(game.deck, ~met) == []
