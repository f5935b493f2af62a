"""What holds at every node of every game: nothing is lost or made, nothing leaves its range, and there is always something to do.

Games are played at random, with a hero who is healed before each decision, so that they get to the boss. Besides the deck that ships,
decks are played whose cards have any effects at all that a deck file allows.
"""

import copy
import dataclasses
import tomllib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from deckwood.core.game import Game
from deckwood.core.spec import LoadedDeck, Positions
from deckwood.core.stream import below, draw, new_stream
from deckwood.etherfields import steps
from deckwood.etherfields.deck import EVENTS, SHIPPED, WORDS, load_deck
from deckwood.etherfields.spec import SPEC
from deckwood.etherfields.state import (
    BOSS_FACE,
    DECKS,
    IN_DECK,
    IN_DISCARD,
    IN_HAND,
    IN_INVENTORY,
    IN_PLAY,
    MAP_DECK,
    MAX_HAND,
    NUM_CARDS,
    RESOLVING,
    SPACE_ACTIONS,
)
from deckwood.strong.deck import ARGUMENTS, ENEMY_MOMENTS, SYSTEM_EVENTS
from deckwood.strong.steps import CARD_LEAVES, ITEM_GONE, STEP, TAKE_ITEM
from deckwood.strong.terms import ENEMY, INFLUENCE, ITEM, MAX_AGENDA, NONE, PERS, STAT_MAX, UNIT_DICE
from deckwood.strong.vocabulary import COLOUR_SET
from tests.etherfields.scenario import compiled

DICE_AREAS = ("ready", "exhausted", "banished", "unrolled", "to_recover")
SHOWN_AREAS = ("rolled", "kept", "applied")
KINDS = (ENEMY, INFLUENCE, ITEM)
BOLD = [i for i, action in enumerate(SPEC.actions) if action.group in ("act", "play")]
"""Actions that get a game going are taken more often than others."""
TABLE = (steps.CHOOSE_BOSS, steps.CHOOSE_HERO)
"""Steps before which nothing lies on the table."""


def dice(s: Any) -> list[int]:
    """All dice, by colour."""
    count = sum(s[area].astype(int) for area in DICE_AREAS)
    return list(count + sum(s[area].reshape(-1, 5, 3).sum(axis=(0, 2)) for area in SHOWN_AREAS))


def on_agenda(s: Any, step: int, column: int = 1) -> list[int]:
    """First arguments of these steps on the agenda."""
    rows = s["agenda"][: s["depth"]]
    return [int(row[column]) for row in rows if row[STEP] == step]


def check(s: Any, deck: LoadedDeck) -> None:
    """The invariants of a position that is not the end of a game."""
    assert dice(s) == list(UNIT_DICE)
    for area in (*DICE_AREAS, *SHOWN_AREAS):
        assert (s[area] >= 0).all(), area
    assert 1 <= s["depth"] < MAX_AGENDA
    assert set(s["side"].tolist()) <= {0, 1}
    if s["agenda"][s["depth"] - 1, STEP] in TABLE:
        return
    assert (s["stats"] <= STAT_MAX).all()
    assert (s["stats"] >= 1).all()
    assert 0 <= s["ether"] < 5
    assert (s["due"] >= 0).all()

    cards = deck.tables.cards
    up = [int(s["side"][card]) * NUM_CARDS + card for card in range(NUM_CARDS)]
    kind = [KINDS.index(cards[face]["kind"]) for face in up]

    def zone(which: int) -> list[int]:
        return np.flatnonzero(s["zone"] == which).tolist()

    # The hand: influence cards on the side that faces up, in order, without gaps.
    hand = s["hand"].tolist()
    held = [face for face in hand if face != NONE]
    assert hand == sorted(held) + [NONE] * (MAX_HAND - len(held))
    assert sorted(face % NUM_CARDS for face in held) == zone(IN_HAND)
    assert all(up[face % NUM_CARDS] == face and kind[face % NUM_CARDS] == 1 for face in held)

    # The inventory: items and influence cards.
    items = s["items"].tolist()
    inventory = [face for face in items if face != NONE]
    assert items == sorted(inventory) + [NONE] * (len(items) - len(inventory))
    assert all(up[face % NUM_CARDS] == face and kind[face % NUM_CARDS] > 0 for face in inventory)
    assert sorted(face % NUM_CARDS for face in inventory) == zone(IN_INVENTORY)

    # What is resolving lies nowhere else, and the agenda knows where it goes.
    played = [face % NUM_CARDS for step in (steps.CHOOSE_COST, steps.PAYING, steps.PAID)
              for purpose, face in zip(on_agenda(s, step), on_agenda(s, step, 2), strict=True)
              if purpose in (steps.INSTANT_CARD, steps.ONGOING_CARD)]  # fmt: skip
    waiting = [face % NUM_CARDS for step in (TAKE_ITEM, ITEM_GONE, CARD_LEAVES, steps.RESOLVED) for face in on_agenda(s, step)]
    assert set(zone(RESOLVING)) <= {*played, *waiting}

    # The active area: enemies on the side that faces up, and the boss in the endgame.
    slots = [int(face) for face in s["slot"] if face != NONE]
    assert len(set(slots)) == len(slots)
    enemies = [face for face in slots if face < BOSS_FACE]
    assert all(up[face % NUM_CARDS] == face and kind[face % NUM_CARDS] == 0 for face in enemies)
    assert [face for face in slots if face >= BOSS_FACE] == [s["boss"]] * int(s["facing"])
    assert sorted(face % NUM_CARDS for face in enemies) == zone(IN_PLAY)
    for slot, face in enumerate(s["slot"]):
        if face == NONE:
            assert not s["applied"][slot].any()

    # Every zone is one of the seven; the top card of a deck lies in it, and there is one unless it is just being turned up.
    assert set(s["zone"].tolist()) <= set(range(RESOLVING + 1))
    assert set(s["map_zone"].tolist()) <= {IN_DECK, IN_PLAY, IN_DISCARD}
    awaited = on_agenda(s, steps.REVEAL) if steps.LAY_OUT not in s["agenda"][: s["depth"], STEP] else range(len(DECKS))
    for which in range(len(DECKS)):
        if which == MAP_DECK:
            lies = np.flatnonzero(s["map_zone"] == IN_DECK).tolist()
        else:
            lies = [card for card in zone(IN_DECK) if kind[card] == which]
        top = int(s["top_card"][which])
        assert top in lies if top != NONE else (not lies or which in awaited), DECKS[which]

    # The map: one card at a place, the hero on one of them.
    maps = np.flatnonzero(s["map_zone"] == IN_PLAY).tolist()
    assert len({(int(s["map_x"][card]), int(s["map_y"][card])) for card in maps}) == len(maps)
    assert s["at_card"] in maps
    row = 2 * int(s["at_card"]) + int(s["side"][NUM_CARDS + s["at_card"]])
    assert s["at_space"] in deck.tables.space_at[row]
    assert not (s["acted"] >> (9 * SPACE_ACTIONS)).any()


