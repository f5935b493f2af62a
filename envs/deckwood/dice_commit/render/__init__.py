"""A position for people: as text and as a picture."""

from deckwood.dice_commit.render.picture import draw
from deckwood.dice_commit.render.text import describe

__all__ = ["describe", "draw"]
