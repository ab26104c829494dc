"""Training of the network that recognises playing cards, on rendered cards."""
