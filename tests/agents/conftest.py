import signal
import sys
from types import ModuleType

import pytest

from deckwood.core import registry
from deckwood.core.jit import rule
from tests.agents import ladder


@rule
def climb(s, deck, mask):
    return int(s.die)


@rule
def dawdle(s, deck, mask):
    return min(1, int(s.die))


@rule
def bank_at_once(s, deck, mask):
    return 1 if s.climb > 0 else 0


@rule
def bank_two(s, deck, mask):
    return 1 if s.climb > 1 or s.height[s.mover] + s.climb >= s.top else 0


@pytest.fixture(autouse=True)
def ladder_registered(monkeypatch):
    """Ladder, for one, and Hill, for several, are games like any other, with a greedy and an expert; Pig has none."""
    monkeypatch.setitem(registry.GAMES, "test/Ladder-v0", "tests.agents.ladder:SPEC")
    monkeypatch.setitem(registry.GAMES, "test/Pig-v0", "tests.games.pig:SPEC")
    monkeypatch.setitem(registry.GAMES, "test/Hill-v0", "tests.games.hill:SPEC")
    scripted = ModuleType("deckwood_agents.players.scripted.ladder.policy")
    scripted.greedy, scripted.expert = dawdle, climb
    monkeypatch.setitem(sys.modules, scripted.__name__, scripted)
    on_the_hill = ModuleType("deckwood_agents.players.scripted.hill.policy")
    on_the_hill.greedy, on_the_hill.expert = bank_at_once, bank_two
    monkeypatch.setitem(sys.modules, on_the_hill.__name__, on_the_hill)
    return ladder.SPEC


@pytest.fixture
def workplace(tmp_path, monkeypatch):
    """An empty working directory with a configuration that trains in seconds."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.yaml").write_text(
        """\
game: ladder
total_steps: 1024
num_envs: 8
threads: 1
wandb: disabled
tensorboard: false
network: {trunk: [8], heads: [8]}
ppo: {n_steps: 16, batch_size: 64, n_epochs: 2}
evaluation: {every: 256, episodes: 20, final_episodes: 50}
checkpoints: {every: 256}
"""
    )
    return tmp_path


@pytest.fixture(autouse=True)
def signals_as_on_a_terminal():
    """A process started in the background ignores SIGINT and hands that down."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
