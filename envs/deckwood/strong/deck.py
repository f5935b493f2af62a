"""Cards and effects in the deck files of the 20 Strong system: the models, their rows in the tables that the rules read, and their text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationInfo, model_validator

from deckwood.core.decks import Name, Part, one_of, problem, refuse
from deckwood.core.errors import DeckError
from deckwood.strong.terms import (
    CARD,
    COLOURS,
    COUNT,
    FACES,
    HERO,
    ITEM,
    NONE,
    NUM_COLOURS,
    ONCE,
    ONGOING,
    OP,
    PER,
    PERS,
    SINGLE_USE,
    STAT_MAX,
    STATS,
    USE,
    WHAT,
    WHEN,
    WHEN_MEANINGS,
    WHENS,
)
from deckwood.strong.vocabulary import (
    BANISH_APPLIED,
    CHOOSE,
    COLOUR,
    COLOUR_SET,
    FACE,
    FLEE,
    FOREST_SIDE,
    KEEP_CARD,
    OFFER,
    OPS,
    RETURN_TO_DECK,
    STAT,
    SUM,
    Op,
)

FOREST_SIDES = ("day", "night")
MAX_EFFECTS = Field(max_length=24)
"""Effects in one list of a card."""
ARGUMENTS: Mapping[int, tuple[str, tuple[str, ...]]] = {
    COLOUR: ("colour", COLOURS),
    COLOUR_SET: ("colours", COLOURS),
    STAT: ("stat", STATS),
    FACE: ("face", FACES),
    FOREST_SIDE: ("side", FOREST_SIDES),
}
"""The field that says what an op acts on, and the words it takes, by the op's ``what``."""

ENEMY_ONLY = (FLEE, RETURN_TO_DECK, BANISH_APPLIED)
EVENTS = tuple(WHENS[WHENS.index("round_starts") :])
"""Moments that heroes, ongoing items and cards beside the hero may wait for; a deck has those of the system and its own."""
SYSTEM_EVENTS = (
    "round_starts", "engaged", "hero_rolled", "enemy_fell", "boss_fell", "suffered", "recovering", "endgame", "set_up",
)  # fmt: skip
"""Those that come in every deck."""
ENEMY_MOMENTS = ("activated", "rolled", "crit_applied", "falls", "after", "after_standing")


class Words(dict[str, Op]):
    """A deck's vocabulary by name; the context in which its file is validated. ``events`` are the moments that only this deck has."""

    def __init__(self, ops: Iterable[Op] = OPS, events: Iterable[str] = ()) -> None:
        super().__init__({op.name: op for op in ops})
        self.absent = set(EVENTS) - {*SYSTEM_EVENTS, *events}  # moments that other decks have


def _words(info: ValidationInfo) -> Words:
    assert isinstance(info.context, Words)
    return info.context


