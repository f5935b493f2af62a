"""What the system's phases, dice and actions are called in a position. A deck's own words come on top of these.

The text of an action says what it is about, what it costs and what comes of it. Effects are told in the words of the cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.spec import LoadedDeck, Node
from deckwood.core.uncompiled import uncompiled
from deckwood.strong import actions as act
from deckwood.strong import after, pool
from deckwood.strong.deck import Words, card_text, effect_text, rows_of
from deckwood.strong.steps import (
    AFTER_EFFECTS,
    AIMING,
    APPLY,
    BANISHING,
    BANISHING_APPLIED,
    CHOOSING,
    COMMIT,
    CULPRIT,
    EXHAUSTING_HITS,
    GUARD,
    KEEP,
    LOWERING,
    MAX_PUSHED,
    OFFERED,
    OVERRUN,
    RAISING,
    RECOVERING,
    RECOVERY_ROLL,
    REROLLING,
    REROLLING_HITS,
    RESTORING,
    RETURNING,
    ROLL,
    ROLLED_EFFECTS,
    STEP,
    SWAPPING,
    TAKE_ITEM,
    TAKE_REWARD,
    TARGET,
    TESTING,
    TURNING_HIT,
    TURNING_MISS,
    UPGRADING,
    A,
    B,
)
from deckwood.strong.terms import (
    AFTER,
    AFTER_STANDING,
    COLOURS,
    CRIT,
    DEFEATED,
    FACES,
    HIT,
    MAX_ITEMS,
    MISS,
    NONE,
    OP,
    REWARD,
    ROLLED,
    SINGLE_USE,
    SLOTS,
    STAT_MAX,
    STATS,
    TOLD,
    USE,
    WHEN,
    WHENS,
)
from deckwood.strong.vocabulary import (
    CANCEL,
    COMMIT_LIMIT,
    COMMIT_TOTAL,
    COMMIT_WHOLE_COLOUR,
    DEFEAT,
    FIX_MISSES,
    KEEP_HITS,
    SET_HEALTH,
    WOUND,
)

damage_due = uncompiled(after.damage_due)
strategy_of = uncompiled(pool.strategy_of)

DICE_STEPS = (ROLL, RECOVERY_ROLL, TESTING)
"""Steps at which a die is rolled: an outcome is a place in FACES."""

SYSTEM = Words()
"""The vocabulary of a deck without ops of its own."""

Rows = NDArray[np.int16]


def step_of(s: Any) -> int:
    """The step on top of the agenda, or -1 when the game is over."""
    return int(s["agenda"][s["depth"] - 1, STEP]) if s["depth"] and s["node"] != Node.END else -1


def step_argument(s: Any, column: int) -> int:
    """A column of the step on top of the agenda."""
    return int(s["agenda"][s["depth"] - 1, column])


def phase_name(s: Any, phases: Mapping[int, str]) -> str:
    """What is being decided or drawn, by a deck's table of phases."""
    return phases.get(step_of(s), "The game is over")


def why_cut(s: Any, deck: LoadedDeck) -> str:
    """Whose effects overran the agenda; empty where none did."""
    guard = s["agenda"][GUARD]
    if not guard[OVERRUN]:
        return ""
    limits = f"at most {MAX_PUSHED} steps follow one another without a decision, and {GUARD} wait at a time"
    row = int(guard[CULPRIT]) - 1
    if row < 0:
        return limits
    cards = deck.tables.cards
    face = int(np.flatnonzero((cards["first"] <= row) & (row < cards["first"] + cards["count"]))[0])
    return f'the effects of "{deck.names["faces"][face]}" ({WHENS[deck.tables.effects[row, WHEN]]}) did not come to an end; {limits}'


def counted(number: int, one: str, several: str = "") -> str:
    """A number with its noun: "1 card", "2 cards"."""
    return f"{number} {one if number == 1 else several or one + 's'}"


