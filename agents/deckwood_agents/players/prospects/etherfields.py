"""What the model of Etherfields knows: the dream, and the battle against the boss."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.etherfields.rules.boss import boss_is_defeated, can_summon, enemies_beaten
from deckwood.etherfields.rules.cards import count_in, hand_count
from deckwood.etherfields.rules.dream import maps_in_play
from deckwood.etherfields.state import BOSS_FACE, CARDS_HELD, ENEMIES_BEATEN, ETHER_IS, IN_DECK, INFLUENCE_DECK, MAPS_OUT
from deckwood.strong.cards import damage_of, health_of, is_boss, is_standing
from deckwood.strong.pool import item_count
from deckwood.strong.terms import NONE, SLOTS
from deckwood_agents.players.prospects.strong import NUM_STRONG, STRONG_NAMES, strong_features

PHASES = ("dream", "boss")
NAMES = (
    *STRONG_NAMES,
    "enemies left",
    "their Damage",
    "their Health",
    "influence cards in hand",
    "influence cards in the deck",
    "maps still to be found",
    "enemies still to be beaten",
    "items still to be held",
    "another ether is asked for",
    "the endgame condition is met",
)


@rule
def is_trusted(s, deck):
    """With the boss on the table. Before that the model does not know well enough what dice are worth to the battle to come: the agent
    that plays by it there wins less than the expert.
    """
    return s.facing != 0


@rule
def is_battle(s, deck):
    """True where the same enemies are fought round after round until one side has fallen."""
    return s.facing != 0


@rule
def is_won(s, deck):
    return boss_is_defeated(s)


@rule
def lacking(s, deck, condition, have):
    required = int(deck.conditions[s.boss - BOSS_FACE, condition])
    return 0 if required == NONE else max(0, required - have)


@rule
def lateness(s, deck):
    return 1.0 if can_summon(s, deck) else 0.0


@rule
def features(s, deck, out):
    strong_features(s, lateness(s, deck), out)
    i = NUM_STRONG
    enemies, damage, health = 0, 0, 0
    for slot in range(SLOTS):
        if is_standing(s, deck, slot) and not is_boss(s, deck, slot):
            enemies += 1
            damage += damage_of(s, deck, slot)
            health += health_of(s, deck, slot)
    out[i] = enemies
    out[i + 1] = damage
    out[i + 2] = health
    out[i + 3] = hand_count(s)
    out[i + 4] = count_in(s, deck, INFLUENCE_DECK, IN_DECK)
    for k in range(5, 10):
        out[i + k] = 0.0
    if s.facing:
        return 1
    ether = int(deck.conditions[s.boss - BOSS_FACE, ETHER_IS])
    out[i + 5] = lacking(s, deck, MAPS_OUT, maps_in_play(s))
    out[i + 6] = lacking(s, deck, ENEMIES_BEATEN, enemies_beaten(s, deck))
    out[i + 7] = lacking(s, deck, CARDS_HELD, item_count(s))
    out[i + 8] = 1.0 if ether != NONE and ether != s.ether else 0.0
    out[i + 9] = 1.0 if out[i + 5] + out[i + 6] + out[i + 7] + out[i + 8] == 0 else 0.0
    return 0
