"""Train an agent: ``python train.py configs/tanglewoods.yaml --seed 1``; go on with ``python train.py --resume runs/NAME``."""

import sys

from deckwood_agents.learning.training import main

if __name__ == "__main__":
    sys.exit(main())
