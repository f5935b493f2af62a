"""The parts of a table, as text and as a picture, that every 20 Strong deck has."""
