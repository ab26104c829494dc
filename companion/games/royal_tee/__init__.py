"""Royal Tee: its engine joined with its board."""
