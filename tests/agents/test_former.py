import pytest
import torch as th
from sb3_contrib import MaskablePPO

from deckwood_agents.players.roster import SHIPPED


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.zip")), ids=lambda path: path.stem)
def test_stable_baselines3_loads_what_ships(path):
    agent = MaskablePPO.load(path, device="cpu")
    assert all(th.isfinite(weight).all() for weight in agent.policy.parameters())
    assert agent.learning_rate(1.0) > 0
