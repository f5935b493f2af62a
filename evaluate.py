"""Compare agents over the same games: ``python evaluate.py tanglewoods --agents random greedy expert --episodes 10000``."""

import sys

try:
    from deckwood_agents.measuring.command import main
except KeyboardInterrupt:  # imports take seconds
    print("interrupted", file=sys.stderr)
    sys.exit(130)

if __name__ == "__main__":
    sys.exit(main())
