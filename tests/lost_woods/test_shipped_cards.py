"""What the cards that ship are meant to do: guardians guard, and every action can come up."""

from pathlib import Path

import numpy as np
import pytest

from deckwood.core.batch import Batch
from deckwood.core.game import Game
from deckwood.core.spec import Node
from deckwood.lost_woods import phases as at
from deckwood.lost_woods.deck import SHIPPED, load_deck
from deckwood.lost_woods.spec import SPEC
from deckwood.lost_woods.state import BOTTOM, CAMP_SPACES, CARDS_PER_DECK, DEFEATED, GUARDIAN
from deckwood_agents.players.protocol import ask
from deckwood_agents.players.roster import make_agent
from tests.lost_woods.scenario import GOODS, SPACES, SPELLS, Table

DECK = load_deck()


def test_thirteen_ways_to_explore_in_each_direction() -> None:
    """Besides those of the bottom cards, for twelve cards: hardly a way is left when a deck runs out but the one past its guardian."""
    found = []
    for direction in range(4):
        bottoms = [CAMP_SPACES + CARDS_PER_DECK * other + BOTTOM for other in range(4)]
        camp = {(0, 1), (1, 1), (1, 3), (2, 3)}  # from one of its spaces to the next
        backwards = (direction + 2) % 4  # the deck whose cards lead back that way
        found.append(
            sum(
                int(DECK.tables.ways[space, direction])
                for space in range(len(SPACES))
                if space not in bottoms
                and (space, direction) not in camp
                and (space < CAMP_SPACES or (space - CAMP_SPACES) // CARDS_PER_DECK != backwards)
            )
        )
    assert found == [13, 13, 13, 13]


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4, 6])
def test_the_way_out_is_mostly_past_a_guardian(players: int) -> None:
    """Of the escapes of experts seven in ten at least are in a direction whose guardian has fallen, most of them from its card; games
    that are cut or fully explored are rare."""
    n = 400
    game = Game(SPEC, num_players=players)
    expert = make_agent("expert", SPEC, game.deck)
    expert.reset(1)
    batch, live, actions = Batch(game, n, seed=20 + players, autoreset=False), np.arange(n), np.zeros(n, np.int64)
    while live.size:
        actions[live] = ask(expert, batch, live)
        batch.step(actions[live], live)
        live = live[~(batch.terminated | batch.truncated)[live]]
    s, rows = batch.positions, np.flatnonzero(batch.ended == 1)
    fallen = s.guardian_at[rows, s.way[rows]] == DEFEATED
    from_its_card = s.at[rows, s.turn[rows]] == CAMP_SPACES + CARDS_PER_DECK * s.way[rows] + BOTTOM
    assert fallen.mean() >= 0.7
    assert (fallen & from_its_card).mean() >= 0.63
    assert not batch.truncated.any()
    assert (batch.ended == 2).mean() < 0.04


def with_every_kind_of_weapon(tmp_path: Path) -> Table:
    """The deck that ships, but for a D20 weapon, which it has none of; all cards on the table, with six adventurers."""
    path = tmp_path / "d20.toml"
    path.write_text(SHIPPED.read_text(encoding="utf-8").replace("d8 = 5", "d8 = 4\nd20 = 1"), encoding="utf-8")
    return Table(6, deck=load_deck(path))


def test_every_action_can_be_legal(tmp_path: Path) -> None:
    """All 130, three of them only with a deck that has a D20 weapon: dropping it, taking it, and fighting with it."""
    seen = set()
    everything = {**dict.fromkeys(GOODS, 1), **dict.fromkeys(SPELLS, 1)}

    def look(t: Table, phase: int, mover: int = 0) -> None:
        t.s.phase, t.s.node, t.s.mover = phase, Node.DECISION, mover
        seen.update(t.legal)

    t = with_every_kind_of_weapon(tmp_path)
    for deck, x, y in (("n", 0, 1), ("e", 2, 0), ("s", 0, -1), ("w", -2, 0)):
        t.place(**{f"{deck}1": (x, y)})
    look(t.owns(0, **everything).lay("west", gold=1), at.MOVING)
    look(t, at.EXPLORING)
    look(t.stand(0, "n1"), at.EXPLORING)
    look(t.owns(0).lay("n1", **everything), at.MOVING)
    t = with_every_kind_of_weapon(tmp_path).owns(0, **everything)
    for space in ("west", "east", "centre"):
        look(t.stand(0, space), at.MOVING)
        look(t, at.EXPLORING)
    here = SPACES.index("centre")
    t.s.enemies[here], t.s.guardian_at[0], t.s.foes[here] = 1, here, 13
    look(t, at.ATTACKING)
    t.s.foe = GUARDIAN
    look(t, at.CHOOSING_WEAPON)
    t.s.weapon, t.s.own_roll, t.s.foe_roll = 0, 1, 2
    for phase in (at.ROLLED, at.BATTLE_LOST, at.REVIVED):
        look(t, phase)
    t.s.tied[:] = 1
    look(t, at.TIE_ROLLED)
    t = with_every_kind_of_weapon(tmp_path)
    look(t, at.RICHEST)
    t.s.placed[:] = 1
    look(t, at.TELEPORTING)
    t = with_every_kind_of_weapon(tmp_path).place(n3=(0, 1), e3=(2, 0), s3=(0, -1), w3=(-2, 0))
    for space in ("centre", "east", "west"):
        look(t.stand(0, space), at.MOVING)
    assert {action.name for action in SPEC.actions} - seen == set()
