"""Training: configuration, masked PPO, imitation, self-play, sweeps, and shipping the results."""

from deckwood_agents.extras import require_train

require_train(__name__)
