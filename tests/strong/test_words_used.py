"""Every word that a card may be written in stands on a card that ships, or there is a reason why not."""

import tomllib
from collections.abc import Iterator
from typing import Any

from deckwood.core import registry
from deckwood.strong.deck import ENEMY_MOMENTS, SYSTEM_EVENTS, BossEffect, EnemyEffect, PowerUpEffect
from deckwood.strong.terms import CARD_KINDS, OP, PER, PERS, WHEN, WHENS
from deckwood.strong.vocabulary import OPS
from deckwood.tanglewoods.deck import EVENTS, SHIPPED
from deckwood.tanglewoods.deck import WORDS as OF_TANGLEWOODS
from deckwood.tanglewoods.state import NODE_TYPES, OUTLINES

FAMILY = ("Tanglewoods", "Etherfields", "DiceCommit")

REASONS: dict[str, str] = {}
"""Words that no shipped deck uses, and why they are there all the same."""

REASONS_IN_TANGLEWOODS = {
    "boss: always": "a wolf's effects end with it; what outlasts its fight are the power-ups, on its back",
    "boss: after": "a wolf's After effects are those of one that still stands",
    "boss: activation": "a moment of Etherfields",
}
"""Those of Tanglewoods' own kinds of card."""


def rows(game: str) -> Iterator[tuple[str, Any]]:
    """The kind of card and the row of every effect in a game's shipped deck."""
    tables = next(registry.spec(name) for name in registry.games() if registry.spec(name).name == game).load_deck().tables
    for card in tables.cards:
        for row in tables.effects[card["first"] : card["first"] + card["count"]]:
            yield CARD_KINDS[card["kind"]], row


def test_every_op_moment_and_multiplier_is_on_a_card() -> None:
    found = [row for game in FAMILY for _, row in rows(game)]
    used = {int(row[OP]) for row in found}, {WHENS[row[WHEN]] for row in found}, {PERS[row[PER]] for row in found}
    unused = {op.name for op in OPS if op.code not in used[0]} | (set(WHENS) - used[1]) | (set(PERS) - used[2])
    assert unused == set(REASONS)


def test_tanglewoods_uses_its_vocabulary() -> None:
    """All of its ops, moments and multipliers; enemies, wolves and power-ups with effects at each of their moments."""
    found = list(rows("Tanglewoods"))
    used = {int(row[OP]) for _, row in found}
    assert [op.name for op in OF_TANGLEWOODS.values() if op.code not in used] == []
    assert {*SYSTEM_EVENTS, *EVENTS} - {WHENS[row[WHEN]] for _, row in found} == set()
    assert {PERS[row[PER]] for _, row in found} == set(PERS)
    moments = {(kind, WHENS[row[WHEN]]) for kind, row in found}
    allowed = {"enemy": (*EnemyEffect.standing, *ENEMY_MOMENTS), "boss": (*BossEffect.standing, *BossEffect.moments)}
    allowed["power-up"] = (*PowerUpEffect.standing, *PowerUpEffect.moments)
    unused = {f"{kind}: {when}" for kind, whens in allowed.items() for when in whens if (kind, when) not in moments}
    assert unused == set(REASONS_IN_TANGLEWOODS)


def test_outlines_are_more_than_once_in_the_forest() -> None:
    """Every kind of outline with enemies and without, and traps where they may do harm: by day."""
    cards = tomllib.loads(SHIPPED.read_text(encoding="utf-8"))["forest"]
    nodes = {side: [node.split(":")[0] for card in cards for node in card[side]["nodes"].values()] for side in ("day", "night")}
    assert sum(node.endswith("/trap") for node in nodes["day"]) >= 6
    assert sum(node.endswith("/mob") for node in nodes["day"]) >= 4
    assert sum(node.endswith("/mob") for node in nodes["night"]) >= 8
    shown = {node if "/" in node else f"{node}/standard" for side in nodes.values() for node in side}
    assert {node.split("/")[1] for node in shown} == set(OUTLINES)
    assert {node.split("/")[0] for node in shown} == set(NODE_TYPES) - {"none", "home", "start"}
    assert {f"{kind}/trap" for kind in ("minion", "fable", "campfire")} <= shown
    assert {"minion/mob", "wolf/mob"} <= shown
