"""How well agents play: the same games for all of them, tournaments, regret, and the statistics of it."""

from deckwood_agents.extras import require_train

require_train(__name__)
