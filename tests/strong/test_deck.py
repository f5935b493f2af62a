"""Effects in deck files: validation, rows, text."""

import re
from typing import Any

import pytest
from pydantic import ValidationError

from deckwood.strong.deck import (
    ARGUMENTS,
    EVENTS,
    EnemyCard,
    EnemyEffect,
    FableEffect,
    Face,
    HeroFace,
    ItemFace,
    Reward,
    UsedEffect,
    Words,
    compile_faces,
    effect_text,
    vocabulary_table,
)
from deckwood.strong.terms import ALWAYS, DURING, ENEMY, NONE, ONCE, PER_MISS, PERS, REWARD, ROLLED, TOLD, USE, WHEN, WHENS
from deckwood.strong.vocabulary import (
    COLOUR_SET,
    COMMIT_BAN,
    FLEE,
    GAIN_STAT,
    HIT_BONUS,
    OPS,
    RECOVER,
    RECOVER_COLOUR,
    REROLL_HITS,
    SWAP_HITS,
)

WORDS = Words()


def effect(kind: Any = EnemyEffect, **fields: Any) -> Any:
    return kind.model_validate(fields, context=WORDS)


def row(kind: Any = EnemyEffect, **fields: Any) -> Any:
    return effect(kind, **fields).row(WORDS)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (row(op="commit_ban", colours=["yellow", "red"]), (DURING, COMMIT_BAN, 0b10001, 0, ONCE)),
        (row(op="hit_bonus", colours="all", count=-1, when="always"), (ALWAYS, HIT_BONUS, 0b11111, -1, ONCE)),
        (row(op="swap_hits"), (DURING, SWAP_HITS, NONE, 0, ONCE)),
        (row(op="flee", when="rolled", face="miss", count=3), (ROLLED, FLEE, 0, 3, ONCE)),
        (row(op="reroll_hits", when="rolled", count=1, per="miss"), (ROLLED, REROLL_HITS, NONE, 1, PER_MISS)),
        (row(Reward, op="gain_stat", stat="recovery", count=2), (REWARD, GAIN_STAT, 2, 2, ONCE)),
        (row(FableEffect, op="recover", count=2), (TOLD, RECOVER, NONE, 2, ONCE)),
        (row(FableEffect, op="crit_bonus", count=1)[WHEN], ALWAYS),
        (row(UsedEffect, op="recover_colour", colour="blue", count=1), (USE, RECOVER_COLOUR, 2, 1, ONCE)),
    ],
)
def test_rows(found: Any, expected: Any) -> None:
    assert found == expected


@pytest.mark.parametrize(
    ("kind", "fields", "where", "message"),
    [
        (
            EnemyEffect,
            {"op": "gain_stta", "when": "falls"},
            "op",
            'found "gain_stta"; allowed: did you mean "gain_stat"? One of "commit_limit"',
        ),
        (
            EnemyEffect,
            {"op": "apply_ban", "colours": ["bleu"]},
            "colours",
            'found "bleu"; allowed: one of "yellow", "green", "blue", "purple", "red"; did you mean "blue"?',
        ),
        (EnemyEffect, {"op": "apply_ban", "colours": "blue"}, "colours", 'found "blue"; allowed: a list of yellow'),
        (EnemyEffect, {"op": "apply_ban", "colours": []}, "colours", "allowed: a list of yellow"),
        (EnemyEffect, {"op": "apply_ban"}, "colours", "a list of yellow, green, blue, purple, red"),
        (
            EnemyEffect,
            {"op": "apply_ban", "colour": "blue", "colours": ["blue"]},
            "colour",
            'no field colour for "apply_ban", which takes colours',
        ),
        (EnemyEffect, {"op": "recover", "when": "after"}, "count", "a whole number from 1 to 17"),
        (
            EnemyEffect,
            {"op": "recover", "when": "after", "count": 18},
            "count",
            'found 18; allowed: for "recover", a whole number from 1 to 17',
        ),
        (EnemyEffect, {"op": "swap_hits", "count": 1}, "count", 'no field count for "swap_hits"'),
        (EnemyEffect, {"op": "flee", "when": "rolled", "count": 1, "per": "miss", "face": "hit"}, "per", 'no field per for "flee"'),
        (EnemyEffect, {"op": "exhaust", "when": "after", "count": 1, "per": "mis"}, "per", 'did you mean "miss"?'),
        (EnemyEffect, {"op": "recover", "count": 1}, "when", "one of activated, rolled"),
        (EnemyEffect, {"op": "recover", "count": 1, "when": "during"}, "when", 'for the instruction recover, one of "activated"'),
        (EnemyEffect, {"op": "swap_hits", "when": "rolled"}, "when", 'for the modifier swap_hits, one of "during", "always"'),
        (Reward, {"op": "swap_hits"}, "op", "instructions only"),
        (UsedEffect, {"op": "protected"}, "op", "this op on enemies and bosses only"),
        (UsedEffect, {"op": "keep_card", "count": 1}, "op", "this op on fables only"),
        (UsedEffect, {"op": "swap_hits", "when": "during"}, "when", '"always"'),
    ],
)
def test_a_wrong_effect_is_refused(kind: Any, fields: dict[str, Any], where: str, message: str) -> None:
    with pytest.raises(ValidationError) as caught:
        effect(kind, **fields)
    errors = {error["loc"][0]: error["msg"] for error in caught.value.errors()}
    assert message in errors[where]


