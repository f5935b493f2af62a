"""A position for people: as text and as a picture."""

from deckwood.tanglewoods.render.picture import draw
from deckwood.tanglewoods.render.text import describe

__all__ = ["describe", "draw"]
