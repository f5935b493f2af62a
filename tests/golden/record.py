"""Records one game for every way that a game can end: ``python -m tests.golden.record``.

Each is a replay (NAME.json) and the same game in words (NAME.txt), in a folder by game. They are found by letting the scripted players
play, seed after seed; the replays hold every outcome and play back without a generator.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

import deckwood
from deckwood.core.batch import Batch
from deckwood.core.files import write_atomically
from deckwood.core.game import Game
from deckwood.core.golden import game_text
from deckwood.core.replay import play, replay, write_replay
from deckwood_agents.players.roster import make_agent, quick

FOLDER = Path(__file__).parent
TRIES = 20_000


def folder(env_id: str) -> Path:
    return FOLDER / env_id.partition("/")[2].rpartition("-v")[0].lower()


def text_of(game: Game, content: dict[str, Any]) -> str:
    """A replay in words."""
    *before, final = [position.copy() for position in play(game, content)]
    events = zip(before, content["events"], strict=True)
    return game_text(game, ((position, *event) for position, event in events), final)


def record(env_id: str) -> None:
    folder(env_id).mkdir(exist_ok=True)
    endings = enumerate(deckwood.spec(env_id).endings)
    for options, group in groupby(sorted(endings, key=lambda entry: repr(entry[1].options)), key=lambda entry: entry[1].options):
        record_endings(Game(env_id, **options), {index + 1: ending.name for index, ending in group})


def record_endings(game: Game, wanted: dict[int, str]) -> None:
    """Plays until every one of these endings has come."""
    env_id = game.spec.env_id
    agents = [make_agent(name, game.spec, game.deck) for name in reversed(quick(game.spec)) if ":" not in name and name != "ppo"]
    for seed in range(TRIES):
        agent = agents[seed % len(agents)]
        agent.reset(seed)
        batch = Batch(game, 1, seed=seed, autoreset=False, log=20_000)
        while not (batch.terminated[0] or batch.truncated[0]):
            batch.step(agent.act(batch.obs, batch.mask, batch.positions))
        if name := wanted.pop(int(batch.ended[0]), None):
            content = replay(game, batch.events(0))
            write_replay(folder(env_id) / f"{name}.json", content)
            write_atomically(folder(env_id) / f"{name}.txt", text_of(game, content))
            print(f"{env_id}: {name}, seed {seed}, {agent.name}")
        if not wanted:
            return
    raise SystemExit(f"{env_id}: no game ended with {', '.join(wanted.values())} in {TRIES} tries")


if __name__ == "__main__":
    for env_id in deckwood.games():
        record(env_id)
