"""The words that a card's effects are written in: one entry per op, from which loader, rules and docs take everything.

An effect in a deck file is ``{when = "...", op = "...", ...}`` with the op's own arguments. Modifiers stand while their card does
(``when`` is ``during`` or ``always``); instructions are carried out at a moment.
"""

from __future__ import annotations

from dataclasses import dataclass

# Standing modifiers of the whole table. An op's number is its place in a position's ``modifiers``.
(
    COMMIT_LIMIT,
    COMMIT_TOTAL,
    COMMIT_BAN,
    COMMIT_ONE_EACH,
    COMMIT_WHOLE_COLOUR,
    STRATEGY_CHANGE,
    RECOVERY_CHANGE,
    NO_RECOVERY,
    HIT_BONUS,  # ... and the four after it: one for each colour
    _HIT_BONUS_GREEN,
    _HIT_BONUS_BLUE,
    _HIT_BONUS_PURPLE,
    _HIT_BONUS_RED,
    CRIT_BONUS,
    CRITS_VOID,
    HITS_VOID,
    SWAP_HITS,
    KEEP_HITS,
    FIX_MISSES,
    FALL_LIMIT,
    APPLY_LIMIT_ALL,
    ENEMY_HEALTH,
    ENEMY_DAMAGE,
    SHIELD_ALWAYS,
    BRIBE_CHANGE,
    NO_BRIBES,
    PRICE_CHANGE,
    NO_ITEMS,
) = range(28)
FIRST_DECK_MODIFIER = 28
"""The four from here on are left to decks, which define them for themselves; their counts add up."""

# Standing modifiers of the enemy that carries them. An op's number less FIRST_SLOT_OP is its place in ``slot_modifiers``.
FIRST_SLOT_OP = 32
(
    APPLY_LIMIT,
    APPLY_PER_ROLL,
    APPLY_BAN,
    APPLY_ONE_EACH,
    APPLY_ONE_COLOUR,
    PAIRS_ONLY,
    COLOURS_NEEDED,
    DAMAGE_CAP,
    PROTECTED,
    CRITS_VOID_HERE,
    HITS_VOID_HERE,
    HIT_BONUS_HERE,
    CRITS_ONLY,
    NO_CRITS,
) = range(FIRST_SLOT_OP, FIRST_SLOT_OP + 14)

# Instructions.
FIRST_INSTRUCTION = 48
(
    GAIN_STAT,
    LOSE_STAT,
    GAIN_ANY_STAT,
    LOSE_ANY_STAT,
    RECOVER,
    RECOVER_COLOUR,
    RECOVER_BY_ROLL,
    EXHAUST,
    EXHAUST_BEST,
    BANISH,
    BANISH_BEST,
    BANISH_MISSES,
    BANISH_APPLIED,
    RESTORE,
    RESTORE_COLOUR,
    GAIN_ITEM,
    LOSE_ITEM,
    UPGRADE_ITEM,
    ACTIVATE,
    FLEE,
    RETURN_TO_DECK,
    DEFEAT,
    WOUND,
    SET_HEALTH,
    CANCEL,
    DOUBLE_REWARD,
    SHIELD,
    EXTRA_PASS,
    TURN_MISS,
    TURN_HIT,
    REROLL,
    REROLL_MISSES,
    REROLL_HITS,
    EXHAUST_HITS,
    SWAP_DICE,
    RETURN_DIE,
    FLIP_HERO,
    KEEP_CARD,
    PAY_STAT,
    PAY_DICE,
    OFFER,
    CHOOSE,
    TEST,
    GAIN_GOLD,
    LOSE_GOLD,
    PAY_GOLD,
) = range(FIRST_INSTRUCTION, FIRST_INSTRUCTION + 46)

FIRST_DECK_OP = 96
"""Ops from here on belong to one deck, which carries them out itself."""

# How modifiers of the same kind from several cards combine.
MIN, SUM, OR, MAX = range(4)
NO_LIMIT = 20
"""What an absent limit counts as: more than there are dice, and than any limit may be."""

# What an op's arguments mean. Stored in a row's WHAT and COUNT.
NOTHING, COLOUR, COLOUR_SET, STAT, FACE, FOREST_SIDE, NUMBER = range(7)


