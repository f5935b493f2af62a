"""Advice on a saved game: the engagement it stands in, solved with every card effect; else as nearly as can be, saying what is left out."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np

from deckwood.advise.fight import after_roll, by_colour, first_commits, objective_report
from deckwood.advise.text import dice_list
from deckwood.core import registry
from deckwood.core.batch import replayed
from deckwood.core.errors import DeckwoodError, SnapshotError
from deckwood.core.game import Game
from deckwood.core.loop import DECISION
from deckwood.core.replay import game_of_replay, play, read_replay
from deckwood.core.saved import MAGIC, OLD, game_of, unpack
from deckwood.core.spec import Positions
from deckwood.core.uncompiled import uncompiled
from deckwood.core.untrusted import read_bytes
from deckwood.solver import Enemy, Fight, TooLarge, counts, isolate, solve_engagement, solve_fight
from deckwood.solver.fights import Dice
from deckwood.solver.standing import count_engagement
from deckwood.strong import vocabulary as v
from deckwood.strong.cards import is_enemy as enemy_rule
from deckwood.strong.cards import is_standing as standing_rule
from deckwood.strong.deck import effect_text, rows_of
from deckwood.strong.objective import Objective
from deckwood.strong.render.view import damage_of, damage_to, health_of, recovery_of, strategy_of
from deckwood.strong.steps import APPLY, COMMIT, TARGET
from deckwood.strong.terms import (
    ACTIVATED,
    AFTER,
    AFTER_STANDING,
    ALWAYS,
    BOSS_FELL,
    CANCELLED,
    COUNT,
    CRIT_APPLIED,
    DEFEATED,
    DURING,
    ENEMY_FELL,
    ENGAGED,
    FALLS,
    HEALTH,
    HERO_ROLLED,
    MAX_ITEMS,
    NONE,
    ONCE,
    OP,
    PER,
    RECOVERING,
    REWARD,
    ROLLED,
    SLOTS,
    STATS,
    STRATEGY,
    STRONG_FIELDS,
    SUFFERED,
    USE,
    WHAT,
    WHEN,
)  # fmt: skip
from deckwood.strong.words import step_of

is_standing, is_foe = uncompiled(standing_rule), uncompiled(enemy_rule)
LONGEST_LINE = 40

IN_A_FIGHT = (
    DURING, ALWAYS, ROLLED, CRIT_APPLIED, FALLS, REWARD, AFTER, AFTER_STANDING, USE, ENGAGED, HERO_ROLLED, ENEMY_FELL, BOSS_FELL, SUFFERED,
    RECOVERING, ACTIVATED,
)  # fmt: skip
"""Moments that can come in an engagement."""
COUNTED = (v.STRATEGY_CHANGE, v.RECOVERY_CHANGE, v.NO_RECOVERY, v.ENEMY_HEALTH, v.ENEMY_DAMAGE, v.SHIELD_ALWAYS)
"""Standing modifiers that a plain fight has in its numbers."""
NOT_IN_A_FIGHT = (v.BRIBE_CHANGE, v.NO_BRIBES, v.PRICE_CHANGE)
BRANCHES = (v.OFFER, v.CHOOSE, v.TEST)
GAINS = ("gain_health", "gain_strategy", "gain_recovery")


def read_position(path: Path, *, deck: Path | None = None, slot: int = 0, event: int | None = None) -> tuple[Game, Positions]:
    """The position in a file: of a game saved with ``save()``, or of a replay after ``event`` events (all of them, by default).

    ``slot`` is the one of a saved batch. ``deck`` is the deck file, where it is not the one that ships (a replay knows where it was).
    SnapshotError for what is neither, or does not fit; OSError as from ``open``.
    """
    data = read_bytes(path)
    if data.startswith((MAGIC, OLD)):
        return _saved(path, data, deck, slot)
    try:
        content = read_replay(path)
    except SnapshotError as error:
        raise SnapshotError(f"{path} is neither a saved game (what env.unwrapped.save() gives) nor a replay ({error})") from None
    events = len(content["events"])
    wanted = events if event is None else event
    if not 0 <= wanted <= events:
        raise SnapshotError(f"{path}: found --event {wanted}; the replay has {events} events")
    game = game_of_replay(content, deck)
    (position,) = islice(play(game, content), wanted, wanted + 1)
    return game, position


def _saved(path: Path, data: bytes, deck: Path | None, slot: int) -> tuple[Game, Positions]:
    content = unpack(data)
    if not 0 <= slot < len(content.slots):
        raise SnapshotError(f"{path}: found --slot {slot}; allowed is 0 to {len(content.slots) - 1}: {len(content.slots)} games were saved")
    game = game_of(f"{path}: the saved game", content.model_dump(exclude={"slots"}), deck)
    return game, replayed(game, [content.slots[slot]]).positions


def advise_position(game: Game, position: Positions, objective: Objective, *, limit: int, top: int, max_bytes: int) -> dict[str, Any]:
    """Each legal action with its value; or, where more than ``limit`` positions follow, bounds and the nearest advice, which may be exact.

    DeckwoodError where the game has no engagements, where none is under way, or where nothing near to it can be solved.
    """
    s, deck = position[0], game.deck
    report: dict[str, Any] = {"kind": "position", **table_report(game, s), "objective": objective_report(objective)}
    try:
        graph = solve_engagement(game, position, objective, max_positions=limit)
    except TooLarge as large:
        instead, left_out = advise_nearly(game, position, objective, top=top, max_bytes=max_bytes, large=large)
        size = {"limit": limit, "states": large.states, "lower": large.lower, "upper": large.upper}
        exact = not left_out and (instead["kind"] == "counted" or nothing_begun(s))
        return {**report, "exact": exact, "too_large": size, "left_out": left_out, "instead": instead}
    except (TypeError, ValueError) as error:
        raise DeckwoodError(str(error)) from error
    alone = isolate(game, position)
    found = graph.action_values(alone) if alone["node"][0] == DECISION else {}
    actions = [
        {
            "action": action,
            "name": game.spec.actions[action].name,
            "text": game.spec.action_text(s, deck, action),
            "value": value,
            "worse_by": max(0.0, graph.value - value),
        }
        for action, value in sorted(found.items(), key=lambda pair: (-round(pair[1], 9), pair[0]))
    ]
    line: list[str] = []
    while alone["node"][0] == DECISION and len(line) < LONGEST_LINE:
        action = graph.action(alone)
        line.append(game.spec.action_text(alone[0], deck, action))
        game.apply(alone, action)
    return {**report, "exact": True, "states": graph.states, "value": graph.value, "actions": actions, "line": line}


def table_report(game: Game, s: Any) -> dict[str, Any]:
    """What lies on the table, in words. DeckwoodError for a game that is not a 20 Strong deck."""
    if not {name for name, *_ in STRONG_FIELDS} <= set(game.spec.dtype.names or ()):
        raise DeckwoodError(f"{game.spec.env_id} is not a 20 Strong deck: it has no engagements")
    names, tables = game.deck.names["faces"], game.deck.tables
    stats = ", ".join(f"{name.capitalize()} {int(value)}" for name, value in zip(STATS, s.stats, strict=True))
    hero = names[int(s.hero)] if s.hero != NONE else "No hero"
    areas = (("ready", s.ready), ("in hand", in_hand(s)), ("exhausted", s.exhausted))
    dice = [f"{dice_list(by_colour(area))} {name}" for name, area in areas if np.sum(area)]
    held = [names[face] for face in s.items if face != NONE]
    lines = [
        f"{game.spec.name}, {game.spec.phase_name(s)}: roll {int(s.passes)} of {strategy_of(s) + int(s.extra_passes)}.",
        f"{hero}: {stats}, gold {int(s.gold)}." + (f" Items: {', '.join(held)}." if held else ""),
        f"Dice: {'; '.join(dice) or 'none'}.",
    ]
    for slot in standing_slots(s, tables):
        face, health = int(s.slot[slot]), health_of(s, tables, slot)
        left = max(0, health - damage_to(s, tables, slot))
        printed = f"{left} of {health}" if left < health else str(health)
        text = effects_text(game, effect_rows(tables, face))
        lines.append(f"{names[face]}: Health {printed}, Damage {damage_of(s, tables, slot)}. {text}".rstrip())
    return {"game": game.spec.name, "env_id": game.spec.env_id, "phase": game.spec.phase_name(s), "table": lines}


def in_hand(s: Any) -> Any:
    """(5,): dice that are committed and not applied."""
    return s.unrolled + s.rolled.sum(axis=1) + s.kept.sum(axis=1)


def standing_slots(s: Any, tables: Any) -> list[int]:
    return [slot for slot in range(SLOTS) if is_standing(s, tables, slot)]


def effect_rows(tables: Any, face: int) -> list[Any]:
    return list(tables.effects[rows_of(tables, face)])


def effects_text(game: Game, rows: Sequence[Any]) -> str:
    """Rows of a card's effects in words, on one line."""
    package = registry.GAMES[game.spec.env_id].partition(":")[0].rpartition(".")[0]
    own = getattr(importlib.import_module(f"{package}.catalogue"), "OWN_OPS", ())
    return effect_text(rows, (*v.OPS, *own)).replace("\n", " ")


