"""Training of the network that labels every cell of a board at once."""