def test_all_problems_of_an_effect_are_found() -> None:
    with pytest.raises(ValidationError) as caught:
        effect(op="exhaust", when="told", count=99, per="never", stat="health")
    assert {error["loc"][0] for error in caught.value.errors()} == {"when", "count", "per", "stat"}


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_every_op_can_be_written_and_read(op: Any) -> None:
    """With its own arguments each op validates, gives a row of its code, and has a text without a hole."""
    fields: dict[str, Any] = {"op": op.name}
    if op.what in ARGUMENTS:
        name, allowed = ARGUMENTS[op.what]
        fields[name] = [allowed[-1]] if op.what == COLOUR_SET else allowed[-1]
    if not op.is_modifier:
        fields["when"] = "told" if op.name == "keep_card" else "after"
    for count in op.count or (None,):
        for per in PERS if op.per else (None,):
            given = fields | ({} if count is None else {"count": count}) | ({} if per is None else {"per": per})
            made = row(FableEffect if op.name == "keep_card" else EnemyEffect, **given)
            assert made[1] == op.code
            text = effect_text([made])
            assert text
            assert not re.search(r"[{}]|-\d", text)
    assert f"`{op.name}`" in vocabulary_table()


@pytest.mark.parametrize(
    ("effects", "ok"),
    [
        ([{"op": "offer"}], False),
        ([{"op": "offer"}, {"op": "recover", "count": 1}], True),
        ([{"op": "choose", "count": 1}, {"op": "recover", "count": 1}], False),
        ([{"op": "choose", "count": 1}, {"op": "recover", "count": 1}, {"op": "recover", "count": 2}], True),
        ([{"op": "test", "colour": "red", "count": 0}], False),
        ([{"op": "test", "colour": "red", "count": 2}, {"op": "recover", "count": 1}], False),
        ([{"op": "test", "colour": "red", "count": 1}, {"op": "recover", "count": 1}], True),
        ([{"op": "test", "colour": "red", "count": 0}, {"op": "recover", "count": 1}], True),
        # What follows at another moment does not count.
        ([{"op": "offer"}, {"op": "recover", "count": 1, "when": "camped"}], False),
        # Blocks nest: the inner choice has only the first option's rows.
        ([{"op": "choose", "count": 2}, {"op": "choose", "count": 1}, {"op": "recover", "count": 1}, {"op": "recover_by_roll"}], False),
    ],
)
def test_blocks(effects: list[dict[str, Any]], ok: bool) -> None:
    card = {"name": "A card", "uses": "ongoing", "effects": effects}
    if ok:
        ItemFace.model_validate(card, context=WORDS)
    else:
        with pytest.raises(ValidationError, match="allowed: "):
            ItemFace.model_validate(card, context=WORDS)


def test_rows_of_a_face_lie_together_sorted_by_moment() -> None:
    card = EnemyCard.model_validate(
        {
            "name": "Two-faced Toad",
            "health": 3,
            "damage": 1,
            "effects": [
                {"op": "exhaust", "when": "after", "count": 1},
                {"op": "swap_hits"},
                {"op": "banish", "when": "after", "count": 2},
                {"op": "flee", "when": "rolled", "face": "hit", "count": 2},
            ],
            "reward": [{"op": "recover", "count": 1}],
        },
        context=WORDS,
    )
    face = Face(card.name, ENEMY, card.all_effects, {"health": card.health})
    cards, rows = compile_faces([Face("Nothing", ENEMY), face, face], WORDS, 100)
    assert [int(c["first"]) for c in cards] == [0, 0, 5]
    assert [int(c["count"]) for c in cards] == [0, 5, 5]
    moments = [WHENS[when] for when in rows[:5, WHEN]]
    assert moments == ["during", "rolled", "reward", "after", "after"]
    assert rows[3:5, 3].tolist() == [1, 2]
    assert cards[1]["health"] == 3
    assert cards[1]["bribe"] == NONE


def test_a_hero_turns_at_an_event() -> None:
    hero = HeroFace.model_validate({"name": "H", "effects": [{"op": "recover", "count": 1}], "flip": "suffered"}, context=WORDS)
    assert [e.row(WORDS)[WHEN] for e in hero.all_effects] == [USE, WHENS.index("suffered")]
    with pytest.raises(ValidationError, match='did you mean "suffered"'):
        HeroFace.model_validate({"name": "H", "effects": [{"op": "recover", "count": 1}], "flip": "suffers"}, context=WORDS)
    assert "use" not in EVENTS


def test_a_deck_has_its_own_events() -> None:
    hero = {"name": "H", "effects": [{"op": "recover", "count": 1}], "flip": "bribed"}
    with pytest.raises(ValidationError, match='found "bribed"'):
        HeroFace.model_validate(hero, context=WORDS)
    assert HeroFace.model_validate(hero, context=Words(events=("bribed",))).flip == "bribed"


def test_text_of_blocks() -> None:
    rows = [
        row(FableEffect, op="offer"),
        row(FableEffect, op="pay_stat", stat="health", count=1),
        row(FableEffect, op="test", colour="green", count=1),
        row(FableEffect, op="recover", count=1),
        row(FableEffect, op="lose_gold", count=2, per="miss"),
    ]
    assert effect_text(rows) == (
        "You may: Cost: lose 1 Health (only if it stays at 1 or more). Roll a green die from the box: "
        "on a hit [Recover up to 1 die of your choice.], on a miss [Lose 2 gold for each miss, or all you have.]"
    )