def play(game: Game, seed: int, *, immortal: bool = True, most: int = 600) -> Positions:
    """A random game of at most ``most`` nodes."""
    position, stream = game.new(), new_stream(seed)
    s = position[0]
    for _ in range(most):
        if s["node"] == 2:
            break
        check(s, game.deck)
        if s["node"] == 1:
            weights = game.chance(position)
            assert weights.sum() > 0, game.phase(position)
            game.apply_chance(position, draw(stream, weights, len(weights)))
            continue
        if immortal and s["hero"] != NONE:
            s["stats"][0] = max(STAT_MAX - 1, s["stats"][0])
        legal = np.flatnonzero(game.legal(position))
        assert len(legal) > 0, game.phase(position)
        bold = legal[np.isin(legal, BOLD)]
        choice = bold if len(bold) and below(stream, 2) else legal
        game.apply(position, int(choice[below(stream, len(choice))]))
    return position


@pytest.mark.parametrize("rank", range(1, 6))
def test_random_games(rank: int) -> None:
    """All ranks, heroes and bosses, with choices of both and without, of one game and of several."""
    names = load_deck().names
    heroes = [name for name in names["heroes"] if name]
    acted = 0
    for seed in range(4):
        hero = heroes[(2 * rank + seed) % len(heroes)] if seed else "choose"
        game = Game(SPEC, rank=rank, hero=hero, boss="choose" if seed else names["bosses"][0], games=1 + seed % 2)
        position = play(game, seed + 10 * rank, most=600)
        acted += int((position["map_zone"][0] == IN_PLAY).sum())
        play(game, seed, immortal=False, most=150)
    assert acted > 4, "some of them explored"


def test_games_come_to_an_end() -> None:
    """A mortal hero who plays at random dies before long; every ending has its name."""
    game = Game(SPEC)
    for seed in range(3):
        position = play(game, seed, immortal=False, most=5000)
        assert position[0]["node"] == 2
        assert 1 <= position[0]["ended"] <= len(SPEC.endings)


def test_no_two_payments_lead_to_the_same_position() -> None:
    """Wherever random games come to spend resources: every way to go on leads to another position, and none to a dead end."""
    game = Game(SPEC)
    position, stream = game.new(), new_stream(3)
    found = 0
    for _ in range(1500):
        if position[0]["node"] == 2:
            position = game.new()
        if position[0]["node"] == 1:
            weights = game.chance(position)
            game.apply_chance(position, draw(stream, weights, len(weights)))
            continue
        position[0]["stats"][0] = STAT_MAX
        if game.phase(position) == "Spend resources" and not on_agenda(position[0], steps.PAID):
            ends = list(paid(game, position))
            assert len(ends) == len(set(ends)) > 0
            found += len(ends) > 1
        legal = np.flatnonzero(game.legal(position))
        game.apply(position, int(legal[below(stream, len(legal))]))
    assert found > 20


