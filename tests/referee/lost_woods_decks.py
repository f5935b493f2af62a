"""Random deck files of Lost Woods: each valid, together using all that a file can say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from deckwood.core.errors import DeckError
from deckwood.lost_woods.deck import load_deck

DICE = (4, 6, 8, 12, 20)
BACK = {"north": "S", "east": "W", "south": "N", "west": "E"}
OUT = {"north": "N", "east": "E", "south": "S", "west": "W"}
SPELLS = ("bolt", "fire", "meteor", "tornado", "magnet", "revive", "teleport", "eighth")
BOX = 66


def random_deck(path: Path, seed: int) -> Path:
    """Writes a deck file that the loader accepts; one that it refuses is drawn again."""
    rng = np.random.default_rng(seed)
    while True:
        path.write_text(toml(draw(rng)), encoding="utf-8")
        try:
            load_deck(path)
        except DeckError:
            continue
        return path


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """The content of a file, which may be a wrong one: the camp may have no way out."""
    openness = rng.uniform(0.05, 0.9)  # how likely a marker is
    most_gold = int(rng.choice([0, 2, 10]))  # ties are many where it is scarce

    def markers(allowed: str, always: str = "") -> str:
        return "".join(letter for letter in allowed if letter in always or rng.random() < openness)

    cards: list[dict[str, Any]] = []
    for deck, back in BACK.items():
        cards += [{"name": f"{deck} {number}", "deck": deck, "ways": markers("NESW", back)} for number in range(12)]
        cards[-int(rng.integers(1, 13))]["bottom"] = True
    for spell, place in zip(SPELLS, rng.choice(len(cards), len(SPELLS), replace=False), strict=True):
        cards[int(place)]["well"] = spell
    weapons = {"d4": 0, "d6": 6, "d8": 0, "d12": 6, "d20": 0}
    tiles = {"potion": 0, "gold": 0, "plus_two": 0, "gnome": 0}
    enemies = [
        {"name": f"kind {number}", "die": int(rng.choice(DICE)), "gold": int(rng.integers(0, most_gold + 1)), "tiles": 1}
        for number in range(int(rng.integers(1, 13)))
    ]
    more = [(weapons, name) for name in weapons] + [(tiles, name) for name in tiles] + [(enemy, "tiles") for enemy in enemies]
    shares = rng.dirichlet(np.full(len(more), 0.5))
    for (table, name), count in zip(more, rng.multinomial(BOX - 12 - len(enemies), shares), strict=True):
        table[name] += int(count)
    arms = rng.choice(list(BACK), 2, replace=False).tolist()
    camp = {"centre": markers("".join(letter for letter in "NESW" if letter not in {OUT[arm] for arm in arms}))}
    camp |= {arm: markers("".join(letter for letter in "NESW" if letter != BACK[arm])) for arm in arms}
    strike = {"type": "strike", "die": int(rng.choice(DICE))}
    stride = {"type": "stride", "spaces": int(rng.integers(1, 10))}
    return {
        "camp": camp,
        "cards": [cards[place] for place in rng.permutation(len(cards))],
        "weapons": weapons,
        "tiles": tiles,
        "enemies": enemies,
        "guardians": [
            {"name": f"the {deck} one", "deck": deck, "dice": rng.choice(DICE, 3).tolist(), "gold": int(rng.integers(0, most_gold + 1))}
            for deck in rng.permutation(list(BACK)).tolist()
        ],
        "eighth": {"name": "Eighth", "effect": strike if rng.random() < 0.5 else stride},
    }


def toml(file: Mapping[str, Any]) -> str:
    """A deck file's text."""
    lines = []
    for name, content in file.items():
        for heading, table in [(f"[[{name}]]", entry) for entry in content] if isinstance(content, list) else [(f"[{name}]", content)]:
            lines += [heading, *(f"{key} = {inline(value)}" for key, value in table.items()), ""]
    return "\n".join(lines)


def inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {inline(entry)}" for key, entry in value.items()) + " }"
    return json.dumps(value)
