"""How the network that reads loose dice is trained, on pictures drawn here. Needs the extra "train"."""