# Effects in words ----------------------------------------------------------------------------------------------------------------------


def instructions(rows: Rows, words: Words) -> str:
    """The text of a run of rows in one line, without the moments at their head; empty where ``words`` lacks one of their ops."""
    if not set(rows[:, OP].tolist()) <= {op.code for op in words.values()}:
        return ""
    rows = rows.copy()
    rows[:, WHEN] = TOLD
    return effect_text(rows, words.values())


def at_moments(deck: LoadedDeck, words: Words, face: int, *moments: int) -> str:
    """What a face does at these moments."""
    rows = deck.tables.effects[rows_of(deck.tables, face)]
    return " ".join(filter(None, (instructions(rows[rows[:, WHEN] == moment], words) for moment in moments)))


def whole_text(deck: LoadedDeck, words: Words, face: int) -> str:
    """Everything that a face does, in one line."""
    rows = deck.tables.effects[rows_of(deck.tables, face)]
    known = set(rows[:, OP].tolist()) <= {op.code for op in words.values()}
    return card_text(deck.tables, face, words).replace("\n", " ") if known else ""


def run_in_question(s: Any, deck: LoadedDeck) -> tuple[int, Rows]:
    """What an offer, a choice or a test is about: the face whose turn it is, and those of its rows that are left."""
    first, end = (int(s["agenda"][s["depth"] - 2, column]) for column in (A, B))
    cards = deck.tables.cards
    face = int(np.flatnonzero((cards["first"] < end) & (end <= cards["first"] + cards["count"]))[0])
    return face, deck.tables.effects[first:end]


def alternatives(s: Any, deck: LoadedDeck, words: Words) -> tuple[str, str]:
    """The two options of a choice."""
    _, rows = run_in_question(s, deck)
    one, other = rows[: step_argument(s, A)], rows[step_argument(s, A) :]
    return instructions(one, words), instructions(other, words) if len(other) else "Nothing."


def question(s: Any, deck: LoadedDeck, words: Words) -> str:
    """What an offer, a choice or a test is about, with the name of its card."""
    face, rows = run_in_question(s, deck)
    parts = alternatives(s, deck, words) if step_of(s) == CHOOSING else (instructions(rows, words),)
    return f"{deck.names['faces'][face]}: " + " - or - ".join(parts)


def with_text(head: str, text: str) -> str:
    """A head with what follows from it."""
    return f"{head}: {text}" if text else head


# Actions -------------------------------------------------------------------------------------------------------------------------------


def action_text(s: Any, deck: LoadedDeck, action: int, words: Words = SYSTEM) -> str:
    """What an action of the system does in this position; ``words`` are the deck's vocabulary."""
    for first, number, text in GROUPS:
        if first <= action < first + number:
            return text(s, deck, words, action - first) or act.STRONG_ACTIONS[action].text
    return act.STRONG_ACTIONS[action].text


def commit_text(s: Any, deck: LoadedDeck, words: Words, colour: int) -> str:
    """Where one die of a colour commits all of it, how many that are."""
    limits = s["modifiers"]
    if not limits[COMMIT_WHOLE_COLOUR]:
        return ""
    room = min(int(limits[COMMIT_LIMIT]) - int(s["committed_now"].sum()), int(limits[COMMIT_TOTAL]) - int(s["committed"]))
    return f"Commit {counted(min(int(s['ready'][colour]), room), f'{COLOURS[colour]} die', f'{COLOURS[colour]} dice')}"


PICKING = {
    APPLY: "Apply a {die}",
    KEEP: "Set a {die} aside",
    TURNING_MISS: "Turn a {die} to a basic hit",
    TURNING_HIT: "Turn a {die} to a crit",
    REROLLING: "Reroll a {die}",
    REROLLING_HITS: "Reroll a {die}",
    EXHAUSTING_HITS: "Exhaust a {die}",
    RETURNING: "Return a {die} to the pool",
    BANISHING: "Banish a {die}",
}


