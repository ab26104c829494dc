"""Training of the two networks that read loose dice, on rendered pictures."""
