"""The match itself, on a toy game: it agrees with a right referee and notices every kind of wrong one."""

from collections.abc import Callable, Generator, Iterator

import pytest

from deckwood.core.game import Game
from tests.games import pig
from tests.referee.match import Chance, Decision, Disagreement, Fields, Result, match

Die = dict[str, int]
FAIR: Die = {f"rolled {face}": 1 for face in range(1, 7)}


class Pig:
    """Pig, with a rule that may be wrong."""

    def __init__(
        self,
        *,
        die: Die = FAIR,
        ones_lose: bool = True,
        last_hold: bool = False,
        moves: Callable[[int], int] = lambda seat: 1 - seat,
        paid: float = 1,
    ) -> None:
        self.die, self.ones_lose, self.last_hold, self.moves, self.paid = die, ones_lose, last_hold, moves, paid
        self.scores, self.turn = [0, 0], 0

    def facts(self) -> dict[str, object]:
        return {"scores": self.scores, "turn": self.turn}

    def play(self) -> Generator[Decision | Chance, str, Result]:
        seat = 0
        while True:
            yield from self.turn_of(seat)
            self.scores[seat] += self.turn
            if self.scores[seat] >= 30:
                return Result("target_reached", (self.paid, -self.paid) if seat == 0 else (-self.paid, self.paid))
            self.turn, seat = 0, self.moves(seat)

    def turn_of(self, seat: int) -> Iterator[Decision | Chance]:
        while True:
            enough = self.scores[seat] + self.turn >= 30 and not self.last_hold
            actions = [*(["roll"] if not enough else []), *(["hold"] if self.turn else [])]
            if (yield Decision(seat, actions)) == "hold":
                return
            face = int((yield Chance(self.die)).removeprefix("rolled "))
            if face == 1 and self.ones_lose:
                self.turn = 0
                return
            self.turn += face


def facts(s: Fields) -> dict[str, object]:
    return {"scores": s["scores"].tolist(), "turn": s["turn"]}


def test_a_right_referee_agrees() -> None:
    tally = match(Game(pig.SPEC), Pig, facts, seed=1, decisions=2_000, players=["random"])
    assert tally.decisions >= 2_000
    assert tally.endings == {"target_reached": tally.games}
    assert tally.games > 20
    assert set(tally.actions) == {"roll", "hold"}


@pytest.mark.parametrize(
    ("wrong", "noticed"),
    [
        (lambda: Pig(ones_lose=False), "facts at|by the referee seat|CHANCE"),
        (lambda: Pig(die={**FAIR, "rolled 6": 2}), "odds at the die: rolled 6: 1/6 in the game, 2/7 by the referee"),
        (lambda: Pig(last_hold=True), "the referee"),
        (lambda: Pig(moves=lambda seat: seat), "by the referee seat 0"),
        (lambda: Pig(paid=2), "the game ends with"),
        (lambda: Pig(die={"rolled 7": 1, **FAIR}), "rolled 7: 0/6 in the game"),
    ],
)
def test_a_wrong_referee_is_noticed(wrong: Callable[[], Pig], noticed: str) -> None:
    with pytest.raises(Disagreement, match=noticed) as told:
        match(Game(pig.SPEC), wrong, facts, seed=1, decisions=2_000, players=["random"])
    assert "seed=1" in str(told.value)


def test_a_game_can_be_played_again_alone() -> None:
    """What went wrong is found again by the number of the game."""
    with pytest.raises(Disagreement) as first:
        match(Game(pig.SPEC), lambda: Pig(ones_lose=False), facts, seed=5, decisions=10_000, players=["random"])
    number = int(str(first.value).partition("only=")[2].partition(",")[0])
    with pytest.raises(Disagreement) as again:
        match(Game(pig.SPEC), lambda: Pig(ones_lose=False), facts, seed=5, decisions=10_000, players=["random"], only=number)
    assert str(again.value) == str(first.value)