@dataclass(frozen=True)
class Op:
    """One word of the vocabulary."""

    name: str
    code: int
    text: str  # what it does; {what} and {count} stand for the arguments
    what: int = NOTHING
    count: tuple[int, int] | None = None  # the range of ``count``, or None where the op takes none
    combine: int | None = None  # for a modifier; None for an instruction
    per: bool = False  # may be multiplied with ``per``
    branches: tuple[str, str] | None = None  # it chooses between the next ``count`` instructions and those after them; when each is taken
    raises: tuple[str, ...] = ()  # moments that it brings about unasked, using nothing up: answers to them may go round and round

    @property
    def is_modifier(self) -> bool:
        return self.combine is not None

    @property
    def here(self) -> bool:
        """True for a modifier of the enemy that carries it."""
        return FIRST_SLOT_OP <= self.code < FIRST_INSTRUCTION


OPS: tuple[Op, ...] = (
    Op("commit_limit", COMMIT_LIMIT, "At most {count} dice may be committed at once.", count=(0, 17), combine=MIN),
    Op("commit_total", COMMIT_TOTAL, "At most {count} dice may be committed in this engagement.", count=(0, 17), combine=MIN),
    Op("commit_ban", COMMIT_BAN, "No {what} dice may be committed.", what=COLOUR_SET, combine=OR),
    Op("commit_one_each", COMMIT_ONE_EACH, "Only one die of each colour may be committed at once.", combine=OR),
    Op("commit_whole_colour", COMMIT_WHOLE_COLOUR, "Committing one die of a colour commits every ready die of it.", combine=OR),
    Op("strategy_change", STRATEGY_CHANGE, "Strategy counts {count} more (never below 1); the die stays.", count=(-5, 5), combine=SUM),
    Op("recovery_change", RECOVERY_CHANGE, "Recovery counts {count} more (never below 0); the die stays.", count=(-5, 5), combine=SUM),
    Op("no_recovery", NO_RECOVERY, "No dice are recovered in the Recover Dice step.", combine=OR),
    Op(
        "hit_bonus", HIT_BONUS, "Hits of {what} dice deal {count} more damage (never below 0).", what=COLOUR_SET, count=(-2, 3), combine=SUM
    ),
    Op("crit_bonus", CRIT_BONUS, "Crits deal {count} more damage (never below 0).", count=(-2, 4), combine=SUM),
    Op("crits_void", CRITS_VOID, "Crits deal no damage.", combine=OR),
    Op("hits_void", HITS_VOID, "Hits of {what} dice deal no damage.", what=COLOUR_SET, combine=OR),
    Op(
        "swap_hits",
        SWAP_HITS,
        "Dice rolled show hits and misses the wrong way round: a miss is a basic hit, a hit or crit is a miss.",
        combine=OR,
    ),
    Op("keep_hits", KEEP_HITS, "Before a reroll, any unapplied hits may be set aside from it.", combine=OR),
    Op("fix_misses", FIX_MISSES, "Misses may not be rerolled when the Strategy phase is repeated.", combine=OR),
    Op("fall_limit", FALL_LIMIT, "At most {count} enemies may be defeated in one Apply Dice step.", count=(0, 8), combine=MIN),
    Op("apply_limit_all", APPLY_LIMIT_ALL, "At most {count} dice may be applied after one roll.", count=(0, 17), combine=MIN),
    Op("enemy_health", ENEMY_HEALTH, "Every enemy has {count} more Health (never below 1).", count=(-3, 3), combine=SUM),
    Op("enemy_damage", ENEMY_DAMAGE, "Every undefeated enemy deals {count} more Damage (never below 0).", count=(-3, 3), combine=SUM),
    Op("shield_always", SHIELD_ALWAYS, "Each Suffer Damage step costs {count} less Health.", count=(-3, 3), combine=SUM),
    Op("bribe_change", BRIBE_CHANGE, "A bribe costs {count} more gold (never below 0).", count=(-10, 10), combine=SUM),
    Op("no_bribes", NO_BRIBES, "No enemy can be bribed.", combine=OR),
    Op("price_change", PRICE_CHANGE, "Every merchant action costs {count} more gold (never below 0).", count=(-5, 5), combine=SUM),
    Op("no_items", NO_ITEMS, "Items cannot be used.", combine=OR),
    Op("apply_limit", APPLY_LIMIT, "At most {count} dice may be applied to this enemy.", count=(1, 17), combine=MIN),
    Op("apply_per_roll", APPLY_PER_ROLL, "At most {count} dice may be applied to this enemy after one roll.", count=(1, 17), combine=MIN),
    Op("apply_ban", APPLY_BAN, "No {what} dice may be applied to this enemy.", what=COLOUR_SET, combine=OR),
    Op("apply_one_each", APPLY_ONE_EACH, "Only one die of each colour may be applied to this enemy.", combine=OR),
    Op("apply_one_colour", APPLY_ONE_COLOUR, "All dice applied to this enemy must be of one colour.", combine=OR),
    Op("pairs_only", PAIRS_ONLY, "Dice deal damage to this enemy in pairs of one colour only.", combine=OR),
    Op(
        "colours_needed",
        COLOURS_NEEDED,
        "Dice of {count} different colours must be applied to defeat this enemy.",
        count=(2, 5),
        combine=MAX,
    ),
    Op("damage_cap", DAMAGE_CAP, "This enemy takes at most {count} damage a round.", count=(1, 20), combine=MIN),
    Op("protected", PROTECTED, "This enemy takes no damage while another enemy is undefeated.", combine=OR),
    Op("crits_void_here", CRITS_VOID_HERE, "Crits deal no damage to this enemy.", combine=OR),
    Op("hits_void_here", HITS_VOID_HERE, "Hits of {what} dice deal no damage to this enemy.", what=COLOUR_SET, combine=OR),
    Op("hit_bonus_here", HIT_BONUS_HERE, "Every hit deals {count} more damage to this enemy (never below 0).", count=(-2, 3), combine=SUM),
    Op("crits_only", CRITS_ONLY, "Only crits may be applied to this enemy.", combine=OR),
    Op("no_crits", NO_CRITS, "Crits may not be applied to this enemy.", combine=OR),
    Op("gain_stat", GAIN_STAT, "Gain {count} {what}.", what=STAT, count=(1, 5), per=True),
    Op("lose_stat", LOSE_STAT, "Lose {count} {what} (Strategy and Recovery never below 1).", what=STAT, count=(1, 5), per=True),
    Op("gain_any_stat", GAIN_ANY_STAT, "Gain 1 in a stat of your choice, {count} times.", count=(1, 3)),
    Op("lose_any_stat", LOSE_ANY_STAT, "Lose 1 in a stat of your choice, {count} times.", count=(1, 3)),
    Op("recover", RECOVER, "Recover up to {count} dice of your choice.", count=(1, 17), per=True),
    Op("recover_colour", RECOVER_COLOUR, "Recover up to {count} {what} dice.", what=COLOUR, count=(1, 17)),
    Op("recover_by_roll", RECOVER_BY_ROLL, "Roll every exhausted die; those that show a hit are recovered."),
    Op("exhaust", EXHAUST, "Exhaust {count} ready dice of your choice.", count=(1, 17), per=True),
    Op("exhaust_best", EXHAUST_BEST, "Exhaust your {count} strongest ready dice.", count=(1, 17), per=True),
    Op("banish", BANISH, "Banish {count} dice of your choice, from any area.", count=(1, 5), per=True),
    Op("banish_best", BANISH_BEST, "Banish your {count} strongest ready dice.", count=(1, 5), per=True),
    Op("banish_misses", BANISH_MISSES, "Banish up to {count} unapplied committed dice that show a miss, weakest first.", count=(1, 17)),
    Op("banish_applied", BANISH_APPLIED, "Banish {count} dice of your choice of those applied to this enemy.", count=(1, 5)),
    Op("restore", RESTORE, "Return up to {count} banished dice of your choice to the pool.", count=(1, 5)),
    Op("restore_colour", RESTORE_COLOUR, "Return a banished {what} die to the pool.", what=COLOUR),
    Op("gain_item", GAIN_ITEM, "Gain {count} random items.", count=(1, 3)),
    Op("lose_item", LOSE_ITEM, "Discard {count} items of your choice.", count=(1, 6)),
    Op("upgrade_item", UPGRADE_ITEM, "Turn up to {count} held items to their upgraded side.", count=(1, 6)),
    Op("activate", ACTIVATE, "Activate {count} more enemies at once.", count=(1, 3), per=True),
    Op(
        "flee",
        FLEE,
        "This enemy flees, undefeated, once {count} committed dice show a {what}.",
        what=FACE,
        count=(1, 17),
    ),
    Op("return_to_deck", RETURN_TO_DECK, "This enemy is shuffled back into its deck."),
    Op("defeat", DEFEAT, "Defeat an undefeated non-boss enemy of your choice."),
    Op("wound", WOUND, "Deal {count} damage to an undefeated enemy of your choice.", count=(1, 10), per=True),
    Op("set_health", SET_HEALTH, "Set the Health of an undefeated enemy of your choice to {count}.", count=(1, 10)),
    Op("cancel", CANCEL, "Cancel the effects of an undefeated enemy of your choice for as long as it is in play."),
    Op("double_reward", DOUBLE_REWARD, "The next {count} Instant rewards taken this round are gained twice.", count=(1, 3)),
    Op("shield", SHIELD, "Suffer {count} less damage this round.", count=(1, 20), per=True),
    Op("extra_pass", EXTRA_PASS, "The Strategy phase may be repeated {count} more times in this engagement.", count=(1, 3)),
    Op("turn_miss", TURN_MISS, "Turn up to {count} unapplied misses to basic hits.", count=(1, 17)),
    Op("turn_hit", TURN_HIT, "Turn up to {count} unapplied basic hits to crits.", count=(1, 17)),
    Op("reroll", REROLL, "Reroll up to {count} unapplied dice of your choice, one at a time.", count=(1, 17)),
    Op("reroll_misses", REROLL_MISSES, "Reroll every unapplied miss."),
    Op("reroll_hits", REROLL_HITS, "Reroll {count} unapplied hits of your choice.", count=(1, 17), per=True),
    Op("exhaust_hits", EXHAUST_HITS, "Exhaust {count} unapplied hits of your choice.", count=(1, 17), per=True),
    Op("swap_dice", SWAP_DICE, "Swap what two unapplied dice of your choice show: a miss of one colour with a hit of another."),
    Op("return_die", RETURN_DIE, "Return up to {count} unapplied committed dice to the pool.", count=(1, 17)),
    Op("flip_hero", FLIP_HERO, "Flip your hero."),
    Op("keep_card", KEEP_CARD, "Keep this card next to your hero for {count} rounds (0: to the end of the game).", count=(0, 20)),
    Op("pay_stat", PAY_STAT, "Cost: lose {count} {what} (only if it stays at 1 or more).", what=STAT, count=(1, 5)),
    Op("pay_dice", PAY_DICE, "Cost: exhaust {count} ready dice of your choice.", count=(1, 5)),
    Op("offer", OFFER, "You may decline the rest of this effect."),
    Op("choose", CHOOSE, "Choose one: the next {count} instructions, or those after them.", count=(1, 4)),
    Op(
        "test",
        TEST,
        "Roll a {what} die from the box: on a hit the next {count} instructions, on a miss those after them.",
        what=COLOUR,
        count=(0, 4),
        branches=("Roll a {what} die from the box: on a hit", "on a miss"),
    ),
    Op("gain_gold", GAIN_GOLD, "Gain {count} gold.", count=(1, 20), per=True),
    Op("lose_gold", LOSE_GOLD, "Lose {count} gold, or all you have.", count=(1, 20), per=True),
    Op("pay_gold", PAY_GOLD, "Cost: pay {count} gold.", count=(1, 20)),
)
"""The ops of the system. A deck adds its own."""

COMBINE: tuple[int, ...] = tuple(
    {
        **{op.code: op.combine for op in OPS if op.combine is not None},
        **{HIT_BONUS + c: SUM for c in range(5)},
        **{FIRST_DECK_MODIFIER + k: SUM for k in range(4)},
    }.get(code, OR)
    for code in range(FIRST_INSTRUCTION)
)
"""How each modifier combines, by op code."""
