"""Lost Woods' scripted players: what they do in plain positions, their odds, that all they do is legal, and how well they play."""

import dataclasses
from fractions import Fraction
from itertools import product
from typing import Any, Self

import numpy as np
import pytest

from deckwood.core.batch import Batch
from deckwood.core.game import Game
from deckwood.core.spec import LoadedDeck
from deckwood.lost_woods import phases as at
from deckwood.lost_woods.deck import SHIPPED, DeckFile
from deckwood.lost_woods.rules.woods import lay
from deckwood.lost_woods.spec import SPEC
from deckwood.lost_woods.state import (
    CAMP_CENTRE,
    CARDS_PER_DECK,
    DICE,
    DIRECTIONS,
    GOLD,
    HELD,
    ITEM_NAMES,
    NONE,
    SPELLS,
    STEP_X,
    STEP_Y,
)
from deckwood_agents.players.protocol import Agent
from deckwood_agents.players.scripted import find_policy, names
from deckwood_agents.players.scripted.agent import ScriptedAgent
from deckwood_agents.players.scripted.lost_woods.odds import (
    MAX_POTIONS,
    before_rolls,
    loss_chance,
    value_of_potion,
    value_of_rolling_foe,
    value_of_rolling_own,
    win_chance,
)
from deckwood_agents.players.uniform import RandomAgent

GOBLIN, OGRE, DRAGON = range(3)
STRIDE = {"type": "stride", "spaces": 3}
STRIKE = {"type": "strike", "die": 12}


def plain_deck(eighth: dict[str, Any] = STRIDE, d20: int = 0) -> LoadedDeck:
    """Cards with all four markers, the wells deep in the decks, and three kinds of enemy."""
    cards = [
        {"name": f"{deck} {card}", "deck": deck, "ways": "NESW", "bottom": card == 11}
        | ({"well": SPELLS[2 * i + card - 9]} if card in (9, 10) else {})
        for i, deck in enumerate(DIRECTIONS)
        for card in range(CARDS_PER_DECK)
    ]
    file = {
        "camp": {"west": "NSW", "centre": "NS", "east": "NES"},
        "cards": cards,
        "weapons": {"d4": 4, "d6": 9, "d8": 5 - d20, "d12": 6, "d20": d20},
        "tiles": {"potion": 6, "gold": 6, "plus_two": 6, "gnome": 4},
        "enemies": [
            {"name": "Goblin", "die": 4, "gold": 1, "tiles": 10},
            {"name": "Ogre", "die": 8, "gold": 2, "tiles": 6},
            {"name": "Dragon", "die": 20, "gold": 5, "tiles": 4},
        ],
        "guardians": [{"name": f"Guardian {deck}", "deck": deck, "dice": [6, 12, 8], "gold": 4} for deck in DIRECTIONS],
        "eighth": {"name": "Eighth", "effect": eighth},
    }
    tables, names = DeckFile.model_validate(file).compile()
    return LoadedDeck(tables, names, SHIPPED, "plain")


PLAIN = plain_deck()


class Table:
    """A first turn of seat 0 among three; cards are named by deck and number: n0, e3."""

    def __init__(self, deck: LoadedDeck = PLAIN) -> None:
        self.game = Game(dataclasses.replace(SPEC, load_deck=lambda path: deck), num_players=3)
        self.position = self.game.new()
        self.game.apply_chance(self.position, 0)
        self.s = self.position[0]
        for seat in range(3):
            self.owns(seat, d6=1, gold=3)

    def space(self, name: str) -> int:
        return 3 + CARDS_PER_DECK * "nesw".index(name[0]) + int(name[1:]) if name != "camp" else CAMP_CENTRE

    def explored(self, *ways: str) -> Self:
        """Cards one after the other from the centre of the camp: ("n", "n", "e") are n0 and n1 to the north, then e0."""
        x, y, used = 0, 0, dict.fromkeys("nesw", 0)
        for way in ways:
            direction = "nesw".index(way)
            x, y = x + STEP_X[direction], y + STEP_Y[direction]
            lay(self.s, self.game.deck.tables, self.space(f"{way}{used[way]}"), x, y)
            used[way] += 1
            self.s.left[direction] -= 1
        return self

    def stands(self, seat: int, name: str) -> Self:
        self.s.at[seat] = self.space(name)
        return self

    def owns(self, seat: int, *spells: str, **items: int) -> Self:
        self.s.carried[seat] = [items.get(name, 0) for name in ITEM_NAMES[: GOLD + 1]]
        for spell in spells:
            self.s.spell_at[SPELLS.index(spell)] = HELD + seat
        return self

    def lies(self, name: str, **items: int) -> Self:
        self.s.lying[:, self.space(name)] = [items.get(item, 0) for item in ITEM_NAMES[: GOLD + 1]]
        return self

    def enemy(self, name: str, kind: int = NONE, guardian: int = NONE) -> Self:
        space = self.space(name)
        self.s.foes[space] += 1
        if guardian == NONE:
            self.s.enemies[space, kind] += 1
        else:
            self.s.guardian_at[guardian] = space
        return self

    def decks(self, **left: int) -> Self:
        for name, count in left.items():
            self.s.left[DIRECTIONS.index(name)] = count
        return self

    def waits(self, phase: int, **fields: int) -> Self:
        self.s.phase = phase
        for name, value in fields.items():
            self.s[name] = value
        return self

    def does(self, *names: str) -> Self:
        for name in names:
            self.game.apply(self.position, SPEC.action_index[name])
        return self

    def rolls(self, *faces: int) -> Self:
        for face in faces:
            self.game.apply_chance(self.position, face - 1)
        return self

    def choice(self, name: str = "expert") -> str:
        mask = self.game.legal(self.position)[None]
        return SPEC.actions[int(player(name, self.game).act(np.zeros((1, 0), np.float32), mask, self.position)[0])].name

    @property
    def choices(self) -> tuple[str, str]:
        return self.choice("greedy"), self.choice("expert")


