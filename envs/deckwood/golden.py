"""``python -m deckwood.golden``: see :mod:`deckwood.core.golden`."""

import sys

from deckwood.core.golden import main

if __name__ == "__main__":
    sys.exit(main())
