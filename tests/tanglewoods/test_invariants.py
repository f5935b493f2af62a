"""What holds at every node of every game: nothing is lost or made, nothing leaves its range, and there is always something to do.

Games are played at random, with a hero who is healed before each decision, so that they get to the Cabin. Besides the deck that ships,
decks are played whose cards have any effects at all that a deck file allows.
"""

import copy
import dataclasses
import tomllib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from deckwood.core.game import Game
from deckwood.core.spec import LoadedDeck, Positions
from deckwood.core.stream import below, draw, new_stream
from deckwood.strong.deck import ARGUMENTS
from deckwood.strong.steps import BESIDE_GONE, CARD_LEAVES, ITEM_GONE, STEP, TAKE_ITEM
from deckwood.strong.terms import MAX_AGENDA, NONE, PERS, STAT_MAX, UNIT_DICE
from deckwood.strong.vocabulary import COLOUR_SET
from deckwood.tanglewoods import steps
from deckwood.tanglewoods.deck import SHIPPED, WORDS, DeckFile, load_deck
from deckwood.tanglewoods.spec import SPEC
from deckwood.tanglewoods.state import (
    BIG_BAD_FACE,
    FABLE_FACE,
    IN_HAND,
    IN_LINE,
    IN_PLAY,
    IN_SHOP,
    ITEM_FACE,
    NUM_ENEMIES,
    NUM_ITEMS,
    NUM_WOLVES,
    ON_PATH,
    POWER_UP_FACE,
    WOLF_FACE,
)

DICE_AREAS = ("ready", "exhausted", "banished", "unrolled", "to_recover", "explore")
SHOWN_AREAS = ("rolled", "kept", "applied")


def dice(s: Any) -> list[int]:
    """All dice, by colour."""
    count = sum(s[area].astype(int) for area in DICE_AREAS)
    return list(count + sum(s[area].reshape(-1, 5, 3).sum(axis=(0, 2)) for area in SHOWN_AREAS))


def on_agenda(s: Any, step: int) -> list[int]:
    """First arguments of these steps on the agenda."""
    rows = s["agenda"][: s["depth"]]
    return [int(row[1]) for row in rows if row[STEP] == step]


