"""Train an agent: ``python train.py configs/tanglewoods.yaml --seed 1``; go on with ``python train.py --resume runs/NAME``."""

import sys

try:
    from deckwood_agents.learning.training import main
except KeyboardInterrupt:  # imports take seconds
    print("interrupted", file=sys.stderr)
    sys.exit(130)

if __name__ == "__main__":
    sys.exit(main())
