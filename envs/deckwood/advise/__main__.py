"""``python -m deckwood.advise``: see :mod:`deckwood.advise.command`."""

import sys

from deckwood.advise.command import main

if __name__ == "__main__":
    sys.exit(main())
