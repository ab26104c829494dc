"""The table files that ship, one folder a game."""
