"""The simulated table's optical half: scene, lens, light, noise, hands."""