class Effect(Part):
    """One effect: an op of the vocabulary, its arguments and the moment at which it acts. Kinds of card differ in the moments they have."""

    moments: ClassVar[tuple[str, ...]] = EVENTS
    standing: ClassVar[tuple[str, ...]] = ("always",)  # what ``when`` may be for a modifier; the first one is implied
    implied: ClassVar[str | None] = None  # ... and for an instruction that does not say
    on_enemy: ClassVar[bool] = False
    may_leave: ClassVar[bool] = True

    op: str
    when: str | None = None
    colour: str | None = None
    colours: str | list[str] | None = None
    stat: str | None = None
    face: str | None = None
    side: str | None = None
    count: int | None = None
    per: str | None = None

    @model_validator(mode="after")
    def _check(self, info: ValidationInfo) -> Self:
        words = _words(info)
        if (op := words.get(self.op)) is None:
            refuse([problem(["op"], self.op, one_of(self.op, words))])
            return self
        found = []
        if (op.here or op.code in ENEMY_ONLY) and not self.on_enemy:
            found.append(problem(["op"], self.op, "this op on enemies and bosses only"))
        if op.code in (FLEE, RETURN_TO_DECK) and not self.may_leave:
            found.append(problem(["op"], self.op, "no way out of the battle for a boss"))
        if op.code == KEEP_CARD and self.implied != "told":
            found.append(problem(["op"], self.op, "this op on fables only"))
        moments = self._moments(op, words)
        if self.when is None and not moments:
            found.append(problem(["op"], self.op, f"instructions only, here; {self.op} is a modifier"))
        elif self.when is None and not (op.is_modifier or self.implied):
            found.append(problem(["when"], "nothing", f"one of {', '.join(moments)}"))
        elif self.when is not None and self.when not in moments:
            kind = "modifier" if op.is_modifier else "instruction"
            found.append(problem(["when"], self.when, f"for the {kind} {self.op}, {one_of(self.when, moments)}"))
        wanted, allowed = ARGUMENTS.get(op.what, (None, ()))
        for name, _ in ARGUMENTS.values():
            value = getattr(self, name)
            if name != wanted and value is not None:
                found.append(problem([name], value, f'no field {name} for "{self.op}"' + (f", which takes {wanted}" if wanted else "")))
            elif name == wanted and value is None:
                found.append(problem([name], "nothing", f"{'a list' if op.what == COLOUR_SET else 'one'} of {', '.join(allowed)}"))
            elif name == wanted:
                several = [value] if isinstance(value, str) else value
                if op.what == COLOUR_SET and value != "all" and isinstance(value, str):
                    found.append(problem([name], value, f'a list of {", ".join(allowed)}, or "all"'))
                elif value != "all" or op.what != COLOUR_SET:
                    found += [problem([name], word, one_of(word, allowed)) for word in several if word not in allowed]
                if not several:
                    found.append(problem([name], "an empty list", f"a list of {', '.join(allowed)}"))
        if op.count is None and self.count is not None:
            found.append(problem(["count"], self.count, f'no field count for "{self.op}"'))
        if op.count is not None and self.count is None:
            found.append(problem(["count"], "nothing", "a whole number from {} to {}".format(*op.count)))
        if op.count is not None and self.count is not None and not op.count[0] <= self.count <= op.count[1]:
            found.append(problem(["count"], self.count, 'for "{}", a whole number from {} to {}'.format(self.op, *op.count)))
        if self.per is not None and not op.per:
            found.append(problem(["per"], self.per, f'no field per for "{self.op}"'))
        elif self.per is not None and self.per not in PERS:
            found.append(problem(["per"], self.per, one_of(self.per, PERS)))
        refuse(found)
        return self

    def _moments(self, op: Op, words: Words) -> tuple[str, ...]:
        return self.standing if op.is_modifier else tuple(when for when in self.moments if when not in words.absent)

    def row(self, words: Words) -> tuple[int, int, int, int, int]:
        """WHEN, OP, WHAT, COUNT, PER. What an op does not take is NONE for WHAT, ONCE for PER and 0 for COUNT (1 where counts add up)."""
        op = words[self.op]
        when = self.when or (self.standing[0] if op.is_modifier else self.implied)
        assert when is not None
        what = NONE
        if op.what in ARGUMENTS:
            name, allowed = ARGUMENTS[op.what]
            value = getattr(self, name)
            if op.what == COLOUR_SET:
                what = sum(1 << allowed.index(word) for word in set(allowed if value == "all" else value))
            else:
                what = allowed.index(value)
        count = int(op.combine == SUM) if self.count is None else self.count
        return WHENS.index(when), op.code, what, count, PERS.index(self.per) if self.per else ONCE


class EnemyEffect(Effect):
    """An effect printed on an enemy: a modifier stands ``during`` the fight with it, or ``always`` (its Special effects)."""

    moments: ClassVar[tuple[str, ...]] = ENEMY_MOMENTS
    standing = ("during", "always")
    on_enemy = True


class BossEffect(EnemyEffect):
    """An effect of a boss."""

    moments: ClassVar[tuple[str, ...]] = (*ENEMY_MOMENTS, "endgame", "activation")
    may_leave = False


class Reward(Effect):
    """A part of an enemy's Instant reward."""

    moments = ("reward",)
    standing = ()
    implied = "reward"


class FableEffect(Effect):
    """A part of a fable: what happens when it is drawn; after ``keep_card`` it may have standing effects too."""

    moments = ("told", *EVENTS)
    implied = "told"


class UsedEffect(Effect):
    """An effect of an item or of a hero: used by the player unless it says when."""

    moments = ("use", *EVENTS)
    implied = "use"


class PowerUpEffect(Effect):
    """A rule or restriction of the endgame."""

    moments = ("rolled", "after", "endgame")


