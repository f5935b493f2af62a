"""``python -m deckwood.campaign``: see :mod:`deckwood.core.campaign`."""

import sys

from deckwood.core.campaign import main

if __name__ == "__main__":
    sys.exit(main())
