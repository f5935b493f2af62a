"""``python -m deckwood.conformance``: see :mod:`deckwood.core.conformance`."""

import sys

from deckwood.core.conformance import main

if __name__ == "__main__":
    sys.exit(main())