def check(s: Any) -> None:
    """The invariants of a position that is not the end of a game."""
    assert dice(s) == list(UNIT_DICE)
    for area in (*DICE_AREAS, *SHOWN_AREAS):
        assert (s[area] >= 0).all(), area
    assert (s["stats"] <= STAT_MAX).all()
    assert (s["stats"] >= 1).all()
    assert 0 <= s["gold"] <= 20
    assert 1 <= s["depth"] < MAX_AGENDA

    slots = [int(face) for face in s["slot"] if face != NONE]
    beside = [int(face) for face in s["beside"] if face != NONE]
    items = [int(face) for face in s["items"] if face != NONE]
    shop = [int(face) for face in s["shop"] if face != NONE]
    line = [int(card) for card in s["line"][: s["line_length"]]]
    for cards in (slots, beside, line):
        assert len(set(cards)) == len(cards)

    # Every card is where its zone says, and nowhere else.
    leaving = on_agenda(s, CARD_LEAVES)
    fables = {face - FABLE_FACE for face in [*beside, *on_agenda(s, BESIDE_GONE)]} | set(on_agenda(s, steps.FABLE_TOLD))
    enemies = {face for face in [*slots, *leaving] if face < NUM_ENEMIES}
    assert not fables & enemies
    assert set(np.flatnonzero(s["minions"] == IN_PLAY).tolist()) == fables | enemies
    assert sorted(np.flatnonzero(s["minions"] == IN_LINE).tolist()) == sorted(line)
    wolves = [(face - WOLF_FACE) % NUM_WOLVES for face in [*slots, *leaving] if WOLF_FACE <= face < POWER_UP_FACE + NUM_WOLVES]
    assert sorted(np.flatnonzero(s["wolves"] == IN_PLAY).tolist()) == sorted(wolves)
    in_hand = [(face - ITEM_FACE) % NUM_ITEMS for face in [*items, *on_agenda(s, ITEM_GONE), *on_agenda(s, TAKE_ITEM)]]
    assert sorted(np.flatnonzero(s["item_cards"] == IN_HAND).tolist()) == sorted(in_hand)
    assert sorted(np.flatnonzero(s["item_cards"] == IN_SHOP).tolist()) == sorted((face - ITEM_FACE) % NUM_ITEMS for face in shop)
    path = [int(side) // 2 for side in s["path"][: s["path_length"]]]
    assert len(set(path)) == len(path)
    assert sorted(np.flatnonzero(s["forest"] == ON_PATH).tolist()) == sorted(card for card in path if card < 15)
    assert sum(face in (BIG_BAD_FACE, BIG_BAD_FACE + 1) for face in slots) <= s["endgame"]


def play(game: Game, seed: int, *, immortal: bool = True, most: int = 600) -> Positions:
    """A random game of at most ``most`` nodes."""
    position, stream = game.new(), new_stream(seed)
    s = position[0]
    for _ in range(most):
        if s["node"] == 2:
            break
        check(s)
        if s["node"] == 1:
            weights = game.chance(position)
            assert weights.sum() > 0, game.phase(position)
            game.apply_chance(position, draw(stream, weights, len(weights)))
            continue
        if immortal:
            s["stats"][0] = max(STAT_MAX - 1, s["stats"][0])
        legal = np.flatnonzero(game.legal(position))
        assert len(legal) > 0, game.phase(position)
        game.apply(position, int(legal[below(stream, len(legal))]))
    return position


HEROES = load_deck().names["heroes"]


@pytest.mark.parametrize("difficulty", range(11))
def test_random_games(difficulty: int) -> None:
    """All levels, heroes, sides and both bosses."""
    reached = 0
    for seed in range(2):
        options = {
            "hero": HEROES[(2 * difficulty + seed) % len(HEROES)],
            "side": ("printed", "back")[seed],
            "boss": ("big_bad_wolf", "bigger_badder_wolf")[(difficulty + seed) % 2],
            "undefeated_wolves": ("deck", "discard")[seed],
        }
        game = Game(SPEC, difficulty=difficulty, **options)
        position = play(game, seed, most=250)
        reached += int(position["at_card"][0])
        play(game, seed, immortal=False, most=100)
    assert reached > 0


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


MOMENTS = {
    "enemy": ("activated", "rolled", "crit_applied", "falls", "after", "after_standing"),
    "power_up": ("rolled", "after", "endgame"),
    "boss": ("rolled", "after", "after_standing", "endgame"),
    "reward": ("reward",),
    "fable": ("told",),
    "used": (
        "use",
        "use",
        "use",
        "camped",
        "enemy_fell",
        "engaged",
        "recovering",
        "bought",
        "hero_rolled",
        "night_entered",
        "round_starts",
    ),
}
LEFT_OUT = {"choose", "test", "offer", "keep_card"}
NEVER_ON_A_BOSS = {"flee", "return_to_deck"}


def random_effects(kind: str, pick: Any, count: int) -> list[dict[str, Any]]:
    """Effects that the loader allows on this kind of card."""
    names = sorted(set(WORDS) - LEFT_OUT - (NEVER_ON_A_BOSS if kind == "boss" else set()))
    found: list[dict[str, Any]] = []
    while len(found) < count:
        effect = random_effect(names[pick(len(names))], pick)
        op = WORDS[effect["op"]]
        on_enemy = kind in ("enemy", "boss")
        if (op.here or effect["op"] in (*NEVER_ON_A_BOSS, "banish_applied")) and not on_enemy:
            continue
        if op.is_modifier:
            if kind in ("reward", "fable"):
                continue
            effect["when"] = "always" if kind in ("power_up", "used") or pick(4) == 0 else "during"
        else:
            effect["when"] = MOMENTS[kind][pick(len(MOMENTS[kind]))]
        found.append(effect)
    if kind == "used" and not any(effect["when"] == "use" for effect in found):
        return random_effects(kind, pick, count)
    return found


def random_fable(pick: Any) -> list[dict[str, Any]]:
    """One or two things, sometimes offered at a price, or to choose from."""
    told = random_effects("fable", pick, 1 + pick(2))
    kind = pick(4)
    if kind == 0:
        return [{"op": "offer"}, {"op": "pay_gold", "count": 1 + pick(4)}, *told]
    if kind == 1 and len(told) == 2:
        return [{"op": "choose", "count": 1}, *told]
    return told


def random_deck(seed: int) -> LoadedDeck:
    """The shipped deck's forest with random cards."""
    stream = new_stream(seed, episode=7)

    def pick(n: int) -> int:
        return below(stream, n)

    file = copy.deepcopy(tomllib.loads(SHIPPED.read_text(encoding="utf-8")))
    file["numbers"].update(weary_stat=("strategy", "recovery")[seed % 2], weary_less=1 + seed % 3)
    for card in file["enemy"]:
        card.update(effects=random_effects("enemy", pick, 1 + pick(2)), reward=random_effects("reward", pick, 1 + pick(2)))
        card["fable"]["effects"] = random_fable(pick)
        if pick(3) == 0:
            lasting = [effect for effect in random_effects("used", pick, 2) if effect["when"] != "use"]
            card["fable"]["effects"] += [{"op": "keep_card", "count": pick(4)}, *lasting]
    for card in file["wolf"]:
        card.update(effects=random_effects("enemy", pick, 2), reward=random_effects("reward", pick, 1))
        card["power_up"]["effects"] = random_effects("power_up", pick, 1)
    for card in file["item"]:
        card["effects"] = random_effects("used", pick, 1 + pick(2))
        card["upgraded"]["effects"] = random_effects("used", pick, 1 + pick(2))
    for card in file["hero"]:
        for side in ("front", "back"):
            card[side]["effects"] = random_effects("used", pick, 1 + pick(2))
    for name in ("boss", "bigger_boss"):
        file[name]["effects"] = random_effects("boss", pick, 2)
    try:
        tables, names = DeckFile.model_validate(file, context=WORDS).compile()
    except ValidationError as error:  # pragma: no cover
        raise AssertionError(str(error)) from error
    return LoadedDeck(tables, names, SHIPPED, f"random {seed}")


@pytest.mark.parametrize("seed", range(5))
def test_random_decks(seed: int) -> None:
    """Whatever stands on the cards."""
    deck = random_deck(seed)
    spec = dataclasses.replace(SPEC, load_deck=lambda path: deck)
    options: Sequence[str] = ("big_bad_wolf", "bigger_badder_wolf")
    play(Game(spec, hero=HEROES[seed % 5], difficulty=(3 * seed) % 11, boss=options[seed % 2]), seed, most=250)
