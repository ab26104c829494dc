"""Training of the network that finds cards, flags and pawns on a table of cards."""
