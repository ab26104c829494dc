"""Royal Tee: the rules joined with their table."""