@dataclass(frozen=True)
class Plain:
    """A position as a plain fight: one that begins with this Strategy phase."""

    fight: Fight
    hand: Dice  # those of its ready dice that are in hand, and will be rolled whatever is committed
    left_out: list[str]


def advise_nearly(
    game: Game, position: Positions, objective: Objective, *, top: int, max_bytes: int, large: TooLarge
) -> tuple[dict[str, Any], list[str]]:
    """The nearest advice on a position that is too large, and the effects that it leaves out, a text for each card.

    The first commit is counted with all standing effects; what is asked later in a fight is asked of a plain fight. DeckwoodError where
    neither can answer.
    """
    s, step = position[0], step_of(position[0])
    if step not in (COMMIT, APPLY, TARGET):
        raise DeckwoodError(f"{large}. No plain fight is like {game.phase(position)}: raise --limit")
    try:
        if step == COMMIT and s.passes == 1 and s.committed == 0:
            try:
                return advise_counted(game, position, objective, top=top, max_bytes=max_bytes)
            except TooLarge:
                pass  # too many ways in which the enemies can stand
        plain = plain_fight(game, s)
        beside = value_beside(game, s, plain.fight, objective)
        solution = solve_fight(plain.fight, replace(objective, lost=objective.lost - beside), max_bytes=max_bytes)
    except DeckwoodError as error:
        raise DeckwoodError(f"{large}. Nothing near to it can be solved either: {error}") from error
    if step == COMMIT:
        report = first_commits(solution, top, hand=plain.hand)
    else:
        report = after_roll(solution, dice_of(s.ready), s.rolled.tolist(), None, 1, top)
    choices = [{**choice, "value": choice["value"] + beside} for choice in report["choices"]]
    return {**report, "objective": objective_report(objective), "value": report["value"] + beside, "choices": choices}, plain.left_out