def pick_text(s: Any, deck: LoadedDeck, words: Words, index: int) -> str:
    colour, face = divmod(index, len(FACES))
    die, step = f"{COLOURS[colour]} {FACES[face]}", step_of(s)
    if step == BANISHING_APPLIED:
        return f"Banish a {die} applied to {deck.names['faces'][s['slot'][step_argument(s, B)]]}"
    if step == SWAPPING and face == MISS:
        return f"Swap a {die} with a hit of another colour"
    if step == SWAPPING:
        miss = COLOURS[step_argument(s, A)]
        return f"Swap the {miss} miss with a {die}: the {miss} die shows a {FACES[face]}, the {COLOURS[colour]} one a miss"
    return PICKING.get(step, "").format(die=die)


AIMS = {DEFEAT: "Defeat {card}", WOUND: "Deal {n} damage to {card}", SET_HEALTH: "Set the Health of {card} to {n}"}
AIMS[CANCEL] = "Cancel the effects of {card}"


def target_text(s: Any, deck: LoadedDeck, words: Words, slot: int) -> str:
    face, step = int(s["slot"][slot]), step_of(s)
    card = deck.names["faces"][face]
    if step == TARGET:
        return f"Apply the {COLOURS[step_argument(s, A)]} {FACES[step_argument(s, B)]} to {card}"
    if step == AIMING:
        return AIMS[step_argument(s, A)].format(card=card, n=step_argument(s, B))
    if step == BANISHING:
        return f"Banish a die applied to {card}"
    if step == ROLLED_EFFECTS:
        return with_text(f"Let {card} act", at_moments(deck, words, face, ROLLED))
    if step == AFTER_EFFECTS:
        moments = (AFTER,) if int(s["marks"][slot]) & DEFEATED else (AFTER_STANDING, AFTER)
        return with_text(f"Let {card} act", at_moments(deck, words, face, *moments))
    return f"Choose {card}"


def use_text(s: Any, deck: LoadedDeck, words: Words, index: int) -> str:
    """The hero comes after the items."""
    face = int(s["hero"] if index == MAX_ITEMS else s["items"][index])
    once = " once and for all" if index < MAX_ITEMS and deck.tables.cards[face]["uses"] == SINGLE_USE else ""
    return with_text(f"Use {deck.names['faces'][face]}{once}", at_moments(deck, words, face, USE))


def discard_text(s: Any, deck: LoadedDeck, words: Words, index: int) -> str:
    names = deck.names["faces"]
    room = f" to make room for {names[step_argument(s, A)]}" if step_of(s) == TAKE_ITEM else ""
    return f"Discard {names[s['items'][index]]}{room}"


def upgrade_text(s: Any, deck: LoadedDeck, words: Words, index: int) -> str:
    face = int(s["items"][index])
    other = int(deck.tables.cards[face]["other_side"])
    if other == NONE:
        return ""
    names = deck.names["faces"]
    return with_text(f"Upgrade {names[face]} to {names[other]}", whole_text(deck, words, other))


def stat_text(s: Any, deck: LoadedDeck, words: Words, stat: int) -> str:
    value, name = int(s["stats"][stat]), STATS[stat].capitalize()
    return {
        RAISING: f"Raise {name} from {value} to {min(value + 1, STAT_MAX)}",
        LOWERING: f"Lower {name} from {value} to {value - 1}",
    }.get(step_of(s), "")


def rolled_again(s: Any) -> int:
    """Unapplied dice that the next roll takes up again, as long as none is set aside."""
    shown = s["rolled"]
    return int(shown[:, HIT : CRIT + 1].sum()) + (0 if s["modifiers"][FIX_MISSES] else int(shown[:, MISS].sum()))


