"""The door as a game of the house: its deck has two cards with two sides and remembers how they lie."""

import hashlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from deckwood.core.spec import Action, Ending, Feature, GameSpec, LoadedDeck, Option, position_dtype
from tests.games import door_rules


class Door(NamedTuple):
    luck: np.ndarray  # int32 (2,): weight of being caught, of turning the card


CARDS = ("moon", "key")


def load_deck(path: Path | None) -> LoadedDeck:
    luck = [1, 3] if path is None else [int(word) for word in path.read_text().split()]
    digest = hashlib.sha256(repr(luck).encode()).hexdigest()
    return LoadedDeck(Door(np.array(luck, np.int32)), {"cards": CARDS}, path or Path("door"), digest)


def changes(deck, before, after) -> list[str]:
    pairs = zip(deck.names["cards"], before["sides"], after["sides"], strict=True)
    return [f"the {card} was turned to its {('front', 'back')[new]}" for card, old, new in pairs if old != new]


def impossible(deck, memory) -> str | None:
    if (memory["sides"] < 0).any() or (memory["sides"] > 1).any():
        return f"a card has the sides 0 and 1, found {memory['sides'].tolist()}"
    return f"found {memory['games']} games; allowed: none or more" if memory["games"] < 0 else None


def objection(options, deck, memory) -> str | None:
    if options[0] == 1 and memory["sides"][1]:
        return "bert stays at home while the key shows its back"
    return None


SPEC = GameSpec(
    name="Door",
    env_id="test/Door-v0",
    summary="Turn three cards.",
    seats=(1, 1),
    dtype=position_dtype(
        [("hero", np.int8), ("card", np.int8), ("turned", np.int8), ("sides", np.int8, (2,)), ("games", np.int16)],
    ),
    actions=(Action("moon", "card", "Turn the moon"), Action("key", "card", "Turn the key"), Action("leave", "door", "Leave")),
    features=(
        Feature("sides", 2, 0, 1, "1 for each card that shows its back", CARDS),
        Feature("turned", 1, 0, 1, "cards turned in this game over three"),
        Feature("games", 1, 0, 1, "games of this deck over a hundred"),
    ),
    options=(Option("hero", "anna", "who comes", choices=("anna", "bert")),),
    endings=(Ending("caught", "at a card"), Ending("left", "by choice"), Ending("opened", "three cards turned", won=True)),
    readings=(),
    payoff_range=(0, 1),
    longest_game=5,
    max_outcomes=2,
    rules=door_rules,
    load_deck=load_deck,
    phase_name=lambda s: ("a card or home", "luck", "the end")[s.node],
    outcome_name=lambda s, deck, outcome: ("caught", "turned")[outcome],
    action_text=lambda s, deck, action: SPEC.actions[action].text,
    describe=lambda s, deck: f"{s.sides.tolist()}, {s.turned} turned, game {s.games}",
    draw=lambda s, deck: np.full((8, 8, 3), 40 * s.turned, np.uint8),
    remembered=("sides", "games"),
    changes=changes,
    impossible=impossible,
    objection=objection,
)