def nothing_begun(s: Any) -> bool:
    """Whether a plain fight can begin here: no die is half-way, and none lies on an enemy, where it waits for the fight to end."""
    return step_of(s) in (COMMIT, APPLY) and not s.unrolled.any() and not s.applied.any()


def value_beside(game: Game, s: Any, fight: Fight, objective: Objective) -> float:
    """What a position is worth, unless the hero dies, beside its plain fight: passes that are used up, and enemies that have fallen."""
    fallen = sum(bool(is_foe(s, game.deck.tables, slot)) for slot in range(SLOTS) if s.marks[slot] & DEFEATED)
    return objective.strategy * (int(s.stats[STRATEGY]) - fight.strategy) + objective.fallen * fallen


def advise_counted(game: Game, position: Positions, objective: Objective, *, top: int, max_bytes: int) -> tuple[dict[str, Any], list[str]]:
    """The first commits that the rules allow, by their values when every standing effect counts, and what is left out."""
    counted = count_engagement(game, position, objective, max_bytes=max_bytes)
    rules = counted.tables.rules
    allowed = [
        dice
        for dice in product(*(range(int(n) + 1) for n in rules.size))
        if counts.may_commit(rules, 0, rules.size, np.array(dice), sum(dice), 0)  # type: ignore[no-untyped-call]
    ]
    ranked = sorted(((counted.value_of(dice), dice) for dice in allowed), key=lambda pair: (-round(pair[0], 9), sum(pair[1]), pair[1]))
    best = ranked[0][0]
    choices = [
        {"rank": rank, "commit": by_colour(dice), "value": value, "worse_by": max(0.0, best - value)}
        for rank, (value, dice) in enumerate(ranked[:top], 1)
    ]
    rows: dict[str, list[Any]] = {}
    for name, row in counted.left_out:
        rows.setdefault(name, []).append(game.deck.tables.effects[row])
    states = int(counted.tables.rolled.size + counted.tables.after.size)
    report = {
        "kind": "counted",
        "objective": objective_report(objective),
        "states": states,
        "value": best,
        "of": len(ranked),
        "choices": choices,
    }
    return report, [f"{name}: {effects_text(game, left)}" for name, left in rows.items()]