def paid(game: Game, position: Positions) -> list[bytes]:
    """The positions to which a payment may lead, one for each way to make it."""
    found = []
    legal = np.flatnonzero(game.legal(position))
    assert len(legal) > 0
    for action in legal:
        after = position.copy()
        game.apply(after, int(action))
        if after[0]["node"] == 0 and game.phase(after) == "Spend resources":
            found += paid(game, after)
        else:
            after["decisions"] = 0
            found.append(bytes(after.tobytes()))
    return found


# Decks of random cards


def random_effect(name: str, pick: Any) -> dict[str, Any]:
    """An effect with this op and arguments at random, at no moment in particular."""
    op = WORDS[name]
    effect: dict[str, Any] = {"op": name}
    if op.what in ARGUMENTS:
        argument, words = ARGUMENTS[op.what]
        effect[argument] = [words[pick(len(words))]] if op.what == COLOUR_SET else words[pick(len(words))]
    if op.count:
        low, high = op.count
        effect["count"] = low + pick(min(high - low, 6) + 1)
    if op.per and pick(3) == 0:
        effect["per"] = PERS[pick(len(PERS))]
    return effect


MOMENTS: dict[str, tuple[str, ...]] = {
    "enemy": ENEMY_MOMENTS,
    "boss": (*ENEMY_MOMENTS, "endgame", "activation"),
    "reward": ("reward",),
    "used": ("use", "use", "use", *SYSTEM_EVENTS, *EVENTS),
    "instant": ("use",),
    "space": ("use",),
}
LEFT_OUT = {"choose", "test", "offer", "if_ether", "keep_card", "summon", "upgrade_item", "gain_gold", "lose_gold", "pay_gold"}
NEVER_ON_A_BOSS = {"flee", "return_to_deck"}
THIS_CARD = {"flip_card", "flip_and_take", "banish_card"}


def random_effects(kind: str, pick: Any, count: int, without: set[str]) -> list[dict[str, Any]]:
    """Effects that the loader allows on this kind of card."""
    names = sorted(set(WORDS) - LEFT_OUT - without - (NEVER_ON_A_BOSS if kind == "boss" else set()))
    found: list[dict[str, Any]] = []
    while len(found) < count:
        effect = random_effect(names[pick(len(names))], pick)
        op = WORDS[effect["op"]]
        if (op.here or effect["op"] in (*NEVER_ON_A_BOSS, "banish_applied")) and kind not in ("enemy", "boss"):
            continue
        if op.is_modifier:
            if kind in ("reward", "instant", "space"):
                continue
            effect["when"] = "always" if kind == "used" or pick(4) == 0 else "during"
        else:
            effect["when"] = MOMENTS[kind][pick(len(MOMENTS[kind]))]
            if effect["when"] == "ether_changed" and effect["op"] in ("set_ether", "advance_ether"):
                continue  # the loader refuses answers that lead back to themselves
        found.append(effect)
    if kind == "used" and not any(effect["when"] == "use" for effect in found):
        return random_effects(kind, pick, count, without)
    return found


def random_deck(seed: int) -> LoadedDeck:
    """The shipped deck's map and prices with random cards."""
    stream = new_stream(seed, episode=7)

    def pick(n: int) -> int:
        return below(stream, n)

    file = copy.deepcopy(tomllib.loads(SHIPPED.read_text(encoding="utf-8")))
    for card in [*file["enemy"], *file["influence"], *file["item"]]:
        for side in (card["a"], card["b"]):
            kind = side.get("type") or ("enemy" if "damage" in side else "influence" if "action" in side else "item")
            if kind == "enemy":
                side["effects"] = random_effects("enemy", pick, 1 + pick(2), set())
                side["reward"] = random_effects("reward", pick, 1 + pick(2), set())
            elif kind == "influence" and side["action"] == "instant":
                side["effects"] = random_effects("instant", pick, 1 + pick(2), set())
            else:
                side["effects"] = random_effects("used", pick, 1 + pick(2), set())
    for card in file["hero"]:
        for side in ("front", "lucid"):
            card[side]["effects"] = random_effects("used", pick, 1 + pick(2), THIS_CARD)
    for card in file["boss"]:
        for side in ("a", "b"):
            card[side].update(effects=random_effects("boss", pick, 2, THIS_CARD), endgame={})
    for card in file["map"]:
        for side in ("a", "b"):
            for place in card[side]["space"].values():
                for action in place.get("action", ()):
                    if not any(effect["op"] == "summon" for effect in action["effects"]):
                        action["effects"] = random_effects("space", pick, 1 + pick(2), THIS_CARD)
    return compiled(file)


@pytest.mark.parametrize("seed", range(6))
def test_random_decks(seed: int) -> None:
    """Whatever stands on the cards."""
    deck = random_deck(seed)
    spec = dataclasses.replace(SPEC, load_deck=lambda path: deck)
    heroes: Sequence[str] = [name for name in deck.names["heroes"] if name]
    game = Game(spec, hero=heroes[seed % 5], boss="choose", rank=1 + seed % 5, games=3)
    play(game, seed, most=500)
