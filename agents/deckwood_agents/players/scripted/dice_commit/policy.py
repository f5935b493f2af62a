"""Scripted players of DiceCommit: ``greedy`` follows simple habits, ``expert`` weighs what it does as a good player would."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.strong import actions as act
from deckwood.strong.cards import damage_of, is_standing
from deckwood.strong.pool import unapplied
from deckwood.strong.steps import (
    APPLY,
    BANISHING,
    CHOOSING,
    COMMIT,
    EXHAUSTING,
    LOWERING,
    OFFERED,
    RAISING,
    RECOVERING,
    REROLLING,
    RESTORING,
    STEP,
    TAKE_REWARD,
    TARGET,
    TURNING_HIT,
    TURNING_MISS,
    A,
    top,
)
from deckwood.strong.terms import AFTER_STANDING, HEALTH, MISS, NONE
from deckwood_agents.players.scripted.masks import any_action, first_allowed, last_allowed
from deckwood_agents.players.scripted.strong.choices import (
    banish_choice,
    expected_damage,
    fight_choice,
    health_standing,
    lowest_stat,
    offer_choice,
    option_choice,
    recover_strongest,
    reroll_choice,
    stat_choice,
    weakest_enemy,
)
from deckwood_agents.players.scripted.strong.fight import health_after
from deckwood_agents.players.scripted.strong.value import value_at

POINTS = 1.3  # of a unit of the objective, in the points that a fight's plan reckons in: what lost least on the fights that ship

# ------------------------------------------------------------------------------------------------------------------------ greedy


@rule
def greedy_choice(s, deck, mask, step):
    """What greedy does at a step, or NONE where it has no habit."""
    if step == COMMIT:
        if expected_damage(s) >= health_standing(s, deck):
            return act.ROLL_DICE
        return first_allowed(mask, act.COMMIT_DIE, act.COMMIT_DIE + 5)
    if step == APPLY:
        if health_standing(s, deck) == 0:
            return act.RESOLVE
        pick = first_allowed(mask, act.PICK_DIE, act.PICK_DIE + 15)
        if pick != NONE:
            return pick
        return act.AGAIN if mask[act.AGAIN] and unapplied(s, MISS) > 0 else act.RESOLVE
    if step == TARGET:
        return weakest_enemy(s, deck, mask)
    if step == TURNING_MISS or step == TURNING_HIT:
        return first_allowed(mask, act.PICK_DIE, act.PICK_DIE + 15)
    if step == REROLLING:
        return reroll_choice(mask)
    if step == RECOVERING:
        return recover_strongest(mask, s.exhausted, act.RECOVER_DIE, top(s, A))
    if step == RAISING:
        return lowest_stat(s, mask)
    if step == LOWERING:
        return last_allowed(mask, act.PICK_STAT, act.PICK_STAT + 3)
    return NONE


@rule
def greedy(s, deck, mask):
    """Habits, one step at a time: enough dice for the enemies' Health on average, every hit applied, every roll with a miss repeated."""
    action = greedy_choice(s, deck, mask, top(s, STEP))
    if action != NONE and mask[action]:
        return action
    if mask[act.ACCEPT]:
        return act.ACCEPT
    return act.DONE if mask[act.DONE] else any_action(mask)


# ------------------------------------------------------------------------------------------------------------------------ expert


@rule
def health_lost(s, deck, damage):
    """What losing so much Health costs under the objective, which counts nothing but ``lost`` where none is left."""
    if damage < s.stats[HEALTH]:
        return float(deck.objective.health) * damage
    return float(deck.objective.health) * int(s.stats[HEALTH]) - float(deck.objective.lost)


@rule
def prize(s, deck, slot):
    """What an enemy's fall is worth beside the damage that it would deal, which the plan of a fight reckons by an adventure's worth of
    Health; the difference to this objective's is made up for here."""
    if s.slot[slot] == NONE or not is_standing(s, deck, slot):
        return 0.0
    face, damage = int(s.slot[slot]), damage_of(s, deck, slot)
    gain = float(deck.prizes[face]) + health_lost(s, deck, damage)
    return POINTS * gain - (health_after(s, 0) - health_after(s, damage)) - value_at(s, deck, face, AFTER_STANDING)


@rule
def prizes_of(s, deck):
    """The prize of every slot."""
    return (
        prize(s, deck, 0),
        prize(s, deck, 1),
        prize(s, deck, 2),
        prize(s, deck, 3),
        prize(s, deck, 4),
        prize(s, deck, 5),
        prize(s, deck, 6),
        prize(s, deck, 7),
    )


@rule
def card_choice(s, deck, mask, step):
    """Rewards, stats and dice; NONE at other steps."""
    if step == TAKE_REWARD:
        return act.ACCEPT
    if step == RECOVERING:
        return recover_strongest(mask, s.exhausted, act.RECOVER_DIE, top(s, A))
    if step == RESTORING:
        return recover_strongest(mask, s.banished, act.RESTORE_DIE, top(s, A))
    if step == EXHAUSTING:
        return first_allowed(mask, act.EXHAUST_DIE, act.EXHAUST_DIE + 5)
    if step == BANISHING:
        return banish_choice(mask)
    if step == RAISING:
        return stat_choice(s, mask, 1)
    if step == LOWERING:
        return stat_choice(s, mask, -1)
    if step == OFFERED:
        return offer_choice(s, deck, mask)
    if step == CHOOSING:
        return option_choice(s, deck)
    return NONE


@rule
def expert(s, deck, mask):
    """Plays as a good player would, by weighing in points what each choice is likely to bring."""
    step = top(s, STEP)
    action = fight_choice(s, deck, prizes_of(s, deck), mask, step)
    if action == NONE:
        action = card_choice(s, deck, mask, step)
    if action != NONE and mask[action]:
        return action
    return act.DONE if mask[act.DONE] else any_action(mask)