def roll_text(s: Any) -> str:
    again = rolled_again(s)
    dice = int(s["unrolled"].sum()) + again
    if not dice:
        return "Finish committing; there is nothing to roll"
    text = f"Finish committing and roll {counted(dice, 'die', 'dice')}" + (f", {again} of them again" if again else "")
    hits = int(s["rolled"][:, HIT : CRIT + 1].sum())
    return text + "; hits may be set aside first" * bool(s["modifiers"][KEEP_HITS] and hits)


DONE_TEXTS = {
    KEEP: "Set no more hits aside and roll",
    RECOVERING: "Recover no more dice",
    RESTORING: "Return no more dice",
    TURNING_MISS: "Turn no more misses",
    TURNING_HIT: "Turn no more hits",
    REROLLING: "Reroll no more dice",
    RETURNING: "Return no more dice",
    SWAPPING: "Swap nothing",
    UPGRADING: "Upgrade no more items",
}


def answer_text(s: Any, deck: LoadedDeck, words: Words, index: int) -> str:
    """Actions that end a phase, answer a question, or are the last of several."""
    action, step = act.ROLL_DICE + index, step_of(s)
    if action == act.ROLL_DICE and step == COMMIT:
        return roll_text(s)
    if action == act.AGAIN:
        rolls = strategy_of(s) + int(s["extra_passes"])
        return f"Repeat the Strategy phase: roll {int(s['passes']) + 1} of {rolls}, unapplied dice again"
    if action == act.RESOLVE:
        return f"Go on to the Resolve phase: {damage_due(s, deck.tables)} damage is due"
    if action == act.DONE:
        return DONE_TEXTS.get(step, "")
    if step == CHOOSING and action in (act.FIRST, act.SECOND):
        both = alternatives(s, deck, words)
        text = both[action - act.FIRST]
        return with_text(act.STRONG_ACTIONS[action].text, text) if both[0] == both[1] else text
    if action in (act.ACCEPT, act.DECLINE):
        return accept_text(s, deck, words) if action == act.ACCEPT else decline_text(s, deck)
    return ""


def accept_text(s: Any, deck: LoadedDeck, words: Words) -> str:
    names, step = deck.names["faces"], step_of(s)
    if step == TAKE_REWARD:
        face, twice = step_argument(s, B), " twice" if s["doubled"] > 0 else ""
        return with_text(f"Take the reward of {names[face]}{twice}", at_moments(deck, words, face, REWARD))
    if step == TAKE_ITEM:
        face = step_argument(s, A)
        once = " (for a single use)" if deck.tables.cards[face]["uses"] == SINGLE_USE else ""
        return with_text(f"Take {names[face]}{once}", whole_text(deck, words, face))
    if step == OFFERED:
        face, rows = run_in_question(s, deck)
        return with_text(f"Accept what {names[face]} offers", instructions(rows, words))
    return ""


def decline_text(s: Any, deck: LoadedDeck) -> str:
    names, step = deck.names["faces"], step_of(s)
    if step == TAKE_REWARD:
        return f"Leave the reward of {names[step_argument(s, B)]}"
    if step == TAKE_ITEM:
        return f"Leave {names[step_argument(s, A)]}: it is discarded"
    if step == OFFERED:
        return f"Decline what {names[run_in_question(s, deck)[0]]} offers"
    return ""


GROUPS = (
    (act.COMMIT_DIE, len(COLOURS), commit_text),
    (act.PICK_DIE, len(COLOURS) * len(FACES), pick_text),
    (act.TARGET_CARD, SLOTS, target_text),
    (act.USE_ITEM, MAX_ITEMS + 1, use_text),
    (act.DISCARD_ITEM, MAX_ITEMS, discard_text),
    (act.TURN_ITEM, MAX_ITEMS, upgrade_text),
    (act.PICK_STAT, len(STATS), stat_text),
    (act.ROLL_DICE, act.NUM_STRONG_ACTIONS - act.ROLL_DICE, answer_text),
)
"""Actions, by the first of a group and how many they are, and what tells of them; an empty text is the action's own."""
