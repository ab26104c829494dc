"""The optics of the simulated table."""
