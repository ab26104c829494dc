"""Training of the two networks that read loose dice, on pictures drawn here."""
