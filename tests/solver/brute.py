"""The rules of a plain fight once more, as slowly as they read: dice one by one, every choice tried, every roll weighed."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

MISS, HIT, CRIT = range(3)
SIDES = ((4, 1, 1), (3, 2, 1), (2, 3, 1), (1, 4, 1), (0, 5, 1))
"""Sides of a yellow, green, blue, purple and red die that show a miss, a hit, a crit."""


class BruteForce:
    """Expectimax over a fight. Dice are tuples of colours, shown dice are tuples of (colour, face).

    ``may_commit(more, ready, committed)`` says whether these dice may be committed in one step, after ``committed`` dice in the steps
    before. With ``fixed_misses`` dice that miss are not rolled again. ``bonus`` is the colour of a further die that is recovered.
    """

    def __init__(self, fight, objective, may_commit=None, fixed_misses=False, bonus=None):
        self.fight, self.objective = fight, objective
        self.may_commit, self.fixed_misses, self.bonus = may_commit, fixed_misses, bonus
        self.spent = dice_of(fight.exhausted)
        self.committing, self.rolling, self.applying, self.resolving = map(cache, (self.commit, self.roll, self.apply, self.resolve))

    def value(self):
        return self.committing(dice_of(self.fight.ready), (), self.full(), 0)

    def value_of(self, commit):
        """The value of beginning with these dice, counted by colour."""
        dice = dice_of(commit)
        return self.rolling(without(dice_of(self.fight.ready), dice), dice, self.full(), 1)

    def full(self):
        return tuple(enemy.health for enemy in self.fight.enemies)

    def stats(self, left):
        """Health, Strategy, Recovery and gold with the rewards of those who have fallen."""
        health, strategy, recovery, gold = self.fight.health, self.fight.strategy, self.fight.recovery, self.fight.gold
        for enemy, still in zip(self.fight.enemies, left, strict=True):
            if not still:
                health = min(6, health + enemy.gain_health)
                strategy = min(6, strategy + enemy.gain_strategy)
                recovery = min(6, recovery + enemy.gain_recovery)
                gold = min(20, gold + enemy.gold)
        return health, strategy, recovery, gold

    def commit(self, ready, hand, left, rolls):
        committed = sum(self.fight.ready) - len(ready)
        return max(
            self.rolling(without(ready, more), tuple(sorted(hand + more)), left, rolls + 1)
            for more in subsets(ready)
            if self.may_commit is None or self.may_commit(more, ready, committed)
        )

    def roll(self, ready, hand, left, rolls):
        mean = 0.0
        for faces in product(range(3), repeat=len(hand)):
            chance = 1.0
            for colour, face in zip(hand, faces, strict=True):
                chance *= SIDES[colour][face] / 6
            if chance > 0:
                mean += chance * self.applying(ready, tuple(sorted(zip(hand, faces, strict=True))), left, rolls)
        return mean

    def apply(self, ready, shown, left, rolls):
        values = [self.resolving(ready, left)]
        if any(left) and rolls < self.stats(left)[1]:
            hand = tuple(colour for colour, face in shown if face != MISS or not self.fixed_misses)
            values.append(self.committing(ready, hand, left, rolls))
        for die in set(shown):
            for enemy, health in enumerate(left):
                if die[1] != MISS and health > 0:
                    now = (*left[:enemy], max(0, health - die[1]), *left[enemy + 1 :])
                    values.append(self.applying(ready, without(shown, [die]), now, rolls))
        return max(values)

    def resolve(self, ready, left):
        fight, objective = self.fight, self.objective
        health, strategy, recovery, gold = self.stats(left)
        due = sum(enemy.damage for enemy, still in zip(fight.enemies, left, strict=True) if still)
        health -= max(0, due - fight.shield)
        if health < 1:
            return objective.lost
        objective_value = objective.health * health + objective.strategy * strategy + objective.recovery * recovery + objective.gold * gold
        objective_value += objective.fallen * left.count(0) + objective.won * (not any(left))
        prize = sum(enemy.recover for enemy, still in zip(fight.enemies, left, strict=True) if not still)
        used = without(dice_of(fight.ready), ready)
        back = max(
            self.value_of_dice(given) + self.recovery(tuple(sorted(without(self.spent, given) + used)), recovery)
            for given in subsets(self.spent, prize)
        )
        return objective_value + self.value_of_dice(ready) + back

    def recovery(self, exhausted, number):
        """The best of all ways to recover up to so many dice, and one of the further colour besides."""
        ways = list(subsets(exhausted, number))
        if self.bonus in exhausted:
            rest = without(exhausted, [self.bonus])
            ways += [(self.bonus, *chosen) for chosen in subsets(rest, number)]
        return max(map(self.value_of_dice, ways))

    def value_of_dice(self, dice):
        return sum(self.objective.ready[colour] for colour in dice)


def dice_of(counts):
    """Counts by colour as single dice."""
    return tuple(colour for colour, n in enumerate(counts) for _ in range(n))


def without(dice, taken):
    left = list(dice)
    for die in taken:
        left.remove(die)
    return tuple(left)


def subsets(dice, most=99):
    """Every choice of up to so many dice."""
    return {chosen for n in range(min(most, len(dice)) + 1) for chosen in combinations(dice, n)}