def player(name: str, game: Game) -> Agent:
    if name == "random":
        return RandomAgent()
    policy = find_policy(name, SPEC)
    assert policy is not None
    return ScriptedAgent(name, policy, game.deck)


# Odds


@pytest.mark.parametrize(("own", "foe"), list(product(range(5), range(5))))
def test_odds_of_two_dice(own: int, foe: int) -> None:
    rolls = list(product(range(1, 1 + DICE[own]), range(1, 1 + DICE[foe])))
    assert win_chance(own, foe, 0) == pytest.approx(sum(a > b for a, b in rolls) / len(rolls))
    assert loss_chance(own, foe, 0) == pytest.approx(sum(a < b for a, b in rolls) / len(rolls))


@pytest.mark.parametrize(("own", "foe"), [(4, 4), (6, 8), (12, 6)])
def test_odds_with_a_potion(own: int, foe: int) -> None:
    """Whoever does not win rolls the die again that is likelier to make it a win; the tables may keep a draw for it."""
    total = Fraction(0)
    for a, b in product(range(1, 1 + own), range(1, 1 + foe)):
        anew = (Fraction(max(0, own - b), own), Fraction(min(foe, a - 1), foe))
        total += 1 if a > b else max(anew)
    best = total / (own * foe)
    win, _, used = before_rolls(own, foe, 1)
    assert best - Fraction(1, 50) <= win <= float(best) + 1e-9
    assert 0 < used < 1


def test_more_potions_make_better_odds() -> None:
    for own, foe in product(range(5), range(5)):
        chances = [win_chance(own, foe, potions) for potions in range(1 + MAX_POTIONS)]
        assert chances == sorted(chances)
        assert win_chance(own, foe, 9) == chances[-1]


def test_value_of_a_roll() -> None:
    for die, lying in product(range(5), range(1, 21)):
        own = [4.0 if face > lying else 1.0 if face == lying else -2.0 for face in range(1, 1 + DICE[die])]
        foe = [4.0 if face < lying else 1.0 if face == lying else -2.0 for face in range(1, 1 + DICE[die])]
        assert value_of_rolling_own(die, lying, 4.0, 1.0, -2.0) == pytest.approx(np.mean(own))
        assert value_of_rolling_foe(die, lying, 4.0, 1.0, -2.0) == pytest.approx(np.mean(foe))
    # Two D4, 1 against 4, two potions that cost nothing: the own die again, and whichever is better after it.
    after = [max(-2.0, (1.0 + 3 * -2.0) / 4, (4.0 * (own - 1) + 1.0 - 2.0 * (4 - own)) / 4) for own in (1, 2, 3)]
    assert value_of_potion(0, 0, 1, 4, 0, 2, 4.0, 1.0, -2.0, 0.0) == pytest.approx((sum(after) + max(1.0, (4.0 * 3 + 1.0) / 4)) / 4)


# Items


def test_a_strong_weapon_is_taken_for_a_weak_one() -> None:
    t = Table().explored("n").stands(0, "n0").owns(0, d4=1, d6=2, gold=3).lies("n0", d12=1)
    assert t.choices == ("drop_d4", "drop_d4")
    assert t.does("drop_d4").choices == ("take_d12", "take_d12")


