"""A position for people: as text and as a picture."""

from deckwood.lost_woods.render.picture import draw
from deckwood.lost_woods.render.text import describe

__all__ = ["describe", "draw"]
