"""What somebody may be sent, crafted: refused with a reason, or a game that goes on within its limits."""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckwood.core.batch import Batch
from deckwood.core.campaign import Campaign
from deckwood.core.errors import CampaignError, DeckError, SnapshotError
from deckwood.core.registry import games
from deckwood.core.registry import spec as spec_of
from deckwood.core.replay import game_of_replay, play, read_replay, replay
from deckwood.core.saved import MAGIC, unpack
from tests.fuzz.mutate import crafted, flip

RECORDS = 20_000
REPLAYS = 1_000
CAMPAIGNS = 3_000
DECISIONS = 50
REMEMBERING = [game for game in games() if spec_of(game).remembered]


def with_digest(body: bytes) -> bytes:
    return MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def played(game: str, decisions: int, **keywords: Any) -> Batch:
    """A game after so many random decisions, with a branch halfway; where it is over, as it ended."""
    batch = Batch(game, 1, seed=1, autoreset=False, **keywords)
    for number in range(decisions):
        if not batch.mask.any():
            break
        batch.step(batch.random_actions())
        if number == decisions // 2:
            batch.reseed(7)
    return batch


def bodies(game: str) -> list[bytes]:
    """Short games, one of them with a branch."""
    return [played(game, decisions).save()[len(MAGIC) + 65 :] for decisions in (0, 4, 12)]


@pytest.mark.parametrize("game", games())
def test_a_crafted_saved_game_is_refused_or_played_on(game: str) -> None:
    rng, batch, texts = np.random.default_rng(16), Batch(game, 1, seed=0), bodies(game)
    low = np.concatenate([np.full(feature.size, feature.low, np.float32) for feature in batch.spec.features])
    high = np.concatenate([np.full(feature.size, feature.high, np.float32) for feature in batch.spec.features])
    reasons: set[str] = set()
    accepted = 0
    for number in range(RECORDS):
        data = with_digest(crafted(rng, texts[number % len(texts)], len(batch.spec.actions)))
        try:
            batch.load(data)
        except SnapshotError as error:
            reasons.add(str(error)[:30])
            continue
        accepted += 1
        if batch._b.over[0]:
            continue
        for _ in range(DECISIONS):
            assert batch.mask[0].any()
            batch.step(batch.random_actions())
            assert (batch.obs >= low).all()
            assert (batch.obs <= high).all()
    assert accepted > RECORDS / 100
    assert len(reasons) > 10


@pytest.mark.parametrize("game", games())
def test_damage_is_found_by_the_digest(game: str) -> None:
    rng, batch = np.random.default_rng(16), played(game, 5)
    good = batch.save()
    for _ in range(2_000):
        if (data := flip(rng, good)) != good:
            with pytest.raises(SnapshotError):
                batch.load(data)
    assert batch.save() == good


@pytest.mark.parametrize("game", games())
def test_a_crafted_replay_is_refused_or_played(game: str, tmp_path: Path) -> None:
    batch = played(game, 8, log=10_000)
    body = json.dumps(replay(batch.game, batch.events(), batch.memory())).encode()
    rng, path, accepted = np.random.default_rng(16), tmp_path / "game.json", 0
    reasons: list[str] = []
    for _ in range(REPLAYS):
        path.write_bytes(crafted(rng, body, len(batch.spec.actions)))
        try:
            content = read_replay(path)
            for position in play(game_of_replay(content), content):
                assert 0 <= position.node[0] <= 2
            accepted += 1
        except (SnapshotError, DeckError) as error:
            reasons.append(str(error))
    assert accepted > 0
    assert all(map(str.isprintable, reasons))


@pytest.mark.parametrize("game", REMEMBERING)
def test_a_crafted_campaign_is_refused_or_played(game: str, tmp_path: Path) -> None:
    path = tmp_path / "deck.json"
    batch, campaign = Batch(game, 1, seed=1, autoreset=False), Campaign(game)
    for _ in range(3):
        batch.reset(remembered=campaign.remembered)
        while not batch.terminated[0]:
            batch.step(batch.random_actions())
        campaign.record(batch.positions)
    campaign.save(path)
    body, rng, accepted = path.read_bytes(), np.random.default_rng(16), 0
    reasons: list[str] = []
    for _ in range(CAMPAIGNS):
        path.write_bytes(crafted(rng, body, 3))
        try:
            found = Campaign.load(path)
        except CampaignError as error:
            reasons.append(str(error))
            continue
        accepted += 1
        batch.reset(remembered=found.remembered)
        for _ in range(5):
            if batch.mask.any():
                batch.step(batch.random_actions())
    assert accepted > CAMPAIGNS / 100
    assert all(map(str.isprintable, reasons))


def test_a_saved_game_that_asks_for_too_much_is_refused_before_anything_is_made() -> None:
    """A million slots for a batch of one, and a million actions for a game that ends."""
    batch = Batch(games()[0], 1, seed=0)
    content = json.loads(batch.save()[len(MAGIC) + 65 :])
    many = {**content, "slots": content["slots"] * 20_000}
    long = {**content, "slots": [{**content["slots"][0], "actions": [0] * 1_000_000}]}
    for wrong, message in ((many, "has 20000 slots, but this one has 1"), (long, "decision [0-9]+: ")):
        with pytest.raises(SnapshotError, match=message):
            batch.load(with_digest(json.dumps(wrong).encode()))
    assert unpack(batch.save()).slots[0].actions == []