def check_blocks(effects: Sequence[Effect], info: ValidationInfo, name: str = "effects") -> None:
    """``offer``, ``choose`` and ``test`` need the instructions that they govern: those after them on the same face at the same moment.

    They govern all of the rest, so that blocks nest: within an option or an outcome, the rest is what is left of it.
    """
    words = _words(info)
    found = []

    def check(block: Sequence[tuple[int, Effect]]) -> None:
        for place, (index, effect) in enumerate(block):
            code, count, rest = words[effect.op].code, effect.count or 0, block[place + 1 :]
            if code == OFFER and not rest:
                found.append(problem([name, index, "op"], effect.op, "an offer only before the instructions that may be declined"))
            elif code == CHOOSE and len(rest) <= count:
                found.append(problem([name, index, "count"], count, f"fewer than the {len(rest)} that follow: both choices need some"))
            elif words[effect.op].branches and code != CHOOSE and (len(rest) < count or not rest):
                found.append(problem([name, index, "count"], count, f"at most the {len(rest)} that follow (it needs one or more)"))
            elif code == CHOOSE or words[effect.op].branches:
                check(rest[:count])
                check(rest[count:])
                return

    moments: dict[int, list[tuple[int, Effect]]] = {}
    for index, effect in enumerate(effects):
        moments.setdefault(effect.row(words)[WHEN], []).append((index, effect))
    for block in moments.values():
        check(block)
    refuse(found)


Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
"""How an option names a card."""
Small = Annotated[int, Field(ge=0, le=20)]


class EnemyCard(Part):
    """An enemy's side."""

    name: Name
    health: Annotated[int, Field(ge=1, le=20)]
    damage: Annotated[int, Field(ge=0, le=6)]
    effects: Annotated[list[EnemyEffect], MAX_EFFECTS] = Field(default=[])
    reward: Annotated[list[Reward], MAX_EFFECTS] = Field(default=[])

    @model_validator(mode="after")
    def _blocks(self, info: ValidationInfo) -> Self:
        check_blocks(self.effects, info)
        check_blocks(self.reward, info, "reward")
        return self

    @property
    def all_effects(self) -> list[Effect]:
        return [*self.effects, *self.reward]


class BossCard(Part):
    """A boss that is fought for the game: no reward."""

    name: Name
    health: Annotated[int, Field(ge=1, le=20)]
    damage: Annotated[int, Field(ge=0, le=6)]
    effects: Annotated[list[BossEffect], MAX_EFFECTS] = Field(default=[])

    @model_validator(mode="after")
    def _blocks(self, info: ValidationInfo) -> Self:
        check_blocks(self.effects, info)
        return self


class ItemFace(Part):
    """A side of an item card."""

    name: Name
    uses: Literal["single", "ongoing"]
    effects: Annotated[list[UsedEffect], Field(min_length=1), MAX_EFFECTS]

    @model_validator(mode="after")
    def _blocks(self, info: ValidationInfo) -> Self:
        check_blocks(self.effects, info)
        words = _words(info)
        if self.uses == "single" and not any(effect.row(words)[WHEN] == USE for effect in self.effects):
            refuse([problem(["uses"], self.uses, 'an item for a single use needs an effect with when = "use"')])
        return self


class HeroFace(Part):
    """A side of a hero card: an ability, and the event at which the card turns over."""

    name: Name
    effects: Annotated[list[UsedEffect], Field(min_length=1), MAX_EFFECTS]
    flip: str | None = None

    @model_validator(mode="after")
    def _blocks(self, info: ValidationInfo) -> Self:
        check_blocks(self.effects, info)
        events = [event for event in EVENTS if event not in _words(info).absent]
        if self.flip is not None and self.flip not in events:
            refuse([problem(["flip"], self.flip, one_of(self.flip, events))])
        return self

    @property
    def all_effects(self) -> list[Effect]:
        return [*self.effects, *([UsedEffect.model_construct(op="flip_hero", when=self.flip)] if self.flip else [])]


class StartingStats(Part):
    """The stats that a hero starts with."""

    health: Annotated[int, Field(ge=1, le=STAT_MAX)]
    strategy: Annotated[int, Field(ge=1, le=STAT_MAX)]
    recovery: Annotated[int, Field(ge=1, le=STAT_MAX)]

    @property
    def stats(self) -> tuple[int, int, int]:
        return self.health, self.strategy, self.recovery


class HeroSide(HeroFace, StartingStats):
    """A side of a hero card."""


class Hero(Part):
    """A hero of the box, with two sides. ``forced_side`` is the one to start on, where there is no choice; a ``universal`` hero may be
    played in other decks too."""

    name: Name
    key: Key
    universal: bool = False
    forced_side: Literal["front", "back"] | None = None
    front: HeroSide
    back: HeroSide


class UniversalHero(HeroSide):
    """A hero from another box, with one side; the deck has a card that replaces it when it would flip."""

    key: Key


