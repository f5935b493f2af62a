"""A position for people: as text and as a picture."""

from deckwood.etherfields.render.picture import draw
from deckwood.etherfields.render.text import describe

__all__ = ["describe", "draw"]
