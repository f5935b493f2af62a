"""What holds at every node of every game: nothing is lost or made, nothing leaves its range, and there is always something to do."""

import dataclasses
from collections import Counter
from typing import Any

import numpy as np
import pytest

from deckwood.core.game import Game
from deckwood.core.spec import LoadedDeck
from deckwood.core.stream import draw, new_stream
from deckwood.lost_woods.deck import load_deck
from deckwood.lost_woods.spec import SPEC
from deckwood.lost_woods.state import DEFEATED, HELD, NONE, UNREACHED
from tests.lost_woods.scenario import PHASES, PLAIN, TILES, beside, deck_file, distances, load, open_ways
from tests.lost_woods.test_woods import random_deck

LOW = np.concatenate([np.full(feature.size, feature.low) for feature in SPEC.features])
HIGH = np.concatenate([np.full(feature.size, feature.high) for feature in SPEC.features])
DIRECTION_CARDS = [slice(3 + 12 * direction, 15 + 12 * direction) for direction in range(4)]
STRIKING = load(deck_file(eighth={"name": "Spark", "effect": {"type": "strike", "die": 12}}))


class Pile:
    """The discard pile, counted by what happens and not by what the rules say."""

    def __init__(self) -> None:
        self.count = 0
        self.own = self.foe = 0

    def outcome(self, s: Any, outcome: int) -> None:
        phase = PHASES[s.phase]
        if phase == "draw_tile" and TILES[outcome] in ("gold", "plus_two", "gnome"):
            self.count += 1
        if phase == "own_die":
            self.own = outcome + 1
        if phase == "foe_die":
            self.foe = outcome + 1

    def action(self, name: str) -> None:
        self.count += name.startswith("reroll")

    def settle(self, before: Any, s: Any) -> None:
        """A roll against a common enemy that was won, once nothing more can be re-rolled."""
        fought = PHASES[before.phase] in ("own_die", "foe_die", "after_the_roll") and 0 <= before.foe < 12
        if fought and (s.node == 2 or PHASES[s.phase] not in ("own_die", "foe_die", "after_the_roll")):
            self.count += self.own > self.foe


def check(s: Any, deck: LoadedDeck, discarded: int | None) -> None:
    """The invariants of a position; ``discarded`` weapons lie on the pile, None where that is not known."""
    players, phase, there = int(s.players), PHASES[s.phase], np.asarray(s.placed) == 1
    assert s.supply + s.carried[:, 6].sum() + s.lying[6].sum() == 50
    for field in ("supply", "carried", "lying", "enemies", "foes", "bag", "left"):
        assert (np.asarray(s[field]) >= 0).all(), field
    tokens, in_box = s.bag.sum() + s.carried[:, :6].sum() + s.lying[:6].sum() + s.enemies.sum(), 60 + players  # 66 less the D12's removed
    assert tokens <= in_box if discarded is None else tokens + discarded == in_box

    spells = np.asarray(s.spell_at)
    for spell, at in enumerate(spells):
        if not there[deck.tables.well_space[spell]]:
            assert at == NONE
        else:
            assert HELD <= at < HELD + players or there[at]
    for seat in range(players):
        too_many = seat == s.turn and s.node == 0
        assert s.carried[seat, :6].sum() <= 3 + (too_many and phase == "drop_beyond_limit")
        assert (spells == HELD + seat).sum() <= 2 + (too_many and phase == "third_spell")
    assert (s.carried[s.turn, :6].sum() == 4) == (phase == "drop_beyond_limit")
    assert ((spells == HELD + s.turn).sum() == 3) == (phase == "third_spell")
    assert not s.carried[players:].any()
    assert not s.payoff[players:].any()
    assert s.payoff.sum() == pytest.approx(0)

    assert not s.enemies[~there].any()
    assert not s.lying[:, ~there].any()
    guards = Counter(int(at) for at in s.guardian_at)
    assert [int(n) for n in s.foes] == [int(s.enemies[space].sum()) + guards[space] for space in range(len(there))]
    for direction, cards in enumerate(DIRECTION_CARDS):
        assert s.left[direction] == 12 - s.placed[cards].sum()
        assert s.placed[cards][-1] == (s.left[direction] == 0)
        assert (s.guardian_at[direction] == NONE) == (s.left[direction] > 0)
        assert s.guardian_at[direction] in (NONE, DEFEATED, cards.stop - 1)
    assert all(there[at] for at in s.at[:players])
    if s.node == 0:
        assert s.mover == s.turn or phase in ("tie_weapon", "tie_rolled")
        assert 0 <= s.mover < players
    assert (s.ended == 0) or (s.node == 2 and s.ended == s.ending)
    assert (s.ending > 0) == (s.ended > 0 or phase.startswith("tie"))