def check_keys(keys: Sequence[str]) -> None:
    """DeckError where a hero has the key of a visiting one; visitors come last."""
    if twice := [key for i, key in enumerate(keys) if key in keys[:i]]:
        raise DeckError(f': found the key "{twice[0]}" of a hero; allowed: a key that no visiting hero has')


def check_names(file: Part) -> None:
    """No two cards of a deck file have the same name or key."""
    found, seen = [], set()
    for where, name in _named(file, ()):
        if (where[-1], name) in seen:
            found.append(problem(where, name, f"a {where[-1]} that no other card has"))
        seen.add((where[-1], name))
    refuse(found)


def _named(part: Part, where: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every name and key in a part of the file, with its place."""
    for name, value in part:
        if name in ("name", "key"):
            yield (*where, name), value
        elif isinstance(value, Part):
            yield from _named(value, (*where, name))
        elif isinstance(value, list):
            for index, inner in enumerate(value):
                if isinstance(inner, Part):
                    yield from _named(inner, (*where, name, index))


@dataclass(frozen=True)
class Face:
    """A card face on its way into the tables; ``numbers`` are fields of a CARD record."""

    name: str
    kind: int
    effects: Sequence[Effect] = ()
    numbers: Mapping[str, Any] = field(default_factory=dict)


def item_face(side: ItemFace, **numbers: Any) -> Face:
    """A side of an item."""
    return Face(side.name, ITEM, side.effects, {"uses": SINGLE_USE if side.uses == "single" else ONGOING, **numbers})


def hero_face(side: HeroSide, flips_to: int, *, universal: bool, **numbers: Any) -> Face:
    """A side of a hero, and the face that it flips to, or NONE."""
    return Face(side.name, HERO, side.all_effects, {"stats": side.stats, "other_side": flips_to, "universal": universal, **numbers})


def compile_faces(faces: Sequence[Face], words: Words, most: int) -> tuple[NDArray[Any], NDArray[np.int16]]:
    """The ``cards`` table, one CARD record a face, and the ``effects`` table: rows of a face together, by WHEN, else as written.

    DeckError where there are more than ``most`` rows.
    """
    cards = np.zeros(len(faces), CARD)
    rows: list[tuple[int, int, int, int, int]] = []
    for card, face in zip(cards, faces):
        numbers = {"bribe": NONE, "cost": NONE, "uses": NONE, "other_side": NONE, **face.numbers}
        for name, value in numbers.items():
            card[name] = value
        own = sorted((effect.row(words) for effect in face.effects), key=lambda row: row[WHEN])
        card["kind"], card["first"], card["count"] = face.kind, len(rows), len(own)
        card["moments"] = sum(1 << when for when in {row[WHEN] for row in own})
        rows += own
    if len(rows) > most:
        raise DeckError(f": found {len(rows)} effects; allowed: at most {most} on all cards, those of visiting heroes included")
    return cards, np.array(rows, np.int16).reshape(-1, 5)


# Text. Cards carry no rule text of their own: it is made from their rows, so it cannot differ from what the rules do.

WHEN_LABELS: Mapping[str, str] = {
    "during": "", "always": "", "activated": "When activated", "rolled": "After each roll", "crit_applied": "When a crit is applied",
    "falls": "When defeated", "reward": "Reward", "after": "After", "after_standing": "After, if undefeated", "use": "Use", "told": "",
}  # fmt: skip
PER_TEXT = ("", " for each miss", " for each hit", " for each undefeated enemy", " for each committed die")
WORDING = ((" (0: to the end of the game)", ""), (" (Strategy and Recovery never below 1)", " (never below 1)"))
SINGULAR = (
    (r", 1 times", ""),
    (r"your 1 strongest ready dice", "your strongest ready die"),
    (r"next 1 Instant rewards (.*) are ", r"next Instant reward \1 is "),
    (r"1 held items to their", "1 held item to its"),
    (r"misses to basic hits", "miss to a basic hit"),
    (r"basic hits to crits", "basic hit to a crit"),
    (r"\b(1 (?:\w+ ){0,4}?)dice\b", r"\1die"),
    (r"\b(die) (that|committed die) show\b", r"\1 \2 shows"),
    (r"1 committed die show ", "1 committed die shows "),
    (r"\b(1 (?:\w+ ){0,2}?)(hit|item|round|card|space|time)s\b", r"\1\2"),
    (r"1 (more )?enemies", r"1 \1enemy"),
    (r"(1 |1 (?:more|less|random|influence) )(card|space)s\b", r"\1\2"),
    (r", one at a time", ""),
)
"""What changes in an op's text where ``count`` is 1."""


def effect_text(rows: Iterable[Sequence[int] | NDArray[np.int16]], ops: Iterable[Op] = OPS) -> str:
    """The English text of a face's rows, a line for each moment."""
    by_code = {op.code: op for op in ops}
    moments: dict[int, list[list[int]]] = {}
    for row in rows:
        moments.setdefault(int(row[WHEN]), []).append([int(value) for value in row])
    lines = []
    for when, block in moments.items():
        name = WHENS[when]
        label = WHEN_LABELS.get(name, WHEN_MEANINGS[when][0].upper() + WHEN_MEANINGS[when][1:])
        lines.append((label + ": " if label else "") + _block_text(block, by_code))
    return "\n".join(lines)


def rows_of(tables: Any, face: int) -> slice:
    """Where a face's rows are in the ``effects`` table."""
    card = tables.cards[face]
    return slice(int(card["first"]), int(card["first"] + card["count"]))


def card_text(tables: Any, face: int, words: Words) -> str:
    """The English text of a face's effects, made from its rows; a line for each moment."""
    return effect_text(tables.effects[rows_of(tables, face)], words.values())


def _block_text(rows: Sequence[Sequence[int]], ops: Mapping[int, Op]) -> str:
    texts: list[str] = []
    for index, row in enumerate(rows):
        code, count, rest = row[OP], row[COUNT], rows[index + 1 :]
        if code == OFFER:
            return " ".join([*texts, f"You may: {_block_text(rest, ops)}"])
        if code == CHOOSE:
            return " ".join([*texts, f"Choose one: [{_block_text(rest[:count], ops)}] or [{_block_text(rest[count:], ops)}]"])
        if branches := ops[code].branches:
            parts = (_block_text(rest[:count], ops) or "Nothing.", _block_text(rest[count:], ops))
            cases = ", ".join(f"{case} [{part}]" for case, part in zip(branches, parts, strict=True) if part)
            cases = cases.replace("{what}", _what_text(row[WHAT], ops[code]))
            return " ".join([*texts, cases[0].upper() + cases[1:]])
        texts.append(_row_text(row, ops[code]))
    return " ".join(texts)


def _row_text(row: Sequence[int], op: Op) -> str:
    count = row[COUNT]
    text = op.text
    if count < 0:  # "2 more" is turned round to "2 less"
        more, less = (" more ", " less ") if " more " in text else ("{count} less", "{count} more")
        text = text.replace(more, less, 1)
    elif op.is_modifier and count > 0:
        text = re.sub(r" \(never below \d\)", "", text)
    if op.code == KEEP_CARD and count == 0:
        text = text.replace(" for {count} rounds", " to the end of the game")
    for ours, theirs in WORDING:
        text = text.replace(ours, theirs)
    text = text.format(what=_what_text(row[WHAT], op), count=abs(count))
    text = (
        text.replace("No any dice", "No dice").replace("Hits of any dice", "Hits").replace("Lose 1 Health (never below 1)", "Lose 1 Health")
    )
    if abs(count) == 1:
        for several, one in SINGULAR:
            text = re.sub(several, one, text)
    per = PER_TEXT[row[PER]]
    return re.sub(r"(, or all you have)?\.$", rf"{per}\1.", text) if per else text


def _what_text(what: int, op: Op) -> str:
    if op.what == COLOUR_SET:
        words = [name for colour, name in enumerate(COLOURS) if what >> colour & 1]
        last = " or " if op.text.startswith("No ") else " and "
        return "any" if len(words) == NUM_COLOURS else last.join(filter(None, [", ".join(words[:-1]), words[-1]]))
    if op.what in ARGUMENTS:
        word = ARGUMENTS[op.what][1][what]
        return word.capitalize() if op.what == STAT else word
    return ""


def vocabulary_table(ops: Iterable[Op] = OPS) -> str:
    """The vocabulary as a Markdown table for the docs."""
    lines = ["| op | arguments | kind | what it does |", "| -- | -- | -- | -- |"]
    for op in ops:
        arguments = [ARGUMENTS[op.what][0]] if op.what in ARGUMENTS else []
        arguments += ["count {} to {}".format(*op.count)] if op.count else []
        arguments += ["per"] if op.per else []
        kind = "instruction" if not op.is_modifier else "modifier of this enemy" if op.here else "modifier"
        text = op.text.format(what="(" + ARGUMENTS[op.what][0] + ")" if op.what in ARGUMENTS else "", count="(count)")
        lines.append(f"| `{op.name}` | {', '.join(arguments)} | {kind} | {text} |")
    return "\n".join(lines) + "\n"
