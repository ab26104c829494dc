"""Training of the network that names playing cards, on cards that are drawn."""