def check_map(s: Any, deck: LoadedDeck) -> None:
    there = np.flatnonzero(s.placed)
    assert (s.beside == beside(s)).all()
    assert (s.distance == distances(s, deck)).all()
    assert (s.open_ways == open_ways(s, deck)).all()
    assert s.distance[np.ix_(there, there)].max() < UNREACHED


def play(deck: LoadedDeck, seed: int, *, players: int, most: int = 300, **options: Any) -> Counter[str]:
    """A random game of at most ``most`` nodes; returns how often each phase came."""
    game = Game(dataclasses.replace(SPEC, load_deck=lambda path: deck), num_players=players, **options)
    position, stream, pile = game.new(), new_stream(seed), Pile()
    s, seen, cards = position[0], Counter[str](), 0
    for _ in range(most):
        check(s, deck, pile.count)
        if s.placed.sum() != cards:
            cards = s.placed.sum()
            check_map(s, deck)
        if s.node == 2:
            seen["end" if s.ended else "cut"] += 1
            break
        seen[PHASES[s.phase]] += 1
        before = position.copy()[0]
        if s.node == 1:
            weights = game.chance(position)
            assert weights.sum() > 0
            possible = np.flatnonzero(weights)
            assert len({SPEC.outcome_name(s, deck, int(outcome)) for outcome in possible}) == len(possible)
            outcome = draw(stream, weights, len(weights))
            pile.outcome(s, int(outcome))
            game.apply_chance(position, int(outcome))
        else:
            legal = np.flatnonzero(game.legal(position))
            assert len(legal) > 0, game.phase(position)
            if s.decisions % 8 == 0:
                obs = game.observe(position)
                assert ((obs >= LOW) & (obs <= HIGH)).all()
                assert len({SPEC.action_text(s, deck, int(action)) for action in legal}) == len(legal)
            action = int(legal[choose(stream, legal)])
            pile.action(SPEC.actions[action].name)
            game.apply(position, action)
        pile.settle(before, s)
    return seen


def choose(stream: Any, legal: Any) -> int:
    """Exploring, attacking and magic get a game going; dropping holds it up."""
    weights = np.ones(len(legal), np.int32)
    for place, action in enumerate(legal):
        group = SPEC.actions[action].group
        weights[place] = {"explore": 8, "attack": 8, "take": 6, "magic": 6, "move": 3, "space": 1, "drop": 1, "turn": 6}.get(group, 3)
    return int(draw(stream, weights, len(weights)))


@pytest.mark.parametrize("players", range(2, 7))
def test_random_games(players: int) -> None:
    for seed in range(2):
        seen = play(load_deck(), seed + 10 * players, players=players, reward=("win", "gold", "progress")[seed % 3])
        assert seen["draw_card"] > 5


@pytest.mark.parametrize("seed", range(6))
def test_random_decks(seed: int) -> None:
    """Whatever ways the cards have."""
    play(random_deck(seed + 50), seed, players=2 + seed % 5)


@pytest.mark.parametrize("deck", [PLAIN, STRIKING], ids=["stride", "strike"])
def test_plain_decks(deck: LoadedDeck) -> None:
    play(deck, 1, players=4)


def test_games_come_to_nearly_all_that_can_be_decided() -> None:
    """So the checks above have seen it: small woods, in which spells are found."""
    small = load(deck_file(ways={f"{d}{n}": {"n": "S", "e": "EW", "s": "N", "w": "E"}[d] for d in "nesw" for n in range(4, 12)}))
    seen = Counter[str]()
    for seed in range(3):
        seen += play(small, seed, players=2 + seed % 2, most=500)
    rare = {phase for phase in PHASES if phase.startswith("tie")} | {"third_spell", "revived", "magnet_item", "magnet_space"}
    assert set(PHASES) - set(seen) <= rare


def test_games_that_end_in_ties() -> None:
    """Woods of one card, after which they are fully explored once its enemies are defeated."""
    tiny = load(deck_file(camp={"west": "", "centre": "N", "east": ""}, ways={f"n{n}": "S" for n in range(1, 13)}))
    seen = Counter[str]()
    for seed in range(8):
        seen += play(tiny, seed, players=2 + seed % 3, most=500, turn_limit=60)
    assert seen["end"] == 8
    assert seen["tie_die"] > 0
