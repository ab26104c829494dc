"""The Royal Game of Ur: what the companion knows of the game."""
