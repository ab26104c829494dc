"""Training of the network that names the figure on a cell."""
