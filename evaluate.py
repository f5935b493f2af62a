"""Compare agents over the same games: ``python evaluate.py tanglewoods --agents random greedy expert --episodes 10000``."""

import sys

from deckwood_agents.measuring.command import main

if __name__ == "__main__":
    sys.exit(main())