def plain_fight(game: Game, s: Any) -> Plain:
    """The plain fight nearest to a position: its numbers as they count now, and the rewards that a plain fight knows.

    FightError where its numbers are none that a plain fight can have.
    """
    tables = game.deck.tables
    standing = standing_slots(s, tables)
    left_out: list[str] = []
    enemies = []
    for slot in standing:
        face = int(s.slot[slot])
        rows = [] if s.marks[slot] & CANCELLED else effect_rows(tables, face)
        rewards, others = plain_rewards(rows, alone=len(standing) == 1)
        enemies.append(Enemy(health_of(s, tables, slot) - damage_to(s, tables, slot), damage_of(s, tables, slot), **rewards))
        left_out += described(game, face, [row for row in others if row[WHEN] in IN_A_FIGHT])
    fallen = [slot for slot in range(SLOTS) if s.slot[slot] != NONE and slot not in standing]
    for slot in fallen:
        keeps = (ALWAYS, AFTER, ROLLED) if s.marks[slot] & DEFEATED else IN_A_FIGHT
        left_out += described(game, int(s.slot[slot]), [row for row in effect_rows(tables, int(s.slot[slot])) if row[WHEN] in keeps])
    own = [(int(s.hero), bool(s.used[MAX_ITEMS]))] if s.hero != NONE else []
    own += [(int(face), bool(used)) for face, used in zip(s.items, s.used, strict=False) if face != NONE]
    own += [(int(face), False) for face in s.beside if face != NONE]
    for face, used in own:
        rows = [row for row in effect_rows(tables, face) if counts_in_a_fight(row) and not (used and row[WHEN] == USE)]
        left_out += described(game, face, rows)
    stuck = s.applied[standing].sum(axis=(0, 2)) if s.endgame else np.zeros(5, np.int64)
    if s.endgame:
        left_out.append("Endgame: dice applied to an undefeated enemy stay on it when the fight is over.")
    if s.doubled:
        left_out.append("The next reward is taken twice.")
    hand = in_hand(s)
    shield = int(s.shield) + int(s.modifiers[v.SHIELD_ALWAYS])
    if shield < 0:
        left_out.append(f"Suffering damage costs {-shield} more Health.")
    fight = Fight(
        ready=dice_of(s.ready + hand),
        enemies=tuple(enemies),
        exhausted=dice_of(s.exhausted + s.to_recover + s.applied.sum(axis=(0, 2)) - stuck),
        health=int(s.stats[HEALTH]),
        strategy=strategy_of(s) + int(s.extra_passes) - int(s.passes) + 1,
        recovery=recovery_of(s),
        gold=int(s.gold),
        shield=max(0, shield),
    )
    return Plain(fight, dice_of(hand), left_out)


def dice_of(area: Any) -> Dice:
    return tuple(map(int, area))  # type: ignore[return-value]


def counts_in_a_fight(row: Any) -> bool:
    """True if an effect of the player's own cards can matter in a fight and is not in its numbers already."""
    standing = row[WHEN] in (DURING, ALWAYS)
    return row[WHEN] in IN_A_FIGHT and not (standing and row[OP] in (*COUNTED, *NOT_IN_A_FIGHT))


def plain_rewards(rows: Sequence[Any], *, alone: bool) -> tuple[dict[str, int], list[Any]]:
    """The rewards among a face's effects that a plain fight knows, by the names of :class:`deckwood.solver.Enemy`, and all other rows."""
    rewards: dict[str, int] = {}
    others = []
    simple = not any(row[WHEN] == REWARD and row[OP] in BRANCHES for row in rows)
    for row in rows:
        name = ""
        if row[WHEN] == REWARD and row[PER] == ONCE and simple:
            gains = {v.GAIN_STAT: GAINS[int(row[WHAT]) % len(GAINS)], v.GAIN_GOLD: "gold", **({v.RECOVER: "recover"} if alone else {})}
            name = gains.get(int(row[OP]), "")
        if name:
            rewards[name] = rewards.get(name, 0) + int(row[COUNT])
        else:
            others.append(row)
    return rewards, others


def described(game: Game, face: int, rows: Sequence[Any]) -> list[str]:
    """A line for a face with these effects, if there are any."""
    return [f"{game.deck.names['faces'][face]}: {effects_text(game, rows)}"] if rows else []