def test_a_weak_weapon_is_not_taken_for_a_strong_one() -> None:
    t = Table().explored("n").stands(0, "n0").owns(0, d8=2, d12=1, gold=3).lies("n0", d6=2)
    assert not any(choice.startswith(("drop", "take")) for choice in t.choices)


def test_the_better_of_two_where_there_is_room_for_one() -> None:
    t = Table().explored("n").stands(0, "n0").owns(0, d6=2, gold=3).lies("n0", d4=1, d12=1)
    assert t.choices == ("take_d12", "take_d12")


def test_one_too_many_is_the_weakest() -> None:
    t = Table().explored("n").stands(0, "n0").owns(0, d4=1, d8=1, d12=2, gold=3).waits(at.OVER_LIMIT, room=3)
    assert t.choices == ("drop_d4", "drop_d4")


def test_gold_on_the_way_is_picked_up() -> None:
    t = Table().explored("n").stands(0, "n0").lies("n0", gold=2)
    assert t.choices == ("take_gold", "take_gold")


def test_magnet_draws_gold_from_under_a_dragon() -> None:
    t = Table().explored("n", "n").stands(0, "n0").owns(0, "magnet", d6=1, gold=3).lies("n1", gold=2)
    t.enemy("n1", DRAGON).enemy("n0", DRAGON).does("done")
    assert t.choices == ("cast_magnet", "cast_magnet")
    assert t.does("cast_magnet").choices == ("take_gold", "take_gold")


def test_a_third_spell_is_not_value_one_for_combat() -> None:
    t = Table().owns(0, "bolt", "eighth", "magnet", d6=1).waits(at.THIRD_SPELL)
    assert t.choice() == "drop_eighth"


# Fights


def test_a_hopeless_fight_is_left() -> None:
    """A D8 against D6, D12 and D8: 0.56 x 0.29 x 0.44."""
    t = Table().explored("n").stands(0, "n0").owns(0, d8=1, gold=3).enemy("n0", guardian=0).waits(at.ATTACKING)
    assert t.choices == ("done", "done")


def test_the_enemy_that_pays_best_for_its_odds() -> None:
    t = Table().explored("n").stands(0, "n0").owns(0, d12=1, gold=3).enemy("n0", GOBLIN).enemy("n0", OGRE).waits(at.ATTACKING)
    assert t.choices == ("attack_1", "attack_2")  # 19/24 of one piece, 15/24 of two


def test_magic_is_kept_where_a_weapon_does() -> None:
    t = Table().explored("n").stands(0, "n0").enemy("n0", GOBLIN).owns(0, "bolt", d12=1, gold=3).waits(at.ATTACKING)
    assert t.does("attack_1").choice() == "fight_with_d12"
    t = Table().explored("n").stands(0, "n0").enemy("n0", DRAGON).owns(0, "bolt", d4=1, gold=3).waits(at.ATTACKING)
    assert t.does("attack_3").choice() == "cast_bolt"


def test_magic_goes_to_the_hardest_roll_of_a_guardian() -> None:
    """D6, D12, D8."""
    t = Table().explored("n").stands(0, "n0").enemy("n0", guardian=0).owns(0, "bolt", d8=1, gold=3).waits(at.ATTACKING)
    assert t.does("attack_guardian").choice() == "fight_with_d8"
    assert t.does("fight_with_d8").rolls(8, 1).choice() == "cast_bolt"
    assert t.does("cast_bolt").rolls(20, 1).choice() == "fight_with_d8"


@pytest.mark.parametrize(
    ("own", "foe", "expected"),
    [
        (1, 3, "reroll_chair_0"),  # 3/6 to win; the enemy's die cannot help a 1
        (6, 6, "reroll_foe"),  # 5/6; one's own cannot beat a 6
        (4, 5, "reroll_foe"),  # 3/8 to win; one's own 1/6
        (5, 2, "done"),
    ],
)
def test_potions(own: int, foe: int, expected: str) -> None:
    """A D6 against an Ogre's D8."""
    t = Table().explored("n").stands(0, "n0").enemy("n0", OGRE).owns(0, d6=1, potion=1, gold=3).waits(at.ATTACKING)
    t.does("attack_2", "fight_with_d6").rolls(own, foe)
    assert t.choice() == expected


def lost(*spells: str, **items: int) -> Table:
    """A fight against an Ogre, lost with a weapon."""
    t = Table().explored("n").stands(0, "n0").enemy("n0", OGRE).owns(0, *spells, **items).waits(at.ATTACKING)
    weapon = next(name for name in items if name.startswith("d"))
    return t.does("attack_2", f"fight_with_{weapon}").rolls(1, 8)


