"""The Royal Game of Ur's table."""