def test_the_weapon_or_the_gold_that_is_missed_less() -> None:
    assert lost(d4=1, d12=2, gold=3).choice() == "drop_d4"
    assert lost(d12=1, gold=3).choice() == "drop_gold"


def test_revive_saves_the_only_good_weapon() -> None:
    assert lost("revive", d12=1, gold=3).choices == ("cast_revive", "cast_revive")


# The end


def beside_the_exit(own: int, other: int) -> Table:
    """At the only open way into the north, whose deck is empty."""
    t = Table().explored("n").stands(0, "n0").decks(north=0)
    return t.owns(0, d6=1, gold=own).owns(1, d6=1, gold=other).owns(2, d6=1, gold=1).does("done")


def test_who_is_ahead_leaves_the_woods() -> None:
    assert beside_the_exit(4, 3).choice() == "explore_north"


def test_who_is_behind_does_not() -> None:
    greedy, expert = beside_the_exit(3, 4).choices
    assert greedy != "explore_north"
    assert expert != "explore_north"


def test_the_leader_goes_to_the_exit() -> None:
    """From the centre of the camp, two moves away, one can go on north."""
    t = Table().explored("s", "s").stands(0, "s1").decks(north=0).owns(0, d6=1, gold=9)
    assert t.choice() == "move_north"
    assert t.does("move_north", "move_north").choice() == "done"
    assert t.does("done").choice() == "explore_north"


@pytest.mark.parametrize(("gold", "expected"), [(9, True), (1, False)])
def test_the_last_card_is_for_the_leader(gold: int, expected: bool) -> None:
    t = Table().explored("n").stands(0, "n0").decks(north=1).owns(0, d6=1, gold=gold).does("done")
    assert (t.choice() == "explore_north") == expected


def test_gnomes() -> None:
    t = Table().explored("n").waits(at.RICHEST, room=3)
    assert t.choices == ("chair_1", "chair_1")
    assert t.does("chair_1").choices == ("chair_0", "chair_0")


def test_a_tie_is_fought_with_the_best() -> None:
    t = Table().explored("n").stands(0, "n0").decks(north=0).owns(0, "bolt", d6=1, potion=1, gold=3).owns(1, d6=1, gold=3)
    t.owns(2, d6=1, gold=1).does("done", "explore_north")
    assert t.choices == ("cast_bolt", "cast_bolt")
    t.does("cast_bolt")
    while t.s.phase == at.TIE_WEAPON:
        t.does("fight_with_d6")
    assert t.rolls(2, 5).choices == ("reroll_chair_0", "reroll_chair_0")  # 15/20 to beat a 5


# Whole games


@pytest.mark.parametrize("name", names(SPEC))
@pytest.mark.parametrize(
    ("options", "deck"),
    [
        ({"num_players": 2}, None),
        ({"num_players": 3, "reward": "gold"}, None),
        ({}, plain_deck(STRIKE, d20=2)),
        ({"num_players": 5, "turn_limit": 5}, None),
        ({"num_players": 6}, PLAIN),
    ],
)
def test_only_legal_actions(name: str, options: dict[str, Any], deck: LoadedDeck | None) -> None:
    game = Game(SPEC if deck is None else dataclasses.replace(SPEC, load_deck=lambda path: deck), **options)
    agent = player(name, game)
    batch = Batch(game, 32, seed=2)
    for _ in range(500):
        actions = agent.act(batch.obs, batch.mask, batch.positions)
        assert batch.mask[np.arange(32), actions].all()
        before = batch.positions.copy()
        assert np.array_equal(agent.act(batch.obs, batch.mask, batch.positions), actions)  # a function of the position
        assert (batch.positions == before).all()  # ... which it does not change
        batch.step(actions)


@pytest.mark.parametrize(("one", "others", "least"), [("tuned", "expert", 0.25), ("expert", "greedy", 0.40), ("greedy", "random", 0.60)])
def test_how_well_they_play(one: str, others: str, least: float) -> None:
    """Against three others, each slot with another seat. An even share is a quarter."""
    game = Game(SPEC)
    agents = [player(one, game), player(others, game)]
    batch = Batch(game, 200, seed=5, autoreset=False)
    running, seats = np.arange(200), np.arange(200) % 4
    while len(running):
        actions = np.zeros(200, np.int64)
        for kind, agent in enumerate(agents):
            rows = running[(batch.actor[running] != seats[running]) == kind]
            if len(rows):
                actions[rows] = agent.act(batch.obs[rows], batch.mask[rows], batch.positions[rows])
        batch.step(actions[running], slots=running)
        running = np.flatnonzero(~(batch.terminated | batch.truncated))
    assert np.mean(batch.episode_return[np.arange(200), seats] > 0) > least
